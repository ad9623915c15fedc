package main

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/onnx"
	"github.com/lanes-go/lanes/onnx/internal/onnxtest"
)

// files writes files into a folder and returns it.
func files(t *testing.T, content map[string][]byte) string {
	dir := t.TempDir()
	for name, b := range content {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), b, 0o666))
	}
	return dir
}

func pb(t *testing.T, r kernels.Raw) []byte {
	b, err := onnx.AppendTensor(nil, onnx.Tensor{Raw: r})
	require.NoError(t, err)
	return b
}

func npy(t *testing.T, r kernels.Raw) []byte {
	b, err := appendNPY(nil, r)
	require.NoError(t, err)
	return b
}

// model gathers along rows and adds what it finds to where it was.
func model() []byte {
	m := &onnx.Model{IRVersion: 8, Opset: 18, Graph: onnx.Graph{
		Nodes: []onnx.Node{
			{Name: "pick", Op: "GatherElements", Inputs: []string{"x", "i"}, Outputs: []string{"picked"}, Attributes: []onnx.Attribute{{Name: "axis", Type: onnx.AttributeInt, Int: 1}}},
			{Op: "ScatterElements", Inputs: []string{"x", "i", "picked"}, Outputs: []string{"y"}, Attributes: []onnx.Attribute{
				{Name: "axis", Type: onnx.AttributeInt, Int: 1}, {Name: "reduction", Type: onnx.AttributeString, String: "add"}}},
		},
		Inputs: []onnx.Value{{Name: "x", Type: onnx.Type{Elem: kernels.DTypeFloat32, Dims: []onnx.Dim{{Size: -1, Name: "N"}, {Size: 3}}}},
			{Name: "i", Type: onnx.Type{Elem: kernels.DTypeInt64}}},
		Outputs: []onnx.Value{{Name: "picked"}, {Name: "y"}},
	}}
	return onnxtest.Model(m)
}

// The command from end to end: what it prints, writes and returns.
func TestCommand(t *testing.T) {
	x := onnxtest.Raw([]float32{1, 2, 3, 4, 5, 6}, 2, 3)
	i := onnxtest.Raw([]int64{2, 0, -1, 1}, 2, 2)
	picked, y := onnxtest.Raw([]float32{3, 1, 6, 5}, 2, 2), onnxtest.Raw([]float32{2, 2, 6, 4, 10, 12}, 2, 3)
	dir := files(t, map[string][]byte{"m.onnx": model(), "x.npy": npy(t, x), "i.pb": pb(t, i), "picked.pb": pb(t, picked), "y.npy": npy(t, y), "bad.npy": npy(t, x),
		"far.pb": pb(t, onnxtest.Raw([]int64{7}, 1, 1)), "cut.pb": pb(t, i)[:9]})
	t.Chdir(dir)

	const printed = "picked: float [2 2]: 3 1 6 5\ny: float [2 3]: 2 2 6 4 10 12\n"
	for args, want := range map[string]string{
		"m.onnx -in x.npy,i.pb":                              printed,
		"-in x.npy,i.pb m.onnx -workers 2":                   printed,
		"-in i=i.pb,x=x.npy -- m.onnx":                       printed,
		"m.onnx -in x.npy,i.pb -want picked.pb,y.npy":        "picked: as wanted\ny: as wanted\n",
		"m.onnx -in x.npy,i.pb -print":                       printed,
		"m.onnx -in x.npy,i.pb -print -want picked.pb,y.npy": "picked: float [2 2]: 3 1 6 5\npicked: as wanted\ny: float [2 3]: 2 2 6 4 10 12\ny: as wanted\n",
		"m.onnx -in x.npy,i.pb -print -out y=print.npy":      printed,
		"m.onnx -in x.npy,i.pb -out y=out.npy -want y=y.npy": "y: as wanted\n",
		"m.onnx -in x.npy,i.pb -out a.pb,b.npy":              "",
		"m.onnx -in x.npy,i.pb -max-bytes 40 -want y=y.npy":  "y: as wanted\n",
		"-want y=bad.npy -tolerance 2 m.onnx -in x.npy,i.pb": "y: as wanted\n",
	} {
		var stdout, stderr bytes.Buffer
		require.Zero(t, run(strings.Fields(args), &stdout, &stderr), "%s: %s", args, &stderr)
		require.Equal(t, want, stdout.String(), args)
		require.Empty(t, stderr.String(), args)
	}
	for name, want := range map[string][]byte{"out.npy": npy(t, y), "a.pb": append(pb(t, picked)[:6:6], append([]byte("\x42\x06picked"), pb(t, picked)[6:]...)...), "b.npy": npy(t, y)} {
		got, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Equal(t, want, got, name)
	}

	for args, want := range map[string]string{
		"":                                        "lanes: 0 models, and it takes one: lanes [flags] model.onnx\n",
		"m.onnx m.onnx":                           "lanes: 2 models, and it takes one: lanes [flags] model.onnx\n",
		"none.onnx":                               "lanes: open none.onnx: ",
		"x.npy":                                   "lanes: onnx: ",
		"m.onnx":                                  `lanes: onnx: input "x": missing` + "\n",
		"m.onnx -in x.npy":                        `lanes: onnx: input "i": missing` + "\n",
		"m.onnx -in none.npy":                     "lanes: open none.npy: ",
		"m.onnx -in cut.pb":                       "lanes: cut.pb: onnx: ",
		"m.onnx -in i.pb,x.npy":                   `lanes: onnx: input "x": of type int64, and the model has float` + "\n",
		"m.onnx -in x.npy,i.pb,x.npy":             "lanes: x.npy: the model has 2 inputs\n",
		"m.onnx -in z=x.npy":                      `lanes: z=x.npy: the model has no input "z"` + "\n",
		"m.onnx -in x.npy,x=x.npy":                `lanes: x=x.npy: input "x" has a file already` + "\n",
		"m.onnx -in x.npy,i.pb -out z=z.pb":       `lanes: z=z.pb: the model has no output "z"` + "\n",
		"m.onnx -in x.npy,i.pb -out y=none/y.pb":  "lanes: open none",
		"m.onnx -in x.npy,i.pb -want y=bad.npy":   "lanes: output y: the element at [0 0] is 2, and 1 is wanted; 4 of 6 differ\n",
		"m.onnx -in x.npy,i.pb -want y=picked.pb": "lanes: output y: float [2 3], and float [2 2] is wanted\n",
		"m.onnx -in x.npy,i.pb -max-bytes 39":     "lanes: onnx: node 1 (ScatterElements, opset 18): tensors of 40 bytes, and the limit is 39\n",
		"m.onnx -in x.npy,far.pb":                 `lanes: onnx: node 0 "pick" (GatherElements, opset 18): kernels: GatherElements: index 7 at [0 0] is out of range for axis 1 of size 3` + "\n",
		"m.onnx -nonsense":                        "flag provided but not defined: -nonsense\nusage: lanes [flags] model.onnx\n",
	} {
		var stdout, stderr bytes.Buffer
		require.Equal(t, 1, run(strings.Fields(args), &stdout, &stderr), args)
		require.Truef(t, strings.HasPrefix(stderr.String(), want), "%s: %s", args, &stderr)
	}
	var stdout, stderr bytes.Buffer
	require.Zero(t, run([]string{"-h"}, &stdout, &stderr))
	require.Contains(t, stderr.String(), "usage: lanes [flags] model.onnx\n")
}

// A row for each node, in the order in which they ran.
func TestExplain(t *testing.T) {
	dir := files(t, map[string][]byte{"m.onnx": model(), "x.npy": npy(t, onnxtest.Raw(make([]float32, 3000), 1000, 3)), "i.npy": npy(t, onnxtest.Raw(make([]int64, 2000), 1000, 2))})
	t.Chdir(dir)
	var stdout, stderr bytes.Buffer
	require.Zero(t, run([]string{"m.onnx", "-in", "x.npy,i.npy", "-explain", "-workers", "1", "-out", "y=y.pb"}, &stdout, &stderr), &stderr)
	lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	require.Len(t, lines, 3, stdout.String())
	require.Regexp(t, `^node +operator +kernel +level +elements +bytes +workers +parts +strip +time$`, lines[0])
	require.Regexp(t, `^pick +GatherElements  +gather.* +[a-z0-9]+ +2000 +\d+ +1 +\d+ +\d+ +\d[\d.]*(ns|µs|ms|s)$`, lines[1])
	// A node that fails does not take the rows of those before it along.
	stdout.Reset()
	require.Equal(t, 1, run([]string{"m.onnx", "-in", "x.npy,i.npy", "-explain", "-max-bytes", "8000"}, &stdout, &stderr))
	require.Contains(t, stdout.String(), "\npick  ")

	require.Regexp(t, `^y +ScatterElements  +.*scatter.* +[a-z0-9]+ +2000 +\d+ +1 +\d+ +\d+ +\d[\d.]*(ns|µs|ms|s)$`, lines[2])
}

// What a model calls its operators is printed, and moves no cursor.
func TestPrintable(t *testing.T) {
	m := &onnx.Model{IRVersion: 8, Opset: 18, Graph: onnx.Graph{Nodes: []onnx.Node{{Op: "\x1b[2Jé", Outputs: []string{"y"}}}}}
	t.Chdir(files(t, map[string][]byte{"m.onnx": onnxtest.Model(m)}))
	var stdout, stderr bytes.Buffer
	require.Equal(t, 1, run([]string{"m.onnx"}, &stdout, &stderr))
	require.Contains(t, stderr.String(), "\uFFFD[2Jé")
	require.NotContains(t, stderr.String(), "\x1b")
}

func TestDescribe(t *testing.T) {
	many := make([]uint8, 70)
	for want, r := range map[string]kernels.Raw{
		"t: string [2]: \"a\" \"\\n\"":        onnxtest.Raw([]string{"a", "\n"}, 2),
		"t: bool [2]: true false":             onnxtest.Raw([]bool{true, false}, 2),
		"t: float16 [1]: 1.5":                 onnxtest.Raw([]kernels.Float16{kernels.NewFloat16(1.5)}, 1),
		"t: bfloat16 []: -1.5":                onnxtest.Raw([]kernels.BFloat16{kernels.NewBFloat16(-1.5)}),
		"t: complex64 [1]: (1+2i)":            onnxtest.Raw([]complex64{1 + 2i}, 1),
		"t: complex128 [1]: (1+2i)":           onnxtest.Raw([]complex128{1 + 2i}, 1),
		"t: double [1]: 0.1":                  onnxtest.Raw([]float64{0.1}, 1),
		"t: int8 [1]: -1":                     onnxtest.Raw([]int8{-1}, 1),
		"t: int16 [1]: -2":                    onnxtest.Raw([]int16{-2}, 1),
		"t: int32 [1]: -3":                    onnxtest.Raw([]int32{-3}, 1),
		"t: int64 [0 2]:":                     onnxtest.Raw([]int64{}, 0, 2),
		"t: uint16 [1]: 65535":                onnxtest.Raw([]uint16{math.MaxUint16}, 1),
		"t: uint32 [1]: 4294967295":           onnxtest.Raw([]uint32{math.MaxUint32}, 1),
		"t: uint64 [1]: 18446744073709551615": onnxtest.Raw([]uint64{math.MaxUint64}, 1),
		"t: uint8 [7 10]:" + strings.Repeat(" 0", 64) + " … (70)": onnxtest.Raw(many, 7, 10),
	} {
		require.Equal(t, want, describe("t", r))
	}
}

func TestDiffer(t *testing.T) {
	nan := float32(math.NaN())
	other := math.Float32frombits(math.Float32bits(nan) ^ 1)
	f := func(values ...float32) kernels.Raw { return onnxtest.Raw(values, len(values)) }
	require.NoError(t, differ(f(1, nan), f(1, other), 0))
	require.NoError(t, differ(f(1.01, 0), f(1, float32(math.Copysign(0, -1))), 0.02))
	require.ErrorContains(t, differ(f(0), f(float32(math.Copysign(0, -1))), 0), "[0] is 0, and -0 is wanted; 1 of 1 differ")
	require.Error(t, differ(f(1.03), f(1), 0.02))
	inf := float32(math.Inf(1))
	require.NoError(t, differ(f(inf), f(inf), 0.02))
	require.Error(t, differ(f(1), f(inf), 0.02))
	require.Error(t, differ(f(-inf), f(inf), 0.02))
	require.Error(t, differ(f(nan), f(1), 1))
	require.Error(t, differ(f(1), f(nan), 1))
	require.Error(t, differ(onnxtest.Raw([]int8{1}, 1), onnxtest.Raw([]int8{2}, 1), 1))
	require.NoError(t, differ(onnxtest.Raw([]complex64{1i}, 1), onnxtest.Raw([]complex64{1.01i}, 1), 0.1))
	require.Error(t, differ(onnxtest.Raw([]string{"a"}, 1), onnxtest.Raw([]string{"b"}, 1), 1))
	require.Error(t, differ(f(1), onnxtest.Raw([]float64{1}, 1), 0))
}

// Every type of NumPy's, and what its headers can say.
func TestNPY(t *testing.T) {
	for _, r := range []kernels.Raw{
		onnxtest.Raw([]bool{true, false}, 2), onnxtest.Raw([]int8{-1}), onnxtest.Raw([]int16{-1, 2}, 2, 1), onnxtest.Raw([]int32{-1}, 1), onnxtest.Raw([]int64{5}, 1, 1, 1),
		onnxtest.Raw([]uint8{1}, 1), onnxtest.Raw([]uint16{1}, 1), onnxtest.Raw([]uint32{1}, 1), onnxtest.Raw([]uint64{1}, 1), onnxtest.Raw([]kernels.Float16{1}, 1),
		onnxtest.Raw([]float32{1}, 1), onnxtest.Raw([]float64{}, 0, 3), onnxtest.Raw([]complex64{1i}, 1), onnxtest.Raw([]complex128{1i}, 1),
	} {
		b := npy(t, r)
		require.Zero(t, (len(b)-len(r.Data))%64)
		got, err := parseNPY(b)
		require.NoError(t, err)
		require.Equal(t, r.Type, got.Type)
		require.Equal(t, append([]int{}, r.Shape...), got.Shape)
		require.Equal(t, append([]byte{}, r.Data...), append([]byte{}, got.Data...))
	}
	odd := npy(t, onnxtest.Raw([]bool{true, true, false}, 3))
	copy(odd[len(odd)-3:], "\x02\xff\x00")
	bools, err := parseNPY(odd)
	require.NoError(t, err)
	require.Equal(t, []byte{1, 1, 0}, bools.Data)
	_, err = appendNPY(nil, onnxtest.Raw([]string{"a"}, 1))
	require.Error(t, err)
	_, err = appendNPY(nil, onnxtest.Raw([]kernels.BFloat16{1}, 1))
	require.Error(t, err)
	_, err = appendNPY(nil, onnxtest.Raw([]int8{1}, slices.Repeat([]int{1}, 30_000)...))
	require.Error(t, err, "its header is too long")

	// As numpy.save has it.
	b := npy(t, onnxtest.Raw([]int8{1, 2, 3}, 3))
	require.Equal(t, npyMagic+"\x01\x00\x76\x00{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }"+strings.Repeat(" ", 60)+"\n\x01\x02\x03", string(b))

	file := func(version byte, header, data string) []byte {
		size := string([]byte{byte(len(header)), byte(len(header) >> 8)})
		if version > 1 {
			size += "\x00\x00"
		}
		return []byte(npyMagic + string([]byte{version, 0}) + size + header + data)
	}
	const fortran = "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3), }     \n"
	for version := byte(1); version <= 3; version++ {
		got, err := parseNPY(file(version, fortran, "\x00\x01\x00\x02\x00\x03\x00\x04\x00\x05\x01\x06"))
		require.NoError(t, err)
		require.Equal(t, onnxtest.Raw([]int16{1, 3, 5, 2, 4, 0x106}, 2, 3), got)
	}
	for name, b := range map[string][]byte{
		"empty":           nil,
		"no magic":        []byte("NUMPY12345678"),
		"version 0":       file(0, fortran, "123456789012"),
		"version 4":       file(4, fortran, "123456789012"),
		"cut in the size": file(2, "", "")[:11],
		"cut header":      file(1, fortran, "")[:40],
		"cut data":        file(1, fortran, "12345678901"),
		"more data":       file(1, fortran, "1234567890123"),
		"no header":       file(1, "", ""),
		"code":            file(1, "{'descr': '|O8', 'fortran_order': False, 'shape': (1,), }\n", "12345678"),
		"strings":         file(1, "{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }\n", "1234"),
		"void":            file(1, "{'descr': '|V2', 'fortran_order': False, 'shape': (1,), }\n", "12"),
		"longdouble":      file(1, "{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }\n", "1234567890123456"),
		"negative":        file(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (-1,), }\n", "12"),
		"huge":            file(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (99999999999999999999,), }\n", "12"),
		"overflow":        file(1, "{'descr': '<i2', 'fortran_order': False, 'shape': (4294967296, 4294967296), }\n", ""),
		"overflow, 0":     file(1, "{'descr': '<i2', 'fortran_order': True, 'shape': (4294967296, 4294967296, 0), }\n", ""),
	} {
		_, err := parseNPY(b)
		require.Error(t, err, name)
		if name == "strings" || name == "void" || name == "code" {
			require.ErrorContains(t, err, "a .pb file can hold strings", name)
		}
	}
}

func FuzzNPY(f *testing.F) {
	b, err := appendNPY(nil, onnxtest.Raw([]float32{1, 2}, 2, 1))
	require.NoError(f, err)
	f.Add(b)
	f.Add(bytes.Replace(b, []byte("False"), []byte("True"), 1))
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := parseNPY(b)
		if err != nil {
			return
		}
		require.Len(t, got.Data, sizeOf(got.Type, got.Shape))
		again, err := appendNPY(nil, got)
		require.NoError(t, err)
		got2, err := parseNPY(again)
		require.NoError(t, err)
		require.Equal(t, got, got2)
	})
}
