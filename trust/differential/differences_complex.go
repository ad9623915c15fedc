package main

import (
	"encoding/binary"
	"math"
	"math/cmplx"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

// complexProduct explains a product that is as near to ours as the roundings of
// both sides let it be, or that NaN, infinities or an overflow on the way leave open.
func complexProduct(m *mismatch, cell int) bool {
	c := m.call
	if !isComplex(c.Data.Type) || c.Reduction() != kernels.Prod {
		return false
	}
	p := precisionOf(c.Data.Type)
	product, bound, peak := complex(1, 0), 0.0, 0.0
	if !c.Attrs.IgnoreInit {
		product = complexAt(c.Data, cell)
	}
	for _, i := range updatesOf(c, cell) {
		u := complexAt(c.Updates, i)
		product *= u
		size := cmplx.Abs(product)
		bound = bound*cmplx.Abs(u) + 4*p.epsilon*size + 4*p.tiny
		if !(size <= peak) {
			peak = size
		}
	}
	return !(peak <= p.largest/4) || cmplx.Abs(complexAt(m.ours.result, cell)-complexAt(m.theirs.result, cell)) <= bound
}

// complexMean explains a quotient by a complex number that has n for its real part and 0 for its
// imaginary part: it multiplies by n, which may overflow, and divides by its square.
func complexMean(m *mismatch, cell int) bool {
	c := m.call
	if !isComplex(c.Data.Type) || c.Reduction() != kernels.Mean {
		return false
	}
	n := float64(len(updatesOf(c, cell)) + 1)
	ours, theirs := complexAt(m.ours.result, cell), complexAt(m.theirs.result, cell)
	p, size := precisionOf(c.Data.Type), cmplx.Abs(ours)
	return !(size <= p.largest/(4*n*n)) || cmplx.Abs(ours-theirs) <= 4*p.epsilon*size+4*p.tiny
}

// precision is what there is to know of the parts of a complex type: the distance from 1 to
// the next number, the smallest number and the largest.
type precision struct{ epsilon, tiny, largest float64 }

func precisionOf(t kernels.DType) precision {
	if t == kernels.DTypeComplex64 {
		return precision{0x1p-23, math.SmallestNonzeroFloat32, math.MaxFloat32}
	}
	return precision{0x1p-52, math.SmallestNonzeroFloat64, math.MaxFloat64}
}

func isComplex(t kernels.DType) bool {
	return t == kernels.DTypeComplex64 || t == kernels.DTypeComplex128
}

func complexAt(t calls.Tensor, i int) complex128 {
	part := calls.Part(t.Type)
	w := workingTypes[map[int]kernels.DType{4: kernels.DTypeFloat32, 8: kernels.DTypeFloat64}[part]]
	at := func(offset int) float64 {
		var b [8]byte
		copy(b[:], t.Data[i*calls.Size(t.Type)+offset:][:part])
		return w.load(binary.LittleEndian.Uint64(b[:])).f
	}
	return complex(at(0), at(part))
}
