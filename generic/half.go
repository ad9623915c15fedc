package generic

import "math"

// Float16ToFloat32 returns the value of an IEEE 754 binary16 number, exactly.
// Signalling NaNs keep their payload and may become quiet.
func Float16ToFloat32(h uint16) float32 {
	sign := uint32(h>>15) << 31
	exp := uint32(h>>10) & 0x1F
	frac := uint32(h) & 0x3FF
	switch {
	case exp == 0x1F: // Inf, NaN
		return math.Float32frombits(sign | 0x7F800000 | frac<<13)
	case exp != 0: // normal: move the bias from 15 to 127
		return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
	default: // zero and subnormal: frac × 2^-24 is exact in float32
		return math.Float32frombits(sign | math.Float32bits(float32(frac)*0x1p-24))
	}
}

// Float16FromFloat32 rounds f to the nearest binary16 number, ties to even.
// Values of 65520 and more become infinite; NaN stays NaN.
func Float16FromFloat32(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b>>16) & 0x8000
	b &= 0x7FFFFFFF
	switch {
	case b > 0x7F800000: // NaN: keep the top of the payload, set the quiet bit
		return sign | 0x7E00 | uint16(b>>13)&0x1FF
	case b >= 0x47800000: // 65536 and more
		return sign | 0x7C00
	case b < 0x38800000: // below 2^-14: a subnormal, counted in units of 2^-24
		// Adding 1/2 puts the unit into the last place of the float32 sum, so
		// the addition itself rounds to nearest even.
		return sign | uint16(math.Float32bits(math.Float32frombits(b)+0.5)-0x3F000000)
	default: // normal: round away 13 bits; a carry moves into the exponent, up to Inf
		return sign | uint16((b-112<<23+0xFFF+b>>13&1)>>13)
	}
}

// BFloat16ToFloat32 returns the value of a bfloat16 number, exactly.
func BFloat16ToFloat32(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// BFloat16FromFloat32 rounds f to the nearest bfloat16 number, ties to even;
// NaN stays NaN.
func BFloat16FromFloat32(f float32) uint16 {
	b := math.Float32bits(f)
	if b&0x7FFFFFFF > 0x7F800000 {
		return uint16(b>>16) | 0x40
	}
	return uint16((b + 0x7FFF + b>>16&1) >> 16)
}

// Half is a 16-bit floating-point format.
type Half uint8

// The half formats.
const (
	Binary16 Half = iota // IEEE 754 binary16
	Brain16              // bfloat16, the upper half of a float32
)

// Halves are all half formats.
var Halves = [...]Half{Binary16, Brain16}

// HalfOf returns the format of a type whose bits decode converts: the one whose 1 is 1.
func HalfOf(decode func(bits uint16) float32) (h Half, ok bool) {
	for _, h := range Halves {
		if decode(h.Round(1)) == 1 {
			return h, true
		}
	}
	return 0, false
}

// String returns the format's name.
func (h Half) String() string {
	if h == Brain16 {
		return "bfloat16"
	}
	return "binary16"
}

// Float32 returns the value of a number in the format h, exactly.
func (h Half) Float32(b uint16) float32 {
	if h == Brain16 {
		return BFloat16ToFloat32(b)
	}
	return Float16ToFloat32(b)
}

// Round returns f in the format h, rounded to nearest even.
func (h Half) Round(f float32) uint16 {
	if h == Brain16 {
		return BFloat16FromFloat32(f)
	}
	return Float16FromFloat32(f)
}

// combine is for all but Sub. It has to be inlined: else each call allocates
// the function.
func (h Half) combine(op Op) func(a, b uint16) uint16 {
	switch op {
	case Sum:
		return func(a, b uint16) uint16 { return h.Round(h.Float32(a) + h.Float32(b)) }
	case Prod:
		return func(a, b uint16) uint16 { return h.Round(h.Float32(a) * h.Float32(b)) }
	case Min:
		return func(a, b uint16) uint16 {
			if h.Float32(a) < h.Float32(b) {
				return a
			}
			return b
		}
	default: // Max
		return func(a, b uint16) uint16 {
			if h.Float32(a) > h.Float32(b) {
				return a
			}
			return b
		}
	}
}
