package main

import (
	"fmt"
	"unsafe"

	"github.com/lanes-go/lanes"
)

// A row of the table: a body, and a call of a primitive that ends in it. Run
// at level generic the same call is the loop that the body replaces.
type row struct {
	body string
	note string // of rows that share a body
	c    string // the function of loops.c that is the same loop
	unit int    // elements for each n
	call func(n int)
}

func (r row) name() string {
	if r.note != "" {
		return r.body + ", " + r.note
	}
	return r.body
}

// Each call is made with two lengths; what the longer one adds is the loop.
// Both are short enough for one piece, and long enough for every body.
const short, long = 768, 1536

// room is how many elements the slices have; tables are smaller.
const room, table = 16 << 10, 4096

func ascending[I lanes.Index](n, limit int) []I {
	x := make([]I, n)
	for j := range x {
		x[j] = I(j * 7 % limit)
	}
	return x
}

func ints(n, limit int) []int {
	out := make([]int, n)
	for j := range out {
		out[j] = j * 7 % limit
	}
	return out
}

func width[T any]() int {
	var z T
	return 8 * int(unsafe.Sizeof(z))
}

func gathers[T lanes.Elem, I lanes.Index]() []row {
	dst, src, x := make([]T, room), make([]T, room), ascending[I](room, table)
	small := ascending[I](room, 8)
	bytes := ascending[I](room, 100)
	w, i := width[T](), width[I]()
	name := fmt.Sprintf("X%dI%d", w, i)
	rows := []row{
		{"gather" + name + "NEON", "", fmt.Sprintf("gather_x%d_i%d", w, i), 1, func(n int) {
			lanes.Gather(lanes.Plane[T]{Data: dst, Col: 1}, lanes.Plane[T]{Data: src}, table, 1, lanes.Plane[I]{Data: x, Col: 1}, 1, n)
		}},
		{"gatherColumns" + name + "NEON", "", fmt.Sprintf("columns_x%d_i%d", w, i), 1, func(n int) {
			lanes.Gather(lanes.Plane[T]{Data: dst, Col: 1}, lanes.Plane[T]{Data: src, Col: 1}, 8, 2000, lanes.Plane[I]{Data: small, Col: 1}, 1, n)
		}},
	}
	if w == 8 {
		for _, size := range []int{64, 128} {
			rows = append(rows, row{"gatherTable" + name + "NEON", fmt.Sprintf("%d entries", size), fmt.Sprintf("gather_x8_i%d", i), 1, func(n int) {
				lanes.Gather(lanes.Plane[T]{Data: dst, Col: 1}, lanes.Plane[T]{Data: src}, size, 1, lanes.Plane[I]{Data: clip(bytes, size), Col: 1}, 1, n)
			}})
		}
	}
	return rows
}

// clip keeps indices below size.
func clip[I lanes.Index](x []I, size int) []I {
	for j := range x {
		x[j] %= I(size)
	}
	return x
}

func indexed[I lanes.Index]() []row {
	x, offsets := ascending[I](room, table), make([]int, room)
	i := width[I]()
	return []row{
		{fmt.Sprintf("checkI%dNEON", i), "", fmt.Sprintf("check_i%d", i), 1, func(n int) { lanes.Check(x, 0, 1, n, table) }},
		{fmt.Sprintf("resolveI%dNEON", i), "", fmt.Sprintf("resolve_i%d", i), 1, func(n int) { lanes.Resolve(offsets[:n], x, 0, 1, table, 3, 0) }},
		{fmt.Sprintf("resolveTuplesI%dNEON", i), "of 3", fmt.Sprintf("tuples_i%d", i), 1, func(n int) {
			lanes.ResolveTuples(offsets[:n], lanes.Plane[I]{Data: x, Row: 3, Col: 1}, []int{table, table, table}, []int{1, 2, 3}, 0)
		}},
	}
}

func moves[T lanes.Elem]() []row {
	dst, src, offsets := make([]T, room), make([]T, room), ints(room, table)
	w := width[T]()
	return []row{
		{fmt.Sprintf("gatherOffsetsX%dNEON", w), "", fmt.Sprintf("offsets_x%d", w), 1, func(n int) {
			lanes.GatherRows(lanes.Plane[T]{Data: dst, Row: 1}, src, 0, 1, offsets[:n], 1)
		}},
		{fmt.Sprintf("scatterX%dNEON", w), "", fmt.Sprintf("scatter_x%d", w), 1, func(n int) {
			lanes.Scatter(dst, 0, 1, offsets[:n], lanes.Plane[T]{Data: src, Row: 1}, 1)
		}},
	}
}

func wholeRows() []row {
	dst, src, offsets := make([]uint32, 1<<18), make([]uint32, 1<<18), ints(room, 1000)
	var rows []row
	for _, cols := range []int{16, 64, 128} {
		rows = append(rows, row{"gatherRowsNEON", fmt.Sprintf("%d bytes", 4*cols), fmt.Sprintf("rows_%d", 4*cols), cols, func(n int) {
			lanes.GatherRows(lanes.Plane[uint32]{Data: dst, Row: cols + 1, Col: 1}, src, 0, 1, offsets[:n/32], cols)
		}})
		rows = append(rows, row{"copyRowsNEON", fmt.Sprintf("%d bytes", 4*cols), fmt.Sprintf("copy_%d", 4*cols), cols, func(n int) {
			lanes.Copy(lanes.Plane[uint32]{Data: dst, Row: cols + 1, Col: 1}, lanes.Plane[uint32]{Data: src, Row: cols + 2, Col: 1}, n/32, cols)
		}})
	}
	return rows
}

var ops = []struct {
	op   lanes.Op
	name string
}{{lanes.Sum, "Sum"}, {lanes.Prod, "Prod"}, {lanes.Min, "Min"}, {lanes.Max, "Max"}}

func reductions[T lanes.Number](elem string) []row {
	dst, updates, offsets := make([]T, room), make([]T, room), ints(room, table)
	for j := range updates {
		updates[j] = T(j % 100)
	}
	zero := []int{0}
	var rows []row
	for _, o := range ops {
		rows = append(rows, row{"scatter" + o.name + elem + "NEON", "", "cells_" + o.name + "_" + elem, 1, func(n int) {
			lanes.ScatterReduce(o.op, dst, 0, 1, offsets[:n], lanes.Plane[T]{Data: updates, Row: 1}, 1)
		}}, row{"scatter" + o.name + "Rows" + elem + "NEON", "", "combine_" + o.name + "_" + elem, 1, func(n int) {
			lanes.ScatterReduce(o.op, dst, 0, 1, zero, lanes.Plane[T]{Data: updates, Col: 1}, n)
		}})
	}
	return rows
}

func halves(h lanes.Half, elem string) []row {
	dst, updates, offsets := make([]uint16, room), make([]uint16, room), ints(room, table)
	zero := []int{0}
	var rows []row
	for _, o := range ops {
		rows = append(rows, row{"scatter" + o.name + elem + "NEON", "", "cells_" + o.name + "_" + elem, 1, func(n int) {
			lanes.ScatterReduceHalf(o.op, h, dst, 0, 1, offsets[:n], lanes.Plane[uint16]{Data: updates, Row: 1}, 1)
		}}, row{"scatter" + o.name + "Rows" + elem + "NEON", "", "combine_" + o.name + "_" + elem, 1, func(n int) {
			lanes.ScatterReduceHalf(o.op, h, dst, 0, 1, zero, lanes.Plane[uint16]{Data: updates, Col: 1}, n)
		}})
	}
	return rows
}

func copies[T lanes.Elem]() []row {
	dst, src := make([]T, room), make([]T, room)
	w := width[T]()
	var rows []row
	for _, step := range []int{-1, -2, 2, 3, 4} {
		at, name := 0, fmt.Sprintf("steps_x%d_%d", w, step)
		if step < 0 {
			at, name = room-1, fmt.Sprintf("steps_x%d_m%d", w, -step)
		}
		rows = append(rows, row{"copyStepsX8NEON", fmt.Sprintf("x%d in steps of %d", w, step), name, 1, func(n int) {
			lanes.Copy(lanes.Plane[T]{Data: dst, Col: 1}, lanes.Plane[T]{Data: src, At: at, Col: step}, 1, n)
		}})
	}
	for _, cols := range []int{3, 4} {
		rows = append(rows, row{"copyPeriodsX8NEON", fmt.Sprintf("rows of %d x%d reversed", cols, w), fmt.Sprintf("periods_x%d_%d", w, cols), cols, func(n int) {
			lanes.Copy(lanes.Plane[T]{Data: dst, Row: cols, Col: 1}, lanes.Plane[T]{Data: src, At: cols - 1, Row: cols, Col: -1}, n, cols)
		}})
	}
	return rows
}

// rows is the table, in the order of kernels_arm64.s.
func rows() []row {
	var all []row
	add := func(rows []row) { all = append(all, rows...) }
	add(indexed[int32]())
	add(indexed[int64]())
	add(gathers[uint8, int32]())
	add(gathers[uint8, int64]())
	add(gathers[uint16, int32]())
	add(gathers[uint16, int64]())
	add(gathers[uint32, int32]())
	add(gathers[uint32, int64]())
	add(gathers[uint64, int32]())
	add(gathers[uint64, int64]())
	add(gathers[lanes.X128, int32]())
	add(gathers[lanes.X128, int64]())
	add(moves[uint8]())
	add(moves[uint16]())
	add(moves[uint32]())
	add(moves[uint64]())
	add(moves[lanes.X128]())
	add(wholeRows())
	add(reductions[float32]("F32"))
	add(reductions[float64]("F64"))
	add(reductions[int8]("I8"))
	add(reductions[uint8]("U8"))
	add(reductions[int16]("I16"))
	add(reductions[uint16]("U16"))
	add(reductions[int32]("I32"))
	add(reductions[uint32]("U32"))
	add(reductions[int64]("I64"))
	add(reductions[uint64]("U64"))
	add(halves(lanes.Binary16, "F16"))
	add(halves(lanes.Brain16, "BF16"))
	add(copies[uint8]())
	add(copies[uint16]())
	add(copies[uint32]())
	add(copies[uint64]())
	return all
}

// mark tells the trace that the next call begins.
//
//go:noinline
func mark(n int) { marks += n }

var marks int

// makeCalls makes each row's two calls.
func makeCalls() {
	for _, r := range rows() {
		for _, n := range [...]int{short, long} {
			mark(1)
			r.call(n)
		}
	}
	mark(1)
}
