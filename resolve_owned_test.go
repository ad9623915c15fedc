package lanes_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
)

// TestDocumentedResolveOwned compares ResolveOwned with its documentation.
func TestDocumentedResolveOwned(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		testResolveOwned[uint8, int64](t)
		testResolveOwned[uint16, int32](t)
		testResolveOwned[float32, int64](t)
		testResolveOwned[float32, int32](t)
		testResolveOwned[float64, int64](t)
		testResolveOwned[uint64, int32](t)
		testResolveOwned[lanes.X128, int64](t)
	})
}

func testResolveOwned[T lanes.Elem, I lanes.Index](t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for range 2000 {
		n, size, scale := r.IntN(100), 1+r.IntN(50), 1+r.IntN(3)
		low := r.IntN(size + 1)
		high := low + r.IntN(size-low+1)
		indices, updates := make([]I, n), make([]T, n)
		fillRandom(r, indices, func(r *rand.Rand) I { return I(r.IntN(2*size) - size) })
		for i := range updates {
			updates[i] = random[T](r)
		}
		bad := -1
		if n > 0 && r.IntN(4) == 0 {
			bad = r.IntN(n)
			indices[bad] = []I{I(size), I(-size - 1), 1 << 30, -1 << 31}[r.IntN(4)]
		}
		var offsets []int
		var own []T
		for j, v := range indices {
			if j == bad {
				break
			}
			k := int(v)
			if k < 0 {
				k += size
			}
			if low <= k && k < high {
				offsets, own = append(offsets, k*scale), append(own, updates[j])
			}
		}
		gotOffsets, gotOwn := make([]int, n+3), make([]T, n+3)
		for i := n; i < n+3; i++ {
			gotOffsets[i] = -7
		}
		kept, gotBad := lanes.ResolveOwned(gotOffsets[:n], gotOwn[:n], indices, updates, size, scale, low, high)
		require.Equal(t, bad, gotBad)
		require.Equal(t, len(offsets), kept)
		require.Equal(t, append([]int{}, offsets...), gotOffsets[:kept])
		require.Equal(t, append([]T{}, own...), gotOwn[:kept])
		require.Equal(t, []int{-7, -7, -7}, gotOffsets[n:], "written beyond what there is room for")
		require.Equal(t, make([]T, 3), gotOwn[n:])
	}
}

// random returns an element of any bits that compare equal to themselves.
func random[T lanes.Elem](r *rand.Rand) (x T) {
	switch p := any(&x).(type) {
	case *uint8:
		*p = uint8(r.Uint32())
	case *uint16:
		*p = uint16(r.Uint32())
	case *uint64:
		*p = r.Uint64()
	case *float32:
		*p = r.Float32()
	case *float64:
		*p = r.Float64()
	case *lanes.X128:
		*p = lanes.X128{Lo: r.Uint64(), Hi: r.Uint64()}
	default:
		panic("no such element")
	}
	return x
}
