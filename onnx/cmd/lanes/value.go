package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/cmplx"
	"slices"
	"strings"

	"github.com/lanes-go/lanes/kernels"
)

// value returns the i-th element of a contiguous tensor as Go's fmt prints it: halves
// are float32.
func value(t kernels.Raw, i int) any {
	if t.Type == kernels.DTypeString {
		return t.Strings[i]
	}
	order, b := binary.NativeEndian, t.Data[i*t.Type.Size():]
	switch t.Type {
	case kernels.DTypeFloat32:
		return math.Float32frombits(order.Uint32(b))
	case kernels.DTypeFloat64:
		return math.Float64frombits(order.Uint64(b))
	case kernels.DTypeFloat16:
		return kernels.Float16(order.Uint16(b)).Float32()
	case kernels.DTypeBFloat16:
		return kernels.BFloat16(order.Uint16(b)).Float32()
	case kernels.DTypeComplex64:
		return complex(math.Float32frombits(order.Uint32(b)), math.Float32frombits(order.Uint32(b[4:])))
	case kernels.DTypeComplex128:
		return complex(math.Float64frombits(order.Uint64(b)), math.Float64frombits(order.Uint64(b[8:])))
	case kernels.DTypeInt8:
		return int8(b[0])
	case kernels.DTypeInt16:
		return int16(order.Uint16(b))
	case kernels.DTypeInt32:
		return int32(order.Uint32(b))
	case kernels.DTypeInt64:
		return int64(order.Uint64(b))
	case kernels.DTypeUint8:
		return b[0]
	case kernels.DTypeUint16:
		return order.Uint16(b)
	case kernels.DTypeUint32:
		return order.Uint32(b)
	case kernels.DTypeUint64:
		return order.Uint64(b)
	default:
		return b[0] != 0
	}
}

// mostPrinted is how many elements of a tensor are printed.
const mostPrinted = 64

// describe returns a tensor's name, type, shape and first elements.
func describe(name string, t kernels.Raw) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s: %v %v:", name, t.Type, t.Shape)
	n := count(t.Shape)
	for i := range min(n, mostPrinted) {
		format := " %v"
		if t.Type == kernels.DTypeString {
			format = " %q"
		}
		fmt.Fprintf(&s, format, value(t, i))
	}
	if n > mostPrinted {
		fmt.Fprintf(&s, " … (%d)", n)
	}
	return s.String()
}

func count(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// differ returns how got differs from what is wanted.
func differ(got, want kernels.Raw, tolerance float64) error {
	if got.Type != want.Type || !slices.Equal(got.Shape, want.Shape) {
		return fmt.Errorf("%v %v, and %v %v is wanted", got.Type, got.Shape, want.Type, want.Shape)
	}
	n, first, differences := count(got.Shape), -1, 0
	for i := range n {
		if !same(got, want, i, tolerance) {
			if differences++; first < 0 {
				first = i
			}
		}
	}
	if differences == 0 {
		return nil
	}
	at := make([]int, len(got.Shape))
	for d, i := len(at)-1, first; d >= 0; d-- {
		at[d], i = i%got.Shape[d], i/got.Shape[d]
	}
	return fmt.Errorf("the element at %v is %v, and %v is wanted; %d of %d differ", at, value(got, first), value(want, first), differences, n)
}

// same compares elements by their bits, as numbers where there is a tolerance, and takes all NaNs
// for one.
func same(a, b kernels.Raw, i int, tolerance float64) bool {
	if a.Type == kernels.DTypeString {
		return a.Strings[i] == b.Strings[i]
	}
	size := a.Type.Size()
	if string(a.Data[i*size:][:size]) == string(b.Data[i*size:][:size]) {
		return true
	}
	x, real := float(value(a, i))
	y, _ := float(value(b, i))
	if !real {
		return false
	}
	return cmplx.IsNaN(x) && cmplx.IsNaN(y) || tolerance > 0 && !cmplx.IsInf(x) && !cmplx.IsInf(y) && cmplx.Abs(x-y) <= tolerance*cmplx.Abs(y)
}

// float returns a number that is not an integer.
func float(v any) (complex128, bool) {
	switch v := v.(type) {
	case float32:
		return complex(float64(v), 0), true
	case float64:
		return complex(v, 0), true
	case complex64:
		return complex128(v), true
	case complex128:
		return v, true
	}
	return 0, false
}
