package backend_test

import (
	"archive/zip"
	"encoding/binary"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/lanes-go/lanes/trust/backend"
)

// What is wrong with a wheel must fail. The wheels of these tests are made
// here, and encoded apart from the schema that reads them.

const node = "onnx/backend/test/data/node/"

// message encodes fields, each a number and a value.
func message(fields ...any) []byte {
	var b []byte
	for i := 0; i < len(fields); i += 2 {
		number := protowire.Number(fields[i].(int))
		switch v := fields[i+1].(type) {
		case int:
			b = protowire.AppendVarint(protowire.AppendTag(b, number, protowire.VarintType), uint64(v))
		case string:
			b = protowire.AppendString(protowire.AppendTag(b, number, protowire.BytesType), v)
		case []byte:
			b = protowire.AppendBytes(protowire.AppendTag(b, number, protowire.BytesType), v)
		}
	}
	return b
}

func value(name string) []byte { return message(1, name) }

// model is one node with two inputs and an attribute.
func model(op, attribute string) []byte {
	n := message(1, "x", 1, "i", 2, "y", 4, op, 5, message(1, attribute, 3, 1, 20, 2))
	graph := message(1, n, 2, "graph", 11, value("x"), 11, value("i"), 12, value("y"))
	return message(1, 8, 7, graph, 8, message(2, 13))
}

// raw is a tensor of int64 with two axes.
func raw(rows, columns int, values ...int64) []byte {
	var b []byte
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return message(1, rows, 1, columns, 2, 7, 9, b)
}

// goodWheel is a wheel with a test of GatherElements, and one of another operator.
func goodWheel() map[string][]byte {
	return map[string][]byte{
		node + "test_a/model.onnx":                  model("GatherElements", "axis"),
		node + "test_a/test_data_set_0/input_0.pb":  raw(2, 2, 1, 2, 3, 4),
		node + "test_a/test_data_set_0/input_1.pb":  raw(2, 2, 0, 0, 1, 0),
		node + "test_a/test_data_set_0/output_0.pb": raw(2, 2, 1, 1, 4, 3),
		node + "test_b/model.onnx":                  model("Transpose", "axis"),
	}
}

func write(t *testing.T, files map[string][]byte) string {
	path := filepath.Join(t.TempDir(), "onnx.whl")
	f, err := os.Create(path)
	require.NoError(t, err)
	defer f.Close()
	w := zip.NewWriter(f)
	for name, b := range files {
		e, err := w.Create(name)
		require.NoError(t, err)
		_, err = e.Write(b)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return path
}

var oneCase = backend.Wheel{Version: "0", Cases: map[string]int{"GatherElements": 1}}

func TestGoodWheel(t *testing.T) {
	cases, err := oneCase.Read(write(t, goodWheel()))
	require.NoError(t, err)
	require.Len(t, cases, 1)
	require.Equal(t, "test_a", cases[0].Name)
	require.EqualValues(t, 13, cases[0].Opset)
	require.NoError(t, cases[0].Run())
}

func TestBadWheel(t *testing.T) {
	const a, set = node + "test_a/", node + "test_a/test_data_set_0/"
	for name, spoil := range map[string]func(map[string][]byte){
		"empty":                func(f map[string][]byte) { clear(f) },
		"another operator":     func(f map[string][]byte) { f[a+"model.onnx"] = model("Transpose", "axis") },
		"one test more":        func(f map[string][]byte) { moreTests(f) },
		"no output":            func(f map[string][]byte) { delete(f, set+"output_0.pb") },
		"no input":             func(f map[string][]byte) { delete(f, set+"input_1.pb") },
		"two sets of data":     func(f map[string][]byte) { f[a+"test_data_set_1/output_0.pb"] = f[set+"output_0.pb"] },
		"truncated model":      func(f map[string][]byte) { f[a+"model.onnx"] = f[a+"model.onnx"][:40] },
		"no graph":             func(f map[string][]byte) { f[a+"model.onnx"] = nil },
		"truncated output":     func(f map[string][]byte) { f[set+"output_0.pb"] = f[set+"output_0.pb"][:20] },
		"output without data":  func(f map[string][]byte) { f[set+"output_0.pb"] = message(1, 2, 1, 2, 2, 7) },
		"too few elements":     func(f map[string][]byte) { f[set+"input_0.pb"] = raw(2, 2, 1, 2, 3) },
		"too many elements":    func(f map[string][]byte) { f[set+"input_0.pb"] = raw(2, 2, 1, 2, 3, 4, 5) },
		"unknown element type": func(f map[string][]byte) { f[set+"input_0.pb"] = message(1, 0, 2, 23) },
		"negative dimension":   func(f map[string][]byte) { f[set+"input_0.pb"] = raw(-1, -1, 5) },
		"unknown attribute":    func(f map[string][]byte) { f[a+"model.onnx"] = model("GatherElements", "axes") },
	} {
		files := goodWheel()
		spoil(files)
		_, err := oneCase.Read(write(t, files))
		require.Error(t, err, name)
	}
}

// TestTruncatedFiles: a file of a test that is cut short, wherever that is, is no test less, nor an easier one.
func TestTruncatedFiles(t *testing.T) {
	cuts := 0
	for name, whole := range goodWheel() {
		if strings.HasPrefix(name, node+"test_b/") {
			continue // is another operator's
		}
		for n := range whole {
			files := goodWheel()
			files[name] = whole[:n]
			_, err := oneCase.Read(write(t, files))
			require.Error(t, err, "%s has %d of %d bytes", name, n, len(whole))
			cuts++
		}
	}
	require.Greater(t, cuts, 150)
}

func moreTests(files map[string][]byte) {
	for name, b := range maps.Clone(files) {
		files[node+"test_c/"+name[len(node+"test_a/"):]] = b
	}
	files[node+"test_c/model.onnx"] = files[node+"test_a/model.onnx"]
}

func TestWrongVector(t *testing.T) {
	for name, output := range map[string][]byte{
		"value": raw(2, 2, 1, 1, 4, 4),
		"shape": raw(1, 4, 1, 1, 4, 3),
		"type":  message(1, 2, 1, 2, 2, 13, 9, make([]byte, 32)),
	} {
		files := goodWheel()
		files[node+"test_a/test_data_set_0/output_0.pb"] = output
		cases, err := oneCase.Read(write(t, files))
		require.NoError(t, err)
		require.Error(t, cases[0].Run(), name)
	}
}

// A wheel in the cache that is not the one that is pinned is not read.
func TestTruncatedWheel(t *testing.T) {
	file := write(t, goodWheel())
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, b[:len(b)-1], 0o666))
	_, err = oneCase.Read(file)
	require.Error(t, err)

	dir := t.TempDir()
	w := backend.Wheels[0]
	require.NoError(t, os.MkdirAll(filepath.Join(dir, w.Version), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(dir, w.Version, "onnx.whl"), b, 0o666))
	t.Setenv("PATH", "") // and so no pip
	_, err = w.Obtain(dir)
	require.Error(t, err)
}

// Elements may be numbers of a field of their own, narrow types in wider ones.
func TestTensorFields(t *testing.T) {
	packed := func(values ...uint64) (b []byte) {
		for _, v := range values {
			b = protowire.AppendVarint(b, v)
		}
		return b
	}
	floats := binary.LittleEndian.AppendUint32(nil, math.Float32bits(1.5))
	doubles := binary.LittleEndian.AppendUint64(nil, math.Float64bits(-1.5))
	for name, r := range map[string]struct {
		tensor []byte
		want   []byte
	}{
		"float32":          {message(1, 1, 2, 1, 4, floats), floats},
		"complex64":        {message(1, 1, 2, 14, 4, append(floats, floats...)), append(floats, floats...)},
		"float64":          {message(1, 1, 2, 11, 10, doubles), doubles},
		"int8":             {message(1, 1, 2, 3, 5, packed(math.MaxUint64)), []byte{0xFF}},
		"float16":          {message(1, 2, 2, 10, 5, packed(0x3C00, 0xFC00)), []byte{0, 0x3C, 0, 0xFC}},
		"int64":            {message(1, 1, 2, 7, 7, packed(258)), []byte{2, 1, 0, 0, 0, 0, 0, 0}},
		"uint32":           {message(1, 1, 2, 12, 11, packed(258)), []byte{2, 1, 0, 0}},
		"uint64, unpacked": {message(1, 1, 2, 13, 11, 258), []byte{2, 1, 0, 0, 0, 0, 0, 0}},
		"scalar":           {message(2, 9, 5, packed(1)), []byte{1}},
	} {
		files := goodWheel()
		files[node+"test_a/test_data_set_0/output_0.pb"] = r.tensor
		cases, err := oneCase.Read(write(t, files))
		require.NoError(t, err, name)
		require.Equal(t, r.want, cases[0].Output.Data, name)
	}
}
