package main

import (
	"encoding/binary"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

// indexAt returns element i of indices.
func indexAt(t calls.Tensor, i int) int64 {
	if t.Type == kernels.DTypeInt32 {
		return int64(int32(binary.LittleEndian.Uint32(t.Data[4*i:])))
	}
	return int64(binary.LittleEndian.Uint64(t.Data[8*i:]))
}

// indicesInRange reports whether each index of a call names an element.
func indicesInRange(c *calls.Call) bool {
	if !c.Op.Indexes() {
		return true
	}
	for i := range c.Indices.Count() {
		d := int64(indexedSize(c, i))
		if k := indexAt(c.Indices, i); k < -d || k >= d {
			return false
		}
	}
	return true
}

// countsFromEnd reports whether an index is negative.
func countsFromEnd(c *calls.Call) bool {
	for i := range c.Indices.Count() {
		if indexAt(c.Indices, i) < 0 {
			return true
		}
	}
	return false
}

// indexedSize returns the size of the axis of data that element i of indices goes into.
func indexedSize(c *calls.Call, i int) int {
	if c.Op == calls.GatherND || c.Op == calls.ScatterNDUpdate {
		k := c.Indices.Shape[len(c.Indices.Shape)-1]
		return c.Data.Shape[c.BatchDims+i%k]
	}
	if c.Op == calls.EmbeddingBag {
		return c.Data.Shape[0]
	}
	return c.Data.Shape[fromFront(c.Axis, len(c.Data.Shape))]
}

// updatesOf returns which updates of a scatter go to a cell, in order, both by
// their numbers in row-major order.
func updatesOf(c *calls.Call, cell int) []int {
	if c.Op == calls.ScatterNDUpdate {
		return updatesOfTuples(c, cell)
	}
	axis := fromFront(c.Axis, len(c.Data.Shape))
	number := generic.View{Shape: c.Data.Shape}
	var updates []int
	i := -1
	for p := range generic.Coordinates(c.Indices.Shape) {
		i++
		along := p[axis]
		k := indexAt(c.Indices, i)
		if k < 0 {
			k += int64(c.Data.Shape[axis])
		}
		p[axis] = int(k)
		at := number.Address(p)
		p[axis] = along
		if at == cell {
			updates = append(updates, i)
		}
	}
	return updates
}

func updatesOfTuples(c *calls.Call, cell int) []int {
	k := c.Indices.Shape[len(c.Indices.Shape)-1]
	part := (calls.Tensor{Shape: c.Data.Shape[k:]}).Count()
	if part == 0 {
		return nil
	}
	row, at := cell/part, cell%part
	var updates []int
	for t := range c.Indices.Count() / k {
		to := 0
		for i := t * k; i < (t+1)*k; i++ {
			d := indexedSize(c, i)
			x := int(indexAt(c.Indices, i))
			if x < 0 {
				x += d
			}
			to = to*d + x
		}
		if to == row {
			updates = append(updates, t*part+at)
		}
	}
	return updates
}

// termsOf returns what an EmbeddingBag adds up in a cell, in order: elements of the table, and
// their weights, if it has any, by their numbers.
func termsOf(c *calls.Call, cell int) (elements, weights []int) {
	part := (calls.Tensor{Shape: c.Data.Shape[1:]}).Count()
	bag, at := cell/part, cell%part
	end := c.Indices.Count()
	if bag+1 < c.Offsets.Count() {
		end = int(indexAt(c.Offsets, bag+1))
	}
	for i := int(indexAt(c.Offsets, bag)); i < end; i++ {
		row := int(indexAt(c.Indices, i))
		if row < 0 {
			row += c.Data.Shape[0]
		}
		elements, weights = append(elements, row*part+at), append(weights, i)
	}
	if c.Updates.Type == 0 {
		weights = nil
	}
	return elements, weights
}

// endsEmpty reports whether the last bag has no indices.
func endsEmpty(c *calls.Call) bool {
	n := c.Offsets.Count()
	return n > 0 && indexAt(c.Offsets, n-1) == int64(c.Indices.Count())
}
