package kernels_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

// Random calls of the operators are compared, bit for bit, with their
// definitions in package generic: the result, every element around and between
// those that dst's view reaches, the inputs, and the errors.
//
// LANES_SEED and LANES_CASES choose the calls. LANES_CASES is how many there
// are for each operator, or a range of case numbers: "4711:4712". A failure
// prints the settings that repeat it.
const (
	defaultSeed  = 1
	defaultCases = 10_000
	shortCases   = 2_500
	// A large call costs as much as some hundred small ones.
	smallPerLarge = 400
)

// workerCounts are the settings under which results must be the same.
var workerCounts = []int{1, 2, 3, 8}

func TestRandom(t *testing.T) {
	kernels.Ways(t, func(t *testing.T) { runRandom(t, elementRows, false) })
}

// TestRandomInParts makes the same calls, cut into parts that only large ones
// have otherwise.
func TestRandomInParts(t *testing.T) {
	kernels.CutSmall(t)
	runRandom(t, elementRows, false)
}

// TestRandomThresholds makes calls in ways that are chosen for each by chance.
func TestRandomThresholds(t *testing.T) {
	draw := kernels.AnyThresholds(t)
	rows := slices.Clone(randomRows)
	for i := range rows {
		run := rows[i].run
		rows[i].run = func(e randomOperators, c *randomCall) error {
			draw(c.Rand)
			c.several = c.chance(20)
			return run(e, c)
		}
	}
	runRandomOf(t, rows, elementRows, false)
}

// TestRandomLarge crosses the sizes at which operators work in blocks and
// start goroutines, and makes every call with each of the worker counts.
func TestRandomLarge(t *testing.T) { runRandom(t, elementRows, true) }

// A randomRow is an operator of the random calls.
type randomRow struct {
	name string
	run  func(randomOperators, *randomCall) error
}

// randomRows are the operators. The place in the list is part of the seed, so a new one goes to the
// end: here, or in an init function of the operator's test file.
var randomRows = []randomRow{
	{"GatherElements", randomOperators.gatherElements},
	{"GatherND", randomOperators.gatherND},
	{"ScatterElementsUpdate", randomOperators.scatterElementsUpdate},
	{"StridedSlice", randomOperators.stridedSlice},
	{"Gather", randomOperators.gather},
	{"Compress", randomOperators.compress},
	{"Take", randomOperators.take},
	{"ScatterNDUpdate", randomOperators.scatterNDUpdate},
	{"Slice", randomOperators.slice},
	{"EmbeddingBag", randomOperators.embeddingBag},
	{"SliceScatter", randomOperators.sliceScatter},
	{"TensorScatter", randomOperators.tensorScatter},
	{"GeneralGather", randomOperators.generalGather},
	{"GeneralScatter", randomOperators.generalScatter},
}

func runRandom(t *testing.T, rows []randomElement, large bool) {
	runRandomOf(t, randomRows, rows, large)
}

func runRandomOf(t *testing.T, operators []randomRow, rows []randomElement, large bool) {
	seed, first, last := randomSettings(t, large)
	made := 0
	for o, op := range operators {
		for e, elem := range rows {
			t.Run(fmt.Sprintf("op=%s/elem=%s", op.name, elem), func(t *testing.T) {
				// Case n has element type n mod their number, in whatever range.
				types := len(rows)
				for n := first + ((e-first)%types+types)%types; n < last; n += types {
					r := rand.New(rand.NewPCG(seed, uint64(n)<<8|uint64(o)))
					c := &randomCall{Rand: r, large: large, huge: large && r.IntN(5) == 0, op: op.name, index: n / types}
					if err := c.recovered(func() error { return op.run(elem, c) }); err != nil {
						t.Fatalf("case %d: %v%s\nLANES_SEED=%d LANES_CASES=%d:%d go test ./kernels -run '^%s$'",
							n, err, c.story(), seed, n, n+1, strings.ReplaceAll(t.Name(), "/", "$/^"))
					}
					made++
				}
			})
		}
	}
	t.Logf("%d random calls at %s, seed %d", made, dispatch.Active(), seed)
}

func randomSettings(t *testing.T, large bool) (seed uint64, first, last int) {
	seed, last = defaultSeed, defaultCases
	if testing.Short() {
		last = shortCases
	}
	number := func(name, s string) int {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return n
	}
	if s := os.Getenv("LANES_SEED"); s != "" {
		seed = uint64(number("LANES_SEED", s))
	}
	if s := os.Getenv("LANES_CASES"); s != "" {
		if from, to, isRange := strings.Cut(s, ":"); isRange {
			return seed, number("LANES_CASES", from), number("LANES_CASES", to)
		}
		last = number("LANES_CASES", s)
	}
	if large {
		last /= smallPerLarge
	}
	return seed, 0, last
}

// A randomCall is the state of one case.
type randomCall struct {
	*rand.Rand
	large   bool
	huge    bool
	several bool // blocks: some calls of TestRandomThresholds have more elements than one
	ranked  bool // the tensors have more than 12 axes, most of size 2
	op      string
	index   int             // which index type, modulo their number
	told    []func() string // read only on failure
}

func (c *randomCall) tell(format string, args ...any) {
	c.told = append(c.told, func() string { return fmt.Sprintf("\n\t"+format, args...) })
}

func (c *randomCall) story() string {
	var s strings.Builder
	for _, line := range c.told {
		s.WriteString(line())
	}
	return s.String()
}

func (c *randomCall) recovered(run func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	return run()
}

func (c *randomCall) chance(percent int) bool { return c.IntN(100) < percent }

func pick[T any](c *randomCall, from ...T) T { return from[c.IntN(len(from))] }

// options returns the ways in which a call is made: each must give the same.
func (c *randomCall) options() [][]kernels.Option {
	if c.large {
		all := [][]kernels.Option{{kernels.Executor(3, backwards)}}
		for _, n := range workerCounts {
			all = append(all, []kernels.Option{kernels.Workers(n)})
		}
		return all
	}
	n := pick(c, workerCounts...)
	return [][]kernels.Option{pick(c,
		nil,
		[]kernels.Option{{}},
		[]kernels.Option{kernels.Workers(n)},
		[]kernels.Option{kernels.Workers(-n)},
		[]kernels.Option{kernels.Workers(1), {}, kernels.Workers(n)},
		[]kernels.Option{kernels.Executor(n, backwards)},
		[]kernels.Option{kernels.Executor(n, careless)},
		[]kernels.Option{kernels.Executor(n, nil)},
	)}
}

func backwards(n int, task func(int)) {
	for i := n - 1; i >= 0; i-- {
		task(i)
	}
}

// careless leaves out half of the tasks and runs the others twice, which
// Executor allows.
func careless(n int, task func(int)) {
	for i := 0; i < n; i += 2 {
		task(i)
		task(i)
	}
}

// randomOperators are the random calls on one element type.
type randomOperators interface {
	gatherElements(*randomCall) error
	gatherND(*randomCall) error
	scatterElementsUpdate(*randomCall) error
	stridedSlice(*randomCall) error
	gather(*randomCall) error
	compress(*randomCall) error
	take(*randomCall) error
	scatterNDUpdate(*randomCall) error
	slice(*randomCall) error
	embeddingBag(*randomCall) error
	sliceScatter(*randomCall) error
	tensorScatter(*randomCall) error
	generalGather(*randomCall) error
	generalScatter(*randomCall) error
}

func (e *elementRow[T]) gatherElements(c *randomCall) error {
	by := e.indexed[c.index%len(e.indexed)]
	data := e.place(c, "data", c.shape(c.rank()), false)
	axis, along := c.axis(len(data.Shape))
	indices := c.indices(by.limits, c.partOf(data.Shape, along), func([]int) int { return data.Shape[along] })
	dst := e.place(c, "dst", indices.view.Shape, true)
	c.tell("axis %d, indices %s", axis, by.name)

	if shape, err := kernels.GatherElementsShape(data.Shape, indices.view.Shape, axis); err != nil || !slices.Equal(shape, dst.Shape) {
		return fmt.Errorf("GatherElementsShape: %v, %v", shape, err)
	}
	return e.compare(c, trial[T]{
		dst: dst, inputs: []placement[T]{data},
		define: func(array []T) error {
			return by.defineGatherElements(dst.in(array), data.Tensor, indices, axis)
		},
		run: func(array []T, opts []kernels.Option) error {
			return by.gatherElements(dst.in(array), data.Tensor, indices, axis, opts)
		},
	})
}

func (e *elementRow[T]) gatherND(c *randomCall) error {
	by := e.indexed[c.index%len(e.indexed)]
	data := e.place(c, "data", c.shape(c.rank()), false)
	r := len(data.Shape)
	b := c.IntN(min(r, 3))
	k := 1 + c.IntN(r-b)
	outer := slices.Concat(data.Shape[:b], c.tuples(elements(data.Shape[:b]), elements(data.Shape[b+k:])))
	indices := c.indices(by.limits, append(slices.Clone(outer), k), func(p []int) int { return data.Shape[b+p[len(p)-1]] })
	dst := e.place(c, "dst", slices.Concat(outer, data.Shape[b+k:]), true)
	c.tell("batch_dims %d, indices %s", b, by.name)

	if shape, err := kernels.GatherNDShape(data.Shape, indices.view.Shape, b); err != nil || !slices.Equal(shape, dst.Shape) {
		return fmt.Errorf("GatherNDShape: %v, %v", shape, err)
	}
	return e.compare(c, trial[T]{
		dst: dst, inputs: []placement[T]{data},
		define: func(array []T) error {
			return by.defineGatherND(dst.in(array), data.Tensor, indices, b)
		},
		run: func(array []T, opts []kernels.Option) error {
			return by.gatherND(dst.in(array), data.Tensor, indices, b, opts)
		},
	})
}

func (e *elementRow[T]) gather(c *randomCall) error {
	by := e.indexed[c.index%len(e.indexed)]
	data := e.place(c, "data", c.shape(c.rank()), false)
	axis, along := c.axis(len(data.Shape))
	b := c.IntN(min(along, 3) + 1)
	before, behind := data.Shape[:along], data.Shape[along+1:]
	own := c.tuples(elements(before), elements(behind))
	indices := c.indices(by.limits, slices.Concat(data.Shape[:b], own), func([]int) int { return data.Shape[along] })
	dst := e.place(c, "dst", slices.Concat(before, own, behind), true)
	batchDims := b
	if q := len(indices.view.Shape); b < q && q-b <= len(data.Shape) && c.chance(30) {
		batchDims = b - q
	}
	c.tell("axis %d, batch_dims %d, indices %s", axis, batchDims, by.name)

	if shape, err := kernels.GatherShape(data.Shape, indices.view.Shape, axis, batchDims); err != nil || !slices.Equal(shape, dst.Shape) {
		return fmt.Errorf("GatherShape: %v, %v", shape, err)
	}
	return e.compare(c, trial[T]{
		dst: dst, inputs: []placement[T]{data},
		define: func(array []T) error {
			return by.defineGather(dst.in(array), data.Tensor, indices, axis, batchDims)
		},
		run: func(array []T, opts []kernels.Option) error {
			return by.gather(dst.in(array), data.Tensor, indices, axis, batchDims, opts)
		},
	})
}

func (e *elementRow[T]) scatterElementsUpdate(c *randomCall) error {
	by := e.indexed[c.index%len(e.indexed)]
	inPlace := c.chance(40)
	data := e.place(c, "data", c.shape(c.rank()), inPlace)
	axis, along := c.axis(len(data.Shape))
	indices := c.indices(by.limits, c.partOf(data.Shape, along), func([]int) int { return data.Shape[along] })
	updates := e.place(c, "updates", indices.view.Shape, false)
	if v, length := c.view(updates.Shape, false); !inPlace && length <= len(data.Data) && c.chance(10) {
		updates = placementOf(data.array, data.at, len(data.Data), v) // inputs may share memory
		c.tell("updates in data's memory: strides %v offset %d", v.Strides, v.Offset)
	}
	dst := data.respelled(c)
	if inPlace {
		c.tell("dst in place: strides %v offset %d, its slice %d on", dst.Strides, dst.Offset, dst.at-data.at)
	} else {
		dst = e.place(c, "dst", data.Shape, true)
	}
	attrs := kernels.ScatterAttrs{Reduction: kernels.Reduction(c.IntN(6)), IgnoreInit: c.chance(40)}
	op := map[kernels.Reduction]generic.Op{
		kernels.None: generic.Replace, kernels.Sum: generic.Sum, kernels.Prod: generic.Prod,
		kernels.Min: generic.Min, kernels.Max: generic.Max, kernels.Mean: generic.Mean,
	}[attrs.Reduction]
	c.tell("axis %d, indices %s, %v, IgnoreInit %t", axis, by.name, attrs.Reduction, attrs.IgnoreInit)

	if shape, err := kernels.ScatterElementsUpdateShape(data.Shape, indices.view.Shape, updates.Shape, axis); err != nil || !slices.Equal(shape, dst.Shape) {
		return fmt.Errorf("ScatterElementsUpdateShape: %v, %v", shape, err)
	}
	source := func(array []T) kernels.Tensor[T] {
		if inPlace {
			return data.in(array)
		}
		return data.Tensor
	}
	trial := trial[T]{
		dst: dst, inputs: []placement[T]{data, updates}, unchangedOnError: inPlace,
		define: func(array []T) error {
			return by.defineScatter(dst.in(array), source(array), indices, updates.Tensor, axis, op, attrs.IgnoreInit)
		},
		run: func(array []T, opts []kernels.Option) error {
			return by.scatter(dst.in(array), source(array), indices, updates.Tensor, axis, attrs, opts)
		},
	}
	if makesNaN := op == generic.Sum || op == generic.Prod || op == generic.Mean; makesNaN && e.sameNumber != nil {
		trial.reduced = reducedCells(dst, func(marks []bool, v generic.View) error {
			return by.defineMarks(marks, v, indices, []bool{true}, repeated(indices.view.Shape), axis)
		})
	}
	return e.compare(c, trial)
}

// reducedCells marks the elements of dst's array that have an update: a NaN
// there is an arithmetic one. Everywhere else bits are kept.
func reducedCells[T any](dst placement[T], define func(marks []bool, v generic.View) error) []bool {
	marks, v := make([]bool, len(dst.array)), dst.View()
	v.Offset += dst.at
	_ = define(marks, v) // a bad index marks nothing; then no result is compared either
	return marks
}

// repeated is a tensor of one element.
func repeated(shape []int) generic.View {
	return generic.View{Shape: shape, Strides: make([]int, len(shape))}
}

func (e *elementRow[T]) scatterNDUpdate(c *randomCall) error {
	by := e.indexed[c.index%len(e.indexed)]
	inPlace := c.chance(40)
	data := e.place(c, "data", c.shape(c.rank()), inPlace)
	k := 1 + c.IntN(len(data.Shape))
	part := data.Shape[k:]
	tuples := c.tuples(1, elements(part))
	indices := c.indices(by.limits, append(slices.Clone(tuples), k), func(p []int) int { return data.Shape[p[len(p)-1]] })
	shape := slices.Concat(tuples, part)
	if len(shape) == 0 && c.chance(50) { // any of one element
		shape = slices.Repeat([]int{1}, c.IntN(4))
	}
	updates := e.place(c, "updates", shape, false)
	if v, length := c.view(updates.Shape, false); !inPlace && length <= len(data.Data) && c.chance(10) {
		updates = placementOf(data.array, data.at, len(data.Data), v) // inputs may share memory
		c.tell("updates in data's memory: strides %v offset %d", v.Strides, v.Offset)
	}
	dst := data.respelled(c)
	if inPlace {
		c.tell("dst in place: strides %v offset %d, its slice %d on", dst.Strides, dst.Offset, dst.at-data.at)
	} else {
		dst = e.place(c, "dst", data.Shape, true)
	}
	attrs := kernels.ScatterAttrs{Reduction: pick(c, ndReductions...), IgnoreInit: c.chance(30)}
	op := map[kernels.Reduction]generic.Op{
		kernels.None: generic.Replace, kernels.Sum: generic.Sum, kernels.Prod: generic.Prod,
		kernels.Min: generic.Min, kernels.Max: generic.Max, kernels.Sub: generic.Sub,
	}[attrs.Reduction]
	c.tell("indices %s, %v, IgnoreInit %t", by.name, attrs.Reduction, attrs.IgnoreInit)

	if shape, err := kernels.ScatterNDUpdateShape(data.Shape, indices.view.Shape, updates.Shape); err != nil || !slices.Equal(shape, dst.Shape) {
		return fmt.Errorf("ScatterNDUpdateShape: %v, %v", shape, err)
	}
	source := func(array []T) kernels.Tensor[T] {
		if inPlace {
			return data.in(array)
		}
		return data.Tensor
	}
	trial := trial[T]{
		dst: dst, inputs: []placement[T]{data, updates}, unchangedOnError: inPlace,
		define: func(array []T) error {
			return by.defineScatterND(dst.in(array), source(array), indices, updates.Tensor, op, attrs.IgnoreInit)
		},
		run: func(array []T, opts []kernels.Option) error {
			return by.scatterND(dst.in(array), source(array), indices, updates.Tensor, attrs, opts)
		},
	}
	if makesNaN := op == generic.Sum || op == generic.Prod || op == generic.Sub; makesNaN && e.sameNumber != nil {
		trial.reduced = reducedCells(dst, func(marks []bool, v generic.View) error {
			return by.defineMarksND(marks, v, indices, []bool{true}, repeated(updates.Shape))
		})
	}
	return e.compare(c, trial)
}

func (e *elementRow[T]) stridedSlice(c *randomCall) error {
	rank := c.rank()
	if c.chance(5) {
		rank = 0
	}
	data := e.place(c, "data", c.shape(rank), false)
	s, expect := c.slice(data.Shape)
	spec := kernels.SliceSpec(s)
	c.tell("%+v", spec)

	shape, shapeErr := generic.StridedSliceShape(data.Shape, s)
	got, err := kernels.StridedSliceShape(data.Shape, spec)
	if err := sameError("StridedSlice", err, shapeErr, expect); err != nil {
		return fmt.Errorf("StridedSliceShape: %w", err)
	} else if !slices.Equal(got, shape) {
		return fmt.Errorf("StridedSliceShape: %v, want %v", got, shape)
	}
	view, err := e.sliceViewBy(data.Tensor, spec)
	if err := checkView("StridedSlice", data.Tensor, view, err, s, shape, shapeErr, expect); err != nil {
		return fmt.Errorf("SliceView: %w", err)
	}
	dst := e.place(c, "dst", shape, true)
	return e.compare(c, trial[T]{
		dst: dst, inputs: []placement[T]{data}, unchangedOnError: true, errors: expect,
		define: func(array []T) error {
			d := dst.in(array)
			return generic.StridedSlice(d.Data, dst.View(), data.Data, data.View(), s)
		},
		run: func(array []T, opts []kernels.Option) error {
			return e.stridedSliceBy(dst.in(array), data.Tensor, spec, opts)
		},
	})
}

// checkView requires of a view the very elements that the definition of its slice reads.
func checkView[T any](op string, data, view kernels.Tensor[T], err error, s generic.Slice, shape []int, wantErr error, expect []error) error {
	if err := sameError(op, err, wantErr, expect); err != nil || wantErr != nil {
		return err
	}
	if !slices.Equal(view.Shape, shape) {
		return fmt.Errorf("shape %v, want %v", view.Shape, shape)
	}
	addresses := make([]int, len(data.Data))
	for i := range addresses {
		addresses[i] = i
	}
	want := make([]int, elements(shape))
	dataView := generic.View{Shape: data.Shape, Strides: data.Strides, Offset: data.Offset}
	if err := generic.StridedSlice(want, generic.View{Shape: shape}, addresses, dataView, s); err != nil {
		return err
	}
	v := generic.View{Shape: view.Shape, Strides: view.Strides, Offset: view.Offset}
	n := 0
	for p := range generic.Coordinates(shape) {
		if &view.Data[v.Address(p)] != &data.Data[want[n]] {
			return fmt.Errorf("element %v is not data's element %d", p, want[n])
		}
		n++
	}
	return nil
}

// A trial is one call, made on copies of dst's array.
type trial[T any] struct {
	dst              placement[T]
	inputs           []placement[T]
	define           func(array []T) error
	run              func(array []T, opts []kernels.Option) error
	unchangedOnError bool
	reduced          []bool  // where a NaN equals any NaN
	errors           []error // kinds that are as good as the definition's
}

func (e *elementRow[T]) compare(c *randomCall, t trial[T]) error {
	var inputs [][]T
	for _, in := range t.inputs {
		inputs = append(inputs, slices.Clone(in.array))
	}
	want := slices.Clone(t.dst.array)
	wantErr := t.define(want)
	for _, opts := range c.options() {
		got := slices.Clone(t.dst.array)
		told := 0
		if c.index%2 == 0 { // every other call is looked at
			opts = append(slices.Clip(opts), kernels.Observe(func(f kernels.Facts) {
				if told++; f.Op != c.op {
					told = -1
				}
			}))
		}
		err := t.run(got, opts)
		if told != 1-c.index%2 {
			return fmt.Errorf("options %+v: observed %d times", opts, told)
		}
		if err := e.judge(c, t, got, want, err, wantErr); err != nil {
			return fmt.Errorf("options %+v: %w", opts, err)
		}
		for i, in := range t.inputs {
			if !bytes.Equal(asBytes(inputs[i]), asBytes(in.array)) {
				return fmt.Errorf("options %+v: input %d has changed", opts, i)
			}
		}
	}
	return nil
}

func (e *elementRow[T]) judge(c *randomCall, t trial[T], got, want []T, err, wantErr error) error {
	if err := sameError(c.op, err, wantErr, t.errors); err != nil {
		return err
	}
	if wantErr != nil {
		want = t.dst.array // as it was
		if partly := errors.Is(err, kernels.ErrIndex) && !t.unchangedOnError; partly {
			want = slices.Clone(want)
			for i, reached := range t.dst.reached() {
				if reached {
					want[i] = got[i]
				}
			}
		}
	}
	if bytes.Equal(asBytes(got), asBytes(want)) {
		return nil
	}
	for i := range got {
		if bytes.Equal(asBytes(got[i:i+1]), asBytes(want[i:i+1])) {
			continue
		}
		if wantErr == nil && t.reduced != nil && t.reduced[i] && e.sameNumber(got[i], want[i]) {
			continue
		}
		at := i - t.dst.at
		return fmt.Errorf("dst.Data[%d] is %v (%x), want %v (%x), was %v; error %v", at,
			got[i], asBytes(got[i:i+1]), want[i], asBytes(want[i:i+1]), t.dst.array[i], err)
	}
	return nil
}

// sameError compares an operator's error with the definition's. Where several
// faults were planted, others lists the kinds that are also right.
func sameError(op string, got, want error, others []error) error {
	if want == nil || got == nil {
		if got != want {
			return fmt.Errorf("error %v, want %v", got, want)
		}
		return nil
	}
	for _, kind := range others {
		if errors.Is(got, kind) {
			return nil
		}
	}
	var bad *generic.BadIndex
	var offset *generic.BadOffset
	var noType *generic.BadType
	switch {
	case errors.As(want, &bad):
		var e *kernels.IndexError
		same := errors.As(got, &e) && errors.Is(got, kernels.ErrIndex) && e.Op == op &&
			slices.Equal(e.Position, bad.Position) && (e.Position == nil) == (bad.Position == nil) &&
			e.Value == bad.Value && e.Axis == bad.Axis && e.Size == bad.Size
		if !same {
			return fmt.Errorf("error %#v, want %#v", got, bad)
		}
	case errors.As(want, &offset):
		var e *kernels.OffsetError
		same := errors.As(got, &e) && errors.Is(got, kernels.ErrIndex) && e.Op == op &&
			slices.Equal(e.Position, offset.Position) && e.Value == offset.Value && e.Least == offset.Least && e.Most == offset.Most
		if !same {
			return fmt.Errorf("error %#v, want %#v", got, offset)
		}
	case errors.As(want, &noType):
		var e *kernels.TypeError
		if !errors.As(got, &e) || !errors.Is(got, kernels.ErrType) || e.Op != op {
			return fmt.Errorf("error %#v, want a TypeError of %s", got, op)
		}
	case errors.Is(want, generic.ErrSlice):
		var e *kernels.AttributeError
		if !errors.As(got, &e) || !errors.Is(got, kernels.ErrAttribute) || e.Op != op {
			return fmt.Errorf("error %#v, want an AttributeError of %s", got, op)
		}
	default:
		return want
	}
	return nil
}

// slice returns a random slice of a tensor of that shape. If more than one
// fault was planted, kinds lists the errors that may report them.
func (c *randomCall) slice(shape []int) (s generic.Slice, kinds []error) {
	const sliced, shrunk, newAxis, ellipsis = 0, 1, 2, 3
	var entries []int
	for range c.IntN(len(shape) + 1) {
		entries = append(entries, pick(c, sliced, sliced, sliced, shrunk))
	}
	consumed := len(entries)
	for c.chance(20) {
		entries = append(entries, newAxis)
	}
	if c.chance(40) {
		entries = append(entries, ellipsis)
	}
	c.Shuffle(len(entries), func(i, j int) { entries[i], entries[j] = entries[j], entries[i] })

	n := len(entries)
	mask := func(percent int) []bool {
		m := make([]bool, n)
		for i := range m {
			m[i] = c.chance(percent)
		}
		return m
	}
	s.Begin, s.End, s.Strides = make([]int64, n), make([]int64, n), make([]int64, n)
	s.BeginMask, s.EndMask, s.NewAxisMask, s.ShrinkAxisMask, s.EllipsisMask = mask(20), mask(25), mask(30), mask(30), mask(0)
	axis, wildShrink := 0, false
	for i, entry := range entries {
		size := 1 // of the axis, if the entry consumes one
		if entry <= shrunk {
			size = shape[axis]
		}
		s.Begin[i], s.End[i] = c.bound(size), c.bound(size)
		s.Strides[i] = pick[int64](c, 1, 1, 1, -1, -1, 2, -2, 3, -3, 5, -7, 1<<31, 1<<32+1, -1<<33, math.MaxInt64, math.MinInt64)
		// A mask of lower priority may be set as well.
		switch entry {
		case ellipsis:
			s.EllipsisMask[i] = true
			axis += len(shape) - consumed
		case newAxis:
			s.NewAxisMask[i] = true
		case shrunk:
			s.NewAxisMask[i], s.ShrinkAxisMask[i] = false, true
			if size > 0 && !c.chance(4) {
				s.Begin[i] = int64(c.IntN(2*size) - size)
			} else {
				wildShrink = true
			}
			axis++
		case sliced:
			s.NewAxisMask[i], s.ShrinkAxisMask[i] = false, false
			axis++
		}
		if entry != sliced && c.chance(20) {
			s.Strides[i] = 0 // not an error where it is ignored
		}
	}

	if c.chance(5) { // an attribute that is not allowed
		switch c.IntN(4) {
		case 0:
			if i := slices.Index(entries, sliced); i >= 0 {
				s.Strides[i] = 0
			}
		case 1:
			s.End = append(s.End, 0)
		case 2:
			for i := range min(n, 2) {
				s.EllipsisMask[i] = true
			}
		case 3:
			for range len(shape) + 1 - consumed {
				s.Begin, s.End, s.Strides = append(s.Begin, 0), append(s.End, 1), append(s.Strides, 1)
			}
		}
		if wildShrink {
			kinds = []error{kernels.ErrIndex, kernels.ErrAttribute}
		} else {
			kinds = nil
		}
	}
	if !slices.ContainsFunc(s.Strides, func(v int64) bool { return v != 1 }) || c.chance(20) && !slices.Contains(s.Strides, 0) {
		s.Strides = pick(c, nil, []int64{})
	}
	for _, m := range []*[]bool{&s.BeginMask, &s.EndMask, &s.NewAxisMask, &s.ShrinkAxisMask, &s.EllipsisMask} {
		if last := n - 1; c.chance(50) { // missing bits are 0
			for last >= 0 && !(*m)[last] {
				last--
			}
			*m = (*m)[:last+1]
		} else if c.chance(20) && len(s.Begin) == n { // bits past the entries are ignored
			*m = append(*m, c.chance(50), c.chance(50))
		}
	}
	return s, kinds
}

// bound returns a begin or end for an axis of that size, often a wild one.
func (c *randomCall) bound(size int) int64 {
	if c.chance(70) {
		return int64(c.IntN(2*size+7) - size - 3)
	}
	return pick(c, 0, -1, int64(size), -int64(size), -int64(size)-1, 1<<31, -1<<31, 1<<32, -1<<32-1,
		math.MaxInt64, math.MaxInt64-1, math.MinInt64, math.MinInt64+1, int64(c.Uint64()))
}
