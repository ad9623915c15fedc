package kernels_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// A vector is one of the ONNX project's backend node tests, a line of the file
// that LANES_CONFORMANCE names.
type vector struct {
	Name            string
	Op              string
	Attrs           json.RawMessage
	Inputs, Outputs []vectorTensor
	Error           *string
}

type vectorAttrs struct {
	Axis      int
	BatchDims int `json:"batch_dims"`
	Reduction string
}

type vectorTensor struct {
	Name, Dtype string
	Shape       []int
	Values      []json.RawMessage
}

// conformanceCases are how many lines there are for each operator. A vector
// of an operator that is not listed fails, so that none is passed over unseen.
var conformanceCases = map[string]int{
	"GatherElements":  3,
	"GatherND":        3,
	"ScatterElements": 9,
	"Slice":           8,
	"Gather":          4,
	"ScatterND":       5,
}

// TestConformance runs the ONNX vectors.
func TestConformance(t *testing.T) { kernels.Ways(t, testConformance) }

func testConformance(t *testing.T) {
	path := os.Getenv("LANES_CONFORMANCE")
	if path == "" {
		t.Skip("conformance: NOT RUN: LANES_CONFORMANCE does not name onnx.jsonl")
	}
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()

	ran := map[string]int{}
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var v vector
		require.NoError(t, json.Unmarshal(lines.Bytes(), &v), "a line that is no vector")
		require.Contains(t, conformanceCases, v.Op, "%s: unknown operator", v.Name)
		require.True(t, t.Run(v.Name, func(t *testing.T) { runVector(t, v) }))
		ran[v.Op]++
	}
	require.NoError(t, lines.Err())
	for op, cases := range conformanceCases {
		require.Equal(t, cases, ran[op], "cases of %s", op)
	}
	t.Logf("conformance: ran %v", ran)
}

func runVector(t *testing.T, v vector) {
	require.Nil(t, v.Error, "a vector that expects an error")
	require.Len(t, v.Outputs, 1)
	require.NotEmpty(t, v.Inputs)
	require.Equal(t, v.Inputs[0].Dtype, v.Outputs[0].Dtype)
	switch dtype := v.Inputs[0].Dtype; dtype {
	case "float32":
		runVectorOf(t, v, func(t *testing.T, m json.RawMessage) float32 { return float32(number(t, m)) })
	case "int32":
		runVectorOf(t, v, func(t *testing.T, m json.RawMessage) (i int32) {
			require.NoError(t, json.Unmarshal(m, &i))
			return i
		})
	default:
		require.Fail(t, "unknown dtype", dtype)
	}
}

// number reads a float, which JSON cannot write when it is not finite.
func number(t *testing.T, m json.RawMessage) (f float64) {
	switch string(m) {
	case `"NaN"`:
		return math.NaN()
	case `"Infinity"`:
		return math.Inf(1)
	case `"-Infinity"`:
		return math.Inf(-1)
	}
	require.NoError(t, json.Unmarshal(m, &f))
	return f
}

func vectorValues[T any](t *testing.T, v vectorTensor, read func(*testing.T, json.RawMessage) T) kernels.Tensor[T] {
	out := make([]T, len(v.Values))
	for i, m := range v.Values {
		out[i] = read(t, m)
	}
	require.Equal(t, need(v.Shape), len(out), "%s of shape %v", v.Name, v.Shape)
	return kernels.New(out, v.Shape...)
}

func vectorInts(t *testing.T, v vectorTensor) kernels.Tensor[int64] {
	require.Equal(t, "int64", v.Dtype, "unknown dtype of %s", v.Name)
	return vectorValues(t, v, func(t *testing.T, m json.RawMessage) (i int64) {
		require.NoError(t, json.Unmarshal(m, &i))
		return i
	})
}

func runVectorOf[T any](t *testing.T, v vector, read func(*testing.T, json.RawMessage) T) {
	var attrs vectorAttrs
	decoder := json.NewDecoder(bytes.NewReader(v.Attrs))
	decoder.DisallowUnknownFields() // an attribute that nobody minds would make the case a lie
	require.NoError(t, decoder.Decode(&attrs))
	inputs := map[string]vectorTensor{}
	for _, in := range v.Inputs {
		inputs[in.Name] = in
	}
	input := func(name string) vectorTensor {
		require.Contains(t, inputs, name)
		return inputs[name]
	}
	data := vectorValues(t, input("data"), read)
	want := vectorValues(t, v.Outputs[0], read)
	var row golden[T]
	switch v.Op {
	case "GatherElements":
		row = gathered(v.Name, data, vectorInts(t, input("indices")), attrs.Axis, want.Shape, want.Data...)
	case "GatherND":
		row = gatheredND(v.Name, data, vectorInts(t, input("indices")), attrs.BatchDims, want.Shape, want.Data...)
	case "Gather":
		row = gatheredSlices(v.Name, data, vectorInts(t, input("indices")), attrs.Axis, 0, want.Shape, want.Data...)
	case "ScatterND", "ScatterElements":
		reduction, known := map[string]kernels.Reduction{"": none, "none": none, "add": sum, "mul": prod, "min": low, "max": high}[attrs.Reduction]
		require.True(t, known, "unknown reduction %q", attrs.Reduction)
		if v.Op == "ScatterND" {
			row = scatteredND(v.Name, data, vectorInts(t, input("indices")), vectorValues(t, input("updates"), read),
				kernels.ScatterAttrs{Reduction: reduction}, want.Data...)
			break
		}
		row = scattered(v.Name, data, vectorInts(t, input("indices")), vectorValues(t, input("updates"), read), attrs.Axis,
			kernels.ScatterAttrs{Reduction: reduction}, want.Data...)
	case "Slice":
		row = ranged(v.Name, data, rangesOf(t, inputs), want.Shape, want.Data...)
	}
	runGolden(t, []golden[T]{row})
}

// rangesOf returns the inputs of a Slice; axes and steps may be left out.
func rangesOf(t *testing.T, inputs map[string]vectorTensor) kernels.Ranges {
	list := func(name string) []int64 {
		if _, given := inputs[name]; !given {
			return nil
		}
		return vectorInts(t, inputs[name]).Data
	}
	return kernels.Ranges{Starts: list("starts"), Ends: list("ends"), Axes: list("axes"), Steps: list("steps")}
}
