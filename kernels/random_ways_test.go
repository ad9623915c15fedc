package kernels_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
)

// A wayCall makes a random call with several worker counts, in one way more often than other random
// calls do. It returns what ran.
type wayCall func(c *randomCall) (ran []string, err error)

// runWay makes some of the random calls, in parts, and wants the way among what ran.
func runWay(t *testing.T, way string, fewer int, calls ...wayCall) {
	kernels.CutAlone(t)
	table := dispatch.Default
	t.Cleanup(func() { dispatch.Default = table })
	d := &dispatch.Default
	d.SmallElements, d.WorkerTime, d.PartTime, d.OwnedTable, d.StripTable = 0, 1, 1, 0, 0
	seed, first, last := randomSettings(t, false)
	if first == 0 {
		last = (last + fewer - 1) / fewer
	}
	seen := 0
	for n := first; n < last; n++ {
		c := &randomCall{Rand: rand.New(rand.NewPCG(seed, uint64(n)))}
		if err := c.recovered(func() error {
			ran, err := calls[n%len(calls)](c)
			for _, kernel := range ran {
				if strings.Contains(kernel, way) {
					seen++
				}
			}
			return err
		}); err != nil {
			t.Fatalf("case %d: %v%s\nLANES_SEED=%d LANES_CASES=%d:%d go test ./kernels -run '^%s$'", n, err, c.story(), seed, n, n+1, t.Name())
		}
	}
	if t.Logf("%d cases: %d times %s", last-first, seen, way); seen == 0 && last-first >= 100 {
		t.Fatalf("no call ran %q", way)
	}
}

// wayPolicy returns options with a policy, half of the time the usual one.
func wayPolicy(c *randomCall) kernels.Option {
	p := kernels.IndexPolicy{OutOfRange: kernels.OutOfRange(c.IntN(3)), NegativeIsOutOfRange: c.chance(33)}
	if c.chance(50) {
		p = kernels.IndexPolicy{}
	}
	c.tell("%+v", p)
	return kernels.Indices(p)
}

// TestRandomOwned: scatters into tables of some columns, whose elements also interleave and lie
// backwards, give with several workers what they give with one.
func TestRandomOwned(t *testing.T) {
	runWay(t, "scatter, owned ranges", 5, ownedCall[float32, int64], ownedCall[uint8, int8], ownedCall[uint8, int32],
		ownedCall[float64, uint16], ownedCall[int32, int32], ownedCall[float32, int8])
}

func ownedCall[T uint8 | int32 | float32 | float64, I kernels.Index](c *randomCall) (ran []string, err error) {
	rank := 1 + c.IntN(4)
	axis := c.IntN(2) * c.IntN(rank)
	shape, some := make([]int, rank), make([]int, rank)
	for d := range shape {
		shape[d] = 1 + c.IntN(5)
		some[d] = pick(c, shape[d], 1+c.IntN(shape[d]))
	}
	shape[axis], some[axis] = 2+c.IntN(100), 1+c.IntN(700)
	order := c.Perm(rank)
	if i := slices.Index(order, axis); c.chance(50) { // rows of the axis contain all columns
		order[0], order[i] = order[i], order[0]
	}
	dst, reach := permuted[T](shape, order), 0
	if rank > 2 && c.chance(50) {
		p, q := shape[order[rank-1]], shape[order[rank-2]]
		if injective(generic.View{Shape: []int{p, q}, Strides: []int{q, p}}) {
			dst.Strides[order[rank-1]] = q // p elements q apart, and q that are p apart
		}
	}
	apart := 1 + c.IntN(2)
	for d, n := range shape {
		dst.Strides[d] *= apart
		reach += (n - 1) * dst.Strides[d]
		if c.chance(12) {
			dst.Offset, dst.Strides[d] = dst.Offset+(n-1)*dst.Strides[d], -dst.Strides[d]
		}
	}
	x, most := zeros[I](some...), pick(c, shape[axis], shape[axis], min(shape[axis], 4))
	for i := range x.Data {
		if x.Data[i] = I(c.IntN(most)); ^I(0) < 0 && c.chance(33) {
			x.Data[i] -= I(shape[axis])
		}
	}
	if c.chance(25) {
		x.Data[c.IntN(len(x.Data))] = 120
	}
	updates, policy := kernels.New(numbers[T](elements(some)), some...), wayPolicy(c)
	attrs := kernels.ScatterAttrs{Reduction: kernels.Reduction(c.IntN(5)), IgnoreInit: c.chance(33)}
	c.tell("shape %v strides %v, indices %v along %d, %+v", shape, dst.Strides, some, axis, attrs)
	run := func(workers int) ([]T, string) {
		dst.Data = numbers[T](reach + 1)
		err = kernels.ScatterElementsUpdate(dst, dst, x, updates, axis, attrs, kernels.Workers(workers), policy,
			kernels.Observe(func(f kernels.Facts) { ran = append(ran, f.Kernel) }))
		return dst.Data, fmt.Sprint(err)
	}
	want, wantErr := run(1)
	for _, workers := range []int{2, 3, 7} {
		if got, gotErr := run(workers); gotErr != wantErr || !slices.Equal(got, want) {
			return ran, fmt.Errorf("%d workers, %s: not what one gives; error %s, want %s", workers, ran[len(ran)-1], gotErr, wantErr)
		}
	}
	return ran, nil
}

// TestRandomPacked: gathers of rows of transposed tables, of more axes than an array of loops holds
// too, give what those of a dense table give.
func TestRandomPacked(t *testing.T) {
	kernels.PackRows(t, 700)
	runWay(t, "gather, packed strips", 60, packedCall[float32, int64], packedCall[uint8, int8], packedCall[float64, int32])
}

func packedCall[T uint8 | float32 | float64, I int8 | int32 | int64](c *randomCall) (ran []string, err error) {
	rank, most := 2+c.IntN(4), 12
	if c.chance(33) {
		rank, most = 12+c.IntN(4), 2
	}
	shape, order, axis := make([]int, rank), c.Perm(rank), c.IntN(rank)
	size := 4 + c.IntN(40)
	for d, total := 0, size; d < rank; d++ {
		shape[d] = min(pick(c, most, 1+c.IntN(most)), max(1, 300_000/total))
		if total *= shape[d]; d == axis {
			total, shape[d] = total/shape[d], size
		}
	}
	last, i := rank-1-c.IntN(2), slices.Index(order, axis)
	order[last], order[i] = order[i], order[last] // rows of the axis lie near each other
	data := permuted[T](shape, order)
	for i := range data.Data {
		data.Data[i] = T(c.IntN(200))
	}
	if d := c.IntN(rank); c.chance(25) {
		data.Offset, data.Strides[d] = (shape[d]-1)*data.Strides[d], -data.Strides[d]
	}
	batch, own := c.IntN(2)*c.IntN(min(axis, 2)+1), []int{1 + c.IntN(30), 1 + c.IntN(3)}[:1+c.IntN(2)]
	x := zeros[I](slices.Concat(shape[:batch], own)...)
	for i := range x.Data {
		x.Data[i] = I(c.IntN(2*shape[axis]) - shape[axis])
	}
	if c.chance(25) {
		x.Data[c.IntN(len(x.Data))] = 100
	}
	policy, dense := wayPolicy(c), kernels.New(inOrder(data), shape...)
	c.tell("shape %v strides %v, indices %v along %d", shape, data.Strides, x.Shape, axis)
	run := func(data kernels.Tensor[T], workers int) ([]T, string) {
		dst := zeros[T](slices.Concat(shape[:axis], own, shape[axis+1:])...)
		err = kernels.Gather(dst, data, x, axis, batch, kernels.Workers(workers), policy,
			kernels.Observe(func(f kernels.Facts) { ran = append(ran, f.Kernel) }))
		return dst.Data, fmt.Sprint(err)
	}
	want, wantErr := run(dense, 1)
	for _, workers := range []int{1, 2, 5} {
		got, gotErr := run(data, workers)
		if gotErr != wantErr || err == nil && !slices.Equal(got, want) {
			return ran, fmt.Errorf("%d workers, %s: not what a dense table gives; error %s, want %s", workers, ran[len(ran)-1], gotErr, wantErr)
		}
	}
	return ran, nil
}
