package onnx

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/lanes-go/lanes/kernels"
)

type number = protowire.Number

// A Tensor is a tensor with a name, such as an initializer.
type Tensor struct {
	Name string
	kernels.Raw
}

// elements is how a TensorProto writes the elements of each type that are not
// raw: the field, and what numbers it may hold.
var elements = [...]struct {
	field    number
	parts    int   // numbers in an element
	min, max int64 // 0, 0: any
}{
	kernels.DTypeFloat32:    {floatData, 1, 0, 0},
	kernels.DTypeUint8:      {int32Data, 1, 0, math.MaxUint8},
	kernels.DTypeInt8:       {int32Data, 1, math.MinInt8, math.MaxInt8},
	kernels.DTypeUint16:     {int32Data, 1, 0, math.MaxUint16},
	kernels.DTypeInt16:      {int32Data, 1, math.MinInt16, math.MaxInt16},
	kernels.DTypeInt32:      {int32Data, 1, math.MinInt32, math.MaxInt32},
	kernels.DTypeInt64:      {int64Data, 1, 0, 0},
	kernels.DTypeString:     {stringData, 1, 0, 0},
	kernels.DTypeBool:       {int32Data, 1, 0, 1},
	kernels.DTypeFloat16:    {int32Data, 1, 0, math.MaxUint16}, // its bits
	kernels.DTypeFloat64:    {doubleData, 1, 0, 0},
	kernels.DTypeUint32:     {uint64Data, 1, 0, math.MaxUint32},
	kernels.DTypeUint64:     {uint64Data, 1, 0, 0},
	kernels.DTypeComplex64:  {floatData, 2, 0, 0},
	kernels.DTypeComplex128: {doubleData, 2, 0, 0},
	kernels.DTypeBFloat16:   {int32Data, 1, 0, math.MaxUint16},
}

// The fields of a TensorProto.
const (
	dimsField  number = 1
	typeField  number = 2
	floatData  number = 4
	int32Data  number = 5
	stringData number = 6
	int64Data  number = 7
	nameField  number = 8
	rawData    number = 9
	doubleData number = 10
	uint64Data number = 11
)

// elementType returns the type that has a number in TensorProto.DataType.
func elementType(n int64) (kernels.DType, error) {
	switch {
	case n <= 0:
		return 0, malformed("element type %d", n)
	case n >= int64(len(elements)):
		return 0, unsupported("element type %d", n)
	}
	return kernels.DType(n), nil
}

// partSize returns how many bytes the numbers have that an element is made of.
func partSize(t kernels.DType) int { return t.Size() / elements[t].parts }

// ParseTensor reads a TensorProto, which is what the .pb files of ONNX's test data
// are, and keeps nothing of b. Whatever b holds, it returns; see ParseModel.
func ParseTensor(b []byte, c Config) (Tensor, error) {
	return decode(&decoder{Config: c}, tensorMessage, b)
}

type tensorProto struct {
	dims     []int64
	kind     int64
	name     string
	field    number // that the data is in; 0: none so far
	raw      []byte
	numbers  []wire
	strings  [][]byte
	external []entryProto
	location int64
}

// data reads a field that elements may be in.
func data(f number, name string, read reader[tensorProto]) field[tensorProto] {
	return field[tensorProto]{name, func(d *decoder, t *tensorProto, v wire) error {
		if t.field != 0 && t.field != f || f == rawData && t.field == f {
			return malformed("the tensor has data already")
		}
		t.field = f
		return read(d, t, v)
	}}
}

// later keeps the numbers of a field until the element type is known.
func later(_ *decoder, t *tensorProto, v wire) error {
	t.numbers = append(t.numbers, v)
	return nil
}

var tensorMessage = message[tensorProto, Tensor]{map[number]field[tensorProto]{
	dimsField: {"dims", integers(func(t *tensorProto) *[]int64 { return &t.dims })},
	typeField: {"data_type", integer(func(t *tensorProto) *int64 { return &t.kind })},
	3:         {"segment", func(*decoder, *tensorProto, wire) error { return unsupported("a part of a tensor") }},
	floatData: data(floatData, "float_data", later),
	int32Data: data(int32Data, "int32_data", later),
	stringData: data(stringData, "string_data", func(_ *decoder, t *tensorProto, v wire) error {
		t.strings = append(t.strings, v.bytes)
		return v.want(protowire.BytesType)
	}),
	int64Data: data(int64Data, "int64_data", later),
	nameField: {"name", text(func(t *tensorProto) *string { return &t.name })},
	rawData: data(rawData, "raw_data", func(_ *decoder, t *tensorProto, v wire) error {
		t.raw = v.bytes
		return v.want(protowire.BytesType)
	}),
	doubleData: data(doubleData, "double_data", later),
	uint64Data: data(uint64Data, "uint64_data", later),
	13:         {"external_data", list(entryMessage, func(t *tensorProto) *[]entryProto { return &t.external })},
	14:         {"data_location", integer(func(t *tensorProto) *int64 { return &t.location })},
}, (*decoder).tensor}

// tensor makes a tensor of its fields.
func (d *decoder) tensor(t *tensorProto) (Tensor, error) {
	fail := func(field string, err error) (Tensor, error) { return Tensor{}, in(field, err) }
	kind, err := elementType(t.kind)
	if err != nil {
		return fail("data_type", err)
	}
	raw := kernels.Raw{Type: kind, Shape: make([]int, 0, len(t.dims))}
	for _, n := range t.dims {
		if n < 0 || n > math.MaxInt {
			return fail("dims", malformed("%d", n))
		}
		raw.Shape = append(raw.Shape, int(n))
	}
	bytes, fits := sizeOf(kind, raw.Shape)
	if !fits {
		return fail("dims", malformed("%v of %v are too many", raw.Shape, kind))
	}
	want := elements[kind].field
	switch {
	case t.location > 1 || t.location < 0:
		return fail("data_location", malformed("%d", t.location))
	case t.location == 1 && (t.field != 0 || kind == kernels.DTypeString):
		return fail("data_location", malformed("external, of a tensor of %v that may have no such data, or has other", kind))
	case t.field != 0 && t.field != want && (t.field != rawData || kind == kernels.DTypeString):
		return fail("data_type", malformed("data of %v in the field of another type", kind))
	}
	if err := d.spend(bytes); err != nil {
		return fail("dims", err)
	}
	switch {
	case kind == kernels.DTypeString:
		if raw.Strings, err = d.texts(t.strings, count(raw.Shape)); err != nil {
			return fail("string_data", err)
		}
	case t.location == 1:
		if raw.Data, err = d.read(t.external, bytes); err != nil {
			return fail("external_data", err)
		}
		fromLittleEndian(kind, raw.Data)
	case t.field == rawData:
		if len(t.raw) != bytes {
			return fail("raw_data", malformed("%d bytes, and %v of %v are %d", len(t.raw), raw.Shape, kind, bytes))
		}
		raw.Data = appendLarge(make([]byte, 0, bytes), t.raw)
		fromLittleEndian(kind, raw.Data)
	default:
		if raw.Data, err = unpack(kind, t.numbers, bytes); err != nil {
			return fail("data", err)
		}
	}
	return Tensor{t.name, raw}, nil
}

// spend takes bytes from what the tensors of the model may have.
func (d *decoder) spend(bytes int) error {
	limit := limitOf(d.MaxBytes)
	if int64(bytes) > limit-d.bytes {
		return &FormatError{Reason: fmt.Sprintf("tensors of %d bytes, and the limit is %d", plus(d.bytes, bytes), limit), Kind: ErrLimit}
	}
	d.bytes += int64(bytes)
	return nil
}

// mostBytes is what make gives without a panic on every machine, and more than any of them has.
const mostBytes = 1 << (30 + bits.UintSize/64*16)

// limitOf returns the limit that a MaxBytes is.
func limitOf(maxBytes int64) int64 {
	if maxBytes <= 0 {
		maxBytes = DefaultMaxBytes
	}
	return min(maxBytes, mostBytes)
}

// texts makes strings.
func (d *decoder) texts(values [][]byte, want int) ([]string, error) {
	if len(values) != want {
		return nil, malformed("%d strings, and the shape has %d", len(values), want)
	}
	texts := make([]string, want)
	for i, b := range values {
		if err := d.spend(len(b)); err != nil {
			return nil, err
		}
		texts[i] = stringOf(b)
	}
	return texts, nil
}

// unpack makes elements of the numbers in the field of their type.
func unpack(kind kernels.DType, values []wire, bytes int) ([]byte, error) {
	e := elements[kind]
	wireType := map[number]protowire.Type{floatData: protowire.Fixed32Type, doubleData: protowire.Fixed64Type}[e.field] // or VarintType, 0
	size := partSize(kind)
	// No more than there is in the file, whatever the shape says.
	room := 0
	for _, v := range values {
		room += max(len(v.bytes), 1) * size
	}
	b := make([]byte, 0, min(room, bytes))
	for _, v := range values {
		if err := v.numbers(wireType, func(n uint64) error {
			if e.field == int32Data {
				n = uint64(int64(int32(n)))
			}
			if int64(n) < e.min && e.min != e.max || e.max != 0 && int64(n) > e.max {
				return malformed("%d is no %v", int64(n), kind)
			}
			if len(b) == bytes {
				return malformed("more than %d numbers", bytes/size)
			}
			b = appendBits(b, n, size)
			return nil
		}); err != nil {
			return nil, err
		}
	}
	if len(b) != bytes {
		return nil, malformed("%d numbers, and the shape has %d", len(b)/size, bytes/size)
	}
	return b, nil
}

func appendBits(b []byte, n uint64, size int) []byte {
	switch size {
	case 1:
		return append(b, byte(n))
	case 2:
		return binary.NativeEndian.AppendUint16(b, uint16(n))
	case 4:
		return binary.NativeEndian.AppendUint32(b, uint32(n))
	}
	return binary.NativeEndian.AppendUint64(b, n)
}

// fromLittleEndian makes elements as they lie in files those of this machine. A
// bool is one of two values, whatever the byte.
func fromLittleEndian(kind kernels.DType, b []byte) {
	if kind == kernels.DTypeBool {
		for i, v := range b {
			if v != 0 {
				b[i] = 1
			}
		}
	}
	toLittleEndian(kind, b)
}

var bigEndian = binary.NativeEndian.Uint16([]byte{0, 1}) == 1

// toLittleEndian turns the bytes of each number round where the machine has the other order.
func toLittleEndian(kind kernels.DType, b []byte) {
	if !bigEndian {
		return
	}
	for size := partSize(kind); len(b) > 0; b = b[size:] {
		for i := range size / 2 {
			b[i], b[size-1-i] = b[size-1-i], b[i]
		}
	}
}

// count returns the number of elements of a shape that sizeOf found to fit.
func count(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// stringSize is what an element of a string tensor takes, without its text.
const stringSize = 2 * bits.UintSize / 8

// sizeOf returns how many bytes the elements of a shape take, if they, and the product of
// the dimensions other than 0, fit an int; if not, as many as an int can say.
func sizeOf(kind kernels.DType, shape []int) (int, bool) {
	size := stringSize
	if kind != kernels.DTypeString {
		size = kind.Size()
	}
	n, empty := uint(1), false
	for _, d := range shape {
		if d == 0 {
			empty = true
			continue
		}
		high, low := bits.Mul(n, uint(d))
		if n = low; d < 0 || high != 0 || n > math.MaxInt {
			return math.MaxInt, false
		}
	}
	if empty {
		return 0, true
	}
	high, bytes := bits.Mul(n, uint(size))
	if high != 0 || bytes > math.MaxInt {
		return math.MaxInt, false
	}
	return int(bytes), true
}

// AppendTensor appends t to b as a TensorProto.
func AppendTensor(b []byte, t Tensor) ([]byte, error) {
	r, err := contiguous(t.Raw)
	if err != nil {
		return nil, err
	}
	for _, n := range r.Shape {
		b = protowire.AppendVarint(protowire.AppendTag(b, dimsField, protowire.VarintType), uint64(n))
	}
	b = protowire.AppendVarint(protowire.AppendTag(b, typeField, protowire.VarintType), uint64(r.Type))
	if t.Name != "" {
		b = appendText(b, nameField, t.Name)
	}
	if r.Type == kernels.DTypeString {
		for _, s := range r.Strings {
			b = appendText(b, stringData, s)
		}
		return b, nil
	}
	b = protowire.AppendVarint(protowire.AppendTag(b, rawData, protowire.BytesType), uint64(len(r.Data)))
	b = appendLarge(b, r.Data)
	toLittleEndian(r.Type, b[len(b)-len(r.Data):])
	return b, nil
}

// appendLarge is append in pieces: a stop of the world waits for a copy. (256 MiB at once: 40 to
// 600 ms.)
func appendLarge(b, data []byte) []byte {
	n := len(b)
	b = grow(b, len(data))[:n+len(data)]
	copyLarge(b[n:], data)
	return b
}

// grow returns b with memory for more bytes, copied in pieces.
func grow(b []byte, more int) []byte {
	n := len(b)
	if cap(b)-n < more {
		grown := make([]byte, n, max(n+more, 2*n))
		copyLarge(grown, b)
		b = grown
	}
	return b
}

// appendText appends a field that is a string, in pieces.
func appendText(b []byte, field number, s string) []byte {
	b = grow(b, 2*binary.MaxVarintLen64+len(s))
	b = protowire.AppendVarint(protowire.AppendTag(b, field, protowire.BytesType), uint64(len(s)))
	for len(s) > 0 {
		n := min(len(s), textPiece)
		b, s = append(b, s[:n]...), s[n:]
	}
	return b
}

// textPiece is how many bytes of a string are copied at once.
const textPiece = 256 << 10

// stringOf makes a string of bytes, in pieces.
func stringOf(b []byte) string {
	if len(b) <= textPiece {
		return string(b)
	}
	var s strings.Builder
	s.Grow(len(b))
	for len(b) > 0 {
		n := min(len(b), textPiece)
		s.Write(b[:n])
		b = b[n:]
	}
	return s.String()
}

// copyLarge copies bytes to others that are as many, and overlap none of them.
func copyLarge(dst, src []byte) {
	if err := kernels.StridedSlice(kernels.New(dst, len(dst)), kernels.New(src, len(src)), kernels.SliceSpec{}); err != nil {
		panic(err)
	}
}

// contiguous returns t, or a copy of it that is contiguous and of the length that its shape
// has. It is an error if t reaches out of its slice.
func contiguous(t kernels.Raw) (kernels.Raw, error) {
	if t.Type == 0 || int(t.Type) >= len(elements) {
		return kernels.Raw{}, &FormatError{Reason: fmt.Sprintf("element type %d", t.Type), Kind: ErrUnsupported}
	}
	bytes, fits := sizeOf(t.Type, t.Shape)
	if fits && isContiguous(&t, bytes) {
		return t, nil
	}
	return copyOf(t)
}

// isContiguous reports whether a tensor is as contiguous returns it, if its elements have so many
// bytes.
func isContiguous(t *kernels.Raw, bytes int) bool {
	return t.Type != kernels.DTypeString && len(t.Strides) == 0 && t.Offset == 0 && len(t.Data) == bytes && len(t.Strings) == 0
}

// copyOf returns a contiguous copy of t, which shares nothing with it. A view may be larger than
// any memory.
func copyOf(t kernels.Raw) (kernels.Raw, error) {
	shape, err := kernels.StridedSliceShape(t.Shape, kernels.SliceSpec{})
	if err != nil {
		return kernels.Raw{}, err
	}
	if bytes, fits := sizeOf(t.Type, shape); !fits || bytes > mostBytes {
		return kernels.Raw{}, &LimitError{Bytes: int64(bytes), Limit: mostBytes}
	}
	c := newRaw(t.Type, shape)
	return c, kernels.StridedSliceRaw(c, t, kernels.SliceSpec{})
}

// newRaw returns a tensor of zeros. Its size has been found to fit.
func newRaw(kind kernels.DType, shape []int) kernels.Raw {
	r := kernels.Raw{Type: kind, Shape: shape}
	if kind == kernels.DTypeString {
		r.Strings = make([]string, count(shape))
	} else {
		r.Data = make([]byte, count(shape)*kind.Size())
	}
	return r
}
