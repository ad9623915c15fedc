package kernels_test

import (
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

// mask lays out a random mask, whose elements are true rarely, often or all, in
// runs or not.
func (c *randomCall) mask(name string, shape []int) kernels.Tensor[bool] {
	v, length := c.view(shape, false)
	m := kernels.Tensor[bool]{Data: make([]bool, length), Shape: v.Shape, Strides: v.Strides, Offset: v.Offset}
	percent, stay := pick(c, 0, 3, 30, 50, 90, 99, 100), pick(c, 0, 0, 80, 97)
	on := c.chance(percent)
	for i := range m.Data {
		if !c.chance(stay) {
			on = c.chance(percent)
		}
		m.Data[i] = on
	}
	c.tell("%s: shape %v strides %v offset %d of %d, %d%% true: %v", name, v.Shape, v.Strides, v.Offset, length, percent, m.Data[:min(length, 64)])
	return m
}

// unchangedMask makes a call and looks at the mask again.
func unchangedMask(mask kernels.Tensor[bool], call func() error) error {
	was := slices.Clone(mask.Data)
	if err := call(); err != nil {
		return err
	}
	if !slices.Equal(was, mask.Data) {
		return fmt.Errorf("the mask has changed")
	}
	return nil
}

func viewOf[T any](t kernels.Tensor[T]) generic.View {
	return generic.View{Shape: t.Shape, Strides: t.Strides, Offset: t.Offset}
}

func (e *elementRow[T]) compress(c *randomCall) error {
	data := e.place(c, "data", c.shape(c.rank()), false)
	axis, along := c.axis(len(data.Shape))
	length := data.Shape[along]
	if c.chance(35) {
		axis, length = kernels.Flattened, elements(data.Shape)
	}
	if c.chance(40) {
		length = c.IntN(length + 1)
	}
	condition := c.mask("condition", []int{length})
	shape, err := kernels.CompressShape(data.Shape, condition, axis)
	if err != nil {
		return fmt.Errorf("CompressShape: %w", err)
	}
	dst := e.place(c, "dst", shape, true)
	c.tell("axis %d", axis)
	return e.compare(c, trial[T]{
		dst: dst, inputs: []placement[T]{data}, unchangedOnError: true,
		define: func(array []T) error {
			generic.Compress(dst.in(array).Data, dst.View(), data.Data, data.View(), condition.Data, viewOf(condition), axis)
			return nil
		},
		run: func(array []T, opts []kernels.Option) error {
			return unchangedMask(condition, func() error {
				return e.compressBy(dst.in(array), data.Tensor, condition, axis, opts)
			})
		},
	})
}

func (e *elementRow[T]) take(c *randomCall) error {
	rank := c.rank()
	if c.chance(3) {
		rank = 0
	}
	data := e.place(c, "data", c.shape(rank), false)
	q := c.IntN(rank + 1)
	if c.chance(40) {
		q = rank
	}
	mask := c.mask("mask", slices.Clone(data.Shape[:q]))
	shape, err := kernels.TakeShape(data.Shape, mask)
	if err != nil {
		return fmt.Errorf("TakeShape: %w", err)
	}
	dst := e.place(c, "dst", shape, true)
	return e.compare(c, trial[T]{
		dst: dst, inputs: []placement[T]{data}, unchangedOnError: true,
		define: func(array []T) error {
			generic.Take(dst.in(array).Data, dst.View(), data.Data, data.View(), mask.Data, viewOf(mask))
			return nil
		},
		run: func(array []T, opts []kernels.Option) error {
			return unchangedMask(mask, func() error { return e.takeBy(dst.in(array), data.Tensor, mask, opts) })
		},
	})
}
