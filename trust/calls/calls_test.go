package calls_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

// Every type is gathered in reverse, at every variant, and its bytes come back as they went in.
func TestEveryType(t *testing.T) {
	require.Contains(t, calls.Types, kernels.DTypeBFloat16) // they are numbered from 1
	for _, v := range calls.Variants() {
		restore := v.Use()
		for _, typ := range calls.Types {
			size := calls.Size(typ)
			data := make([]byte, 3*size)
			for i := range data {
				data[i] = byte(i + 1)
			}
			if typ == kernels.DTypeBool {
				copy(data, []byte{1, 0, 1})
			}
			for _, index := range []kernels.DType{kernels.DTypeInt32, kernels.DTypeInt64} {
				c := calls.Call{Op: calls.GatherElements, Data: calls.Tensor{Type: typ, Shape: []int{3}, Data: data}, Indices: ints(index, []int{2}, 2, -3)}
				got, err := c.Run()
				require.NoError(t, err)
				want := append(append([]byte{}, data[2*size:]...), data[:size]...)
				require.Equal(t, calls.Tensor{Type: typ, Shape: []int{2}, Data: want}, got, "%v, indices %v, %v", typ, index, v)
			}
		}
		restore()
	}
}

func ints(typ kernels.DType, shape []int, values ...int64) calls.Tensor {
	var b []byte
	for _, v := range values {
		if typ == kernels.DTypeInt32 {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		} else {
			b = binary.LittleEndian.AppendUint64(b, uint64(v))
		}
	}
	return calls.Tensor{Type: typ, Shape: shape, Data: b}
}

func TestEveryOperator(t *testing.T) {
	data := ints(kernels.DTypeInt64, []int{2, 2}, 1, 2, 3, 4)
	rows := []struct {
		call calls.Call
		want calls.Tensor
	}{
		{calls.Call{Op: calls.GatherElements, Axis: 1, Data: data, Indices: ints(kernels.DTypeInt64, []int{2, 1}, 1, 0)}, ints(kernels.DTypeInt64, []int{2, 1}, 2, 3)},
		{calls.Call{Op: calls.GatherND, Data: data, Indices: ints(kernels.DTypeInt64, []int{1, 1}, 1)}, ints(kernels.DTypeInt64, []int{1, 2}, 3, 4)},
		{calls.Call{Op: calls.ScatterElementsUpdate, Attrs: kernels.ScatterAttrs{Reduction: kernels.Sum}, Data: data,
			Indices: ints(kernels.DTypeInt64, []int{1, 2}, 1, 1), Updates: ints(kernels.DTypeInt64, []int{1, 2}, 10, 20)}, ints(kernels.DTypeInt64, []int{2, 2}, 1, 2, 13, 24)},
		{calls.Call{Op: calls.Gather, Axis: 1, Data: data, Indices: ints(kernels.DTypeInt64, []int{}, 1)}, ints(kernels.DTypeInt64, []int{2}, 2, 4)},
		{calls.Call{Op: calls.ScatterNDUpdate, Attrs: kernels.ScatterAttrs{Reduction: kernels.Sub}, Data: data,
			Indices: ints(kernels.DTypeInt64, []int{1, 2}, 1, 0), Updates: ints(kernels.DTypeInt64, []int{1}, 10)}, ints(kernels.DTypeInt64, []int{2, 2}, 1, 2, -7, 4)},
		{calls.Call{Op: calls.Slice, Ranges: kernels.Ranges{Starts: []int64{1}, Ends: []int64{2}, Axes: []int64{1}}, Data: data}, ints(kernels.DTypeInt64, []int{2, 1}, 2, 4)},
		{calls.Call{Op: calls.Compress, Axis: 1, Data: data, Condition: calls.Tensor{Type: kernels.DTypeBool, Shape: []int{2}, Data: []byte{0, 1}}}, ints(kernels.DTypeInt64, []int{2, 1}, 2, 4)},
		{calls.Call{Op: calls.EmbeddingBag, Bag: kernels.BagAttrs{Reduction: kernels.Sum}, Data: data, Indices: ints(kernels.DTypeInt32, []int{2}, 0, 1),
			Offsets: ints(kernels.DTypeInt32, []int{2}, 0, 2), Updates: ints(kernels.DTypeInt64, []int{2}, 10, 1)}, ints(kernels.DTypeInt64, []int{2, 2}, 13, 24, 0, 0)},
		{calls.Call{Op: calls.StridedSlice, Spec: kernels.SliceSpec{Begin: []int64{1}, End: []int64{2}}, Data: data}, ints(kernels.DTypeInt64, []int{1, 2}, 3, 4)},
		{calls.Call{Op: calls.TensorScatter, Axis: -1, Mode: kernels.Circular, Data: data, Indices: ints(kernels.DTypeInt64, []int{2}, 3, 0),
			Updates: ints(kernels.DTypeInt64, []int{2, 1}, 10, 20)}, ints(kernels.DTypeInt64, []int{2, 2}, 1, 10, 20, 4)},
		{calls.Call{Op: calls.SliceScatter, Spec: kernels.SliceSpec{Begin: []int64{1}, End: []int64{0}, ShrinkAxisMask: []bool{true}}, Data: data,
			Updates: ints(kernels.DTypeInt64, []int{2}, 10, 20)}, ints(kernels.DTypeInt64, []int{2, 2}, 1, 2, 10, 20)},
		{calls.Call{Op: calls.GeneralGather, Gather: kernels.GatherDims{OffsetDims: []int{1}, CollapsedSliceDims: []int{0}, StartIndexMap: []int{1}, IndexVectorDim: 1, SliceSizes: []int{1, 1}}, Data: data,
			Indices: ints(kernels.DTypeInt64, []int{2, 1}, 1, 9)}, ints(kernels.DTypeInt64, []int{2, 1}, 2, 2)},
		{calls.Call{Op: calls.GeneralScatter, Scatter: kernels.ScatterDims{UpdateWindowDims: []int{1}, InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}, IndexVectorDim: 1}, Data: data,
			Attrs: kernels.ScatterAttrs{Reduction: kernels.Sum}, Indices: ints(kernels.DTypeInt64, []int{2, 1}, 1, 2), Updates: ints(kernels.DTypeInt64, []int{2, 2}, 10, 20, 30, 40)},
			ints(kernels.DTypeInt64, []int{2, 2}, 1, 2, 13, 24)},
	}
	require.Len(t, rows, len(calls.Ops))
	for _, r := range rows {
		got, err := r.call.Run()
		require.NoError(t, err)
		require.Equal(t, r.want, got, r.call.Op)
		got, err = r.call.RunInPlace()
		if !r.call.Op.Scatters() {
			require.ErrorIs(t, err, calls.ErrCall)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, r.want, got)
	}
}

// What can't be a call is an error, and not a panic or a silent success.
func TestNotACall(t *testing.T) {
	good := func() calls.Call {
		return calls.Call{Op: calls.ScatterElementsUpdate, Data: ints(kernels.DTypeInt32, []int{2}, 1, 2),
			Indices: ints(kernels.DTypeInt64, []int{1}, 0), Updates: ints(kernels.DTypeInt32, []int{1}, 5)}
	}
	c := good()
	_, err := c.Run()
	require.NoError(t, err)
	for name, spoil := range map[string]func(*calls.Call){
		"operator":      func(c *calls.Call) { c.Op = "Transpose" },
		"type":          func(c *calls.Call) { c.Data.Type = 99 },
		"no type":       func(c *calls.Call) { c.Data.Type = 0 },
		"index type":    func(c *calls.Call) { c.Indices.Type = kernels.DTypeFloat32 },
		"data short":    func(c *calls.Call) { c.Data.Data = c.Data.Data[:7] },
		"indices long":  func(c *calls.Call) { c.Indices.Data = append(c.Indices.Data, 0) },
		"updates short": func(c *calls.Call) { c.Updates.Data = nil },
		"updates type":  func(c *calls.Call) { c.Updates.Type = kernels.DTypeFloat32 },
	} {
		c := good()
		spoil(&c)
		_, err := c.Run()
		require.ErrorIs(t, err, calls.ErrCall, name)
	}
	c = good()
	c.Indices = ints(kernels.DTypeInt64, []int{1}, 2)
	_, err = c.Run()
	require.ErrorIs(t, err, kernels.ErrIndex)
}

// Every bit pattern passes, a signalling NaN among them.
func TestSignallingNaN(t *testing.T) {
	for _, typ := range calls.Types {
		if calls.Part(typ) == 0 {
			continue
		}
		nan := map[kernels.DType][]byte{kernels.DTypeFloat16: {1, 0x7C}, kernels.DTypeBFloat16: {0x81, 0x7F}}[typ]
		if nan == nil {
			nan = map[int][]byte{4: {1, 0, 0x80, 0x7F}, 8: {1, 0, 0, 0, 0, 0, 0xF0, 0x7F}}[calls.Part(typ)]
		}
		data := calls.Tensor{Type: typ, Shape: []int{1}, Data: bytes.Repeat(nan, calls.Size(typ)/calls.Part(typ))}
		c := calls.Call{Op: calls.GatherElements, Data: data, Indices: ints(kernels.DTypeInt64, []int{1}, 0)}
		got, err := c.Run()
		require.NoError(t, err)
		require.Equal(t, data, got)
	}
}

func TestNaN(t *testing.T) {
	for _, r := range []struct {
		typ kernels.DType
		inf uint64
	}{{kernels.DTypeFloat16, 0x7C00}, {kernels.DTypeBFloat16, 0x7F80}, {kernels.DTypeFloat32, uint64(math.Float32bits(float32(math.Inf(1))))}, {kernels.DTypeFloat64, math.Float64bits(math.Inf(1))}, {kernels.DTypeComplex64, 0x7F80_0000}} {
		sign := uint64(1) << (8*calls.Part(r.typ) - 1)
		for bits, nan := range map[uint64]bool{r.inf: false, r.inf + 1: true, r.inf - 1: false, sign | r.inf: false, sign | r.inf + 1: true, 0: false, sign: false} {
			require.Equal(t, nan, calls.NaN(r.typ, binary.LittleEndian.AppendUint64(nil, bits)[:calls.Part(r.typ)]), "%v %x", r.typ, bits)
		}
	}
}

func TestVariants(t *testing.T) {
	all := calls.Variants()
	require.Equal(t, "generic+small", all[0].String())
	require.Equal(t, "generic", all[1].String())
	small := dispatch.Default.SmallElements
	require.NotZero(t, small)
	for _, v := range all {
		restore := v.Use()
		require.Equal(t, v.Level, dispatch.Active())
		require.Equal(t, v.Small, dispatch.Default.SmallElements > 0)
		restore()
		require.Equal(t, small, dispatch.Default.SmallElements)
	}
	t.Setenv("LANES_REQUIRE_ISA", "generic,"+all[len(all)-1].Level.String())
	require.NoError(t, calls.NotRun(all))
	require.Error(t, calls.NotRun(nil))
}
