package main

import (
	"bytes"
	endian "encoding/binary"
	"fmt"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"slices"

	"github.com/lanes-go/lanes/bench/peers/protocol"
	"github.com/lanes-go/lanes/kernels"
)

// A peerJob is a job as peers get it, and the result that theirs are compared with.
type peerJob struct {
	call      protocol.Call // without its tensors
	data      peerTensor
	indices   peerTensor // without a tensor if the operator has none
	updates   peerTensor
	additions int           // to a cell, at most; 0: the operator adds nothing
	result    []byte        // where lanes' is after a run
	written   func() []byte // writes it out if it is a view; nil: it is none
}

// lanes returns what lanes' run gave.
func (e peerJob) lanes() []byte {
	if e.written != nil {
		return e.written()
	}
	return slices.Clone(e.result)
}

// A peerTensor is a tensor and its memory.
type peerTensor struct {
	tensor protocol.Tensor
	memory []byte
}

func peerTensorOf[T any](v []T, shape dims) peerTensor {
	return peerTensor{protocol.Tensor{Type: typeOf[T](), Shape: shape}, protocol.Bytes(v)}
}

func typeOf[T any]() string { return fmt.Sprintf("%T", *new(T)) }

// write puts the tensors in a directory and returns the call with their files.
func (e peerJob) write(dir string) (protocol.Call, error) {
	call := e.call
	call.Data = e.data.tensor
	call.Data.File = filepath.Join(dir, "data")
	if err := os.WriteFile(call.Data.File, e.data.memory, 0o600); err != nil {
		return call, err
	}
	for name, f := range map[string]peerTensor{"indices": e.indices, "updates": e.updates} {
		if f.tensor.Type == "" {
			continue
		}
		t := f.tensor
		t.File = filepath.Join(dir, name)
		if err := os.WriteFile(t.File, f.memory, 0o600); err != nil {
			return call, err
		}
		switch name {
		case "indices":
			call.Indices = &t
		case "updates":
			call.Updates = &t
		}
	}
	return call, nil
}

const bitForBit = "bit for bit"

// epsilons are by what part an operation may err, of the types that err. Others are equal or not: no
// float64 would tell all int64 apart.
var epsilons = map[string]float64{
	"float32": 0x1p-24, "complex64": 0x1p-24, "float64": 0x1p-53, "float16": 0x1p-11, "bfloat16": 0x1p-8,
}

// compare compares a peer's result with lanes', element by element, and says how they agree. Moves,
// and reductions without additions, must be equal bit for bit. A peer may add in another order and
// in another type: n additions of positive numbers err by at most n epsilons in each of the two
// results.
func (e peerJob) compare(want, got []byte) (agree string, err error) {
	if len(got) != len(want) {
		return "", fmt.Errorf("the result has %d bytes, not %d", len(got), len(want))
	}
	if bytes.Equal(want, got) {
		return bitForBit, nil
	}
	shape, typ := e.call.Output.Shape, e.call.Output.Type
	width := len(want) / size(shape)
	tolerance, largest := float64(2*e.additions)*epsilons[typ], 0.0
	for i := range size(shape) {
		w, g := want[i*width:(i+1)*width], got[i*width:(i+1)*width]
		if bytes.Equal(w, g) {
			continue
		}
		x, y := valueOf(typ, w), valueOf(typ, g)
		if tolerance > 0 && (x == y || cmplx.IsNaN(x) && cmplx.IsNaN(y)) {
			continue // zeros have either sign, and a NaN any bits
		}
		difference := cmplx.Abs(y-x) / cmplx.Abs(x)
		if tolerance == 0 || !(difference <= tolerance) {
			return "", mismatch{coordinate(shape, i), shown(typ, g), shown(typ, w), "lanes"}
		}
		largest = max(largest, difference)
	}
	return fmt.Sprintf("within %.1g", largest), nil
}

// valueOf returns the number that the bytes of an element are.
func valueOf(typ string, b []byte) complex128 {
	real32 := func(b []byte) float64 { return float64(math.Float32frombits(endian.NativeEndian.Uint32(b))) }
	switch typ {
	case "float32":
		return complex(real32(b), 0)
	case "complex64":
		return complex(real32(b), real32(b[4:]))
	case "float64":
		return complex(math.Float64frombits(endian.NativeEndian.Uint64(b)), 0)
	case "float16":
		return complex(float64(kernels.Float16(endian.NativeEndian.Uint16(b)).Float32()), 0)
	case "bfloat16":
		return complex(float64(kernels.BFloat16(endian.NativeEndian.Uint16(b)).Float32()), 0)
	case "uint8":
		return complex(float64(b[0]), 0)
	case "int16":
		return complex(float64(int16(endian.NativeEndian.Uint16(b))), 0)
	case "int32":
		return complex(float64(int32(endian.NativeEndian.Uint32(b))), 0)
	default:
		return complex(float64(int64(endian.NativeEndian.Uint64(b))), 0)
	}
}

// shown returns the number that the bytes of an element are, as it is printed.
func shown(typ string, b []byte) any {
	switch x := valueOf(typ, b); typ {
	case "complex64":
		return complex64(x)
	case "float64":
		return real(x)
	case "int64":
		return int64(endian.NativeEndian.Uint64(b))
	case "uint8", "int16", "int32":
		return int32(real(x))
	default:
		return float32(real(x))
	}
}

// coordinate returns where the i-th element of a shape is.
func coordinate(shape dims, i int) []int {
	c := make([]int, len(shape))
	for d := len(shape) - 1; d >= 0; d-- {
		c[d] = i % shape[d]
		i /= shape[d]
	}
	return c
}
