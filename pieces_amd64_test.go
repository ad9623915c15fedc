//go:build !purego && !noasm

package lanes

import (
	"bytes"
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
)

func testOwnedPiece[T uint8 | uint16 | uint32 | uint64, I int32 | int64](t *testing.T) {
	const size, scale, low, high, n = 1000, 3, 100, 700, 80
	var z T
	var i I
	x := goodIndices[I](n, size)
	updates, own, offsets := make([]T, n), make([]T, n), make([]int, n)
	wantOwn, wantOffsets := []T{}, []int{}
	for j := range n {
		if x[j] = I(j*13%size - j%2*size); j%9 == 0 {
			x[j] = [...]I{low, high, low - 1, high - 1, -1, -size}[j/9%6]
		}
		updates[j] = T(j + 1)
		if k := wrapped(x[j], size); low <= k && k < high {
			wantOwn, wantOffsets = append(wantOwn, updates[j]), append(wantOffsets, k*scale)
		}
	}
	resolve := func() (kept, bad int) {
		kept, bad, ok := resolveOwnedPiece(current(), int(unsafe.Sizeof(z)), int(unsafe.Sizeof(i)), &offsets[0], elem(own, 0), elem(x, 0), elem(updates, 0), n, size, scale, low, high)
		if !ok {
			t.Fatal("there is no body")
		}
		return kept, bad
	}
	kept, bad := resolve()
	if bad != -1 || !slices.Equal(offsets[:kept], wantOffsets) || !slices.Equal(own[:kept], wantOwn) {
		t.Fatalf("%d kept, %d bad: %v %v, want %v %v", kept, bad, offsets[:kept], own[:kept], wantOffsets, wantOwn)
	}
	for j := range n {
		for _, wrong := range []I{size, -size - 1, math.MaxInt32, math.MinInt32} {
			good := x[j]
			x[j] = wrong
			if _, bad := resolve(); bad != j&^7 {
				t.Fatalf("bad index %d at %d is met at %d", wrong, j, bad)
			}
			x[j] = good
		}
	}
}

// needs skips a test on a CPU that lacks a level. Where LANES_REQUIRE_ISA lists the level, the test
// fails.
func needs(t *testing.T, level dispatch.Level) {
	t.Helper()
	if !dispatch.Available(level) {
		if slices.Contains(dispatch.Required(), level.String()) {
			t.Fatal("LANES_REQUIRE_ISA lists ", level)
		}
		t.Skip("this CPU lacks ", level)
	}
}

// TestJoinedRows: rows are joined where their tables fit into registers together, and in no other
// case.
func TestJoinedRows(t *testing.T) {
	needs(t, dispatch.AVX512)
	on := isa{level: dispatch.AVX512, traits: dispatch.Traits()}
	for _, c := range []struct{ width, size, rows, cols, joined int }{
		{4, 13, 100, 14, 9}, {4, 8, 100, 16, 4}, {4, 64, 100, 16, 2}, {4, 65, 100, 17, 1}, {4, 65, 100, 16, 0}, {4, 128, 9, 32, 1}, {4, 128, 9, 31, 0},
		{4, 13, 1, 14, 0}, {4, 13, 3, 4, 0}, {4, 13, 4, 4, 4}, {4, 129, 3, 400, 0}, {4, 16, 100, 32, 1}, {4, 2, 1000, 31, 16},
		{1, 16, 100, 24, 8}, {1, 128, 100, 32, 2}, {1, 129, 100, 32, 0}, {2, 7, 100, 17, 9}, {2, 64, 9, 16, 2}, {8, 3, 100, 7, 5}, {8, 32, 100, 7, 2}, {8, 32, 100, 8, 0},
		{16, 3, 100, 7, 0},
	} {
		x, table, got := goodIndices[int32](c.rows*c.cols, c.size), make([]byte, c.rows*c.size*c.width), make([]byte, c.rows*c.cols*c.width)
		for i := range table {
			table[i] = byte(i * 7 / 3)
		}
		g := gatherCall{on: on, size: c.size, step: 1, rows: c.rows, cols: c.cols, width: c.width, index: 4,
			dst: &got[0], table: &table[0], indices: elem(x, 0), tableRow: c.size * c.width, dstRow: c.cols * c.width, indicesRow: c.cols * 4}
		n := g.joins()
		if n != c.joined {
			t.Errorf("%+v: %d rows are joined", c, n)
		}
		if g.tableRow++; g.joins() > 1 {
			t.Errorf("%+v: tables apart are joined", c)
		}
		g.tableRow--
		if n < 2 {
			continue
		}
		if bad, ok := g.joined(n); bad != -1 || !ok {
			t.Fatalf("%+v: %d, %t", c, bad, ok)
		}
		for i, k := range x {
			from := (i/c.cols*c.size + wrapped(k, c.size)) * c.width
			if want := table[from : from+c.width]; !bytes.Equal(want, got[i*c.width:(i+1)*c.width]) {
				t.Fatalf("%+v: element %d is %v, want %v", c, i, got[i*c.width:(i+1)*c.width], want)
			}
		}
	}
}

// TestRegisterEntries: bodies take as many entries as registerEntries says, and no more.
func TestRegisterEntries(t *testing.T) {
	needs(t, dispatch.AVX512)
	for k, most := range registerEntries {
		for _, more := range []int{0, 1} {
			for _, index := range []int{4, 8} {
				const n = 64
				width, x := 1<<k, make([]int64, n)
				table, got := make([]byte, (most+more)*width+1), make([]byte, n*width)
				_, ok := gatherTablePiece(isa{level: dispatch.AVX512, traits: dispatch.Traits()}, width, index, &got[0], &table[0], elem(x, 0), 0, 0, 0, most+more, 1, n, most+more, nil, 0)
				if want := more == 0 && most > 0 && (width > 1 || dispatch.Traits()&dispatch.VBMI != 0); ok != want {
					t.Errorf("%d entries of %d bytes, indices of %d: %t", most+more, width, index, ok)
				}
			}
		}
	}
}

// TestFewEntries: all entries of a column are loaded where they are few, their rows have a vector
// and the second-level cache holds them.
func TestFewEntries(t *testing.T) {
	needs(t, dispatch.AVX512)
	half := dispatch.Near.Second / 2
	for _, c := range []struct {
		width, size, cols int
		few               bool
	}{
		{1, 32, 64, true}, {1, 33, 64, false}, {1, 32, 63, false}, {4, 8, 16, true}, {4, 9, 16, false}, {4, 8, half / 32, true}, {4, 8, half/32 + 1, false},
		{8, 4, 8, true}, {8, 1, half, true}, {8, 2, half, false}, {2, 4, half, true}, {2, 5, half, false},
	} {
		const rows = 3
		x, table, got := goodIndices[int64](rows*c.cols, c.size), make([]byte, c.cols*c.size*c.width), make([]byte, rows*c.cols*c.width)
		for i := range table {
			table[i] = byte(i * 7 / 3)
		}
		g := gatherCall{on: isa{level: dispatch.AVX512, traits: dispatch.Traits() &^ dispatch.FastGather}, size: c.size, step: c.cols, col: 1, rows: rows, cols: c.cols, width: c.width, index: 8,
			dst: &got[0], table: &table[0], indices: elem(x, 0), dstRow: c.cols * c.width, indicesRow: c.cols * 8}
		if few := g.few(); few != c.few {
			t.Errorf("%+v: %t", c, few)
		}
		if !c.few {
			continue
		}
		if bad, ok := g.pieces(amongFew); bad != -1 || !ok {
			t.Fatalf("%+v: %d, %t", c, bad, ok)
		}
		for i, k := range x {
			from := (wrapped(k, c.size)*c.cols + i%c.cols) * c.width
			if want := table[from : from+c.width]; !bytes.Equal(want, got[i*c.width:(i+1)*c.width]) {
				t.Fatalf("%+v: element %d is %v, want %v", c, i, got[i*c.width:(i+1)*c.width], want)
			}
		}
	}
}

// TestTablePieces: a row that is a little longer than a piece leaves nothing behind that is too
// short for a body with the table in registers.
func TestTablePieces(t *testing.T) {
	needs(t, dispatch.AVX512)
	on := isa{level: dispatch.AVX512, traits: dispatch.Traits()}
	for _, cols := range []int{mostLanes, pieceElements, pieceElements + 1, pieceElements + mostLanes, pieceElements + mostLanes + 1, 2*pieceElements + 7} {
		const size = 16
		x, table, got := goodIndices[int32](cols, size), make([]uint32, size), make([]uint32, cols)
		for j := range table {
			table[j] = uint32(j + 1)
		}
		c := gatherCall{on: on, size: size, step: 1, rows: 1, cols: cols, width: 4, index: 4, dst: elem(got, 0), table: elem(table, 0), indices: elem(x, 0), entries: size}
		if bad, ok := c.pieces(inRegisters); bad != -1 || !ok {
			t.Fatalf("%d columns: %d, %t", cols, bad, ok)
		}
		for j, k := range x {
			if want := table[wrapped(k, size)]; got[j] != want {
				t.Fatalf("%d columns: element %d is %d, want %d", cols, j, got[j], want)
			}
		}
	}
}

func TestResolveOwnedPiece(t *testing.T) {
	needs(t, dispatch.AVX512)
	defer dispatch.Use(dispatch.AVX512, 0)()
	t.Run("elem=x8/idx=i32", testOwnedPiece[uint8, int32])
	t.Run("elem=x8/idx=i64", testOwnedPiece[uint8, int64])
	t.Run("elem=x16/idx=i32", testOwnedPiece[uint16, int32])
	t.Run("elem=x16/idx=i64", testOwnedPiece[uint16, int64])
	t.Run("elem=x32/idx=i32", testOwnedPiece[uint32, int32])
	t.Run("elem=x32/idx=i64", testOwnedPiece[uint32, int64])
	t.Run("elem=x64/idx=i32", testOwnedPiece[uint64, int32])
	t.Run("elem=x64/idx=i64", testOwnedPiece[uint64, int64])
}

func TestCountPiece(t *testing.T) {
	needs(t, dispatch.AVX2)
	defer dispatch.Use(dispatch.AVX2, 0)()
	for n := 1; n <= mostCells; n++ {
		offsets := piece(n)
		counts := make([]uint32, 16)
		want := slices.Clone(counts)
		generic.Count(want, 2, offsets, 5)
		countPiece(current(), elem(counts, 0), 2*4, &offsets[0], n, 5)
		same(t, "count", n, counts, want, func(a, b uint32) bool { return a == b })
	}
}

func TestWordsPiece(t *testing.T) {
	needs(t, dispatch.AVX2)
	defer dispatch.Use(dispatch.AVX2, 0)()
	for n := 1; n <= mostCells; n++ {
		offsets, updates := piece(n), make([]int16, n)
		for i := range updates {
			updates[i] = int16(100 - 77*i)
		}
		words := make([]int64, 16)
		want := slices.Clone(words)
		generic.ScatterWords(want, 40, 2, offsets, generic.Plane[int16]{Data: updates, Row: 1})
		scatterWordsPiece(current(), KindI16, elem(words, 0), 2*8, &offsets[0], elem(updates, 0), n, 1<<40)
		same(t, "words", n, words, want, func(a, b int64) bool { return a == b })
	}
}

func TestRowLevel(t *testing.T) {
	const near, far = 1 << 20, 8 << 20
	caches := dispatch.Near
	t.Cleanup(func() { dispatch.Near = caches })
	dispatch.Near.Second, dispatch.Near.Last = near, far
	for _, c := range []struct {
		level       dispatch.Level
		kind        Kind
		bytes, away int
		want        dispatch.Level
	}{
		{dispatch.AVX512, KindF64, 32, near + 8, dispatch.AVX2},
		{dispatch.AVX512, KindF64, 32, near, dispatch.AVX512},
		{dispatch.AVX512, KindU8, 97, near + 1, dispatch.AVX2}, // one part of a vector
		{dispatch.AVX512, KindU8, 99, near + 1, dispatch.AVX512},
		{dispatch.AVX512, KindU8, 99, far + 1, dispatch.AVX2},
		{dispatch.AVX512, KindU8, 103, far + 1, dispatch.AVX512},
		{dispatch.AVX512, KindU8, 129, far + 1, dispatch.AVX512},
		{dispatch.AVX512, KindF32, 28, near + 4, dispatch.AVX512},
		{dispatch.AVX512, KindF32, 28, far + 4, dispatch.AVX2},
		{dispatch.AVX512, KindF32, 64, near + 4, dispatch.AVX512},
		{dispatch.AVX512, KindF16, 16, near + 2, dispatch.AVX2},
		{dispatch.AVX512, KindF16, 18, far + 2, dispatch.AVX512},
		{dispatch.AVX512, KindF16, 32, far + 2, dispatch.AVX512},
		{dispatch.AVX2, KindF64, 32, near + 8, dispatch.AVX2},
		{dispatch.Generic, KindF64, 32, near + 8, dispatch.Generic},
	} {
		width := c.kind.Width()
		if got := rowLevel(isa{level: c.level}, c.kind, c.bytes/width, []int{0, c.away / width}).level; got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestLevelAbove runs primitives at a level above AVX-512, which has no body of its own yet: it
// gets those of AVX-512, where there are some, and not those of AVX2 or none.
func TestLevelAbove(t *testing.T) {
	needs(t, dispatch.AVX512)
	on := isa{level: dispatch.AVX512 + 1}
	if !on.bodies() {
		t.Fatal("there are no bodies")
	}
	if by, made, ok := permuterOf(on, 4); by != permuteDwords || made != 64 || !ok {
		t.Errorf("elements are permuted by %d, %d bytes, %t", by, made, ok)
	}

	const n, size = 64, 16 // in registers: no level but AVX-512 does it
	x, table, got := goodIndices[int64](n, size), make([]uint32, size), make([]uint32, n)
	for j := range table {
		table[j] = uint32(j * j)
	}
	bad, ok := gatherTablePiece(on, 4, 8, elem(got, 0), elem(table, 0), elem(x, 0), 0, 0, 0, size, 1, n, size, nil, 0)
	if bad != -1 || !ok {
		t.Fatalf("a table in registers: %d, %t", bad, ok)
	}
	for j, k := range x {
		if want := table[wrapped(k, size)]; got[j] != want {
			t.Fatalf("element %d is %d, want %d", j, got[j], want)
		}
	}
	offsets, own := make([]int, n), make([]uint32, n)
	if kept, bad, ok := resolveOwnedPiece(on, 4, 8, &offsets[0], elem(own, 0), elem(x, 0), elem(got, 0), n, size, 1, 0, size); kept != n || bad != -1 || !ok {
		t.Fatalf("owned: %d, %d, %t", kept, bad, ok)
	}

	c := gatherCall{on: on, size: size, step: 1, rows: 1, cols: n, width: 4, index: 8, dst: elem(got, 0), table: elem(table, 0), indices: elem(x, 0)}
	clear(got)
	if bad, ok := c.run(); bad != -1 || !ok || got[1] != table[size-1] {
		t.Fatalf("a gather: %d, %t, %v", bad, ok, got)
	}
}

// TestEntry compares an entry with what bodies take it for.
func TestEntry(t *testing.T) {
	var m permutation
	if unsafe.Sizeof(m) != entryBytes || unsafe.Offsetof(m.windows) != 0 || unsafe.Offsetof(m.places) != entryPlaces {
		t.Errorf("an entry has %d bytes, its windows at %d, its places at %d", unsafe.Sizeof(m), unsafe.Offsetof(m.windows), unsafe.Offsetof(m.places))
	}
}

// testPatternPieces: elements along a pattern, with a bad index or a bad place in each place: a step
// with one is where the body stops.
func testPatternPieces[T uint8 | uint16 | uint32 | uint64, I int32 | int64](t *testing.T) {
	width, index := int(unsafe.Sizeof(*new(T))), int(unsafe.Sizeof(*new(I)))
	const size, step, at, spread = 7, 5, 2, 9
	lanes := min(16, 64/width)
	table := make([]T, at+(size-1)*step+spread)
	for j := range table {
		table[j] = T(j + 1)
	}
	for n := gatherPatternStep; n <= 4*gatherPatternStep; n += gatherPatternStep {
		for bad := -1; bad < n; bad++ {
			for what := range 5 {
				x, pattern, got, want := goodIndices[I](n, size), make([]int32, n), make([]T, n), make([]T, n)
				whole := n
				if bad >= 0 {
					whole = bad / lanes * lanes
				}
				for p := range n {
					pattern[p] = int32(p*4%(spread+at) - at)
					if k := wrapped(x[p], size); p < whole {
						want[p] = table[at+k*step+int(pattern[p])]
					}
				}
				if bad >= 0 {
					switch what {
					case 0:
						x[bad] = size
					case 1:
						x[bad] = -size - 1
					case 2:
						x[bad], pattern[bad] = 0, -at-1
					case 3:
						x[bad], pattern[bad] = size-1, spread
					case 4:
						x[bad], pattern[bad] = 0, math.MaxInt32
					}
				}
				stopped := found[int](t)(gatherPatternPiece(current(), width, index, elem(got, 0), elem(table, 0), elem(x, 0), n, size, step, at, len(table), &pattern[0]))
				if bad < 0 && stopped != -1 || bad >= 0 && stopped != whole || !slices.Equal(got, want) {
					t.Fatalf("%d bytes, indices of %d, %d elements, %d bad in way %d: stopped at %d, got %v, want %v", width, index, n, bad, what, stopped, got, want)
				}
			}
		}
	}
}

func TestGatherPatternPieces(t *testing.T) {
	needs(t, dispatch.AVX512)
	defer dispatch.Use(dispatch.AVX512, dispatch.FastGather)()
	testPatternPieces[uint8, int32](t)
	testPatternPieces[uint8, int64](t)
	testPatternPieces[uint16, int32](t)
	testPatternPieces[uint16, int64](t)
	testPatternPieces[uint32, int32](t)
	testPatternPieces[uint32, int64](t)
	testPatternPieces[uint64, int32](t)
	testPatternPieces[uint64, int64](t)
}
