package main

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
	"golang.org/x/sys/cpu"
)

// A difference is one that is known. README.md has each, with the rule that decides it.
type difference struct {
	library string
	name    string
	kinds   []string // of mismatches
	// explains reports whether this is why the library has another outcome; of a
	// mismatch of elements, why element i is another.
	explains func(m *mismatch, i int) bool
}

// differences is the table. The first row that explains a mismatch is counted.
var differences = []difference{
	{"onnxruntime", "an end of INT32_MAX or INT64_MAX with a negative step", []string{reshapes, differs}, instead(onnxruntimeEnd)},
	{"onnxruntime", "Gather of strings", []string{differs}, lostString},
	{"onnxruntime", "an empty result of Gather, and an index out of range", []string{refuses}, func(m *mismatch, i int) bool { return m.call.Op == calls.Gather && emptyResult(m, i) }},

	{"openvino", "bounds of 32 bits", []string{reshapes, differs}, instead(openvinoBounds)},
	{"openvino", "minima and maxima without the initial value start from a finite number", []string{differs}, both(limitIsInfinite, openvino.reduced)},
	{"openvino", "NaN and zeros in minima and maxima", []string{differs}, both(orderIsOpen, openvino.reduced)},
	{"openvino", "means of integers wrap, and round toward zero", []string{differs}, both(meanOfIntegers, openvino.reduced)},
	{"openvino", "sums of bags start from the first", []string{differs}, negativeZero},
	{"openvino", "a sub of truth values counts", []string{differs}, countedTruth},
	{"openvino", "reductions of half types round otherwise", []string{differs}, both(ofHalves, openvino.reduced)},
	{"openvino", "int64, uint32 and uint64 are int32 inside", []string{differs}, both(ofTypes(kernels.DTypeInt64, kernels.DTypeUint32, kernels.DTypeUint64), openvino.moved)},
	{"openvino", "float64 is float32 inside", []string{differs}, both(ofTypes(kernels.DTypeFloat64), openvino.moved)},
	{"openvino", "signalling NaNs of float16 become quiet", []string{differs}, both(ofTypes(kernels.DTypeFloat16), openvino.moved)},

	{"torch", "means of integers wrap", []string{differs}, both(meanOfIntegers, torch.reduced)},
	{"torch", "means of half types count in the type", []string{differs}, both(meanOfHalves, torch.reduced)},
	{"torch", "NaN and zeros in minima and maxima", []string{differs}, both(orderIsOpen, torch.reduced)},
	{"torch", "weighted sums of bags are fused", []string{differs}, fusedBag},
	{"torch", "NaN and zeros in maxima of bags", []string{differs}, firstMaximum},
	{"torch", "products of complex numbers", []string{differs}, complexProduct},
	{"torch", "means of complex numbers", []string{differs}, complexMean},
	{"torch", "an empty result, and an index out of range", []string{refuses}, emptyResult},
	{"torch", "strides that overflow", []string{reshapes, differs}, instead(torchStrides)},
	{"torch", "bounds that overflow", []string{refuses}, extremeBounds},

	{"jax", "subnormals of bfloat16 become zero, and NaNs quiet", []string{differs}, byFloat32},
}

// byFloat32: XLA moves bfloat16 by way of float32 in some gathers and scatters, with a NaN's other bits
// or without them.
func byFloat32(m *mismatch, i int) bool {
	if m.call.Data.Type != kernels.DTypeBFloat16 {
		return false
	}
	ours, theirs := binary.LittleEndian.Uint16(m.ours.result.Data[2*i:]), binary.LittleEndian.Uint16(m.theirs.result.Data[2*i:])
	switch ours & 0x7F80 {
	case 0:
		return theirs == ours&0x8000
	case 0x7F80:
		return ours&0x7F != 0 && (theirs == ours|0x40 || theirs == ours&0x8000|0x7FC0)
	}
	return false
}

// openvino is its CPU plugin.
var openvino = openvinoOn(hasAVX512)

// hasAVX512 reports whether OpenVINO has AVX-512 here.
var hasAVX512 = cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL

// openvinoOn is the plugin on a CPU with AVX-512, where it keeps bfloat16 at each
// step, or on one without, where it converts the tensors to float32 and back.
func openvinoOn(avx512 bool) *reducer {
	return &reducer{
		works: func(t kernels.DType) workingType {
			switch t {
			case kernels.DTypeBFloat16:
				if avx512 {
					return roughBrain16
				}
				return own(kernels.DTypeFloat32)
			case kernels.DTypeFloat16, kernels.DTypeFloat64:
				return own(kernels.DTypeFloat32)
			case kernels.DTypeInt16, kernels.DTypeUint16, kernels.DTypeInt64, kernels.DTypeUint32, kernels.DTypeUint64:
				return own(kernels.DTypeInt32)
			}
			return own(t)
		},
		returns: func(t kernels.DType) workingType {
			if t == kernels.DTypeBFloat16 {
				return roughBrain16
			}
			return own(t)
		},
		quotient: func(sum, n int64) int64 { return sum / n },
	}
}

// roughBrain16 is bfloat16 rounded as the plugin does: a number with an even last
// bit is cut, one with an odd last bit gets half of it added before.
var roughBrain16 = floatingType(kernels.DTypeBFloat16, func(bits uint64) float64 { return own(kernels.DTypeBFloat16).load(bits).f }, func(f float64) uint64 {
	bits := math.Float32bits(float32(f))
	if f != f {
		return uint64(bits>>16) | 0x40
	}
	return uint64(bits+bits&0x10000>>1) >> 16
})

// torch is PyTorch's CPU kernels.
var torch = &reducer{
	works:    own,
	returns:  own,
	infinite: true,
	takesNaN: true,
	countsIn: true,
	quotient: func(sum, n int64) int64 {
		q := sum / n
		if q*n != sum && (sum < 0) != (n < 0) {
			q--
		}
		return q
	},
}

func both(a, b func(*mismatch, int) bool) func(*mismatch, int) bool {
	return func(m *mismatch, i int) bool { return a(m, i) && b(m, i) }
}

// reduced reports whether the library has in a cell what its model has.
func (r *reducer) reduced(m *mismatch, i int) bool {
	_, real := workingTypes[m.call.Data.Type]
	return real && combines(m.call) && m.theirsIs(i, r.cell(m.call, i))
}

// moved is reduced, and of other operators it reports whether the library has our
// element as it is in the type that it works in.
func (r *reducer) moved(m *mismatch, i int) bool {
	if combines(m.call) {
		return r.reduced(m, i)
	}
	return m.theirsIs(i, r.through(m.call.Data.Type, bitsAt(m.ours.result, i)))
}

// combines reports whether a cell of the output is made of several elements.
func combines(c *calls.Call) bool {
	return c.Op.Scatters() && c.Op != calls.SliceScatter || c.Op == calls.EmbeddingBag
}

// through returns an element that has been in the type that the library works in.
func (r *reducer) through(t kernels.DType, bits uint64) uint64 {
	own, known := workingTypes[t]
	if !known {
		return bits
	}
	w := r.works(t)
	return own.store(between(w, own, between(own, w, own.load(bits))))
}

// theirsIs compares their element with bits; a NaN is as good as another.
func (m *mismatch) theirsIs(i int, bits uint64) bool {
	return sameBits(m.call.Data.Type, bitsAt(m.theirs.result, i), bits)
}

func sameBits(t kernels.DType, a, b uint64) bool {
	x, y := binary.LittleEndian.AppendUint64(nil, a)[:calls.Size(t)], binary.LittleEndian.AppendUint64(nil, b)[:calls.Size(t)]
	return slices.Equal(x, y) || calls.Part(t) == calls.Size(t) && calls.NaN(t, x) && calls.NaN(t, y)
}

func ofTypes(types ...kernels.DType) func(*mismatch, int) bool {
	return func(m *mismatch, _ int) bool { return slices.Contains(types, m.call.Data.Type) }
}

func ofHalves(m *mismatch, _ int) bool {
	return calls.Part(m.call.Data.Type) == 2 && m.call.Reduction() != kernels.None
}

func meanOfHalves(m *mismatch, i int) bool {
	return ofHalves(m, i) && m.call.Reduction() == kernels.Mean
}

func meanOfIntegers(m *mismatch, _ int) bool {
	return calls.Part(m.call.Data.Type) == 0 && m.call.Reduction() == kernels.Mean
}

// orders reports whether a call is of minima or maxima of floating-point numbers.
func orders(c *calls.Call) bool {
	return calls.Part(c.Data.Type) > 0 && (c.Reduction() == kernels.Min || c.Reduction() == kernels.Max)
}

// orderIsOpen reports whether a minimum or maximum has to do with NaN, or is a zero.
func orderIsOpen(m *mismatch, cell int) bool {
	if !orders(m.call) {
		return false
	}
	w := workingTypes[m.call.Data.Type]
	nan := func(t calls.Tensor, i int) bool { return math.IsNaN(w.load(bitsAt(t, i)).f) }
	if w.load(bitsAt(m.ours.result, cell)).f == 0 {
		return true
	}
	if m.call.Op == calls.EmbeddingBag {
		elements, _ := termsOf(m.call, cell)
		return slices.ContainsFunc(elements, func(i int) bool { return nan(m.call.Data, i) })
	}
	if nan(m.call.Data, cell) {
		return true
	}
	return slices.ContainsFunc(updatesOf(m.call, cell), func(i int) bool { return nan(m.call.Updates, i) })
}

// limitIsInfinite reports whether a minimum without the initial value is +Inf, or a maximum -Inf.
func limitIsInfinite(m *mismatch, cell int) bool {
	return orders(m.call) && m.call.Attrs.IgnoreInit &&
		math.IsInf(workingTypes[m.call.Data.Type].load(bitsAt(m.ours.result, cell)).f, 0)
}

// emptyResult: lanes reads no index for it.
func emptyResult(m *mismatch, _ int) bool {
	return m.ours.result.Count() == 0 && !indicesInRange(m.call)
}

// lostString explains a string that is empty because it is not the first of what an index names.
func lostString(m *mismatch, i int) bool {
	c := m.call
	part := calls.Tensor{Shape: c.Data.Shape[fromFront(c.Axis, len(c.Data.Shape))+1:]}
	return c.Op == calls.Gather && c.Data.Type == kernels.DTypeString && i%part.Count() != 0 && bitsAt(m.theirs.result, i) == math.MaxUint64
}

// countedTruth explains a truth value that is whether a byte is other than 0, which
// counts down from data by each update.
func countedTruth(m *mismatch, cell int) bool {
	c := m.call
	if c.Data.Type != kernels.DTypeBool || c.Reduction() != kernels.Sub {
		return false
	}
	n := c.Data.Data[cell]
	for _, i := range updatesOf(c, cell) {
		n -= c.Updates.Data[i]
	}
	return m.theirs.result.Data[cell] != 0 == (n != 0)
}

// negativeZero explains a sum of nothing but -0 that is -0.
func negativeZero(m *mismatch, cell int) bool {
	c := m.call
	if c.Op != calls.EmbeddingBag || bitsAt(m.ours.result, cell) != 0 {
		return false
	}
	zero := uint64(1) << (8*calls.Size(c.Data.Type) - 1)
	elements, weights := termsOf(c, cell)
	return bitsAt(m.theirs.result, cell) == zero && !slices.ContainsFunc(elements, func(i int) bool { return weights == nil && bitsAt(c.Data, i) != zero })
}

// fusedBag explains a weighted sum of float32 that is as near to ours as the
// roundings of both sides let it be, or that an overflow on the way leaves open.
func fusedBag(m *mismatch, cell int) bool {
	c := m.call
	if c.Op != calls.EmbeddingBag || c.Data.Type != kernels.DTypeFloat32 || c.Updates.Type == 0 {
		return false
	}
	at := func(t calls.Tensor, i int) float64 { return own(kernels.DTypeFloat32).load(bitsAt(t, i)).f }
	sum, bound, peak := 0.0, 0.0, 0.0
	elements, weights := termsOf(c, cell)
	for i, e := range elements {
		term := at(c.Data, e) * at(c.Updates, weights[i])
		sum += term
		bound += 0x1p-23*(math.Abs(term)+math.Abs(sum)) + math.SmallestNonzeroFloat32
		peak = max(peak, math.Abs(term), math.Abs(sum))
	}
	return !(peak <= math.MaxFloat32/4) || math.Abs(at(m.ours.result, cell)-at(m.theirs.result, cell)) <= bound
}

// firstMaximum explains a maximum that only a greater element replaces.
func firstMaximum(m *mismatch, cell int) bool {
	c := m.call
	w, real := workingTypes[c.Data.Type]
	if c.Op != calls.EmbeddingBag || !real || c.Bag.Reduction != kernels.Max {
		return false
	}
	elements, _ := termsOf(c, cell)
	if len(elements) == 0 {
		return false
	}
	best := elements[0]
	for _, e := range elements[1:] {
		if less(w.load(bitsAt(c.Data, best)), w.load(bitsAt(c.Data, e))) {
			best = e
		}
	}
	return m.theirsIs(cell, bitsAt(c.Data, best))
}
