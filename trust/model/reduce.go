package main

import "github.com/lanes-go/lanes"

// An operation's name in those of bodies.
type operation struct {
	op   lanes.Op
	name string
}

// Signed and unsigned sums and products are the same.
var (
	order      = []operation{{lanes.Min, "Min"}, {lanes.Max, "Max"}}
	arithmetic = append([]operation{{lanes.Sum, "Sum"}, {lanes.Prod, "Prod"}}, order...)
)

// combining returns the two rows of an operation: single cells, and a row of them.
func combining(o operation, elem string, cells, whole func(n int)) []row {
	return []row{
		{body: "scatter" + o.name + elem + "NEON", c: "cells_" + o.name + "_" + elem, call: cells},
		{body: "scatter" + o.name + "Rows" + elem + "NEON", c: "combine_" + o.name + "_" + elem, call: whole},
	}
}

func reductions[T lanes.Number](elem string, ops []operation) []row {
	dst, updates, x, zero := make([]T, room), make([]T, room), ascending[int](room, table), []int{0}
	for j := range updates {
		updates[j] = T(j % 100)
	}
	var rows []row
	for _, o := range ops {
		rows = append(rows, combining(o, elem, func(n int) {
			lanes.ScatterReduce(o.op, dst, 0, 1, x[:n], lanes.Plane[T]{Data: updates, Row: 1}, 1)
		}, func(n int) {
			lanes.ScatterReduce(o.op, dst, 0, 1, zero, lanes.Plane[T]{Data: updates, Col: 1}, n)
		})...)
	}
	return rows
}

func halves(h lanes.Half, elem string) []row {
	dst, updates, x, zero := make([]uint16, room), make([]uint16, room), ascending[int](room, table), []int{0}
	var rows []row
	for _, o := range arithmetic {
		rows = append(rows, combining(o, elem, func(n int) {
			lanes.ScatterReduceHalf(o.op, h, dst, 0, 1, x[:n], lanes.Plane[uint16]{Data: updates, Row: 1}, 1)
		}, func(n int) {
			lanes.ScatterReduceHalf(o.op, h, dst, 0, 1, zero, lanes.Plane[uint16]{Data: updates, Col: 1}, n)
		})...)
	}
	return rows
}
