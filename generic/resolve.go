package generic

import "math"

// wrap adds size to a negative index. What comes out is a valid index exactly
// when, taken as unsigned, it is below size: an index below -size stays
// negative, and nothing overflows.
//
// It branches, because signs are easy to predict. Arithmetic would lengthen the chain from
// each index to its load: gathers in columns whose loads miss take 1.5 times as long. It has
// a type parameter because the compiler otherwise does not inline it in other packages'
// instances of the loops.
func wrap[I Index](v I, size int) int64 {
	k := int64(v)
	if k < 0 {
		k += int64(size)
	}
	return k
}

// Widen sets out[j] = int64(indices[at+j*step]). A uint64 above MaxInt64
// becomes MaxInt64, which is out of range for an axis of any size.
func Widen[I AnyIndex](out []int64, indices []I, at, step int) {
	if step == 1 {
		indices = cut(indices, at, len(out))
		for j, k := range indices {
			out[j] = widen(k)
		}
		return
	}
	for j := range out {
		out[j] = widen(indices[at])
		at += step
	}
}

func widen[I AnyIndex](k I) int64 {
	w := int64(k)
	if w < 0 && k > 0 {
		return math.MaxInt64
	}
	return w
}

// Resolve sets offsets[j] = wrap(indices[at+j*step])*scale + j*col. It returns
// the first j whose index is outside [-size, size-1], or -1; offsets from
// there on are not set.
func Resolve[I Index](offsets []int, indices []I, at, step, size, scale, col int) int {
	if step == 1 {
		indices = cut(indices, at, len(offsets))
		o := 0
		for j, v := range indices {
			k := wrap(v, size)
			if uint64(k) >= uint64(size) {
				return j
			}
			offsets[j] = int(k)*scale + o
			o += col
		}
		return -1
	}
	o := 0
	for j := range offsets {
		k := wrap(indices[at], size)
		if uint64(k) >= uint64(size) {
			return j
		}
		offsets[j] = int(k)*scale + o
		o += col
		at += step
	}
	return -1
}

// ResolvePattern sets offsets[j] = wrap(indices[at+j])*scale + pattern[j]. It
// returns the first j whose index is outside [-size, size-1], or -1; offsets
// from there on are not set.
func ResolvePattern[I Index](offsets []int, indices []I, at, size, scale int, pattern []int) int {
	indices, pattern = cut(indices, at, len(offsets)), cut(pattern, 0, len(offsets))
	for j, v := range indices {
		k := wrap(v, size)
		if uint64(k) >= uint64(size) {
			return j
		}
		offsets[j] = int(k)*scale + pattern[j]
	}
	return -1
}

// Check returns the first j < n whose indices[at+j*step] is outside
// [-size, size-1], or -1.
func Check[I Index](indices []I, at, step, n, size int) int {
	for j := range n {
		if uint64(wrap(indices[at], size)) >= uint64(size) {
			return j
		}
		at += step
	}
	return -1
}

// ResolveTuples sets offsets[i] = Σ over t of wrap(tuples(i, t))*strides[t], + i*col.
// It returns the first i with a component outside [-sizes[t], sizes[t]-1], or
// -1; offsets from there on are not set.
func ResolveTuples[I Index](offsets []int, tuples Plane[I], sizes, strides []int, col int) int {
	strides = cut(strides, 0, len(sizes))
	for i := range offsets {
		o, at := i*col, tuples.row(i)
		for t, size := range sizes {
			k := wrap(tuples.Data[at], size)
			if uint64(k) >= uint64(size) {
				return i
			}
			o += int(k) * strides[t]
			at += tuples.Col
		}
		offsets[i] = o
	}
	return -1
}

// ResolveOwned resolves indices and keeps those in [low, high), with the
// updates that go with them: the i-th kept is offsets[i] = wrap(indices[j])*scale
// and own[i] = updates[j]. It returns how many were kept, and the first j whose
// index is outside [-size, size-1], or -1; what follows a bad index is not
// read. offsets and own are as long as indices, and unspecified beyond what was kept.
func ResolveOwned[T any, I Index](offsets []int, own []T, indices []I, updates []T, size, scale, low, high int) (kept, bad int) {
	n := len(indices)
	offsets, own, updates = cut(offsets, 0, n), cut(own, 0, n), cut(updates, 0, n)
	for j, v := range indices {
		k := wrap(v, size)
		if uint64(k) >= uint64(size) {
			return kept, j
		}
		offsets[kept], own[kept] = int(k)*scale, updates[j]
		next := kept + 1
		if uint(int(k)-low) >= uint(high-low) { // a conditional move: whose a cell is can't be predicted
			next = kept
		}
		kept = next
	}
	return kept, -1
}
