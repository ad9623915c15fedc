package lanes_test

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
)

// memoryOf returns a slice as run-time typed entries take it.
func memoryOf[T any](kind lanes.Kind, s []T) lanes.Memory {
	return lanes.Memory{Ptr: unsafe.Pointer(unsafe.SliceData(s)), Len: len(s), Kind: kind}
}

func windowOf[T any](kind lanes.Kind, p lanes.Plane[T]) lanes.Window {
	return lanes.Window{Memory: memoryOf(kind, p.Data), At: p.At, Row: p.Row, Col: p.Col, Stream: p.Stream}
}

func TestKindWidth(t *testing.T) {
	for kind, want := range map[lanes.Kind]int{lanes.KindX8: 1, lanes.KindX128: 16, lanes.KindI16: 2, lanes.KindF16: 2, lanes.KindC64: 8, lanes.KindBool: 1} {
		require.Equal(t, want, kind.Width())
	}
}

func TestRaw(t *testing.T) {
	eachLevel(t, func(t *testing.T) {
		indices := memoryOf(lanes.KindI32, []int32{2, -1, 0, 1})
		offsets := make([]int, 4)
		require.Equal(t, -1, lanes.ResolveRaw(offsets, indices, 0, 1, 3, 10, 1))
		require.Equal(t, []int{20, 21, 2, 13}, offsets)
		require.Equal(t, -1, lanes.ResolvePatternRaw(offsets, indices, 0, 3, 10, []int{5, 0, -3, 100}))
		require.Equal(t, []int{25, 20, -3, 110}, offsets)
		require.Equal(t, 0, lanes.CheckRaw(indices, 0, 1, 4, 2))
		wide := make([]int64, 4)
		lanes.WidenRaw(wide, indices, 0, 1)
		require.Equal(t, []int64{2, -1, 0, 1}, wide)

		cells := []bool{false, true, true}
		updates := windowOf(lanes.KindBool, lanes.Plane[bool]{Data: []bool{true, true, false}, Row: 1, Col: 1})
		lanes.ScatterReduceRaw(lanes.Sub, memoryOf(lanes.KindBool, cells), 0, 1, []int{0, 1, 2}, updates, 1)
		require.Equal(t, []bool{true, false, true}, cells)

		dst := make([]float32, 4)
		src := windowOf(lanes.KindF32, lanes.Plane[float32]{Data: []float32{1.5, 2.5, 3.5}})
		require.Equal(t, -1, lanes.GatherRaw(windowOf(lanes.KindX32, lanes.Plane[float32]{Data: dst, Col: 1}), src, 3, 1, lanes.Window{Memory: indices, Col: 1}, 1, 4))
		require.Equal(t, []float32{3.5, 3.5, 1.5, 2.5}, dst)
	})
}
