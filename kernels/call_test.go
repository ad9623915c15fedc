package kernels

import (
	"math"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/internal/stack"
)

// TestOnHeap: what other goroutines get holds nothing that is on the caller's
// stack. TestStackMoves shows why, but only when a stack happens to move. (Nothing here may make the
// arrays escape, as an assertion would that is given a pointer.)
func TestOnHeap(t *testing.T) {
	small, large := [4]uint32{1, 2, 3, 4}, make([]uint32, 32<<10)
	keys := [2]int16{5, 6}
	c := call{
		elem:     elemOf[uint32](),
		settings: settings{workers: 2, runTasks: func(int, func(int)) {}},
		move:     func(_, _, _ int) {},
		reducer: reducer{
			src: memory{ptr: unsafe.Pointer(&small), n: len(small), dense: true},
			dst: memory{ptr: unsafe.Pointer(unsafe.SliceData(large)), n: len(large), dense: true},
		},
		idx:    indexSource{memory{ptr: unsafe.Pointer(&keys), n: len(keys), dense: true}, kindInt16},
		tuples: tuples{sizes: []int{7}, steps: []int{8}},
		nest:   nest{dims: []dim{one}},
	}
	require.True(t, c.leavesStack())
	h := c.onHeap()
	assert.False(t, c.src.ptr == h.src.ptr, "an input on the stack stays there")
	assert.True(t, [4]uint32{1, 2, 3, 4} == [4]uint32(slice[uint32](&h.src)))
	assert.False(t, c.idx.ptr == h.idx.ptr, "indices on the stack stay there")
	assert.True(t, [2]int16{5, 6} == [2]int16(slice[int16](&h.idx.memory)))
	if exact := !stack.Holds(unsafe.Pointer(unsafe.SliceData(large)), 4*len(large)); exact { // which it need not be without assembly
		assert.True(t, c.dst.ptr == h.dst.ptr, "dst has moved")
	}
	assert.Nil(t, h.move)
	assert.Nil(t, h.runTasks)
	for name, same := range map[string]bool{
		"dims":  unsafe.SliceData(c.dims) == unsafe.SliceData(h.dims),
		"sizes": unsafe.SliceData(c.tuples.sizes) == unsafe.SliceData(h.tuples.sizes),
		"steps": unsafe.SliceData(c.tuples.steps) == unsafe.SliceData(h.tuples.steps),
	} {
		assert.False(t, same, "%s are shared", name)
	}

	var cells [4]uint32
	c.dst = memory{ptr: unsafe.Pointer(&cells), n: len(cells), dense: true}
	assert.True(t, c.leavesStack())
	assert.False(t, c.dst.ptr == c.onHeap().dst.ptr, "a dst on the stack stays there")
	c.dst.dense = false
	assert.False(t, c.leavesStack(), "a dst on the stack with gaps is left to the caller's goroutine")
	c.dst.dense, c.src.dense = true, false
	assert.False(t, c.leavesStack(), "an input with gaps can't be copied")
}

// TestStridesOfManyAxes: they are written out once, for an empty view too, as each would take time by the rank.
func TestStridesOfManyAxes(t *testing.T) {
	for _, n := range []int{0, 1} {
		v := view{shape: make([]int, maxDims+2), len: 1}
		for d := range v.shape {
			v.shape[d] = 1
		}
		v.shape[1], v.shape[5] = n, 1
		require.NoError(t, v.check("Slice"))
		require.Len(t, v.strides, len(v.shape))
	}
}

// TestShare: parts follow each other without gaps, whatever their number.
func TestShare(t *testing.T) {
	for _, n := range []int{0, 1, 1_079_999, math.MaxInt32} {
		for _, parts := range []int{1, 7, 46_342, 60_000, 1 << 20} {
			if got := share(n, parts, parts); got != n {
				t.Errorf("share(%d, %d, %d) = %d", n, parts, parts, got)
			}
			for last, i := 0, 1; i <= parts; i++ {
				next := share(n, i, parts)
				if next < last || next-last-1 > n/parts {
					t.Fatalf("share(%d, %d, %d) = %d, the one before %d", n, i, parts, next, last)
				}
				last = next
			}
		}
	}
}

// TestMeanWindow: a window's bytes fit an int, and grow with the updates, not with the axis.
func TestMeanWindow(t *testing.T) {
	for _, size := range []int{1, 9, 1 << 20, 64 << 20, math.MaxInt32 - 15, math.MaxInt32 - 7, math.MaxInt32 - 1, math.MaxInt32, math.MaxInt} {
		for _, updates := range []int{0, 1, 200, 1 << 20, math.MaxInt32, math.MaxInt} {
			w := meanWindow(size, updates)
			assert.Positive(t, w)
			assert.Positive(t, (w+1)*24, "%d cells, %d updates", size, updates) // a counter and the widest sum
			assert.LessOrEqual(t, w/4-1, updates, "%d cells", size)
			if updates >= size && size < 1<<24 {
				assert.GreaterOrEqual(t, 8*w, size, "at most eight passes")
			}
		}
	}
}
