package kernels_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

// TestRandomPlans: plans of random indices do what the definitions of their operators do, each run
// on other data, in place and not, or are refused with the same error.
func TestRandomPlans(t *testing.T) {
	kernels.Ways(t, func(t *testing.T) { runRandomOf(t, randomPlans, elementRows, false) })
}

// TestRandomPlansInParts makes the same runs, cut into parts that only large ones have otherwise.
func TestRandomPlansInParts(t *testing.T) {
	kernels.CutSmall(t)
	runRandomOf(t, randomPlans, elementRows, false)
}

// TestRandomPlansLarge crosses the sizes at which operators work in blocks and start goroutines.
func TestRandomPlansLarge(t *testing.T) { runRandomOf(t, randomPlans, elementRows, true) }

var randomPlans = []randomRow{
	{"GatherElements", func(e randomOperators, c *randomCall) error { return e.(randomPlanners).gatherPlan(c) }},
	{"ScatterElementsUpdate", func(e randomOperators, c *randomCall) error { return e.(randomPlanners).scatterPlan(c) }},
}

// randomPlanners are the random plans on one element type.
type randomPlanners interface {
	gatherPlan(*randomCall) error
	scatterPlan(*randomCall) error
}

// plansBy returns the plans for one index type. Nothing of the indices that a plan was made of is
// left when it runs.
func plansBy[T any, I kernels.Index]() (
	gather func(data []int, x randomIndices, axis int) (*kernels.GatherPlan[T], error),
	scatter func(data []int, x randomIndices, axis int) (*kernels.ScatterPlan[T], error),
) {
	gather = func(data []int, x randomIndices, axis int) (*kernels.GatherPlan[T], error) {
		indices := tensorOf[I](x)
		defer overwrite(&indices)
		return kernels.NewGatherPlan[T](data, indices, axis, x.options(nil)...)
	}
	scatter = func(data []int, x randomIndices, axis int) (*kernels.ScatterPlan[T], error) {
		indices := tensorOf[I](x)
		defer overwrite(&indices)
		return kernels.NewScatterPlan[T](data, indices, axis, x.options(nil)...)
	}
	return gather, scatter
}

// overwrite makes all indices bad ones, as far as their type has such.
func overwrite[I kernels.Index](x *kernels.Tensor[I]) {
	for i := range x.Data {
		x.Data[i] = ^I(0) >> 1
	}
}

// planRuns is how often a plan runs.
const planRuns = 3

// ignored are a run's options and sometimes a policy, which only the making of the plan heeds.
func ignored(c *randomCall, opts []kernels.Option) []kernels.Option {
	if c.index%3 == 0 {
		opts = append(opts, kernels.Indices(kernels.IndexPolicy{NegativeIsOutOfRange: true, OutOfRange: 9}))
	}
	return opts
}

func (e *elementRow[T]) gatherPlan(c *randomCall) error {
	by := e.indexed[c.index%len(e.indexed)]
	shape := c.shape(c.rank())
	axis, along := c.axis(len(shape))
	indices := c.indices(by.limits, c.partOf(shape, along), func([]int) int { return shape[along] })
	c.tell("axis %d, indices %s", axis, by.name)
	plan, planErr := by.gatherPlan(shape, indices, axis)
	for i := range planRuns {
		c.tell("run %d", i)
		data := e.place(c, "data", shape, false)
		dst := e.place(c, "dst", indices.view.Shape, true)
		define := func(array []T) error {
			return by.defineGatherElements(dst.in(array), data.Tensor, indices, axis)
		}
		if err := define(slices.Clone(dst.array)); err != nil || planErr != nil {
			return sameError(c.op, planErr, err, nil)
		}
		if err := e.compare(c, trial[T]{
			dst: dst, inputs: []placement[T]{data}, define: define,
			run: func(array []T, opts []kernels.Option) error {
				return plan.Run(dst.in(array), data.Tensor, ignored(c, opts)...)
			},
		}); err != nil {
			return fmt.Errorf("run %d: %w", i, err)
		}
	}
	return nil
}

func (e *elementRow[T]) scatterPlan(c *randomCall) error {
	by := e.indexed[c.index%len(e.indexed)]
	shape := c.shape(c.rank())
	axis, along := c.axis(len(shape))
	indices := c.indices(by.limits, c.partOf(shape, along), func([]int) int { return shape[along] })
	c.tell("axis %d, indices %s", axis, by.name)
	plan, planErr := by.scatterPlan(shape, indices, axis)
	if planErr != nil {
		marks := generic.View{Shape: shape}
		err := by.defineMarks(make([]bool, elements(shape)), marks, indices, []bool{true}, repeated(indices.view.Shape), axis)
		return sameError(c.op, planErr, err, nil)
	}
	for i := range planRuns {
		c.tell("run %d", i)
		if err := e.runScatterPlan(c, &by, plan, shape, indices, axis); err != nil {
			return fmt.Errorf("run %d: %w", i, err)
		}
	}
	return nil
}

func (e *elementRow[T]) runScatterPlan(c *randomCall, by *indexedRow[T], plan *kernels.ScatterPlan[T], shape []int, indices randomIndices, axis int) error {
	inPlace := c.chance(40)
	data := e.place(c, "data", shape, inPlace)
	updates := e.place(c, "updates", indices.view.Shape, false)
	dst := data.respelled(c)
	if inPlace {
		c.tell("dst in place: strides %v offset %d, its slice %d on", dst.Strides, dst.Offset, dst.at-data.at)
	} else {
		dst = e.place(c, "dst", shape, true)
	}
	attrs := kernels.ScatterAttrs{Reduction: kernels.Reduction(c.IntN(6)), IgnoreInit: c.chance(40)}
	op := []generic.Op{generic.Replace, generic.Sum, generic.Prod, generic.Min, generic.Max, generic.Mean}[attrs.Reduction]
	c.tell("%v, IgnoreInit %t", attrs.Reduction, attrs.IgnoreInit)
	source := func(array []T) kernels.Tensor[T] {
		if inPlace {
			return data.in(array)
		}
		return data.Tensor
	}
	trial := trial[T]{
		dst: dst, inputs: []placement[T]{data, updates}, unchangedOnError: true,
		define: func(array []T) error {
			return by.defineScatter(dst.in(array), source(array), indices, updates.Tensor, axis, op, attrs.IgnoreInit)
		},
		run: func(array []T, opts []kernels.Option) error {
			return plan.Run(dst.in(array), source(array), updates.Tensor, attrs, ignored(c, opts)...)
		},
	}
	if makesNaN := op == generic.Sum || op == generic.Prod || op == generic.Mean; makesNaN && e.sameNumber != nil {
		trial.reduced = reducedCells(dst, func(marks []bool, v generic.View) error {
			return by.defineMarks(marks, v, indices, []bool{true}, repeated(indices.view.Shape), axis)
		})
	}
	return e.compare(c, trial)
}
