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
		{"bool", elemOf[bool](), 1, 1, false},
		{"Float16", elemOf[Float16](), 2, 1, false},
		{"float32", elemOf[float32](), 4, 1, false},
		{"uintptr", elemOf[uintptr](), int(unsafe.Sizeof(uintptr(0))), 1, false},
		{"complex128", elemOf[complex128](), 16, 1, false},
		{"[3]uint8", elemOf[[3]uint8](), 1, 3, false},
		{"[3]float32", elemOf[[3]float32](), 4, 3, false},
		{"struct{}", elemOf[struct{}](), 0, 1, false},
		{"[0]string", elemOf[[0]string](), 0, 1, false},
		{"string", elemOf[string](), 0, 1, true},
		{"named string", elemOf[named](), 0, 1, true},
		{"[]int", elemOf[[]int](), 0, 1, true},
		{"*int", elemOf[*int](), 0, 1, true},
		{"any", elemOf[any](), 0, 1, true},
		{"error", elemOf[error](), 0, 1, true},
		{"map", elemOf[map[int]int](), 0, 1, true},
		{"chan", elemOf[chan int](), 0, 1, true},
		{"func", elemOf[func()](), 0, 1, true},
		{"unsafe.Pointer", elemOf[unsafe.Pointer](), 0, 1, true},
		{"struct with a slice", elemOf[pair](), 0, 1, true},
		{"array of structs", elemOf[[2]pair](), 0, 1, true},
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
