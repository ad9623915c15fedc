package lanes

// Gather sets, for every i < rows and j < cols,
//
//	dst(i, j) = src.Data[address of src(i, j) + k*step]
//
// where k = indices(i, j), with size added when it is negative. An index
// outside [-size, size-1] ends the loop: Gather returns i*cols+j of the first
// one, and -1 when there is none. dst may have been partly written by then.
//
// The usual cases are a table a row (src.Col 0, step 1) and columns (src.Col
// 1, step the distance of the table's rows).
func Gather[T Elem, I Index](dst, src Plane[T], size, step int, indices Plane[I], rows, cols int) int {
	return selectGather(dst, src, size, step, indices, rows, cols)
}

// GatherRows sets, for every i < len(offsets) and j < cols,
//
//	dst(i, j) = src[at + offsets[i] + j*col]
//
// It copies whole rows when cols is their length and col is 1, and gathers
// single elements when cols is 1. The offsets come from Resolve or ResolveTuples.
func GatherRows[T Elem](dst Plane[T], src []T, at, col int, offsets []int, cols int) {
	selectGatherRows(dst, src, at, col, offsets, cols)
}
