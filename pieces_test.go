//go:build (amd64 || arm64) && !purego && !noasm

package lanes

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
)

// What the assembly refuses is looked at again by package generic, so that a refusal of what is
// good shows in no result of a primitive, in its time alone. Here the answers of bodies are held
// to.

// eachBody runs a test at every level that has bodies.
func eachBody(t *testing.T, run func(t *testing.T)) {
	for _, v := range dispatch.Variants() {
		if v.Level != dispatch.Generic {
			t.Run("impl="+v.String(), func(t *testing.T) {
				defer v.Use()()
				run(t)
			})
		}
	}
}

// current is what chooses a body now.
func current() isa { return active().with(dispatch.FastGather | dispatch.VBMI) }

// elem is the address of an element, as bodies take it.
func elem[T any](s []T, at int) *byte { return (*byte)(unsafe.Pointer(&s[:cap(s)][at])) }

// found returns what a body of those in the tables returned.
func found[T any](t *testing.T) func(result T, ok bool) T {
	return func(result T, ok bool) T {
		t.Helper()
		if !ok {
			t.Fatal("there is no body")
		}
		return result
	}
}

// goodIndices are n indices into an axis, of both signs, its ends among them.
func goodIndices[I int32 | int64](n, size int) []I {
	x := make([]I, n)
	for j := range x {
		x[j] = [...]I{0, I(size - 1), -1, I(-size), I(j % size), I(j%size - size)}[j%6]
	}
	return x
}

func wrapped[I int32 | int64](x I, size int) int {
	if x < 0 {
		return int(x) + size
	}
	return int(x)
}

// A step is what a body refuses at a time, at most.
const largestStep = 16

func testResolvePieces[I int32 | int64](t *testing.T) {
	const size, scale, col, start, row = 1000, 3, 7, 50, 3
	var z I
	width := int(unsafe.Sizeof(z))
	sizes, strides := []int{size, 2 * size, 3}, []int{scale, 5, 100}
	for _, n := range []int{largestStep, 3 * largestStep, 80} {
		x := goodIndices[I](n, size)
		tuples := goodIndices[I](row*n, size)
		for j := 2; j < len(tuples); j += row {
			tuples[j] = I(j%6) - 3
		}
		offsets, want, wantTuples := make([]int, n), make([]int, n), make([]int, n)
		for j := range n {
			want[j] = wrapped(x[j], size)*scale + j*col + start
			wantTuples[j] = j*col + start
			for k := range row {
				wantTuples[j] += wrapped(tuples[row*j+k], sizes[k]) * strides[k]
			}
		}
		check := func() int { return found[int](t)(checkPiece(current(), width, elem(x, 0), n, size)) }
		resolve := func() int { // along lanes that are evenly apart
			even := [resolveStep]int{}
			for l := range even {
				even[l] = l*col + start
			}
			return found[int](t)(resolvePiece(current(), width, &offsets[0], elem(x, 0), n, size, scale, &even[0], 0, col, 0))
		}
		pattern := make([]int, n)
		for j := range pattern {
			pattern[j] = j*j*1000003 - 1<<40
		}
		along := func() int {
			return found[int](t)(resolvePiece(current(), width, &offsets[0], elem(x, 0), n, size, scale, &pattern[0], 1, 0, 0))
		}
		resolveTuples := func() int {
			return found[int](t)(resolveTuplesPiece(current(), width, &offsets[0], elem(tuples, 0), row*width, width, n, &sizes[0], &strides[0], row, col, start))
		}
		if bad := check(); bad != -1 {
			t.Fatalf("check: %d of %d good indices is bad", bad, n)
		}
		if bad := resolve(); bad != -1 || !slices.Equal(offsets, want) {
			t.Fatalf("resolve: %d of %d; %v, want %v", bad, n, offsets, want)
		}
		wantAlong := make([]int, n)
		for j := range n {
			wantAlong[j] = wrapped(x[j], size)*scale + pattern[j]
		}
		if bad := along(); bad != -1 || !slices.Equal(offsets, wantAlong) {
			t.Fatalf("resolve along a pattern: %d of %d; %v, want %v", bad, n, offsets, wantAlong)
		}
		on := current()
		whole := on.level == dispatch.NEON // the others have bodies of pairs and triples
		if whole {
			if bad := resolveTuples(); bad != -1 || !slices.Equal(offsets, wantTuples) {
				t.Fatalf("resolve tuples: %d of %d; %v, want %v", bad, n, offsets, wantTuples)
			}
		}
		apart := 2 + n%3 // indices from a pair to the next
		pairs, wantPairs := goodIndices[I](apart*n, size), slices.Clone(pattern)
		for j := range wantPairs {
			for d := range 2 {
				wantPairs[j] += wrapped(pairs[apart*j+d], sizes[d]) * strides[d]
			}
		}
		resolvePairs := func() int {
			return found[int](t)(resolvePairsPiece(on, width, &offsets[0], elem(pairs, 0), apart*width, n, &sizes[0], &strides[0], &pattern[0], 1, 0))
		}
		pairing := resolvePairsRuns(on)
		if pairing == whole {
			t.Fatalf("bodies of pairs: %t", pairing)
		}
		if pairing {
			if bad := resolvePairs(); bad != -1 || !slices.Equal(offsets, wantPairs) {
				t.Fatalf("resolve pairs: %d of %d; %v, want %v", bad, n, offsets, wantPairs)
			}
		}
		wantTriples := slices.Clone(pattern)
		for j := range wantTriples {
			wantTriples[j] += wantTuples[j] - j*col - start
		}
		resolveTriples := func() int {
			return found[int](t)(resolveTriplesPiece(on, width, &offsets[0], elem(tuples, 0), n, &sizes[0], &strides[0], &pattern[0], 1, 0))
		}
		if pairing {
			if bad := resolveTriples(); bad != -1 || !slices.Equal(offsets, wantTriples) {
				t.Fatalf("resolve triples: %d of %d; %v, want %v", bad, n, offsets, wantTriples)
			}
		}
		met := func(name string, bad, j int) {
			if bad < 0 || bad > j || bad+largestStep <= j {
				t.Fatalf("%s: bad index %d of %d is met at %d", name, j, n, bad)
			}
		}
		spoil := func(x *I, size int, met func()) {
			good := *x
			for _, bad := range []int64{int64(size), int64(-size - 1), math.MaxInt32, math.MinInt32, 1 << 32, -1 << 32} {
				if *x = I(bad); int64(*x) == bad {
					met()
				}
			}
			*x = good
		}
		for j := range n {
			spoil(&x[j], size, func() {
				met("check", check(), j)
				met("resolve", resolve(), j)
				met("resolve along a pattern", along(), j)
			})
			for k := range row {
				if whole {
					spoil(&tuples[row*j+k], sizes[k], func() { met("resolve tuples", resolveTuples(), j) })
				}
				if k < 2 && pairing {
					spoil(&pairs[apart*j+k], sizes[k], func() { met("resolve pairs", resolvePairs(), j) })
				}
				if pairing {
					spoil(&tuples[row*j+k], sizes[k], func() { met("resolve triples", resolveTriples(), j) })
				}
			}
		}
	}
}

func TestResolvePieces(t *testing.T) {
	eachBody(t, func(t *testing.T) {
		t.Run("idx=i32", testResolvePieces[int32])
		t.Run("idx=i64", testResolvePieces[int64])
	})
}

// A check of offsets that lets bad ones pass shows best if all are bad.
func TestOffsetsInside(t *testing.T) {
	eachBody(t, func(t *testing.T) {
		const at, limit = 100, 1000
		last := []int{-at, limit - 1 - at, 0, 7}
		outside := []int{-at - 1, limit - at, limit - at + 1, math.MaxInt, math.MaxInt - at, math.MinInt, math.MinInt + at, math.MaxInt32, math.MinInt32, 1 << 32, 1<<32 - at - 1}
		for n := range 40 {
			offsets := make([]int, n)
			for j := range offsets {
				offsets[j] = last[j%len(last)]
			}
			expect := func(want bool, note string) {
				if got := offsetsInside(current(), slices.Clone(offsets), at, limit); got != want {
					t.Errorf("n=%d, %s: %v", n, note, got)
				}
			}
			expect(true, "all inside")
			for j := range offsets {
				good := offsets[j]
				for _, bad := range outside {
					offsets[j] = bad
					expect(false, fmt.Sprintf("%d at %d", bad, j))
				}
				offsets[j] = good
			}
			for _, bad := range outside {
				for j := range offsets {
					offsets[j] = bad
				}
				expect(n == 0, fmt.Sprintf("all are %d", bad))
			}
		}
		// A bool is one byte, 0 or 1, to whoever reads it next.
		step := make([]int, largestStep)
		for _, limit := range []int{1, 0} {
			inside, _ := checkOffsetsPiece(current(), &step[0], len(step), 0, limit)
			if got := *(*byte)(unsafe.Pointer(&inside)); int(got) != limit {
				t.Errorf("the result's byte is %d, want %d", got, limit)
			}
		}
		if offsetsInside(current(), []int{0}, 0, 0) || offsetsInside(current(), []int{0}, 0, -1) {
			t.Error("nothing is inside of nothing")
		}
	})
}

// TestPieceRows: what a stop of the world waits for is bounded in bytes and in rows, each of which
// may be a miss.
func TestPieceRows(t *testing.T) {
	for _, bytes := range []int{1, 2, 3, 16, 31, 32, 33, 4096, pieceBytes - 1, pieceBytes, pieceBytes + 1, 3 * pieceBytes} {
		for _, single := range []bool{false, true} {
			c := copyCall{width: 1, step: 1}
			rows := 0
			for p := (copyPieces{rows: 20_000, bytes: bytes, single: single}); p.next(&c); {
				most := pieceBytes
				if single {
					most = pieceElements
				}
				if p.n < 1 || p.n > pieceElements || p.size > most+128 || p.n > 1 && p.n*p.size > most {
					t.Fatalf("a piece of %d rows of %d bytes, of rows of %d, single %t", p.n, p.size, bytes, single)
				}
				if p.j == 0 {
					rows += p.n
				}
			}
			if rows != 20_000 {
				t.Fatalf("%d rows of %d bytes, single %t", rows, bytes, single)
			}
		}
	}
}

// TestStrideOfFarRows: elements far apart are copied one at a time where a core's cache may hold the
// rows, and permuted, with a prefetch, where it does not.
func TestStrideOfFarRows(t *testing.T) {
	eachBody(t, func(t *testing.T) {
		c := copyCall{on: current(), width: 4, step: 8, cols: 32, dstRow: 32, srcRow: 300}
		for rows, want := range map[int]stride{
			dispatch.Near.Second * 2 / 1200: spaced, dispatch.Near.Second*2/1200 + 1: noStride, 1: spaced,
		} {
			if c.rows = rows; c.stride() != want {
				t.Errorf("%d rows of 1200 bytes: %d, want %d", rows, c.stride(), want)
			}
		}
		if c.srcRow, c.rows = 1<<40, 1000; c.stride() != spaced {
			t.Error("rows are too far apart for a prefetch")
		}
	})
}

// TestCompacted: rows go by way of a buffer where they lie a few elements apart in src, and are many.
func TestCompacted(t *testing.T) {
	dst, src := make([]uint16, 80*20), make([]uint16, 20*80*40)
	eachBody(t, func(t *testing.T) {
		for _, tt := range []struct {
			width, rows, cols, srcRow, step int
			want                            bool
		}{
			{2, 64, 8, 2, 160, true}, {2, 64, 8, -8, 640, true}, {1, 64, 8, 16, 1280, true}, {4, 64, 8, 4, 320, true},
			{2, 63, 8, 2, 160, false}, {2, 64, 7, 2, 160, false}, {2, 64, 8, 1, 160, false}, {2, 64, 8, 9, 640, false},
			{2, 64, 8, 2, 31, false}, {8, 64, 8, 2, 160, false},
		} {
			at := 0
			if tt.srcRow < 0 {
				at = -(tt.rows - 1) * tt.srcRow
			}
			c := copyCall{on: current(), dst: elem(dst, 0), src: elem(src, at), width: tt.width, rows: tt.rows, cols: tt.cols, dstRow: tt.cols, srcRow: tt.srcRow, step: tt.step}
			if got := c.compacted(); got != (tt.want && runtime.GOARCH == "amd64") { // arm64 has no body that exchanges rows and columns
				t.Errorf("%+v: %t", tt, got)
			}
		}
	})
}
