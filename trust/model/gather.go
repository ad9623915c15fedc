package main

import "github.com/lanes-go/lanes"

func indexed[I lanes.Index]() []row {
	x, to := ascending[I](room, table), make([]int, room)
	i := width[I]()
	return []row{
		{body: named("checkI%dNEON", i), c: named("check_i%d", i), call: func(n int) { lanes.Check(x, 0, 1, n, table) }},
		{body: named("resolveI%dNEON", i), c: named("resolve_i%d", i), call: func(n int) { lanes.Resolve(to[:n], x, 0, 1, table, 3, 0) }},
		{body: named("resolveTuplesI%dNEON", i), note: "of 3", c: named("tuples_i%d", i), call: func(n int) {
			lanes.ResolveTuples(to[:n], lanes.Plane[I]{Data: x, Row: 3, Col: 1}, []int{table, table, table}, []int{1, 2, 3}, 0)
		}},
	}
}

// offsets is the check that stands before each primitive that takes offsets.
func offsets() []row {
	dst, src, x := make([]uint8, room), make([]uint8, room), ascending[int](room, table)
	return []row{{
		body: "checkOffsetsNEON", c: "check_offsets",
		call: func(n int) { lanes.GatherRows(lanes.Plane[uint8]{Data: dst, Row: 1}, src, 0, 1, x[:n], 1) },
		loop: func(n int) { loopOffsets(x[:n], 0, room) },
	}}
}

//go:noinline
func loopOffsets(offsets []int, at, limit int) bool {
	for _, o := range offsets {
		if uint(at+o) >= uint(limit) {
			return false
		}
	}
	return true
}

func gathers[T lanes.Elem, I lanes.Index]() []row {
	dst, src, x := make([]T, room), make([]T, room), ascending[I](room, table)
	few := ascending[I](room, 8)
	w, i := width[T](), width[I]()
	inRow := func(x []I, size int) func(n int) {
		return func(n int) {
			lanes.Gather(lanes.Plane[T]{Data: dst, Col: 1}, lanes.Plane[T]{Data: src}, size, 1, lanes.Plane[I]{Data: x, Col: 1}, 1, n)
		}
	}
	rows := []row{
		{body: named("gatherX%dI%dNEON", w, i), c: named("gather_x%d_i%d", w, i), call: inRow(x, table)},
		{body: named("gatherColumnsX%dI%dNEON", w, i), c: named("columns_x%d_i%d", w, i), call: func(n int) {
			lanes.Gather(lanes.Plane[T]{Data: dst, Col: 1}, lanes.Plane[T]{Data: src, Col: 1}, 8, 2000, lanes.Plane[I]{Data: few, Col: 1}, 1, n)
		}},
	}
	if w > 8 {
		return rows
	}
	for _, size := range []int{64, 128}[:2-i/64] { // two of registers are for indices of 32 bits
		rows = append(rows, row{body: named("gatherTableX8I%dNEON", i), note: named("%d entries", size), c: named("gather_x8_i%d", i),
			call: inRow(ascending[I](room, min(size, 100)), size)})
	}
	return rows
}

func moves[T lanes.Elem]() []row {
	dst, src, x := make([]T, room), make([]T, room), ascending[int](room, table)
	w := width[T]()
	return []row{
		{body: named("gatherOffsetsX%dNEON", w), c: named("offsets_x%d", w), call: func(n int) {
			lanes.GatherRows(lanes.Plane[T]{Data: dst, Row: 1}, src, 0, 1, x[:n], 1)
		}},
		{body: named("scatterX%dNEON", w), c: named("scatter_x%d", w), call: func(n int) {
			lanes.Scatter(dst, 0, 1, x[:n], lanes.Plane[T]{Data: src, Row: 1}, 1)
		}},
	}
}

// rowElements are the lengths of rows, in elements of 4 bytes.
var rowElements = []int{3, 16, 25, 64, 128}

// inRows is how many rows of so many elements there are for each n.
const inRows = 1.0 / 32

// gatheredRows are rows near each other, rows that lie too far apart to be cached, and rows that are set.
func gatheredRows() []row {
	dst, src := make([]uint32, 1<<18), make([]uint32, 1<<18)
	near, far := ascending[int](room, 1000), ascending[int](room, 100)
	for j := range far {
		far[j] *= 2600
	}
	var rows []row
	for _, from := range []struct {
		body    string
		offsets []int
	}{{"gatherRowsNEON", near}, {"gatherRowsAheadNEON", far}} {
		for _, cols := range rowElements {
			rows = append(rows, row{body: from.body, note: named("%d bytes", 4*cols), c: named("rows_%d", 4*cols), each: float64(cols) * inRows,
				call: func(n int) {
					lanes.GatherRows(lanes.Plane[uint32]{Data: dst, Row: cols + 1, Col: 1}, src, 0, 1, from.offsets[:n/32], cols)
				}})
		}
	}
	for _, cols := range rowElements {
		rows = append(rows, row{body: "scatterRowsNEON", note: named("%d bytes", 4*cols), c: named("set_rows_%d", 4*cols), each: float64(cols) * inRows,
			call: func(n int) {
				lanes.Scatter(src, 0, 1, near[:n/32], lanes.Plane[uint32]{Data: dst, Row: cols + 1, Col: 1}, cols)
			}})
	}
	return rows
}
