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
	if c.Op == calls.GatherND {
		k := c.Indices.Shape[len(c.Indices.Shape)-1]
		return c.Data.Shape[c.BatchDims+i%k]
	}
	return c.Data.Shape[fromFront(c.Axis, len(c.Data.Shape))]
}

// updatesOf returns which updates go to a cell of a ScatterElementsUpdate, in order,
// both by their numbers in row-major order.
func updatesOf(c *calls.Call, cell int) []int {
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
