package kernels

import (
	"unsafe"

	"github.com/lanes-go/lanes"
)

// update combines a run of updates into the cells at each offset. Without a reduction the last
// update stays.
func (c *call) update(at, col int, offsets []int, updates lanes.Window, cols int) {
	if c.elem.reduces() {
		lanes.ScatterReduceRaw(c.op(), c.dst, at, col, offsets, updates, cols)
	} else {
		lanes.ScatterRaw(c.dst, at, col, offsets, updates, cols)
	}
}

// op is the reduction as primitives name it.
func (c *call) op() lanes.Op {
	return [...]lanes.Op{Sum: lanes.Sum, Prod: lanes.Prod, Min: lanes.Min, Max: lanes.Max, Mean: lanes.Sum, Sub: lanes.Sub}[c.attrs.Reduction]
}

// fills reports whether updated cells start from the identity and not from their data.
func (c *call) fills() bool { return c.attrs.IgnoreInit && c.attrs.Reduction != None }

// fill sets a run of cells at each offset to the reduction's identity.
func (c *call) fill(at, col int, offsets []int, cols int) {
	lanes.ScatterRaw(c.dst, at, col, offsets, c.identityWindow(), cols)
}

// identityWindow returns the identity as updates: with steps of 0 it serves for any shape.
func (c *call) identityWindow() lanes.Window {
	return lanes.Window{Memory: lanes.Memory{Ptr: unsafe.Pointer(&c.identity), Len: 1, Kind: c.elem.kind}}
}
