package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"unsafe"

	"github.com/lanes-go/lanes/bench/peers/protocol"
)

// An errand is a job as peers get it, and what their results are held against.
type errand struct {
	call      protocol.Call // without its tensors
	data      freight
	indices   freight // without a tensor if the operator has none
	updates   freight
	additions int    // to a cell, at most; 0: the operator adds nothing
	result    []byte // where lanes' is after a run
}

// A freight is a tensor and its memory.
type freight struct {
	tensor protocol.Tensor
	memory []byte
}

func freightOf[T any](v []T, shape dims) freight {
	return freight{protocol.Tensor{Type: typeOf[T](), Shape: shape}, protocol.Bytes(v)}
}

func typeOf[T any]() string { return fmt.Sprintf("%T", *new(T)) }

// write puts the tensors in a directory and returns the call with their files.
func (e errand) write(dir string) (protocol.Call, error) {
	call := e.call
	call.Data = e.data.tensor
	call.Data.File = filepath.Join(dir, "data")
	if err := os.WriteFile(call.Data.File, e.data.memory, 0o600); err != nil {
		return call, err
	}
	for name, f := range map[string]freight{"indices": e.indices, "updates": e.updates} {
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

// compare compares a peer's result with lanes', element by element, and says
// how they agree. Moves, and what is reduced without additions, must be equal
// bit for bit. A peer may add in an order of its own, and in another type: n
// additions of positive numbers err by a part n/2^24 at most, in each of the
// two results.
func (e errand) compare(want, got []byte) (agree string, err error) {
	if len(got) != len(want) {
		return "", fmt.Errorf("the result has %d bytes, not %d", len(got), len(want))
	}
	if bytes.Equal(want, got) {
		return bitForBit, nil
	}
	shape := e.call.Output.Shape
	if e.call.Output.Type != "float32" {
		for i, w := range want {
			if got[i] != w {
				return "", mismatch{coordinate(shape, i), got[i], w, "lanes"}
			}
		}
	}
	wants, gots := floats(want), floats(got)
	tolerance, largest := float64(2*e.additions)*0x1p-24, 0.0
	for i, w := range wants {
		if math.Float32bits(w) == math.Float32bits(gots[i]) {
			continue
		}
		difference := math.Abs(float64(gots[i])-float64(w)) / math.Abs(float64(w))
		if !(difference <= tolerance) {
			return "", mismatch{coordinate(shape, i), gots[i], w, "lanes"}
		}
		largest = max(largest, difference)
	}
	return fmt.Sprintf("within %.1g", largest), nil
}

// floats returns the elements in b, which is aligned: it is the memory of a
// tensor, or of a file that was read whole.
func floats(b []byte) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
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
