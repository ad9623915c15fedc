package calls

import (
	"fmt"
	"hash/crc32"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"unsafe"

	"github.com/lanes-go/lanes/kernels"
)

// elems says of each element type its size, and which bits of random ones are kept and set. Floats
// lie in [1, 2) and integers are odd: no element is 0, so that one that was not written shows, and
// no cell becomes denormal however often it is reduced.
var elems = map[string]struct {
	size      int
	keep, set uint64
}{
	"float32":   {4, 0x007FFFFF_007FFFFF, 0x3F800000_3F800000},
	"complex64": {8, 0x007FFFFF_007FFFFF, 0x3F800000_3F800000},
	"float64":   {8, 0x000FFFFF_FFFFFFFF, 0x3FF00000_00000000},
	"float16":   {2, 0x03FF03FF_03FF03FF, 0x3C003C00_3C003C00},
	"bfloat16":  {2, 0x007F007F_007F007F, 0x3F803F80_3F803F80},
	"uint8":     {1, math.MaxUint64, 0x01010101_01010101},
	"int16":     {2, math.MaxUint64, 0x00010001_00010001},
	"int32":     {4, math.MaxUint64, 0x00000001_00000001},
	"int64":     {8, math.MaxUint64, 1},
}

// Tensors are a call with its tensors.
type Tensors[T any, I int32 | int64] struct {
	Call
	Dst, Data, Updates kernels.Tensor[T] // in place, Dst is Data
	Indices            kernels.Tensor[I]

	spec   kernels.SliceSpec
	ranges kernels.Ranges
}

// A Job is Tensors of any type.
type Job interface {
	Run(workers int) error // calls the operator once
	Reset()                // makes dst what it was before the first run
	Hash() uint32          // of all of dst's memory, after Settle
	Elements() int
}

// Make makes the tensors of a call.
func Make(c Call) Job {
	switch c.Elem {
	case "float32":
		return withIndices[float32](c)
	case "float16":
		return withIndices[kernels.Float16](c)
	case "bfloat16":
		return withIndices[kernels.BFloat16](c)
	case "uint8":
		return withIndices[uint8](c)
	case "int32":
		return withIndices[int32](c)
	case "int64":
		return withIndices[int64](c)
	case "float64":
		return withIndices[float64](c)
	case "int16":
		return withIndices[int16](c)
	case "complex64":
		return withIndices[complex64](c)
	}
	panic("calls: unknown element type " + c.Elem)
}

func withIndices[T any](c Call) Job {
	if c.Index == "int32" {
		return New[T, int32](c)
	}
	return New[T, int64](c)
}

// New makes the tensors of a call whose types are T and I.
func New[T any, I int32 | int64](c Call) *Tensors[T, I] {
	t := &Tensors[T, I]{Call: c}
	d := draw{rand.New(rand.NewPCG(c.Seed, ^c.Number))}
	t.Data = newTensor[T](d, c.Data, c.Strides, DataTransposed, DataCut)
	out := c.Moved
	if c.Scatters() {
		out = c.Data
		t.Updates = newTensor[T](d, c.Moved, c.Strides, "", "")
		fill(t.Updates.Data, c, forUpdates)
	}
	if c.InPlace {
		if c.Strides == DstTransposed || c.Strides == DstCut {
			t.Data = newTensor[T](d, c.Data, c.Strides, DstTransposed, DstCut)
		}
		t.Dst = t.Data
	} else {
		t.Dst = newTensor[T](d, out, c.Strides, DstTransposed, DstCut)
	}
	if !c.Slices() {
		t.Indices = newIndices[I](d, c)
	}
	for i, x := range c.Cuts {
		begin, end := x.Bounds()
		t.spec.Begin, t.spec.End, t.spec.Strides = append(t.spec.Begin, begin), append(t.spec.End, end), append(t.spec.Strides, int64(x.Step))
		if x.Count != c.Data[i] || x.Step != 1 { // Slice leaves out the axes that it takes whole
			t.ranges.Starts, t.ranges.Ends = append(t.ranges.Starts, begin), append(t.ranges.Ends, end)
			t.ranges.Axes, t.ranges.Steps = append(t.ranges.Axes, int64(i)), append(t.ranges.Steps, int64(x.Step))
		}
	}
	fill(t.Data.Data, c, forData)
	if !c.InPlace {
		t.Reset()
	}
	return t
}

// Run calls the operator once.
func (t *Tensors[T, I]) Run(workers int) error {
	w := kernels.Workers(workers)
	attrs := kernels.ScatterAttrs{Reduction: t.Reduction, IgnoreInit: t.IgnoreInit}
	switch t.Operator {
	case GatherElements:
		return kernels.GatherElements(t.Dst, t.Data, t.Indices, t.Axis, w)
	case GatherND:
		return kernels.GatherND(t.Dst, t.Data, t.Indices, t.BatchDims, w)
	case Gather:
		return kernels.Gather(t.Dst, t.Data, t.Indices, t.Axis, t.BatchDims, w)
	case ScatterElementsUpdate:
		return kernels.ScatterElementsUpdate(t.Dst, t.Data, t.Indices, t.Updates, t.Axis, attrs, w)
	case ScatterNDUpdate:
		return kernels.ScatterNDUpdate(t.Dst, t.Data, t.Indices, t.Updates, attrs, w)
	case StridedSlice:
		return kernels.StridedSlice(t.Dst, t.Data, t.spec, w)
	case Slice:
		return kernels.Slice(t.Dst, t.Data, t.ranges, w)
	}
	return fmt.Errorf("%s: no such operator", t.Operator)
}

// Reset makes dst what it was before the first run.
func (t *Tensors[T, I]) Reset() {
	if t.InPlace {
		fill(t.Dst.Data, t.Call, forData)
	} else {
		clear(t.Dst.Data)
	}
}

// Initial returns what data's memory holds before a run.
func (t *Tensors[T, I]) Initial() []T {
	if !t.InPlace {
		return t.Data.Data
	}
	initial := make([]T, len(t.Data.Data))
	fill(initial, t.Call, forData)
	return initial
}

// Hash returns a hash of all of dst's memory, in which every NaN that arithmetic made is the same
// one.
func (t *Tensors[T, I]) Hash() uint32 {
	if t.Scatters() {
		SameNaN(t.Dst.Data)
	}
	return crc32.Checksum(bytesOf(t.Dst.Data), crc32.MakeTable(crc32.Castagnoli))
}

// SameNaN replaces each NaN by one and the same.
func SameNaN[T any](v []T) {
	switch v := any(v).(type) {
	case []float32:
		sameNaN(v)
	case []complex64:
		sameNaN(unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(v))), 2*len(v)))
	case []float64:
		sameNaN(v)
	case []kernels.Float16:
		sameNaN16(v, 0x7C00)
	case []kernels.BFloat16:
		sameNaN16(v, 0x7F80)
	}
}

func sameNaN[T float32 | float64](v []T) {
	for i, x := range v {
		if x != x {
			v[i] = T(math.NaN())
		}
	}
}

func sameNaN16[T ~uint16](v []T, inf T) {
	for i, x := range v {
		if x&0x7FFF > inf {
			v[i] = 0x7FFF
		}
	}
}

// newTensor returns a tensor of a shape that lies as s says, if that is for it.
func newTensor[T any](d draw, shape []int, s, transposed, cut Strides) kernels.Tensor[T] {
	memory := slices.Clone(shape) // the shape of all that there is
	order := make([]int, len(shape))
	for i := range order {
		order[i] = i
	}
	at := make([]int, len(shape)) // in memory
	switch {
	case s == NilStrides:
		return kernels.New(make([]T, product(shape)), shape...)
	case s == transposed && len(shape) > 1:
		for slices.IsSorted(order) {
			d.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
	case s == transposed || s == cut:
		i := d.IntN(len(shape))
		memory[i] += 1 + d.IntN(shape[i])
		at[i] = d.IntN(memory[i] - shape[i] + 1)
	case s != WrittenStrides:
		return kernels.New(make([]T, product(shape)), shape...)
	}
	t := kernels.Tensor[T]{Shape: shape, Strides: make([]int, len(shape))}
	n := 1
	for _, axis := range slices.Backward(order) {
		t.Strides[axis] = n
		t.Offset += at[axis] * n
		n *= memory[axis]
	}
	t.Data = make([]T, n)
	return t
}

// Contents differ by what they are for.
const (
	forData uint64 = iota + 1
	forUpdates
	forIndices
)

// A source is a sequence of random numbers, each of which can be had alone.
type source uint64

func newSource(c Call, use uint64) source {
	return source(rand.NewPCG(c.Seed^use<<60, c.Number).Uint64())
}

// at is SplitMix64.
func (s source) at(i int) uint64 {
	z := uint64(s) + uint64(i)*0x9E3779B97F4A7C15
	z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
	z = (z ^ z>>27) * 0x94D049BB133111EB
	return z ^ z>>31
}

// below returns a number below n.
func (s source) below(i, n int) int {
	hi, _ := bits.Mul64(s.at(i), uint64(n))
	return int(hi)
}

// float returns a number in (0, 1).
func (s source) float(i int) float64 { return (float64(s.at(i)>>12) + 0.5) * 0x1p-52 }

// fill fills v with elements of the call's type.
func fill[T any](v []T, c Call, use uint64) {
	e, s, b := elems[c.Elem], newSource(c, use), bytesOf(v)
	words := unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/8)
	for i := range words {
		words[i] = s.at(i)&e.keep | e.set
	}
	last := s.at(len(words))&e.keep | e.set
	for i := range b[len(words)*8:] {
		b[len(words)*8+i] = byte(last >> (8 * i))
	}
}

func bytesOf[T any](v []T) []byte {
	var z T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(z)))
}
