package lanes_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/generic"
)

// gatherTuplesArgs is a call of GatherTuples.
type gatherTuplesArgs struct {
	resolveArgs
	DstRow, DstPad, SrcPad int
}

func gatherTuplesCall[T lanes.Elem, I lanes.Index](r *rand.Rand, e elem, a gatherTuplesArgs) *call {
	var x I
	dst, dstLen := fit(a.N, 1, a.DstRow, 1, a.DstPad)
	l, tuples := a.indices(r, fillIndices[I], int(unsafe.Sizeof(x)))
	src, srcLen := layout{at: a.SrcPad}, a.SrcPad+1
	for t, size := range a.Sizes {
		reach := max(size-1, 0) * a.Strides[t]
		src.at, srcLen = src.at-min(reach, 0), srcLen+max(reach, -reach)
	}
	c := &call{
		op: "GatherTuples", args: &a, output: true, applied: true, rows: a.N, layouts: []layout{dst, src, l},
		buffers: []buffer{newBuffer("dst", dstLen, e.width), newBuffer("src", srcLen, e.width), tuples,
			newBuffer("sizes", len(a.Sizes), wordBytes), newBuffer("strides", len(a.Strides), wordBytes)},
	}
	randomBytes(r, c.buffers[0].data)
	e.fill(r, c.buffers[1].data)
	copy(elems[int](c.buffers[3].data), a.Sizes)
	copy(elems[int](c.buffers[4].data), a.Strides)
	c.run = func(c *call, oracle bool, mem [][]byte) int {
		dst, src, tuples := plane[T](mem[0], c.layouts[0]), elems[T](mem[1]), plane[I](mem[2], c.layouts[2])
		at, sizes, strides := c.layouts[1].at, elems[int](mem[3]), elems[int](mem[4])
		if !oracle {
			return lanes.GatherTuples(dst, src, at, tuples, sizes, strides, c.rows)
		}
		offsets := make([]int, c.rows)
		bad := generic.ResolveTuples(offsets, tuples, sizes, strides, 0)
		if bad >= 0 {
			offsets = offsets[:bad]
		}
		generic.GatherRows(dst, src, at, 1, offsets, 1)
		return bad
	}
	return c
}

// randomTuples chooses all but the number of tuples and of components.
func randomTuples(s source, n, components int) gatherTuplesArgs {
	a := gatherTuplesArgs{randomResolve(s, n, components), 1, s.IntN(17), s.IntN(17)}
	room := 1 << 12 // elements of src
	for t := range components {
		a.Strides[t] = pick(s, 0, 1, 1, 3, 17, -2)
		if a.Strides[t] != 0 && a.Sizes[t] > 0 {
			a.Sizes[t] = 1 + s.IntN(min(64, room/max(1, components*max(a.Strides[t], -a.Strides[t]))))
		}
	}
	if s.IntN(4) == 0 {
		a.DstRow = pick(s, 2, -1, 5)
	}
	return a
}

// gatheredTuples is a row for each width and index type.
var gatheredTuples = []struct {
	elem
	idx  string
	call func(*rand.Rand, elem, gatherTuplesArgs) *call
}{
	{moves[0].elem, "i32", gatherTuplesCall[uint8, int32]},
	{moves[1].elem, "i64", gatherTuplesCall[uint8, int64]},
	{moves[2].elem, "i32", gatherTuplesCall[uint16, int32]},
	{moves[3].elem, "i64", gatherTuplesCall[uint16, int64]},
	{moves[4].elem, "i32", gatherTuplesCall[float32, int32]},
	{moves[5].elem, "i64", gatherTuplesCall[float32, int64]},
	{moves[6].elem, "i32", gatherTuplesCall[float64, int32]},
	{moves[7].elem, "i64", gatherTuplesCall[float64, int64]},
	{moves[8].elem, "i32", gatherTuplesCall[lanes.X128, int32]},
	{moves[9].elem, "i64", gatherTuplesCall[lanes.X128, int64]},
}

func TestGatherTuples(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range gatheredTuples {
			t.Run(fmt.Sprintf("elem=%s/idx=%s", m.name, m.idx), func(t *testing.T) {
				r := seeded(t, 0)
				for _, n := range append(lengthsOf(16), 511, 513, 4097, 20011) {
					for range repeated(4, 20) {
						c := m.call(r, m.elem, randomTuples(r, n, 1+r.IntN(4)))
						c.check(t, false, c.somewhere(r))
						c = m.call(r, m.elem, randomTuples(r, n, 2))
						c.check(t, false, c.somewhere(r))
					}
				}
			})
		}
	})
}

// A component that is bad, at every place: what is before its tuple is set, and nothing else.
func TestGatherTuplesBadIndex(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range gatheredTuples {
			t.Run(fmt.Sprintf("elem=%s/idx=%s", m.name, m.idx), func(t *testing.T) {
				r := seeded(t, 0)
				for n := 1; n <= 40; n += 3 {
					for bad := range 2 * n {
						for value := range 10 {
							a := randomTuples(r, n, 2)
							a.Bad, a.Value = bad, value
							if r.IntN(2) == 0 {
								a.Row, a.Col, a.DstRow = 2, 1, 1
							}
							c := m.call(r, m.elem, a)
							c.check(t, false, c.somewhere(r))
						}
					}
				}
			})
		}
	})
}

func TestDocumentedGatherTuples(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		src, dst := []int32{0, 1, 2, 3, 4, 5, 6}, []int32{-7, -7, -7}
		tuples := lanes.Plane[int64]{Data: []int64{0, 2, -1, -3, 1, 3}, Row: 2, Col: 1}
		gather := func(sizes []int) int {
			return lanes.GatherTuples(lanes.Plane[int32]{Data: dst, Row: 1}, src, 1, tuples, sizes, []int{3, 1}, 3)
		}
		require.Equal(t, 2, gather([]int{2, 3}))
		require.Equal(t, []int32{3, 4, -7}, dst)
		tuples.Data[5] = 2
		require.Equal(t, -1, gather([]int{2, 3}))
		require.Equal(t, []int32{3, 4, 6}, dst)
	})
}

func init() {
	for _, m := range gatheredTuples {
		fenced = append(fenced, fence{"GatherTuples", m.name, m.idx, m.width, func(r *rand.Rand, n, offset int, plain bool) *call {
			a := randomTuples(r, n, 1+r.IntN(3))
			if plain {
				a = randomTuples(r, n, 2)
				a.Row, a.Col, a.DstRow, a.Bad = 2, 1, 1, -1
			}
			a.Pad, a.DstPad, a.SrcPad = offset, (offset+n)%16, offset*3%16
			return m.call(r, m.elem, a)
		}})
	}
}

// TestGatherTuplesOverlap: sizes that the elements overwrite, in a call of several pieces: bodies
// keep to those that were checked.
func TestGatherTuplesOverlap(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		const n = 40_000
		memory, tuples := make([]int, n), make([]int64, 2*n)
		for i := n; i < len(tuples); i++ {
			tuples[i] = 1 << 29 // below what sizes become
		}
		memory[0], memory[1] = 3, 5
		dst := lanes.Plane[int]{Data: memory, Row: 1}
		got := attempt(func() int {
			return lanes.GatherTuples(dst, []int{1 << 30, 15: 0}, 0, lanes.Plane[int64]{Data: tuples, Row: 2, Col: 1}, memory[:2], []int{5, 1}, n)
		})
		require.False(t, got.fault, "%v", got.panicked)
	})
}
