package lanes

import (
	"math"
	"unsafe"

	"github.com/lanes-go/lanes/generic"
)

// Widen sets out[j] = int64(indices[at+j*step]) for every j < len(out). A
// uint64 above MaxInt64 becomes MaxInt64, which no axis has an element for.
func Widen[I AnyIndex](out []int64, indices []I, at, step int) {
	WidenRaw(out, memoryOf(KindOf[I](), indices), at, step)
}

// WidenRaw is Widen for KindI8 to KindU64.
func WidenRaw(out []int64, indices Memory, at, step int) {
	switch indices.Kind {
	case KindI8:
		generic.Widen(out, typed[int8](&indices), at, step)
	case KindU8:
		generic.Widen(out, typed[uint8](&indices), at, step)
	case KindI16:
		generic.Widen(out, typed[int16](&indices), at, step)
	case KindU16:
		generic.Widen(out, typed[uint16](&indices), at, step)
	case KindI32:
		generic.Widen(out, typed[int32](&indices), at, step)
	case KindU32:
		generic.Widen(out, typed[uint32](&indices), at, step)
	case KindI64:
		generic.Widen(out, typed[int64](&indices), at, step)
	case KindU64:
		generic.Widen(out, typed[uint64](&indices), at, step)
	default:
		panic(noKind)
	}
}

// Check returns the first j < n whose indices[at+j*step] is outside
// [-size, size-1], or -1.
func Check[I Index](indices []I, at, step, n, size int) int {
	return CheckRaw(memoryOf(KindOf[I](), indices), at, step, n, size)
}

// CheckRaw is Check for KindI32 and KindI64.
func CheckRaw(indices Memory, at, step, n, size int) int {
	on, index := active(), indices.Kind.Width()
	indices.Kind.needIndices()
	if !on.bodies() || step != 1 || n < minIndices || size < 0 || index == 4 && size > math.MaxInt32 || !indices.has(at, n) {
		return checkGeneric(&indices, at, step, n, size)
	}
	if raceEnabled {
		touchMemory(&indices, at, n)
	}
	j := 0
	for n-j >= checkStep {
		whole := min(n-j, pieceElements) &^ (checkStep - 1)
		bad, ok := checkPiece(on, index, indices.elem(at+j), whole, size)
		if !ok {
			break
		}
		if bad >= 0 {
			j += bad
			break
		}
		j += whole
	}
	if j == n {
		return -1
	}
	if bad := checkGeneric(&indices, at+j, 1, n-j, size); bad >= 0 {
		return j + bad
	}
	return -1
}

func checkGeneric(indices *Memory, at, step, n, size int) int {
	if indices.Kind == KindI32 {
		return generic.Check(typed[int32](indices), at, step, n, size)
	}
	return generic.Check(typed[int64](indices), at, step, n, size)
}

// Resolve turns indices into offsets: for every j < len(offsets)
//
//	offsets[j] = k*scale + j*col
//
// where k = indices[at+j*step], with size added when it is negative. It
// returns the first j whose index is outside [-size, size-1], and -1 when
// there is none; offsets from a bad one on are not set.
func Resolve[I Index](offsets []int, indices []I, at, step, size, scale, col int) int {
	return ResolveRaw(offsets, memoryOf(KindOf[I](), indices), at, step, size, scale, col)
}

// ResolveRaw is Resolve for KindI32 and KindI64.
func ResolveRaw(offsets []int, indices Memory, at, step, size, scale, col int) int {
	on, n := active(), len(offsets)
	indices.Kind.needIndices()
	if step == 1 && n >= minIndices && resolves(on, size, scale) && indices.has(at, n) {
		if raceEnabled {
			touchMemory(&indices, at, n)
		}
		return resolveRun(on, indices.Kind.Width(), offsets, indices.elem(at), size, scale, nil, col, indexDistance)
	}
	if indices.Kind == KindI32 {
		return generic.Resolve(offsets, typed[int32](&indices), at, step, size, scale, col)
	}
	return generic.Resolve(offsets, typed[int64](&indices), at, step, size, scale, col)
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
	return ResolvePatternRaw(offsets, memoryOf(KindOf[I](), indices), at, size, scale, pattern)
}

// ResolvePatternRaw is ResolvePattern for KindI32 and KindI64.
func ResolvePatternRaw(offsets []int, indices Memory, at, size, scale int, pattern []int) int {
	on, n := active(), len(offsets)
	indices.Kind.needIndices()
	if n >= minIndices && resolves(on, size, scale) && indices.has(at, n) && len(pattern) >= n {
		if raceEnabled {
			touchMemory(&indices, at, n)
			touchInts(pattern[:n])
		}
		return resolveRun(on, indices.Kind.Width(), offsets, indices.elem(at), size, scale, pattern, 0, indexDistance)
	}
	if indices.Kind == KindI32 {
		return generic.ResolvePattern(offsets, typed[int32](&indices), at, size, scale, pattern)
	}
	return generic.ResolvePattern(offsets, typed[int64](&indices), at, size, scale, pattern)
}

// resolves reports whether bodies resolve indices with this size and scale.
func resolves(on isa, size, scale int) bool {
	return on.bodies() && uint(size) <= math.MaxUint32 && uint(scale) <= math.MaxUint32
}

// resolveRun resolves as many indices as there are offsets, along a pattern or, without one, along
// j*col. It calls bodies piece by piece, and package generic for the rest. distance is the prefetch
// distance of indices, in bytes.
func resolveRun(on isa, index int, offsets []int, indices *byte, size, scale int, pattern []int, col, distance int) int {
	n, j := len(offsets), 0
	for n-j >= resolveStep {
		var even [resolveStep]int
		along, each := patternAt(pattern, j, &even, col)
		whole := min(n-j, pieceElements) &^ (resolveStep - 1)
		bad, ok := resolvePiece(on, index, &offsets[j], add(indices, j*index), whole, size, scale, along, each, col, distance)
		if !ok {
			break
		}
		if bad >= 0 {
			j += bad
			break
		}
		j += whole
	}
	switch {
	case j == n:
		return -1
	case index == 4:
		return resolveRest(offsets, unsafe.Slice((*int32)(unsafe.Pointer(indices)), n), j, size, scale, pattern, col)
	default:
		return resolveRest(offsets, unsafe.Slice((*int64)(unsafe.Pointer(indices)), n), j, size, scale, pattern, col)
	}
}

// patternAt returns a pattern from position j on as bodies take it. Without one, entries are evenly
// apart, and even is memory for those of the first step. Where it can, it takes them from steady: a
// vector load of what scalar stores have just written waits until every store before it is in the
// cache, and those of a row of a scatter miss it.
func patternAt(pattern []int, j int, even *[resolveStep]int, col int) (along *int, each int) {
	if pattern != nil {
		return &pattern[j], 1
	}
	if j == 0 && uint(col) < uint(len(steady)) {
		return &steady[col][0], 0
	}
	for l := range even {
		even[l] = (j + l) * col
	}
	return &even[0], 0
}

// steady has the entries of the first step for elements in one column, and for elements that are
// contiguous.
var steady = [2][resolveStep]int{1: {0, 1, 2, 3, 4, 5, 6, 7}}

// resolveRest resolves from position j on.
func resolveRest[I Index](offsets []int, indices []I, j, size, scale int, pattern []int, col int) int {
	if pattern != nil {
		return after(offsets[j:], generic.ResolvePattern(offsets[j:], indices, j, size, scale, pattern[j:]), j, 0)
	}
	return after(offsets[j:], generic.Resolve(offsets[j:], indices, j, 1, size, scale, col), j, j*col)
}

// after adds base to the offsets before a bad one. Those offsets start at position j; it returns
// the position of the bad one.
func after(rest []int, bad, j, base int) int {
	if bad >= 0 {
		rest = rest[:bad]
		bad += j
	}
	if base != 0 {
		for k := range rest {
			rest[k] += base
		}
	}
	return bad
}

// ResolveTuples turns each row of tuples, which has len(sizes) components,
// into an offset:
//
//	offsets[i] = i*col + Σ over t of k[t]*strides[t]
//
// where k[t] = tuples(i, t), with sizes[t] added when it is negative. It
// returns the first i with a component outside [-sizes[t], sizes[t]-1], and -1
// when there is none; offsets from a bad one on are unspecified.
func ResolveTuples[I Index](offsets []int, tuples Plane[I], sizes, strides []int, col int) int {
	return ResolveTuplesRaw(offsets, windowOf(KindOf[I](), &tuples), sizes, strides, col)
}

// ResolveTuplesRaw is ResolveTuples for KindI32 and KindI64.
func ResolveTuplesRaw(offsets []int, tuples Window, sizes, strides []int, col int) int {
	return resolveTuples(offsets, &tuples, sizes, strides, nil, col)
}

// ResolveTuplesPatternRaw is ResolveTuplesRaw along a pattern, which is as long as offsets, or
// longer, and other memory:
//
//	offsets[i] = pattern[i] + Σ over t of k[t]*strides[t]
func ResolveTuplesPatternRaw(offsets []int, tuples Window, sizes, strides, pattern []int) int {
	if n := len(offsets); n > 0 {
		_ = pattern[n-1]
	}
	return resolveTuples(offsets, &tuples, sizes, strides, pattern, 0)
}

func resolveTuples(offsets []int, tuples *Window, sizes, strides, pattern []int, col int) int {
	on := active()
	n, k, done := len(offsets), len(sizes), 0
	tuples.Kind.needIndices()
	whole := n &^ (resolveTuplesStep - 1)
	pairs := k >= 2 && tuples.Col == 1 && resolvePairsRuns(on)
	if on.bodies() && whole >= minIndices && k > 0 && len(strides) >= k && tuples.holds(n, k) && upTo(math.MaxInt32, sizes) && upTo(math.MaxUint32, strides[:k]) {
		if raceEnabled {
			for i := range n {
				for t := range k {
					touchMemory(&tuples.Memory, tuples.At+i*tuples.Row+t*tuples.Col, 1)
				}
			}
			touchInts(pattern[:min(n, len(pattern))])
		}
		index := tuples.Kind.Width()
		for done < whole {
			piece := min(whole-done, max(resolveTuplesStep, pieceElements/k&^(resolveTuplesStep-1)))
			bad, ok := 0, false
			to, from := &offsets[done], tuples.elem(tuples.At+done*tuples.Row)
			if pairs {
				bad, ok = resolvePairwise(on, index, to, from, tuples.Row*index, piece, sizes, strides, pattern, done, col)
			} else {
				bad, ok = resolveTuplesPiece(on, index, to, from, tuples.Row*index, tuples.Col*index, piece, &sizes[0], &strides[0], k, col, done*col)
			}
			if !ok || bad >= 0 { // the rest finds the first bad tuple
				break
			}
			done += piece
		}
	}
	rest := *tuples
	rest.At += done * tuples.Row
	bad := 0
	if tuples.Kind == KindI32 {
		bad = generic.ResolveTuples(offsets[done:], planeOf[int32](&rest), sizes, strides, col)
	} else {
		bad = generic.ResolveTuples(offsets[done:], planeOf[int64](&rest), sizes, strides, col)
	}
	bad = after(offsets[done:], bad, done, done*col)
	if pattern != nil {
		from, end := 0, n
		if pairs {
			from = done
		}
		if bad >= 0 {
			end = bad
		}
		for i := from; i < end; i++ {
			offsets[i] += pattern[i]
		}
	}
	return bad
}

// resolvePairwise resolves n tuples, row bytes apart: three components at once where tuples of
// three follow each other, or else two at a time. Each pair is resolved along the offsets of those
// before it. The last pair of an odd number repeats a component, whose stride is then 0.
func resolvePairwise(on isa, index int, offsets *int, tuples *byte, row, n int, sizes, strides, pattern []int, at, col int) (bad int, ok bool) {
	var even [resolveStep]int
	along, each := patternAt(pattern, at, &even, col)
	if len(sizes) == 3 && row == 3*index && narrow(sizes, strides) {
		return resolveTriplesPiece(on, index, offsets, tuples, n, &sizes[0], &strides[0], along, each, col)
	}
	for t := 0; t < len(sizes); t += 2 {
		first := min(t, len(sizes)-2)
		pair := [2]int{strides[first], strides[first+1]}
		if first < t {
			pair[0] = 0
		}
		bad, ok = resolvePairsPiece(on, index, offsets, add(tuples, first*index), row, n, &sizes[first], &pair[0], along, each, col)
		if !ok || bad >= 0 {
			return bad, ok
		}
		along, each, col = offsets, 1, 0
	}
	return bad, ok
}

// narrow reports whether sizes and offsets fit 32 bits, with a sign.
func narrow(sizes, strides []int) bool {
	last := 0
	for t, size := range sizes {
		if size < 1 || size > math.MaxInt32 || strides[t] > math.MaxInt32 {
			return false
		}
		if last += (size - 1) * strides[t]; last > math.MaxInt32 { // asked each time: three products may not fit an int
			return false
		}
	}
	return true
}

// upTo reports whether all numbers are in [0, most].
func upTo(most uint, s []int) bool {
	for _, n := range s {
		if uint(n) > most {
			return false
		}
	}
	return true
}

// ResolveOwned is Resolve for one of several workers that share a scatter's
// cells: it keeps the indices in [low, high) and the updates that go with them,
//
//	offsets[i] = k*scale, own[i] = updates[j]
//
// where k is the i-th of those indices, wrapped, and j its position. It returns how
// many were kept, and the first j whose index is outside [-size, size-1], or
// -1. updates is as long as indices; offsets and own are as long or longer, and
// unspecified beyond what was kept.
func ResolveOwned[T Elem, I Index](offsets []int, own []T, indices []I, updates []T, size, scale, low, high int) (kept, bad int) {
	kind := moved[T]()
	return ResolveOwnedRaw(offsets, memoryOf(kind, own), memoryOf(KindOf[I](), indices), memoryOf(kind, updates), size, scale, low, high)
}

// ResolveOwnedRaw is ResolveOwned for elements of own's width; indices are KindI32 or KindI64.
func ResolveOwnedRaw(offsets []int, own, indices, updates Memory, size, scale, low, high int) (kept, bad int) {
	on := active()
	width, index, n, j := own.Kind.Width(), indices.Kind.Width(), indices.Len, 0
	updates.Kind.needWidth(width)
	indices.Kind.needIndices()
	if whole := n &^ (resolveOwnedStep - 1); whole >= minIndices && resolves(on, size, scale) &&
		low <= high && len(offsets) >= n && own.Len >= n && updates.Len >= n {
		ran := false
		for j < whole {
			piece := min(whole-j, pieceElements)
			some, bad, ok := resolveOwnedPiece(on, width, index, &offsets[kept], own.elem(kept), indices.elem(j), updates.elem(j), piece, size, scale, low, high)
			if !ok {
				break
			}
			ran = true
			kept += some
			if bad >= 0 {
				j += bad
				break
			}
			j += piece
		}
		if raceEnabled && ran {
			touchOwned(offsets, &own, &indices, &updates)
		}
	}
	offsets, own, indices, updates = offsets[kept:], own.from(kept), indices.from(j), updates.from(j)
	some := 0
	switch width {
	case 1:
		some, bad = ownedGeneric[uint8](offsets, &own, &indices, &updates, size, scale, low, high)
	case 2:
		some, bad = ownedGeneric[uint16](offsets, &own, &indices, &updates, size, scale, low, high)
	case 4:
		some, bad = ownedGeneric[uint32](offsets, &own, &indices, &updates, size, scale, low, high)
	case 8:
		some, bad = ownedGeneric[uint64](offsets, &own, &indices, &updates, size, scale, low, high)
	case 16:
		some, bad = ownedGeneric[X128](offsets, &own, &indices, &updates, size, scale, low, high)
	default:
		panic(noKind)
	}
	if bad >= 0 {
		bad += j
	}
	return kept + some, bad
}

func ownedGeneric[T Elem](offsets []int, own, indices, updates *Memory, size, scale, low, high int) (kept, bad int) {
	if indices.Kind == KindI32 {
		return generic.ResolveOwned(offsets, typed[T](own), typed[int32](indices), typed[T](updates), size, scale, low, high)
	}
	return generic.ResolveOwned(offsets, typed[T](own), typed[int64](indices), typed[T](updates), size, scale, low, high)
}
