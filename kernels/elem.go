package kernels

import (
	"math"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
)

// An elem is what the passes know of an element type.
//
// A type without pointers moves as units of 1, 2, 4, 8 or 16 bytes: a float32 is one unit, a struct
// of three int32 is three. A type with pointers moves by Go's own assignments, because the garbage
// collector has to see each pointer that is written. In a reduction each element is one unit, a
// number.
type elem struct {
	size  int        // bytes
	kind  lanes.Kind // of a unit
	units int        // in an element
	refs  mover      // of a type with pointers; nil for others

	together int // elements that widen joined into a unit; 0: none
}

// elemOf sets e to the description of T.
func elemOf[T any](e *elem) {
	var z T
	e.size, e.units = int(unsafe.Sizeof(z)), 1
	if t := reflect.TypeFor[T](); t.Kind() > reflect.Complex128 && holdsPointers(t) {
		e.refs = moverOf[T]{}
	} else {
		e.split(int(unsafe.Alignof(z)))
	}
}

// split sets the units of an element without pointers. align is the alignment of its memory.
func (e *elem) split(align int) {
	if width := unitWidth(e.size, align); width > 0 {
		e.kind, e.units = lanes.BitsOf(width), e.size/width
	}
}

// reduces reports whether the elements are numbers of a reduction.
func (e *elem) reduces() bool { return e.kind.Number() }

// memory returns the memory that a view reaches, and where in it element [0, 0, …] is, both in
// units. For a type with pointers that is all of Data, in elements.
func (e *elem) memory(v *view) (m lanes.Memory, at int) {
	if e.refs != nil {
		return lanes.Memory{Ptr: v.ptr, Len: v.len}, v.offset
	}
	return v.memory(e.kind, e.units)
}

// addUnits appends the loop over an element's units.
func (e *elem) addUnits(loops []loop) []loop {
	if e.units > 1 {
		loops = append(loops, loop{e.units, [3]int{1, 1, 0}})
	}
	return loops
}

// A mover moves elements of a type with pointers, n neighbours at a time, or makes one zero. It is
// an interface with an empty value, and no function, so that it costs no allocation.
type mover interface {
	move(dst, src lanes.Memory, to, from, n int)
	clear(dst lanes.Memory, at int)
}

type moverOf[T any] struct{}

func (moverOf[T]) move(dst, src lanes.Memory, to, from, n int) {
	copy(unsafe.Slice((*T)(dst.Ptr), dst.Len)[to:to+n], unsafe.Slice((*T)(src.Ptr), src.Len)[from:from+n])
}

func (moverOf[T]) clear(dst lanes.Memory, at int) {
	var zero T
	unsafe.Slice((*T)(dst.Ptr), dst.Len)[at] = zero
}

// unitWidth returns the width of the widest unit that an element divides into, 0 for an element of
// size 0. 16 bytes move as two uint64, whose alignment serves.
func unitWidth(size, align int) int {
	width := min(size&-size, 16)
	if !unalignedAccess && align < int(unsafe.Alignof(uint64(0))) {
		width = min(width, align)
	}
	return width
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

// pointerful caches holdsPointers for arrays and structs, because reflect allocates to answer. It
// holds one entry for each such type of a program.
var pointerful sync.Map

var (
	float16Type  = reflect.TypeFor[Float16]()
	bfloat16Type = reflect.TypeFor[BFloat16]()
)

// numberOf returns the kind that a type is reduced as, or why it is not reduced. A named type has
// the kind of its underlying type; for a named type over uint16, half decides.
func numberOf(t reflect.Type, half func() (lanes.Kind, string)) (lanes.Kind, string) {
	if t.Kind() == reflect.Uint16 {
		switch {
		case t == float16Type:
			return lanes.KindF16, ""
		case t == bfloat16Type:
			return lanes.KindBF16, ""
		case t.PkgPath() != "":
			return half()
		}
	}
	if n := numberKinds[t.Kind()]; n != lanes.KindX8 {
		return n, ""
	}
	return lanes.KindX8, notReduced
}

// numberKinds has the kind that types are reduced as, KindX8 for those that are not.
var numberKinds = [reflect.UnsafePointer + 1]lanes.Kind{
	reflect.Bool: lanes.KindBool,
	reflect.Int:  lanes.KindOf[int](), reflect.Int8: lanes.KindI8, reflect.Int16: lanes.KindI16, reflect.Int32: lanes.KindI32, reflect.Int64: lanes.KindI64,
	reflect.Uint: lanes.KindOf[uint](), reflect.Uint8: lanes.KindU8, reflect.Uint16: lanes.KindU16, reflect.Uint32: lanes.KindU32, reflect.Uint64: lanes.KindU64,
	reflect.Float32: lanes.KindF32, reflect.Float64: lanes.KindF64, reflect.Complex64: lanes.KindC64, reflect.Complex128: lanes.KindC128,
}

const notReduced = "supports only None"

// numberIn is numberOf for T.
func numberIn[T any]() (lanes.Kind, string) { return numberOf(reflect.TypeFor[T](), halfOf[T]) }

// halfOf recognizes half types of other libraries. A type over uint16 with a method Float32()
// float32 is binary16 if the method returns 1 for 0x3C00, and bfloat16 if it returns 1 for 0x3F80.
// Without the method it is an integer.
func halfOf[T any]() (n lanes.Kind, reason string) {
	if v, ok := halves.Load(reflect.TypeFor[T]()); ok {
		n = v.(lanes.Kind)
	} else {
		n = decodeHalf[T]()
		halves.Store(reflect.TypeFor[T](), n)
	}
	if n == lanes.KindX8 {
		var ones []string
		for _, h := range lanes.Halves {
			ones = append(ones, "0X"+strings.ToUpper(strconv.FormatUint(uint64(h.Round(1)), 16))+" ("+h.String()+")")
		}
		reason = "its Float32 method returns 1 for none of " + strings.Join(ones, ", ")
	}
	return n, reason
}

var halves sync.Map

func decodeHalf[T any]() (n lanes.Kind) {
	var zero T
	if _, ok := any(zero).(interface{ Float32() float32 }); !ok {
		return lanes.KindU16
	}
	defer func() {
		if recover() != nil { // the method is foreign code
			n = lanes.KindX8
		}
	}()
	h, ok := lanes.HalfOf(func(bits uint16) float32 {
		return any(*(*T)(unsafe.Pointer(&bits))).(interface{ Float32() float32 }).Float32()
	})
	if !ok {
		return lanes.KindX8
	}
	return lanes.HalfKind(h)
}

// numbers has, for each kind, the bytes of its parts and the bits of the values that its reductions
// start from.
var numbers = [...]struct {
	part           int    // bytes of a part: of the real part of a complex number
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
	lanes.KindC64:  {part: 4, prod: 0x3F80_0000},
	lanes.KindC128: {part: 8, prod: 0x3FF << 52},
	lanes.KindBool: {1, 1, 1, 0},
}

func init() {
	infinity := float32(math.Inf(1))
	for _, h := range lanes.Halves {
		row := &numbers[lanes.KindF16+lanes.Kind(h)]
		row.part, row.prod, row.min, row.max = 2, uint64(h.Round(1)), uint64(h.Round(infinity)), uint64(h.Round(-infinity))
	}
}

// identity returns the value that the reduction of a kind starts from with IgnoreInit; of None 0.
func (a *ScatterAttrs) identity(kind lanes.Kind) (identity [2]uint64) {
	if a.Reduction == None {
		return identity
	}
	row, p := &numbers[kind], unsafe.Pointer(&identity)
	first := [...]uint64{Sum: 0, Prod: row.prod, Min: row.min, Max: row.max, Mean: 0, Sub: 0}[a.Reduction]
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
	return identity
}
