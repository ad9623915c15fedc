package kernels

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestOnHeap: what other goroutines get holds nothing that may be on the
// caller's stack. TestStackMoves shows why, but only when a stack happens to move.
func TestOnHeap(t *testing.T) {
	small, large := [4]uint32{1, 2, 3, 4}, make([]uint32, maxStackVariable/4+1)
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
	assert.NotEqual(t, c.src.ptr, h.src.ptr, "a small input stays where it is")
	assert.Equal(t, small[:], slice[uint32](&h.src))
	assert.NotEqual(t, c.idx.ptr, h.idx.ptr, "small indices stay where they are")
	assert.Equal(t, keys[:], slice[int16](&h.idx.memory))
	assert.Equal(t, c.dst, h.dst, "dst has moved")
	assert.Nil(t, h.move)
	assert.Nil(t, h.runTasks)
	for name, same := range map[string]bool{
		"dims":  unsafe.SliceData(c.dims) == unsafe.SliceData(h.dims),
		"sizes": unsafe.SliceData(c.tuples.sizes) == unsafe.SliceData(h.tuples.sizes),
		"steps": unsafe.SliceData(c.tuples.steps) == unsafe.SliceData(h.tuples.steps),
	} {
		assert.False(t, same, "%s are shared", name)
	}

	c.dst.n = 4
	assert.True(t, c.leavesStack())
	assert.NotEqual(t, c.dst.ptr, c.onHeap().dst.ptr, "a small dst stays where it is")
	c.dst.dense = false
	assert.False(t, c.leavesStack(), "a small dst with gaps is left to the caller's goroutine")
	c.dst.n, c.src.dense = len(large), false
	assert.False(t, c.leavesStack(), "a small input with gaps can't be copied")
	c.src = memory{ptr: unsafe.Pointer(unsafe.SliceData(large)), n: len(large), dense: false}
	assert.True(t, c.leavesStack())
	assert.Equal(t, c.src.ptr, c.onHeap().src.ptr, "a large input is copied")
}
