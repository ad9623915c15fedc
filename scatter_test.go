package lanes_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
)

// scatters makes a call that combines updates into cells; run is the primitive and the oracle.
func scatters[T any](op string, r *rand.Rand, e elem, a rowsArgs, run, oracle func(dst []T, at, col int, offsets []int, updates lanes.Plane[T], cols int)) *call {
	updates, updatesLen := fit(a.Rows, a.Cols, a.Row, a.Col, a.Pad)
	offsets, at, dstLen := a.offsetsOf(r, "offsets")
	c := &call{
		op: op, args: &a, output: true, rows: a.Rows, cols: a.Cols,
		buffers: []buffer{newBuffer("dst", dstLen, e.width), offsets, newBuffer("updates", updatesLen, e.width)},
		layouts: []layout{{at: at, col: a.Step}, {}, updates},
	}
	e.fill(r, c.buffers[0].data)
	e.fill(r, c.buffers[2].data)
	// A minimum and a maximum select bits; only arithmetic makes NaNs of its own.
	if e.kind == float && (a.Op == lanes.Sum || a.Op == lanes.Prod || a.Op == lanes.Sub) {
		c.same = e.sameButForNaNs
	}
	c.run = func(c *call, asOracle bool, mem [][]byte) int {
		f := run
		if asOracle {
			f = oracle
		}
		f(elems[T](mem[0]), c.layouts[0].at, c.layouts[0].col, elems[int](mem[1]), plane[T](mem[2], c.layouts[2]), c.cols)
		return -1
	}
	return c
}

func scatterCall[T lanes.Elem](r *rand.Rand, e elem, a rowsArgs) *call {
	return scatters("Scatter", r, e, a, lanes.Scatter[T], generic.Scatter[T])
}

func reduceCall[T lanes.Number](r *rand.Rand, e elem, a rowsArgs) *call {
	return scatters("ScatterReduce", r, e, a, func(dst []T, at, col int, offsets []int, updates lanes.Plane[T], cols int) {
		lanes.ScatterReduce(a.Op, dst, at, col, offsets, updates, cols)
	}, func(dst []T, at, col int, offsets []int, updates lanes.Plane[T], cols int) {
		generic.ScatterReduce(a.Op, dst, at, col, offsets, updates, cols)
	})
}

// scatterIndexedCall makes a call of ScatterIndexed, or with run and oracle one of
// ScatterReduceIndexed.
func scatterIndexedCall[T lanes.Elem, I lanes.Index](r *rand.Rand, e elem, a gatherArgs) *call {
	return scattersIndexed(r, e, a, "ScatterIndexed", lanes.ScatterIndexed[T, I], generic.ScatterIndexed[T, I])
}

func reduceIndexedCall[T lanes.Number, I lanes.Index](op lanes.Op) func(r *rand.Rand, e elem, a gatherArgs) *call {
	return func(r *rand.Rand, e elem, a gatherArgs) *call {
		bind := func(f func(lanes.Op, lanes.Plane[T], int, int, lanes.Plane[I], lanes.Plane[T], int, int) int) func(lanes.Plane[T], int, int, lanes.Plane[I], lanes.Plane[T], int, int) int {
			return func(dst lanes.Plane[T], size, step int, x lanes.Plane[I], u lanes.Plane[T], rows, cols int) int {
				return f(op, dst, size, step, x, u, rows, cols)
			}
		}
		return scattersIndexed(r, e, a, "ScatterReduceIndexed", bind(lanes.ScatterReduceIndexed[T, I]), bind(generic.ScatterReduceIndexed[T, I]))
	}
}

func reduceIndexedHalfCall[I lanes.Index](op lanes.Op, h lanes.Half) func(r *rand.Rand, e elem, a gatherArgs) *call {
	return func(r *rand.Rand, e elem, a gatherArgs) *call {
		var index I
		kinds := map[int]lanes.Kind{4: lanes.KindI32, 8: lanes.KindI64}
		run := func(dst lanes.Plane[uint16], size, step int, x lanes.Plane[I], u lanes.Plane[uint16], rows, cols int) int {
			kind := lanes.KindF16 + lanes.Kind(h)
			return lanes.ScatterReduceIndexedRaw(op, windowOf(kind, dst), size, step, windowOf(kinds[int(unsafe.Sizeof(index))], x), windowOf(kind, u), rows, cols)
		}
		oracle := func(dst lanes.Plane[uint16], size, step int, x lanes.Plane[I], u lanes.Plane[uint16], rows, cols int) int {
			return generic.ScatterReduceIndexedHalf(op, h, dst, size, step, x, u, rows, cols)
		}
		return scattersIndexed(r, e, a, "ScatterReduceIndexed", run, oracle)
	}
}

// scattersIndexed makes a scatter of a gather's arguments: the tables are what
// is written, and dst has the steps of the updates.
func scattersIndexed[T lanes.Elem, I lanes.Index](r *rand.Rand, e elem, a gatherArgs, op string,
	run, oracle func(lanes.Plane[T], int, int, lanes.Plane[I], lanes.Plane[T], int, int) int) *call {
	var x I
	cells, cellsLen := fit(max(a.Rows, 1), max(a.Cols, 1), a.SrcRow, a.SrcCol, a.SrcPad)
	if reach := max(a.Size-1, 0) * a.Step; reach < 0 {
		cells.at, cellsLen = cells.at-reach, cellsLen-reach
	} else {
		cellsLen += reach
	}
	updates, updatesLen := fit(a.Rows, a.Cols, a.DstRow, a.DstCol, a.DstPad)
	idx, idxLen := fit(a.Rows, a.Cols, a.IdxRow, a.IdxCol, a.IdxPad)
	c := &call{
		op: op, args: &a, output: true, applied: true, rows: a.Rows, cols: a.Cols,
		buffers: []buffer{newBuffer("dst", cellsLen, e.width), newBuffer("updates", updatesLen, e.width), newBuffer("indices", idxLen, int(unsafe.Sizeof(x)))},
		layouts: []layout{cells, updates, idx},
	}
	e.fill(r, c.buffers[0].data)
	e.fill(r, c.buffers[1].data)
	fillIndices[I](r, c.buffers[2].data, idx, a.Rows, a.Cols, a.Pattern, a.Bad, a.Value, func(int) int { return a.Size })
	c.run = func(c *call, old bool, mem [][]byte) int {
		f := run
		if old {
			f = oracle
		}
		return f(plane[T](mem[0], c.layouts[0]), a.Size, a.Step, plane[I](mem[2], c.layouts[2]), plane[T](mem[1], c.layouts[1]), c.rows, c.cols)
	}
	return c
}

func reduceHalfCall(r *rand.Rand, e elem, a rowsArgs) *call {
	a.Half = lanes.Binary16
	if e.exp == 8 {
		a.Half = lanes.Brain16
	}
	return scatters("ScatterReduceHalf", r, e, a, func(dst []uint16, at, col int, offsets []int, updates lanes.Plane[uint16], cols int) {
		lanes.ScatterReduceHalf(a.Op, a.Half, dst, at, col, offsets, updates, cols)
	}, func(dst []uint16, at, col int, offsets []int, updates lanes.Plane[uint16], cols int) {
		generic.ScatterReduceHalf(a.Op, a.Half, dst, at, col, offsets, updates, cols)
	})
}

func reduceComplexCall[T complex64 | complex128](r *rand.Rand, e elem, a rowsArgs) *call {
	return scatters("ScatterReduceComplex", r, e, a, func(dst []T, at, col int, offsets []int, updates lanes.Plane[T], cols int) {
		lanes.ScatterReduceComplex(a.Op, dst, at, col, offsets, updates, cols)
	}, func(dst []T, at, col int, offsets []int, updates lanes.Plane[T], cols int) {
		generic.ScatterReduceComplex(a.Op, dst, at, col, offsets, updates, cols)
	})
}

// reductions is a row for each type that has arithmetic.
var reductions = []struct {
	elem
	call func(*rand.Rand, elem, rowsArgs) *call
	ops  int // how many of allOps it has
}{
	{elem{"i8", 1, integer, 1, 0}, reduceCall[int8], 5},
	{elem{"u8", 1, integer, 1, 0}, reduceCall[uint8], 5},
	{elem{"i16", 2, integer, 1, 0}, reduceCall[int16], 5},
	{elem{"u16", 2, integer, 1, 0}, reduceCall[uint16], 5},
	{elem{"i32", 4, integer, 1, 0}, reduceCall[int32], 5},
	{elem{"u32", 4, integer, 1, 0}, reduceCall[uint32], 5},
	{elem{"i64", 8, integer, 1, 0}, reduceCall[int64], 5},
	{elem{"u64", 8, integer, 1, 0}, reduceCall[uint64], 5},
	{elem{"int", wordBytes, integer, 1, 0}, reduceCall[int], 5},
	{elem{"uint", wordBytes, integer, 1, 0}, reduceCall[uint], 5},
	{elem{"f32", 4, float, 1, 8}, reduceCall[float32], 5},
	{elem{"f64", 8, float, 1, 11}, reduceCall[float64], 5},
	{elem{"f16", 2, float, 1, 5}, reduceHalfCall, 5},
	{elem{"bf16", 2, float, 1, 8}, reduceHalfCall, 5},
	{elem{"c64", 8, float, 2, 8}, reduceComplexCall[complex64], 3},
	{elem{"c128", 16, float, 2, 11}, reduceComplexCall[complex128], 3},
}

var allOps = []lanes.Op{lanes.Sum, lanes.Prod, lanes.Sub, lanes.Min, lanes.Max}

var opNames = map[lanes.Op]string{lanes.Sum: "sum", lanes.Prod: "prod", lanes.Sub: "sub", lanes.Min: "min", lanes.Max: "max"}

func TestScatter(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, w := range widths {
			t.Run("elem="+w.name, func(t *testing.T) {
				for _, n := range lengthsOf(w.width) {
					t.Run(fmt.Sprintf("n=%d", n), func(t *testing.T) {
						r := seeded(t, 0)
						for range repeated(4, 12) {
							c := w.scatter(r, w.elem, randomRows(r, n, 1, false))
							c.check(t, false, c.somewhere(r))
							for _, cache := range []int{dispatch.Near.Second, 0} { // which holds the cells, and doesn't
								second := dispatch.Near.Second
								dispatch.Near.Second = cache
								c = w.scatter(r, w.elem, randomRows(r, r.IntN(9), n, false))
								c.check(t, false, c.somewhere(r))
								dispatch.Near.Second = second
							}
						}
					})
				}
				for _, cols := range []int{1, 2, 3, 64, 1000}[repeated(3, 0):] {
					t.Run(fmt.Sprintf("large/cols=%d", cols), func(t *testing.T) {
						r := seeded(t, 0)
						a := randomRows(r, (1<<18+r.IntN(5000))/w.width/cols, cols, false)
						if a.Col > 3 || a.Row > 3*cols+17 {
							a.Row, a.Col = cols, 1
						}
						a.Cells, a.Gap = 20000/cols, cols-r.IntN(2)
						c := w.scatter(r, w.elem, a)
						c.check(t, false, c.somewhere(r))
					})
				}
			})
		}
	})
}

func TestScatterReduce(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range reductions {
			for _, op := range allOps[:m.ops] {
				t.Run(fmt.Sprintf("elem=%s/op=%s", m.name, opNames[op]), func(t *testing.T) {
					r := seeded(t, 0)
					run := func(a rowsArgs) {
						a.Op = op
						c := m.call(r, m.elem, a)
						c.check(t, false, c.somewhere(r))
					}
					for _, n := range lengthsOf(m.width) {
						for range repeated(1, 3) {
							run(randomRows(r, n, 1, false))
							run(randomRows(r, r.IntN(6), n, false)) // rows
						}
					}
					// Every pattern, over numbers of cells that conflict always, often and never.
					for _, pattern := range patterns {
						for _, cells := range []int{1, 2, 5, 16, 100, 1000} {
							n := 100 + r.IntN(200)
							run(rowsArgs{Rows: n, Cols: 1, Row: pick(r, 1, 1, 2, -1, 0), Col: 1, Pad: r.IntN(17), StepPad: r.IntN(17), Cells: cells, Gap: 1, Pattern: pattern})
						}
					}
					for _, cols := range []int{2, 3, 5, 8, 16, 17, 32, 33, 64, 65, 100, 127, 128, 200} {
						for _, col := range []int{1, 1, 2, -1, 0} {
							run(rowsArgs{Rows: 1 + r.IntN(9), Cols: cols, Row: cols + r.IntN(2), Col: pick(r, 1, 1, 2, -1, 0), Pad: r.IntN(17),
								Step: col, StepPad: r.IntN(17), Cells: 4, Gap: pick(r, cols, cols, 1), Pattern: "random"})
						}
					}
					if !testing.Short() {
						for _, n := range []int{1000, 4097, 8193, 20000} { // in pieces
							run(randomRows(r, n, 1, false))
						}
					}
				})
			}
		}
	})
}

func init() {
	for _, m := range reductions {
		fenced = append(fenced, fence{"ScatterReduce", m.name, "offset", m.width, func(r *rand.Rand, n, offset int, plain bool) *call {
			a := randomRows(r, r.IntN(4), n, false)
			switch (n + offset) % 3 {
			case 0: // single elements
				a = randomRows(r, n, 1, false)
				if plain {
					a = rowsArgs{Rows: n, Cols: 1, Row: 1, Col: 1, Step: 0, Cells: 1 + r.IntN(33), Gap: 1, Pattern: pick(r, patterns...)}
				}
			case 1:
				if plain {
					a = rowsArgs{Rows: 2, Cols: n, Row: n, Col: 1, Step: 1, Cells: 2, Gap: n, Pattern: "random"}
				}
			}
			a.Cells = min(a.Cells, 64)
			a.Op = allOps[r.IntN(m.ops)]
			a.Pad, a.StepPad = offset, (offset+n)%16
			return m.call(r, m.elem, a)
		}})
	}
}

// indexedScatters is a row for each primitive that resolves indices as it scatters.
func indexedScatters() (rows []struct {
	elem
	name, idx string
	op        lanes.Op
	call      func(*rand.Rand, elem, gatherArgs) *call
}) {
	add := func(name string, e elem, op lanes.Op, makes ...func(*rand.Rand, elem, gatherArgs) *call) {
		for k, m := range makes {
			rows = append(rows, struct {
				elem
				name, idx string
				op        lanes.Op
				call      func(*rand.Rand, elem, gatherArgs) *call
			}{e, name, []string{"i32", "i64"}[k], op, m})
		}
	}
	x := func(name string, width int) elem { return elem{name, width, integer, 1, 0} }
	add("ScatterIndexed", x("x8", 1), 0, scatterIndexedCall[uint8, int32], scatterIndexedCall[uint8, int64])
	add("ScatterIndexed", x("x16", 2), 0, scatterIndexedCall[uint16, int32], scatterIndexedCall[uint16, int64])
	add("ScatterIndexed", x("x32", 4), 0, scatterIndexedCall[uint32, int32], scatterIndexedCall[uint32, int64])
	add("ScatterIndexed", x("x64", 8), 0, scatterIndexedCall[uint64, int32], scatterIndexedCall[uint64, int64])
	add("ScatterIndexed", x("x128", 16), 0, scatterIndexedCall[lanes.X128, int32], scatterIndexedCall[lanes.X128, int64])
	for _, op := range allOps {
		add("ScatterReduceIndexed", elem{"f32", 4, float, 1, 8}, op, reduceIndexedCall[float32, int32](op), reduceIndexedCall[float32, int64](op))
		add("ScatterReduceIndexed", elem{"f64", 8, float, 1, 11}, op, reduceIndexedCall[float64, int32](op), reduceIndexedCall[float64, int64](op))
		add("ScatterReduceIndexed", elem{"f16", 2, float, 1, 5}, op, reduceIndexedHalfCall[int32](op, lanes.Binary16), reduceIndexedHalfCall[int64](op, lanes.Binary16))
		add("ScatterReduceIndexed", elem{"bf16", 2, float, 1, 8}, op, reduceIndexedHalfCall[int32](op, lanes.Brain16), reduceIndexedHalfCall[int64](op, lanes.Brain16))
		add("ScatterReduceIndexed", x("i8", 1), op, reduceIndexedCall[int8, int32](op), reduceIndexedCall[int8, int64](op))
		add("ScatterReduceIndexed", x("u16", 2), op, reduceIndexedCall[uint16, int32](op), reduceIndexedCall[uint16, int64](op))
		add("ScatterReduceIndexed", x("i32", 4), op, reduceIndexedCall[int32, int32](op), reduceIndexedCall[int32, int64](op))
		add("ScatterReduceIndexed", x("u64", 8), op, reduceIndexedCall[uint64, int32](op), reduceIndexedCall[uint64, int64](op))
		add("ScatterReduceIndexed", x("i64", 8), op, reduceIndexedCall[int64, int32](op), reduceIndexedCall[int64, int64](op))
	}
	return rows
}

func TestScatterIndexed(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range indexedScatters() {
			t.Run(fmt.Sprintf("op=%s%s/elem=%s/idx=%s", m.name, opNames[m.op], m.elem.name, m.idx), func(t *testing.T) {
				r := seeded(t, 0)
				for _, n := range lengthsOf(m.width) {
					for range repeated(1, 6) {
						size := 1 + r.IntN(9)
						a := gatherArgs{Rows: 1 + r.IntN(4), Cols: n, Size: size, Step: n + r.IntN(3), SrcCol: 1, DstRow: n + r.IntN(3), DstCol: 1, IdxRow: n + r.IntN(3), IdxCol: 1,
							DstPad: r.IntN(17), SrcPad: r.IntN(17), IdxPad: r.IntN(17), Pattern: pick(r, patterns...), Bad: -1}
						switch r.IntN(10) {
						case 0:
							a.DstRow, a.DstCol = 0, 0 // one update for all
						case 1:
							a.IdxCol, a.IdxRow = 2, 2*n
						case 2:
							a.Step, a.SrcCol = 1, 9 // a table a column
						case 3, 4, 5: // a table a row, or one for all
							a.Size = 1 + r.IntN(2*n+9)
							a.Step, a.SrcCol, a.SrcRow = 1, 0, pick(r, a.Size, a.Size+3, 0, -a.Size)
						case 6:
							a.Step, a.SrcCol, a.SrcRow = pick(r, -1, 2, -n), pick(r, 0, 1, -1), pick(r, 0, 1, -7)
						}
						if n > 0 && r.IntN(3) == 0 {
							a.Bad, a.Value = r.IntN(a.Rows*n), r.IntN(8)
						}
						c := m.call(r, m.elem, a)
						if m.kind == float && (m.op == lanes.Sum || m.op == lanes.Prod) {
							c.same = m.elem.sameButForNaNs
						}
						oftenWithoutCaches(r, func() { c.check(t, false, c.somewhere(r), flush[0]) })
					}
				}
			})
		}
	})
}

// TestUnknownOps: an operation that there is none of is not taken for one of wider elements, which
// would reach behind dst.
func TestUnknownOps(t *testing.T) {
	const n = 64
	offsets, ones := make([]int, n), make([]uint8, 8*n)
	for i := range offsets {
		offsets[i] = i
	}
	for i := range ones {
		ones[i] = 1
	}
	eachLevel(t, func(t *testing.T) {
		for op := range 256 {
			if op := lanes.Op(op); op > lanes.Xor {
				unknownOp[uint8](t, op, offsets, ones)
				unknownOp[int16](t, op, offsets, ones)
				unknownOp[float32](t, op, offsets, ones)
				unknownOp[uint64](t, op, offsets, ones)
				for _, h := range []lanes.Half{lanes.Binary16, lanes.Brain16} {
					dst := make([]uint16, 4*n)
					lanes.ScatterReduceHalf(op, h, dst[:n:n], 0, 1, offsets, lanes.Plane[uint16]{Data: elems[uint16](ones)[:n:n], Row: 1}, 1)
					unchanged(t, op, dst[n:])
				}
			}
		}
	})
}

func unknownOp[T lanes.Number](t *testing.T, op lanes.Op, offsets []int, ones []uint8) {
	t.Helper()
	n := len(offsets)
	dst, updates, indices := make([]T, 16*n), elems[T](ones)[:n:n], make([]int32, n)
	lanes.ScatterReduce(op, dst[:n:n], 0, 1, offsets, lanes.Plane[T]{Data: updates, Row: 1}, 1)
	lanes.ScatterReduce(op, dst[:n:n], 0, 1, offsets[:2], lanes.Plane[T]{Data: updates, Row: n / 2, Col: 1}, n/2)
	lanes.ScatterReduceIndexed(op, lanes.Plane[T]{Data: dst[:n:n]}, n, 1, lanes.Plane[int32]{Data: indices, Col: 1}, lanes.Plane[T]{Data: updates, Col: 1}, 1, n)
	unchanged(t, op, dst[n:])
}

func unchanged[T comparable](t *testing.T, op lanes.Op, dst []T) {
	t.Helper()
	var zero T
	for i, v := range dst {
		if v != zero {
			t.Fatalf("op %d of %T: element %d is %v", op, zero, i, v)
		}
	}
}

// TestOffsetsThatAreWritten: offsets that the call itself overwrites lead nowhere else, at any
// level.
func TestOffsetsThatAreWritten(t *testing.T) {
	const n, room = 16, 4096
	calls := map[string]func(x []int, u lanes.Plane[int]){
		"Scatter": func(x []int, u lanes.Plane[int]) { lanes.Scatter(x, 0, 1, x, u, 1) },
		"Scatter rows": func(x []int, u lanes.Plane[int]) {
			lanes.Scatter(x, 0, 1, x[:2], lanes.Plane[int]{Data: u.Data, Row: n / 2, Col: 1}, n/2)
		},
		"ScatterReduce": func(x []int, u lanes.Plane[int]) { lanes.ScatterReduce(lanes.Sum, x, 0, 1, x, u, 1) },
		"GatherRows": func(x []int, u lanes.Plane[int]) {
			lanes.GatherRows(lanes.Plane[int]{Data: x, At: 1, Row: 1}, u.Data, 0, 1, x[:n-1], 1)
		},
		"Count": func(x []int, _ lanes.Plane[int]) { // in the second half of x
			count(unsafe.Slice((*uint32)(unsafe.Pointer(&x[0])), len(x)*bits.UintSize/32), n, x, 500)
		},
		"ScatterReduce rows": func(x []int, u lanes.Plane[int]) {
			lanes.ScatterReduce(lanes.Sum, x, 0, 1, x[:n/2], lanes.Plane[int]{Data: u.Data, Row: 2, Col: 1}, 2)
		},
	}
	for name, run := range calls {
		t.Run(name, func(t *testing.T) {
			var want []int
			eachLevel(t, func(t *testing.T) { // generic first
				x, updates := make([]int, room), make([]int, n)
				for i := range n {
					x[i], updates[i] = (i+1)%(n-1), 500+i
				}
				func() {
					defer func() { _ = recover() }() // as slices do
					run(x[:n:n], lanes.Plane[int]{Data: updates, Row: 1})
				}()
				if want == nil {
					want = x
				}
				if !slices.Equal(x, want) {
					t.Errorf("%v, want %v", x[:2*n], want[:2*n])
				}
				if k := slices.IndexFunc(x[n:], func(v int) bool { return v != 0 }); k >= 0 {
					t.Errorf("element %d behind the slice is %d", k, x[n+k])
				}
			})
		})
	}
}
