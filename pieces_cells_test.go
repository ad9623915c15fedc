//go:build (amd64 || arm64) && !purego && !noasm

package lanes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/generic"
)

// The last piece of a long call can be of any length, which no call as a whole is: that few
// elements go one by one. What stands behind a piece leads to cells that must stay.

const mostCells = 21 // of a piece, here

// piece returns offsets of n cells that come again and again, and behind them some of another cell.
func piece(n int) []int {
	offsets := make([]int, n, n+16)
	for j := range offsets {
		offsets[j] = j * j % 7
	}
	behind := offsets[:cap(offsets)]
	for j := n; j < len(behind); j++ {
		behind[j] = 8 + j%4
	}
	return offsets
}

func same[T any](t *testing.T, name string, n int, got, want []T, equal func(a, b T) bool) {
	t.Helper()
	if !slices.EqualFunc(got, want, equal) {
		t.Fatalf("%s of %d: %v, want %v", name, n, got, want)
	}
}

func testMovePieces[T Elem](t *testing.T, from func(n uint64) T) {
	equal := func(a, b T) bool { return a == b }
	r := rand.New(rand.NewPCG(1, 1))
	width := int(unsafe.Sizeof(*new(T)))
	elems := func(n int) []T {
		s := make([]T, n)
		for j := range s {
			s[j] = from(r.Uint64())
		}
		return s
	}
	for n := 1; n <= mostCells; n++ {
		offsets := piece(n)
		dst, src := elems(n+16), elems(16)
		want := slices.Clone(dst)
		generic.GatherRows(Plane[T]{Data: want, Row: 1, Col: 1}, src, 2, 1, offsets, 1)
		if !gatherOffsetsPiece(current(), width, elem(dst, 0), elem(src, 0), 2*width, &offsets[0], n) {
			t.Fatal("there is no body")
		}
		same(t, "gather", n, dst, want, equal)

		updates := Plane[T]{Data: elems(n + 16), Row: 1, Col: 1}
		dst = elems(16)
		want = slices.Clone(dst)
		generic.Scatter(want, 2, 1, offsets, updates, 1)
		if !scatterPiece(current(), width, elem(dst, 0), 2*width, &offsets[0], elem(updates.Data, 0), n) {
			t.Fatal("there is no body")
		}
		same(t, "scatter", n, dst, want, equal)
	}
}

func TestMovePieces(t *testing.T) {
	eachBody(t, func(t *testing.T) {
		t.Run("elem=x8", func(t *testing.T) { testMovePieces(t, func(n uint64) uint8 { return uint8(n) }) })
		t.Run("elem=x16", func(t *testing.T) { testMovePieces(t, func(n uint64) uint16 { return uint16(n) }) })
		t.Run("elem=x32", func(t *testing.T) { testMovePieces(t, func(n uint64) uint32 { return uint32(n) }) })
		t.Run("elem=x64", func(t *testing.T) { testMovePieces(t, func(n uint64) uint64 { return n }) })
		t.Run("elem=x128", func(t *testing.T) { testMovePieces(t, func(n uint64) X128 { return X128{Lo: n, Hi: ^n} }) })
	})
}

// testCombinePieces compares the body of a type and an operation, if it has one, with a loop of
// package generic.
func testCombinePieces[T Number](t *testing.T, kind Kind, from func(n int) T, loop func(op Op, cells []T, offsets []int, updates Plane[T])) {
	equal := func(a, b T) bool { return a == b || a != a && b != b }
	r := rand.New(rand.NewPCG(1, 2))
	bodies := 0
	for _, op := range []Op{Sum, Prod, Min, Max} {
		for n := 1; n <= mostCells; n++ {
			offsets := piece(n)
			cells := make([]T, 16)
			updates := Plane[T]{Data: make([]T, n+16), Row: 1, Col: 1}
			for _, s := range [][]T{cells, updates.Data} {
				for j := range s {
					s[j] = from(r.IntN(1 << 16))
				}
			}
			want := slices.Clone(cells)
			if !combinePiece(current(), op, kind, elem(cells, 0), 0, &offsets[0], elem(updates.Data, 0), n) {
				continue
			}
			bodies++
			loop(op, want, offsets, updates)
			same(t, fmt.Sprint("operation ", op), n, cells, want, equal)
		}
	}
	t.Logf("%d calls", bodies)
}

func testCombineNumbers[T Number](t *testing.T) {
	t.Run(fmt.Sprintf("elem=%T", *new(T)), func(t *testing.T) {
		testCombinePieces(t, KindOf[T](), func(n int) T { return T(n - 1<<15) }, func(op Op, cells []T, offsets []int, updates Plane[T]) {
			generic.ScatterReduce(op, cells, 0, 1, offsets, updates, 1)
		})
	})
}

func testCombineHalves(t *testing.T, name string, kind Kind, h Half) {
	t.Run("elem="+name, func(t *testing.T) {
		// Finite ones: equal floats of two signs are told from each other by their bits, and no NaN is
		// among them.
		testCombinePieces(t, kind, func(n int) uint16 { return uint16(0x3C00 + n%0x400 + n%2<<15) }, func(op Op, cells []uint16, offsets []int, updates Plane[uint16]) {
			generic.ScatterReduceHalf(op, h, cells, 0, 1, offsets, updates, 1)
		})
	})
}

func TestCombinePieces(t *testing.T) {
	eachBody(t, func(t *testing.T) {
		testCombineNumbers[int8](t)
		testCombineNumbers[uint8](t)
		testCombineNumbers[int16](t)
		testCombineNumbers[uint16](t)
		testCombineNumbers[int32](t)
		testCombineNumbers[uint32](t)
		testCombineNumbers[int64](t)
		testCombineNumbers[uint64](t)
		testCombineNumbers[float32](t)
		testCombineNumbers[float64](t)
		testCombineHalves(t, "float16", KindF16, Binary16)
		testCombineHalves(t, "bfloat16", KindBF16, Brain16)
	})
}

// Of eight halves that a body combines at a time, any two may go to the same cell.
func TestCombineEights(t *testing.T) {
	eachBody(t, func(t *testing.T) {
		for kind, h := range map[Kind]Half{KindF16: Binary16, KindBF16: Brain16} {
			for _, op := range []Op{Sum, Prod, Min, Max} {
				for i := range 8 {
					for j := range i + 1 { // j = i: all differ
						testCombineEights(t, op, kind, h, i, j)
					}
				}
			}
		}
	})
}

func testCombineEights(t *testing.T, op Op, kind Kind, h Half, i, j int) {
	offsets := rand.New(rand.NewPCG(uint64(i), uint64(j))).Perm(40)
	copy(offsets[16+i:], offsets[16+j:][:1])
	cells, updates := make([]uint16, 40), Plane[uint16]{Data: make([]uint16, 40), Row: 1, Col: 1}
	for k := range cells {
		cells[k], updates.Data[k] = uint16(0x3C00+37*k), uint16(0x3D00+91*k%0x200)
	}
	want := slices.Clone(cells)
	generic.ScatterReduceHalf(op, h, want, 0, 1, offsets, updates, 1)
	if !combinePiece(current(), op, kind, elem(cells, 0), 0, &offsets[0], elem(updates.Data, 0), len(offsets)) {
		t.Fatal("there is no body")
	}
	same(t, fmt.Sprint(kind, ", operation ", op, ", positions ", i, " and ", j), len(offsets), cells, want, func(a, b uint16) bool { return a == b })
}
