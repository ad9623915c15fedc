package generic

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// The primitives against what their docs say, element by element: planes in any order, with any
// steps, and indices of both signs, up to a bad one. The tests of package lanes compare bodies with
// what is here.

const mostSteps = 3 // of columns; rows are further apart than all columns

// somewhere returns a plane of elements that do not overlap, of rows × cols, in data of its own.
func somewhere[T any](r *rand.Rand, rows, cols int, value func() T) Plane[T] {
	col := 1 + r.IntN(mostSteps)
	row := (cols-1)*col + 1 + r.IntN(3)
	p := Plane[T]{At: r.IntN(3), Row: row, Col: col}
	if r.IntN(3) == 0 {
		p.At, p.Row = p.At+(rows-1)*row, -row
	}
	if r.IntN(3) == 0 {
		p.At, p.Col = p.At+(cols-1)*col, -col
	}
	p.Data = make([]T, 3+rows*row)
	for i := range p.Data {
		p.Data[i] = value()
	}
	return p
}

func (p Plane[T]) of(i, j int) *T { return &p.Data[p.At+i*p.Row+j*p.Col] }

// clone returns the plane with data of its own.
func (p Plane[T]) clone() Plane[T] {
	p.Data = append([]T(nil), p.Data...)
	return p
}

func TestPlanes(t *testing.T) {
	for seed := range uint64(4000) {
		r := rand.New(rand.NewPCG(seed, 0))
		rows, cols := 1+r.IntN(4), 1+r.IntN(9)
		size, step := 1+r.IntN(5), 1+r.IntN(3)
		number := func() int32 { return r.Int32() * r.Int32N(3) }
		dst, updates := somewhere(r, rows, cols, number), somewhere(r, rows, cols, number)
		indices := somewhere(r, rows, cols, func() int64 { return int64(r.IntN(2*size) - size) })
		if bad := r.IntN(3 * rows * cols); bad < rows*cols {
			*indices.of(bad/cols, bad%cols) = []int64{int64(size), int64(-size - 1)}[r.IntN(2)]
		}
		// A table whose cells (i, j, k) are further apart than its rows and columns, or in the same
		// place.
		table := Plane[int32]{At: r.IntN(3), Row: []int{0, size * step, size*step + 5}[r.IntN(3)], Col: []int{0, 0, 1, 7}[r.IntN(4)]}
		table.Data = make([]int32, table.At+(rows-1)*table.Row+(cols-1)*table.Col+(size-1)*step+1)
		for i := range table.Data {
			table.Data[i] = number()
		}
		// each calls at with the place of each index in the table, up to a bad one, whose position
		// it returns.
		each := func(at func(i, j, place int)) int {
			for i := range rows {
				for j := range cols {
					k := int(*indices.of(i, j))
					if k < 0 {
						k += size
					}
					if k < 0 || k >= size {
						return i*cols + j
					}
					at(i, j, table.At+i*table.Row+j*table.Col+k*step)
				}
			}
			return -1
		}

		want, got := dst.clone(), dst.clone()
		bad := each(func(i, j, place int) { *want.of(i, j) = table.Data[place] })
		require.Equal(t, bad, Gather(got, table, size, step, indices, rows, cols), "seed %d", seed)
		require.Equal(t, want, got, "Gather, seed %d", seed)

		want, got = table.clone(), table.clone()
		bad = each(func(i, j, place int) { want.Data[place] = *updates.of(i, j) })
		require.Equal(t, bad, ScatterIndexed(got, size, step, indices, updates, rows, cols), "seed %d", seed)
		require.Equal(t, want, got, "ScatterIndexed, seed %d", seed)

		op := allOps[r.IntN(len(allOps))]
		want, got = table.clone(), table.clone()
		bad = each(func(i, j, place int) { want.Data[place] = combined(op, want.Data[place], *updates.of(i, j)) })
		require.Equal(t, bad, ScatterReduceIndexed(op, got, size, step, indices, updates, rows, cols), "seed %d", seed)
		require.Equal(t, want, got, "ScatterReduceIndexed, seed %d", seed)

		want, got = dst.clone(), dst.clone()
		for i := range rows {
			for j := range cols {
				*want.of(i, j) = *updates.of(i, j)
			}
		}
		Copy(got, updates, rows, cols)
		require.Equal(t, want, got, "Copy, seed %d", seed)

		testRows(t, r, seed, dst, updates, rows, cols)
	}
}

// testRows gathers and scatters rows at offsets.
func testRows(t *testing.T, r *rand.Rand, seed uint64, dst, updates Plane[int32], rows, cols int) {
	at, col, apart := r.IntN(3), r.IntN(3), 1+r.IntN(9)
	memory, offsets := make([]int32, at+5*apart+2*cols), make([]int, rows)
	for i := range memory {
		memory[i] = r.Int32()
	}
	for i := range offsets {
		offsets[i] = r.IntN(5) * apart
	}
	clone := func() []int32 { return append([]int32(nil), memory...) }
	each := func(f func(i, j, place int)) {
		for i, o := range offsets {
			for j := range cols {
				f(i, j, at+o+j*col)
			}
		}
	}

	want, got := dst.clone(), dst.clone()
	each(func(i, j, place int) { *want.of(i, j) = memory[place] })
	GatherRows(got, memory, at, col, offsets, cols)
	require.Equal(t, want, got, "GatherRows, seed %d", seed)

	set, have := clone(), clone()
	each(func(i, j, place int) { set[place] = *updates.of(i, j) })
	Scatter(have, at, col, offsets, updates, cols)
	require.Equal(t, set, have, "Scatter, seed %d", seed)

	op := allOps[r.IntN(len(allOps))]
	reduced, have := clone(), clone()
	each(func(i, j, place int) { reduced[place] = combined(op, reduced[place], *updates.of(i, j)) })
	ScatterReduce(op, have, at, col, offsets, updates, cols)
	require.Equal(t, reduced, have, "ScatterReduce, seed %d", seed)
}

var allOps = []Op{Sum, Prod, Min, Max, Sub, Xor}

func combined(op Op, cell, update int32) int32 {
	differ := int32(0) // in what they say as truths
	if (cell == 0) != (update == 0) {
		differ = 1
	}
	return map[Op]int32{
		Sum: cell + update, Prod: cell * update, Min: min(cell, update), Max: max(cell, update), Sub: cell - update, Xor: differ,
	}[op]
}
