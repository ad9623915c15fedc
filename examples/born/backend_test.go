package main

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/born-ml/born/backend/cpu"
	"github.com/born-ml/born/tensor"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

var random = rand.New(rand.NewPCG(3, 4))

// fill returns a tensor of random elements; of float types without those that born's tensors never have.
func fill(typ tensor.DataType, shape ...int) *tensor.RawTensor {
	t := must(tensor.NewRaw(shape, typ, tensor.CPU))
	switch typ {
	case tensor.Float32:
		for i := range t.AsFloat32() {
			t.AsFloat32()[i] = float32(random.NormFloat64())
		}
	case tensor.Float64:
		for i := range t.AsFloat64() {
			t.AsFloat64()[i] = random.NormFloat64()
		}
	case tensor.Bool:
		for i := range t.AsBool() {
			t.AsBool()[i] = random.IntN(2) > 0
		}
	default:
		for i := range t.Data() {
			t.Data()[i] = byte(random.IntN(256))
		}
	}
	return t
}

// places returns a tensor of indices below n.
func places(n int, shape ...int) *tensor.RawTensor {
	t := must(tensor.NewRaw(shape, tensor.Int32, tensor.CPU))
	for i := range t.AsInt32() {
		t.AsInt32()[i] = int32(random.IntN(n))
	}
	return t
}

// An operation calls a backend with arguments of its own.
type operation = func(tensor.Backend) []*tensor.RawTensor

func one(t *tensor.RawTensor) []*tensor.RawTensor { return []*tensor.RawTensor{t} }

// operations are calls that born takes, by name.
func operations() map[string]operation {
	all := map[string]operation{}
	add := func(name string, typ tensor.DataType, op operation) { all[name+"/"+typ.String()] = op }
	numbers := []tensor.DataType{tensor.Float32, tensor.Float64, tensor.Int32, tensor.Int64}
	for _, axis := range []int{0, 1, 2, -1} {
		shape := [3]int{7, 5, 9}
		d := (axis + 3) % 3
		for _, typ := range append(numbers, tensor.Uint8) {
			x := fill(typ, shape[:]...)
			at := shape
			at[d] = 11
			index := places(shape[d], at[:]...)
			add(fmt.Sprint("Gather", axis), typ, func(b tensor.Backend) []*tensor.RawTensor { return one(b.Gather(x, axis, index)) })
		}
		for _, typ := range numbers {
			dest, many := fill(typ, shape[:]...), shape
			many[d] = 30
			src := fill(typ, many[:]...)
			index := places(shape[d], many[:]...)
			add(fmt.Sprint("ScatterAdd", axis), typ, func(b tensor.Backend) []*tensor.RawTensor { return one(b.ScatterAdd(dest, axis, index, src)) })
			if d == 0 && (typ == tensor.Float32 || typ == tensor.Float64) {
				index := places(shape[d], 30)
				add(fmt.Sprint("SelectAdd", axis), typ, func(b tensor.Backend) []*tensor.RawTensor { return one(b.SelectAdd(dest, axis, index, src)) })
			}
		}
		for _, typ := range append(numbers, tensor.Uint8, tensor.Bool) {
			x, long := fill(typ, shape[:]...), shape
			long[d] = 4
			y := fill(typ, long[:]...)
			add(fmt.Sprint("Cat", axis), typ, func(b tensor.Backend) []*tensor.RawTensor { return one(b.Cat([]*tensor.RawTensor{x, y, x}, axis)) })
			for _, n := range []int{1, 2, 4} {
				add(fmt.Sprint("Chunk", axis, "/", n), typ, func(b tensor.Backend) []*tensor.RawTensor { return b.Chunk(y, n, axis) })
			}
		}
	}
	for _, typ := range numbers[:2] {
		table := fill(typ, 13, 6)
		for _, shape := range [][]int{{1}, {40}, {3, 4}, {2, 3, 2}} {
			index := places(13, shape...)
			add(fmt.Sprint("Embedding", shape), typ, func(b tensor.Backend) []*tensor.RawTensor { return one(b.Embedding(table, index)) })
		}
	}
	for _, typ := range append(numbers, tensor.Uint8, tensor.Bool) {
		x := fill(typ, 3, 4, 5)
		for _, axes := range [][]int{nil, {0, 1, 2}, {2, 0, 1}, {1, 0, 2}, {0, 2, 1}} {
			if typ == tensor.Bool || typ == tensor.Uint8 {
				continue // born transposes numbers alone
			}
			add(fmt.Sprint("Transpose", axes), typ, func(b tensor.Backend) []*tensor.RawTensor { return one(b.Transpose(x, axes...)) })
		}
		if typ == tensor.Uint8 {
			continue // nor does born expand it
		}
		y := fill(typ, 3, 1, 5)
		for _, shape := range []tensor.Shape{{3, 1, 5}, {3, 6, 5}, {2, 3, 1, 5}, {1, 2, 3, 6, 5}} {
			add(fmt.Sprint("Expand", shape), typ, func(b tensor.Backend) []*tensor.RawTensor { return one(b.Expand(y, shape)) })
		}
	}
	return all
}

func TestOperations(t *testing.T) {
	backends := map[string]tensor.Backend{
		"default": New(),
		"1":       New(kernels.Workers(1)),
		"alone":   &Backend{}, // there is no backend of born's that it could ask
	}
	for name, op := range operations() {
		t.Run(name, func(t *testing.T) {
			want := op(cpu.New())
			for name, b := range backends {
				got := op(b)
				require.Len(t, got, len(want))
				for i := range want {
					assert.Equal(t, want[i].Shape(), got[i].Shape(), name)
					assert.Equal(t, want[i].DType(), got[i].DType(), name)
					assert.Equal(t, want[i].Device(), got[i].Device(), name)
					assert.Equal(t, want[i].Data(), got[i].Data(), name)
				}
			}
		})
	}
}

// TestSelectAddAxis compares with ScatterAdd by indices that are written out:
// born 0.9.0's own SelectAdd is right along the first axis alone, as it walks dest by the strides of src.
func TestSelectAddAxis(t *testing.T) {
	for axis, rest := range []int{0: 45, 1: 9, 2: 1} {
		shape := [3]int{7, 5, 9}
		dest := fill(tensor.Float32, shape[:]...)
		index := places(shape[axis], 30)
		shape[axis] = 30
		src, each := fill(tensor.Float32, shape[:]...), places(1, shape[:]...)
		for i := range each.AsInt32() {
			each.AsInt32()[i] = index.AsInt32()[i/rest%30]
		}
		want := cpu.New().ScatterAdd(dest, axis, each, src)
		assert.Equal(t, want.Data(), New().SelectAdd(dest, axis, index, src).Data(), "axis %d", axis)
		assert.Equal(t, want.Data(), New().SelectAdd(dest, axis-3, index, src).Data(), "axis %d", axis-3)
	}
}

// TestRefusals has calls that born refuses: it is born that says why.
func TestRefusals(t *testing.T) {
	x, bytes := fill(tensor.Float32, 4, 5), fill(tensor.Uint8, 4, 5)
	index, floats, row := places(4, 4, 5), fill(tensor.Float32, 4, 5), places(4, 4)
	at := func(value int32) *tensor.RawTensor {
		t := places(1, 4, 5)
		t.AsInt32()[7] = value
		return t
	}
	pick := func(value int32) *tensor.RawTensor {
		t := places(1, 4)
		t.AsInt32()[2] = value
		return t
	}
	for name, op := range map[string]operation{
		"Gather/index":       func(b tensor.Backend) []*tensor.RawTensor { return one(b.Gather(x, 0, at(4))) },
		"Gather/negative":    func(b tensor.Backend) []*tensor.RawTensor { return one(b.Gather(x, 0, at(-1))) },
		"Gather/axis":        func(b tensor.Backend) []*tensor.RawTensor { return one(b.Gather(x, 2, index)) },
		"Gather/type":        func(b tensor.Backend) []*tensor.RawTensor { return one(b.Gather(x, 0, floats)) },
		"Gather/short":       func(b tensor.Backend) []*tensor.RawTensor { return one(b.Gather(x, 0, places(4, 4, 4))) },
		"Gather/rank":        func(b tensor.Backend) []*tensor.RawTensor { return one(b.Gather(x, 0, row)) },
		"Embedding/index":    func(b tensor.Backend) []*tensor.RawTensor { return one(b.Embedding(x, pick(4))) },
		"Embedding/negative": func(b tensor.Backend) []*tensor.RawTensor { return one(b.Embedding(x, pick(-1))) },
		"Embedding/type":     func(b tensor.Backend) []*tensor.RawTensor { return one(b.Embedding(x, floats)) },
		"Embedding/rank":     func(b tensor.Backend) []*tensor.RawTensor { return one(b.Embedding(fill(tensor.Float32, 5), row)) },
		"SelectAdd/index":    func(b tensor.Backend) []*tensor.RawTensor { return one(b.SelectAdd(x, 0, pick(4), floats)) },
		"SelectAdd/negative": func(b tensor.Backend) []*tensor.RawTensor { return one(b.SelectAdd(x, 0, pick(-4), floats)) },
		"SelectAdd/axis":     func(b tensor.Backend) []*tensor.RawTensor { return one(b.SelectAdd(x, -3, row, floats)) },
		"SelectAdd/length":   func(b tensor.Backend) []*tensor.RawTensor { return one(b.SelectAdd(x, 1, row, floats)) },
		"SelectAdd/rank":     func(b tensor.Backend) []*tensor.RawTensor { return one(b.SelectAdd(x, 0, index, floats)) },
		"SelectAdd/short": func(b tensor.Backend) []*tensor.RawTensor {
			return one(b.SelectAdd(x, 0, row, fill(tensor.Float32, 4, 4)))
		},
		"ScatterAdd/index":    func(b tensor.Backend) []*tensor.RawTensor { return one(b.ScatterAdd(x, 0, at(1<<30), floats)) },
		"ScatterAdd/negative": func(b tensor.Backend) []*tensor.RawTensor { return one(b.ScatterAdd(x, 1, at(-2), floats)) },
		"ScatterAdd/axis":     func(b tensor.Backend) []*tensor.RawTensor { return one(b.ScatterAdd(x, 2, index, floats)) },
		"ScatterAdd/shape": func(b tensor.Backend) []*tensor.RawTensor {
			return one(b.ScatterAdd(x, 0, index, fill(tensor.Float32, 3, 5)))
		},
		"ScatterAdd/type":      func(b tensor.Backend) []*tensor.RawTensor { return one(b.ScatterAdd(x, 0, index, bytes)) },
		"ScatterAdd/indexType": func(b tensor.Backend) []*tensor.RawTensor { return one(b.ScatterAdd(x, 0, floats, floats)) },
		"Transpose/few":        func(b tensor.Backend) []*tensor.RawTensor { return one(b.Transpose(x, 0)) },
		"Transpose/twice":      func(b tensor.Backend) []*tensor.RawTensor { return one(b.Transpose(x, 1, 1)) },
		"Transpose/axis":       func(b tensor.Backend) []*tensor.RawTensor { return one(b.Transpose(x, 1, 2)) },
		"Expand/few":           func(b tensor.Backend) []*tensor.RawTensor { return one(b.Expand(x, tensor.Shape{5})) },
		"Expand/size":          func(b tensor.Backend) []*tensor.RawTensor { return one(b.Expand(x, tensor.Shape{8, 5})) },
		"Cat/none":             func(b tensor.Backend) []*tensor.RawTensor { return one(b.Cat(nil, 0)) },
		"Cat/axis":             func(b tensor.Backend) []*tensor.RawTensor { return one(b.Cat([]*tensor.RawTensor{x, x}, 2)) },
		"Cat/types":            func(b tensor.Backend) []*tensor.RawTensor { return one(b.Cat([]*tensor.RawTensor{x, bytes}, 0)) },
		"Cat/shapes": func(b tensor.Backend) []*tensor.RawTensor {
			return one(b.Cat([]*tensor.RawTensor{x, fill(tensor.Float32, 4, 6)}, 0))
		},
		"Chunk/n":    func(b tensor.Backend) []*tensor.RawTensor { return b.Chunk(x, 0, 0) },
		"Chunk/part": func(b tensor.Backend) []*tensor.RawTensor { return b.Chunk(x, 3, 0) },
		"Chunk/axis": func(b tensor.Backend) []*tensor.RawTensor { return b.Chunk(x, 1, 2) },
	} {
		t.Run(name, func(t *testing.T) {
			want, got := complaint(op, cpu.New()), complaint(op, New())
			require.NotNil(t, want, "born takes this call")
			assert.Equal(t, fmt.Sprint(want), fmt.Sprint(got))
		})
	}
}

func complaint(op operation, b tensor.Backend) (what any) {
	defer func() { what = recover() }()
	op(b)
	return nil
}
