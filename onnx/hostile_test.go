package onnx_test

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/onnx"
	"github.com/lanes-go/lanes/onnx/internal/onnxtest"
)

// What a model costs is in proportion to the bytes of its file, up to fixed limits.

// oneOf is one element with so many axes.
func oneOf[T any](v T, rank int) kernels.Raw {
	return raw([]T{v}, slices.Repeat([]int{1}, rank)...)
}

// parsed writes a model and reads it again. It returns the length of the file.
func parsed(t *testing.T, m *onnx.Model) (*onnx.Model, int) {
	b := onnxtest.Model(m)
	m, err := onnx.ParseModel(b, onnx.Config{})
	require.NoError(t, err)
	return m, len(b)
}

// kept returns how many bytes f allocates, and how many of them are in use while its result is.
func kept[T any](f func() T) (allocated, inUse int64) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	v := f()
	runtime.GC()
	runtime.ReadMemStats(&after)
	runtime.KeepAlive(v)
	return int64(after.TotalAlloc - before.TotalAlloc), int64(after.HeapAlloc) - int64(before.HeapAlloc)
}

// Declarations without a shape do not copy the dims of their value.
func TestManyDeclarations(t *testing.T) {
	const rank, times = 20_000, 2000
	outputs := graph(nil, []onnx.Tensor{{Name: "w", Raw: oneOf[float32](1, rank)}}, nil)
	for range times {
		outputs.Graph.Outputs = append(outputs.Graph.Outputs, onnx.Value{Name: "w"})
	}
	values := graph([]onnx.Value{{Name: "x"}}, nil, []string{"y"}, node("Identity", "y", "x"))
	values.Graph.Values = []onnx.Value{{Name: "y", Type: typed(f32, slices.Repeat([]int{1}, rank)...)}}
	for range times {
		values.Graph.Values = append(values.Graph.Values, onnx.Value{Name: "y"})
	}
	for name, m := range map[string]*onnx.Model{"outputs": outputs, "values": values} {
		m, size := parsed(t, m)
		allocated, inUse := kept(func() *onnx.Session { return session(t, m) })
		require.Less(t, allocated, int64(1000*size), name)
		require.Less(t, inUse, int64(100*size), name)
	}
}

// The dims of values whose rank is not declared are limited when the model runs.
func TestDimsOfARun(t *testing.T) {
	const rank, nodes = 20_000, 2000
	weights := []onnx.Tensor{{Name: "w", Raw: oneOf[float32](1, rank)}, {Name: "i", Raw: oneOf[int64](0, rank)}}
	m := graph([]onnx.Value{{Name: "w"}, {Name: "i"}}, weights, nil)
	for i := range nodes {
		y := fmt.Sprint("y", i)
		m.Graph.Nodes = append(m.Graph.Nodes, node("GatherElements", y, "w", "i"))
		m.Graph.Outputs = append(m.Graph.Outputs, onnx.Value{Name: y})
	}
	_, err := session(t, m).Run(nil)
	require.ErrorIs(t, err, onnx.ErrLimit)
	require.ErrorContains(t, err, "node 52 (GatherElements, opset 18): shapes of ")

	read := graph([]onnx.Value{{Name: "w"}}, []onnx.Tensor{{Name: "w", Raw: oneOf[float32](1, rank)}}, nil)
	for i := range nodes {
		read.Graph.Nodes = append(read.Graph.Nodes, node("Compress", fmt.Sprint("y", i), "w", "c"))
	}
	read.Graph.Initializers = append(read.Graph.Initializers, onnx.Tensor{Name: "c", Raw: raw([]bool{true})})
	_, err = session(t, read).Run(nil)
	require.ErrorIs(t, err, onnx.ErrLimit)
	require.ErrorContains(t, err, "shapes that are read of ")

	read.Graph.Inputs = nil // the rank is known
	_, err = onnx.NewSession(read)
	require.ErrorIs(t, err, onnx.ErrLimit)
	require.ErrorContains(t, err, "shapes that are read of ")
}

// So are constant indices that are looked at.
func TestManyConstants(t *testing.T) {
	m := graph([]onnx.Value{{Name: "x", Type: typed(f32, 2)}}, []onnx.Tensor{{Name: "i", Raw: raw(make([]int64, 20_000))}}, nil)
	for i := range 1000 {
		m.Graph.Nodes = append(m.Graph.Nodes, node("Gather", fmt.Sprint("y", i), "x", "i"))
	}
	_, err := onnx.NewSession(m)
	require.NoError(t, err)
	m.Opset = 10
	_, err = onnx.NewSession(m)
	require.ErrorIs(t, err, onnx.ErrLimit)
}

// The work of one node is in proportion, too. If it grew with the square, it would take minutes.
func TestLongNodes(t *testing.T) {
	began := time.Now()
	const n = 300_000
	names, none := make([]string, n), make([]int64, n)
	for i := range n {
		names[i], none[i] = "d", n // of no axis
	}
	m := graph([]onnx.Value{{Name: "x", Type: named(f32, names...)}}, nil, []string{"y"}, onnx.Node{Op: "Slice", Inputs: []string{"x"}, Outputs: []string{"y"},
		Attributes: []onnx.Attribute{intsAttr("starts", none...), intsAttr("ends", none...), intsAttr("axes", none...)}})
	m.Opset = 1
	session(t, m)

	parts := onnx.Node{Op: "Make"}
	made := make([]kernels.Raw, n)
	for i := range n {
		parts.Outputs, made[i] = append(parts.Outputs, fmt.Sprint("y", i)), raw([]float32{1})
	}
	_, err := sessionWith(t, graph(nil, nil, nil, parts), onnx.Implementations{{Op: "Make"}: returning(made...)}).Run(nil)
	require.NoError(t, err)
	require.Less(t, time.Since(began), time.Minute)
}

// A view over itself has far more coordinates than elements. They are not looked at where the
// output would be too large.
func TestOverlappingIndices(t *testing.T) {
	const n = 1 << 14
	indices := raw(make([]int64, 2*n))
	indices.Shape, indices.Strides = []int{n, n}, []int{1, 1}
	m := graph([]onnx.Value{{Name: "x", Type: typed(f32, 2)}, {Name: "i", Type: named(i64, "A", "B")}}, nil, []string{"y"}, node("Gather", "y", "x", "i"))
	m.Opset = 9
	s := session(t, m)
	s.MaxBytes = 1 << 20
	_, err := s.Run(tensors{"x": raw([]float32{1, 2}), "i": indices})
	require.ErrorIs(t, err, onnx.ErrLimit)
}

// Outputs that name one value of many axes share the copy of its dims.
func TestManyOutputs(t *testing.T) {
	const rank, times = 4000, 4000
	m := graph(nil, []onnx.Tensor{{Name: "w", Raw: oneOf[float32](1, rank)}}, nil)
	for range times {
		m.Graph.Outputs = append(m.Graph.Outputs, onnx.Value{Name: "w"})
	}
	m, size := parsed(t, m)
	s := session(t, m)
	_, inUse := kept(func() []onnx.Value { return s.Outputs() })
	require.Less(t, inUse, int64(1000*size))
	outputs := s.Outputs()
	outputs[0].Type.Dims[0].Size = 7
	require.Equal(t, 1, s.Outputs()[0].Type.Dims[0].Size, "the session's own")
}

// Lists of a Slice that say nothing, as the rank of its data is not known, are not read at each node.
func TestManySlices(t *testing.T) {
	const length, nodes = 1 << 18, 100
	m := graph([]onnx.Value{{Name: "x"}}, []onnx.Tensor{{Name: "c", Raw: raw(make([]int32, length))}}, nil)
	for i := range nodes {
		m.Graph.Nodes = append(m.Graph.Nodes, node("Slice", fmt.Sprint("y", i), "x", "c", "c", "c", "c"))
	}
	m, size := parsed(t, m)
	allocated, _ := kept(func() any { return session(t, m) })
	require.Less(t, allocated, int64(10*size))
}

// Conditions are counted as often as that takes no time; then the size of the output is not known.
func TestManyConditions(t *testing.T) {
	const length, nodes = 1 << 22, 1000
	m := graph([]onnx.Value{{Name: "x", Type: typed(f32, length)}}, []onnx.Tensor{{Name: "c", Raw: raw(make([]bool, length))}}, []string{"y0", fmt.Sprint("y", nodes-1)})
	for i := range nodes {
		m.Graph.Nodes = append(m.Graph.Nodes, node("Compress", fmt.Sprint("y", i), "x", "c"))
	}
	outputs := session(t, m).Outputs()
	require.Equal(t, []onnx.Dim{{Size: 0}}, outputs[0].Type.Dims)
	require.Equal(t, []onnx.Dim{{Size: -1}}, outputs[1].Type.Dims)
}
