package kernels

import (
	"reflect"
	"runtime"
	"sync"
	"unsafe"

	"github.com/lanes-go/lanes"
)

// An elem is what the bodies of the operators know of an element type.
//
// A type without pointers moves as units, numbers of 1, 2, 4, 8 or 16 bytes:
// a float32 is one, a struct of three int32 a row of three. A type with pointers moves as
// itself, through a function that the operator's front passes in, because the
// garbage collector has to see each pointer that is written.
type elem struct {
	typ   reflect.Type
	size  int  // bytes
	width int  // of a unit, in bytes; 0 for types of no size
	units int  // in an element
	refs  bool // it holds pointers
}

func elemOf[T any]() elem {
	var z T
	e := elem{typ: reflect.TypeFor[T](), size: int(unsafe.Sizeof(z))}
	if e.refs = holdsPointers(e.typ); !e.refs {
		e.width = unitWidth(e.size, int(unsafe.Alignof(z)))
	}
	e.units = 1
	if e.width > 0 {
		e.units = e.size / e.width
	}
	return e
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

// A number says how elements are reduced.
type number uint8

const (
	noNumber number = iota
	numInt8
	numInt16
	numInt32
	numInt64
	numUint8
	numUint16
	numUint32
	numUint64
	numFloat32
	numFloat64
	numFloat16
	numBFloat16
	numComplex64
	numComplex128
	numBool
)

var (
	float16Type  = reflect.TypeFor[Float16]()
	bfloat16Type = reflect.TypeFor[BFloat16]()
)

// numberOf returns how the element type is reduced, or why it is not. Named
// types are reduced as their underlying kind; half is asked about named types
// of kind uint16.
func numberOf(t reflect.Type, half func() (number, string)) (number, string) {
	switch t.Kind() {
	case reflect.Bool:
		return numBool, ""
	case reflect.Int:
		return [...]number{4: numInt32, 8: numInt64}[t.Size()], ""
	case reflect.Int8:
		return numInt8, ""
	case reflect.Int16:
		return numInt16, ""
	case reflect.Int32:
		return numInt32, ""
	case reflect.Int64:
		return numInt64, ""
	case reflect.Uint:
		return [...]number{4: numUint32, 8: numUint64}[t.Size()], ""
	case reflect.Uint8:
		return numUint8, ""
	case reflect.Uint16:
		switch {
		case t == float16Type:
			return numFloat16, ""
		case t == bfloat16Type:
			return numBFloat16, ""
		case t.PkgPath() != "":
			return half()
		}
		return numUint16, ""
	case reflect.Uint32:
		return numUint32, ""
	case reflect.Uint64:
		return numUint64, ""
	case reflect.Float32:
		return numFloat32, ""
	case reflect.Float64:
		return numFloat64, ""
	case reflect.Complex64:
		return numComplex64, ""
	case reflect.Complex128:
		return numComplex128, ""
	}
	return noNumber, notReduced
}

const notReduced = "no reduction but none is defined for it"

// numberIn is numberOf for T.
func numberIn[T any]() (number, string) { return numberOf(reflect.TypeFor[T](), halfOf[T]) }

// halfOf tells the half types of other libraries apart: a type of kind uint16
// with a method Float32() float32 is asked what it takes for the bits of 1.0
// in either format. Without the method the type is an integer.
func halfOf[T any]() (n number, reason string) {
	if v, ok := halves.Load(reflect.TypeFor[T]()); ok {
		n = v.(number)
	} else {
		n = decodeHalf[T]()
		halves.Store(reflect.TypeFor[T](), n)
	}
	if n == noNumber {
		reason = "its Float32 method takes neither 0x3C00 (binary16) nor 0x3F80 (bfloat16) for 1"
	}
	return n, reason
}

var halves sync.Map

func decodeHalf[T any]() (n number) {
	decode := func(bits uint16) (float32, bool) {
		h, ok := any(*(*T)(unsafe.Pointer(&bits))).(interface{ Float32() float32 })
		if !ok {
			return 0, false
		}
		return h.Float32(), true
	}
	defer func() {
		if recover() != nil { // the method is somebody else's
			n = noNumber
		}
	}()
	one, ok := decode(0x3C00)
	if !ok {
		return numUint16
	}
	if one == 1 {
		return numFloat16
	}
	if one, _ = decode(0x3F80); one == 1 {
		return numBFloat16
	}
	return noNumber
}

// allows reports why a number has no such reduction, if it has none.
func (n number) allows(r Reduction) string {
	switch {
	case n == numBool && r == Mean:
		return "a mean of truth values is not defined"
	case (n == numComplex64 || n == numComplex128) && (r == Min || r == Max):
		return "complex numbers have no order"
	}
	return ""
}

func (n number) integer() bool { return n >= numInt8 && n <= numUint64 }

// numbers says of each number how it lies in memory and what its reductions start from.
var numbers = [...]struct {
	width          int    // bytes
	part           int    // of them, what the rest is made of: a complex number's real part
	prod, min, max uint64 // sum, sub and mean start from +0
}{
	numInt8:       {1, 1, 1, 1<<7 - 1, 1 << 7},
	numInt16:      {2, 2, 1, 1<<15 - 1, 1 << 15},
	numInt32:      {4, 4, 1, 1<<31 - 1, 1 << 31},
	numInt64:      {8, 8, 1, 1<<63 - 1, 1 << 63},
	numUint8:      {1, 1, 1, 1<<8 - 1, 0},
	numUint16:     {2, 2, 1, 1<<16 - 1, 0},
	numUint32:     {4, 4, 1, 1<<32 - 1, 0},
	numUint64:     {8, 8, 1, 1<<64 - 1, 0},
	numFloat32:    {4, 4, 0x3F80_0000, 0x7F80_0000, 0xFF80_0000},
	numFloat64:    {8, 8, 0x3FF << 52, 0x7FF << 52, 0xFFF << 52},
	numFloat16:    {2, 2, 0x3C00, 0x7C00, 0xFC00},
	numBFloat16:   {2, 2, 0x3F80, 0x7F80, 0xFF80},
	numComplex64:  {width: 8, part: 4, prod: 0x3F80_0000},
	numComplex128: {width: 16, part: 8, prod: 0x3FF << 52},
	numBool:       {1, 1, 1, 1, 0},
}

func (n number) width() int { return numbers[n].width }

// identity writes to p, which has room for an element, the value that a
// reduction starts from when use_init_val is false: its neutral element.
func (n number) identity(r Reduction, p unsafe.Pointer) {
	row := &numbers[n]
	bits := [...]uint64{Sum: 0, Prod: row.prod, Min: row.min, Max: row.max, Mean: 0, Sub: 0}[r]
	switch row.part {
	case 1:
		*(*uint8)(p) = uint8(bits)
	case 2:
		*(*uint16)(p) = uint16(bits)
	case 4:
		*(*uint32)(p) = uint32(bits)
	case 8:
		*(*uint64)(p) = bits
	}
}

// half returns the format of a half type.
func (n number) half() lanes.Half {
	if n == numBFloat16 {
		return lanes.Brain16
	}
	return lanes.Binary16
}
