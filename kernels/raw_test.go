package kernels_test

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// rawRows are the rows of the random calls for the types that a Raw can have,
// by DType. They make the same calls, through the functions on Raw.
var rawRows = []rawRow{
	kernels.DTypeFloat32:    rawRowOf[float32]("float32"),
	kernels.DTypeUint8:      rawRowOf[uint8]("uint8"),
	kernels.DTypeInt8:       rawRowOf[int8]("int8"),
	kernels.DTypeUint16:     rawRowOf[uint16]("uint16"),
	kernels.DTypeInt16:      rawRowOf[int16]("int16"),
	kernels.DTypeInt32:      rawRowOf[int32]("int32"),
	kernels.DTypeInt64:      rawRowOf[int64]("int64"),
	kernels.DTypeString:     rawRowOf[string]("string"),
	kernels.DTypeBool:       rawRowOf[bool]("bool"),
	kernels.DTypeFloat16:    rawRowOf[kernels.Float16]("Float16"),
	kernels.DTypeFloat64:    rawRowOf[float64]("float64"),
	kernels.DTypeUint32:     rawRowOf[uint32]("uint32"),
	kernels.DTypeUint64:     rawRowOf[uint64]("uint64"),
	kernels.DTypeComplex64:  rawRowOf[complex64]("complex64"),
	kernels.DTypeComplex128: rawRowOf[complex128]("complex128"),
	kernels.DTypeBFloat16:   rawRowOf[kernels.BFloat16]("BFloat16"),
}

type rawRow interface {
	randomElement
	dtype(t *testing.T) kernels.DType
	checkRaw(op string, c *rawFuzzCall, got kernels.Raw) error
}

func rawRowOf[T any](name string) rawRow {
	i := slices.IndexFunc(elementRows, func(e randomElement) bool { return e.String() == name })
	e := *elementRows[i].(*elementRow[T])
	e.name, e.raw = "Raw "+name, true
	e.indexed = nil
	for _, k := range []indexKind{ // in the order of indexDTypes
		indexKindOf[int8](), indexKindOf[int16](), indexKindOf[int32](), indexKindOf[int64](),
		indexKindOf[uint8](), indexKindOf[uint16](), indexKindOf[uint32](), indexKindOf[uint64](),
	} {
		e.indexed = append(e.indexed, rawBy[T](k))
	}
	e.stridedSliceBy = func(dst, data kernels.Tensor[T], spec kernels.SliceSpec, opts []kernels.Option) error {
		r := []kernels.Raw{rawOf(dst), rawOf(data)}
		return rawCall(r, func() error { return kernels.StridedSliceRaw(r[0], r[1], spec, opts...) })
	}
	e.sliceScatterBy = func(dst, data, updates kernels.Tensor[T], spec kernels.SliceSpec, opts []kernels.Option) error {
		r := []kernels.Raw{rawOf(dst), rawOf(data), rawOf(updates)}
		return rawCall(r, func() error { return kernels.SliceScatterRaw(r[0], r[1], r[2], spec, opts...) })
	}
	e.sliceViewBy = func(data kernels.Tensor[T], spec kernels.SliceSpec) (kernels.Tensor[T], error) {
		r, err := kernels.SliceViewRaw(rawOf(data), spec)
		return kernels.Tensor[T]{Data: data.Data, Shape: r.Shape, Strides: r.Strides, Offset: r.Offset}, err
	}
	e.sliceBy = func(dst, data kernels.Tensor[T], ranges kernels.Ranges, opts []kernels.Option) error {
		r := []kernels.Raw{rawOf(dst), rawOf(data)}
		return rawCall(r, func() error { return kernels.SliceRaw(r[0], r[1], ranges, opts...) })
	}
	e.rangesViewBy = func(data kernels.Tensor[T], ranges kernels.Ranges) (kernels.Tensor[T], error) {
		r, err := kernels.RangesViewRaw(rawOf(data), ranges)
		return kernels.Tensor[T]{Data: data.Data, Shape: r.Shape, Strides: r.Strides, Offset: r.Offset}, err
	}
	e.compressBy = func(dst, data kernels.Tensor[T], condition kernels.Tensor[bool], axis int, opts []kernels.Option) error {
		r := []kernels.Raw{rawOf(dst), rawOf(data), rawOf(condition)}
		return rawCall(r, func() error {
			if shape, err := kernels.CompressShapeRaw(data.Shape, r[2], axis); err != nil || !slices.Equal(shape, dst.Shape) {
				return fmt.Errorf("CompressShapeRaw: %v, %v", shape, err)
			}
			return kernels.CompressRaw(r[0], r[1], r[2], axis, opts...)
		})
	}
	e.takeBy = func(dst, data kernels.Tensor[T], mask kernels.Tensor[bool], opts []kernels.Option) error {
		r := []kernels.Raw{rawOf(dst), rawOf(data), rawOf(mask)}
		return rawCall(r, func() error {
			if shape, err := kernels.TakeShapeRaw(data.Shape, r[2]); err != nil || !slices.Equal(shape, dst.Shape) {
				return fmt.Errorf("TakeShapeRaw: %v, %v", shape, err)
			}
			return kernels.TakeRaw(r[0], r[1], r[2], opts...)
		})
	}
	return &e
}

func (e *elementRow[T]) dtype(t *testing.T) kernels.DType {
	r, err := kernels.RawOf(kernels.New([]T{}, 0))
	require.NoError(t, err)
	return r.Type
}

// rawBy is indexedBy by calls on Raw, without plans.
func rawBy[T any](k indexKind) indexedRow[T] {
	r := rowBy[T](k)
	r.gatherElements = func(dst, data kernels.Tensor[T], x randomIndices, axis int, opts []kernels.Option) error {
		return rawIndexed(k, x, func(indices kernels.Raw, t []kernels.Raw) error {
			return kernels.GatherElementsRaw(t[0], t[1], indices, axis, x.options(opts)...)
		}, dst, data)
	}
	r.gatherND = func(dst, data kernels.Tensor[T], x randomIndices, batchDims int, opts []kernels.Option) error {
		return rawIndexed(k, x, func(indices kernels.Raw, t []kernels.Raw) error {
			return kernels.GatherNDRaw(t[0], t[1], indices, batchDims, x.options(opts)...)
		}, dst, data)
	}
	r.gather = func(dst, data kernels.Tensor[T], x randomIndices, axis, batchDims int, opts []kernels.Option) error {
		return rawIndexed(k, x, func(indices kernels.Raw, t []kernels.Raw) error {
			return kernels.GatherRaw(t[0], t[1], indices, axis, batchDims, x.options(opts)...)
		}, dst, data)
	}
	r.scatter = func(dst, data kernels.Tensor[T], x randomIndices, updates kernels.Tensor[T], axis int, attrs kernels.ScatterAttrs, opts []kernels.Option) error {
		return rawIndexed(k, x, func(indices kernels.Raw, t []kernels.Raw) error {
			return kernels.ScatterElementsUpdateRaw(t[0], t[1], indices, t[2], axis, attrs, x.options(opts)...)
		}, dst, data, updates)
	}
	r.scatterND = func(dst, data kernels.Tensor[T], x randomIndices, updates kernels.Tensor[T], attrs kernels.ScatterAttrs, opts []kernels.Option) error {
		return rawIndexed(k, x, func(indices kernels.Raw, t []kernels.Raw) error {
			return kernels.ScatterNDUpdateRaw(t[0], t[1], indices, t[2], attrs, x.options(opts)...)
		}, dst, data, updates)
	}
	r.tensorScatter = func(dst, data, updates kernels.Tensor[T], x *randomIndices, axis int, mode kernels.CacheMode, opts []kernels.Option) error {
		given := x != nil
		if !given {
			x = &randomIndices{}
		}
		return rawIndexed(k, *x, func(indices kernels.Raw, t []kernels.Raw) error {
			if !given && axis < 0 {
				indices = kernels.Raw{} // either spells it
			} else if !given {
				indices.Data = nil
			}
			return kernels.TensorScatterRaw(t[0], t[1], t[2], indices, axis, mode, x.options(opts)...)
		}, dst, data, updates)
	}
	r.generalGather = func(dst, operand kernels.Tensor[T], x randomIndices, dims kernels.GatherDims, opts []kernels.Option) error {
		return rawIndexed(k, x, func(indices kernels.Raw, t []kernels.Raw) error {
			return kernels.GeneralGatherRaw(t[0], t[1], indices, dims, x.options(opts)...)
		}, dst, operand)
	}
	r.generalScatter = func(dst, input kernels.Tensor[T], x randomIndices, updates kernels.Tensor[T], dims kernels.ScatterDims, attrs kernels.ScatterAttrs, opts []kernels.Option) error {
		return rawIndexed(k, x, func(indices kernels.Raw, t []kernels.Raw) error {
			return kernels.GeneralScatterRaw(t[0], t[1], indices, t[2], dims, attrs, x.options(opts)...)
		}, dst, input, updates)
	}
	r.embeddingBag = func(dst, table kernels.Tensor[T], x, offsets randomIndices, weights kernels.Tensor[T], attrs kernels.BagAttrs, opts []kernels.Option) error {
		return rawIndexed(k, x, func(indices kernels.Raw, t []kernels.Raw) error {
			return rawIndexed(k, offsets, func(offsets kernels.Raw, w []kernels.Raw) error {
				if weights.Data == nil && attrs.HasDefault {
					w[0] = kernels.Raw{} // either spells it
				}
				return kernels.EmbeddingBagRaw(t[0], t[1], indices, offsets, w[0], attrs, x.options(opts)...)
			}, weights)
		}, dst, table)
	}
	return r
}

// rawIndexed makes a call with indices on tensors as Raw, and looks at the indices again.
func rawIndexed[T any](k indexKind, x randomIndices, call func(x kernels.Raw, tensors []kernels.Raw) error, tensors ...kernels.Tensor[T]) error {
	indices := k.raw(x)
	raws := []kernels.Raw{indices}
	for _, t := range tensors {
		raws = append(raws, rawOf(t))
	}
	err := rawCall(raws, func() error { return call(raws[0], raws[1:]) })
	if !bytes.Equal(indices.Data, k.raw(x).Data) {
		return fmt.Errorf("indices have changed; error %v", err)
	}
	return err
}

func rawOf[T any](t kernels.Tensor[T]) kernels.Raw {
	r, err := kernels.RawOf(t)
	if err != nil {
		panic(err)
	}
	return r
}

// oddAddresses says that rawCall moves data to odd addresses.
var oddAddresses bool

// rawCall makes a call on tensors, perhaps at odd addresses. Memory that they
// share they share there as well.
func rawCall(tensors []kernels.Raw, call func() error) error {
	if !oddAddresses {
		return call()
	}
	begin := func(b []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(b))) }
	var places [][]byte // of one region of shared memory after the other
	for _, r := range tensors {
		places = append(places, r.Data)
	}
	slices.SortFunc(places, func(a, b []byte) int { return cmp.Compare(begin(a), begin(b)) })
	regions := places[:0]
	for _, p := range places {
		if k := len(regions) - 1; k >= 0 && begin(p) < begin(regions[k])+uintptr(len(regions[k])) {
			both := max(uintptr(len(regions[k])), begin(p)-begin(regions[k])+uintptr(len(p)))
			regions[k] = unsafe.Slice(unsafe.SliceData(regions[k]), both)
		} else {
			regions = append(regions, p)
		}
	}
	moved := make([][]byte, len(regions))
	for k, region := range regions {
		moved[k] = make([]byte, len(region)+17)[1+k%16:]
		copy(moved[k], region)
	}
	for i := range tensors {
		r := &tensors[i]
		for k, region := range regions {
			if at := begin(r.Data) - begin(region); at < uintptr(len(region)) {
				r.Data = moved[k][at:][:len(r.Data)]
				break
			}
		}
	}
	err := call()
	for k, region := range regions {
		copy(region, moved[k])
	}
	return err
}

// TestRandomRaw makes the random calls on tensors of run-time types.
func TestRandomRaw(t *testing.T) {
	rows := make([]randomElement, 0, len(rawRows))
	for _, r := range rawRows[1:] {
		rows = append(rows, r)
	}
	t.Run("few", func(t *testing.T) { runRandom(t, rows, false) })
	t.Run("many", func(t *testing.T) {
		kernels.CutSmall(t)
		runRandom(t, rows, false)
	})
	t.Run("large", func(t *testing.T) { runRandom(t, rows, true) })
}

// TestRandomRawUnaligned makes them on data at any address, as every port does
// it, and as those do that want aligned addresses.
func TestRandomRawUnaligned(t *testing.T) {
	oddAddresses = true
	defer func() { oddAddresses = false }()
	if !testing.Short() {
		t.Run("own", TestRandomRaw)
	}
	t.Run("strict", func(t *testing.T) {
		kernels.StrictAlignment(t)
		TestRandomRaw(t)
	})
}

func TestDType(t *testing.T) {
	// The numbers and names of onnx.proto and of ONNX's type constraints.
	names := [...]string{1: "float", "uint8", "int8", "uint16", "int16", "int32", "int64", "string", "bool", "float16", "double",
		"uint32", "uint64", "complex64", "complex128", "bfloat16"}
	sizes := [...]int{1: 4, 1, 1, 2, 2, 4, 8, 0, 1, 2, 8, 4, 8, 8, 16, 2}
	require.Len(t, rawRows, len(names))
	for n := 1; n < len(names); n++ {
		d := kernels.DType(n)
		require.Equal(t, names[n], d.String())
		require.Equal(t, sizes[n], d.Size(), names[n])
		for _, name := range []string{names[n], strings.ToUpper(names[n])} {
			parsed, err := kernels.ParseDType(name)
			require.NoError(t, err)
			require.Equal(t, d, parsed, name)
		}
		require.Equal(t, d, rawRows[n].dtype(t), "of the Go type of %s", names[n])
	}
	for name, want := range map[string]kernels.DType{
		"float32": kernels.DTypeFloat32, "FLOAT32": kernels.DTypeFloat32, "FLOAT": kernels.DTypeFloat32, "float": kernels.DTypeFloat32,
		"float64": kernels.DTypeFloat64, "FLOAT64": kernels.DTypeFloat64, "DOUBLE": kernels.DTypeFloat64,
		"float16": kernels.DTypeFloat16, "FLOAT16": kernels.DTypeFloat16, "bfloat16": kernels.DTypeBFloat16, "BFLOAT16": kernels.DTypeBFloat16,
	} {
		parsed, err := kernels.ParseDType(name)
		require.NoError(t, err, name)
		require.Equal(t, want, parsed, name)
	}
	for _, none := range []kernels.DType{0, kernels.DType(len(rawRows)), kernels.DType(len(rawRows) + 1), 255} {
		require.Equal(t, fmt.Sprintf("DType(%d)", none), none.String())
		require.Zero(t, none.Size())
	}
	for _, name := range []string{"", "undefined", "Float", "Float32", "float128", "FLOAT ", "bool8", "tensor(float)", "DType(1)", "float8e4m3fn"} {
		d, err := kernels.ParseDType(name)
		require.Zero(t, d)
		require.ErrorIs(t, err, kernels.ErrType, name)
		require.ErrorContains(t, err, "ParseDType")
	}
	require.NoError(t, kernels.CheckDTypes())
}

func TestRawOf(t *testing.T) {
	type words string
	same := func(want kernels.DType, r kernels.Raw, err error) {
		t.Helper()
		require.NoError(t, err)
		require.Equal(t, want, r.Type)
	}
	ints, err := kernels.RawOf(kernels.New([]int{1}, 1))
	same(map[int]kernels.DType{4: kernels.DTypeInt32, 8: kernels.DTypeInt64}[len(ints.Data)], ints, err)
	r, err := kernels.RawOf(kernels.New([]uint{1, 2}, 2))
	same(map[int]kernels.DType{8: kernels.DTypeUint32, 16: kernels.DTypeUint64}[len(r.Data)], r, err)
	r, err = kernels.RawOf(kernels.New([]foreignFloat16{1}, 1))
	same(kernels.DTypeFloat16, r, err)
	r, err = kernels.RawOf(kernels.New([]foreignBFloat16{1}, 1))
	same(kernels.DTypeBFloat16, r, err)
	r, err = kernels.RawOf(kernels.New([]namedFloat32{1}, 1))
	same(kernels.DTypeFloat32, r, err)

	s := []words{"a", "b", "c"}
	r, err = kernels.RawOf(kernels.Tensor[words]{Data: s, Shape: []int{2}, Strides: []int{-2}, Offset: 2})
	same(kernels.DTypeString, r, err)
	require.Equal(t, kernels.Raw{Type: kernels.DTypeString, Strings: []string{"a", "b", "c"}, Shape: []int{2}, Strides: []int{-2}, Offset: 2}, r)
	r.Strings[0] = "x" // the same memory
	require.Equal(t, words("x"), s[0])
	f := []float32{1, 2}
	r, err = kernels.RawOf(kernels.New(f, 2))
	same(kernels.DTypeFloat32, r, err)
	require.Len(t, r.Data, 8)
	clear(r.Data)
	require.Equal(t, []float32{0, 0}, f)
	r, err = kernels.RawOf(kernels.New([]int64(nil), 0))
	same(kernels.DTypeInt64, r, err)
	require.Empty(t, r.Data)

	for name, err := range map[string]error{
		"uintptr":                     rawError([]uintptr{1}),
		"[]int":                       rawError([][]int{nil}),
		"struct {}":                   rawError([]struct{}{{}}),
		"[2]float32":                  rawError([][2]float32{{}}),
		"kernels_test.foreignFixed16": rawError([]foreignFixed16{1}),
		"*int":                        rawError([]*int{nil}),
	} {
		var e *kernels.TypeError
		require.ErrorAs(t, err, &e, name)
		require.ErrorIs(t, err, kernels.ErrType)
		require.Equal(t, "RawOf", e.Op)
		require.Equal(t, name, e.Type)
	}
}

func rawError[T any](data []T) error {
	_, err := kernels.RawOf(kernels.New(data, len(data)))
	return err
}

// A rawOperands is a valid call of each operator on Raw, for tests that spoil
// one of its operands.
type rawOperands struct{ dst, data, indices, updates, condition kernels.Raw }

func newRawOperands(d, index kernels.DType) rawOperands {
	tensor := func(d kernels.DType) kernels.Raw {
		return kernels.Raw{Type: d, Data: make([]byte, 6*d.Size()), Strings: make([]string, 6), Shape: []int{2, 3}}
	}
	return rawOperands{tensor(d), tensor(d), tensor(index), tensor(d),
		kernels.Raw{Type: kernels.DTypeBool, Data: []byte{1, 255}, Shape: []int{2}}}
}

// calls returns the calls by their operators.
func (o *rawOperands) calls() map[string]func() error {
	tuples, row := o.indices, o.indices
	tuples.Shape, row.Shape = []int{2, 1}, []int{2}
	return map[string]func() error{
		"GatherElements": func() error { return kernels.GatherElementsRaw(o.dst, o.data, o.indices, 1) },
		"GatherND":       func() error { return kernels.GatherNDRaw(o.dst, o.data, tuples, 0) },
		"Gather":         func() error { return kernels.GatherRaw(o.dst, o.data, row, 0, 0) },
		"ScatterElementsUpdate": func() error {
			return kernels.ScatterElementsUpdateRaw(o.dst, o.data, o.indices, o.updates, 1, kernels.ScatterAttrs{})
		},
		"ScatterNDUpdate": func() error {
			return kernels.ScatterNDUpdateRaw(o.dst, o.data, tuples, o.updates, kernels.ScatterAttrs{})
		},
		"StridedSlice": func() error { return kernels.StridedSliceRaw(o.dst, o.data, kernels.SliceSpec{}) },
		"Slice":        func() error { return kernels.SliceRaw(o.dst, o.data, kernels.Ranges{}) },
		"TensorScatter": func() error {
			return kernels.TensorScatterRaw(o.dst, o.data, o.updates, row, 1, kernels.Circular)
		},
		"SliceScatter": func() error { return kernels.SliceScatterRaw(o.dst, o.data, o.updates, kernels.SliceSpec{}) },
		"Compress":     func() error { return kernels.CompressRaw(o.dst, o.data, o.condition, 0) },
		"Take":         func() error { return kernels.TakeRaw(o.dst, o.data, o.condition) },
	}
}

// withoutIndices and withoutUpdates are the operators that have none.
var (
	withoutIndices = map[string]bool{"StridedSlice": true, "Slice": true, "SliceScatter": true, "Compress": true, "Take": true}
	withUpdates    = map[string]bool{"ScatterElementsUpdate": true, "ScatterNDUpdate": true, "SliceScatter": true, "TensorScatter": true}
)

// TestRawTypes tries every type in every place.
func TestRawTypes(t *testing.T) {
	kernels.Ways(t, func(t *testing.T) {
		for n := range 256 {
			d := kernels.DType(n)
			known := d.String() != fmt.Sprintf("DType(%d)", n)
			for op, call := range ptr(newRawOperands(d, kernels.DTypeInt64)).calls() {
				requireTypeError(t, call(), !known, op, d, "data", "none of ONNX's types")
			}
			for op, call := range ptr(newRawOperands(kernels.DTypeFloat32, d)).calls() {
				isIndex := slices.Contains(indexDTypes, d)
				requireTypeError(t, call(), !isIndex && !withoutIndices[op], op, d, "indices", "no type of integers")
			}
			o := newRawOperands(kernels.DTypeFloat32, kernels.DTypeInt32)
			o.dst = newRawOperands(d, d).dst
			for op, call := range o.calls() {
				requireTypeError(t, call(), d != kernels.DTypeFloat32, op, d, "dst", "data has float")
			}
			o = newRawOperands(kernels.DTypeString, kernels.DTypeUint8)
			o.updates = newRawOperands(d, d).dst
			for op, call := range o.calls() {
				requireTypeError(t, call(), d != kernels.DTypeString && withUpdates[op], op, d, "updates", "data has string")
			}
			o = newRawOperands(kernels.DTypeInt8, kernels.DTypeInt8)
			o.condition.Type, o.condition.Data = d, make([]byte, 2*16)
			o.condition.Data[0], o.condition.Data[1] = 1, 1
			isBool := d == kernels.DTypeBool
			requireTypeError(t, o.calls()["Compress"](), !isBool, "Compress", d, "condition", "not bool")
			requireTypeError(t, o.calls()["Take"](), !isBool, "Take", d, "mask", "not bool")
			_, err := kernels.CompressShapeRaw([]int{2, 3}, o.condition, 0)
			requireTypeError(t, err, !isBool, "Compress", d, "condition", "not bool")
			_, err = kernels.TakeShapeRaw([]int{2, 3}, o.condition)
			requireTypeError(t, err, !isBool, "Take", d, "mask", "not bool")
			_, err = kernels.SliceViewRaw(newRawOperands(d, d).data, kernels.SliceSpec{})
			requireTypeError(t, err, !known, "StridedSlice", d, "data", "none of ONNX's types")
			_, err = kernels.RangesViewRaw(newRawOperands(d, d).data, kernels.Ranges{})
			requireTypeError(t, err, !known, "Slice", d, "data", "none of ONNX's types")
		}
	})
}

// TestRawBagTypes tries every type in every place of EmbeddingBag.
func TestRawBagTypes(t *testing.T) {
	sum := kernels.BagAttrs{Reduction: kernels.Sum}
	tensor := func(d kernels.DType, shape ...int) kernels.Raw {
		return kernels.Raw{Type: d, Data: make([]byte, 6*16), Strings: make([]string, 6), Shape: shape}
	}
	f32, i64 := kernels.DTypeFloat32, kernels.DTypeInt64
	for n := range 256 {
		d := kernels.DType(n)
		known, isIndex := d.String() != fmt.Sprintf("DType(%d)", n), slices.Contains(indexDTypes, d)
		call := func(dst, table, indices, offsets, weights kernels.DType) error {
			return kernels.EmbeddingBagRaw(tensor(dst, 2, 3), tensor(table, 2, 3), tensor(indices, 4), tensor(offsets, 2), tensor(weights, 4), sum)
		}
		if d != kernels.DTypeString {
			requireTypeError(t, call(d, d, i64, i64, d), !known, "EmbeddingBag", d, "table", "none of ONNX's types")
		}
		requireTypeError(t, call(d, f32, i64, i64, f32), d != f32, "EmbeddingBag", d, "dst", "table has float")
		requireTypeError(t, call(f32, f32, d, d, f32), !isIndex, "EmbeddingBag", d, "indices", "no type of integers")
		requireTypeError(t, call(f32, f32, i64, d, f32), d != i64, "EmbeddingBag", d, "offsets", "indices has int64")
		requireTypeError(t, call(f32, f32, i64, i64, d), d != f32, "EmbeddingBag", d, "weights", "table has float")
	}
	s := kernels.DTypeString
	err := kernels.EmbeddingBagRaw(tensor(s, 2, 3), tensor(s, 2, 3), tensor(i64, 4), tensor(i64, 2), kernels.Raw{}, sum)
	requireFailure(t, "EmbeddingBag", &kernels.TypeError{Type: "string"}, err)
	require.NoError(t, kernels.EmbeddingBagRaw(tensor(f32, 2, 3), tensor(f32, 2, 3), tensor(i64, 4), tensor(i64, 2), kernels.Raw{}, sum))
	require.NoError(t, kernels.EmbeddingBagRaw(tensor(f32, 2, 3), tensor(f32, 2, 3), tensor(i64, 4), tensor(i64, 2), kernels.Raw{Data: []byte{}}, sum), "no weights")
}

// TestRawGeneralTypes tries every type in every place of GeneralGather and GeneralScatter, whose
// operands have names of their own.
func TestRawGeneralTypes(t *testing.T) {
	const gather, scatter = "GeneralGather", "GeneralScatter"
	tensor := func(d kernels.DType, shape ...int) kernels.Raw {
		return kernels.Raw{Type: d, Data: make([]byte, 12*16), Strings: make([]string, 12), Shape: shape}
	}
	f32, i64 := kernels.DTypeFloat32, kernels.DTypeInt64
	for n := range 256 {
		d := kernels.DType(n)
		known, isIndex := d.String() != fmt.Sprintf("DType(%d)", n), slices.Contains(indexDTypes, d)
		gathered := func(dst, operand, indices kernels.DType) error {
			return kernels.GeneralGatherRaw(tensor(dst, 4, 3), tensor(operand, 2, 3), tensor(indices, 4, 1),
				kernels.GatherDims{OffsetDims: []int{1}, CollapsedSliceDims: []int{0}, StartIndexMap: []int{0}, IndexVectorDim: 1, SliceSizes: []int{1, 3}})
		}
		requireTypeError(t, gathered(d, d, i64), !known, gather, d, "operand has it", "none of ONNX's types")
		requireTypeError(t, gathered(d, f32, i64), d != f32, gather, d, "dst has it", "operand has float")
		requireTypeError(t, gathered(f32, f32, d), !isIndex, gather, d, "start_indices has it", "no type of integers")

		scattered := func(dst, input, indices, updates kernels.DType) error {
			return kernels.GeneralScatterRaw(tensor(dst, 2, 3), tensor(input, 2, 3), tensor(indices, 4, 1), tensor(updates, 4, 3),
				kernels.ScatterDims{UpdateWindowDims: []int{1}, InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}, IndexVectorDim: 1}, kernels.ScatterAttrs{})
		}
		requireTypeError(t, scattered(d, d, i64, d), !known, scatter, d, "input has it", "none of ONNX's types")
		requireTypeError(t, scattered(d, f32, i64, f32), d != f32, scatter, d, "dst has it", "input has float")
		requireTypeError(t, scattered(f32, f32, d, f32), !isIndex, scatter, d, "scatter_indices has it", "no type of integers")
		requireTypeError(t, scattered(f32, f32, i64, d), d != f32, scatter, d, "updates has it", "input has float")
	}
}

var indexDTypes = []kernels.DType{kernels.DTypeInt8, kernels.DTypeInt16, kernels.DTypeInt32, kernels.DTypeInt64,
	kernels.DTypeUint8, kernels.DTypeUint16, kernels.DTypeUint32, kernels.DTypeUint64}

func ptr[T any](v T) *T { return &v }

func requireTypeError(t *testing.T, err error, want bool, op string, d kernels.DType, words ...string) {
	t.Helper()
	if !want {
		require.NoError(t, err, "%s of %s", op, d)
		return
	}
	var e *kernels.TypeError
	require.ErrorAs(t, err, &e, "%s of %s", op, d)
	require.ErrorIs(t, err, kernels.ErrType)
	require.Equal(t, op, e.Op)
	require.Equal(t, d.String(), e.Type)
	for _, w := range words {
		require.Contains(t, err.Error(), w, op)
	}
}

// TestRawReductions: a type is reduced as its Go type is, or refused as that.
func TestRawReductions(t *testing.T) {
	for d := kernels.DTypeFloat32; int(d) < len(rawRows); d++ {
		for _, r := range reductions {
			o := newRawOperands(d, kernels.DTypeInt64)
			err := kernels.ScatterElementsUpdateRaw(o.dst, o.data, o.indices, o.updates, 0, kernels.ScatterAttrs{Reduction: r})
			complex := d == kernels.DTypeComplex64 || d == kernels.DTypeComplex128
			none := r != none && (d == kernels.DTypeString || d == kernels.DTypeBool && r == mean || complex && (r == low || r == high))
			requireTypeError(t, err, none, "ScatterElementsUpdate", d, r.String()+": ")
		}
	}
}

// TestRawBool: bytes other than 0 and 1 are true, and move as they are.
func TestRawBool(t *testing.T) {
	kernels.Ways(t, func(t *testing.T) {
		b := func(data ...byte) kernels.Raw {
			return kernels.Raw{Type: kernels.DTypeBool, Data: data, Shape: []int{len(data)}}
		}
		x := kernels.Raw{Type: kernels.DTypeUint8, Data: []byte{3, 2, 1, 0}, Shape: []int{4}}
		dst := b(9, 9, 9, 9)
		require.NoError(t, kernels.GatherElementsRaw(dst, b(0, 1, 2, 255), x, 0))
		require.Equal(t, []byte{255, 2, 1, 0}, dst.Data)
		for _, c := range []struct {
			reduction kernels.Reduction
			want      [4]bool
		}{
			{sum, [4]bool{true, true, true, false}}, {high, [4]bool{true, true, true, false}},
			{prod, [4]bool{true, false, false, false}}, {low, [4]bool{true, false, false, false}},
		} {
			for _, ignore := range []bool{false, true} {
				attrs := kernels.ScatterAttrs{Reduction: c.reduction, IgnoreInit: ignore}
				require.NoError(t, kernels.ScatterElementsUpdateRaw(dst, b(7, 0, 128, 0), x, b(0, 0, 3, 2), 0, attrs))
				for i, want := range c.want {
					if ignore {
						want = i < 2 // the update alone
					}
					require.Equal(t, want, dst.Data[i] != 0, "%v of %d, IgnoreInit %t: %v", c.reduction, i, ignore, dst.Data)
				}
			}
		}
	})
}

// TestRawTooShort: Data of every length up to what the shape needs. Behind
// it, and behind dst, are canaries.
func TestRawTooShort(t *testing.T) {
	kernels.Ways(t, func(t *testing.T) {
		for d := kernels.DTypeFloat32; int(d) < len(rawRows); d++ {
			full := 6 * d.Size()
			if d == kernels.DTypeString {
				full = 6
			}
			for n := range full + 1 {
				cut := func(r *kernels.Raw) {
					if d == kernels.DTypeString {
						r.Strings = r.Strings[:n]
					} else {
						r.Data = r.Data[:n]
					}
				}
				for name, place := range map[string]func(*rawOperands) *kernels.Raw{
					"dst":     func(o *rawOperands) *kernels.Raw { return &o.dst },
					"data":    func(o *rawOperands) *kernels.Raw { return &o.data },
					"updates": func(o *rawOperands) *kernels.Raw { return &o.updates },
				} {
					o := newRawOperands(d, kernels.DTypeInt64)
					for i := range place(&o).Data {
						place(&o).Data[i] = 0xA5
					}
					all := place(&o).Data
					cut(place(&o))
					for op, call := range o.calls() {
						err := call()
						if n == full || name == "updates" && !withUpdates[op] {
							require.NoError(t, err, "%s of %s with %d bytes of %s", op, d, n, name)
							continue
						}
						var e *kernels.ShapeError
						require.ErrorAs(t, err, &e, "%s of %s with %d bytes of %s", op, d, n, name)
						require.Equal(t, name, e.Tensor)
						require.Equal(t, op, e.Op)
						require.Equal(t, len(all), bytes.Count(all, []byte{0xA5}))
					}
				}
			}
		}
		for _, d := range indexDTypes {
			for n := range 6*d.Size() + 1 {
				o := newRawOperands(kernels.DTypeInt16, d)
				o.indices.Data = o.indices.Data[:n]
				for op, call := range o.calls() {
					needs := map[string]int{"GatherElements": 6, "ScatterElementsUpdate": 6, "GatherND": 2, "Gather": 2, "ScatterNDUpdate": 2, "TensorScatter": 2}[op]
					if err := call(); n < needs*d.Size() {
						require.ErrorIs(t, err, kernels.ErrShape, "%s by %s with %d bytes", op, d, n)
					} else {
						require.NoError(t, err, "%s by %s with %d bytes", op, d, n)
					}
				}
			}
		}
	})
}

// TestXorOfTruths: any byte but 0 is true, so that true and another true are false.
func TestXorOfTruths(t *testing.T) { kernels.Ways(t, testXorOfTruths) }

func testXorOfTruths(t *testing.T) {
	indices := kernels.Raw{Type: kernels.DTypeInt64, Data: make([]byte, 16), Shape: []int{2, 1}}
	for _, bytes := range [][3]byte{{2, 1, 0}, {0, 1, 2}, {7, 0, 9}, {1, 4, 5}, {0, 0, 3}} {
		d := kernels.Raw{Type: kernels.DTypeBool, Data: []byte{bytes[0]}, Shape: []int{1}}
		u := kernels.Raw{Type: kernels.DTypeBool, Data: bytes[1:], Shape: []int{2}}
		require.NoError(t, kernels.ScatterNDUpdateRaw(d, d, indices, u, kernels.ScatterAttrs{Reduction: kernels.Sub}))
		want := (bytes[0] != 0) != (bytes[1] != 0) != (bytes[2] != 0)
		require.Equal(t, want, d.Data[0] != 0, bytes)
	}
}
