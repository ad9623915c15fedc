package kernels

import (
	"unsafe"

	"github.com/lanes-go/lanes"
)

// A reducer combines updates into cells, by the number that they are.
type reducer struct {
	dst, src memory // of the cells, and of the updates
	attrs    ScatterAttrs
	number   number
	identity [2]uint64 // an element's room
}

// fills reports whether cells that are updated lose their initial value.
func (r *reducer) fills() bool { return r.attrs.IgnoreInit && r.attrs.Reduction != None }

// fill sets a run of cells at each offset to the reduction's identity.
func (r *reducer) fill(at int, offsets []int, run *dim) {
	switch r.number.width() {
	case 1:
		fillCells[uint8](r, at, offsets, run)
	case 2:
		fillCells[uint16](r, at, offsets, run)
	case 4:
		fillCells[uint32](r, at, offsets, run)
	case 8:
		fillCells[uint64](r, at, offsets, run)
	case 16:
		fillCells[lanes.X128](r, at, offsets, run)
	}
}

func fillCells[T lanes.Elem](r *reducer, at int, offsets []int, run *dim) {
	identity := (*[1]T)(unsafe.Pointer(&r.identity))
	lanes.Scatter(slice[T](&r.dst), at, run.s[dstOp], offsets, lanes.Plane[T]{Data: identity[:]}, run.n)
}

// op is the reduction as primitives name it.
func (r *reducer) op() lanes.Op {
	return [...]lanes.Op{Sum: lanes.Sum, Prod: lanes.Prod, Min: lanes.Min, Max: lanes.Max, Mean: lanes.Sum, Sub: lanes.Sub}[r.attrs.Reduction]
}

// combine combines a run of updates into the cells at each offset.
func (r *reducer) combine(at *[3]int, offsets []int, line, run *dim) {
	op := r.op()
	switch r.number {
	case numInt8:
		updateCells[int8](r, op, at, offsets, line, run)
	case numInt16:
		updateCells[int16](r, op, at, offsets, line, run)
	case numInt32:
		updateCells[int32](r, op, at, offsets, line, run)
	case numInt64:
		updateCells[int64](r, op, at, offsets, line, run)
	case numUint8:
		updateCells[uint8](r, op, at, offsets, line, run)
	case numUint16:
		updateCells[uint16](r, op, at, offsets, line, run)
	case numUint32:
		updateCells[uint32](r, op, at, offsets, line, run)
	case numUint64:
		updateCells[uint64](r, op, at, offsets, line, run)
	case numFloat32:
		updateCells[float32](r, op, at, offsets, line, run)
	case numFloat64:
		updateCells[float64](r, op, at, offsets, line, run)
	case numFloat16, numBFloat16:
		lanes.ScatterReduceHalf(op, r.number.half(), slice[uint16](&r.dst), at[dstOp], run.s[dstOp], offsets, plane[uint16](&r.src, srcOp, at, line, run), run.n)
	case numComplex64:
		lanes.ScatterReduceComplex(op, slice[complex64](&r.dst), at[dstOp], run.s[dstOp], offsets, plane[complex64](&r.src, srcOp, at, line, run), run.n)
	case numComplex128:
		lanes.ScatterReduceComplex(op, slice[complex128](&r.dst), at[dstOp], run.s[dstOp], offsets, plane[complex128](&r.src, srcOp, at, line, run), run.n)
	case numBool: // of the bytes 0 and 1, the larger is OR and the smaller AND
		op = [...]lanes.Op{Sum: lanes.Max, Prod: lanes.Min, Min: lanes.Min, Max: lanes.Max, Sub: lanes.Xor}[r.attrs.Reduction]
		updateCells[uint8](r, op, at, offsets, line, run)
	}
}

func updateCells[T lanes.Number](r *reducer, op lanes.Op, at *[3]int, offsets []int, line, run *dim) {
	lanes.ScatterReduce(op, slice[T](&r.dst), at[dstOp], run.s[dstOp], offsets, plane[T](&r.src, srcOp, at, line, run), run.n)
}
