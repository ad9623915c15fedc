package main

import (
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/kernels"
)

// A tensor of a picture is contiguous.
type tensor = kernels.Tensor[int64]

// Which elements a cell of dst comes from is found by a call on elements that
// can be told apart in a sum: the i-th, of data and then of updates, is 8^i, so that
// digit i of a result, to the base 8, is how often it came in.
const (
	base       = 8
	mostTraced = 20 // in an int64
)

// trace returns, for each cell of the picture's dst, how often each element of
// data and of updates is in it.
func (p *picture) trace(indices tensor) ([][]int, error) {
	data, updates := tagged(p.data, 0), tagged(p.updates, size(p.data))
	n := len(data.Data) + len(updates.Data)
	if n > mostTraced {
		return nil, fmt.Errorf("%s: %d elements are too many to trace", p.name, n)
	}
	dst := kernels.New(make([]int64, size(p.dst)), p.dst...)
	if err := p.call(dst, data, indices, updates); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	cells := make([][]int, len(dst.Data))
	for i, v := range dst.Data {
		cells[i] = make([]int, n)
		for k := range n {
			cells[i][k] = int(v % base)
			v /= base
		}
	}
	return cells, nil
}

// tagged returns a tensor of the elements 8^first, 8^(first+1), …
func tagged(shape []int, first int) tensor {
	t := kernels.New(make([]int64, size(shape)), shape...)
	for i := range t.Data {
		t.Data[i] = 1
		for range first + i {
			t.Data[i] *= base
		}
	}
	return t
}

// size returns how many elements a shape has; nil is no tensor at all.
func size(shape []int) int {
	if shape == nil {
		return 0
	}
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// governing returns the indices that brought something to a cell of dst: those
// of which every other value takes some of it away.
func (p *picture) governing(cells [][]int, cell int) []int {
	var found []int
	for i := range p.indices.Data {
		others, lost := 0, 0
		for _, step := range []int64{1, -1} {
			changed := p.indices
			changed.Data = slices.Clone(p.indices.Data)
			changed.Data[i] += step
			traced, err := p.trace(changed)
			if err != nil {
				continue // no such index
			}
			others++
			for source, times := range cells[cell] {
				if traced[cell][source] < times {
					lost++
					break
				}
			}
		}
		if others > 0 && lost == others {
			found = append(found, i)
		}
	}
	return found
}
