package main

import (
	"strings"

	"github.com/lanes-go/lanes"
)

func copiedRows() []row {
	dst, src := make([]uint32, 1<<18), make([]uint32, 1<<18)
	var rows []row
	for _, cols := range rowElements {
		rows = append(rows, row{body: "copyRowsNEON", note: named("%d bytes", 4*cols), c: named("copy_%d", 4*cols), each: float64(cols) * inRows,
			call: func(n int) {
				lanes.Copy(lanes.Plane[uint32]{Data: dst, Row: cols + 1, Col: 1}, lanes.Plane[uint32]{Data: src, Row: cols + 2, Col: 1}, n/32, cols)
			}})
	}
	return rows
}

// byStep is the body that copies elements of so many bits in such steps.
func byStep(bits, step int) string {
	switch {
	case bits == 128:
		return "copyStepsX8NEON"
	case step == -1:
		return named("copyReversedX%dNEON", bits)
	case bits == 64 || step > 4 || bits == 32 && step < -3:
		return named("copySpacedX%dNEON", bits)
	case step > 0:
		return named("copyEvery%dX%dNEON", step, bits)
	}
	return "copyStepsX8NEON"
}

func steps[T lanes.Elem]() []row {
	dst, src := make([]T, room), make([]T, room)
	w := width[T]()
	var rows []row
	all := []int{2, 3, 4, 5, -1, -2, -3, -4}
	if w == 128 {
		all = []int{2}
	}
	for _, step := range all {
		at := 0
		if step < 0 {
			at = room - 1
		}
		rows = append(rows, row{body: byStep(w, step), note: named("x%d in steps of %d", w, step),
			c: strings.ReplaceAll(named("steps_x%d_%d", w, step), "-", "m"),
			call: func(n int) {
				lanes.Copy(lanes.Plane[T]{Data: dst, Col: 1}, lanes.Plane[T]{Data: src, At: at, Col: step}, 1, n)
			}})
	}
	return rows
}

// shortRows are rows that follow each other in dst: reversed, or the first elements of longer ones.
func shortRows[T lanes.Elem]() []row {
	dst, src := make([]T, room), make([]T, room)
	w := width[T]()
	reversed := map[int]string{3: named("copyThreesX%dNEON", w), 4: "copyTriplesX8NEON"}
	first := map[int]string{4: "copyTriplesX8NEON", 8: "copyPeriodsX8NEON"}
	if w >= 32 {
		first[8] = "copyRowsNEON"
	}
	if w == 64 {
		reversed = map[int]string{3: "copyReversedX64NEON", 4: "copyReversedX64NEON"}
	}
	var rows []row
	for _, cols := range []int{3, 4} {
		rows = append(rows, row{body: reversed[cols], note: named("rows of %d x%d", cols, w), c: named("reversed_x%d_%d", w, cols), each: float64(cols),
			call: func(n int) {
				lanes.Copy(lanes.Plane[T]{Data: dst, Row: cols, Col: 1}, lanes.Plane[T]{Data: src, At: cols - 1, Row: cols, Col: -1}, n, cols)
			}})
	}
	for _, of := range []int{4, 8} {
		rows = append(rows, row{body: first[of], note: named("3 of %d x%d", of, w), c: named("first_x%d_%d", w, of), each: 3,
			call: func(n int) {
				lanes.Copy(lanes.Plane[T]{Data: dst, Row: 3, Col: 1}, lanes.Plane[T]{Data: src, Row: of, Col: 1}, n, 3)
			}})
	}
	return rows
}
