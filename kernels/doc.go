// Package kernels has the operators that move tensor elements by index:
// GatherElements, GatherND, ScatterElementsUpdate and StridedSlice, with the
// meaning that ONNX and OpenVINO give them, on plain Go slices.
//
// # Tensors
//
// A Tensor is a slice with a shape, and for views strides and an offset. New
// makes one; nothing is copied:
//
//	data := kernels.New([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
//	idx := kernels.New([]int64{2, 0, -1, 1}, 2, 2)
//	dst := kernels.New(make([]float32, 4), 2, 2)
//	err := kernels.GatherElements(dst, data, idx, 1) // dst is [3 1; 6 5]
//
// The caller provides dst. Its shape is what the operator's shape function
// returns (GatherElementsShape and so on), which engines also use to plan
// their memory. Any input may be a strided, broadcast, reversed or offset view,
// and so may dst as long as no two of its coordinates share an element.
//
// Elements are of any Go type. The 16 types of ONNX have arithmetic, for the
// reductions of ScatterElementsUpdate; Float16 and BFloat16 are here, and other
// libraries' half types work without a copy. Indices are of any Go integer type
// but uintptr, read as full 64-bit values, and count from the end when negative.
//
// # Errors
//
// No input panics. What is wrong is returned as an *IndexError, *ShapeError,
// *AttributeError, *TypeError or *OverlapError for errors.As, each of which wraps
// ErrIndex, ErrShape, ErrAttribute, ErrType or ErrOverlap for errors.Is. The text
// names operator, position, value, axis and size:
//
//	kernels: GatherElements: index 7 at [0 2] is out of range for axis 1 of size 5
//
// Shapes, attributes, types and overlaps are checked before anything is
// written. Indices are checked on the way, which saves a pass: dst may have been
// partly written when one turns out bad. ScatterElementsUpdate in place is the
// exception; it leaves the caller's data as it was. Of several bad indices the
// first in row-major order is reported, whatever the number of workers.
// (An Executor that panics is the caller's own.)
//
// # Aliasing
//
// dst shares no memory with any input, judged by the interval of addresses
// that each view spans. ScatterElementsUpdate alone may work in place: when
// equal coordinates of dst and data are the same memory.
//
// # Determinism
//
// Results are bit for bit the same for any number of workers, any
// instruction set and any port. Updates of a cell are applied in row-major order of
// indices, each rounded to the element type; no multiplication is fused with an
// addition. Only the sign and payload of a NaN that arithmetic makes are the processor's.
//
// # Goroutines and memory
//
// Calls may run concurrently as long as nobody writes what another reads or
// writes. By default an operator uses up to GOMAXPROCS goroutines for work that
// is worth it: see Workers and Executor. Types that hold pointers are moved on
// the caller's goroutine. A call that stays on one goroutine allocates
// nothing for contiguous tensors of rank 8 or less (a mean keeps its counters for
// the next one). The work of a call is proportional to its indices and its
// output as shaped, so that a broadcast view of a size that nobody could store
// takes the time that it says.
//
// Levels of instruction sets are chosen by package dispatch; LANES_ISA in the
// environment caps them.
//
// # Plans
//
// Where the same indices are used again and again, as the edges of a graph are,
// NewGatherPlan and NewScatterPlan check and compact them once. A plan's
// Run computes what the call would.
//
// # Words
//
// A kernel, or operator, works on tensors. A primitive is one flat loop, in
// package lanes. A cell is an element of ScatterElementsUpdate's output. To
// resolve an index is to add the axis's size to a negative one, check it, and make
// it an offset.
package kernels
