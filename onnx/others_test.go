package onnx_test

import (
	"errors"
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/onnx"
)

func sessionWith(t *testing.T, m *onnx.Model, others onnx.Implementations) *onnx.Session {
	t.Helper()
	s, err := onnx.NewSessionWith(m, others)
	require.NoError(t, err)
	return s
}

// returning is an operator that returns these tensors.
func returning(out ...kernels.Raw) onnx.Implementation {
	return func(*onnx.Node, []kernels.Raw, ...kernels.Option) ([]kernels.Raw, error) { return out, nil }
}

// doubled adds float32 to themselves.
func doubled(_ *onnx.Node, in []kernels.Raw, _ ...kernels.Option) ([]kernels.Raw, error) {
	x, err := kernels.TensorOf[float32](in[0])
	if err != nil {
		return nil, err
	}
	y := make([]float32, len(x.Data))
	for i, v := range x.Data {
		y[i] = 2 * v
	}
	return []kernels.Raw{raw(y, x.Shape...)}, nil
}

func TestOtherOperators(t *testing.T) {
	m := graph([]onnx.Value{{Name: "x", Type: named(f32, "N")}, {Name: "i", Type: typed(i64, 1)}}, []onnx.Tensor{{Name: "u", Raw: raw([]float32{9})}}, []string{"z", "d"},
		node("GatherElements", "g", "x", "i"), node("Double", "d", "g"), node("ScatterElements", "z", "x", "i", "d"))
	_, err := onnx.NewSession(m)
	require.ErrorIs(t, err, onnx.ErrUnsupported)
	require.ErrorContains(t, err, "onnx: node 1 (Double, opset 18): Double: not one of the operators that are here")

	s := sessionWith(t, m, onnx.Implementations{{Op: "Double"}: doubled})
	require.Equal(t, onnx.Value{Name: "d"}, s.Outputs()[1], "nothing is known of it")
	var run sync.WaitGroup
	for range 4 {
		run.Go(func() {
			got, err := s.Run(tensors{"x": raw([]float32{1, 2, 3}), "i": raw([]int64{1})})
			if err != nil {
				panic(err)
			}
			requireSame(t, raw([]float32{1, 4, 3}), got["z"])
			requireSame(t, raw([]float32{4}), got["d"])
		})
	}
	run.Wait()

	// The two names of ONNX's own domain are one; others are not.
	m.Graph.Nodes[1].Domain = "ai.onnx"
	sessionWith(t, m, onnx.Implementations{{Op: "Double"}: doubled})
	m.Graph.Nodes[1].Domain = ""
	sessionWith(t, m, onnx.Implementations{{"ai.onnx", "Double"}: doubled})
	m.Graph.Nodes[1].Domain = "com.example"
	sessionWith(t, m, onnx.Implementations{{"com.example", "Double"}: doubled})
	for _, others := range []onnx.Implementations{{{Op: "Double"}: doubled}, {{"com.example", "Half"}: doubled}, {{"com.example", "Double"}: nil}, nil} {
		_, err := onnx.NewSessionWith(m, others)
		require.ErrorIs(t, err, onnx.ErrUnsupported)
	}
	// A model of other domains needs no opset of ONNX's.
	alone := graph([]onnx.Value{{Name: "x"}}, nil, []string{"y"}, onnx.Node{Domain: "com.example", Op: "Double", Inputs: []string{"x"}, Outputs: []string{"y"}})
	alone.Opset = 0
	got, err := sessionWith(t, alone, onnx.Implementations{{"com.example", "Double"}: doubled}).Run(tensors{"x": raw([]float32{1})})
	require.NoError(t, err)
	requireSame(t, raw([]float32{2}), got["y"])
	// The caller's come first.
	own := graph([]onnx.Value{{Name: "x"}}, nil, []string{"y"}, node("Identity", "y", "x"))
	got, err = sessionWith(t, own, onnx.Implementations{{Op: "Identity"}: doubled}).Run(tensors{"x": raw([]float32{1})})
	require.NoError(t, err)
	requireSame(t, raw([]float32{2}), got["y"])
}

// What a function is given, and how its outputs are counted.
func TestOtherInputsAndOutputs(t *testing.T) {
	m := graph([]onnx.Value{{Name: "x"}}, nil, []string{"a", "c"}, onnx.Node{Op: "Split", Inputs: []string{"x", "", "x"}, Outputs: []string{"a", "", "c"},
		Attributes: []onnx.Attribute{intAttr("n", 7)}}, onnx.Node{Op: "Sink", Inputs: []string{"a"}, Outputs: []string{""}})
	var kernel string
	split := func(n *onnx.Node, in []kernels.Raw, opts ...kernels.Option) ([]kernels.Raw, error) {
		require.Len(t, in, 3)
		require.Equal(t, kernels.Raw{}, in[1])
		require.EqualValues(t, 7, n.Attributes[0].Int)
		dst, err := kernels.NewRaw(in[0].Type, in[0].Shape...)
		if err == nil {
			err = kernels.StridedSliceRaw(dst, in[0], kernels.SliceSpec{}, opts...)
		}
		return []kernels.Raw{dst, {}, in[2]}, err
	}
	s := sessionWith(t, m, onnx.Implementations{{Op: "Split"}: split, {Op: "Sink"}: returning(kernels.Raw{})})
	s.Observe = func(n *onnx.Node, f kernels.Facts) { kernel = n.Op + ": " + f.Kernel }
	x := raw([]float32{1, 2})
	got, err := s.Run(tensors{"x": x})
	require.NoError(t, err)
	require.Equal(t, "Split: copy", kernel)
	for _, name := range []string{"a", "c"} {
		requireSame(t, raw([]float32{1, 2}), got[name])
		got[name].Data[0] ^= 1
	}
	requireSame(t, raw([]float32{1, 2}), x)

	sink := graph(nil, nil, nil, onnx.Node{Op: "Sink", Outputs: []string{""}})
	_, err = sessionWith(t, sink, onnx.Implementations{{Op: "Sink"}: returning(kernels.Raw{})}).Run(nil)
	require.NoError(t, err)
	for _, out := range [][]kernels.Raw{{}, {x}, {x, x, x, x}} {
		_, err := sessionWith(t, m, onnx.Implementations{{Op: "Split"}: returning(out...), {Op: "Sink"}: returning(x)}).Run(tensors{"x": x})
		require.ErrorIs(t, err, onnx.ErrInput)
		require.ErrorContains(t, err, "onnx: node 0 (Split, opset 18): Split: outputs")
	}
	none := graph(nil, nil, nil, onnx.Node{Op: "Sink"})
	_, err = onnx.NewSessionWith(none, onnx.Implementations{{Op: "Sink"}: returning()})
	require.ErrorIs(t, err, onnx.ErrInput)
	twice := graph(nil, nil, nil, onnx.Node{Op: "Sink", Outputs: []string{"a", "a"}})
	_, err = onnx.NewSessionWith(twice, onnx.Implementations{{Op: "Sink"}: returning(x, x)})
	require.ErrorIs(t, err, onnx.ErrFormat)
	missing := graph(nil, nil, nil, onnx.Node{Op: "Sink", Inputs: []string{"nowhere"}, Outputs: []string{"a"}})
	_, err = onnx.NewSessionWith(missing, onnx.Implementations{{Op: "Sink"}: returning(x)})
	require.ErrorIs(t, err, onnx.ErrFormat)
}

// A view of an input is not written to while somebody needs the input, and the other way round.
func TestOtherViews(t *testing.T) {
	reshape := func(_ *onnx.Node, in []kernels.Raw, _ ...kernels.Option) ([]kernels.Raw, error) {
		v := in[0]
		v.Shape = []int{len(v.Data) / 4, 1}
		return []kernels.Raw{v}, nil
	}
	flip := func(_ *onnx.Node, in []kernels.Raw, _ ...kernels.Option) ([]kernels.Raw, error) {
		v, err := kernels.RangesViewRaw(in[0], kernels.Ranges{Starts: []int64{math.MaxInt64}, Ends: []int64{math.MinInt64}, Steps: []int64{-1}})
		return []kernels.Raw{v}, err
	}
	twins := func(_ *onnx.Node, in []kernels.Raw, _ ...kernels.Option) ([]kernels.Raw, error) {
		v := raw([]float32{1, 2, 3})
		return []kernels.Raw{v, v}, nil
	}
	m := graph([]onnx.Value{{Name: "x", Type: typed(f32, 3)}},
		[]onnx.Tensor{{Name: "all", Raw: raw([]int64{0, 1, 2})}, {Name: "u", Raw: raw([]float32{9})}, {Name: "i", Raw: raw([]int64{1})}, {Name: "row", Raw: raw([]int64{1}, 1, 1)}, {Name: "cell", Raw: raw([]float32{7}, 1, 1)}},
		[]string{"y", "v", "w", "f", "p", "q", "s"},
		node("GatherElements", "a", "x", "all"),
		node("Reshape", "v1", "a"), // a view of what the session made
		node("ScatterElements", "y", "a", "i", "u"),
		node("ScatterElements", "v", "v1", "row", "cell"),
		node("Reshape", "w1", "x"), // a view of an input
		node("ScatterElements", "w", "w1", "row", "cell"),
		node("Flip", "f1", "x"), // a view that is not contiguous
		node("ScatterElements", "f", "f1", "i", "u"),
		onnx.Node{Op: "Twins", Outputs: []string{"p1", "q"}}, // two tensors of one memory
		node("ScatterElements", "p", "p1", "i", "u"),
		onnx.Node{Op: "Strings", Outputs: []string{"s"}},
	)
	words := kernels.Raw{Type: kernels.DTypeString, Strings: []string{"a", "b", "c"}, Shape: []int{2}, Strides: []int{-2}, Offset: 2}
	s := sessionWith(t, m, onnx.Implementations{{Op: "Reshape"}: reshape, {Op: "Flip"}: flip, {Op: "Twins"}: twins, {Op: "Strings"}: returning(words)})
	x := raw([]float32{1, 2, 3})
	for range 2 {
		got, err := s.Run(tensors{"x": x})
		require.NoError(t, err)
		requireSame(t, raw([]float32{1, 9, 3}), got["y"])
		requireSame(t, raw([]float32{1, 7, 3}, 3, 1), got["v"])
		requireSame(t, raw([]float32{1, 7, 3}, 3, 1), got["w"])
		requireSame(t, raw([]float32{3, 9, 1}), got["f"])
		requireSame(t, raw([]float32{1, 9, 3}), got["p"])
		requireSame(t, raw([]float32{1, 2, 3}), got["q"])
		requireSame(t, raw([]string{"c", "a"}), got["s"])
		requireSame(t, raw([]float32{1, 2, 3}), x)
		got["s"].Strings[0] = "changed"
	}
}

// Outputs may lie in each other. Each keeps its elements when another is written to.
func TestOtherOverlaps(t *testing.T) {
	m := graph([]onnx.Value{{Name: "x"}}, []onnx.Tensor{{Name: "i", Raw: raw([]int64{0})}, {Name: "u", Raw: raw([]float32{9})}}, []string{"c", "whole", "z"},
		onnx.Node{Op: "Make", Inputs: []string{"x"}, Outputs: []string{"a", "b", "whole", "same"}},
		node("ScatterElements", "c", "b", "i", "u"), node("ScatterElements", "z", "same", "i", "u"))
	parts := func(_ *onnx.Node, in []kernels.Raw, _ ...kernels.Option) ([]kernels.Raw, error) {
		whole := raw([]float32{1, 2, 3, 4})
		a, b := whole, whole
		a.Data, a.Shape = whole.Data[:8:8], []int{2}
		b.Data, b.Shape = whole.Data[8:], []int{2}
		same, err := kernels.NewRaw(in[0].Type, in[0].Shape...)
		same.Shape = in[0].Shape
		return []kernels.Raw{a, b, whole, same}, err
	}
	s := sessionWith(t, m, onnx.Implementations{{Op: "Make"}: parts})
	x := raw([]float32{1, 2, 3})
	got, err := s.Run(tensors{"x": x})
	require.NoError(t, err)
	requireSame(t, raw([]float32{9, 4}), got["c"])
	requireSame(t, raw([]float32{1, 2, 3, 4}), got["whole"])
	requireSame(t, raw([]float32{9, 0, 0}), got["z"])
	got["z"].Shape[0] = 1
	require.Equal(t, []int{3}, x.Shape, "shapes are an output's own, too")

	// What lies across two tensors of the session is copied.
	across := graph([]onnx.Value{{Name: "x"}}, m.Graph.Initializers, []string{"z", "both"}, onnx.Node{Op: "Two", Outputs: []string{"a", "b"}},
		onnx.Node{Op: "Join", Inputs: []string{"a", "b"}, Outputs: []string{"both"}}, node("ScatterElements", "z", "a", "i", "u"))
	memory := raw([]float32{1, 2, 3, 4})
	first, second, both := memory, memory, memory
	first.Data, first.Shape = memory.Data[:8:8], []int{2}
	second.Data, second.Shape = memory.Data[8:], []int{2}
	s = sessionWith(t, across, onnx.Implementations{{Op: "Two"}: returning(first, second), {Op: "Join"}: returning(both)})
	got, err = s.Run(tensors{"x": x})
	require.NoError(t, err)
	requireSame(t, raw([]float32{9, 2}), got["z"])
	requireSame(t, raw([]float32{1, 2, 3, 4}), got["both"])
}

// What a function returns has to be what the model declares.
func TestBadOthers(t *testing.T) {
	m := graph([]onnx.Value{{Name: "x"}}, nil, []string{"y"}, node("Make", "y", "x"))
	m.Graph.Outputs[0].Type = onnx.Type{Elem: f32, Dims: []onnx.Dim{{Size: 2}, {Size: -1, Name: "N"}}}
	own := errors.New("own")
	for name, c := range map[string]struct {
		run  onnx.Implementation
		kind error
		text string
	}{
		"its own error": {func(*onnx.Node, []kernels.Raw, ...kernels.Option) ([]kernels.Raw, error) { return nil, own }, own, "onnx: node 0 (Make, opset 18): own"},
		"no tensor":     {returning(kernels.Raw{}), kernels.ErrType, `onnx: node 0 (Make, opset 18): Make: output "y": of type DType(0)`},
		"no type":       {returning(kernels.Raw{Type: 99, Shape: []int{2, 1}}), kernels.ErrType, "of type DType(99)"},
		"another type":  {returning(raw([]int64{1, 2}, 2, 1)), kernels.ErrType, "of type int64, and the model has float"},
		"another rank":  {returning(raw([]float32{1, 2})), kernels.ErrShape, "of shape [2], and the model has [2 N]"},
		"another size":  {returning(raw([]float32{1, 2, 3}, 3, 1)), kernels.ErrShape, "of shape [3 1], and the model has [2 N]"},
		"too short":     {returning(kernels.Raw{Type: f32, Shape: []int{2, 1}, Data: make([]byte, 7)}), kernels.ErrShape, "of shape [2 1]: "},
		"negative":      {returning(kernels.Raw{Type: f32, Shape: []int{2, -1}}), kernels.ErrShape, "of shape [2 -1]"},
		"too many":      {returning(kernels.Raw{Type: f32, Shape: []int{2, math.MaxInt}}), kernels.ErrShape, "of shape"},
		"a wide view":   {returning(kernels.Raw{Type: f32, Shape: []int{2, 1 << 29}, Strides: []int{0, 0}, Data: make([]byte, 4)}), onnx.ErrLimit, "onnx: node 0 (Make, opset 18): tensors of "},
	} {
		s := sessionWith(t, m, onnx.Implementations{{Op: "Make"}: c.run})
		s.MaxBytes = 1 << 31
		_, err := s.Run(tensors{"x": raw([]float32{1})})
		require.ErrorIs(t, err, c.kind, name)
		require.ErrorContains(t, err, c.text, name)
		var e *onnx.NodeError
		require.ErrorAs(t, err, &e, name)
		require.Equal(t, "Make", e.Op)
	}
	// So has what an operator of this package returns.
	wrong := graph([]onnx.Value{{Name: "x"}}, nil, []string{"y"}, node("Identity", "y", "x"))
	for _, declared := range []onnx.Type{typed(i64, 3), typed(f32, 2), typed(f32, 3, 1)} {
		wrong.Graph.Outputs[0].Type = declared
		_, err := session(t, wrong).Run(tensors{"x": raw([]float32{1, 2, 3})})
		require.ErrorContains(t, err, `onnx: node 0 (Identity, opset 18): Identity-13: output "y": of `)
	}
	m.Graph.Values = []onnx.Value{{Name: "y", Type: typed(i64)}}
	_, err := onnx.NewSessionWith(m, onnx.Implementations{{Op: "Make"}: returning()})
	require.ErrorIs(t, err, onnx.ErrFormat, "declared in two ways")
}
