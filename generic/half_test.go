package generic_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/generic"
)

// halfFormats describe the two half types by the numbers of IEEE 754 alone:
// how many bits the fraction has, and the bias of the exponent.
var halfFormats = []struct {
	name     string
	fraction int
	bias     int
	widen    func(uint16) float32
	round    func(float32) uint16
}{
	{"float16", 10, 15, generic.Float16ToFloat32, generic.Float16FromFloat32},
	{"bfloat16", 7, 127, generic.BFloat16ToFloat32, generic.BFloat16FromFloat32},
}

// halfValue is the value of the half h with these numbers, by its definition.
// The largest exponent counts as an ordinary one: for rounding, infinity is the next
// number after the largest.
func halfValue(h uint16, fraction, bias int) float64 {
	exponent := int(h&0x7FFF) >> fraction
	significand := int(h) & (1<<fraction - 1)
	if exponent == 0 {
		exponent = 1 // subnormal
	} else {
		significand += 1 << fraction
	}
	v := math.Ldexp(float64(significand), exponent-bias-fraction)
	return math.Copysign(v, float64(int16(h|1))) // |1: a zero has a sign too
}

func TestHalfToFloat32(t *testing.T) {
	for _, f := range halfFormats {
		t.Run("format="+f.name, func(t *testing.T) {
			inf := uint16(1<<15 - 1<<f.fraction)
			for i := range 1 << 16 {
				h := uint16(i)
				got := f.widen(h)
				switch magnitude := h & 0x7FFF; {
				case magnitude > inf:
					require.True(t, math.IsNaN(float64(got)), "%#04x", h)
				case magnitude == inf:
					require.True(t, math.IsInf(float64(got), 1-2*int(h>>15)), "%#04x", h)
				default:
					want := float32(halfValue(h, f.fraction, f.bias))
					require.Equal(t, math.Float32bits(want), math.Float32bits(got), "%#04x", h)
				}
			}
		})
	}
}

func TestHalfRoundTrip(t *testing.T) {
	for _, f := range halfFormats {
		t.Run("format="+f.name, func(t *testing.T) {
			inf := uint16(1<<15 - 1<<f.fraction)
			for i := range 1 << 16 {
				h := uint16(i)
				got := f.round(f.widen(h))
				if h&0x7FFF > inf && got&0x7FFF <= inf {
					t.Fatalf("NaN %#04x becomes %#04x", h, got)
				}
				if h&0x7FFF <= inf && got != h {
					t.Fatalf("%#04x becomes %#04x", h, got)
				}
			}
		})
	}
}

// TestHalfRounding tries the middle between each half and the next one, and
// the float32 on either side of it. Rounding is monotonic, so that nothing
// between them can be wrong.
func TestHalfRounding(t *testing.T) {
	for _, f := range halfFormats {
		t.Run("format="+f.name, func(t *testing.T) {
			inf := uint16(1<<15 - 1<<f.fraction)
			for h := range inf { // h+1 may be infinity
				below, above := halfValue(h, f.fraction, f.bias), halfValue(h+1, f.fraction, f.bias)
				middle := float32((below + above) / 2)
				if float64(middle) != (below+above)/2 {
					t.Fatalf("the middle above %#04x is no float32", h)
				}
				even := h + h&1
				for _, sign := range []uint16{0, 0x8000} {
					bits := math.Float32bits(middle) | uint32(sign)<<16
					for step, want := range []uint16{h, even, h + 1} { // inward, the middle, outward
						x := math.Float32frombits(bits + uint32(step) - 1)
						if got := f.round(x); got != sign|want {
							t.Fatalf("%g, %d steps from the middle above %#04x, becomes %#04x, not %#04x", x, step-1, h, got, sign|want)
						}
					}
				}
			}
		})
	}
}

func TestHalfRoundsMonotonically(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, f := range halfFormats {
		t.Run("format="+f.name, func(t *testing.T) {
			for range 200_000 {
				// Two positive float32, near each other or not, up to infinity.
				a := r.Uint32N(0x7F800001)
				b := min(a+r.Uint32()>>r.IntN(32), 0x7F800000)
				a, b = min(a, b), max(a, b)
				low, high, opposite := f.round(math.Float32frombits(a)), f.round(math.Float32frombits(b)), f.round(math.Float32frombits(a|1<<31))
				if low > high || opposite != low|0x8000 {
					t.Fatalf("%#08x becomes %#04x, its opposite %#04x, and %#08x %#04x", a, low, opposite, b, high)
				}
			}
		})
	}
}

func TestHalfSpecialValues(t *testing.T) {
	bits := math.Float32frombits
	for _, c := range []struct {
		name              string
		value             float32
		float16, bfloat16 uint16
	}{
		{"zero", 0, 0, 0},
		{"negative zero", bits(1 << 31), 0x8000, 0x8000},
		{"one", 1, 0x3C00, 0x3F80},
		{"infinity", float32(math.Inf(1)), 0x7C00, 0x7F80},
		{"negative infinity", float32(math.Inf(-1)), 0xFC00, 0xFF80},
		{"the largest float32", math.MaxFloat32, 0x7C00, 0x7F80},
		{"the smallest float32", math.SmallestNonzeroFloat32, 0, 0},
		{"the largest binary16", 65504, 0x7BFF, 0x4780},
		{"just below the overflow of binary16", 65519.996, 0x7BFF, 0x4780},
		{"the overflow of binary16", 65520, 0x7C00, 0x4780},
		{"the smallest binary16", 0x1p-24, 0x0001, 0x3380},
		{"half of the smallest binary16, a tie", 0x1p-25, 0x0000, 0x3300},
		{"the largest subnormal binary16", 0x1.ff8p-15, 0x03FF, 0x3880},
		{"the smallest normal binary16", 0x1p-14, 0x0400, 0x3880},
		{"the smallest bfloat16", 0x1p-133, 0x0000, 0x0001},
		{"half of the smallest bfloat16, a tie", 0x1p-134, 0x0000, 0x0000},
		{"the overflow of bfloat16", bits(0x7F7F8000), 0x7C00, 0x7F80},
		{"just below the overflow of bfloat16", bits(0x7F7F7FFF), 0x7C00, 0x7F7F},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Equal(t, c.float16, generic.Float16FromFloat32(c.value), "float16")
			require.Equal(t, c.bfloat16, generic.BFloat16FromFloat32(c.value), "bfloat16")
		})
	}
	// A payload in the low bits alone must not be cut down to an infinity.
	for _, f := range halfFormats {
		inf := uint16(1<<15 - 1<<f.fraction)
		for shift := range 23 {
			for _, sign := range []uint32{0, 1 << 31} {
				got := f.round(bits(sign | 0x7F800000 | 1<<shift))
				require.Greater(t, got&0x7FFF, inf, "%s: NaN with payload bit %d", f.name, shift)
				require.Equal(t, uint16(sign>>16), got&0x8000, "%s: sign of NaN", f.name)
			}
		}
	}
}
