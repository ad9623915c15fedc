package calls

import (
	"bytes"
	"encoding/binary"
	"strconv"

	"github.com/lanes-go/lanes/kernels"
)

// Types is every element type.
var Types = func() (all []kernels.DType) {
	for t := kernels.DType(1); t.Size() > 0 || t == kernels.DTypeString; t++ {
		all = append(all, t)
	}
	return all
}()

// Size returns how many bytes an element has in a Tensor.
func Size(t kernels.DType) int {
	if t == kernels.DTypeString {
		return 8
	}
	return t.Size()
}

// Part returns how many bytes a floating-point number has that an element consists of, and 0 if it
// is not made of any.
func Part(t kernels.DType) int {
	switch t {
	case kernels.DTypeFloat16, kernels.DTypeBFloat16, kernels.DTypeFloat32, kernels.DTypeFloat64:
		return t.Size()
	case kernels.DTypeComplex64, kernels.DTypeComplex128:
		return t.Size() / 2
	}
	return 0
}

// NaN reports whether the little-endian bytes of a part are those of a NaN.
func NaN(t kernels.DType, part []byte) bool {
	var bits, inf uint64
	switch {
	case t == kernels.DTypeBFloat16:
		bits, inf = uint64(binary.LittleEndian.Uint16(part)), 0x7F80
	case len(part) == 2:
		bits, inf = uint64(binary.LittleEndian.Uint16(part)), 0x7C00
	case len(part) == 4:
		bits, inf = uint64(binary.LittleEndian.Uint32(part)), 0x7F80_0000
	default:
		bits, inf = binary.LittleEndian.Uint64(part), 0x7FF<<52
	}
	sign := uint64(1) << (8*len(part) - 1)
	return bits&^sign > inf
}

// raw returns the tensor as package kernels takes it, over memory of its own.
func (t Tensor) raw() kernels.Raw {
	r := kernels.Raw{Type: t.Type, Shape: t.Shape}
	if t.Type != kernels.DTypeString {
		r.Data = bytes.Clone(t.Data)
		return r
	}
	for b := t.Data; len(b) >= 8; b = b[8:] {
		r.Strings = append(r.Strings, strconv.FormatUint(binary.LittleEndian.Uint64(b), 10))
	}
	return r
}

// tensorOf is the way back from raw.
func tensorOf(r kernels.Raw) Tensor {
	t := Tensor{Type: r.Type, Shape: r.Shape, Data: r.Data}
	for _, s := range r.Strings {
		v, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			v = ^uint64(0) // a string that was never put in shows as such
		}
		t.Data = binary.LittleEndian.AppendUint64(t.Data, v)
	}
	return t
}
