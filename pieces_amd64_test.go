//go:build !purego && !noasm

package lanes

import (
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
)

func testOwnedPiece[T uint32 | uint64, I int32 | int64](t *testing.T) {
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
		return resolveOwnedPiece(&offsets[0], elem(own, 0), elem(x, 0), elem(updates, 0), int(unsafe.Sizeof(z)), int(unsafe.Sizeof(i)), n, size, scale, low, high)
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

func TestResolveOwnedPiece(t *testing.T) {
	if !dispatch.Available(dispatch.AVX512) {
		t.Skip("no body but for AVX-512")
	}
	defer dispatch.Use(dispatch.AVX512, 0)()
	t.Run("elem=x32/idx=i32", testOwnedPiece[uint32, int32])
	t.Run("elem=x32/idx=i64", testOwnedPiece[uint32, int64])
	t.Run("elem=x64/idx=i32", testOwnedPiece[uint64, int32])
	t.Run("elem=x64/idx=i64", testOwnedPiece[uint64, int64])
}

func TestCountPiece(t *testing.T) {
	if !dispatch.Available(dispatch.AVX2) {
		t.Skip("no body without AVX2")
	}
	for n := 1; n <= mostCells; n++ {
		offsets := piece(n)
		counts := make([]uint32, 16)
		want := slices.Clone(counts)
		generic.Count(want, 2, offsets, 5)
		countPiece(elem(counts, 0), 2*4, &offsets[0], n, 5)
		same(t, "count", n, counts, want, func(a, b uint32) bool { return a == b })
	}
}
