package lanes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A spoiling makes something of a good call reach out of its slice.
type spoiling struct {
	name string
	do   func(c *call)
}

// far are the steps and places that no slice has, and sums of which overflow.
var far = []int{math.MaxInt, math.MinInt, math.MaxInt - 1, math.MinInt + 1, math.MaxInt / 2, math.MinInt / 2, math.MaxInt/4 + 1,
	math.MaxInt32, math.MinInt32, math.MaxInt / 16, math.MinInt / 16, 1 << 20, -1 << 20}

// spoilings are what can be wrong with a call that has two rows and two columns
// or more. offsets is the buffer of offsets, -1 for none.
func spoilings(c *call, offsets int) []spoiling {
	var all []spoiling
	add := func(name string, do func(c *call)) { all = append(all, spoiling{name, do}) }
	for i, b := range c.buffers {
		if b.name == "offsets" || b.name == "sizes" || b.name == "out" {
			continue // their lengths are those of the call
		}
		add(b.name+" too short", func(c *call) { c.buffers[i].data = b.data[:len(b.data)-b.width] })
		add(b.name+" empty", func(c *call) { c.buffers[i].data = b.data[:0] })
		if i < len(c.layouts) || b.name == "updates" {
			l := min(i, len(c.layouts)-1)
			add(b.name+" one further", func(c *call) { c.layouts[l].at++ })
			add(b.name+" before its start", func(c *call) { c.layouts[l].at = -1 })
			for _, v := range far {
				add(fmt.Sprintf("%s at %d", b.name, v), func(c *call) { c.layouts[l].at = v })
				if c.layouts[l].row != 0 {
					add(fmt.Sprintf("%s rows %d apart", b.name, v), func(c *call) { c.layouts[l].row = v })
				}
				if c.layouts[l].col != 0 && c.cols > 1 {
					add(fmt.Sprintf("%s columns %d apart", b.name, v), func(c *call) { c.layouts[l].col = v })
				}
			}
		}
	}
	if offsets < 0 {
		return all
	}
	from := 0 // the buffer that offsets lead into
	if c.op == "GatherRows" {
		from = 1
	}
	b := c.buffers[from]
	at, reach := c.layouts[from].at, max(c.cols-1, 0)*c.layouts[from].col
	length := len(b.data) / b.width
	past, before := length-at-max(reach, 0), -1-at-min(reach, 0)
	n := len(c.buffers[offsets].data) / wordBytes
	for i := n - 1; i >= 0; i -= max(1, n/40) { // the last, and not all of many
		for _, v := range append([]int{past, before}, far...) {
			add(fmt.Sprintf("offset %d is %d", i, v), func(c *call) { elems[int](c.buffers[offsets].data)[i] = v })
		}
	}
	return all
}

// clone returns a call that can be spoiled.
func (c *call) clone() *call {
	d := *c
	d.layouts = append([]layout(nil), c.layouts...)
	d.buffers = nil
	for _, b := range c.buffers {
		e := newBuffer(b.name, len(b.data)/b.width, b.width)
		copy(e.data, b.data)
		d.buffers = append(d.buffers, e)
	}
	return &d
}

// TestOutside spoils calls in every way, one at a time. Where package generic
// panics, so must every level, before it touches what is outside; where it
// does not come as far, or an overflow leads it back inside, a level may panic.
func TestOutside(t *testing.T) {
	type outside struct {
		name    string
		offsets int
		make    func(r *rand.Rand, rows, cols int) *call
	}
	var calls []outside
	for _, m := range moves {
		if testing.Short() && m.idx == "i64" {
			continue
		}
		calls = append(calls, outside{fmt.Sprintf("op=Gather/elem=%s/idx=%s", m.name, m.idx), -1, func(r *rand.Rand, rows, cols int) *call {
			return m.gather(r, m.elem, gatherArgs{Rows: rows, Cols: cols, Size: 9, Step: 1, DstRow: cols, DstCol: 1, SrcRow: 9, IdxRow: cols, IdxCol: 1, Pattern: "extremes", Bad: -1})
		}}, outside{fmt.Sprintf("op=Gather/elem=%s/idx=%s/columns", m.name, m.idx), -1, func(r *rand.Rand, rows, cols int) *call {
			return m.gather(r, m.elem, gatherArgs{Rows: rows, Cols: cols, Size: 5, Step: cols, DstRow: cols, DstCol: 1, SrcCol: 1, IdxRow: cols, IdxCol: 1, Pattern: "extremes", Bad: -1})
		}})
	}
	for _, m := range gatheredTuples {
		calls = append(calls, outside{fmt.Sprintf("op=GatherTuples/elem=%s/idx=%s", m.name, m.idx), -1, func(r *rand.Rand, rows, cols int) *call {
			a := resolveArgs{N: rows * cols, Row: 2, Col: 1, Sizes: []int{9, 9}, Strides: []int{9, 1}, Pattern: "extremes", Bad: -1}
			return m.call(r, m.elem, gatherTuplesArgs{a, 1, 0, 0})
		}})
	}
	for _, m := range gatheredPatterns {
		calls = append(calls, outside{fmt.Sprintf("op=GatherPattern/elem=%s/idx=%s", m.name, m.idx), -1, func(r *rand.Rand, rows, cols int) *call {
			return m.call(r, m.elem, gatherPatternArgs{N: rows * cols, Size: 9, Step: 5, Spread: 20, Pattern: "extremes", Bad: -1})
		}})
	}
	for _, w := range widths {
		calls = append(calls, outside{"op=Copy/elem=" + w.name, -1, func(r *rand.Rand, rows, cols int) *call {
			step := pick(r, 1, -1, 2, 3)
			return w.copy(r, w.elem, copyArgs{Rows: rows, Cols: cols, DstRow: cols, DstCol: 1, SrcRow: 3*cols + 1, SrcCol: step})
		}}, outside{"op=GatherRows/elem=" + w.name, 2, func(r *rand.Rand, rows, cols int) *call {
			return w.gatherRows(r, w.elem, rowsArgs{Rows: rows, Cols: cols, Row: cols, Col: 1, Step: 1, Cells: 4, Gap: cols, Pattern: "reversed"})
		}}, outside{"op=Scatter/elem=" + w.name, 1, func(r *rand.Rand, rows, cols int) *call {
			return w.scatter(r, w.elem, rowsArgs{Rows: rows, Cols: cols, Row: cols, Col: 1, Step: 1, Cells: 4, Gap: cols, Pattern: "reversed"})
		}})
	}
	for _, m := range reductions {
		calls = append(calls, outside{"op=ScatterReduce/elem=" + m.name, 1, func(r *rand.Rand, rows, cols int) *call {
			return m.call(r, m.elem, rowsArgs{Rows: rows, Cols: cols, Row: cols, Col: 1, Step: 1, Cells: 4, Gap: cols, Pattern: "reversed", Op: allOps[r.IntN(m.ops)]})
		}})
	}
	for _, m := range resolves {
		args := func(rows, components int) resolveArgs {
			a := resolveArgs{N: rows, Row: components, Col: 1, Pattern: "random", Bad: -1}
			for range components {
				a.Sizes, a.Strides = append(a.Sizes, 9), append(a.Strides, 3)
			}
			return a
		}
		calls = append(calls,
			outside{"op=Resolve/idx=" + m.idx, -1, func(r *rand.Rand, rows, cols int) *call { return m.resolve(r, args(rows*cols, 1)) }},
			outside{"op=ResolvePattern/idx=" + m.idx, -1, func(r *rand.Rand, rows, cols int) *call { return m.pattern(r, args(rows*cols, 1)) }},
			outside{"op=Check/idx=" + m.idx, -1, func(r *rand.Rand, rows, cols int) *call { return m.check(r, args(rows*cols, 1)) }},
			outside{"op=ResolveTuples/idx=" + m.idx, -1, func(r *rand.Rand, rows, cols int) *call { return m.tuples(r, args(rows*cols, 3)) }},
			outside{"op=ResolveTuplesPattern/idx=" + m.idx, -1, func(r *rand.Rand, rows, cols int) *call { return m.tuplesPattern(r, args(rows*cols, 2)) }})
	}
	for _, m := range widenings {
		calls = append(calls, outside{"op=Widen/idx=" + m.idx, -1, func(r *rand.Rand, rows, cols int) *call { return m.call(r, widenArgs{rows * cols, 1, 0}) }})
	}

	eachLevel(t, func(t *testing.T) {
		for _, o := range calls {
			t.Run(o.name, func(t *testing.T) {
				r := seeded(t, 0)
				panics, spoiled := 0, 0
				for _, shape := range [][2]int{{2, 3}, {3, 70}, {40, 1}, {5, 2}}[:repeated(3, 4)] {
					good := o.make(r, shape[0], shape[1])
					good.check(t, false, flush...)
					for _, s := range spoilings(good, o.offsets) {
						c := good.clone()
						s.do(c)
						c.note = ", " + s.name
						if e, _ := c.expect(); e.panicked != nil {
							panics++
						}
						spoiled++
						c.check(t, true, flush...)
						c.note, c.spare = c.note+", spare capacity", 64
						c.check(t, true, flush[1])
					}
				}
				require.Greater(t, panics, spoiled*3/4, "of %d calls the oracle has to refuse most", spoiled)
			})
		}
	})
}
