package main

import (
	"encoding/binary"
	"math"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

// A flavour says what kind of values a tensor has.
type flavour uint8

const (
	plain   flavour = iota // small numbers, and fractions that sums have to round
	special                // with NaN, infinities, both zeros, subnormal and extreme numbers among them
	noise                  // any bits
)

func (r *random) flavour() flavour { return pick(r, plain, plain, special, noise) }

func (r *random) tensor(t kernels.DType, shape []int) calls.Tensor {
	return r.tensorOf(t, shape, r.flavour())
}

func (r *random) tensorOf(t kernels.DType, shape []int, v flavour) calls.Tensor {
	out := calls.Tensor{Type: t, Shape: shape}
	size := calls.Size(t)
	if calls.Part(t) > 0 {
		size = calls.Part(t)
	}
	for range out.Count() * calls.Size(t) / size {
		out.Data = append(out.Data, binary.LittleEndian.AppendUint64(nil, r.bits(t, size, v))[:size]...)
	}
	return out
}

// bits returns an element, or a part of a complex one, of so many bytes.
func (r *random) bits(t kernels.DType, size int, v flavour) uint64 {
	switch {
	case t == kernels.DTypeBool:
		return r.Uint64N(2)
	case v == noise:
		return r.Uint64()
	case calls.Part(t) > 0:
		f := floats[formatOf(t)]
		if v == special && r.oneIn(3) {
			return pick(r, f.special...)
		}
		return f.round(pick(r, float64(r.IntN(17)-8), r.NormFloat64(), 100*r.NormFloat64()))
	case v == special && r.oneIn(3):
		sign := uint64(1) << (8*size - 1)
		return pick(r, sign, sign-1, sign+1, 0, ^uint64(0))
	}
	return uint64(r.IntN(25) - 12) // an unsigned type takes the low bits
}

// A format is one of floating-point numbers.
type format uint8

const (
	binary16 format = iota
	brain16
	binary32
	binary64
)

func formatOf(t kernels.DType) format {
	switch {
	case t == kernels.DTypeBFloat16:
		return brain16
	case calls.Part(t) == 2:
		return binary16
	case calls.Part(t) == 4:
		return binary32
	}
	return binary64
}

// floats has for each format how a float64 becomes one, roughly, and its special values: NaNs, a
// signalling one too, infinities, zeros, the largest and the smallest numbers.
var floats = [...]struct {
	round   func(float64) uint64
	largest uint64
	special []uint64
}{
	binary16: {func(f float64) uint64 { return uint64(half(float32(f))) }, 0x7BFF, specials(16, 10)},
	brain16:  {func(f float64) uint64 { return uint64(math.Float32bits(float32(f)) >> 16) }, 0x7F7F, specials(16, 7)},
	binary32: {func(f float64) uint64 { return uint64(math.Float32bits(float32(f))) }, 0x7F7FFFFF, specials(32, 23)},
	binary64: {math.Float64bits, 0x7FEFFFFFFFFFFFFF, specials(64, 52)},
}

// specials returns the special values of a format with so many bits, of which
// the last are the mantissa.
func specials(width, mantissa int) []uint64 {
	sign := uint64(1) << (width - 1)
	inf := sign - 1<<mantissa
	quiet := inf | 1<<(mantissa-1)
	return []uint64{
		quiet, quiet | sign, quiet | 5, inf | 1, // NaNs, the last of which is signalling
		inf, inf | sign, inf, inf | sign,
		0, sign, 0, sign,
		inf - 1, inf - 1 | sign, 1, 1 | sign, 1 << mantissa, 1<<mantissa - 1,
	}
}

// half cuts a number to binary16, 0 where it is too small and an infinity where it is too large.
func half(f float32) uint16 {
	bits := math.Float32bits(f)
	sign, exponent := uint16(bits>>16)&0x8000, int(bits>>23&0xFF)-127+15
	switch {
	case exponent <= 0:
		return sign
	case exponent >= 31:
		return sign | 0x7C00
	}
	return sign | uint16(exponent)<<10 | uint16(bits>>13)&0x3FF
}

// indices returns indices into axes of the sizes that element i has. They repeat, count
// from the end, and once in 40 tensors one of them is out of range. Into an axis of
// size 0 all are.
func (r *random) indices(t kernels.DType, shape []int, size func(i int) int) calls.Tensor {
	out := calls.Tensor{Type: t, Shape: shape}
	n := out.Count()
	few := pick(r, 1, 2, 4, math.MaxInt, math.MaxInt, math.MaxInt) // how many values there are to choose from
	negative := r.oneIn(2)
	for i := range n {
		d := size(i)
		k := 0
		if d > 0 {
			k = r.IntN(min(d, few))
			if negative && r.oneIn(2) {
				k -= d
			}
		}
		out.Data = appendIndex(out.Data, t, int64(k))
	}
	if n > 0 && r.oneIn(40) {
		i := r.IntN(n)
		d := int64(size(i))
		bad := pick(r, d, -d-1, math.MaxInt32, math.MinInt32)
		if t == kernels.DTypeInt64 && r.oneIn(2) {
			bad = pick(r, math.MaxInt64, math.MinInt64, int64(1)<<32, -(int64(1) << 32))
		}
		copy(out.Data[i*calls.Size(t):], appendIndex(nil, t, bad))
	}
	return out
}

func appendIndex(b []byte, t kernels.DType, k int64) []byte {
	return append(b, binary.LittleEndian.AppendUint64(nil, uint64(k))[:calls.Size(t)]...)
}
