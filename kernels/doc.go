// Package kernels has the operators that move tensor elements by index:
// [GatherElements], [GatherND], [Gather], [ScatterElementsUpdate],
// [ScatterNDUpdate], [EmbeddingBag], [StridedSlice] and their siblings, with the
// meaning that ONNX and OpenVINO give them, on plain Go slices and without cgo.
//
// A [Tensor] is a slice with a shape; [New] makes one and copies nothing. The
// caller provides the destination:
//
//	data := kernels.New([]float32{
//		1, 2, 3,
//		4, 5, 6,
//	}, 2, 3)
//	indices := kernels.New([]int64{
//		2, 0,
//		-1, 1,
//	}, 2, 2)
//	dst := kernels.New(make([]float32, 4), 2, 2)
//	err := kernels.GatherElements(dst, data, indices, 1) // dst is [3 1; 6 5]
//
// An operator's shape function ([GatherElementsShape] and so on) returns the shape
// that dst has to have, or the error that the call would return, without touching data.
// Engines plan their memory with it.
//
// # Elements and indices
//
// Elements are of any Go type. All types of ONNX except strings have arithmetic, for
// the reductions of scatters (see [Reduction]). [Float16] and [BFloat16] are
// here, and other libraries' half types over uint16 work without a copy.
//
// Indices are of any Go integer type but uintptr (see [Index]), read as full 64-bit
// values. For an axis of size d they are in [-d, d-1]; a negative one counts from the end.
// [TensorScatter], [GeneralGather] and [GeneralScatter] differ. [Indices] sets another meaning.
//
// # Views
//
// Shapes, strides and offsets count elements. Any input may be a view: broadcast (a stride of 0),
// reversed (a negative one), transposed or cut out of a larger tensor. So may dst, as long as no
// two of its coordinates share an element. [SliceView] and [RangesView] make views. There is no
// largest rank, and tensors may be empty.
//
// # Errors
//
// No input panics. What is wrong is returned as an [*IndexError], [*ShapeError],
// [*AttributeError], [*TypeError] or [*OverlapError] for [errors.As], each of which wraps
// [ErrIndex], [ErrShape], [ErrAttribute], [ErrType] or [ErrOverlap] for [errors.Is]. A bad
// offset of an [EmbeddingBag] is an [*OffsetError], which wraps [ErrIndex] too. The text
// names operator, position, value, axis and size:
//
//	kernels: GatherElements: index 7 at [0 2] is out of range for axis 1 of size 5
//
// Shapes, attributes, types and overlaps are checked before anything is written. Indices are
// checked on the way, which saves a pass: dst may have been partly written when one turns out bad.
// A scatter in place is the exception; it leaves the caller's data as it was. Of several bad
// indices the first in row-major order is reported, whatever the number of workers. (An Executor
// that panics is the caller's own: no part of the call runs after that. A part panics where its
// tensors lie in memory that cannot be read, as of a mapped file that was cut short, and
// [runtime/debug.SetPanicOnFault] says so; on goroutines of an Executor that recover, the call
// panics itself.)
//
// # Aliasing
//
// dst shares no memory with any input, judged by the interval of addresses
// that each view spans. A scatter alone may work in place: when
// equal coordinates of dst and data are the same memory.
//
// # Determinism
//
// Results are bit for bit the same for any number of workers, any instruction set and any port.
// Updates of a cell are applied in row-major order of indices, each rounded to the element type; no
// multiplication is fused with an addition. Only the sign and payload of a NaN that arithmetic
// makes are the processor's.
//
// # Goroutines and memory
//
// Calls may run concurrently as long as nobody writes what another reads or
// writes. By default an operator uses up to GOMAXPROCS goroutines for work that
// is worth it: see [Workers], [Spinning] and [Executor]. Types that hold pointers are
// moved on the caller's goroutine.
//
// A call that stays on one goroutine allocates nothing for contiguous tensors of rank 8 or less
// whose data and shapes are in the heap already, or kept: a Tensor that is kept, or New(data,
// shape...). A shape that is written in the call, as in New(data, 2, 3), costs one small slice for
// each tensor, and a local array that is passed as data goes to the heap. Scratch, a mean's
// counters among it, is kept for the next call. A [GeneralGather] of windows and a [GeneralScatter]
// whose starts do not lie on the last axis make one small slice or two. A call on several
// goroutines allocates a few small objects.
//
// The work of a call is proportional to its indices and its output as shaped. A broadcast
// view may have more elements than memory could hold; a call takes the time of all of them.
//
// # Plans
//
// Where the same indices are used again and again, as the edges of a graph are,
// [NewGatherPlan] and [NewScatterPlan] check and compact them once. A plan's
// Run computes what the call would. Sums of rows over many edges are faster as an
// [EmbeddingBag] over sorted edges: see [ScatterPlan].
//
// # Where to go next
//
// The examples below are runnable. docs/ in the repository has a page for each operator:
// pictures of what moves where, and what ONNX, OpenVINO, PyTorch and NumPy do otherwise.
//
// Package dispatch chooses the instruction set, which LANES_ISA in the environment caps;
// dispatch.Info says what was chosen and why. Package lanes, the root of the module, has the
// primitives for operators of your own.
//
// # Words
//
// An operator works on tensors. A primitive is one flat loop, in package lanes. A cell
// is an element of a scatter's output. To resolve an index is to add the axis's size to a negative
// one, check it, and make it an offset. CONTRIBUTING.md has the glossary.
package kernels
