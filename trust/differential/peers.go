package main

import (
	"math"
	"slices"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

// A peer is a library to compare with.
type peer struct {
	name   string
	obtain func(e *environment, name string) (argv []string, err error)
	has    func(*calls.Call) bool // whether it documents the call; judged by what a group shares
	takes  func(*calls.Call) bool // whether the call may be given to it; judged by the rest
	lacks  []calls.Op             // operators that it has nothing like
}

var peers = []peer{
	{"onnxruntime", (*environment).wheel, onnxruntimeHas, func(*calls.Call) bool { return true }, append([]calls.Op{calls.EmbeddingBag, calls.SliceScatter}, general...)},
	{"openvino", (*environment).wheel, openvinoHas, openvinoTakes, append([]calls.Op{calls.Compress, calls.SliceScatter}, general...)},
	{"torch", (*environment).torch, torchHas, torchTakes, general},
	{"jax", (*environment).jax, jaxHas, jaxTakes, slices.DeleteFunc(slices.Clone(contested), isGeneral)},
}

// jaxTakes keeps from XLA scatters whose starts have no components, which it does not compile where
// there is more than one.
func jaxTakes(c *calls.Call) bool {
	return c.Op != calls.GeneralScatter || len(c.Scatter.ScatterDimsToOperandDims) > 0
}

// general are the operators that XLA alone has.
var general = []calls.Op{calls.GeneralGather, calls.GeneralScatter}

func isGeneral(op calls.Op) bool { return slices.Contains(general, op) }

// jaxHas: integers have all reductions. Floats are left out: StableHLO leaves the order of their sums
// open. (A sum of complex128 differed here in one of 1,929 calls; the cause was not looked for.)
func jaxHas(c *calls.Call) bool {
	t, r := c.Data.Type, c.Reduction()
	switch {
	case !isGeneral(c.Op) || t == kernels.DTypeString:
		return false
	case r == kernels.None:
		return true
	case r == kernels.Sub:
		return false
	}
	return kernels.DTypeUint8 <= t && t <= kernels.DTypeInt64 || t == kernels.DTypeUint32 || t == kernels.DTypeUint64
}

func onnxruntimeHas(c *calls.Call) bool {
	t, reduction := c.Data.Type, c.Reduction()
	switch {
	case isGeneral(c.Op) || c.Op == calls.SliceScatter || c.Policy != (kernels.IndexPolicy{}):
		return false
	case c.Op == calls.EmbeddingBag:
		return false
	case t == kernels.DTypeComplex64 || t == kernels.DTypeComplex128:
		return false
	case c.Op == calls.GatherND:
		return c.Indices.Type == kernels.DTypeInt64
	case c.Op == calls.Gather:
		return c.BatchDims == 0
	case c.Op == calls.Compress:
		return t != kernels.DTypeBFloat16
	case c.Op == calls.ScatterNDUpdate && (c.Indices.Type != kernels.DTypeInt64 || reduction == kernels.Sub):
		return false
	case c.Op == calls.StridedSlice:
		return !slices.Contains(slices.Concat(c.Spec.NewAxisMask, c.Spec.ShrinkAxisMask, c.Spec.EllipsisMask), true)
	case c.Op.Scatters():
		order := reduction == kernels.Min || reduction == kernels.Max
		switch {
		case reduction == kernels.None:
			return true
		case reduction == kernels.Mean || c.Attrs.IgnoreInit:
			return false
		case t == kernels.DTypeBool:
			return !order
		case t == kernels.DTypeFloat16:
			return order && c.Op == calls.ScatterElementsUpdate
		case t == kernels.DTypeBFloat16 || t == kernels.DTypeString:
			return false
		}
	}
	return true
}

func openvinoHas(c *calls.Call) bool {
	switch s := c.Spec; c.Op {
	case calls.SliceScatter:
		return false // a fault of memory ends 2026.4 in about one of ten of them, good ones too
	case calls.Compress, calls.GeneralGather, calls.GeneralScatter:
		return false
	case calls.Slice:
		if len(c.Ranges.Axes) == 0 {
			return false // nor constants of no elements
		}
	case calls.EmbeddingBag:
		if c.Bag.Reduction == kernels.Max || c.Data.Type != kernels.DTypeFloat32 || c.Updates.Type != 0 {
			return false
		}
	case calls.StridedSlice:
		if len(s.Begin) == 0 {
			return false // its Python front does not take masks of no bits
		}
		// It reads elsewhere where an axis is inserted and another goes, and where
		// the rank is dynamic, as it is here, also beside an ellipsis.
		if slices.Contains(s.NewAxisMask, true) && (slices.Contains(s.ShrinkAxisMask, true) || slices.Contains(s.EllipsisMask, true)) {
			return false
		}
	}
	return c.Data.Type != kernels.DTypeString && c.Data.Type != kernels.DTypeComplex64 && c.Data.Type != kernels.DTypeComplex128
}

// openvinoTakes keeps from OpenVINO what its documents leave undefined, and
// what makes it read or write elsewhere: it does not check indices.
func openvinoTakes(c *calls.Call) bool {
	// Where indices out of range are skipped, it keeps 32 bits of an index, leaves the output as it is if
	// data is empty, and with AVX-512 reads elsewhere if data has one axis.
	if c.Policy.OutOfRange == kernels.Skip {
		if c.Data.Count() == 0 || hasAVX512 && len(c.Data.Shape) == 1 && !indicesInRange(c) {
			return false
		}
		for i := range c.Indices.Count() {
			if k := indexAt(c.Indices, i); k != int64(int32(k)) {
				return false
			}
		}
	} else if !indicesInRange(c) {
		return false
	}
	if c.Op == calls.EmbeddingBag && (countsFromEnd(c) || endsEmpty(c)) {
		return false
	}
	if c.Op == calls.GatherElements {
		axis := fromFront(c.Axis, len(c.Data.Shape))
		for d, n := range c.Data.Shape {
			if d != axis && c.Indices.Shape[d] != n {
				return false
			}
		}
	}
	for i, stride := range slices.Concat(c.Spec.Strides, c.Ranges.Steps) {
		// It keeps 32 bits of a stride: it divides by 0 for a multiple of 2^32, and
		// reads elsewhere for others, and for -2^31, which has no opposite.
		if stride != int64(int32(stride)) || stride == math.MinInt32 {
			return false
		}
		// It does not check the begin of a shrunk axis either.
		if c.Op == calls.StridedSlice && shrinks(&c.Spec, i) {
			if _, err := c.Shape(); err != nil {
				return false
			}
		}
	}
	return true
}

// shrinks reports whether entry i of a slice takes one element.
func shrinks(s *kernels.SliceSpec, i int) bool {
	return s.ShrinkAxisMask[i] && !s.NewAxisMask[i] && !s.EllipsisMask[i]
}

var torchTypes = []kernels.DType{kernels.DTypeFloat16, kernels.DTypeBFloat16, kernels.DTypeFloat32, kernels.DTypeFloat64, kernels.DTypeUint8, kernels.DTypeInt8, kernels.DTypeInt16,
	kernels.DTypeInt32, kernels.DTypeInt64, kernels.DTypeBool, kernels.DTypeComplex64, kernels.DTypeComplex128}

func torchHas(c *calls.Call) bool {
	if c.Op == calls.EmbeddingBag {
		return c.Data.Type == kernels.DTypeFloat32 || c.Data.Type == kernels.DTypeFloat64
	}
	return slices.Contains(torchTypes, c.Data.Type) && c.Reduction() != kernels.Sub && !isGeneral(c.Op) && c.Policy == (kernels.IndexPolicy{})
}

// torchTakes: no negative strides. Tuples are made numbers of rows for it, of which those out of
// range may be others.
func torchTakes(c *calls.Call) bool {
	if c.Op == calls.ScatterNDUpdate && !indicesInRange(c) {
		return false
	}
	if c.Op == calls.EmbeddingBag {
		return !(c.Bag.HasDefault && c.Bag.DefaultIndex >= 0) && !countsFromEnd(c) && indicesInRange(c) && c.Offsets.Count() > 0 && indexAt(c.Offsets, 0) == 0
	}
	for _, s := range c.Ranges.Steps {
		if s < 0 {
			return false
		}
	}
	for i, s := range c.Spec.Strides {
		if c.Op == calls.StridedSlice && s < 0 && !c.Spec.EllipsisMask[i] && !c.Spec.NewAxisMask[i] && !c.Spec.ShrinkAxisMask[i] {
			return false
		}
	}
	return true
}
