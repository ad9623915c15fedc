//go:build patched

// Package engine has gomlx's Go backend run its gathers and scatters by lanes. It needs the patch of
// this example, and the build tag that says that it is there: see the README.
package engine

import (
	"strings"

	"github.com/gomlx/compute"
	"github.com/gomlx/compute/gobackend"

	"github.com/lanes-go/lanes/kernels"
)

// Use has all Go backends of the process run their gathers and scatters by lanes, with these options,
// and returns a function that undoes it. No graph may run meanwhile.
func Use(options ...kernels.Option) (restore func()) {
	own := map[compute.OpType]gobackend.Executor{}
	serve := func(op compute.OpType, run func(out *gobackend.Buffer, node *gobackend.Node, in []*gobackend.Buffer) error, inPlace bool) {
		own[op] = gobackend.ReplaceExecutor(op, func(b *gobackend.Backend, node *gobackend.Node, in []*gobackend.Buffer, owned []bool) (*gobackend.Buffer, error) {
			if inPlace && owned[0] { // the output takes the operand's buffer
				if out := in[0]; run(out, node, in) == nil {
					in[0] = nil
					return out, nil
				}
			} else if out, err := b.GetBuffer(node.Shape); err != nil {
				return nil, err
			} else if run(out, node, in) == nil {
				return out, nil
			} else {
				b.PutBuffer(out)
			}
			return own[op](b, node, in, owned) // a type that lanes does not have
		})
	}
	serve(compute.OpTypeGather, func(out *gobackend.Buffer, node *gobackend.Node, in []*gobackend.Buffer) error {
		var d kernels.GatherDims
		d.IndexVectorDim, d.OffsetDims, d.CollapsedSliceDims, d.StartIndexMap, d.SliceSizes = node.Data.(gather).GatherDims()
		return kernels.GeneralGatherRaw(raw(out), raw(in[0]), raw(in[1]), d, options...)
	}, false)
	for op, reduction := range map[compute.OpType]kernels.Reduction{
		compute.OpTypeScatterSum: kernels.Sum, compute.OpTypeScatterMin: kernels.Min, compute.OpTypeScatterMax: kernels.Max,
	} {
		serve(op, func(out *gobackend.Buffer, node *gobackend.Node, in []*gobackend.Buffer) error {
			var d kernels.ScatterDims
			d.IndexVectorDim, d.UpdateWindowDims, d.InsertedWindowDims, d.ScatterDimsToOperandDims = node.Data.(scatter).ScatterDims()
			return kernels.GeneralScatterRaw(raw(out), raw(in[0]), raw(in[1]), raw(in[2]), d, kernels.ScatterAttrs{Reduction: reduction}, options...)
		}, true)
	}
	return func() {
		for op, run := range own {
			gobackend.ReplaceExecutor(op, run)
		}
	}
}

// What the patch adds to the data of nodes.
type (
	gather interface {
		GatherDims() (vector int, offset, collapsed, starts, sizes []int)
	}
	scatter interface {
		ScatterDims() (vector int, window, inserted, operand []int)
	}
)

// raw returns a buffer as lanes takes it. Of a type that lanes does not have it has no Type, which
// the operators refuse.
func raw(b *gobackend.Buffer) kernels.Raw {
	bytes, _ := b.MutableBytes()
	typ, _ := kernels.ParseDType(strings.ToLower(b.RawShape.DType.String()))
	return kernels.Raw{Data: bytes, Shape: b.RawShape.Dimensions, Type: typ}
}
