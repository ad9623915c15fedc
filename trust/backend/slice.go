package backend

import (
	"encoding/binary"
	"fmt"

	"github.com/lanes-go/lanes/trust/calls"
)

// slice reads Slice as a StridedSlice with an entry for each axis of data:
// what axes leaves out is whole, by both masks.
func slice(c *Case, node message, inputs []*calls.Tensor) error {
	c.Call.Op = calls.StridedSlice
	if len(inputs) < 3 || len(inputs) > 5 || inputs[0] == nil || inputs[1] == nil || inputs[2] == nil {
		return fmt.Errorf("%d inputs: before version 10 the bounds were attributes", len(inputs))
	}
	c.Call.Data = *inputs[0]
	rank := len(c.Call.Data.Shape)
	starts, err := integers(inputs[1], -1)
	if err != nil {
		return err
	}
	lists := [][]int64{starts, nil, nil, nil} // ends, axes, steps
	for i := range lists[1:] {
		if i+2 >= len(inputs) || inputs[i+2] == nil {
			continue
		}
		if lists[i+1], err = integers(inputs[i+2], len(starts)); err != nil {
			return err
		}
	}
	ends, axes, steps := lists[1], lists[2], lists[3]

	s := &c.Call.Spec
	s.Begin, s.End, s.Strides = make([]int64, rank), make([]int64, rank), make([]int64, rank)
	s.BeginMask, s.EndMask = make([]bool, rank), make([]bool, rank)
	for d := range rank {
		s.Strides[d], s.BeginMask[d], s.EndMask[d] = 1, true, true
	}
	for i := range starts {
		d := int64(i)
		if axes != nil {
			d = axes[i]
		}
		if d < 0 {
			d += int64(rank)
		}
		if d < 0 || d >= int64(rank) || !s.BeginMask[d] {
			return fmt.Errorf("axes %v of rank %d", axes, rank)
		}
		s.Begin[d], s.End[d], s.BeginMask[d], s.EndMask[d] = starts[i], ends[i], false, false
		if steps != nil {
			s.Strides[d] = steps[i]
		}
	}
	return attributes(node, func(string, int64, string) bool { return false })
}

// integers reads a list of n of them, or as many as there are if n is -1.
func integers(t *calls.Tensor, n int) ([]int64, error) {
	if len(t.Shape) != 1 || n >= 0 && t.Shape[0] != n {
		return nil, fmt.Errorf("bounds of shape %v", t.Shape)
	}
	var values []int64
	size := t.Type.Size()
	for b := t.Data; len(b) > 0; b = b[size:] {
		switch t.Type {
		case calls.Int32:
			values = append(values, int64(int32(binary.LittleEndian.Uint32(b))))
		case calls.Int64:
			values = append(values, int64(binary.LittleEndian.Uint64(b)))
		default:
			return nil, fmt.Errorf("bounds of type %v", t.Type)
		}
	}
	return values, nil
}
