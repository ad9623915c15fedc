package onnx_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/onnx"
	"github.com/lanes-go/lanes/onnx/internal/onnxtest"
)

// node is a node with one output.
func node(op, out string, in ...string) onnx.Node {
	return onnx.Node{Op: op, Inputs: in, Outputs: []string{out}}
}

func typed(elem kernels.DType, sizes ...int) onnx.Type {
	dims := []onnx.Dim{}
	for _, n := range sizes {
		dims = append(dims, onnx.Dim{Size: n})
	}
	return onnx.Type{Elem: elem, Dims: dims}
}

func named(elem kernels.DType, names ...string) onnx.Type {
	dims := []onnx.Dim{}
	for _, n := range names {
		dims = append(dims, onnx.Dim{Size: -1, Name: n})
	}
	return onnx.Type{Elem: elem, Dims: dims}
}

const (
	f32 = kernels.DTypeFloat32
	i64 = kernels.DTypeInt64
)

// graph is a model of opset 18 whose outputs have no declared type.
func graph(inputs []onnx.Value, initializers []onnx.Tensor, outputs []string, nodes ...onnx.Node) *onnx.Model {
	m := &onnx.Model{IRVersion: 8, Opset: 18, Graph: onnx.Graph{Nodes: nodes, Inputs: inputs, Initializers: initializers}}
	for _, name := range outputs {
		m.Graph.Outputs = append(m.Graph.Outputs, onnx.Value{Name: name})
	}
	return m
}

func session(t *testing.T, m *onnx.Model) *onnx.Session {
	t.Helper()
	// As a file has it.
	m, err := onnx.ParseModel(onnxtest.Model(m), onnx.Config{})
	require.NoError(t, err)
	s, err := onnx.NewSession(m)
	require.NoError(t, err)
	return s
}

type tensors = map[string]kernels.Raw

// chain has scatters whose data is an input, an initializer, a constant, and what
// nodes have made, needed again or not.
func chain() *onnx.Model {
	return graph(
		[]onnx.Value{{Name: "x", Type: typed(f32, 3)}, {Name: "i", Type: typed(i64, 1)}},
		[]onnx.Tensor{{Name: "w", Raw: raw([]float32{10, 20, 30})}, {Name: "u", Raw: raw([]float32{9})},
			{Name: "zero", Raw: raw([]int64{0})}, {Name: "all", Raw: raw([]int32{0, 1, 2})}},
		[]string{"a", "b", "c", "d", "e", "w", "f", "x", "g"},
		node("ScatterElements", "a", "x", "i", "u"), // of an input
		node("ScatterElements", "b", "w", "i", "u"), // of an initializer
		node("GatherElements", "b2", "a", "i"),
		onnx.Node{Op: "Constant", Outputs: []string{"k"}, Attributes: []onnx.Attribute{{Name: "value_floats", Type: onnx.AttributeFloats, Floats: []float32{7, 8}}}},
		node("ScatterElements", "c", "k", "zero", "u"),
		node("Identity", "d", "x"),
		node("Identity", "d2", "d"),
		node("ScatterElements", "e", "d2", "i", "u"), // of an input by another name
		node("GatherElements", "f1", "x", "all"),
		node("ScatterElements", "f2", "f1", "i", "u"), // in place
		node("ScatterElements", "f", "f2", "zero", "u"),
		node("GatherElements", "g1", "x", "all"),
		node("Identity", "g2", "g1"),
		node("ScatterElements", "g3", "g2", "i", "u"), // g1 is needed again
		node("GatherElements", "g", "g1", "i"),
	)
}

func TestSession(t *testing.T) {
	s := session(t, chain())
	require.Equal(t, []onnx.Value{{Name: "x", Type: typed(f32, 3)}, {Name: "i", Type: typed(i64, 1)}}, s.Inputs())
	outputs := s.Outputs()
	require.Equal(t, onnx.Value{Name: "b", Type: typed(f32, 3)}, outputs[1])
	require.Equal(t, onnx.Value{Name: "g", Type: typed(f32, 1)}, outputs[8])
	inferred, exists := s.Type("f2")
	require.True(t, exists)
	require.Equal(t, typed(f32, 3), inferred)
	_, exists = s.Type("none")
	require.False(t, exists)

	x, i := raw([]float32{1, 2, 3}), raw([]int64{1})
	var run sync.WaitGroup
	for range 4 { // at once, on the same tensors
		run.Go(func() {
			for range 3 {
				got, err := s.Run(tensors{"x": x, "i": i}, kernels.Workers(1))
				if !errors.Is(err, nil) {
					panic(err)
				}
				want := tensors{"a": raw([]float32{1, 9, 3}), "b": raw([]float32{10, 9, 30}), "c": raw([]float32{9, 8}), "d": x, "e": raw([]float32{1, 9, 3}),
					"w": raw([]float32{10, 20, 30}), "f": raw([]float32{9, 9, 3}), "x": x, "g": raw([]float32{2})}
				if len(got) != len(want) {
					panic(len(got))
				}
				for name, w := range want {
					requireSame(t, w, got[name], name)
					// Nobody else has the outputs.
					for b := range got[name].Data {
						got[name].Data[b] = 0xA5
					}
				}
			}
		})
	}
	run.Wait()
	requireSame(t, raw([]float32{1, 2, 3}), x)
}

// Outputs of one memory by two names are two.
func TestAliases(t *testing.T) {
	m := graph([]onnx.Value{{Name: "x", Type: typed(f32, 2)}}, nil, []string{"y", "z", "y"},
		node("Identity", "y0", "x"), node("Identity", "y", "y0"), node("Identity", "z", "y"))
	got, err := session(t, m).Run(tensors{"x": raw([]float32{1, 2})})
	require.NoError(t, err)
	require.Len(t, got, 2)
	got["y"].Data[0] ^= 1
	requireSame(t, raw([]float32{1, 2}), got["z"])
}

// A step of a model that keeps its cache: what nobody needs any more is written in place.
func TestCache(t *testing.T) {
	m := graph([]onnx.Value{{Name: "past", Type: named(f32, "B", "S", "W")}, {Name: "new", Type: named(f32, "B", "n", "W")}, {Name: "at", Type: named(i64, "B")}}, nil, []string{"present"},
		node("Identity", "cache", "past"), node("TensorScatter", "first", "cache", "new"), node("TensorScatter", "present", "first", "new", "at"))
	m.Opset = 24
	s := session(t, m)
	require.Equal(t, named(f32, "B", "S", "W"), s.Outputs()[0].Type)
	past := raw(list, 1, 3, 2)
	got, err := s.Run(tensors{"past": past, "new": raw([]float32{8, 9}, 1, 1, 2), "at": raw([]int64{2})})
	require.NoError(t, err)
	requireSame(t, raw([]float32{8, 9, 3, 4, 8, 9}, 1, 3, 2), got["present"])
	requireSame(t, raw(list, 1, 3, 2), past)
	s.MaxBytes = 6 * 4 // one cache beside the input
	_, err = s.Run(tensors{"past": past, "new": raw([]float32{8, 9}, 1, 1, 2), "at": raw([]int64{2})})
	require.NoError(t, err)
	_, err = s.Run(tensors{"past": past, "new": raw([]float32{8, 9}, 1, 1, 2), "at": raw([]int64{3})})
	require.ErrorIs(t, err, kernels.ErrIndex)
	require.ErrorContains(t, err, "onnx: node 2 (TensorScatter, opset 24)")
}

// A tensor that is data and updates at once is not written to.
func TestScatterOfItself(t *testing.T) {
	m := graph([]onnx.Value{{Name: "x", Type: typed(i64, 3)}}, []onnx.Tensor{{Name: "all", Raw: raw([]int64{0, 1, 2})}}, []string{"z"},
		node("GatherElements", "y", "x", "all"), node("ScatterElements", "z", "y", "y", "y"))
	got, err := session(t, m).Run(tensors{"x": raw([]int64{2, 0, 1})})
	require.NoError(t, err)
	requireSame(t, raw([]int64{0, 1, 2}), got["z"])
}

// An input that is an initializer as well may be given or not.
func TestDefaultInputs(t *testing.T) {
	m := graph([]onnx.Value{{Name: "x", Type: typed(f32, 3)}, {Name: "i", Type: named(i64, "N")}}, []onnx.Tensor{{Name: "i", Raw: raw([]int64{2})}}, []string{"y"},
		node("GatherElements", "y", "x", "i"))
	s := session(t, m)
	require.Equal(t, named(f32, "N"), s.Outputs()[0].Type)
	x := raw([]float32{1, 2, 3})
	got, err := s.Run(tensors{"x": x})
	require.NoError(t, err)
	requireSame(t, raw([]float32{3}), got["y"])
	got, err = s.Run(tensors{"x": x, "i": raw([]int64{0, 1})})
	require.NoError(t, err)
	requireSame(t, raw([]float32{1, 2}), got["y"])
}

func TestBadGraphs(t *testing.T) {
	x := []onnx.Value{{Name: "x", Type: typed(f32, 3)}}
	w := []onnx.Tensor{{Name: "w", Raw: raw([]int64{2})}}
	for _, r := range []struct {
		name  string
		model *onnx.Model
		text  string
		kind  error
	}{
		{"order", graph(x, nil, []string{"z"}, node("Identity", "z", "y"), node("Identity", "y", "x")),
			`onnx: graph.node[0].input[0]: "y" is no input, no initializer, and nothing that a node before makes`, onnx.ErrFormat},
		{"made twice", graph(x, nil, nil, node("Identity", "y", "x"), node("Identity", "y", "x")), `onnx: graph.node[1].output[0]: "y" is the name of an output of node 0 already`, onnx.ErrFormat},
		{"made and given", graph(x, nil, nil, node("Identity", "x", "x")), `"x" is the name of an input already`, onnx.ErrFormat},
		{"two inputs", graph(append(x, x...), nil, nil), `onnx: graph.input[1]: "x" is the name of an input already`, onnx.ErrFormat},
		{"two initializers", graph(nil, append(w, w...), nil), `onnx: graph.initializer[1]: "w" is the name of an initializer already`, onnx.ErrFormat},
		{"two inputs of an initializer", graph([]onnx.Value{{Name: "w"}, {Name: "w"}}, w, nil), `onnx: graph.input[1]: "w"`, onnx.ErrFormat},
		{"input without a name", graph([]onnx.Value{{}}, nil, nil), "onnx: graph.input[0]: without a name", onnx.ErrFormat},
		{"output without a name", graph(x, nil, nil, node("Identity", "", "x")), "onnx: graph.node[0].output[0]: without a name", onnx.ErrFormat},
		{"output of none", graph(x, nil, []string{"y"}), `onnx: graph.output[0]: no node makes "y"`, onnx.ErrFormat},
		{"initializer of another type", graph([]onnx.Value{{Name: "w", Type: typed(f32, 1)}}, w, nil), "onnx: graph.input[0]: declared as float, and it is int64", onnx.ErrFormat},
		{"initializer of another shape", graph([]onnx.Value{{Name: "w", Type: typed(i64, 2)}}, w, nil), "declared as of shape [2], and it is [1]", onnx.ErrFormat},
		{"no opset", &onnx.Model{Graph: onnx.Graph{Nodes: []onnx.Node{node("Gather", "y")}}}, `onnx: node 0 (Gather, opset 0): Gather: opset 0`, onnx.ErrUnsupported},
		{"no output", graph(x, nil, nil, onnx.Node{Op: "Identity", Inputs: []string{"x"}}), "outputs 0: it has one", onnx.ErrInput},
		{"two outputs", graph(x, nil, nil, onnx.Node{Op: "Identity", Inputs: []string{"x"}, Outputs: []string{"a", "b"}}), "outputs 2: it has one", onnx.ErrInput},
		{"left out", graph(x, nil, nil, node("Identity", "y", "")), "onnx: node 0 (Identity, opset 18): Identity-13: input input: missing", onnx.ErrInput},
		{"rule", graph(x, nil, nil, onnx.Node{Name: "n", Op: "Identity", Inputs: []string{"x"}, Outputs: []string{"y"}, Attributes: []onnx.Attribute{intAttr("axis", 0)}}),
			`onnx: node 0 "n" (Identity, opset 18): Identity-13: attribute axis: unknown`, kernels.ErrAttribute},
		{"type", graph(x, nil, nil, node("GatherElements", "y", "x", "x")), "input indices float: not one of int32, int64", kernels.ErrType},
		{"shape", graph(x, []onnx.Tensor{{Name: "w", Raw: raw([]int64{2}, 1, 1)}}, nil, node("GatherElements", "y", "x", "w")), "indices of shape [1 1]", kernels.ErrShape},
		{"value", graph(x, w, nil, node("Slice", "y", "x", "w", "w", "w")), "onnx: node 0 (Slice, opset 18)", kernels.ErrAttribute},
	} {
		_, err := onnx.NewSession(r.model)
		require.ErrorIs(t, err, r.kind, r.name)
		require.ErrorContains(t, err, r.text, r.name)
	}

	// What outputs and values are declared to be is what they are.
	for text, declare := range map[string]func(*onnx.Graph){
		"onnx: graph.node[0].output[0]: declared as double, and it is float":    func(g *onnx.Graph) { g.Outputs[0].Type = typed(kernels.DTypeFloat64, 3) },
		"onnx: graph.node[0].output[0]: declared as of shape [], and it is [3]": func(g *onnx.Graph) { g.Outputs[0].Type = typed(f32) },
		"onnx: graph.node[0].output[0]: declared as of shape [4 N], and it is [3]": func(g *onnx.Graph) {
			g.Values = []onnx.Value{{Name: "y", Type: onnx.Type{Dims: []onnx.Dim{{Size: 4}, {Size: -1, Name: "N"}}}}}
		},
		"onnx: graph.output[0]: declared as int64, and it is float": func(g *onnx.Graph) { g.Nodes = nil; g.Outputs[0] = onnx.Value{Name: "x", Type: typed(i64, 3)} },
	} {
		m := graph(x, nil, []string{"y"}, node("Identity", "y", "x"))
		declare(&m.Graph)
		_, err := onnx.NewSession(m)
		require.ErrorIs(t, err, onnx.ErrFormat, text)
		require.ErrorContains(t, err, text)
	}
}

// What is declared fills what is not known.
func TestDeclaredTypes(t *testing.T) {
	m := graph([]onnx.Value{{Name: "x"}, {Name: "i", Type: named(i64, "N", "")}}, nil, []string{"y"}, node("GatherElements", "y", "x", "i"))
	m.Graph.Outputs[0].Type = onnx.Type{Elem: f32, Dims: []onnx.Dim{{Size: -1, Name: "M"}, {Size: 5}}}
	s := session(t, m)
	require.Equal(t, []onnx.Value{{Name: "y", Type: onnx.Type{Elem: f32, Dims: []onnx.Dim{{Size: -1, Name: "N"}, {Size: 5}}}}}, s.Outputs())
	require.Equal(t, onnx.Dim{Size: -1, Name: "M"}, m.Graph.Outputs[0].Type.Dims[0]) // the model is as it was
}

func TestBadInputs(t *testing.T) {
	m := graph([]onnx.Value{{Name: "x", Type: onnx.Type{Elem: f32, Dims: []onnx.Dim{{Size: -1, Name: "N"}, {Size: 2}}}}, {Name: "i", Type: named(i64, "N", "")}}, nil, []string{"y"},
		node("GatherElements", "y", "x", "i"))
	s := session(t, m)
	x, i := raw([]float32{1, 2, 3, 4}, 2, 2), raw([]int64{1, 1}, 2, 1)
	_, err := s.Run(tensors{"x": x, "i": raw([]int64{1, 1, 0, 0}, 2, 2)})
	require.NoError(t, err)
	for text, in := range map[string]tensors{
		`onnx: input "x": missing`:                                 {"i": i},
		`onnx: input "z": the model has none of that name`:         {"x": x, "i": i, "z": x},
		`onnx: input "y": the model has none of that name`:         {"x": x, "i": i, "y": x},
		`onnx: input "i": of type float, and the model has int64`:  {"x": x, "i": x},
		`onnx: input "x": of type DType(0)`:                        {"x": {}, "i": i},
		`onnx: input "x": of type DType(255)`:                      {"x": {Type: 255, Shape: []int{2, 2}}, "i": i},
		`onnx: input "x": of shape [4], and the model has [N 2]`:   {"x": raw(list[:4]), "i": i},
		`onnx: input "x": of shape [2 3], and the model has [N 2]`: {"x": matrix, "i": i},
		`onnx: input "i": of shape [1 2], and N is 2`:              {"x": x, "i": raw([]int64{1, 1}, 1, 2)},
	} {
		_, err := s.Run(in)
		require.ErrorIs(t, err, onnx.ErrInput, text)
		require.EqualError(t, err, text)
		var bad *onnx.InputError
		require.ErrorAs(t, err, &bad)
	}
	_, err = s.Run(tensors{"x": x, "i": raw([]int64{1, 5}, 2, 1)})
	require.ErrorIs(t, err, kernels.ErrIndex)
	require.EqualError(t, err, "onnx: node 0 (GatherElements, opset 18): kernels: GatherElements: index 5 at [1 0] is out of range for axis 0 of size 2")
	var where *onnx.NodeError
	require.ErrorAs(t, err, &where)
	require.Equal(t, 0, where.Index)
	// A tensor that is shorter than it says.
	const short = `onnx: input "x": of shape [2 2]: needs 4 elements, Data has 3`
	_, err = s.Run(tensors{"x": {Type: f32, Shape: []int{2, 2}, Data: make([]byte, 15)}, "i": i})
	require.ErrorIs(t, err, onnx.ErrInput)
	require.EqualError(t, err, short)
	m = graph([]onnx.Value{{Name: "x"}}, nil, []string{"x"})
	_, err = session(t, m).Run(tensors{"x": {Type: f32, Shape: []int{2, 2}, Data: make([]byte, 15)}})
	require.EqualError(t, err, short)
	_, err = session(t, m).Run(tensors{"x": {Type: f32, Shape: []int{-1}, Data: make([]byte, 15)}})
	require.EqualError(t, err, `onnx: input "x": of shape [-1]`)
}

// A run makes no more than it may at any one time.
func TestMaxBytes(t *testing.T) {
	n := onnx.Node{Op: "GatherElements", Inputs: []string{"x", "i"}, Outputs: []string{"y0"}}
	m := graph([]onnx.Value{{Name: "x"}}, []onnx.Tensor{{Name: "i", Raw: raw(make([]int64, 25))}}, []string{"y3"}, n,
		node("GatherElements", "y1", "y0", "i"), node("GatherElements", "y2", "y1", "i"), node("ScatterElements", "y3", "y2", "i", "y2"))
	s := session(t, m)
	x := tensors{"x": raw([]float32{1})}
	s.MaxBytes = 200
	_, err := s.Run(x)
	require.NoError(t, err) // two of 100 bytes at a time
	s.MaxBytes = 199
	_, err = s.Run(x)
	require.ErrorIs(t, err, onnx.ErrLimit)
	require.EqualError(t, err, "onnx: node 1 (GatherElements, opset 18): tensors of 200 bytes, and the limit is 199")

	// After an Identity, too, what nobody needs any more is given back; an output of each name has its own.
	var nodes []onnx.Node
	for i := range 10 {
		nodes = append(nodes, node("GatherElements", fmt.Sprint("y", i), fmt.Sprint("x", i), "i"), node("Identity", fmt.Sprint("x", i+1), fmt.Sprint("y", i)))
	}
	s = session(t, graph([]onnx.Value{{Name: "x0"}}, m.Graph.Initializers, []string{"x10", "y9"}, nodes...))
	s.MaxBytes = 200
	out, err := s.Run(tensors{"x0": raw([]float32{1})})
	require.NoError(t, err)
	out["x10"].Data[0]++
	require.NotEqual(t, out["x10"].Data, out["y9"].Data)
	s.MaxBytes = 199
	_, err = s.Run(tensors{"x0": raw([]float32{1})})
	require.ErrorIs(t, err, onnx.ErrLimit)

	// Sizes that nobody has.
	huge := raw([]int64{0})
	huge.Shape, huge.Strides = []int{math.MaxInt}, []int{0}
	s = session(t, graph([]onnx.Value{{Name: "x"}, {Name: "i"}}, nil, []string{"y"}, node("GatherElements", "y", "x", "i")))
	for _, limit := range []int64{0, math.MaxInt64} {
		s.MaxBytes = limit
		_, err = s.Run(tensors{"x": x["x"], "i": huge})
		require.ErrorIs(t, err, onnx.ErrLimit)
	}
	n.Inputs[1] = "0"
	s = session(t, graph([]onnx.Value{{Name: "x"}, {Name: "i"}}, []onnx.Tensor{{Name: "0", Raw: raw(make([]int64, 25))}}, []string{"y"}, n,
		node("GatherElements", "y", "y0", "i")))
	_, err = s.Run(tensors{"x": x["x"], "i": huge})
	var limit *onnx.LimitError
	require.ErrorAs(t, err, &limit)
	require.Greater(t, limit.Bytes, limit.Limit, "with the 100 bytes of y0")
	s = session(t, graph([]onnx.Value{{Name: "x"}}, nil, []string{"x"}))
	_, err = s.Run(tensors{"x": huge})
	require.ErrorIs(t, err, onnx.ErrLimit)
}

// What a session tells of itself is the caller's.
func TestTypesAreCopies(t *testing.T) {
	s := session(t, graph([]onnx.Value{{Name: "x", Type: typed(f32, 2)}}, nil, []string{"y"}, node("Identity", "y", "x")))
	s.Inputs()[0].Type.Dims[0].Size = 3
	s.Outputs()[0].Type.Dims[0].Size = 3
	y, _ := s.Type("y")
	y.Dims[0].Size = 3
	require.Equal(t, 2, s.Inputs()[0].Type.Dims[0].Size)
	require.Equal(t, 2, s.Outputs()[0].Type.Dims[0].Size)
	_, err := s.Run(tensors{"x": raw([]float32{1, 2})})
	require.NoError(t, err)
}

// A short file can't make a long list of long shapes.
func TestManyDims(t *testing.T) {
	wide := raw([]float32{1})
	wide.Shape = slices.Repeat([]int{1}, 20000)
	var nodes []onnx.Node
	for i := range 1000 {
		nodes = append(nodes, node("Gather", fmt.Sprint("y", i), "w", "i"))
	}
	initializers := []onnx.Tensor{{Name: "w", Raw: wide}, {Name: "i", Raw: raw([]int64{0}, 1)}}
	_, err := onnx.NewSession(graph(nil, initializers, nil, nodes...))
	require.ErrorIs(t, err, onnx.ErrLimit)
	require.ErrorContains(t, err, "onnx: node 52 (Gather, opset 18): shapes of ")
	_, err = onnx.NewSession(graph(nil, initializers, nil, nodes[:52]...))
	require.NoError(t, err)
}

// What is observed is told node by node.
func TestObserve(t *testing.T) {
	s := session(t, graph([]onnx.Value{{Name: "x"}}, []onnx.Tensor{{Name: "i", Raw: raw([]int64{0, 1})}}, []string{"z"},
		node("GatherElements", "y", "x", "i"), node("Identity", "y2", "y"), node("ScatterElements", "z", "y2", "i", "y2")))
	var told []string
	s.Observe = func(n *onnx.Node, f kernels.Facts) { told = append(told, fmt.Sprint(n.Op, ": ", f.Op)) }
	_, err := s.Run(tensors{"x": raw([]float32{1, 2})})
	require.NoError(t, err)
	require.Equal(t, []string{"GatherElements: GatherElements", "ScatterElements: ScatterElementsUpdate"}, told)
}
