package onnx_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/onnx"
	"github.com/lanes-go/lanes/onnx/internal/onnxtest"
)

// Any bytes are a model that runs, or an error of a known kind.
func FuzzModel(f *testing.F) {
	f.Add(onnxtest.Model(sample()))
	f.Add(onnxtest.Model(chain()))
	for _, n := range []onnx.Node{
		node("Gather", "y", "x", "i"),
		node("GatherND", "y", "x", "i"),
		node("ScatterND", "y", "x", "i", "x"),
		node("Slice", "y", "x", "i", "i", "i", "i"),
		node("Compress", "y", "x", "c"),
	} {
		f.Add(onnxtest.Model(graph([]onnx.Value{{Name: "x", Type: typed(f32, 2, 3)}}, []onnx.Tensor{{Name: "i", Raw: raw([]int64{1})}, {Name: "c", Raw: raw([]bool{true, false})}}, []string{"y"}, n)))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		const limit = 1 << 20
		m, err := onnx.ParseModel(b, onnx.Config{MaxBytes: limit})
		if err != nil {
			requireKnown(t, err)
			return
		}
		s, err := onnx.NewSession(m)
		if err != nil {
			requireKnown(t, err)
			return
		}
		s.MaxBytes = limit
		inputs := tensors{}
		for _, v := range s.Inputs() {
			if in, small := zeros(v.Type); small {
				inputs[v.Name] = in
			}
		}
		outputs, err := s.Run(inputs, kernels.Workers(1))
		if err != nil {
			requireKnown(t, err)
			return
		}
		for _, v := range s.Outputs() {
			got := outputs[v.Name]
			require.True(t, v.Type.Elem == 0 || v.Type.Elem == got.Type)
			if v.Type.Dims != nil {
				require.Len(t, got.Shape, len(v.Type.Dims))
			}
		}
	})
}

// zeros is a small tensor of a type: whatever is not known is 1.
func zeros(v onnx.Type) (kernels.Raw, bool) {
	r := kernels.Raw{Type: v.Elem, Shape: []int{}}
	if v.Elem == 0 {
		r.Type = f32
	}
	n := 1
	for _, d := range v.Dims {
		size := d.Size
		if size < 0 {
			size = 1
		}
		if size > 1<<10 || n > 1<<10 {
			return r, false
		}
		n *= size
		r.Shape = append(r.Shape, size)
	}
	if r.Type == kernels.DTypeString {
		r.Strings = make([]string, n)
	} else {
		r.Data = make([]byte, n*r.Type.Size())
	}
	return r, true
}

func requireKnown(t *testing.T, err error) {
	for _, kind := range []error{onnx.ErrFormat, onnx.ErrUnsupported, onnx.ErrInput, onnx.ErrLimit,
		kernels.ErrAttribute, kernels.ErrIndex, kernels.ErrShape, kernels.ErrType, kernels.ErrOverlap} {
		if errors.Is(err, kind) {
			return
		}
	}
	require.NoError(t, err, "of no kind")
}

// Any bytes are a tensor that is written as it was read, or an error.
func FuzzTensor(f *testing.F) {
	f.Add(onnxtest.Tensor(onnx.Tensor{Name: "t", Raw: matrix}))
	f.Add(onnxtest.Tensor(onnx.Tensor{Raw: raw([]string{"a", ""}, 1, 2)}))
	f.Add(tensorRow(kernels.DTypeFloat16, []int{2}, 5, packed(0x3C00, 0xFC00)))
	f.Add(tensorRow(kernels.DTypeComplex64, []int{0}))
	f.Add(external("location", "f", "offset", "1"))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := onnx.ParseTensor(b, onnx.Config{MaxBytes: 1 << 20})
		if err != nil {
			requireKnown(t, err)
			return
		}
		written, err := onnx.AppendTensor(nil, got)
		require.NoError(t, err)
		again, err := onnx.ParseTensor(written, onnx.Config{})
		require.NoError(t, err)
		require.Equal(t, got.Name, again.Name)
		requireSame(t, got.Raw, again.Raw)
	})
}
