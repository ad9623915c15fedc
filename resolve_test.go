package lanes_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/generic"
)

// resolveArgs is a call of Resolve, of Check or, with more than one component, of ResolveTuples.
type resolveArgs struct {
	N, Row, Col, Pad int // of the indices: N rows of a tuple, or N at a step of Row
	Sizes, Strides   []int
	OffsetStep       int
	Pattern          string
	Bad, Value       int
}

func (a resolveArgs) indices(r *rand.Rand, fill func(*rand.Rand, []byte, layout, int, int, string, int, int, func(int) int), width int) (layout, buffer) {
	tuple := len(a.Sizes)
	l, n := fit(a.N, tuple, a.Row, a.Col, a.Pad)
	b := newBuffer("indices", n, width)
	fill(r, b.data, l, a.N, tuple, a.Pattern, a.Bad, a.Value, func(j int) int { return a.Sizes[j] })
	return l, b
}

func resolveCall[I lanes.Index](r *rand.Rand, a resolveArgs) *call {
	var x I
	l, indices := a.indices(r, fillIndices[I], int(unsafe.Sizeof(x)))
	offsets := newBuffer("offsets", a.N, wordBytes)
	randomBytes(r, offsets.data)
	c := &call{op: "Resolve", args: &a, output: true, buffers: []buffer{offsets, indices}, layouts: []layout{{}, l}}
	size, scale, col := a.Sizes[0], a.Strides[0], a.OffsetStep
	c.run = func(c *call, oracle bool, mem [][]byte) int {
		if oracle {
			return generic.Resolve(elems[int](mem[0]), elems[I](mem[1]), c.layouts[1].at, c.layouts[1].row, size, scale, col)
		}
		return lanes.Resolve(elems[int](mem[0]), elems[I](mem[1]), c.layouts[1].at, c.layouts[1].row, size, scale, col)
	}
	return c
}

func checkCall[I lanes.Index](r *rand.Rand, a resolveArgs) *call {
	var x I
	l, indices := a.indices(r, fillIndices[I], int(unsafe.Sizeof(x)))
	c := &call{op: "Check", args: &a, buffers: []buffer{indices}, layouts: []layout{l}, rows: a.N}
	size := a.Sizes[0]
	c.run = func(c *call, oracle bool, mem [][]byte) int {
		if oracle {
			return generic.Check(elems[I](mem[0]), c.layouts[0].at, c.layouts[0].row, c.rows, size)
		}
		return lanes.Check(elems[I](mem[0]), c.layouts[0].at, c.layouts[0].row, c.rows, size)
	}
	return c
}

// patternCall is a call of ResolvePattern, which reads its indices in one run.
func patternCall[I lanes.Index](r *rand.Rand, a resolveArgs) *call {
	a.Row = 1
	c := resolveCall[I](r, a)
	c.op, c.layouts[1].row = "ResolvePattern", 0 // no argument
	pattern := newBuffer("pattern", a.N+a.Pad, wordBytes)
	randomBytes(r, pattern.data)
	c.buffers = append(c.buffers, pattern)
	size, scale := a.Sizes[0], a.Strides[0]
	c.run = func(c *call, oracle bool, mem [][]byte) int {
		f := lanes.ResolvePattern[I]
		if oracle {
			f = generic.ResolvePattern[I]
		}
		return f(elems[int](mem[0]), elems[I](mem[1]), c.layouts[1].at, size, scale, elems[int](mem[2]))
	}
	return c
}

func tuplesCall[I lanes.Index](r *rand.Rand, a resolveArgs) *call {
	var x I
	l, indices := a.indices(r, fillIndices[I], int(unsafe.Sizeof(x)))
	offsets, sizes, strides := newBuffer("offsets", a.N, wordBytes), newBuffer("sizes", len(a.Sizes), wordBytes), newBuffer("strides", len(a.Strides), wordBytes)
	randomBytes(r, offsets.data)
	copy(elems[int](sizes.data), a.Sizes)
	copy(elems[int](strides.data), a.Strides)
	c := &call{op: "ResolveTuples", args: &a, output: true, buffers: []buffer{offsets, indices, sizes, strides}, layouts: []layout{{}, l}}
	col := a.OffsetStep
	c.run = func(c *call, oracle bool, mem [][]byte) int {
		if oracle {
			return generic.ResolveTuples(elems[int](mem[0]), plane[I](mem[1], c.layouts[1]), elems[int](mem[2]), elems[int](mem[3]), col)
		}
		return lanes.ResolveTuples(elems[int](mem[0]), plane[I](mem[1], c.layouts[1]), elems[int](mem[2]), elems[int](mem[3]), col)
	}
	return c
}

// tuplesPatternCall is a call of ResolveTuplesPatternRaw.
func tuplesPatternCall[I lanes.Index](r *rand.Rand, a resolveArgs) *call {
	c := tuplesCall[I](r, a)
	c.op = "ResolveTuplesPattern"
	pattern := newBuffer("pattern", a.N+a.Pad, wordBytes)
	randomBytes(r, pattern.data)
	c.buffers = append(c.buffers, pattern)
	c.run = func(c *call, oracle bool, mem [][]byte) int {
		offsets, sizes, strides, along := elems[int](mem[0]), elems[int](mem[2]), elems[int](mem[3]), elems[int](mem[4])
		tuples := plane[I](mem[1], c.layouts[1])
		if !oracle {
			kind := lanes.KindI32
			if unsafe.Sizeof(*new(I)) == 8 {
				kind = lanes.KindI64
			}
			return lanes.ResolveTuplesPatternRaw(offsets, windowOf(kind, tuples), sizes, strides, along)
		}
		bad := generic.ResolveTuples(offsets, tuples, sizes, strides, 0)
		for i := range offsets {
			if bad < 0 || i < bad {
				offsets[i] += along[i]
			}
		}
		return bad
	}
	return c
}

// randomResolve chooses all but the number of offsets and of components.
func randomResolve(s source, n, components int) resolveArgs {
	a := resolveArgs{N: n, Row: components, Col: 1, Pad: s.IntN(17), OffsetStep: pick(s, 0, 1, 7, -3, 1<<20), Pattern: pick(s, patterns...), Bad: -1}
	for range components {
		// Axes may be larger than an int32 can say, and products than 32 bits hold.
		size := pick(s, tableSizes...)
		if s.IntN(5) == 0 {
			size = pick(s, math.MaxInt32, min(1<<31, math.MaxInt), min(1<<31+1, math.MaxInt), min(1<<32, math.MaxInt), min(1<<40, math.MaxInt), math.MaxInt)
		}
		a.Sizes = append(a.Sizes, size)
		stride := pick(s, 0, 1, 3, -5, 640, 1<<20)
		if s.IntN(5) == 0 {
			stride = pick(s, math.MaxInt32, math.MinInt32, min(1<<32, math.MaxInt), min(1<<40+12345, math.MaxInt), 1<<31-3)
		}
		a.Strides = append(a.Strides, stride)
	}
	if s.IntN(16) == 0 && components > 0 {
		a.Sizes[s.IntN(components)] = 0
	}
	if s.IntN(3) == 0 {
		a.Row, a.Col = planeSteps(s, n, components, false)
	}
	if n*components > 0 && s.IntN(3) == 0 {
		a.Bad, a.Value = s.IntN(n*components), s.IntN(16)
	}
	return a
}

// resolves is a row for each index type.
var resolves = []struct {
	idx                                            string
	width                                          int
	resolve, pattern, check, tuples, tuplesPattern func(*rand.Rand, resolveArgs) *call
}{
	{"i32", 4, resolveCall[int32], patternCall[int32], checkCall[int32], tuplesCall[int32], tuplesPatternCall[int32]},
	{"i64", 8, resolveCall[int64], patternCall[int64], checkCall[int64], tuplesCall[int64], tuplesPatternCall[int64]},
}

func TestResolve(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range resolves {
			t.Run("idx="+m.idx, func(t *testing.T) {
				run := func(t *testing.T, r *rand.Rand, n, repeat int) {
					for range repeat {
						a := randomResolve(r, n, 1)
						c := m.resolve(r, a)
						c.check(t, false, c.somewhere(r))
						c = m.pattern(r, a)
						c.check(t, false, c.somewhere(r))
						c = m.check(r, a)
						c.check(t, false, c.somewhere(r))
						c = m.tuples(r, randomResolve(r, n, r.IntN(7)))
						c.check(t, false, c.somewhere(r))
					}
				}
				for _, n := range lengthsOf(m.width) {
					t.Run(fmt.Sprintf("n=%d", n), func(t *testing.T) { run(t, seeded(t, 0), n, repeated(20, 100)) })
				}
				for _, n := range []int{1000, 4097, 8191, 8193, 20011} { // in pieces
					t.Run(fmt.Sprintf("n=%d", n), func(t *testing.T) { run(t, seeded(t, 0), n, repeated(2, 6)) })
				}
			})
		}
	})
}

// A bad index at every place of every primitive that looks for one.
func TestResolveBadIndex(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range resolves {
			t.Run("idx="+m.idx, func(t *testing.T) {
				r := seeded(t, 0)
				for n := 1; n <= 4*64/m.width+1; n += 3 {
					for bad := range n {
						for value := range 10 {
							a := randomResolve(r, n, 1)
							a.Bad, a.Value = bad, value
							if r.IntN(2) == 0 {
								a.Row = 1
							}
							c := m.resolve(r, a)
							c.check(t, false, c.somewhere(r))
							c = m.pattern(r, a)
							c.check(t, false, c.somewhere(r))
							c = m.check(r, a)
							c.check(t, false, c.somewhere(r))
							a = randomResolve(r, n, 1+r.IntN(4))
							a.Bad, a.Value = bad*len(a.Sizes)+r.IntN(len(a.Sizes)), value
							c = m.tuples(r, a)
							c.check(t, false, c.somewhere(r))
						}
					}
				}
			})
		}
	})
}

// Tuples of three whose offsets do not fit 32 bits, or do but just.
func TestWideTriples(t *testing.T) {
	const most = math.MaxInt32
	eachLevel(t, func(t *testing.T) {
		for _, c := range []struct{ sizes, strides [3]int }{
			{[3]int{2, 2, 2}, [3]int{most - 1, 1, 0}}, // the last offset is 2³¹ - 1
			{[3]int{2, 2, 2}, [3]int{most - 1, 1, 1}},
			{[3]int{2, 2, 1}, [3]int{most, 1, most}},
			{[3]int{most, 3, 3}, [3]int{1, 1 << 30, 1 << 29}},
			{[3]int{most, most, most}, [3]int{most, most, most}}, // the sum of three products does not fit an int
		} {
			wideTriples[int32](t, c.sizes, c.strides)
			wideTriples[int64](t, c.sizes, c.strides)
		}
	})
}

func wideTriples[I lanes.Index](t *testing.T, sizes, strides [3]int) {
	const n = 64
	var tuples []I
	want := make([]int, n)
	for i := range want {
		for d, size := range sizes {
			k := i >> d % min(size, 1<<20)
			if i%3 == 0 && size < 1<<20 {
				tuples = append(tuples, I(k-size))
			} else {
				tuples = append(tuples, I(k))
			}
			want[i] += k * strides[d]
		}
	}
	offsets := make([]int, n)
	require.Equal(t, -1, lanes.ResolveTuples(offsets, lanes.Plane[I]{Data: tuples, Row: 3, Col: 1}, sizes[:], strides[:], 0))
	require.Equal(t, want, offsets, "sizes %d, strides %d", sizes, strides)
}

// Offsets from a bad one on keep what they hold.
func TestResolveStops(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		const n = 100
		indices := make([]int64, n)
		for bad := range n {
			indices[bad] = 5
			offsets := slices.Repeat([]int{-7}, n)
			require.Equal(t, bad, lanes.Resolve(offsets, indices, 0, 1, 5, 1, 1))
			require.False(t, slices.ContainsFunc(offsets[bad:], func(o int) bool { return o != -7 }), "bad index at %d: %v", bad, offsets)
			offsets = slices.Repeat([]int{-7}, n)
			require.Equal(t, bad, lanes.ResolvePattern(offsets, indices, 0, 5, 1, make([]int, n)))
			require.False(t, slices.ContainsFunc(offsets[bad:], func(o int) bool { return o != -7 }), "bad index at %d: %v", bad, offsets)
			offsets = slices.Repeat([]int{-7}, n)
			require.Equal(t, bad, lanes.ResolveTuples(offsets, lanes.Plane[int64]{Data: indices, Row: 1, Col: 0}, []int{5, 5}, []int{1, 1}, 1))
			require.False(t, slices.ContainsFunc(offsets[bad:], func(o int) bool { return o != -7 }), "bad tuple at %d: %v", bad, offsets)
			offsets = slices.Repeat([]int{-7}, n/2)
			require.Equal(t, bad/2, lanes.ResolveTuples(offsets, lanes.Plane[int64]{Data: indices, Row: 2, Col: 1}, []int{5, 5}, []int{1, 1}, 1))
			require.False(t, slices.ContainsFunc(offsets[bad/2:], func(o int) bool { return o != -7 }), "bad pair at %d: %v", bad/2, offsets)
			indices[bad] = 0
		}
	})
}

// widenArgs is a call of Widen.
type widenArgs struct{ N, Step, Pad int }

func widenCall[I lanes.AnyIndex](r *rand.Rand, a widenArgs) *call {
	var x I
	l, n := fit(a.N, 1, a.Step, 1, a.Pad)
	in := elem{width: int(unsafe.Sizeof(x)), kind: integer, parts: 1}
	c := &call{op: "Widen", args: &a, output: true, layouts: []layout{{}, l}, buffers: []buffer{newBuffer("out", a.N, 8), newBuffer("indices", n, in.width)}}
	in.fill(r, c.buffers[1].data)
	c.run = func(c *call, oracle bool, mem [][]byte) int {
		f := lanes.Widen[I]
		if oracle {
			f = generic.Widen[I]
		}
		f(elems[int64](mem[0]), elems[I](mem[1]), c.layouts[1].at, c.layouts[1].row)
		return -1
	}
	return c
}

var widenings = []struct {
	idx   string
	width int
	call  func(*rand.Rand, widenArgs) *call
}{
	{"int", wordBytes, widenCall[int]}, {"i8", 1, widenCall[int8]}, {"i16", 2, widenCall[int16]}, {"i32", 4, widenCall[int32]}, {"i64", 8, widenCall[int64]},
	{"uint", wordBytes, widenCall[uint]}, {"u8", 1, widenCall[uint8]}, {"u16", 2, widenCall[uint16]}, {"u32", 4, widenCall[uint32]}, {"u64", 8, widenCall[uint64]},
}

func TestWiden(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range widenings {
			t.Run("idx="+m.idx, func(t *testing.T) {
				r := seeded(t, 0)
				for _, n := range append(lengthsOf(m.width), 1000, 8193) {
					for _, step := range []int{1, 1, 2, 3, -1, 0} {
						c := m.call(r, widenArgs{n, step, r.IntN(17)})
						c.check(t, false, c.somewhere(r))
					}
				}
			})
		}
	})
}

func init() {
	for _, m := range resolves {
		args := func(r *rand.Rand, n, offset, components int, plain bool) resolveArgs {
			a := randomResolve(r, n, components)
			if plain {
				a.Row, a.Col, a.Bad = components, 1, -1
			}
			a.Pad = offset
			return a
		}
		add := func(op string, components func(r *rand.Rand) int, build func(*rand.Rand, resolveArgs) *call) {
			fenced = append(fenced, fence{op, "offset", m.idx, m.width, func(r *rand.Rand, n, offset int, plain bool) *call {
				return build(r, args(r, n, offset, components(r), plain))
			}})
		}
		one := func(*rand.Rand) int { return 1 }
		add("Resolve", one, m.resolve)
		add("ResolvePattern", one, m.pattern)
		add("Check", one, m.check)
		several := func(r *rand.Rand) int { return 1 + r.IntN(5) }
		add("ResolveTuples", several, m.tuples)
		add("ResolveTuplesPattern", several, m.tuplesPattern)
	}
	for _, m := range widenings {
		fenced = append(fenced, fence{"Widen", "i64", m.idx, m.width, func(r *rand.Rand, n, offset int, plain bool) *call {
			a := widenArgs{n, 1, offset}
			if !plain {
				a.Step = pick(r, 2, -1, 0, 3)
			}
			return m.call(r, a)
		}})
	}
}
