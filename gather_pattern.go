package lanes

import (
	"math"

	"github.com/lanes-go/lanes/dispatch"
)

// GatherPattern sets, for every j < len(pattern),
//
//	dst[to+j] = src[at + k*step + pattern[j]]
//
// where k = indices[from+j], with size added when it is negative. An index outside [-size, size-1]
// ends the loop: GatherPattern returns the first such j, and -1 when there is none. dst may have
// been partly written by then.
func GatherPattern[T Elem, I Index](dst []T, to int, src []T, at int, indices []I, from, size, step int, pattern []int32) int {
	return GatherPatternRaw(memoryOf(moved[T](), dst), to, memoryOf(moved[T](), src), at, memoryOf(KindOf[I](), indices), from, size, step, pattern)
}

// GatherPatternRaw is GatherPattern for elements of dst's width; indices are KindI32 or KindI64.
func GatherPatternRaw(dst Memory, to int, src Memory, at int, indices Memory, from, size, step int, pattern []int32) int {
	on, n, width := active(), len(pattern), dst.Kind.Width()
	src.Kind.needWidth(width)
	indices.Kind.needIndices()
	if on.bodies() && !raceEnabled && n >= gatherPatternStep && src.Len <= math.MaxInt32 && src.Len*width >= 4 && 0 <= at && at < mostPlace && 0 < size && size <= math.MaxInt32 &&
		0 <= step && step <= (mostPlace-1)/size && dst.has(to, n) && indices.has(from, n) {
		if bad, ok := gatherAlong(on.with(dispatch.FastGather), &dst, to, &src, at, &indices, from, size, step, pattern); ok && bad < 0 {
			return bad
		}
	}
	return resolvedPattern(&dst, to, &src, at, &indices, from, size, step, pattern)
}

// GathersPatterns reports whether there are bodies that gather along a pattern.
func GathersPatterns() bool {
	on := active()
	return !raceEnabled && on.bodies() && gatherPatternRuns(on.with(dispatch.FastGather))
}

// mostPlace bounds where a pattern begins, and how far indices lead from there: with what the
// pattern adds, places then fit 32 bits, and one that is below 0 is no place of a table.
const mostPlace = 1 << 30

// gatherAlong gathers piece by piece, and reports whether there is a body.
func gatherAlong(on isa, dst *Memory, to int, src *Memory, at int, indices *Memory, from, size, step int, pattern []int32) (bad int, ok bool) {
	width, index := dst.Kind.Width(), indices.Kind.Width()
	for done, n := 0, len(pattern); done < n; {
		piece := min(n-done, pieceElements) &^ (gatherPatternStep - 1)
		if piece == 0 { // the last ones once more, with what is left
			done, piece = n-gatherPatternStep, gatherPatternStep
		}
		bad, ok := gatherPatternPiece(on, width, index, dst.elem(to+done), src.elem(0), indices.elem(from+done), piece, size, step, at, src.Len, &pattern[done])
		if !ok || bad >= 0 {
			return done + bad, ok
		}
		done += piece
	}
	return -1, true
}

// resolvedPattern is GatherPatternRaw in two steps.
//
//go:noinline
func resolvedPattern(dst *Memory, to int, src *Memory, at int, indices *Memory, from, size, step int, pattern []int32) int {
	var block [blockOffsets]int
	out := Window{Memory: *dst, Row: 1, Col: 1}
	for done := 0; done < len(pattern); {
		offsets := block[:min(len(pattern)-done, blockOffsets)]
		bad := ResolveRaw(offsets, *indices, from+done, 1, size, step, 0)
		if bad >= 0 {
			offsets = offsets[:bad]
		}
		for j := range offsets {
			offsets[j] += int(pattern[done+j])
		}
		out.At = to + done
		gatherRows(&out, *src, at, 1, offsets, 1)
		if done += len(offsets); bad >= 0 {
			return done
		}
	}
	return -1
}
