package lanes

import "github.com/lanes-go/lanes/generic"

// Widen sets out[j] = int64(indices[at+j*step]) for every j < len(out). A
// uint64 above MaxInt64 becomes MaxInt64, which no axis has an element for.
func Widen[I AnyIndex](out []int64, indices []I, at, step int) {
	generic.Widen(out, indices, at, step)
}

// Check returns the first j < n whose indices[at+j*step] is outside
// [-size, size-1], or -1.
func Check[I Index](indices []I, at, step, n, size int) int {
	return selectCheck(indices, at, step, n, size)
}

// Resolve turns indices into offsets: for every j < len(offsets)
//
//	offsets[j] = k*scale + j*col
//
// where k = indices[at+j*step], with size added when it is negative. It
// returns the first j whose index is outside [-size, size-1], and -1 when
// there is none; offsets from a bad one on are not set.
func Resolve[I Index](offsets []int, indices []I, at, step, size, scale, col int) int {
	return selectResolve(offsets, indices, at, step, size, scale, col)
}

// ResolvePattern turns indices into offsets along a pattern: for every
// j < len(offsets)
//
//	offsets[j] = k*scale + pattern[j]
//
// where k = indices[at+j], with size added when it is negative. It returns the
// first j whose index is outside [-size, size-1], and -1 when there is none;
// offsets from a bad one on are not set. pattern is as long as offsets, or longer.
func ResolvePattern[I Index](offsets []int, indices []I, at, size, scale int, pattern []int) int {
	return selectResolvePattern(offsets, indices, at, size, scale, pattern)
}

// ResolveTuples turns each row of tuples, which has len(sizes) components,
// into an offset:
//
//	offsets[i] = i*col + Σ over t of k[t]*strides[t]
//
// where k[t] = tuples(i, t), with sizes[t] added when it is negative. It
// returns the first i with a component outside [-sizes[t], sizes[t]-1], and -1
// when there is none; offsets from a bad one on are not set.
func ResolveTuples[I Index](offsets []int, tuples Plane[I], sizes, strides []int, col int) int {
	return selectResolveTuples(offsets, tuples, sizes, strides, col)
}

// ResolveOwned is Resolve for one of several workers that share a scatter's
// cells: it keeps the indices in [low, high) and the updates that go with them,
//
//	offsets[i] = k*scale, own[i] = updates[j]
//
// where j is the place of the i-th index k, wrapped, of those. It returns how
// many were kept, and the first j whose index is outside [-size, size-1], or
// -1. updates is as long as indices; offsets and own have room for as many, and
// hold anything beyond what was kept.
func ResolveOwned[T Elem, I Index](offsets []int, own []T, indices []I, updates []T, size, scale, low, high int) (kept, bad int) {
	return selectResolveOwned(offsets, own, indices, updates, size, scale, low, high)
}
