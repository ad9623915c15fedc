// Package calls draws random calls of the operators of package kernels, makes
// their tensors and runs them. It uses nothing else of lanes, so that an older
// checkout can be built with it as well.
package calls

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/kernels"
)

// A Call says how an operator is called. Seed and Number repeat it, with the
// contents of its tensors.
type Call struct {
	Seed       uint64            `json:"seed"`
	Number     uint64            `json:"number"`
	Operator   string            `json:"operator"`
	Elem       string            `json:"elem"`
	Index      string            `json:"index,omitempty"` // int32 or int64
	Data       []int             `json:"data"`
	Indices    []int             `json:"indices,omitempty"`
	Moved      []int             `json:"moved"` // the shape of a scatter's updates, or else of the output
	Axis       int               `json:"axis"`
	BatchDims  int               `json:"batch_dims"`
	Cuts       []Cut             `json:"cuts,omitempty"`
	Pattern    Pattern           `json:"pattern,omitempty"`
	Reduction  kernels.Reduction `json:"reduction"`
	InPlace    bool              `json:"in_place"`
	IgnoreInit bool              `json:"ignore_init"`
	Strides    Strides           `json:"strides"`
}

// The operators, by the names of their functions.
const (
	GatherElements        = "GatherElements"
	GatherND              = "GatherND"
	Gather                = "Gather"
	ScatterElementsUpdate = "ScatterElementsUpdate"
	ScatterNDUpdate       = "ScatterNDUpdate"
	StridedSlice          = "StridedSlice"
	Slice                 = "Slice"
)

// A Cut takes Count elements of an axis, from Begin on and Step apart.
type Cut struct {
	Begin int `json:"begin"`
	Count int `json:"count"`
	Step  int `json:"step"`
}

// A Pattern says how indices are chosen.
type Pattern string

// The patterns. Constant ones are the same along the axes behind the one that they index.
const (
	Uniform  Pattern = "uniform"
	Skewed   Pattern = "skewed" // Zipf's distribution, s = 1
	Sorted   Pattern = "sorted" // along the axis, or in row-major order of tuples
	Constant Pattern = "constant, written out"
	Stride0  Pattern = "constant, stride 0"
	Negative Pattern = "half negative"
	Equal    Pattern = "all equal"
)

// Strides says how a call's tensors lie in memory.
type Strides string

// The ways to lie. In place, dst and data lie the same.
const (
	NilStrides     Strides = "nil"
	WrittenStrides Strides = "written out"
	DataTransposed Strides = "data transposed"
	DataCut        Strides = "data cut" // out of a larger tensor
	DstTransposed  Strides = "dst transposed"
	DstCut         Strides = "dst cut"
)

// A share is a value and how many draws in 100 have it.
type share[T any] struct {
	percent float64
	value   T
}

// The distribution. A figure means the same from one month to the next only
// as long as none of this changes.
var (
	operatorShares = []share[string]{
		{25, GatherElements}, {15, GatherND}, {10, Gather}, {25, ScatterElementsUpdate}, {5, ScatterNDUpdate}, {10, StridedSlice}, {10, Slice},
	}
	rankShares = []share[int]{{12, 1}, {36, 2}, {30, 3}, {17, 4}, {5, 5}}
	elemShares = []share[string]{
		{38, "float32"}, {10, "float16"}, {4, "bfloat16"}, {12, "uint8"}, {12, "int32"}, {8, "int64"}, {8, "float64"}, {5, "int16"}, {3, "complex64"},
	}
	indexShares   = []share[string]{{60, "int64"}, {40, "int32"}}
	patternShares = []share[Pattern]{
		{55, Uniform}, {15, Skewed}, {12, Sorted}, {6, Constant}, {4, Stride0}, {5, Negative}, {3, Equal},
	}
	tupleShares     = []share[int]{{60, 1}, {30, 2}, {10, 3}}     // components
	sliceShares     = []share[int]{{30, 0}, {40, 1}, {30, 2}}     // axes of what a tuple names
	batchShares     = []share[int]{{75, 0}, {12.5, 1}, {12.5, 2}} // batch_dims
	reductionShares = []share[kernels.Reduction]{
		{30, kernels.None}, {40, kernels.Sum}, {10, kernels.Max}, {5, kernels.Min}, {5, kernels.Prod}, {10, kernels.Mean},
	}
	cutShares     = []share[cutKind]{{40, whole}, {25, span}, {15, stepped}, {15, flipped}, {5, steppedBack}}
	stridesShares = []share[Strides]{
		{80, NilStrides}, {10, WrittenStrides}, {3.5, DataTransposed}, {3.5, DataCut}, {1.5, DstTransposed}, {1.5, DstCut},
	}
	commonSizes = []int{2, 3, 4, 5, 7, 8, 12, 16, 17, 24, 32, 48, 64, 80, 96, 100, 128, 196, 224, 256, 384, 512, 768, 1024}
)

const (
	common     = 75 // of 100 axes have a common size
	longer     = 20 // of 100 operands are longer on another axis than the one that is indexed
	inPlace    = 50
	ignoreInit = 20
	withTable  = 5 // of 100 have a table of a size between these two, and move that over the factor, mostBytes at most

	leastTable, mostTable = 64 << 20, 512 << 20

	leastBytes, mostBytes = 1 << 10, 32 << 20 // of what is moved
	mostFactor            = 8                 // of the indexed axis over that of indices, and its reciprocal the least
)

// Small is the number of elements from which on a call is not small.
const Small = 4 << 10

type cutKind uint8

const (
	whole cutKind = iota
	span
	stepped
	flipped
	steppedBack
)

// Draw draws the call of a number.
func Draw(seed, number uint64) Call {
	d := draw{rand.New(rand.NewPCG(seed, number))}
	c := Call{Seed: seed, Number: number, Operator: pick(d, operatorShares), Elem: pick(d, elemShares), Strides: pick(d, stridesShares)}
	if !c.Slices() {
		c.Index, c.Pattern = pick(d, indexShares), pick(d, patternShares)
	}
	if c.Scatters() {
		for c.Reduction = pick(d, reductionShares); !c.reduces(); {
			c.Reduction = pick(d, reductionShares)
		}
		c.InPlace, c.IgnoreInit = d.chance(inPlace), d.chance(ignoreInit)
	}
	rank, hasTable := pick(d, rankShares), d.chance(withTable)
	for {
		d.shapes(&c, rank, hasTable)
		if product(c.Data)*c.ElemSize() <= mostTable*11/10 { // rounding aside
			return c
		}
	}
}

// Views reports whether a tensor is a view. Peers get a row-major copy of data and write a row-major
// dst.
func (c Call) Views() bool { return c.Strides != NilStrides && c.Strides != WrittenStrides }

// Slices reports whether the operator is one of those without indices.
func (c Call) Slices() bool { return c.Operator == StridedSlice || c.Operator == Slice }

// Scatters reports whether the operator has updates.
func (c Call) Scatters() bool {
	return c.Operator == ScatterElementsUpdate || c.Operator == ScatterNDUpdate
}

// reduces reports whether the operator and the element type have the reduction.
func (c Call) reduces() bool {
	switch c.Reduction {
	case kernels.Mean:
		return c.Operator != ScatterNDUpdate
	case kernels.Min, kernels.Max:
		return c.Elem != "complex64"
	}
	return true
}

// Elements returns how many elements are moved.
func (c Call) Elements() int { return product(c.Moved) }

// ElemSize returns the bytes of an element.
func (c Call) ElemSize() int { return elems[c.Elem].size }

// A draw is a source of random numbers.
type draw struct{ *rand.Rand }

func (d draw) chance(percent float64) bool { return 100*d.Float64() < percent }

func pick[T any](d draw, shares []share[T]) T {
	x := 100 * d.Float64()
	for _, s := range shares[:len(shares)-1] {
		if x -= s.percent; x < 0 {
			return s.value
		}
	}
	return shares[len(shares)-1].value
}

// logUniform returns a number whose logarithm is uniform.
func (d draw) logUniform(least, most float64) float64 {
	return least * math.Exp(d.Float64()*math.Log(most/least))
}

// shapes draws the shapes and the attributes that go with them.
func (d draw) shapes(c *Call, rank int, hasTable bool) {
	bytes, factor, table := d.logUniform(leastBytes, mostBytes), d.logUniform(1./mostFactor, mostFactor), 0.
	if hasTable {
		table = d.logUniform(leastTable, mostTable)
		bytes = min(table/factor, mostBytes)
		factor = table / bytes
	}
	switch c.Operator {
	case GatherElements, ScatterElementsUpdate:
		c.Moved = d.shape(rank, bytes/float64(c.ElemSize()))
		c.Indices, c.Data = c.Moved, slices.Clone(c.Moved)
		c.Axis = d.IntN(rank)
		c.Data[c.Axis] = scaled(c.Data[c.Axis], factor)
		if rank > 1 && d.chance(longer) {
			other := (c.Axis + 1 + d.IntN(rank-1)) % rank
			c.Data[other] = scaled(c.Data[other], d.logUniform(1, mostFactor))
		}
	case StridedSlice, Slice:
		d.slice(c, rank, bytes, table)
	default:
		d.tuples(c, rank, bytes, factor)
	}
}

// tuples draws the shapes of operators whose indices name slices of data. moved
// is batch axes, those of indices (Gather's are behind others of data) and those of a slice.
func (d draw) tuples(c *Call, rank int, bytes, factor float64) {
	k, slice, batch, before := 1, pick(d, sliceShares), pick(d, batchShares), 0
	if c.Operator == ScatterNDUpdate {
		batch = 0
	}
	rank = max(rank, batch+1+slice)
	if c.Operator == Gather {
		before = d.IntN(rank - batch - slice)
	} else {
		k = pick(d, tupleShares)
	}
	m := d.shape(rank, bytes/float64(c.ElemSize()))
	first, last := batch+before, rank-slice // of the axes of tuples
	c.Moved, c.BatchDims, c.Axis = m, batch, first
	c.Indices = slices.Concat(m[:batch], m[first:last])
	if c.Operator != Gather {
		c.Indices = append(c.Indices, k)
	}
	c.Data = slices.Clone(m[:first])
	for left := factor * float64(product(m[first:last])); k > 0; k-- { // components share it
		n := left
		if k > 1 {
			n = d.logUniform(1, max(left, 1))
		}
		c.Data = append(c.Data, max(1, int(n+0.5)))
		left /= max(n, 1)
	}
	c.Data = append(c.Data, m[last:]...)
}

// slice draws the cuts of data. Where data has to be a large table, an axis of which a range is
// taken makes it so.
func (d draw) slice(c *Call, rank int, bytes, table float64) {
	kinds, factors, all := make([]cutKind, rank), make([]float64, rank), 1.
	for i := range kinds {
		kinds[i], factors[i] = pick(d, cutShares), 1
		switch kinds[i] {
		case span:
			factors[i] = d.logUniform(1, mostFactor)
		case stepped, steppedBack:
			factors[i] = float64(2 + d.IntN(7))
		}
		all *= factors[i]
	}
	if table > 0 {
		bytes = min(table/all, mostBytes)
		if i := slices.Index(kinds, span); i >= 0 {
			factors[i] *= table / (bytes * all)
		}
	}
	c.Moved, c.Data, c.Cuts = d.shape(rank, bytes/float64(c.ElemSize())), nil, nil
	for i, n := range c.Moved {
		size, begin, step := n, 0, 1
		switch kinds[i] {
		case span:
			size = scaled(n, factors[i])
			begin = d.IntN(size - n + 1)
		case flipped:
			begin, step = n-1, -1
		case stepped, steppedBack:
			step = int(factors[i])
			size = n * step
			begin = d.IntN(step)
			if kinds[i] == steppedBack {
				begin += (n - 1) * step
				step = -step
			}
		}
		c.Data, c.Cuts = append(c.Data, size), append(c.Cuts, Cut{begin, n, step})
	}
}

// shape draws a shape of about n elements. Of its axes some are common and the
// others log-uniform; the one that is drawn last takes what is left of n, or the
// common size that is nearest if there is one and all axes are common.
func (d draw) shape(rank int, n float64) []int {
	commons := 0
	for range rank {
		if d.chance(common) {
			commons++
		}
	}
	shape, left := make([]int, 0, rank), n
	for i := range rank {
		most := left / math.Exp2(float64(rank-1-i)) // the axes to come have 2 elements at least
		var size int
		switch last := i == rank-1; {
		case i < commons && !last:
			size = commonSizes[d.IntN(max(1, countUpTo(most)))]
		case i < commons && most < 1.2*float64(commonSizes[len(commonSizes)-1]):
			size = nearestCommon(most)
		case !last:
			size = int(d.logUniform(1, max(most, 1)) + 0.5)
		default:
			size = max(1, int(most+0.5))
		}
		shape = append(shape, size)
		left /= float64(size)
	}
	d.Shuffle(rank, func(i, j int) { shape[i], shape[j] = shape[j], shape[i] })
	return shape
}

// countUpTo returns how many common sizes are no larger than most.
func countUpTo(most float64) int {
	n, _ := slices.BinarySearch(commonSizes, int(most)+1)
	return n
}

// nearestCommon returns the common size nearest to x, by their ratio.
func nearestCommon(x float64) int {
	return slices.MinFunc(commonSizes, func(a, b int) int {
		far := func(n int) float64 { return math.Abs(math.Log(float64(n) / x)) }
		return cmp.Compare(far(a), far(b))
	})
}

// scaled returns n times a factor, rounded, and 1 at least.
func scaled(n int, factor float64) int { return max(1, int(float64(n)*factor+0.5)) }

func product(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// ID returns the name by which ByID draws the call again.
func (c Call) ID() string { return fmt.Sprintf("%d.%d", c.Seed, c.Number) }

// ByID draws the call of an ID.
func ByID(id string) (Call, error) {
	seed, number, ok := strings.Cut(id, ".")
	s, err := strconv.ParseUint(seed, 10, 64)
	n, err2 := strconv.ParseUint(number, 10, 64)
	if !ok || err != nil || err2 != nil {
		return Call{}, fmt.Errorf("%q is not the id of a random call, such as 7.123", id)
	}
	return Draw(s, n), nil
}

// String describes the call, without its operator.
func (c Call) String() string {
	var parts []string
	add := func(format string, args ...any) { parts = append(parts, fmt.Sprintf(format, args...)) }
	add("%s", c.Elem)
	if c.Scatters() {
		s := c.Reduction.String()
		if c.IgnoreInit && c.Reduction != kernels.None {
			s += " without init"
		}
		if c.InPlace {
			s += " in place"
		}
		add("%s", s)
	}
	switch c.Operator {
	case GatherND:
		add("batch_dims %d", c.BatchDims)
	case Gather:
		add("axis %d, batch_dims %d", c.Axis, c.BatchDims)
	case GatherElements, ScatterElementsUpdate:
		add("axis %d", c.Axis)
	}
	add("data %s", compact(c.Data))
	if c.Slices() {
		cuts := make([]string, len(c.Cuts))
		for i, x := range c.Cuts {
			cuts[i] = x.in(c.Data[i])
		}
		add("[%s]", strings.Join(cuts, ", "))
	} else {
		add("%s indices %s %s", c.Index, compact(c.Indices), c.Pattern)
	}
	if c.Operator == ScatterNDUpdate {
		add("updates %s", compact(c.Moved))
	}
	if c.Strides != NilStrides {
		add("strides %s", c.Strides)
	}
	return strings.Join(parts, ", ")
}

// in describes a cut of an axis of size n, as NumPy writes it.
func (x Cut) in(n int) string {
	switch {
	case x.Count == n && x.Step == 1:
		return ":"
	case x.Count == n && x.Step == -1:
		return "::-1"
	}
	begin, end := x.Bounds()
	s := fmt.Sprintf("%d:", begin)
	if end >= 0 {
		s += strconv.Itoa(int(end))
	}
	if x.Step != 1 {
		s += fmt.Sprintf(":%d", x.Step)
	}
	return s
}

// Bounds returns a cut as slicing operators take it; for a step
// backward that ends at element 0, the end is the least number.
func (x Cut) Bounds() (begin, end int64) {
	end = int64(x.Begin + (x.Count-1)*x.Step)
	switch {
	case x.Step > 0:
		end++
	case end > 0:
		end--
	default:
		end = math.MinInt64
	}
	return int64(x.Begin), end
}

func compact(shape []int) string { return strings.ReplaceAll(fmt.Sprint(shape), " ", ",") }
