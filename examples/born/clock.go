package main

import (
	"time"

	"github.com/born-ml/born/tensor"
)

// A clock is a backend that notes how long the operations take that lanes has a way for.
type clock struct {
	tensor.Backend
	spent map[string]time.Duration
	calls map[string]int
}

func newClock(b tensor.Backend) *clock {
	return &clock{b, map[string]time.Duration{}, map[string]int{}}
}

// timed are the operations that a clock notes.
var timed = []string{"Embedding", "Gather", "SelectAdd", "ScatterAdd", "Chunk", "Cat", "Expand", "Transpose"}

// note is deferred as c.note(name, time.Now()).
func (c *clock) note(name string, began time.Time) {
	c.spent[name] += time.Since(began)
	c.calls[name]++
}

func (c *clock) reset() {
	clear(c.spent)
	clear(c.calls)
}

func (c *clock) Gather(x *tensor.RawTensor, axis int, index *tensor.RawTensor) *tensor.RawTensor {
	defer c.note("Gather", time.Now())
	return c.Backend.Gather(x, axis, index)
}

func (c *clock) Embedding(table, index *tensor.RawTensor) *tensor.RawTensor {
	defer c.note("Embedding", time.Now())
	return c.Backend.Embedding(table, index)
}

func (c *clock) SelectAdd(dest *tensor.RawTensor, axis int, index, src *tensor.RawTensor) *tensor.RawTensor {
	defer c.note("SelectAdd", time.Now())
	return c.Backend.SelectAdd(dest, axis, index, src)
}

func (c *clock) ScatterAdd(dest *tensor.RawTensor, axis int, index, src *tensor.RawTensor) *tensor.RawTensor {
	defer c.note("ScatterAdd", time.Now())
	return c.Backend.ScatterAdd(dest, axis, index, src)
}

func (c *clock) Transpose(x *tensor.RawTensor, axes ...int) *tensor.RawTensor {
	defer c.note("Transpose", time.Now())
	return c.Backend.Transpose(x, axes...)
}

func (c *clock) Expand(x *tensor.RawTensor, shape tensor.Shape) *tensor.RawTensor {
	defer c.note("Expand", time.Now())
	return c.Backend.Expand(x, shape)
}

func (c *clock) Cat(tensors []*tensor.RawTensor, axis int) *tensor.RawTensor {
	defer c.note("Cat", time.Now())
	return c.Backend.Cat(tensors, axis)
}

func (c *clock) Chunk(x *tensor.RawTensor, n, axis int) []*tensor.RawTensor {
	defer c.note("Chunk", time.Now())
	return c.Backend.Chunk(x, n, axis)
}
