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

// The primitives of a mean have no types. kindOf returns the Kind of a type's numbers or sums.
func kindOf[T any]() lanes.Kind { return kinds[*new(T)] }

var kinds = map[any]lanes.Kind{
	int8(0): lanes.KindI8, uint8(0): lanes.KindU8, int16(0): lanes.KindI16, uint16(0): lanes.KindU16,
	int32(0): lanes.KindI32, uint32(0): lanes.KindU32, int64(0): lanes.KindI64, uint64(0): lanes.KindU64,
	float32(0): lanes.KindF32, float64(0): lanes.KindF64, complex64(0): lanes.KindC64, generic.Exact{}: lanes.KindX128,
}

func count[C generic.Counter](counts []C, at int, offsets []int, n int) {
	lanes.CountRaw(memoryOf(kindOf[C](), counts), at, offsets, n)
}

func scatterSums[S, T any](sums []S, shift, at, col int, offsets []int, updates lanes.Plane[T], cols int) {
	lanes.ScatterSumsRaw(memoryOf(kindOf[S](), sums), shift, at, col, offsets, windowOf(kindOf[T](), updates), cols)
}

func scatterWords[T generic.ShortInteger](words []int64, shift, at int, offsets []int, updates lanes.Plane[T]) {
	scatterSums(words, shift, at, 0, offsets, updates, 1)
}

// rawCells erases the types of cells.
func rawCells[T, S any, C generic.Counter](c generic.Cells[T, S, C]) lanes.CellsRaw {
	return lanes.CellsRaw{
		Dst: memoryOf(kindOf[T](), c.Dst), Sums: memoryOf(kindOf[S](), c.Sums), Counts: memoryOf(kindOf[C](), c.Counts),
		DstAt: c.DstAt, SumsAt: c.SumsAt, CountsAt: c.CountsAt, Rows: c.Rows, Cols: c.Cols, Init: c.Init,
	}
}

func divide[T, S any, C generic.Counter](c generic.Cells[T, S, C]) { lanes.DivideRaw(rawCells(c)) }

func divideHalf[C generic.Counter](h lanes.Half, c generic.Cells[uint16, uint16, C]) {
	raw := rawCells(c)
	kind := lanes.KindF16 + lanes.Kind(h)
	raw.Dst.Kind, raw.Sums.Kind = kind, kind
	lanes.DivideRaw(raw)
}

func divideWords[T generic.Integer](c generic.Cells[T, int64, uint32], shift int) {
	raw := rawCells(c)
	raw.Shift = shift
	lanes.DivideRaw(raw)
}

func countCall[C generic.Counter](r *rand.Rand, e elem, a rowsArgs) *call {
	offsets, at, length := a.offsetsOf(r, "offsets")
	n := pick(r, 1, 1, 0, 7, math.MaxInt32)
	c := &call{op: "Count", note: fmt.Sprintf(" by %d", n), args: &a, output: true, rows: a.Rows, cols: 1, buffers: []buffer{newBuffer("counts", length, e.width), offsets}}
	e.fill(r, c.buffers[0].data)
	c.run = func(_ *call, oracle bool, mem [][]byte) int {
		add := count[C]
		if oracle {
			add = generic.Count[C]
		}
		add(elems[C](mem[0]), at, elems[int](mem[1]), n)
		return -1
	}
	return c
}

// wordsCall makes a call of ScatterSumsRaw for words. Their sums may be too large for their bits:
// what becomes of a word is defined.
func wordsCall[T generic.ShortInteger](r *rand.Rand, e elem, a rowsArgs) *call {
	offsets, at, length := a.offsetsOf(r, "offsets")
	shift := pick(r, 36, 40, 48, 1, 63)
	updates := newBuffer("updates", a.Rows, e.width)
	c := &call{op: "ScatterSums", note: fmt.Sprintf(" shift %d", shift), args: &a, output: true, rows: a.Rows, cols: 1,
		buffers: []buffer{newBuffer("words", length, 8), offsets, updates}}
	e.fill(r, updates.data)
	c.run = func(_ *call, oracle bool, mem [][]byte) int {
		scatter := scatterWords[T]
		if oracle {
			scatter = generic.ScatterWords[T]
		}
		scatter(elems[int64](mem[0]), shift, at, elems[int](mem[1]), lanes.Plane[T]{Data: elems[T](mem[2]), Row: 1})
		return -1
	}
	return c
}

var counters = []struct {
	elem
	call func(*rand.Rand, elem, rowsArgs) *call
}{
	{elem{"u32", 4, integer, 1, 0}, countCall[uint32]},
	{elem{"u64", 8, integer, 1, 0}, countCall[uint64]},
	{elem{"words/i8", 1, integer, 1, 0}, wordsCall[int8]},
	{elem{"words/u8", 1, integer, 1, 0}, wordsCall[uint8]},
	{elem{"words/i16", 2, integer, 1, 0}, wordsCall[int16]},
	{elem{"words/u16", 2, integer, 1, 0}, wordsCall[uint16]},
	{elem{"words/i32", 4, integer, 1, 0}, wordsCall[int32]},
	{elem{"words/u32", 4, integer, 1, 0}, wordsCall[uint32]},
}

func TestCount(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range counters {
			t.Run("elem="+m.name, func(t *testing.T) {
				r := seeded(t, 0)
				for _, n := range append(lengthsOf(m.width), 8191, 8193, 20000) {
					for range repeated(4, 12) {
						c := m.call(r, m.elem, randomRows(r, n, 1, false))
						c.check(t, false, c.somewhere(r), flush[0], flush[1])
					}
				}
			})
		}
	})
}

// A divideArgs is a call of Divide. Its cells, sums and counters are sections of
// one buffer, in any order, so that each of them lies now and then at either end of it.
type divideArgs struct {
	Rows, Cols int
	Slots      []int // the rows that are named, of as many as there are; nil for each in order
	Init       int
	InCells    bool // the sums are in the cells
	Shared     bool // a counter is good for a row
	Steps      [3]steps
	Order      [3]int
}

// The sections.
const (
	cellSection = iota
	sumSection
	counterSection
)

func randomDivide(s source, rows, cols int) divideArgs {
	a := divideArgs{Rows: rows, Cols: cols, Init: s.IntN(2), InCells: s.IntN(2) == 0, Shared: s.IntN(3) == 0, Order: [3]int{0, 1, 2}}
	for i := range a.Order {
		j := i + s.IntN(3-i)
		a.Order[i], a.Order[j] = a.Order[j], a.Order[i]
	}
	if s.IntN(3) == 0 {
		a.Slots = make([]int, rows)
		for i := range a.Slots {
			a.Slots[i] = s.IntN(rows)
		}
	}
	for i := range a.Steps {
		col := 1
		if s.IntN(6) == 0 {
			col = pick(s, 2, -1, 3, -2)
		}
		row := max(1, cols)*col + pick(s, 0, 0, 3)*max(1, col)
		if i == counterSection && a.Shared {
			row, col = pick(s, 1, 1, 2, -1), 0
		}
		a.Steps[i] = steps{rows, row, col}
	}
	return a
}

// A section is elements of a type within a buffer.
type section struct {
	layout
	length, width, start int
}

// divideCall makes a call of divide, or of what it is compared with.
func divideCall[T, S any, C generic.Counter](oracle func(generic.Cells[T, S, C])) func(*rand.Rand, elem, divideArgs) *call {
	return func(r *rand.Rand, e elem, a divideArgs) *call { return newDivideCall(r, e, a, divide, oracle, 0) }
}

// divideWordsCall makes a call for words, which leaves the counters alone.
func divideWordsCall[T generic.ShortInteger](r *rand.Rand, e elem, a divideArgs) *call {
	const shift = 48
	type cells = generic.Cells[T, int64, uint32]
	return newDivideCall(r, e, a, func(c cells) { divideWords(c, shift) }, func(c cells) { generic.DivideWords(c, shift) }, shift)
}

func newDivideCall[T, S any, C generic.Counter](r *rand.Rand, e elem, a divideArgs, divide, byGeneric func(generic.Cells[T, S, C]), shift int) *call {
	var counter C
	var sum S
	_, wideSums := any(sum).(int64)
	widths := [...]int{cellSection: e.width, sumSection: int(unsafe.Sizeof(sum)), counterSection: int(unsafe.Sizeof(counter))}
	var sections [3]section
	end := 0
	for k, i := range a.Order {
		s := &sections[i]
		s.width = widths[i]
		s.layout, s.length = fit(a.Rows, a.Cols, a.Steps[i].row, a.Steps[i].col, 0)
		if k > 0 {
			s.start = (end+7)&^7 + 8*r.IntN(4)
		}
		end = s.start + s.length*s.width
	}
	size := (end + 7) &^ 7
	sections[a.Order[2]].start += size - end // the last one ends where the buffer does

	c := &call{op: "Divide", args: &a, output: true, rows: a.Rows, cols: a.Cols, buffers: []buffer{newBuffer("cells", size/8, 8)}}
	memory := c.buffers[0].data
	e.fill(r, sectionOf[byte](memory, &sections[cellSection]))
	if wide, ok := any(sectionOf[S](memory, &sections[sumSection])).([]int64); ok {
		for i := range wide {
			if wide[i] = int64(r.Uint64()) >> pick(r, 1, 12, 20, 40, 60); shift > 0 { // a word without a count is 0
				count := int64(r.IntN(3))
				wide[i] = (wide[i]>>20 + count<<shift) * min(count, 1)
			}
		}
	} else {
		e.fill(r, sectionOf[byte](memory, &sections[sumSection]))
	}
	counters := sectionOf[C](memory, &sections[counterSection])
	for i := range counters {
		counters[i] = C(pick(r, 0, 0, 1, 1, 2, 3, r.IntN(1000), 1<<24+1, math.MaxInt32-1))
	}
	c.run = func(_ *call, oracle bool, mem [][]byte) int {
		place := func(s *section) lanes.Place {
			p := lanes.Place{At: s.at, Row: s.row, Col: s.col}
			if a.Slots != nil {
				p.Offsets, p.Row = make([]int, a.Rows), min(1<<40, math.MaxInt)
				for i, slot := range a.Slots {
					p.Offsets[i] = slot * s.row
				}
			}
			return p
		}
		cells := generic.Cells[T, S, C]{
			Dst: sectionOf[T](mem[0], &sections[cellSection]), DstAt: place(&sections[cellSection]),
			Sums: sectionOf[S](mem[0], &sections[sumSection]), SumsAt: place(&sections[sumSection]),
			Counts: sectionOf[C](mem[0], &sections[counterSection]), CountsAt: place(&sections[counterSection]),
			Rows: a.Rows, Cols: a.Cols, Init: a.Init,
		}
		if sums, ok := any(cells.Dst).([]S); ok && a.InCells && shift == 0 && !wideSums {
			cells.Sums, cells.SumsAt = sums, cells.DstAt
		}
		if oracle {
			byGeneric(cells)
		} else {
			divide(cells)
		}
		return -1
	}
	return c
}

func sectionOf[T any](memory []byte, s *section) []T {
	return elems[T](memory[s.start : s.start+s.length*s.width : s.start+s.length*s.width])
}

var divisions = []struct {
	elem
	idx  string
	call func(*rand.Rand, elem, divideArgs) *call
}{
	{elem{"f32", 4, float, 1, 8}, "u32", divideCall(generic.Divide[float32, uint32])},
	{elem{"f32", 4, float, 1, 8}, "u64", divideCall(generic.Divide[float32, uint64])},
	{elem{"f64", 8, float, 1, 11}, "u32", divideCall(generic.Divide[float64, uint32])},
	{elem{"f64", 8, float, 1, 11}, "u64", divideCall(generic.Divide[float64, uint64])},
	{elem{"f16", 2, float, 1, 5}, "u32", divideHalfCall[uint32](lanes.Binary16)},
	{elem{"f16", 2, float, 1, 5}, "u64", divideHalfCall[uint64](lanes.Binary16)},
	{elem{"bf16", 2, float, 1, 8}, "u32", divideHalfCall[uint32](lanes.Brain16)},
	{elem{"bf16", 2, float, 1, 8}, "u64", divideHalfCall[uint64](lanes.Brain16)},
	{elem{"i8", 1, integer, 1, 0}, "u32", divideCall(generic.DivideWide[int8, uint32])},
	{elem{"u8", 1, integer, 1, 0}, "u32", divideCall(generic.DivideWide[uint8, uint32])},
	{elem{"i16", 2, integer, 1, 0}, "u32", divideCall(generic.DivideWide[int16, uint32])},
	{elem{"u16", 2, integer, 1, 0}, "u32", divideCall(generic.DivideWide[uint16, uint32])},
	{elem{"i32", 4, integer, 1, 0}, "u32", divideCall(generic.DivideWide[int32, uint32])},
	{elem{"u32", 4, integer, 1, 0}, "u32", divideCall(generic.DivideWide[uint32, uint32])},
	{elem{"i64", 8, integer, 1, 0}, "u32", divideCall(generic.DivideWide[int64, uint32])},
	{elem{"u64", 8, integer, 1, 0}, "u32", divideCall(generic.DivideWide[uint64, uint32])},
	{elem{"i8", 1, integer, 1, 0}, "word", divideWordsCall[int8]},
	{elem{"u8", 1, integer, 1, 0}, "word", divideWordsCall[uint8]},
	{elem{"i16", 2, integer, 1, 0}, "word", divideWordsCall[int16]},
	{elem{"u16", 2, integer, 1, 0}, "word", divideWordsCall[uint16]},
	{elem{"i32", 4, integer, 1, 0}, "word", divideWordsCall[int32]},
	{elem{"u32", 4, integer, 1, 0}, "word", divideWordsCall[uint32]},
}

func divideHalfCall[C generic.Counter](h lanes.Half) func(*rand.Rand, elem, divideArgs) *call {
	type cells = generic.Cells[uint16, uint16, C]
	return func(r *rand.Rand, e elem, a divideArgs) *call {
		return newDivideCall(r, e, a, func(c cells) { divideHalf(h, c) }, func(c cells) { generic.DivideHalf(h, c) }, 0)
	}
}

func TestDivide(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, m := range divisions {
			t.Run(fmt.Sprintf("elem=%s/counter=%s", m.name, m.idx), func(t *testing.T) {
				r := seeded(t, 0)
				for _, n := range lengthsOf(m.width) {
					for range repeated(4, 20) {
						c := m.call(r, m.elem, randomDivide(r, 1+r.IntN(4), n))
						c.check(t, false, c.somewhere(r), flush[0], flush[1])
						c = m.call(r, m.elem, randomDivide(r, n, 1))
						c.check(t, false, c.somewhere(r))
					}
				}
				for _, n := range []int{8191, 8192, 8193, 20000}[repeated(2, 0):] { // in pieces
					c := m.call(r, m.elem, randomDivide(r, 1+r.IntN(2), n))
					c.check(t, false, c.somewhere(r))
				}
			})
		}
	})
}

// TestDivideOutside has cells outside their slice, which panic if they have
// been counted, and sums and counters outside, which always do.
func TestDivideOutside(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		for _, outside := range []int{cellSection, sumSection, counterSection} {
			for _, at := range []int{-1, 1, math.MaxInt, math.MinInt} {
				for _, counted := range []uint32{0, 1} {
					const n = 100
					counts := make([]uint32, n)
					for i := range counts {
						counts[i] = counted
					}
					cells := generic.Cells[float32, float32, uint32]{Dst: make([]float32, n), Sums: make([]float32, n), Counts: counts, Rows: 1, Cols: n,
						DstAt: lanes.Place{Col: 1}, SumsAt: lanes.Place{Col: 1}, CountsAt: lanes.Place{Col: 1}}
					*[]*int{&cells.DstAt.At, &cells.SumsAt.At, &cells.CountsAt.At}[outside] = at
					if outside == counterSection || counted > 0 {
						require.Panics(t, func() { divide(cells) }, "section %d at %d", outside, at)
					} else {
						require.NotPanics(t, func() { divide(cells) }, "section %d at %d", outside, at)
					}
				}
			}
		}
	})
}

func FuzzDivide(f *testing.F) {
	fuzz(f, func(in *fuzzInput) []*call {
		m := divisions[in.IntN(len(divisions))]
		rows, cols := in.count(m.width), 1
		if in.IntN(4) > 0 {
			rows, cols = in.IntN(6), rows
		}
		return []*call{m.call(in.rand, m.elem, randomDivide(in, rows, cols))}
	})
}

func init() {
	for _, m := range counters {
		fenced = append(fenced, fence{"Count", m.name, "offset", m.width, func(r *rand.Rand, n, offset int, plain bool) *call {
			a := randomRows(r, n, 1, false)
			if plain {
				a = rowsArgs{Rows: n, Cols: 1, Cells: 1 + r.IntN(33), Gap: 1, Pattern: pick(r, patterns...)}
			}
			a.Cells, a.StepPad = min(a.Cells, 64), offset
			return m.call(r, m.elem, a)
		}})
	}
	for _, m := range divisions {
		fenced = append(fenced, fence{"Divide", m.name, m.idx, m.width, func(r *rand.Rand, n, offset int, plain bool) *call {
			a := randomDivide(r, 1+offset%3, n)
			if plain {
				a.Rows, a.Slots = 1, nil
				for i := range a.Steps {
					a.Steps[i] = steps{1, n, 1}
				}
				if a.Shared {
					a.Steps[counterSection].col = 0
				}
			}
			return m.call(r, m.elem, a)
		}})
	}
}

// TestDocumentedDivide goes through the documented meaning: what is counted is
// divided, and nothing else is touched.
func TestDocumentedDivide(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		t.Run("elem=f32", func(t *testing.T) {
			documented(t, []float32{1, 2, 3, 4}, []float32{5, 6, 7, 8}, []float32{1, 6. / 3, 3, 8. / 2}, []float32{5, 0, 7, 0}, 0,
				divide)
			documented(t, []float32{1, 2, 3, 4}, []float32{5, 6, 7, 8}, []float32{1, 6. / 4, 3, 8. / 3}, []float32{5, 0, 7, 0}, 1,
				divide)
		})
		t.Run("elem=f64", func(t *testing.T) {
			documented(t, []float64{1, 2, 3, 4}, []float64{5, 7, 7, -8}, []float64{1, 7. / 3, 3, -4}, []float64{5, 0, 7, 0}, 0,
				divide)
		})
		t.Run("elem=f16", func(t *testing.T) { // 1/3 is 0x3555 in binary16, and 0x3EAB in bfloat16
			documented(t, []uint16{1, 2, 3, 4}, []uint16{5, 0x3C00, 7, 0x4000}, []uint16{1, 0x3555, 3, 0x3C00}, []uint16{5, 0, 7, 0}, 0,
				func(c generic.Cells[uint16, uint16, uint32]) { divideHalf(lanes.Binary16, c) })
			documented(t, []uint16{1, 2, 3, 4}, []uint16{5, 0x3F80, 7, 0x4000}, []uint16{1, 0x3EAB, 3, 0x3F80}, []uint16{5, 0, 7, 0}, 0,
				func(c generic.Cells[uint16, uint16, uint32]) { divideHalf(lanes.Brain16, c) })
		})
		t.Run("elem=c64", func(t *testing.T) {
			documented(t, []complex64{1, 2, 3, 4}, []complex64{5, 6 - 3i, 7, 8i}, []complex64{1, 2 - 1i, 3, 4i}, []complex64{5, 0, 7, 0}, 0,
				divide)
		})
		t.Run("elem=i8", func(t *testing.T) { // rounded down
			documented(t, []int8{1, 2, 3, -4}, []int64{5, 7, 7, -7}, []int8{1, 2, 3, -4}, []int64{5, 0, 7, 0}, 0,
				divide)
			documented(t, []int8{1, 2, 3, -4}, []int64{5, -251, 7, 384}, []int8{1, -63, 3, 126}, []int64{5, 0, 7, 0}, 1,
				divide)
		})
		t.Run("elem=u64", func(t *testing.T) {
			documented(t, []uint64{1, 2, 3, 4}, []generic.Exact{{Lo: 5}, {Hi: 2, Lo: math.MaxUint64 - 1}, {Lo: 7}, {Hi: 1}}, []uint64{1, math.MaxUint64, 3, 1 << 63},
				[]generic.Exact{{Lo: 5}, {}, {Lo: 7}, {}}, 0, divide)
		})
		t.Run("elem=i64", func(t *testing.T) {
			documented(t, []int64{1, 2, 3, -4}, []generic.Exact{{Lo: 5}, {Hi: math.MaxUint64, Lo: math.MaxUint64 - 8}, {Lo: 7}, {Lo: 1}}, []int64{1, -2, 3, -1},
				[]generic.Exact{{Lo: 5}, {}, {Lo: 7}, {}}, 1, divide)
		})
	})
}

// documented divides cells with the counts 0, 3, 0, 2, many times over.
func documented[T, S any](t *testing.T, cells []T, sums []S, want []T, left []S, init int, divide func(generic.Cells[T, S, uint32])) {
	t.Helper()
	const times = 25
	counts := slices.Repeat([]uint32{0, 3, 0, 2}, times)
	cells, sums = slices.Repeat(cells, times), slices.Repeat(sums, times)
	p := lanes.Place{Col: 1}
	divide(generic.Cells[T, S, uint32]{Dst: cells, Sums: sums, Counts: counts, DstAt: p, SumsAt: p, CountsAt: p, Rows: 1, Cols: len(cells), Init: init})
	require.Equal(t, slices.Repeat(want, times), cells)
	require.Equal(t, slices.Repeat(left, times), sums)
	require.Equal(t, make([]uint32, len(counts)), counts)
}

func TestDocumentedSums(t *testing.T) {
	counts := []uint32{10, 20, 30}
	count(counts, 1, []int{0, 1, -1, 1}, 2)
	require.Equal(t, []uint32{12, 22, 34}, counts)

	wide := []int64{1, 2, 3, 4, 5}
	scatterSums(wide, 0, 1, 2, []int{0, 1, 0}, lanes.Plane[int8]{Data: []int8{10, -128, 30, 40, 127, 60}, Row: 2, Col: 1}, 2)
	require.Equal(t, []int64{1, 2 + 10 + 127, 3 + 30, 4 - 128 + 60, 5 + 40}, wide)
	scatterSums(wide, 0, 0, 0, []int{4, 4}, lanes.Plane[uint32]{Data: []uint32{math.MaxUint32, 7, math.MaxUint32}, Row: 2}, 1)
	require.Equal(t, int64(45+2*math.MaxUint32), wide[4])

	words := []int64{1, 2, 3<<40 - 5, 4}
	scatterWords(words, 40, 1, []int{1, 0, 1}, lanes.Plane[int8]{Data: []int8{9, 10, 9, -128, 9, 30}, At: 1, Row: 2})
	require.Equal(t, []int64{1, 2 - 128 + 1<<40, 3<<40 - 5 + 10 + 30 + 2<<40, 4}, words)
	cells, at := []int8{7, 7, -2, 7}, lanes.Place{Col: 1, At: 1}
	divideWords(generic.Cells[int8, int64, uint32]{Dst: cells, Sums: words, DstAt: at, SumsAt: at, Rows: 1, Cols: 2, Init: 1}, 40)
	require.Equal(t, []int8{7, (2-128+7)/2 - 1, (-5 + 40 - 2) / 6, 7}, cells)
	require.Equal(t, []int64{1, 0, 0, 4}, words)

	exact := make([]generic.Exact, 3)
	scatterSums(exact, 0, 0, 1, []int{0, 1, 0}, lanes.Plane[int64]{Data: []int64{-1, math.MaxInt64, 5, 6, math.MinInt64, math.MaxInt64}, Row: 2, Col: 1}, 2)
	require.Equal(t, []generic.Exact{{Hi: math.MaxUint64, Lo: 1<<63 - 1}, {Hi: 1, Lo: 3}, {Lo: 6}}, exact)
	scatterSums(exact, 0, 2, 0, []int{0, 0}, lanes.Plane[uint64]{Data: []uint64{math.MaxUint64, math.MaxUint64}, Row: 1}, 1)
	require.Equal(t, generic.Exact{Hi: 2, Lo: 4}, exact[2])
}

func testDivideWide[T generic.Integer](t *testing.T, name string) {
	t.Run("elem="+name, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		for _, n := range []int{16, 17, 64, 133} {
			for try := range 60 {
				dst, sums, counts := make([]T, n), make([]int64, n), make([]uint32, n)
				for j := range n {
					dst[j] = T(r.Uint64())
					if counts[j] = uint32(r.IntN(4)); try%7 == 6 {
						counts[j] = math.MaxInt32 - 2
					}
					for range min(counts[j], 3) { // sums that such cells can have
						update := int64(T(r.Uint64()))
						if unsafe.Sizeof(dst[0]) == 8 { // of sums for which the bodies are, and larger ones
							update >>= pick(r, 4, 16, 16)
						}
						sums[j] += update
					}
					if try%4 < 2 && unsafe.Sizeof(dst[0]) == 8 { // cells near 0, and near the largest of those without a sign
						dst[j] = T(int64(dst[j]) >> 16)
					}
				}
				if try%5 == 4 { // for float64 too large, on either side
					sums[r.IntN(n)], counts[n/2] = []int64{1<<51 - 1, 1 << 51, -1 << 51, -1<<51 - 1, math.MaxInt64 / 2}[r.IntN(5)], 1<<31-3
				}
				if try%6 == 5 && unsafe.Sizeof(dst[0]) == 8 { // with their cells, sums that wrap to small numbers, of either sign
					j := r.IntN(n)
					sums[j], counts[j] = pick(r, int64(math.MaxInt64), math.MinInt64), 1
					dst[j] = T(sums[j] + int64(r.IntN(3)-1))
				}
				at := lanes.Place{Col: 1}
				c := generic.Cells[T, int64, uint32]{Dst: dst, Sums: sums, Counts: counts, DstAt: at, SumsAt: at, CountsAt: at, Rows: 1, Cols: n, Init: try % 2}
				if try%3 == 2 { // one count for all
					counts[0]++
					c.CountsAt.Col = 0
				}
				want := c
				want.Dst, want.Sums, want.Counts = slices.Clone(dst), slices.Clone(sums), slices.Clone(counts)
				generic.DivideWide(want)
				divide(c)
				require.Equal(t, want, c)
			}
		}
	})
}

// TestDivideWide compares bodies that divide as float64 with integer division.
func TestDivideWide(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		testDivideWide[int8](t, "i8")
		testDivideWide[uint8](t, "u8")
		testDivideWide[int16](t, "i16")
		testDivideWide[uint16](t, "u16")
		testDivideWide[int32](t, "i32")
		testDivideWide[uint32](t, "u32")
		testDivideWide[int64](t, "i64")
		testDivideWide[uint64](t, "u64")
	})
}

// TestWords compares sums and counts in one word with those apart, up to the most updates that a
// word can hold, and their division with that of integers.
func TestWords(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		testWords[int8](t, "i8")
		testWords[uint8](t, "u8")
		testWords[int16](t, "i16")
		testWords[uint16](t, "u16")
		testWords[int32](t, "i32")
		testWords[uint32](t, "u32")
	})
}

func testWords[T generic.ShortInteger](t *testing.T, name string) {
	t.Run("elem="+name, func(t *testing.T) {
		r := rand.New(rand.NewPCG(3, 4))
		width := 8 * int(unsafe.Sizeof(T(0)))
		shift := 64 - (63-width)/2
		most := 1<<(64-shift) - 1
		for _, n := range []int{1, 15, 16, 17, 64, 133, 9000} {
			for try := range 40 {
				cells := 1 + r.IntN(n)
				words, sums, counts := make([]int64, cells), make([]int64, cells), make([]uint32, cells)
				if try%4 == 3 { // as many updates as there can be, all of the largest magnitude
					value := pick(r, T(0)-1, T(1)<<(width-1), T(1)<<(width-1)-1)
					for k := range cells {
						sums[k], counts[k] = int64(value)*int64(most-n), uint32(most-n)
						words[k] = sums[k] + int64(counts[k])<<shift
					}
				}
				offsets, updates := make([]int, n), make([]T, n)
				for i := range offsets {
					offsets[i], updates[i] = r.IntN(cells), T(r.Uint64())
					sums[offsets[i]] += int64(updates[i])
					counts[offsets[i]]++
				}
				scatterWords(words, shift, 0, offsets, lanes.Plane[T]{Data: updates, Row: 1})
				for k, w := range words {
					if want := sums[k] + int64(counts[k])<<shift; w != want {
						require.Equal(t, want, w, "of cell %d", k)
					}
				}
				dst := make([]T, cells)
				for k := range dst {
					dst[k] = T(r.Uint64())
				}
				at := lanes.Place{Col: 1}
				c := generic.Cells[T, int64, uint32]{Dst: dst, Sums: words, DstAt: at, SumsAt: at, Rows: 1, Cols: cells, Init: try % 2}
				if try%3 == 2 { // by name, one of them twice
					c.Rows, c.Cols = cells+1, 1
					c.DstAt.Offsets = append(r.Perm(cells), 0)
					c.SumsAt.Offsets = c.DstAt.Offsets
				}
				want := slices.Clone(dst)
				generic.DivideWide(generic.Cells[T, int64, uint32]{Dst: want, Sums: sums, Counts: counts, DstAt: at, SumsAt: at, CountsAt: at, Rows: 1, Cols: cells, Init: c.Init})
				divideWords(c, shift)
				require.Equal(t, want, dst, "%d cells", cells)
				require.True(t, slices.Equal(make([]int64, cells), words))
			}
		}
	})
}

// TestScatterSums compares the sums of each type that has them, of 64 bits and exact ones, with
// plain additions.
func TestScatterSums(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		testScatterSums[int8](t)
		testScatterSums[uint8](t)
		testScatterSums[int16](t)
		testScatterSums[uint16](t)
		testScatterSums[int32](t)
		testScatterSums[uint32](t)
	})
}

func testScatterSums[T generic.ShortInteger](t *testing.T) {
	const cells = 50
	r := rand.New(rand.NewPCG(1, 2))
	for _, cols := range []int{1, 3, 8, 40} {
		for _, n := range []int{1, 7, 64, 100} {
			sums, offsets, updates := make([]int64, cells*cols), make([]int, n), make([]T, n*cols)
			for i := range updates {
				updates[i] = T(r.Uint64())
			}
			want := slices.Clone(sums)
			for i := range offsets {
				offsets[i] = r.IntN(cells) * cols
				for j := range cols {
					want[offsets[i]+j] += int64(updates[i*cols+j])
				}
			}
			plane, exact := lanes.Plane[T]{Data: updates, Row: cols, Col: 1}, make([]generic.Exact, len(sums))
			scatterSums(sums, 0, 0, 1, offsets, plane, cols)
			require.Equal(t, want, sums, "%T, %d rows of %d", updates, n, cols)
			scatterSums(exact, 0, 0, 1, offsets, plane, cols)
			for i, v := range want {
				if (exact[i] != generic.Exact{Hi: uint64(v >> 63), Lo: uint64(v)}) {
					t.Fatalf("%T, %d rows of %d: sum %d is %v, not %d", updates, n, cols, i, exact[i], v)
				}
			}
		}
	}
}
