package generic

import (
	"fmt"
	"slices"
)

// BadOffset is the error of an offset that is less than the one before it, or
// more than there are indices.
type BadOffset struct {
	Position    []int  // in offsets, the first bad one
	Value       string // the offset as given
	Least, Most int
}

func (e *BadOffset) Error() string {
	return fmt.Sprintf("offset %s at %v is outside [%d, %d]", e.Value, e.Position, e.Least, e.Most)
}

// EmbeddingBag defines kernels.EmbeddingBag. Bag b is the indices from
// offsets[b] up to offsets[b+1], or to their end:
//
//	dst[b, c...] = table[indices[i], c...] reduced, in the order of i, from the reduction's identity
//
// Each is multiplied by weights[i] first, unless weights is nil. A bag without an index that names
// a row is row defaultIndex of table, or zeros when that is -1. Offsets, and indices in bags, are
// checked before anything is written; a bad one is a *BadOffset or a *BadIndex. A T that has no
// such reduction is a *BadType. An empty dst reads none of them.
func EmbeddingBag[T any, I AnyIndex](dst []T, dv View, table []T, tv View, indices []I, xv View, offsets []I, ov View,
	weights []T, wv View, op Op, defaultIndex int, policy ...IndexPolicy) error {
	by := policyOf(policy, IndexPolicy{})
	reduce, err := reduction[T](op, true)
	if err != nil {
		return err
	}
	if slices.Contains(dv.Shape, 0) {
		return nil
	}
	bags, count := ov.Shape[0], xv.Shape[0]
	starts := []int{0}
	for b := range bags {
		o, least := offsets[ov.Address([]int{b})], starts[len(starts)-1]
		if o < 0 || uint64(o) < uint64(least) || uint64(o) > uint64(count) {
			return &BadOffset{[]int{b}, decimal(o), least, count}
		}
		starts = append(starts, int(o))
	}
	starts = append(starts[1:], count)
	for i := starts[0]; i < count; i++ {
		k := indices[xv.Address([]int{i})]
		if _, _, ok := elementBy(by, k, tv.Shape[0]); !ok {
			return &BadIndex{[]int{i}, decimal(k), 0, tv.Shape[0]}
		}
	}

	for c := range Coordinates(dv.Shape) {
		row := func(k int) T { return table[tv.Address(slices.Concat([]int{k}, c[1:]))] }
		var values []T
		for i := starts[c[0]]; i < starts[c[0]+1]; i++ {
			k, named, _ := elementBy(by, indices[xv.Address([]int{i})], tv.Shape[0])
			if !named {
				continue
			}
			v := row(k)
			if weights != nil {
				v = times(v, weights[wv.Address([]int{i})])
			}
			values = append(values, v)
		}
		var v T
		switch {
		case len(values) > 0:
			v = reduce(v, values)
		case defaultIndex >= 0:
			v = row(defaultIndex)
		}
		dst[dv.Address(c)] = v
	}
	return nil
}

// times returns a product as reductions have it.
func times[T any](a, b T) T {
	multiply, err := reduction[T](Prod, false)
	if err != nil {
		panic(err) // what has a sum has a product
	}
	return multiply(a, []T{b})
}
