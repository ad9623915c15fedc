package kernels

import (
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
)

// TestElements: what a type moves as. Types with pointers must never move as
// units, which the garbage collector would not see; a test of their values
// alone would hardly ever notice.
func TestElements(t *testing.T) { Ways(t, testElements) }

func testElements(t *testing.T) {
	type named string
	type pair struct {
		_ int32
		_ []byte
	}
	for _, tt := range []struct {
		name         string
		elem         elem
		width, units int
		refs         bool
	}{
		{"bool", madeOf[bool](), 1, 1, false},
		{"Float16", madeOf[Float16](), 2, 1, false},
		{"float32", madeOf[float32](), 4, 1, false},
		{"uintptr", madeOf[uintptr](), int(unsafe.Sizeof(uintptr(0))), 1, false},
		{"complex128", madeOf[complex128](), 16, 1, false},
		{"[3]uint8", madeOf[[3]uint8](), 1, 3, false},
		{"[3]float32", madeOf[[3]float32](), 4, 3, false},
		{"struct{}", madeOf[struct{}](), 0, 1, false},
		{"[0]string", madeOf[[0]string](), 0, 1, false},
		{"string", madeOf[string](), 0, 1, true},
		{"named string", madeOf[named](), 0, 1, true},
		{"[]int", madeOf[[]int](), 0, 1, true},
		{"*int", madeOf[*int](), 0, 1, true},
		{"any", madeOf[any](), 0, 1, true},
		{"error", madeOf[error](), 0, 1, true},
		{"map", madeOf[map[int]int](), 0, 1, true},
		{"chan", madeOf[chan int](), 0, 1, true},
		{"func", madeOf[func()](), 0, 1, true},
		{"unsafe.Pointer", madeOf[unsafe.Pointer](), 0, 1, true},
		{"struct with a slice", madeOf[pair](), 0, 1, true},
		{"array of structs", madeOf[[2]pair](), 0, 1, true},
	} {
		assert.Equal(t, tt.width, widthOf(tt.elem), "%s: width", tt.name)
		assert.Equal(t, tt.units, tt.elem.units, "%s: units", tt.name)
		assert.Equal(t, tt.refs, tt.elem.refs != nil, "%s: refs", tt.name)
	}
}

// widthOf returns the bytes of a unit, 0 if there is none.
func widthOf(e elem) int {
	if e.size == 0 || e.refs != nil {
		return 0
	}
	return e.kind.Width()
}

func madeOf[T any]() (e elem) {
	elemOf[T](&e)
	return e
}

// TestAtOnce: up to 16 KiB are copied as bytes, but no pointers.
func TestAtOnce(t *testing.T) {
	assert.True(t, atOnce[float32](4096))
	assert.False(t, atOnce[float32](4097))
	assert.True(t, atOnce[[3]uint16](2730))
	assert.False(t, atOnce[string](1))
	assert.False(t, atOnce[struct{ p *int }](1))
}

func atOnce[T any](elements int) bool {
	var e elem
	elemOf[T](&e)
	return e.atOnce(elements)
}
