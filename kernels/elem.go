package kernels

import (
	"math/bits"
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
)

// An elem is what the passes know of an element type.
//
// A type without pointers moves as units, numbers of 1, 2, 4, 8 or 16 bytes:
// a float32 is one, a struct of three int32 a row of three. A type with pointers
// moves by Go's own assignments, because the garbage collector has to see each
// pointer that is written. In a reduction each element is one unit, a number.
type elem struct {
	size  int        // bytes
	kind  lanes.Kind // of a unit
	units int        // in an element
	refs  mover      // of a type with pointers; nil for others

	together int // elements that a unit is made of, where there are several; else 0
}

// elemOf makes e what T is.
func elemOf[T any](e *elem) {
	var z T
	e.size, e.units = int(unsafe.Sizeof(z)), 1
	if t := reflect.TypeFor[T](); t.Kind() > reflect.Complex128 && holdsPointers(t) {
		e.refs = moverOf[T]{}
	} else {
		e.split(int(unsafe.Alignof(z)))
	}
}

// split settles what units an element without pointers is made of. align is its
// alignment, or that of the parts that it is made of.
func (e *elem) split(align int) {
	if width := unitWidth(e.size, align); width > 0 {
		e.kind, e.units = lanes.KindX8+lanes.Kind(bits.TrailingZeros(uint(width))), e.size/width
	}
}

// reduces reports whether the elements are numbers of a reduction.
func (e *elem) reduces() bool { return e.kind >= lanes.KindI8 }

// memory returns what a view reaches, and where in it element [0, 0, …] is, both
// in units. Of types with pointers, it is all of Data, in elements.
func (e *elem) memory(v *view) (m lanes.Memory, at int) {
	if e.refs != nil {
		return lanes.Memory{Ptr: v.ptr, Len: v.len}, v.offset
	}
	return v.memory(e.kind, e.units)
}

// A mover moves elements of a type with pointers, n neighbours at a time. It is
// an interface with an empty value, and no function, so that it costs no allocation.
type mover interface {
	move(dst, src lanes.Memory, to, from, n int)
}

type moverOf[T any] struct{}

func (moverOf[T]) move(dst, src lanes.Memory, to, from, n int) {
	copy(unsafe.Slice((*T)(dst.Ptr), dst.Len)[to:to+n], unsafe.Slice((*T)(src.Ptr), src.Len)[from:from+n])
}

// unitWidth returns the widest unit that an element is made of.
func unitWidth(size, align int) int {
	if size == 0 {
		return 0
	}
	for _, w := range [...]int{16, 8, 4, 2} {
		// 16 bytes move as two uint64, whose alignment serves.
		if size%w == 0 && (unalignedAccess || min(w, int(unsafe.Alignof(uint64(0)))) <= align) {
			return w
		}
	}
	return 1
}

// unalignedAccess says that a load or store may have any address here.
const unalignedAccess = runtime.GOARCH == "amd64" || runtime.GOARCH == "386" || runtime.GOARCH == "arm64" ||
	runtime.GOARCH == "ppc64le" || runtime.GOARCH == "ppc64" || runtime.GOARCH == "s390x" || runtime.GOARCH == "wasm"

func holdsPointers(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array, reflect.Struct:
		if v, ok := pointerful.Load(t); ok {
			return v.(bool)
		}
		held := false
		if k == reflect.Array {
			held = t.Len() > 0 && holdsPointers(t.Elem())
		} else {
			for i := range t.NumField() {
				held = held || holdsPointers(t.Field(i).Type)
			}
		}
		pointerful.Store(t, held)
		return held
	default:
		return k > reflect.Complex128 // Chan, Func, Interface, Map, Pointer, Slice, String, UnsafePointer
	}
}

// pointerful remembers holdsPointers of arrays and structs, which reflect
// can't tell without allocating. A program has few types, so it stays small.
var pointerful sync.Map

var (
	float16Type  = reflect.TypeFor[Float16]()
	bfloat16Type = reflect.TypeFor[BFloat16]()
)

// numberOf returns how the element type is reduced, or why it is not. Named
// types are reduced as their underlying kind; half is asked about named types
// of kind uint16.
func numberOf(t reflect.Type, half func() (lanes.Kind, string)) (lanes.Kind, string) {
	switch t.Kind() {
	case reflect.Bool:
		return lanes.KindBool, ""
	case reflect.Int:
		return [...]lanes.Kind{4: lanes.KindI32, 8: lanes.KindI64}[t.Size()], ""
	case reflect.Int8:
		return lanes.KindI8, ""
	case reflect.Int16:
		return lanes.KindI16, ""
	case reflect.Int32:
		return lanes.KindI32, ""
	case reflect.Int64:
		return lanes.KindI64, ""
	case reflect.Uint:
		return [...]lanes.Kind{4: lanes.KindU32, 8: lanes.KindU64}[t.Size()], ""
	case reflect.Uint8:
		return lanes.KindU8, ""
	case reflect.Uint16:
		switch {
		case t == float16Type:
			return lanes.KindF16, ""
		case t == bfloat16Type:
			return lanes.KindBF16, ""
		case t.PkgPath() != "":
			return half()
		}
		return lanes.KindU16, ""
	case reflect.Uint32:
		return lanes.KindU32, ""
	case reflect.Uint64:
		return lanes.KindU64, ""
	case reflect.Float32:
		return lanes.KindF32, ""
	case reflect.Float64:
		return lanes.KindF64, ""
	case reflect.Complex64:
		return lanes.KindC64, ""
	case reflect.Complex128:
		return lanes.KindC128, ""
	}
	return lanes.KindX8, notReduced
}

const notReduced = "no reduction but none is defined for it"

// numberIn is numberOf for T.
func numberIn[T any]() (lanes.Kind, string) { return numberOf(reflect.TypeFor[T](), halfOf[T]) }

// halfOf tells the half types of other libraries apart: a type of kind uint16
// with a method Float32() float32 is asked what it takes for the bits of 1.0
// in either format. Without the method the type is an integer.
func halfOf[T any]() (n lanes.Kind, reason string) {
	if v, ok := halves.Load(reflect.TypeFor[T]()); ok {
		n = v.(lanes.Kind)
	} else {
		n = decodeHalf[T]()
		halves.Store(reflect.TypeFor[T](), n)
	}
	if n == lanes.KindX8 {
		reason = "its Float32 method takes neither 0x3C00 (binary16) nor 0x3F80 (bfloat16) for 1"
	}
	return n, reason
}

var halves sync.Map

func decodeHalf[T any]() (n lanes.Kind) {
	decode := func(bits uint16) (float32, bool) {
		h, ok := any(*(*T)(unsafe.Pointer(&bits))).(interface{ Float32() float32 })
		if !ok {
			return 0, false
		}
		return h.Float32(), true
	}
	defer func() {
		if recover() != nil { // the method is somebody else's
			n = lanes.KindX8
		}
	}()
	one, ok := decode(0x3C00)
	if !ok {
		return lanes.KindU16
	}
	if one == 1 {
		return lanes.KindF16
	}
	if one, _ = decode(0x3F80); one == 1 {
		return lanes.KindBF16
	}
	return lanes.KindX8
}

// refuses reports why numbers of a kind have no such reduction, if they have none.
func refuses(n lanes.Kind, r Reduction) string {
	switch {
	case n == lanes.KindBool && r == Mean:
		return "a mean of truth values is not defined"
	case (n == lanes.KindC64 || n == lanes.KindC128) && (r == Min || r == Max):
		return "complex numbers have no order"
	}
	return ""
}

func integer(n lanes.Kind) bool { return n >= lanes.KindI8 && n <= lanes.KindU64 }

// numbers says of each kind what it is made of, and what its reductions start from.
var numbers = [...]struct {
	part           int    // bytes of what it is made of: a complex number's real part
	prod, min, max uint64 // sum, sub and mean start from +0
}{
	lanes.KindI8:   {1, 1, 1<<7 - 1, 1 << 7},
	lanes.KindI16:  {2, 1, 1<<15 - 1, 1 << 15},
	lanes.KindI32:  {4, 1, 1<<31 - 1, 1 << 31},
	lanes.KindI64:  {8, 1, 1<<63 - 1, 1 << 63},
	lanes.KindU8:   {1, 1, 1<<8 - 1, 0},
	lanes.KindU16:  {2, 1, 1<<16 - 1, 0},
	lanes.KindU32:  {4, 1, 1<<32 - 1, 0},
	lanes.KindU64:  {8, 1, 1<<64 - 1, 0},
	lanes.KindF32:  {4, 0x3F80_0000, 0x7F80_0000, 0xFF80_0000},
	lanes.KindF64:  {8, 0x3FF << 52, 0x7FF << 52, 0xFFF << 52},
	lanes.KindF16:  {2, 0x3C00, 0x7C00, 0xFC00},
	lanes.KindBF16: {2, 0x3F80, 0x7F80, 0xFF80},
	lanes.KindC64:  {part: 4, prod: 0x3F80_0000},
	lanes.KindC128: {part: 8, prod: 0x3FF << 52},
	lanes.KindBool: {1, 1, 1, 0},
}

// setIdentity sets the value that the reduction starts from when use_init_val
// is false: its neutral element.
func (c *call) setIdentity() {
	if !c.elem.reduces() {
		return
	}
	row, p := &numbers[c.elem.kind], unsafe.Pointer(&c.identity)
	first := [...]uint64{Sum: 0, Prod: row.prod, Min: row.min, Max: row.max, Mean: 0, Sub: 0}[c.attrs.Reduction]
	switch row.part {
	case 1:
		*(*uint8)(p) = uint8(first)
	case 2:
		*(*uint16)(p) = uint16(first)
	case 4:
		*(*uint32)(p) = uint32(first)
	case 8:
		*(*uint64)(p) = first
	}
}
