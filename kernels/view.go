package kernels

import (
	"math"
	"math/bits"
	"slices"
	"strconv"
	"unsafe"

	"github.com/lanes-go/lanes"
)

// A view is a Tensor without its element type, so that operators are compiled once and not for each
// type. It points to the tensor that was passed, whose slices are the caller's and valid during the
// call; errors copy them.
type view struct {
	*tensor
	size    int // of an element, in bytes
	role    role
	kind    lanes.Kind // of indices
	checked bool       // indices that are known to be in range

	// Set by check:
	count  int // elements of the view
	lo, hi int // the lowest and highest element of Data that it reaches, when count > 0
}

// A tensor is a Tensor[T] in memory, of whatever T: its fields are a Tensor's. (Three views that
// had copies of them were 57 of the 427 stores of a GatherElements of 16 elements, and small calls
// are mostly stores.)
type tensor struct {
	ptr      unsafe.Pointer
	len, cap int // of Data, in elements
	shape    []int
	strides  []int
	offset   int
}

// by returns a copy of the view that describes t. Set t's slices first: what is stored through a
// pointer escapes.
func (v *view) by(t *tensor) view {
	w := *v
	w.tensor = t
	return w
}

// A role is the argument of an operator that a view describes.
type role uint8

const (
	dstRole role = iota
	dataRole
	indicesRole
	updatesRole
	conditionRole
	maskRole
	tableRole
	offsetsRole
	weightsRole
	operandRole
	startIndicesRole
	inputRole
	scatterIndicesRole
)

func (r role) String() string {
	return [...]string{"dst", "data", "indices", "updates", "condition", "mask", "table", "offsets", "weights",
		"operand", "start_indices", "input", "scatter_indices"}[r]
}

// tensorOf returns an operator's argument as a tensor, which check may change.
func tensorOf[T any](t *Tensor[T]) *tensor { return (*tensor)(unsafe.Pointer(t)) }

// elementSize returns the bytes of a tensor's element.
func elementSize[T any](*Tensor[T]) int { return sizeOfType[T]() }

func sizeOfType[T any]() int {
	var z T
	return int(unsafe.Sizeof(z))
}

// contiguous reports whether the view is row-major without gaps. After check that includes views
// whose strides say so.
func (v *view) contiguous() bool { return len(v.strides) == 0 }

// stride returns the step of axis d.
func (v *view) stride(d int) int {
	if !v.contiguous() {
		return v.strides[d]
	}
	s := 1
	for _, n := range v.shape[d+1:] {
		s *= max(n, 1)
	}
	return s
}

// steps sets an operand's steps of loops that go along axes of the view, which is not empty, from
// one axis on.
func (v *view) steps(loops []loop, op, from, units int) {
	for d := len(v.shape) - 1; d >= from; d-- {
		s := units
		if !v.contiguous() {
			s *= v.strides[d]
		} else {
			units *= v.shape[d]
		}
		if d-from < len(loops) {
			loops[d-from].s[op] = s
		}
	}
}

// rowMajor returns the strides of a contiguous view. An axis of length 0 counts as one of length 1.
func rowMajor(shape []int) []int {
	strides, s := make([]int, len(shape)), 1
	for d := len(shape) - 1; d >= 0; d-- {
		strides[d] = s
		s *= max(shape[d], 1)
	}
	return strides
}

// isRowMajor reports whether the strides are those of a contiguous view. The stride of an axis with
// at most one element does not matter.
func (v *view) isRowMajor() bool {
	if len(v.shape) > maxLoops {
		return false
	}
	s := 1
	for d := len(v.shape) - 1; d >= 0; d-- {
		if n := v.shape[d]; n > 1 {
			if v.strides[d] != s {
				return false
			}
			s *= n
		}
	}
	return true
}

// transposed reports whether an axis of the view has a longer step than one before it.
func (v *view) transposed() bool {
	if v.contiguous() {
		return false
	}
	least := 0
	for d, n := range slices.Backward(v.shape) {
		if s := max(v.strides[d], -v.strides[d]); n > 1 && s > 0 {
			if s < least {
				return true
			}
			least = s
		}
	}
	return false
}

func (v *view) shapeError(op, reason string) error {
	return shapeError(op, v.role, v.shape, reason)
}

// check checks that the view reaches only elements of its slice. Hostile shapes and strides do not
// overflow it.
func (v *view) check(op string) error {
	count, reason := elements(v.shape)
	if reason != "" {
		return v.shapeError(op, reason)
	}
	if !v.contiguous() && len(v.strides) != len(v.shape) {
		return v.shapeError(op, "want "+itoa(len(v.shape))+" strides, have "+itoa(len(v.strides)))
	}
	v.count = count
	switch {
	case v.contiguous():
		if len(v.shape) > maxLoops {
			v.strides = rowMajor(v.shape) // or stride would take quadratic time
		}
	case v.isRowMajor():
		v.strides = nil
	}
	if count == 0 {
		return nil // an empty view reaches nothing
	}
	v.lo, v.hi = v.offset, v.offset
	ok := true
	if v.contiguous() {
		v.hi, ok = addInt(v.hi, count-1)
	} else {
		for d, n := range v.shape {
			if n == 1 {
				continue
			}
			extent, fits := mulInt(n-1, v.strides[d])
			end := &v.hi
			if extent < 0 {
				end = &v.lo
			}
			var sum bool
			*end, sum = addInt(*end, extent)
			ok = ok && fits && sum
		}
	}
	if !ok || v.lo < 0 || v.hi >= v.len {
		return v.shapeError(op, v.outside(ok))
	}
	if bits.UintSize == 32 && v.size > 0 && v.hi-v.lo >= mostBytes/v.size {
		return v.shapeError(op, "it reaches across "+itoa(v.hi-v.lo+1)+" elements, more than "+itoa(mostBytes)+" bytes")
	}
	return nil
}

// outside returns what is wrong with a view that reaches outside of its slice. lo and hi are valid
// if ok.
func (v *view) outside(ok bool) string {
	var with string
	if !v.contiguous() {
		with = "with strides " + ints(v.strides) + " "
	}
	if v.offset != 0 {
		with += "from offset " + itoa(v.offset) + " "
	}
	switch {
	case !ok:
		return with + "needs more elements than an int can count"
	case v.lo < 0:
		return with + "needs element " + itoa(v.lo) + " of Data"
	}
	return with + "needs " + strconv.FormatUint(uint64(v.hi)+1, 10) + " elements, Data has " + itoa(v.len)
}

// mostBytes bounds what a view may reach where an int has 32 bits, because loops count bytes and
// add steps.
const mostBytes = math.MaxInt - 16<<20

// elements returns the number of elements of a shape, and what is wrong with it.
func elements(shape []int) (count int, reason string) {
	count, empty := 1, false
	for _, n := range shape {
		switch {
		case n < 0:
			return 0, "a dimension is negative"
		case n == 0:
			empty = true
		default:
			hi, lo := bits.Mul(uint(count), uint(n))
			if count = int(lo); hi != 0 || count < 0 {
				return 0, "has more elements than an int can count"
			}
		}
	}
	if empty {
		count = 0
	}
	return count, ""
}

// addInt and mulInt report whether the result fits an int.

func addInt(a, b int) (int, bool) {
	c := a + b
	return c, (c > a) == (b > 0)
}

func mulInt(a, b int) (int, bool) {
	hi, lo := bits.Mul64(absInt(a), absInt(b))
	return a * b, hi == 0 && lo <= math.MaxInt
}

func absInt(a int) uint64 {
	if a < 0 {
		return uint64(-int64(a)) // of MinInt64 too: it wraps to 1<<63
	}
	return uint64(a)
}

// An extent is an interval of addresses, from low up to high, where something is if high > low.
type extent struct{ low, high uintptr }

// extent returns where a checked view reaches.
func (v *view) extent() extent {
	if v.count == 0 || v.size == 0 {
		return extent{}
	}
	a := uintptr(v.ptr)
	return extent{a + uintptr(v.lo*v.size), a + uintptr((v.hi+1)*v.size)}
}

// meets reports whether two extents have an address in common.
func (e extent) meets(f extent) bool { return e.low < f.high && f.low < e.high }

// has reports whether a part of a list is in the extent.
func (e extent) has(list []int) bool {
	a := uintptr(unsafe.Pointer(unsafe.SliceData(list)))
	return len(list) > 0 && e.meets(extent{a, a + uintptr(len(list))*(bits.UintSize/8)})
}

// overlaps reports whether the extents of two checked views meet.
func (v *view) overlaps(w *view) bool { return v.extent().meets(w.extent()) }

// covers reports whether a checked view reaches a part of a list.
func (v *view) covers(list []int) bool { return v.extent().has(list) }

// hasLists checks that the extent of a checked dst does not have the shape or the strides of a
// view: calls read them while they write, and rely on what they checked.
func (e extent) hasLists(op string, w *view) error {
	switch {
	case e.has(w.shape):
		return &OverlapError{Op: op, Tensor: w.role.String() + ".Shape"}
	case e.has(w.strides):
		return &OverlapError{Op: op, Tensor: w.role.String() + ".Strides"}
	}
	return nil
}

// same reports whether equal coordinates of two checked views of one shape have equal addresses,
// whatever their offsets and strides.
func (v *view) same(w *view) bool {
	a, b := uintptr(v.ptr), uintptr(w.ptr)
	if a+uintptr(v.offset*v.size) != b+uintptr(w.offset*w.size) {
		return false
	}
	if v.contiguous() && w.contiguous() {
		return true
	}
	for d, n := range v.shape {
		if n > 1 && v.stride(d) != w.stride(d) {
			return false
		}
	}
	return true
}

// A span is one axis of a view: n elements that lie s apart.
type span struct{ n, s int }

// spans appends the axes of more than one element in ascending order of their distance. A negative
// stride counts as positive: both reach the same elements.
func (v *view) spans(buf []span) []span {
	for d, n := range v.shape {
		if s := v.strides[d]; n > 1 {
			buf = append(buf, span{n, max(s, -s)})
		}
	}
	ascending(buf, func(a span) int { return a.s })
	return buf
}

// injective reports whether no two coordinates of a checked view share an element. Elements of size
// 0 share none.
func (v *view) injective() bool {
	if v.contiguous() || v.count <= 1 || v.size == 0 {
		return true
	}
	if v.count > v.hi-v.lo+1 {
		return false // more coordinates than elements
	}
	var buf [8]span
	axes := v.spans(buf[:0])
	// An axis whose distance exceeds the reach of all nearer axes keeps coordinates apart. In usual
	// views every axis does.
	reach, entangled := 0, 0
	for i, a := range axes {
		if a.s <= reach {
			entangled = i + 1
		}
		reach += (a.n - 1) * a.s
	}
	return entangled == 0 || distinct(axes[:entangled])
}

// distinct marks each element that the axes reach. It is for strides such as 3 and 2, under which
// sums can be equal but need not be.
func distinct(axes []span) bool {
	gcd, reach, count := 0, 0, 1
	for _, a := range axes {
		for b := a.s; b != 0; {
			gcd, b = b, gcd%b
		}
	}
	if gcd == 0 {
		return false
	}
	for _, a := range axes {
		reach += (a.n - 1) * (a.s / gcd)
		count *= a.n
	}
	if count > reach+1 || axes[0].s == 0 {
		return false
	}
	seen := make([]uint64, reach/64+1)
	var mark func(axes []span, at int) bool
	mark = func(axes []span, at int) bool {
		if len(axes) == 0 {
			bit := uint64(1) << (at % 64)
			free := seen[at/64]&bit == 0
			seen[at/64] |= bit
			return free
		}
		for i := range axes[0].n {
			if !mark(axes[1:], at+i*(axes[0].s/gcd)) {
				return false
			}
		}
		return true
	}
	return mark(axes, 0)
}

// memory returns the memory that a view reaches, in units of a kind, and where in it element [0, 0,
// …] is.
func (v *view) memory(kind lanes.Kind, units int) (m lanes.Memory, at int) {
	if v.count == 0 {
		return lanes.Memory{Kind: kind}, 0
	}
	return lanes.Memory{Ptr: unsafe.Add(v.ptr, v.lo*v.size), Len: (v.hi - v.lo + 1) * units, Kind: kind}, (v.offset - v.lo) * units
}

// bytes returns the memory of a contiguous view.
func (v *view) bytes() []byte {
	return unsafe.Slice((*byte)(unsafe.Add(v.ptr, v.lo*v.size)), v.count*v.size)
}

// all returns all of Data of indices.
func (v *view) all() lanes.Memory { return lanes.Memory{Ptr: v.ptr, Len: v.len, Kind: v.kind} }

// checkDst checks a destination: its shape, its view, that no two coordinates share an element, and
// that it shares no memory with the inputs, nor with a shape or strides.
func checkDst(op string, dst *view, shape []int, inputs ...*view) error {
	if !slices.Equal(dst.shape, shape) {
		return dst.shapeError(op, "want shape "+ints(shape))
	}
	if err := dst.check(op); err != nil {
		return err
	}
	if !dst.injective() {
		return &OverlapError{Op: op, Tensor: "dst"}
	}
	to := dst.extent()
	met := to.has(dst.shape) || to.has(dst.strides)
	for _, in := range inputs {
		met = met || to.meets(in.extent()) || to.has(in.shape) || to.has(in.strides)
	}
	if !met {
		return nil
	}
	for _, in := range inputs {
		if dst.overlaps(in) {
			return &OverlapError{Op: op, Tensor: in.role.String()}
		}
	}
	for _, in := range inputs {
		if err := to.hasLists(op, in); err != nil {
			return err
		}
	}
	return to.hasLists(op, dst)
}
