package kernels_test

import (
	"testing"

	"github.com/lanes-go/lanes/kernels"
)

func FuzzEmbeddingBag(f *testing.F) { fuzz(f, hostileOperators.hostileEmbeddingBag) }

// hostileOffsets are offsets of that shape, mostly ascending.
func (in *hostileInput) hostileOffsets(shape []int) randomIndices {
	x := in.hostileIndices(shape)
	last := uint64(0)
	for i := range x.storage {
		last += x.storage[i]
		x.storage[i] = last
	}
	return x
}

func (e *elementRow[T]) hostileEmbeddingBag(t *testing.T, in *hostileInput) {
	by := e.indexed[in.index%len(e.indexed)]
	table := e.hostilePlacement(in, in.dims(), false)
	x := in.hostileIndices(in.or([]int{int(in.next() % 16)}))
	offsets := in.hostileOffsets(in.or([]int{int(in.next() % 8)}))
	if tooMuch(x.view.Shape) || tooMuch(offsets.view.Shape) {
		return
	}
	attrs := kernels.BagAttrs{Reduction: bagReductions[int(in.next())%len(bagReductions)], HasDefault: in.next()%2 == 0}
	if attrs.DefaultIndex = int(in.next()%2) - 1; in.rare() {
		attrs.Reduction, attrs.DefaultIndex = kernels.Reduction(in.next()), in.int()
	}
	inputs := []placement[T]{table}
	if in.next()%3 == 0 {
		inputs = append(inputs, e.hostilePlacement(in, in.or(x.view.Shape), false))
	}
	shape, shapeErr := kernels.EmbeddingBagShape(table.Shape, x.view.Shape, offsets.view.Shape)
	if tooMuch(shape) {
		return
	}
	dst := e.placeInto(in, in.or(shape), inputs...)
	weights := func(inputs []kernels.Tensor[T]) (w kernels.Tensor[T]) {
		if len(inputs) > 1 {
			w = inputs[1]
		}
		return w
	}
	e.attempt(t, hostileTrial[T]{
		op: "EmbeddingBag", dst: dst, inputs: inputs, shape: shape, shapeErr: shapeErr,
		run: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.embeddingBag(dst, inputs[0], x, offsets, weights(inputs), attrs, in.options()[0])
		},
		define: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.defineEmbeddingBag(dst, inputs[0], x, offsets, weights(inputs), attrs)
		},
	})
}
