package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

// What goes to and from a worker; worker.py says how frames look.

// A request is a group, or what is left of one, but for the tensors' bytes.
type request struct {
	Op         calls.Op      `json:"op"`
	Type       kernels.DType `json:"type"`
	IndexType  kernels.DType `json:"index_type"`
	Rank       int           `json:"rank"`
	IndexRank  int           `json:"index_rank"`
	UpdateRank int           `json:"update_rank"`
	Tuple      int           `json:"tuple"` // the last dimension of indices that are tuples

	Axis       *int   `json:"axis"`
	BatchDims  int    `json:"batch_dims"`
	Reduction  string `json:"reduction"`
	IgnoreInit bool   `json:"ignore_init"`

	BeginMask    []bool `json:"begin_mask"`
	EndMask      []bool `json:"end_mask"`
	NewAxisMask  []bool `json:"new_axis_mask"`
	ShrinkMask   []bool `json:"shrink_axis_mask"`
	EllipsisMask []bool `json:"ellipsis_mask"`

	Axes    []int64 `json:"axes"`
	Default *int    `json:"default_index"`

	Cases []requestCase `json:"cases"`
}

type requestCase struct {
	Data    []int   `json:"data"`
	Indices []int   `json:"indices"` // null where the operator has none
	Updates []int   `json:"updates"`
	Begin   []int64 `json:"begin"`
	End     []int64 `json:"end"`
	Strides []int64 `json:"strides"`

	Gather  *kernels.GatherDims  `json:"gather"` // of a GeneralGather
	Scatter *kernels.ScatterDims `json:"scatter"`

	Condition []int `json:"condition"`
	Offsets   []int `json:"offsets"`
}

// A reply is the result of a case, whose bytes follow, or its error; the first
// has the version alone.
type reply struct {
	Version string `json:"version"`
	Shape   []int  `json:"shape"`
	Error   string `json:"error"`
}

// newRequest describes the calls of a group, and returns their tensors' bytes.
func newRequest(group []*calls.Call) (request, []byte) {
	c := group[0]
	q := request{Op: c.Op, Type: c.Data.Type, IndexType: c.Indices.Type, Rank: len(c.Data.Shape), IndexRank: len(c.Indices.Shape), UpdateRank: len(c.Updates.Shape),
		Axis: &c.Axis, BatchDims: c.BatchDims, Reduction: c.Reduction().String(), IgnoreInit: c.Attrs.IgnoreInit,
		BeginMask: c.Spec.BeginMask, EndMask: c.Spec.EndMask, NewAxisMask: c.Spec.NewAxisMask, ShrinkMask: c.Spec.ShrinkAxisMask, EllipsisMask: c.Spec.EllipsisMask,
		Axes: c.Ranges.Axes}
	if c.Axis == kernels.Flattened {
		q.Axis = nil
	}
	if c.Bag.HasDefault {
		q.Default = &c.Bag.DefaultIndex
	}
	if c.Op == calls.GatherND || c.Op == calls.ScatterNDUpdate {
		q.Tuple = c.Indices.Shape[len(c.Indices.Shape)-1]
	}
	var payload []byte
	for _, c := range group {
		r := requestCase{Data: c.Data.Shape, Indices: c.Indices.Shape, Updates: c.Updates.Shape, Condition: c.Condition.Shape, Offsets: c.Offsets.Shape,
			Begin: c.Spec.Begin, End: c.Spec.End, Strides: c.Spec.Strides}
		if c.Op == calls.Slice || c.Op == calls.SliceScatter {
			r.Begin, r.End, r.Strides = c.Ranges.Starts, c.Ranges.Ends, c.Ranges.Steps
		}
		switch c.Op {
		case calls.GeneralGather:
			r.Gather = &c.Gather
		case calls.GeneralScatter:
			r.Scatter = &c.Scatter
		}
		q.Cases = append(q.Cases, r)
		for _, t := range []calls.Tensor{c.Data, c.Indices, c.Updates, c.Condition, c.Offsets} {
			payload = append(payload, t.Data...)
		}
	}
	return q, payload
}

func writeFrame(w io.Writer, header any, payload []byte) error {
	text, err := json.Marshal(header)
	if err != nil {
		return err
	}
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	b = append(b, text...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(payload)))
	_, err = w.Write(append(b, payload...))
	return err
}

func readFrame(r *bufio.Reader, header any) (payload []byte, err error) {
	text, err := readSized(r)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, header); err != nil {
		return nil, fmt.Errorf("%w in %q", err, text)
	}
	return readSized(r)
}

func readSized(r *bufio.Reader) ([]byte, error) {
	var size [4]byte
	if _, err := io.ReadFull(r, size[:]); err != nil {
		return nil, err
	}
	b := make([]byte, binary.LittleEndian.Uint32(size[:]))
	_, err := io.ReadFull(r, b)
	return b, err
}
