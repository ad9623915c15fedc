package kernels

import (
	"math/bits"
	"reflect"
	"slices"
	"unsafe"
)

// Memory for tensors of run-time types: how much it is, Raws over it, and Tensors over that of a
// Raw.

// Elements returns the number of elements of a shape: the product of its dimensions, 1 for
// a scalar. If one is negative, or the product of those that are not 0 is more than an int can
// count, the error is a ShapeError.
func Elements(shape ...int) (int, error) {
	n, reason := elements(shape)
	if reason != "" {
		return 0, &ShapeError{Op: "Elements", Tensor: "Data", Shape: slices.Clone(shape), Reason: reason}
	}
	return n, nil
}

// Bytes returns how many bytes a tensor of a shape has in a Raw's Data, contiguous. It is a
// ShapeError as that of Elements, or that they are more than an int can count; and a TypeError
// for strings, which are not in Data, and for numbers that are no type.
func (t DType) Bytes(shape ...int) (int, error) {
	const op = "Bytes"
	if t.Size() == 0 {
		return 0, t.memoryError(op)
	}
	_, bytes, err := t.memory(op, shape)
	return bytes, err
}

// NewRaw returns a contiguous tensor of zeros, or of empty strings, of a type and shape. Its memory
// is new, aligned for the type, and as long as the shape says. A type that is none is a
// TypeError; so many elements, or bytes, that an int can't count them, or that no machine has the
// memory, are a ShapeError.
func NewRaw(t DType, shape ...int) (Raw, error) {
	const op = "NewRaw"
	if !t.known() {
		return Raw{}, t.memoryError(op)
	}
	n, bytes, err := t.memory(op, shape)
	if err != nil {
		return Raw{}, err
	}
	r := Raw{Type: t, Shape: slices.Clone(shape)}
	if bytes > mostMemory {
		return Raw{}, &ShapeError{Op: op, Tensor: "Data", Shape: r.Shape, Reason: "has " + itoa(bytes) + " bytes, more than any machine"}
	}
	if t == DTypeString {
		r.Strings = make([]string, n)
	} else {
		r.Data = make([]byte, bytes)
	}
	return r, nil
}

// mostMemory is what make gives without a panic on every port, and more than any machine has.
const mostMemory = 1 << (30 + bits.UintSize/64*16)

// memory returns the elements of a shape, and the bytes of their memory.
func (t DType) memory(op string, shape []int) (n, bytes int, err error) {
	n, reason := elements(shape)
	ok := true
	if reason == "" {
		if bytes, ok = mulInt(n, t.width()); !ok {
			reason = "has more bytes than an int can count"
		}
	}
	if reason != "" {
		return 0, 0, &ShapeError{Op: op, Tensor: "Data", Shape: slices.Clone(shape), Reason: reason}
	}
	return n, bytes, nil
}

func (t DType) memoryError(op string) error {
	reason := "it is none of ONNX's types"
	if t == DTypeString {
		reason = "strings are not in Data"
	}
	return &TypeError{Op: op, Type: t.String(), Reason: reason}
}

// TensorOf returns a Raw as a Tensor over the same memory: RawOf the other way round. T is a Go
// type that RawOf takes for r.Type: float32 or a named one for DTypeFloat32, Float16 or another
// library's half type for DTypeFloat16, int where it has as many bits. Bytes of Data behind the
// last whole element are left out. Shape, strides and offset are r's, and are not looked at.
//
// Another T is a TypeError; so is a bool whose byte is neither 0 nor 1, which a bool of Go
// cannot be. Data that begins at an address where no T can be is a ShapeError; NewRaw's never does.
func TensorOf[T any](r Raw) (Tensor[T], error) {
	const op = "TensorOf"
	typ := reflect.TypeFor[T]()
	d, reason := dtypeOf(typ, halfOf[T])
	if reason == "" && d != r.Type {
		reason = "the Raw has " + r.Type.String() + ", and it is " + d.String()
	}
	if reason != "" {
		return Tensor[T]{}, &TypeError{Op: op, Type: typ.String(), Reason: reason}
	}
	t := Tensor[T]{Shape: r.Shape, Strides: r.Strides, Offset: r.Offset}
	if d == DTypeString {
		t.Data = unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(r.Strings))), len(r.Strings))
		return t, nil
	}
	p := unsafe.Pointer(unsafe.SliceData(r.Data))
	n := len(r.Data) / d.Size()
	if align := typ.Align(); uintptr(p)%uintptr(align) != 0 && n > 0 {
		return Tensor[T]{}, &ShapeError{Op: op, Tensor: "Data", Shape: slices.Clone(r.Shape), Reason: "begins at an address that " + itoa(align) + " does not divide"}
	}
	if d == DTypeBool {
		for i, b := range r.Data {
			if b > 1 {
				return Tensor[T]{}, &TypeError{Op: op, Type: typ.String(), Reason: "byte " + itoa(i) + " is " + itoa(int(b))}
			}
		}
	}
	if n > 0 { // else p may point anywhere
		t.Data = unsafe.Slice((*T)(p), n)
	}
	return t, nil
}
