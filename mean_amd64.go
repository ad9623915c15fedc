//go:build !purego && !noasm

package lanes

import (
	"unsafe"

	"github.com/lanes-go/lanes/generic"
)

func selectCount[C Counter](counts []C, at int, offsets []int, n int) {
	var z C
	if !vectors() || unsafe.Sizeof(z) != 4 || len(offsets) < minIndices || !offsetsInside(offsets, at, len(counts)) {
		generic.Count(counts, at, offsets, n)
		return
	}
	for left := offsets; len(left) > 0; {
		piece := min(len(left), pieceElements)
		countPiece(elem(counts, 0), 4*at, &left[0], piece, n)
		left = left[piece:]
	}
	if raceEnabled {
		touchCounters(counts, at, offsets)
	}
}

// divideLanes is what the cells that a body divides are a multiple of.
const divideLanes = 8

// selectDivide divides rows without gaps by vectors.
func selectDivide[T float32 | float64, C Counter](c Cells[T, T, C]) {
	var z C
	shared := c.CountsAt.Col == 0
	if !vectors() || unsafe.Sizeof(z) != 4 || c.Cols < minIndices || c.DstAt.Col != 1 || c.SumsAt.Col != 1 || !shared && c.CountsAt.Col != 1 {
		generic.Divide(c)
		return
	}
	for i := range c.Rows {
		row := c
		row.Rows = 1
		row.DstAt, row.SumsAt, row.CountsAt = placeOf(&c.DstAt, i), placeOf(&c.SumsAt, i), placeOf(&c.CountsAt, i)
		divideRow(row, shared)
	}
}

// placeOf returns the place of one row.
func placeOf(p *Place, i int) Place { return Place{At: p.Start(i), Col: p.Col} }

// divideRow divides a row piece by piece, and what a body can't with package generic.
func divideRow[T float32 | float64, C Counter](c Cells[T, T, C], shared bool) {
	width := int(unsafe.Sizeof(c.Dst[0]))
	if !rowInside(len(c.Dst), &c.DstAt, c.Cols) || !rowInside(len(c.Sums), &c.SumsAt, c.Cols) || !rowInside(len(c.Counts), &c.CountsAt, c.Cols) {
		generic.Divide(c)
		return
	}
	count := int(c.Counts[c.CountsAt.At]) + c.Init
	if shared && count == c.Init {
		return
	}
	for c.Cols >= divideLanes {
		n := min(c.Cols, pieceElements) &^ (divideLanes - 1)
		d, s := elem(c.Dst, c.DstAt.At), elem(c.Sums, c.SumsAt.At)
		if shared {
			dividePiece(width, d, s, n, count)
		} else {
			divideCountedPiece(width, d, s, elem(c.Counts, c.CountsAt.At), n, c.Init)
		}
		if raceEnabled {
			touchCells(&c, n)
		}
		c.DstAt.At, c.SumsAt.At, c.CountsAt.At, c.Cols = c.DstAt.At+n, c.SumsAt.At+n, c.CountsAt.At+n*c.CountsAt.Col, c.Cols-n
	}
	if c.Cols > 0 {
		generic.Divide(c)
	} else if shared {
		c.Counts[c.CountsAt.At] = 0
	}
}

func rowInside(n int, p *Place, cols int) bool { return inside(n, p.At, 0, 1, p.Col, cols, 0, 1) }
