package lanes_test

import (
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/generic"
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

// ownedArgs is a call of ResolveOwned, of a share of the axis in 256ths.
type ownedArgs struct {
	resolveArgs
	Low, High int
}

// ownedCall has own and offsets in one buffer, one after the other. What is in
// them beyond what was kept is cleared: it may be anything.
func ownedCall[T lanes.Elem, I lanes.Index](r *rand.Rand, a ownedArgs) *call {
	var z T
	var x I
	width, n := int(unsafe.Sizeof(z)), a.N
	a.Row, a.Col = 1, 1
	l, indices := a.indices(r, fillIndices[I], int(unsafe.Sizeof(x)))
	words := (n*width + wordBytes - 1) / wordBytes
	kept, updates := newBuffer("kept", words+n, wordBytes), newBuffer("updates", n, width)
	randomBytes(r, kept.data)
	randomBytes(r, updates.data)
	c := &call{op: "ResolveOwned", args: &a, output: true, buffers: []buffer{kept, indices, updates}, layouts: []layout{{}, l, {}}}
	size, scale := a.Sizes[0], a.Strides[0]
	low, high := size/256*a.Low, size/256*a.High
	if size < 256 {
		low, high = size*a.Low/256, size*a.High/256
	}
	c.run = func(c *call, oracle bool, mem [][]byte) int {
		own, offsets := elems[T](mem[0][:n*width]), elems[int](mem[0][words*wordBytes:])
		f := lanes.ResolveOwned[T, I]
		if oracle {
			f = generic.ResolveOwned[T, I]
		}
		count, bad := f(offsets, own, elems[I](mem[1])[c.layouts[1].at:][:n], elems[T](mem[2]), size, scale, low, high)
		clear(own[count:])
		clear(offsets[count:])
		return bad*(n+1) + count
	}
	return c
}

func randomOwned(r *rand.Rand, n int) ownedArgs {
	a := ownedArgs{randomResolve(r, n, 1), r.IntN(257), 256}
	if r.IntN(3) > 0 {
		a.High = a.Low + r.IntN(257-a.Low)
	}
	return a
}

var owned = []struct {
	elem, idx string
	width     int
	call      func(*rand.Rand, ownedArgs) *call
}{
	{"x8", "i32", 1, ownedCall[uint8, int32]}, {"x8", "i64", 1, ownedCall[uint8, int64]},
	{"x16", "i32", 2, ownedCall[uint16, int32]}, {"x16", "i64", 2, ownedCall[uint16, int64]},
	{"x32", "i32", 4, ownedCall[uint32, int32]}, {"x32", "i64", 4, ownedCall[uint32, int64]},
	{"x64", "i32", 8, ownedCall[uint64, int32]}, {"x64", "i64", 8, ownedCall[uint64, int64]},
	{"x128", "i32", 16, ownedCall[lanes.X128, int32]}, {"x128", "i64", 16, ownedCall[lanes.X128, int64]},
}

func TestResolveOwned(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range owned {
			t.Run("elem="+m.elem+"/idx="+m.idx, func(t *testing.T) {
				r := seeded(t, 0)
				for _, n := range append(lengthsOf(m.width), 1000, 8191, 8193, 20011) {
					for range repeated(4, 20) {
						c := m.call(r, randomOwned(r, n))
						c.check(t, false, c.somewhere(r))
					}
				}
			})
		}
	})
}

func init() {
	for _, m := range owned {
		fenced = append(fenced, fence{"ResolveOwned", m.elem, m.idx, m.width, func(r *rand.Rand, n, offset int, plain bool) *call {
			a := randomOwned(r, n)
			a.Pad = offset
			if plain {
				a.Bad = -1
			}
			return m.call(r, a)
		}})
	}
}
