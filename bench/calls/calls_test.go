package calls

import (
	"math"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/kernels"
)

const drawn = 20_000

func drawAll() []Call {
	all := make([]Call, drawn)
	for i := range all {
		all[i] = Draw(1, uint64(i))
	}
	return all
}

// near reports a share that is more than one in 100 from what it should be.
func near(t *testing.T, what string, count, of int, percent float64) {
	t.Helper()
	if got := 100 * float64(count) / float64(of); math.Abs(got-percent) > 1 {
		t.Errorf("%s: %.1f %%, not %.1f", what, got, percent)
	}
}

func checkShares[T comparable](t *testing.T, shares []share[T], all []Call, of func(Call) T) {
	t.Helper()
	counts, sum := map[T]int{}, 0.
	for _, c := range all {
		counts[of(c)]++
	}
	for _, s := range shares {
		near(t, "", counts[s.value], len(all), s.percent)
		sum += s.percent
	}
	if sum != 100 {
		t.Errorf("%v adds up to %v", shares, sum)
	}
}

func TestShares(t *testing.T) {
	all := drawAll()
	only := func(of func(Call) bool) []Call {
		return slices.DeleteFunc(slices.Clone(all), func(c Call) bool { return !of(c) })
	}
	elementwise := only(func(c Call) bool { return c.Operator == GatherElements || c.Operator == ScatterElementsUpdate })
	checkShares(t, operatorShares, all, func(c Call) string { return c.Operator })
	checkShares(t, elemShares, all, func(c Call) string { return c.Elem })
	checkShares(t, stridesShares, all, func(c Call) Strides { return c.Strides })
	checkShares(t, rankShares, elementwise, func(c Call) int { return len(c.Moved) })
	indexed := only(func(c Call) bool { return !c.Slices() })
	checkShares(t, indexShares, indexed, func(c Call) string { return c.Index })
	checkShares(t, patternShares, indexed, func(c Call) Pattern { return c.Pattern })
	checkShares(t, reductionShares, only(func(c Call) bool { return c.Operator == ScatterElementsUpdate && c.Elem != "complex64" }),
		func(c Call) kernels.Reduction { return c.Reduction })
	scatters := only(Call.Scatters)
	near(t, "in place", len(only(func(c Call) bool { return c.InPlace })), len(scatters), inPlace)
	near(t, "without init", len(only(func(c Call) bool { return c.IgnoreInit })), len(scatters), ignoreInit)

	// Bytes are log-uniform: each doubling has as many calls. The last one has those with large tables, too.
	var doublings [15]int
	axes, commons, tables := 0, 0, 0
	for _, c := range all {
		if i := math.Log2(float64(c.Elements()*c.ElemSize())/leastBytes) + 0.01; i >= 0 {
			doublings[min(int(i), 14)]++
		}
		for _, n := range c.Moved {
			axes++
			if slices.Contains(commonSizes, n) {
				commons++
			}
		}
		if b := product(c.Data) * c.ElemSize(); b >= leastTable && c.Operator == Gather {
			tables++
		}
	}
	for _, n := range doublings[:14] {
		near(t, "a doubling of bytes", n, drawn, (100-withTable)/15.)
	}
	if share := float64(commons) / float64(axes); share < 0.74 || share > 0.8 { // those that are common by chance, too
		t.Errorf("%.3f of the axes have a common size", share)
	}
	if tables == 0 {
		t.Error("no large tables")
	}
}

// An id names the same call, and the same call has the same tensors.
func TestCallsRepeat(t *testing.T) {
	made := 0
	for _, c := range drawAll() {
		again, err := ByID(c.ID())
		if err != nil || again.String() != c.String() {
			t.Fatalf("%s: %v, then %v, %v", c.ID(), c, again, err)
		}
		if made == 300 || product(c.Data)+c.Elements() > 1<<16 {
			continue
		}
		made++
		var hashes [3]uint32
		first, second := Make(c), Make(again)
		for i, j := range []Job{first, second, first} {
			j.Reset()
			if err := j.Run(1 + i); err != nil {
				t.Fatalf("%s: %s, %v: %v", c.ID(), c.Operator, c, err)
			}
			hashes[i] = j.Hash()
		}
		if hashes[0] != hashes[1] || hashes[0] != hashes[2] {
			t.Errorf("%s: %s, %v: %x", c.ID(), c.Operator, c, hashes)
		}
	}
	for _, id := range []string{"", "7", "7.", "7.x", "-1.2"} {
		if _, err := ByID(id); err == nil {
			t.Errorf("%q is taken for an id", id)
		}
	}
}

// Contents are part of what a figure means.
func TestPatterns(t *testing.T) {
	c := Call{Seed: 1, Operator: GatherElements, Elem: "float32", Index: "int64", Data: []int{2, 500, 3}, Indices: []int{2, 1000, 3}, Moved: []int{2, 1000, 3}, Axis: 1}
	at := func(x kernels.Tensor[int64], o, i, j int) int64 {
		if x.Strides == nil {
			return x.Data[(o*1000+i)*3+j]
		}
		return x.Data[o*x.Strides[0]+i*x.Strides[1]+j*x.Strides[2]]
	}
	for _, p := range patternShares {
		c.Pattern = p.value
		x := New[float32, int64](c).Indices
		counts := map[int64]int{}
		sorted, constant, negative := true, true, 0
		for o := range 2 {
			for i := range 1000 {
				for j := range 3 {
					v := at(x, o, i, j)
					if v < -500 || v >= 500 {
						t.Fatalf("%s: %d", p.value, v)
					}
					counts[v]++
					constant = constant && v == at(x, o, i, 0)
					sorted = sorted && (i == 0 || v >= at(x, o, i-1, j))
					if v < 0 {
						negative++
					}
				}
			}
		}
		most := 0
		for _, n := range counts {
			most = max(most, n)
		}
		if sorted != (p.value == Sorted || p.value == Equal) || constant != (p.value == Constant || p.value == Stride0 || p.value == Equal) {
			t.Errorf("%s: sorted %v, constant %v", p.value, sorted, constant)
		}
		if (len(counts) == 1) != (p.value == Equal) || (most > 600) != (p.value == Skewed || p.value == Equal) {
			t.Errorf("%s: %d different, %d times the same", p.value, len(counts), most)
		}
		if want := 0; p.value == Negative {
			near(t, "negative", negative, 6000, 50)
		} else if negative != want {
			t.Errorf("%s: %d negative", p.value, negative)
		}
		if (len(x.Data) == 2000) != (p.value == Stride0) {
			t.Errorf("%s: %d in memory", p.value, len(x.Data))
		}
	}
}

func TestSameNaN(t *testing.T) {
	f := []float32{1, math.Float32frombits(0x7F800001), math.Float32frombits(0xFFC00000)}
	SameNaN(f)
	if f[0] != 1 || math.Float32bits(f[1]) != math.Float32bits(f[2]) {
		t.Error(f)
	}
	h := []kernels.Float16{0x7C00, 0x7C01, 0xFE00}
	SameNaN(h)
	if h[0] != 0x7C00 || h[1] != h[2] {
		t.Error(h)
	}
	b := []kernels.BFloat16{0x7F80, 0x7F81, 0xFFC0}
	SameNaN(b)
	if b[0] != 0x7F80 || b[1] != b[2] {
		t.Error(b)
	}
}
