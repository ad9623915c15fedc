package kernels

import (
	"math"
	"runtime"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestStridesOfManyAxes: they are written out once, for an empty view too, as each would take time
// by the rank.
func TestStridesOfManyAxes(t *testing.T) {
	for _, n := range []int{0, 1} {
		v := view{tensor: &tensor{shape: make([]int, maxLoops+2), len: 1}}
		for d := range v.shape {
			v.shape[d] = 1
		}
		v.shape[1], v.shape[5] = n, 1
		require.NoError(t, v.check("Slice"))
		require.Len(t, v.strides, len(v.shape))
	}
}

// TestShare: parts follow each other without gaps, whatever their number.
func TestShare(t *testing.T) {
	for _, n := range []int{0, 1, 1_079_999, math.MaxInt32} {
		for _, parts := range []int{1, 7, 46_342, 60_000, 1 << 20} {
			if got := share(n, parts, parts); got != n {
				t.Errorf("share(%d, %d, %d) = %d", n, parts, parts, got)
			}
			for last, i := 0, 1; i <= parts; i++ {
				next := share(n, i, parts)
				if next < last || next-last-1 > n/parts {
					t.Fatalf("share(%d, %d, %d) = %d, the one before %d", n, i, parts, next, last)
				}
				last = next
			}
		}
	}
}

// TestStreams: what counts is what a call reads and writes, not what its operands are cut from.
func TestStreams(t *testing.T) {
	defer func(bytes, reach int) { dispatch.Default.StreamBytes, dispatch.Default.StreamReach = bytes, reach }(dispatch.Default.StreamBytes, dispatch.Default.StreamReach)
	dispatch.Default.StreamBytes, dispatch.Default.StreamReach = 4<<20, 16<<20
	const large = 1 << 30
	for _, row := range []struct {
		name         string
		run          loop
		width, n     int
		src, indices int // elements
		want         bool
	}{
		{"a short output", loop{1 << 20, [3]int{1, 1, 0}}, 4, 1 << 19, large, 0, false},
		{"rows of a large array", loop{100, [3]int{1, 1, 0}}, 4, 1 << 20, large, 0, false},
		{"reversed rows of one", loop{100, [3]int{1, -1, 0}}, 4, 1 << 20, large, 0, false},
		{"many rows of one", loop{100, [3]int{1, 1, 0}}, 4, 1 << 21, large, 0, true},
		{"long rows of one", loop{1 << 10, [3]int{1, 1, 0}}, 4, 1 << 21, large, 0, false},
		{"more long rows of one", loop{1 << 10, [3]int{1, 1, 0}}, 4, 3 << 20, large, 0, true},
		{"long reversed rows of one", loop{1 << 10, [3]int{1, -1, 0}}, 4, 1 << 21, large, 0, true},
		{"many rows of a small array", loop{100, [3]int{1, 1, 0}}, 4, 1 << 21, 100, 0, false},
		{"elements that lie apart", loop{100, [3]int{1, 50, 0}}, 4, 1 << 20, large, 0, true},
		{"elements by indices", loop{100, [3]int{1, 0, 1}}, 4, 1 << 20, large, 1 << 20, true},
		{"elements of a small array by indices", loop{100, [3]int{1, 0, 1}}, 4, 1 << 20, 1000, 1 << 20, false},
	} {
		kind := lanes.BitsOf(row.width)
		c := call{elem: elem{size: row.width, kind: kind}}
		c.src, c.idx = lanes.Memory{Len: row.src, Kind: kind}, lanes.Memory{Len: row.indices, Kind: lanes.KindI64}
		c.dst = lanes.Memory{Len: large, Kind: kind}
		c.set([]loop{row.run})
		c.workers = 1
		assert.Equal(t, row.want, c.streams(row.n), row.name)
	}
	// Rows by indices, of which few are distinct.
	for distinct, want := range map[int]bool{1: false, 8: false, 16: false, 64: true, 1 << 13: true} {
		indices := make([]int64, 1<<13)
		for i := range indices {
			indices[i] = int64(i / (len(indices) / distinct))
		}
		c := call{work: gatherWork, elem: elem{size: 4, kind: lanes.KindX32}, src: lanes.Memory{Len: large, Kind: lanes.KindX32}, idx: wideMemory(indices), axes: axes{step: 1}}
		c.dst = lanes.Memory{Len: large, Kind: lanes.KindX32}
		c.workers = 1
		c.set([]loop{{1 << 6, [3]int{0, 0, 1 << 7}}, {1 << 7, [3]int{1 << 8, 0, 1}}, {1 << 8, [3]int{1, 1, 0}}})
		assert.Equal(t, want, c.streams(1<<21), "%d distinct indices", distinct)
	}
	// The same two indices for each of 64 tables are not few places.
	c := call{work: gatherWork, elem: elem{size: 4, kind: lanes.KindX32}, src: lanes.Memory{Len: large, Kind: lanes.KindX32}, idx: wideMemory([]int64{3, 1})}
	c.step, c.workers = 1<<15, 1
	c.set([]loop{{1 << 6, [3]int{1 << 16, 1 << 17, 0}}, {2, [3]int{1 << 15, 0, 1}}, {1 << 14, [3]int{1, 1, 0}}})
	assert.True(t, c.streams(3<<20))
	// Several workers leave more to the caches, of long runs most.
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	c = call{elem: elem{size: 4, kind: lanes.KindX32}, src: lanes.Memory{Len: large, Kind: lanes.KindX32}}
	for run, limits := range map[int]map[int]int{
		100:     {0: 24 << 20, 1: 16 << 20, 2: 24 << 20},
		1 << 10: {0: 48 << 20, 1: 24 << 20, 2: 48 << 20},
	} {
		c.set([]loop{{run, [3]int{1, 1, 0}}})
		for workers, bytes := range limits {
			c.workers = workers
			assert.False(t, c.streams((bytes-1)/8), "runs of %d, %d workers", run, workers)
			assert.True(t, c.streams((bytes-1)/8+1), "runs of %d, %d workers", run, workers)
		}
	}
}

// TestStreamsOfCopiesAndTiles: a copy that is updated next goes past the caches from 24 MB on, and
// so does a gather into a transposed dst where one into a row-major dst does.
func TestStreamsOfCopiesAndTiles(t *testing.T) {
	defer func(bytes, reach int) { dispatch.Default.StreamBytes, dispatch.Default.StreamReach = bytes, reach }(dispatch.Default.StreamBytes, dispatch.Default.StreamReach)
	dispatch.Default.StreamBytes, dispatch.Default.StreamReach = 4<<20, 4<<20
	c := call{work: copyWork, elem: elem{size: 4, kind: lanes.KindF32}}
	c.src = lanes.Memory{Len: 1 << 30, Kind: lanes.KindF32}
	c.set([]loop{{100, [3]int{1, 1, 0}}})
	require.True(t, c.streamsCopy(6<<20, true))
	require.False(t, c.streamsCopy(6<<20-1, true), "it should stay in the caches")
	require.True(t, c.streamsCopy(6<<20-1, false))
	require.False(t, c.streamsCopy(1<<20-1, false), "it is small")

	const rows, cols = 4096, 700
	indices := make([]int64, rows)
	for i := range indices {
		indices[i] = int64(i)
	}
	for _, n := range []int{rows, rows / 4} {
		dst := view{tensor: &tensor{shape: []int{n, cols}, strides: []int{1, n}}, count: n * cols}
		c := call{work: gatherWork, elem: elem{size: 4, kind: lanes.KindF32}, axes: axes{size: rows, step: cols}}
		c.src, c.idx = lanes.Memory{Len: rows * cols, Kind: lanes.KindF32}, wideMemory(indices)
		c.gatherLoops([]loop{{n, [3]int{1, 0, 1}}, {cols, [3]int{n, 1, 0}}}, &dst)
		require.True(t, c.tiles)
		require.Equal(t, n == rows, c.stream)
	}
}

// TestMeanWindow: a window's bytes fit an int, and grow with the updates, not with the axis.
func TestMeanWindow(t *testing.T) {
	for _, size := range []int{1, 9, 1 << 20, 64 << 20, math.MaxInt32 - 15, math.MaxInt32 - 7, math.MaxInt32 - 1, math.MaxInt32, math.MaxInt} {
		for _, updates := range []int{0, 1, 200, 1 << 20, math.MaxInt32, math.MaxInt} {
			w := meanWindow(size, updates)
			assert.Positive(t, w)
			assert.Positive(t, (w+1)*24, "%d cells, %d updates", size, updates) // a counter and the widest sum
			assert.LessOrEqual(t, w/4-1, updates, "%d cells", size)
			if updates >= size && size < 1<<24 {
				assert.GreaterOrEqual(t, 8*w, size, "at most eight passes")
			}
		}
	}
}

// TestTensorInMemory: a tensor has a Tensor's fields, at the same places.
func TestTensorInMemory(t *testing.T) {
	x := Tensor[int64]{Data: make([]int64, 3, 5), Shape: []int{1, 2}, Strides: []int{3, 4}, Offset: 6}
	v := tensorOf(&x)
	require.Equal(t, unsafe.Sizeof(x), unsafe.Sizeof(*v))
	require.Equal(t, tensor{unsafe.Pointer(&x.Data[0]), 3, 5, x.Shape, x.Strides, 6}, *v)
	require.Equal(t, 8, elementSize(&x))
}

// TestTableStrips: which loop is cut, into how many steps, and how many elements of a row that are.
// Tables have 100 elements of 4 bytes, and caches hold 8 of them.
func TestTableStrips(t *testing.T) {
	table := dispatch.Default
	t.Cleanup(func() { dispatch.Default = table })
	dispatch.Default.StripTable, dispatch.Default.StripBytes = 0, 3200
	set(t, &fusedLine, 8)
	var other call // what is not as in an ordinary call
	strip := func(w work, loops ...loop) tableStrip {
		c := other
		c.work, c.elem.size, c.elem.kind = w, 4, lanes.KindX32
		c.size, c.step = 50, -2
		c.set(loops)
		return c.tableStrip()
	}
	row, of := loop{8, [3]int{1000, 0, 1}}, func(n, apart int) loop { return loop{n, [3]int{1, apart, 0}} }
	none := tableStrip{}
	require.Equal(t, tableStrip{loop: 1, steps: 8, elements: 8}, strip(gatherWork, row, of(9, 100)))
	require.Equal(t, tableStrip{loop: 1, steps: 8, elements: 8}, strip(gatherWork, row, of(9, -100)))
	require.Equal(t, none, strip(gatherWork, row, of(8, 100)), "all of them")
	require.Equal(t, none, strip(gatherWork, row, of(9, 99)), "tables that lie in each other")
	require.Equal(t, none, strip(gatherWork, loop{7, row.s}, of(9, 100)), "few rows")
	require.Equal(t, none, strip(gatherWork, of(9, 100), row), "each table by itself")
	require.Equal(t, tableStrip{loop: 2, steps: 8, elements: 8}, strip(gatherWork, of(9, 900), row, of(9, 100)))
	require.Equal(t, tableStrip{loop: 1, steps: 2, elements: 8}, strip(gatherWork, row, of(9, 400), of(4, 100)))
	require.Equal(t, tableStrip{loop: 2, steps: 8, elements: 8}, strip(gatherWork, row, of(9, 900), of(9, 100)))
	require.Equal(t, tableStrip{loop: 1, steps: 8, elements: 40}, strip(gatherWork, row, of(9, 100), of(5, 20)), "elements in a table")
	require.Equal(t, none, strip(gatherWork, row, of(9, 100), of(6, 20)), "elements that reach beyond it")
	set(t, &fusedLine, 9)
	require.Equal(t, none, strip(gatherWork, row, of(9, 100)), "few elements of a row")
	require.Equal(t, none, strip(scatterWork, row, of(9, 100)), "the other operand")
	require.Equal(t, none, strip(copyWork, row, of(9, 100)))

	set(t, &fusedLine, 8)
	cells := func(n, apart int) loop { return loop{n, [3]int{apart, 1, 0}} }
	updates := loop{8, [3]int{0, 1000, 1}}
	require.Equal(t, tableStrip{loop: 1, steps: 8, elements: 8}, strip(scatterWork, updates, cells(9, 100)))
	for name, c := range map[string]call{
		"a mean": {attrs: ScatterAttrs{Reduction: Mean}}, "small": {small: true}, "packed strips": {strip: 1}, "tiles": {tiles: true}, "pointers": {elem: elem{refs: moverOf[string]{}}},
	} {
		other = c
		require.Equal(t, none, strip(scatterWork, updates, cells(9, 100)), name)
	}
	other = call{}
	dispatch.Default.StripTable = 9*400 + 1
	require.Equal(t, none, strip(gatherWork, row, of(9, 100), of(5, 20)), "small tables")
}

// TestColumnStrips: short lines in columns of a large table are gathered some at a time, where there
// is a body that gathers along a pattern; others are packed.
func TestColumnStrips(t *testing.T) {
	table := dispatch.Default
	t.Cleanup(func() { dispatch.Default = table })
	dispatch.Default.StripTable, dispatch.Default.StripBytes, dispatch.Default.StreamReach = 40_000, 50*6*4*10, 40_000
	set(t, &dispatch.Near.Last, 0)
	set(t, &dispatch.Near.Second, 40_000)
	strip := func(change func(c *call), loops ...loop) tableStrip {
		var c call
		c.work, c.elem.size, c.elem.kind = gatherWork, 4, lanes.KindX32
		c.size, c.step, c.src.Len = 50, 600, 50*600
		change(&c)
		c.set(append(loops, one))
		s := c.columnStrip()
		if s.steps > 0 {
			require.Zero(t, c.stripOf(srcOp), "it is packed as well")
			require.Equal(t, s, c.tableStrip())
		}
		return s
	}
	as := func(*call) {}
	row, around, line := loop{8, [3]int{400, 0, 400}}, loop{100, [3]int{4, 6, 4}}, loop{4, [3]int{1, 1, 1}}
	none := tableStrip{}
	some := tableStrip{loop: 1, steps: 10, elements: 40}
	if !lanes.GathersPatterns() {
		some = none
	}
	require.Equal(t, some, strip(as, row, around, line))
	require.Equal(t, none, strip(as, loop{7, row.s}, around, line), "few rows")
	require.Equal(t, none, strip(as, row, around, loop{16, line.s}), "long lines")
	require.Equal(t, none, strip(as, row, loop{10, around.s}, line), "the cache holds all")
	require.Equal(t, none, strip(as, row, loop{100, [3]int{4, 600, 4}}, line), "tables of their own")
	require.Equal(t, none, strip(as, row, around, loop{4, [3]int{1, 2, 1}}), "columns apart")
	require.Equal(t, none, strip(as, around, row, line), "the table by itself")
	require.Equal(t, none, strip(func(c *call) { c.size = 10 }, row, around, line), "a small table")
	require.Equal(t, none, strip(func(c *call) { c.work = scatterWork }, row, around, line))
	require.Equal(t, none, strip(func(c *call) { c.stream = true }, row, around, line))
}

// TestPackedTables: which loop of a gather of rows from a transposed table is cut, into how many
// steps. The table has 50 rows of 4-byte elements that lie side by side, column by column.
func TestPackedTables(t *testing.T) {
	set(t, &packedBytes, 5000)
	set(t, &packedTable, 4000)
	strip := func(step int, loops ...loop) tableStrip {
		c := call{work: gatherWork, elem: elem{size: 4, kind: lanes.KindX32}}
		c.size, c.step, c.src.Len = 50, step, 1<<20
		c.set(loops)
		return c.tableStrip()
	}
	rows, columns := loop{13, [3]int{1000, 0, 1}}, func(n, apart int) loop { return loop{n, [3]int{1, apart, 0}} }
	packed := func(loop, steps, elements int) tableStrip { return tableStrip{loop, steps, elements, true} }
	none := tableStrip{}
	require.Equal(t, packed(1, 25, 25), strip(1, rows, columns(30, 50)))
	require.Equal(t, packed(2, 25, 25), strip(1, one, rows, columns(30, 50)))
	require.Equal(t, packed(1, 25, 25), strip(-15, rows, columns(30, -750)))
	require.Equal(t, packed(1, 5, 25), strip(1, rows, columns(30, 250), columns(5, 50)))
	require.Equal(t, packed(2, 25, 25), strip(1, rows, columns(30, 1500), columns(30, 50)))
	require.Equal(t, packed(1, 5, 25), strip(5, rows, columns(30, 250), columns(5, 1)), "elements side by side")
	require.Equal(t, packed(2, 25, 25), strip(1, columns(7, 5000), rows, columns(30, 50)))
	require.Equal(t, none, strip(1, loop{30, [3]int{1001, 50, 0}}, rows), "rows of one column")
	require.Equal(t, none, strip(16, rows, columns(30, 800)), "rows in cache lines of their own")
	require.Equal(t, none, strip(1, loop{11, rows.s}, columns(30, 50)), "few rows")
	require.Equal(t, none, strip(1, rows, columns(15, 50)), "few columns")
	require.Equal(t, none, strip(1, rows, columns(20, 50)), "a small table")
	require.Equal(t, none, strip(1, rows, columns(30, 49)), "columns that lie in each other")
	require.Equal(t, none, strip(1, rows, loop{30, [3]int{1, 50, 13}}), "indices for each column")
	require.Equal(t, packed(2, 25, 25), strip(1, rows, loop{3, [3]int{1, 5000, 13}}, columns(30, 50)), "indices for each table")
	require.Equal(t, none, strip(1, rows, columns(30, 50), loop{3, [3]int{1, 5000, 13}}), "indices for each table")
}

// TestNarrowStrips: of a scatter's tables with few columns those are packed into which go as many rows
// of updates as they have.
func TestNarrowStrips(t *testing.T) {
	strip := func(columns, rows int) int {
		c := call{work: scatterWork, elem: elem{size: 4, kind: lanes.KindX32}}
		c.size, c.step = 22, 1<<22
		c.set([]loop{{rows, [3]int{0, columns, columns}}, {columns, [3]int{1, 1, 1}}, one})
		return c.scatterStrip(22*4, 0, rows)
	}
	for _, tt := range []struct{ columns, rows, strip int }{{9, 5, 0}, {9, 21, 0}, {9, 22, 9}, {31, 5, 0}, {32, 5, 32}, {100, 5, 100}} {
		require.Equal(t, tt.strip, strip(tt.columns, tt.rows), "%+v", tt)
	}
}

// TestTransposedPlanes: what an index names is copied by itself where rows of it share cache lines
// in src, along a loop around the indices in dst, and its runs do not.
func TestTransposedPlanes(t *testing.T) {
	plane := func(rows, step, run, apart int) int {
		c := call{work: gatherWork, elem: elem{size: 4, kind: lanes.KindX32}}
		c.size, c.step = 9, 1000
		c.set([]loop{{rows, [3]int{40 * run, step, 0}}, {40, [3]int{run, 0, 1}}, {run, [3]int{1, apart, 0}}})
		return c.planeOf(&c.nest, srcOp)
	}
	require.Equal(t, 0, plane(768, 1, 32, 9000))
	require.Equal(t, 0, plane(66, 15, 32, 9000))
	require.Equal(t, 0, plane(66, 15, 32, 990))
	require.Equal(t, -1, plane(66, 15, 32, 989), "runs that lie in the rows")
	require.Equal(t, 0, plane(62, 15, 34, 9000))
	require.Equal(t, -1, plane(62, 16, 34, 9000), "rows in cache lines of their own")
	require.Equal(t, -1, plane(63, 1, 32, 9000), "a small plane")
	require.Equal(t, -1, plane(1001, 1, 32, 9000), "more than an index names")
}

// TestPlanesOfFewIndices: a loop inside that of the indices makes a plane, too, if planes follow
// each other in the other operand.
func TestPlanesOfFewIndices(t *testing.T) {
	set(t, &leastPlane, 100) // which does not matter here
	plane := func(w work, apart, rows int) int {
		c := call{work: w, elem: elem{size: 1, kind: lanes.KindX8}}
		c.size, c.step = 9, 4000
		c.set([]loop{{8, [3]int{apart, 0, 1}}, {rows, [3]int{32, 40, 0}}, {32, [3]int{1, 1, 0}}})
		if w == gatherWork {
			return c.planeOf(&c.nest, srcOp)
		}
		for k := range c.loops() {
			s := &c.loops()[k].s
			s[dstOp], s[srcOp] = s[srcOp], s[dstOp]
		}
		return c.planeOf(&c.nest, dstOp)
	}
	for _, w := range []work{gatherWork, scatterWork} {
		require.Equal(t, 1, plane(w, 3200, 100))
		require.Equal(t, -1, plane(w, 3199, 100), "planes that interleave")
		require.Equal(t, -1, plane(w, 5000, 102), "more than an index names")
		require.Equal(t, 1, plane(w, 5000, 64))
		require.Equal(t, -1, plane(w, 5000, 63), "few rows")
	}
}

// TestSplitLoops: a gather in strips is split along the loop that is cut, and one of planes along
// another loop than theirs; rows of a transposed table that a cache holds are not split, if they
// are few, whichever way the axis goes.
func TestSplitLoops(t *testing.T) {
	split := func(c call, loops ...loop) split {
		c.workers, c.elem = 3, elem{size: 4, kind: lanes.KindX32}
		c.set(loops)
		return c.split(c.workers)
	}
	strips := call{work: gatherWork, tables: tableStrip{loop: 1, steps: 8, elements: 8}}
	require.Equal(t, 1, split(strips, loop{40, [3]int{1000, 0, 1}}, loop{9, [3]int{1, 100, 0}}, one).loop)

	strips.tables = tableStrip{loop: 1, steps: 16, elements: 16, packed: true}
	require.Equal(t, 1, split(strips, loop{40, [3]int{100, 0, 1}}, loop{100, [3]int{1, 40, 0}}, one).loop)
	strips.tables.loop = 2
	require.Equal(t, 0, split(strips, loop{6, [3]int{4000, 4000, 0}}, loop{40, [3]int{100, 0, 1}}, loop{100, [3]int{1, 40, 0}}).loop)
	require.Equal(t, 2, split(strips, loop{5, [3]int{4000, 4000, 0}}, loop{40, [3]int{100, 0, 1}}, loop{100, [3]int{1, 40, 0}}).loop, "too few tables")

	planes := call{work: gatherWork, axes: axes{size: 9, step: 1000}}
	rows, line, run := loop{768, [3]int{40 * 32, 1, 0}}, loop{40, [3]int{32, 0, 1}}, loop{32, [3]int{1, 9000, 0}}
	require.Equal(t, 1, split(planes, rows, line, run).loop)
	require.Equal(t, 0, split(planes, loop{6, [3]int{40 * 32 * 768, 0, 40}}, rows, line, run).loop)

	if cache, _ := dispatch.L2(); cache > 0 {
		for _, step := range []int{12, -12} {
			transposed := call{work: scatterWork, axes: axes{size: 300, step: step}, dst: lanes.Memory{Len: 12 * 300}}
			require.LessOrEqual(t, split(transposed, loop{12, [3]int{1, 300, 300}}, loop{300, [3]int{0, 1, 1}}, one).parts, 1)
		}
	}
}

// TestBytesOfMany: updates with a stride of 0 may have more bytes than an int counts.
func TestBytesOfMany(t *testing.T) {
	var w observation
	w.pass(math.MaxInt/16, 16, 0, false)
	require.Equal(t, math.MaxInt/16*16, w.facts.Bytes)
	w.pass(math.MaxInt/16+1, 16, 0, false)
	require.Equal(t, math.MaxInt, w.facts.Bytes)
}

// TestFewLongRows: tables of 8 to 23 rows are packed before they fill the second-level cache, where
// no last-level cache is counted on.
func TestFewLongRows(t *testing.T) {
	set(t, &dispatch.Default.StripTable, 1000)
	set(t, &dispatch.Default.StreamReach, 2000) // other tables: 1500 bytes
	for _, counted := range []bool{false, true} {
		set(t, &dispatch.Near.Last, dispatch.Near.Second)
		if counted {
			dispatch.Near.Last++
		}
		for size, want := range map[int]int{7: 1500, 8: 750, 23: 750, 24: 1500} {
			if counted {
				want = 1500
			}
			var c call
			c.work, c.size = gatherWork, size
			require.Equal(t, want, c.leastTable(srcOp), "%d rows, last-level cache counted on: %t", size, counted)
			require.Equal(t, 1000, c.leastTable(dstOp), "a scatter")
		}
	}
}

// TestExchanged: which rows and columns of a tile are exchanged, and by way of which buffers. Without
// bodies for that only columns of several loops are fetched.
func TestExchanged(t *testing.T) {
	type loops = []loop
	for name, c := range map[string]struct {
		loops           loops
		width           int
		rows, cols      int // 0: none
		fetches, places bool
	}{
		"as they lie":               {loops{{4, [3]int{9000, 5000}}, {64, [3]int{9, 1}}, {9, [3]int{1, 99_000}}}, 1, 64, 9, false, false},
		"in reverse":                {loops{{64, [3]int{9, -1}}, {9, [3]int{1, 99_000}}}, 4, 64, 9, false, false},
		"too few together":          {loops{{9, [3]int{6, 1}}, {6, [3]int{1, 99_000}}}, 4, 0, 0, false, false},
		"too wide":                  {loops{{64, [3]int{9, 1}}, {9, [3]int{1, 99_000}}}, 16, 0, 0, false, false},
		"rows are side by side":     {loops{{64, [3]int{9, 2}}, {9, [3]int{1, 1}}}, 4, 0, 0, false, false},
		"columns are not":           {loops{{64, [3]int{27, 1}}, {9, [3]int{3, 99_000}}}, 4, 0, 0, false, false},
		"rows a step apart":         {loops{{64, [3]int{9, 2}}, {9, [3]int{1, 99_000}}}, 4, 64, 9, true, false},
		"rows in different lines":   {loops{{64, [3]int{9, 16}}, {9, [3]int{1, 99_000}}}, 4, 0, 0, false, false},
		"columns of two loops":      {loops{{64, [3]int{6, 1}}, {3, [3]int{2, 5000}}, {2, [3]int{1, 99_000}}}, 4, 64, 6, true, false},
		"one of two is enough":      {loops{{64, [3]int{27, 1}}, {3, [3]int{9, 5000}}, {9, [3]int{1, 99_000}}}, 1, 64, 9, false, false},
		"rows of two loops":         {loops{{7, [3]int{900, 7}}, {7, [3]int{90, 1}}, {9, [3]int{1, 99_000}}}, 1, 49, 9, false, true},
		"few rows":                  {loops{{7, [3]int{90, 1}}, {90, [3]int{1, 99_000}}}, 1, 16, 90, true, true},
		"fewer rows":                {loops{{6, [3]int{90, 1}}, {90, [3]int{1, 99_000}}}, 1, 0, 0, false, false},
		"few columns":               {loops{{64, [3]int{3, 1}}, {3, [3]int{1, 99_000}}}, 2, 64, 3, false, false},
		"few in reverse":            {loops{{64, [3]int{3, -1}}, {3, [3]int{1, 99_000}}}, 2, 64, 3, true, false},
		"few, and dst has gaps":     {loops{{64, [3]int{4, 1}}, {3, [3]int{1, 99_000}}}, 2, 64, 3, false, true},
		"few of 192 elements":       {loops{{63, [3]int{3, 1}}, {3, [3]int{1, 99_000}}}, 2, 0, 0, false, false},
		"few wide ones":             {loops{{64, [3]int{3, 1}}, {3, [3]int{1, 99_000}}}, 4, 0, 0, false, false},
		"fetched in short passes":   {loops{{16, [3]int{30, 2}}, {9, [3]int{1, 99_000}}, {1, [3]int{1, 1}}}[:2], 4, 0, 0, false, false},
		"fetched in a longer one":   {loops{{12, [3]int{9000, 7000}}, {16, [3]int{12, 2}}, {12, [3]int{1, 99_000}}}, 4, 16, 12, true, false},
		"the nearest loop is short": {loops{{2, [3]int{9000, 1}}, {64, [3]int{9, 3}}, {9, [3]int{1, 99_000}}}, 4, 0, 0, false, false},
	} {
		var x exchanged
		at := position{}
		ok := x.set(c.loops, c.width, &at)
		bodies := !c.fetches || name == "columns of two loops" || lanes.ExchangesRows()
		require.Equal(t, c.rows > 0 && bodies, ok, name)
		if ok {
			require.Equal(t, []any{c.rows, c.cols, c.fetches, c.places}, []any{x.rows, x.cols, x.fetches, x.places}, name)
		}
	}
}

// TestCopyLongBytes: from and to every address of 16 bytes, short and long, all bytes are copied, and
// no other is written.
func TestCopyLongBytes(t *testing.T) {
	src := make([]byte, leastUneven+64)
	for i := range src {
		src[i] = byte(i*7>>3) | 1
	}
	for _, n := range []int{1, 15, leastUneven - 1, leastUneven, leastUneven + 9} {
		for to := range 16 {
			for from := range 16 {
				dst := make([]byte, leastUneven+64)
				want := make([]byte, len(dst))
				copy(want[to:], src[from:from+n])
				copyLongBytes(dst[to:to+n], src[from:from+n])
				require.Equal(t, want, dst, "%d bytes from %d to %d", n, from, to)
			}
		}
	}
}

// TestCountersDiffer: a mean's checksum tells counters from others of the same sum, in any order of
// them, and leaves out those that stand for indices outside of the window.
func TestCountersDiffer(t *testing.T) {
	m := meanPart{means: means{c: call{axes: axes{size: 9}}}, window: 9}
	require.Equal(t, m.sumOf(0, []int{5, 1, 7}), m.sumOf(1, []int{6, 4, 0}))
	require.NotEqual(t, m.sumOf(0, []int{1, 2}), m.sumOf(0, []int{0, 3}))
	require.NotEqual(t, m.sumOf(0, []int{4, 4}), m.sumOf(0, []int{3, 5}))
	m.window, m.cells = 4, 4
	require.Equal(t, m.sumOf(0, []int{1, 3}), m.sumOf(0, []int{1, 4, 3, 60}))
}
