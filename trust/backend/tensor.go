package backend

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/lanes-go/lanes/trust/calls"
)

// tensorOf reads a TensorProto: its elements are raw, or numbers of the one
// field that its type has.
func tensorOf(b []byte) (calls.Tensor, error) {
	m, err := decode("Tensor", b)
	if err != nil {
		return calls.Tensor{}, err
	}
	t := calls.Tensor{Type: calls.Type(m.get("data_type").Int()), Shape: []int{}}
	for _, d := range list(m, "dims", asInt) {
		if d < 0 || d > math.MaxInt32 {
			return calls.Tensor{}, fmt.Errorf("a dimension of %d", d)
		}
		t.Shape = append(t.Shape, int(d))
	}
	if !t.Type.Known() || t.Type == calls.String {
		return calls.Tensor{}, fmt.Errorf("element type %v", t.Type)
	}
	if t.Data = m.get("raw_data").Bytes(); !m.has("raw_data") {
		t.Data = numbers(m, t.Type)
	}
	if want := t.Count() * t.Type.Size(); len(t.Data) != want {
		return calls.Tensor{}, fmt.Errorf("%v of shape %v has %d bytes and needs %d", t.Type, t.Shape, len(t.Data), want)
	}
	return t, nil
}

// numbers returns the elements that are not raw, as bytes. Each field stands for
// several types: those that are narrower are its low bytes.
func numbers(m message, t calls.Type) []byte {
	var b []byte
	put := func(bits uint64, size int) {
		b = append(b, binary.LittleEndian.AppendUint64(nil, bits)[:size]...)
	}
	switch t {
	case calls.Float32, calls.Complex64:
		for _, v := range list(m, "float_data", asFloat) {
			put(uint64(math.Float32bits(float32(v))), 4)
		}
	case calls.Float64, calls.Complex128:
		for _, v := range list(m, "double_data", asFloat) {
			put(math.Float64bits(v), 8)
		}
	case calls.Int64:
		for _, v := range list(m, "int64_data", asInt) {
			put(uint64(v), 8)
		}
	case calls.Uint32, calls.Uint64:
		for _, v := range list(m, "uint64_data", asNatural) {
			put(v, t.Size())
		}
	default:
		for _, v := range list(m, "int32_data", asInt) {
			put(uint64(v), t.Size())
		}
	}
	return b
}
