package lanes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/generic"
)

// gatherPatternArgs is a call of GatherPattern.
type gatherPatternArgs struct {
	N, Size, Step, Spread  int // pattern is in [-Spread, Spread]
	DstPad, SrcPad, IdxPad int
	Pattern                string
	Bad, Value             int
}

func gatherPatternCall[T lanes.Elem, I lanes.Index](r *rand.Rand, e elem, a gatherPatternArgs) *call {
	var x I
	dst, dstLen := fit(a.N, 1, 1, 1, a.DstPad)
	idx, idxLen := fit(1, a.N, 0, 1, a.IdxPad)
	reach := max(a.Size-1, 0) * a.Step
	src, srcLen := layout{at: a.SrcPad + a.Spread - min(reach, 0)}, 2*a.SrcPad+2*a.Spread+max(reach, -reach)+1
	c := &call{
		op: "GatherPattern", args: &a, output: true, partial: true, rows: a.N, cols: 1, layouts: []layout{dst, src, idx},
		buffers: []buffer{newBuffer("dst", dstLen, e.width), newBuffer("src", srcLen, e.width), newBuffer("indices", idxLen, int(unsafe.Sizeof(x))), newBuffer("pattern", a.N, 4)},
	}
	c.layouts[0].row, c.layouts[0].col = 1, 1
	randomBytes(r, c.buffers[0].data)
	e.fill(r, c.buffers[1].data)
	fillIndices[I](r, c.buffers[2].data, idx, 1, a.N, a.Pattern, -1, 0, func(int) int { return a.Size })
	if values := badIndices[I](a.Size); a.Bad >= 0 && len(values) > 0 {
		elems[I](c.buffers[2].data)[idx.at+a.Bad] = values[a.Value%len(values)]
	}
	pattern := elems[int32](c.buffers[3].data)
	for j := range pattern {
		pattern[j] = int32(r.IntN(2*a.Spread+1) - a.Spread)
	}
	size, step := a.Size, a.Step
	c.run = func(c *call, oracle bool, mem [][]byte) int {
		gather := lanes.GatherPattern[T, I]
		if oracle {
			gather = gatherPattern[T, I]
		}
		along := elems[int32](mem[3])
		if c.rows > 0 {
			_ = along[c.rows-1] // one that is too short is refused here, as its length is an argument
		}
		return gather(elems[T](mem[0]), c.layouts[0].at, elems[T](mem[1]), c.layouts[1].at, elems[I](mem[2]), c.layouts[2].at, size, step, along[:c.rows])
	}
	return c
}

// gatherPattern is GatherPattern by loops of package generic.
func gatherPattern[T lanes.Elem, I lanes.Index](dst []T, to int, src []T, at int, indices []I, from, size, step int, pattern []int32) int {
	offsets := make([]int, len(pattern))
	bad := generic.Resolve(offsets, indices, from, 1, size, step, 0)
	if bad >= 0 {
		offsets = offsets[:bad]
	}
	for j := range offsets {
		offsets[j] += int(pattern[j])
	}
	generic.GatherRows(lanes.Plane[T]{Data: dst, At: to, Row: 1, Col: 1}, src, at, 1, offsets, 1)
	return bad
}

// randomGatherPattern chooses all but the number of elements.
func randomGatherPattern(s source, n int) gatherPatternArgs {
	a := gatherPatternArgs{N: n, Size: pick(s, tableSizes...), Step: pick(s, 1, 1, 2, 7, 0, -3), Spread: pick(s, 0, 1, 40, 1000),
		DstPad: s.IntN(17), SrcPad: s.IntN(5), IdxPad: s.IntN(17), Pattern: pick(s, patterns...), Bad: -1}
	if n > 0 && s.IntN(3) == 0 {
		a.Bad, a.Value = s.IntN(n), s.IntN(10)
	}
	return a
}

// gatheredPatterns is a row for each width and index type.
var gatheredPatterns = []struct {
	elem
	idx  string
	call func(*rand.Rand, elem, gatherPatternArgs) *call
}{
	{moves[0].elem, "i32", gatherPatternCall[uint8, int32]},
	{moves[1].elem, "i64", gatherPatternCall[uint8, int64]},
	{moves[2].elem, "i32", gatherPatternCall[uint16, int32]},
	{moves[3].elem, "i64", gatherPatternCall[uint16, int64]},
	{moves[4].elem, "i32", gatherPatternCall[float32, int32]},
	{moves[5].elem, "i64", gatherPatternCall[float32, int64]},
	{moves[6].elem, "i32", gatherPatternCall[float64, int32]},
	{moves[7].elem, "i64", gatherPatternCall[float64, int64]},
	{moves[8].elem, "i32", gatherPatternCall[lanes.X128, int32]},
	{moves[9].elem, "i64", gatherPatternCall[lanes.X128, int64]},
}

func TestGatherPattern(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range gatheredPatterns {
			t.Run(fmt.Sprintf("elem=%s/idx=%s", m.name, m.idx), func(t *testing.T) {
				r := seeded(t, 0)
				for _, n := range append(lengthsOf(16), 511, 513, 20011) {
					for range repeated(4, 20) {
						c := m.call(r, m.elem, randomGatherPattern(r, n))
						c.check(t, false, c.somewhere(r))
					}
				}
			})
		}
	})
}

// An index that is bad, at every place.
func TestGatherPatternBadIndex(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range gatheredPatterns {
			t.Run(fmt.Sprintf("elem=%s/idx=%s", m.name, m.idx), func(t *testing.T) {
				r := seeded(t, 0)
				for n := 1; n <= 60; n += 5 {
					for bad := range n {
						a := randomGatherPattern(r, n)
						a.Bad, a.Value = bad, r.IntN(10)
						c := m.call(r, m.elem, a)
						c.check(t, false, c.somewhere(r))
					}
				}
			})
		}
	})
}

func TestDocumentedGatherPattern(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, n := range lengths {
			src, dst, indices, pattern, want := make([]float32, 100+n), make([]float32, n+1), make([]int64, n+2), make([]int32, n), make([]float32, n+1)
			for i := range src {
				src[i] = float32(i)
			}
			for j := range n {
				k := j * 7 % 10
				indices[j+2], pattern[j] = int64(k-j%2*10), int32(j)
				want[j+1] = float32(3 + k*8 + j)
			}
			require.Equal(t, -1, lanes.GatherPattern(dst, 1, src, 3, indices, 2, 10, 8, pattern))
			require.Equal(t, want, dst)
			if n > 0 {
				indices[n+1] = -11
				require.Equal(t, n-1, lanes.GatherPattern(dst, 1, src, 3, indices, 2, 10, 8, pattern))
			}
		}
	})
}

// Places beyond 32 bits are none of a table.
func TestGatherPatternFar(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		const n = 32
		src, dst := make([]uint16, 64), make([]uint16, n)
		pattern, far := make([]int32, n), make([]int32, n)
		far[n-1] = math.MaxInt32
		for _, c := range []struct {
			at, index, size, step int64
			pattern               []int32
		}{
			{1 << 31, 0, 1, 1, pattern}, {1 << 32, 0, 1, 1, pattern}, {1, 1, 2, 1 << 32, pattern}, {0, 2, 3, 1 << 31, pattern}, {0, 1 << 16, 1<<16 + 1, 1 << 16, pattern},
			{1 << 30, 1 << 30, 1<<30 + 1, 1, far}, {1<<30 - 1, 1<<30 - 1, 1 << 30, 1, far}, {-1, 0, 1, 1, pattern}, {64, 0, 1, 1, pattern},
		} {
			if max(c.at, c.size, c.step, c.at+c.index*c.step+int64(c.pattern[n-1])) > math.MaxInt {
				continue // an int of 32 bits
			}
			indices := make([]int32, n)
			for j := range indices {
				indices[j] = int32(c.index)
			}
			require.Panics(t, func() {
				lanes.GatherPattern(dst, 0, src, int(c.at), indices, 0, int(c.size), int(c.step), c.pattern)
			}, "%v", c)
		}
	})
}

func init() {
	for _, m := range gatheredPatterns {
		fenced = append(fenced, fence{"GatherPattern", m.name, m.idx, m.width, func(r *rand.Rand, n, offset int, plain bool) *call {
			a := randomGatherPattern(r, n)
			if plain {
				a.Bad = -1
			}
			a.IdxPad, a.DstPad, a.SrcPad = offset, (offset+n)%16, 0
			return m.call(r, m.elem, a)
		}})
	}
}
