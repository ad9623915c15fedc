package kernels_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

func cached[T any, I kernels.Index](name string, data, updates kernels.Tensor[T], indices kernels.Tensor[I], axis int, mode kernels.CacheMode, want ...T) golden[T] {
	return golden[T]{name, data.Shape, want,
		func() ([]int, error) {
			return kernels.TensorScatterShape(data.Shape, updates.Shape, indices.Shape, axis)
		},
		func(dst kernels.Tensor[T], opts ...kernels.Option) error {
			return kernels.TensorScatter(dst, data, updates, indices, axis, mode, opts...)
		},
		func(dst []T, v generic.View) error {
			return generic.TensorScatter(dst, v, data.Data, viewOf(data), updates.Data, viewOf(updates), indices.Data, viewOf(indices), axis, mode == kernels.Circular)
		}}
}

func TestTensorScatterExamples(t *testing.T) { kernels.Ways(t, testTensorScatterExamples) }

func testTensorScatterExamples(t *testing.T) {
	// ONNX's own node tests are run by trust/backend. These are made by hand.
	rows := func(tokens ...float32) (all []float32) { // of two elements each
		for _, v := range tokens {
			all = append(all, v, -v)
		}
		return all
	}
	cache := kernels.New(rows(1, 2, 3, 4, 5, 6, 7, 8), 2, 4, 2)
	none := kernels.Tensor[int64]{}
	runGolden(t, []golden[float32]{
		cached("one position", cache, kernels.New(rows(10, 20), 2, 1, 2), kernels.New([]int64{1, 3}, 2), 1, kernels.Linear, rows(1, 10, 3, 4, 5, 6, 7, 20)...),
		cached("some positions", cache, kernels.New(rows(10, 11, 20, 21), 2, 2, 2), kernels.New([]int32{2, 0}, 2), -2, kernels.Linear, rows(1, 2, 10, 11, 20, 21, 7, 8)...),
		cached("from the first on", cache, kernels.New(rows(10, 11, 20, 21), 2, 2, 2), none, 1, kernels.Linear, rows(10, 11, 3, 4, 20, 21, 7, 8)...),
		cached("from the first on, circular", cache, kernels.New(rows(10, 11, 20, 21), 2, 2, 2), none, 1, kernels.Circular, rows(10, 11, 3, 4, 20, 21, 7, 8)...),
		cached("everything", cache, kernels.New(rows(8, 7, 6, 5, 4, 3, 2, 1), 2, 4, 2), kernels.New([]uint8{0, 0}, 2), 1, kernels.Linear, rows(8, 7, 6, 5, 4, 3, 2, 1)...),
		cached("nothing", cache, kernels.New([]float32{}, 2, 0, 2), kernels.New([]int64{4, 0}, 2), 1, kernels.Linear, cache.Data...),
		cached("past the end", cache, kernels.New(rows(10, 11, 20, 21), 2, 2, 2), kernels.New([]int64{3, 2}, 2), 1, kernels.Circular, rows(11, 2, 3, 10, 5, 6, 20, 21)...),
		cached("everything, past the end", cache, kernels.New(rows(8, 7, 6, 5, 4, 3, 2, 1), 2, 4, 2), kernels.New([]int64{1, 3}, 2), 1, kernels.Circular,
			rows(5, 8, 7, 6, 3, 2, 1, 4)...),
		cached("round and round", cache, kernels.New(rows(10, 20), 2, 1, 2), kernels.New([]int64{4*1000 + 2, math.MaxInt64}, 2), 1, kernels.Circular, rows(1, 2, 10, 4, 5, 6, 7, 20)...),
		cached("the largest uint64", cache, kernels.New(rows(10, 20), 2, 1, 2), kernels.New([]uint64{math.MaxUint64, 1 << 63}, 2), 1, kernels.Circular, rows(1, 2, 3, 10, 20, 6, 7, 8)...),
		cached("columns", cache, kernels.New([]float32{10, 11, 12, 13, 20, 21, 22, 23}, 2, 4, 1), kernels.New([]int64{1, 0}, 2), 2, kernels.Linear,
			1, 10, 2, 11, 3, 12, 4, 13, 20, -5, 21, -6, 22, -7, 23, -8),
		cached("an index of a broadcast view", cache, kernels.New(rows(10, 20), 2, 1, 2), kernels.Tensor[int64]{Data: []int64{2}, Shape: []int{2}, Strides: []int{0}}, 1, kernels.Linear,
			rows(1, 2, 10, 4, 5, 6, 20, 8)...),
		cached("updates of a broadcast view", cache, kernels.Tensor[float32]{Data: []float32{9}, Shape: []int{2, 2, 2}, Strides: []int{0, 0, 0}}, kernels.New([]int64{3, 0}, 2), 1, kernels.Circular,
			9, 9, 2, -2, 3, -3, 9, 9, 9, 9, 9, 9, 7, -7, 8, -8),
		cached("a matrix", kernels.New(counting[float32](6), 2, 3), kernels.New([]float32{-1, -2}, 2, 1), kernels.New([]int8{2, 1}, 2), -1, kernels.Linear, 0, 1, -1, 3, -2, 5),
	})
	runGolden(t, []golden[string]{
		cached("strings", kernels.New([]string{"a", "b", "c", "d", "e", "f"}, 2, 3), kernels.New([]string{"u", "v", "w", "x"}, 2, 2), kernels.New([]uint16{2, 1}, 2), 1, kernels.Circular,
			"v", "b", "u", "d", "w", "x"),
	})
	require.Equal(t, "linear circular CacheMode(7)", fmt.Sprint(kernels.Linear, " ", kernels.Circular, " ", kernels.CacheMode(7)))
}

// TestTensorScatterOfManyBatches: an index that stands for more batches than there is memory is
// looked at once.
func TestTensorScatterOfManyBatches(t *testing.T) {
	cache := kernels.New([]float32{}, math.MaxInt, 0)
	require.NoError(t, kernels.TensorScatter(cache, cache, cache, kernels.Tensor[int64]{}, 1, kernels.Linear))
	v := generic.View{Shape: cache.Shape}
	require.NoError(t, generic.TensorScatter(cache.Data, v, cache.Data, v, cache.Data, v, []int64(nil), generic.View{}, 1, false))
	require.NoError(t, kernels.TensorScatter(cache, cache, cache, kernels.Tensor[int64]{Data: []int64{0}, Shape: []int{math.MaxInt}, Strides: []int{0}}, 1, kernels.Linear))
	err := kernels.TensorScatter(cache, cache, cache, kernels.Tensor[int64]{Data: []int64{1}, Shape: []int{math.MaxInt}, Strides: []int{0}}, 1, kernels.Linear)
	requireFailure(t, tensorScatter, badIndex("1", 1, 0, 0), err)
}

// TestTensorScatterLength: the error says how many positions there are to be from the index on.
func TestTensorScatterLength(t *testing.T) {
	cache, updates := kernels.New(make([]float32, 12), 2, 6), kernels.New(make([]float32, 6), 2, 3)
	for mode, length := range map[kernels.CacheMode]int{kernels.Linear: 3, kernels.Circular: 0} {
		err := kernels.TensorScatter(cache, cache, updates, kernels.New([]int64{3, -4}, 2), 1, mode)
		var e *kernels.IndexError
		require.ErrorAs(t, err, &e)
		require.Equal(t, kernels.IndexError{Op: tensorScatter, Position: []int{1}, Value: "-4", Axis: 1, Size: 6, Length: length}, *e)
	}
}

// writeIndices are indices of a random TensorScatter, rarely with some that are too large or
// negative.
func (c *randomCall) writeIndices(limits indexLimits, batches, most int, circular bool) randomIndices {
	v, length := c.view([]int{batches}, false)
	x := randomIndices{view: v, storage: make([]uint64, length)}
	x.setPolicy(c)
	for i := range x.storage {
		x.storage[i] = c.Uint64()
	}
	alike := c.chance(30)
	for b := range batches {
		k := uint64(c.IntN(most + 1))
		if alike {
			k = uint64(b / 3 % (most + 1))
		}
		if circular && c.chance(30) {
			k = pick(c, c.Uint64(), math.MaxInt64, math.MaxUint64, uint64(c.IntN(1000)))
			k >>= c.IntN(64)
		}
		if k = min(k, limits.greatest); circular && limits.least < 0 {
			k &= math.MaxInt64
		}
		x.storage[v.Address([]int{b})] = k
	}
	for n := 0; batches > 0 && c.chance(10) || n < batches && x.policy != nil && c.chance(50); n++ {
		if k, ok := c.badIndex(limits, most+1); ok && !circular || limits.least < 0 && int64(k) < 0 {
			x.storage[v.Address([]int{c.IntN(batches)})] = k
			c.tell("bad index %d", int64(k))
		}
	}
	c.tell("indices: strides %v offset %d of %d: %v", v.Strides, v.Offset, length, x.values())
	return x
}

func (e *elementRow[T]) tensorScatter(c *randomCall) error {
	by := e.indexed[c.index%len(e.indexed)]
	inPlace, mode := c.chance(50), pick(c, kernels.Linear, kernels.Circular)
	data := e.place(c, "data", c.shape(max(2, c.rank())), inPlace)
	rank := len(data.Shape)
	along := 1 + c.IntN(rank-1)
	axis := along - c.IntN(2)*rank
	size := data.Shape[along]
	part := slices.Clone(data.Shape)
	if part[along] = c.IntN(size + 1); c.chance(40) {
		part[along] = min(size, c.IntN(4))
	}
	updates := e.place(c, "updates", part, false)
	var indices *randomIndices
	var shape []int
	if c.chance(80) {
		x := c.writeIndices(by.limits, data.Shape[0], size-part[along], mode == kernels.Circular)
		indices, shape = &x, x.view.Shape
	}
	dst := data.respelled(c)
	if inPlace {
		c.tell("dst in place: strides %v offset %d, its slice %d on", dst.Strides, dst.Offset, dst.at-data.at)
	} else {
		dst = e.place(c, "dst", data.Shape, true)
	}
	c.tell("axis %d, %v, indices %s", axis, mode, by.name)
	if got, err := kernels.TensorScatterShape(data.Shape, updates.Shape, shape, axis); err != nil || !slices.Equal(got, dst.Shape) {
		return fmt.Errorf("TensorScatterShape: %v, %v", got, err)
	}
	source := func(array []T) kernels.Tensor[T] {
		if inPlace {
			return data.in(array)
		}
		return data.Tensor
	}
	return e.compare(c, trial[T]{
		dst: dst, inputs: []placement[T]{data, updates}, unchangedOnError: true,
		define: func(array []T) error {
			return by.defineTensorScatter(dst.in(array), source(array), updates.Tensor, indices, axis, mode)
		},
		run: func(array []T, opts []kernels.Option) error {
			return by.tensorScatter(dst.in(array), source(array), updates.Tensor, indices, axis, mode, opts)
		},
	})
}

func FuzzTensorScatter(f *testing.F) { fuzz(f, hostileOperators.hostileTensorScatter) }

func (e *elementRow[T]) hostileTensorScatter(t *testing.T, in *hostileInput) {
	by := e.indexed[in.index%len(e.indexed)]
	data := e.hostilePlacement(in, in.dims(), in.next()%2 == 0)
	axis, part := in.axisOf(data.Shape)
	mode := kernels.CacheMode(in.next() % 2)
	if in.rare() {
		mode = kernels.CacheMode(in.next())
	}
	if tooMuch(part) || tooMuch(data.Shape) {
		return
	}
	updates := e.hostilePlacement(in, in.or(part), false)
	var x *randomIndices
	var shape []int
	if in.next()%4 > 0 {
		given := in.hostileIndices(in.or(data.Shape[:min(len(data.Shape), 1)]))
		if shape = given.view.Shape; tooMuch(shape) {
			return
		}
		x = &given
	}
	dst := e.placeInto(in, in.or(data.Shape), data, data, updates)
	want, shapeErr := kernels.TensorScatterShape(data.Shape, updates.Shape, shape, axis)
	e.attempt(t, hostileTrial[T]{
		op: "TensorScatter", dst: dst, inputs: []placement[T]{data, updates}, shape: want, shapeErr: shapeErr,
		run: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.tensorScatter(dst, inputs[0], inputs[1], x, axis, mode, in.options()[0])
		},
		define: func(dst kernels.Tensor[T], inputs []kernels.Tensor[T]) error {
			return by.defineTensorScatter(dst, inputs[0], inputs[1], x, axis, mode)
		},
	})
}

// BenchmarkTensorScatter writes a token into a cache of 8 batches, 32 heads and 4096 positions of
// 128 float32, in place. It moves 128 KiB, whatever the cache's size, as the loop by hand does.
func BenchmarkTensorScatter(b *testing.B) {
	const batches, heads, positions, width = 8, 32, 4096, 128
	cache := kernels.New(make([]float32, batches*heads*positions*width), batches, heads, positions, width)
	token := kernels.New(make([]float32, batches*heads*width), batches, heads, 1, width)
	same := kernels.New(make([]int64, batches), batches)
	each := kernels.New(make([]int64, batches), batches)
	for _, row := range []struct {
		name    string
		indices kernels.Tensor[int64]
		mode    kernels.CacheMode
	}{{"same", same, kernels.Linear}, {"each", each, kernels.Linear}, {"each", each, kernels.Circular}, {"each by hand", each, kernels.Linear}} {
		b.Run(fmt.Sprintf("positions=%s/mode=%v", row.name, row.mode), func(b *testing.B) {
			b.SetBytes(batches * heads * width * 4)
			b.ReportAllocs()
			step := 0
			for b.Loop() {
				step++
				for i := range batches {
					same.Data[i], each.Data[i] = int64(step%positions), int64((step+i*500)%positions)
				}
				if row.name == "each by hand" {
					for r := range batches * heads {
						copy(cache.Data[(r*positions+int(each.Data[r/heads]))*width:][:width], token.Data[r*width:])
					}
					continue
				}
				if err := kernels.TensorScatter(cache, cache, token, row.indices, -2, row.mode, kernels.Workers(1)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
