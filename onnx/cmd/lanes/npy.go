package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/kernels"
)

// NumPy's .npy files, versions 1.0 to 3.0:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html. The header is a literal
// of Python's, in the order that the format prescribes.

const npyMagic = "\x93NUMPY"

var npyHeader = regexp.MustCompile(`^\{'descr': '([<>|=])([a-zA-Z])(\d*)', 'fortran_order': (True|False), 'shape': \(([0-9, ]*)\), ?\}\s*$`)

// npyTypes are the types that NumPy has, too, by its letter and the size in bytes.
var npyTypes = map[string]kernels.DType{
	"b1": kernels.DTypeBool, "i1": kernels.DTypeInt8, "i2": kernels.DTypeInt16, "i4": kernels.DTypeInt32, "i8": kernels.DTypeInt64,
	"u1": kernels.DTypeUint8, "u2": kernels.DTypeUint16, "u4": kernels.DTypeUint32, "u8": kernels.DTypeUint64,
	"f2": kernels.DTypeFloat16, "f4": kernels.DTypeFloat32, "f8": kernels.DTypeFloat64, "c8": kernels.DTypeComplex64, "c16": kernels.DTypeComplex128,
}

// parseNPY reads a .npy file.
func parseNPY(b []byte) (t kernels.Raw, err error) {
	if len(b) < 10 || string(b[:6]) != npyMagic || b[6] < 1 || b[6] > 3 {
		return t, fmt.Errorf("no .npy file of version 1, 2 or 3")
	}
	n, start := uint64(binary.LittleEndian.Uint16(b[8:])), 10
	if b[6] > 1 {
		if start = 12; len(b) < start {
			return t, fmt.Errorf("cut short")
		}
		n = uint64(binary.LittleEndian.Uint32(b[8:]))
	}
	if n > uint64(len(b)-start) {
		return t, fmt.Errorf("cut short")
	}
	header, data := b[start:start+int(n)], b[start+int(n):]
	m := npyHeader.FindSubmatch(header)
	if m == nil {
		return t, fmt.Errorf("header %q", header)
	}
	kind, known := npyTypes[string(m[2])+string(m[3])]
	if !known {
		return t, fmt.Errorf("dtype %s%s%s: a .pb file can hold strings and bfloat16", m[1], m[2], m[3])
	}
	t = kernels.Raw{Type: kind, Shape: []int{}}
	for _, d := range strings.FieldsFunc(string(m[5]), func(r rune) bool { return r == ',' || r == ' ' }) {
		n, err := strconv.Atoi(d)
		if err != nil {
			return t, err
		}
		t.Shape = append(t.Shape, n)
	}
	if len(data) != sizeOf(kind, t.Shape) {
		return t, fmt.Errorf("%d bytes of %v, and the shape is %v", len(data), kind, t.Shape)
	}
	t.Data = bytes.Clone(data)
	if kind == kernels.DTypeBool {
		for i, b := range t.Data { // NumPy's may be views of bytes
			t.Data[i] = min(b, 1)
		}
	}
	if little := binary.NativeEndian.Uint16([]byte{1, 0}) == 1; m[1][0] == '>' && little || m[1][0] == '<' && !little {
		turnRound(t)
	}
	if string(m[4]) == "True" { // the first axis is the innermost
		step := 1
		for _, n := range t.Shape {
			t.Strides = append(t.Strides, step)
			step *= n
		}
		c := kernels.Raw{Type: kind, Shape: t.Shape, Data: make([]byte, len(data))}
		return c, kernels.StridedSliceRaw(c, t, kernels.SliceSpec{})
	}
	return t, nil
}

// sizeOf returns how many bytes a tensor has, -1 if they do not fit an int.
func sizeOf(kind kernels.DType, shape []int) int {
	n := kind.Size()
	for _, d := range shape {
		if d > 0 && n > math.MaxInt/d {
			return -1
		}
		n *= d
	}
	return n
}

// turnRound changes the byte order.
func turnRound(t kernels.Raw) {
	part := t.Type.Size()
	if t.Type == kernels.DTypeComplex64 || t.Type == kernels.DTypeComplex128 {
		part /= 2
	}
	for b := t.Data; len(b) >= part; b = b[part:] {
		slices.Reverse(b[:part])
	}
}

// appendNPY appends a contiguous tensor as a .npy file.
func appendNPY(b []byte, t kernels.Raw) ([]byte, error) {
	order := "<"
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		order = ">"
	}
	for descr, kind := range npyTypes {
		if kind != t.Type {
			continue
		}
		if kind.Size() == 1 {
			order = "|"
		}
		var shape strings.Builder
		for _, n := range t.Shape {
			fmt.Fprintf(&shape, "%d, ", n)
		}
		dims := strings.TrimSuffix(shape.String(), " ")
		if len(t.Shape) > 1 {
			dims = strings.TrimSuffix(dims, ",")
		}
		header := fmt.Sprintf("{'descr': '%s%s', 'fortran_order': False, 'shape': (%s), }", order, descr, dims)
		header += strings.Repeat(" ", 63-(len(npyMagic)+4+len(header))%64) + "\n" // data begin at a multiple of 64
		if len(header) > math.MaxUint16 {
			return nil, fmt.Errorf("%d axes are too many for a .npy file of version 1: write a .pb file", len(t.Shape))
		}
		b = append(b, npyMagic+"\x01\x00"...)
		b = binary.LittleEndian.AppendUint16(b, uint16(len(header)))
		return append(append(b, header...), t.Data...), nil
	}
	return nil, fmt.Errorf("NumPy has no %v: write a .pb file", t.Type)
}
