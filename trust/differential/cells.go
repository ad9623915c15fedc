package main

import (
	"encoding/binary"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/trust/calls"
)

// indexAt returns element i of indices.
func indexAt(t calls.Tensor, i int) int64 {
	if t.Type == calls.Int32 {
		return int64(int32(binary.LittleEndian.Uint32(t.Data[4*i:])))
	}
	return int64(binary.LittleEndian.Uint64(t.Data[8*i:]))
}

// indicesInRange reports whether each index of a call names an element.
func indicesInRange(c *calls.Call) bool {
	if c.Op == calls.StridedSlice {
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

// indexedSize returns the size of the axis of data that element i of indices goes into.
func indexedSize(c *calls.Call, i int) int {
	if c.Op == calls.GatherND || c.Op == calls.ScatterNDUpdate {
		k := c.Indices.Shape[len(c.Indices.Shape)-1]
		return c.Data.Shape[c.BatchDims+i%k]
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
