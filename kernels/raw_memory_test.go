package kernels_test

import (
	"math"
	"math/bits"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

func TestElements(t *testing.T) {
	const half = 1 << (bits.UintSize / 2)
	for _, c := range []struct {
		shape []int
		want  int
		bytes int // of complex128; -1: too many
	}{
		{nil, 1, 16}, {[]int{0}, 0, 0}, {[]int{3, 5}, 15, 240}, {[]int{7, 0, 9}, 0, 0}, {[]int{1, 1, 1}, 1, 16},
		{[]int{math.MaxInt}, math.MaxInt, -1}, {[]int{math.MaxInt, 0}, 0, 0}, {[]int{math.MaxInt / 16}, math.MaxInt / 16, math.MaxInt - 15}, {[]int{math.MaxInt/16 + 1}, math.MaxInt/16 + 1, -1},
	} {
		n, err := kernels.Elements(c.shape...)
		require.NoError(t, err, c.shape)
		require.Equal(t, c.want, n, c.shape)
		bytes, err := kernels.DTypeComplex128.Bytes(c.shape...)
		if c.bytes < 0 {
			requireFailure(t, "Bytes", badShape("Data"), err)
			_, err = kernels.NewRaw(kernels.DTypeComplex128, c.shape...)
			requireFailure(t, "NewRaw", badShape("Data"), err)
			continue
		}
		require.NoError(t, err, c.shape)
		require.Equal(t, c.bytes, bytes, c.shape)
	}
	for _, shape := range [][]int{{-1}, {0, -1}, {math.MinInt}, {-1, -1}, {half, half}, {half, 0, half}, {math.MaxInt, 2}, {math.MaxInt/2 + 1, 4}} {
		_, err := kernels.Elements(shape...)
		requireFailure(t, "Elements", badShape("Data"), err)
		_, err = kernels.DTypeBool.Bytes(shape...)
		requireFailure(t, "Bytes", badShape("Data"), err)
		for _, d := range []kernels.DType{kernels.DTypeBool, kernels.DTypeString, kernels.DTypeComplex128} {
			r, err := kernels.NewRaw(d, shape...)
			requireFailure(t, "NewRaw", badShape("Data"), err)
			require.Equal(t, kernels.Raw{}, r)
		}
	}
	for _, d := range []kernels.DType{0, kernels.DType(len(rawRows)), 255, kernels.DTypeString} {
		_, err := d.Bytes(2)
		requireTypeError(t, err, true, "Bytes", d)
	}
}

func TestNewRaw(t *testing.T) {
	for d := kernels.DTypeFloat32; int(d) < len(rawRows); d++ {
		for _, shape := range [][]int{nil, {0}, {1}, {3}, {2, 3, 5}, {4, 0}} {
			r, err := kernels.NewRaw(d, shape...)
			require.NoError(t, err)
			n, err := kernels.Elements(shape...)
			require.NoError(t, err)
			require.Equal(t, d, r.Type)
			require.Equal(t, append([]int{}, shape...), append([]int{}, r.Shape...))
			require.Empty(t, r.Strides)
			require.Zero(t, r.Offset)
			require.Len(t, r.Data, n*d.Size(), "%v of %v", d, shape)
			require.Equal(t, make([]byte, len(r.Data)), append([]byte{}, r.Data...))
			if d == kernels.DTypeString {
				require.Equal(t, make([]string, n), r.Strings)
			}
			_, err = kernels.SliceViewRaw(r, kernels.SliceSpec{})
			require.NoError(t, err)
		}
	}
	shape := []int{2}
	r, err := kernels.NewRaw(kernels.DTypeInt8, shape...)
	require.NoError(t, err)
	shape[0] = 7 // the caller's own
	require.Equal(t, []int{2}, r.Shape)
	for _, d := range []kernels.DType{0, kernels.DType(len(rawRows)), 255} {
		r, err := kernels.NewRaw(d, 2)
		requireTypeError(t, err, true, "NewRaw", d, "none of ONNX's types")
		require.Equal(t, kernels.Raw{}, r)
	}
	// What an int can count, and nobody has: no panic.
	for d, width := range map[kernels.DType]int{kernels.DTypeUint8: 1, kernels.DTypeString: int(unsafe.Sizeof(""))} {
		_, err := kernels.NewRaw(d, math.MaxInt/width)
		requireFailure(t, "NewRaw", badShape("Data"), err)
	}
}

// sameMemory requires TensorOf of a Raw to be the tensor that RawOf made it of.
func sameMemory[T any](t *testing.T, data []T) {
	want := kernels.Tensor[T]{Data: data, Shape: []int{2}, Strides: []int{-1}, Offset: 1}
	r, err := kernels.RawOf(want)
	require.NoError(t, err)
	if len(r.Data) > 0 {
		n := len(r.Data)
		r.Data = append(r.Data[:n:n], 1)[:n+min(1, r.Type.Size()-1)] // a copy, and a byte behind it that is no element
	}
	got, err := kernels.TensorOf[T](r)
	require.NoError(t, err)
	require.Equal(t, want, got)
	if r.Type == kernels.DTypeString {
		require.Same(t, unsafe.StringData(any(data[0]).(string)), unsafe.StringData(any(got.Data[0]).(string)))
	} else {
		require.Equal(t, unsafe.Pointer(unsafe.SliceData(r.Data)), unsafe.Pointer(unsafe.SliceData(got.Data)))
	}
}

func TestTensorOf(t *testing.T) {
	sameMemory(t, []float32{1, 2})
	sameMemory(t, []float64{1, 2})
	sameMemory(t, []namedFloat32{1, 2})
	sameMemory(t, []kernels.Float16{1, 2})
	sameMemory(t, []foreignFloat16{1, 2})
	sameMemory(t, []kernels.BFloat16{1, 2})
	sameMemory(t, []foreignBFloat16{1, 2})
	sameMemory(t, []complex64{1, 2i})
	sameMemory(t, []complex128{1, 2i})
	sameMemory(t, []int8{1, 2})
	sameMemory(t, []int16{1, 2})
	sameMemory(t, []int32{1, 2})
	sameMemory(t, []int64{1, 2})
	sameMemory(t, []int{1, 2})
	sameMemory(t, []uint8{1, 2})
	sameMemory(t, []uint16{1, 2})
	sameMemory(t, []uint32{1, 2})
	sameMemory(t, []uint64{1, 2})
	sameMemory(t, []uint{1, 2})
	sameMemory(t, []bool{true, false})
	sameMemory(t, []string{"a", "b"})

	for _, r := range []kernels.Raw{{Type: kernels.DTypeInt32, Shape: []int{0}}, {Type: kernels.DTypeInt32, Shape: []int{0}, Data: make([]byte, 5)[1:4]}} {
		empty, err := kernels.TensorOf[int32](r)
		require.NoError(t, err)
		require.Empty(t, empty.Data)
	}
}

func TestBadTensorOf(t *testing.T) {
	memory := make([]uint64, 4) // so that every type can begin there
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(&memory[0])), 32)
	for d := range kernels.DType(20) {
		r := kernels.Raw{Type: d, Data: bytes, Shape: []int{2}}
		for want, err := range map[kernels.DType]error{
			kernels.DTypeFloat32: tensorError[float32](r), kernels.DTypeFloat64: tensorError[namedFloat64](r), kernels.DTypeInt32: tensorError[int32](r), kernels.DTypeUint32: tensorError[uint32](r),
			kernels.DTypeUint16: tensorError[uint16](r), kernels.DTypeFloat16: tensorError[foreignFloat16](r), kernels.DTypeBFloat16: tensorError[foreignBFloat16](r),
			kernels.DTypeString: tensorError[string](r), kernels.DTypeBool: tensorError[bool](r), kernels.DTypeUint8: tensorError[uint8](r),
		} {
			if d == want {
				require.NoError(t, err, d)
				continue
			}
			var e *kernels.TypeError
			require.ErrorAs(t, err, &e, d)
			require.Equal(t, "TensorOf", e.Op)
			require.Contains(t, e.Reason, d.String())
			require.Contains(t, e.Reason, want.String())
		}
		for name, err := range map[string]error{
			"uintptr": tensorError[uintptr](r), "struct {}": tensorError[struct{}](r), "*int": tensorError[*int](r), "[]int": tensorError[[]int](r),
			"[2]float32": tensorError[[2]float32](r), "kernels_test.foreignFixed16": tensorError[foreignFixed16](r),
		} {
			var e *kernels.TypeError
			require.ErrorAs(t, err, &e, name)
			require.Equal(t, name, e.Type)
		}
	}
	_, err := kernels.TensorOf[bool](kernels.Raw{Type: kernels.DTypeBool, Data: []byte{0, 1, 2}, Shape: []int{3}})
	requireFailure(t, "TensorOf", &kernels.TypeError{Type: "bool"}, err)
	require.ErrorContains(t, err, "byte 2 is 2")
	_, err = kernels.TensorOf[int16](kernels.Raw{Type: kernels.DTypeInt16, Data: bytes[1:], Shape: []int{3}})
	requireFailure(t, "TensorOf", badShape("Data"), err)
	_, err = kernels.TensorOf[int16](kernels.Raw{Type: kernels.DTypeInt16, Data: bytes[2:], Shape: []int{3}})
	require.NoError(t, err)
}

type namedFloat64 float64

func tensorError[T any](r kernels.Raw) error {
	_, err := kernels.TensorOf[T](r)
	return err
}
