// Command arrow serves arrow-go's compute as a peer of bench. Its one operator
// here is take: of the elements of an array, or of the rows of an array of
// lists of one fixed size.
package main

import (
	"context"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/compute"
	"github.com/apache/arrow-go/v18/arrow/memory"

	"github.com/lanes-go/lanes/bench/peers/protocol"
)

func main() { protocol.Main("github.com/apache/arrow-go/v18", prepare) }

func prepare(c protocol.Call) ([]protocol.Way, error) {
	width := 1
	switch {
	case c.Operator == protocol.GatherElements && len(c.Data.Shape) == 1:
	case c.Operator == protocol.GatherND && c.BatchDims == 0 && c.Indices.Shape[1] == 1 && len(c.Data.Shape) == 2:
		width = c.Data.Shape[1]
	default:
		return nil, protocol.Lacks("%s; take has one axis", c.Operator)
	}
	flat, err := protocol.Load[float32](c.Data)
	if err != nil {
		return nil, err
	}
	k, err := protocol.Load[int64](*c.Indices)
	if err != nil {
		return nil, err
	}
	values, used := elements(arrow.PrimitiveTypes.Float32, flat), "TakeArray, allocates"
	if width > 1 {
		list := arrow.FixedSizeListOf(int32(width), arrow.PrimitiveTypes.Float32)
		values = array.MakeFromData(array.NewData(list, len(flat)/width, []*memory.Buffer{nil}, []arrow.ArrayData{values.Data()}, 0, 0))
		used = "TakeArray of fixed-size lists, allocates"
	}
	indices := elements(arrow.PrimitiveTypes.Int64, k)

	ctx := context.Background()
	var output arrow.Array
	return []protocol.Way{{
		Used: used,
		Run: func() error {
			if output != nil {
				output.Release()
			}
			var err error
			output, err = compute.TakeArray(ctx, values, indices)
			return err
		},
		Result: func() []byte {
			data := output.Data()
			if width > 1 {
				data = data.Children()[0]
			}
			return data.Buffers()[1].Bytes()[:4*data.Len()]
		},
	}}, nil
}

func elements[T float32 | int64](typ arrow.DataType, v []T) arrow.Array {
	return array.MakeFromData(array.NewData(typ, len(v), []*memory.Buffer{nil, memory.NewBufferBytes(protocol.Bytes(v))}, nil, 0, 0))
}
