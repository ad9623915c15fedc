package lanes

import (
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
)

// runs combines numbers in Go if indices that follow each other name one cell, and reports whether
// it has.
func (t *tables) runs() (bad int, ok bool) {
	switch {
	case t.op == generic.Replace || t.dst.Col != 0 || t.cols < dispatch.Near.Runs:
		return 0, false
	case t.indices.Kind == KindI32:
		return reduceRuns[int32](t)
	}
	return reduceRuns[int64](t)
}

// reduceRuns is runs for a type of indices:
//
//	for each run of equal indices k { dst[k] = dst[k] op its updates, one after the other }
func reduceRuns[I int32 | int64](t *tables) (bad int, ok bool) {
	indices, n := planeOf[I](t.indices), t.cols
	if t.indices.Row == n {
		n *= t.rows
	}
	if n < 8*dispatch.Near.Runs || !inRuns(indices.Data[indices.At:][:n], runLength(t.on, t.dst.Kind)) {
		return 0, false
	}
	updates := *t.updates
	for i := range t.rows {
		x := indices.Data[indices.At+i*indices.Row:][:t.cols]
		for j := 0; j < t.cols; {
			k := int64(x[j])
			if k < 0 {
				k += int64(t.size)
			}
			if uint64(k) >= uint64(t.size) {
				return i*t.cols + j, true
			}
			n, cell := equal(x[j:]), [...]int{int(k) * t.step}
			updates.At = t.updates.At + i*t.updates.Row + j
			reduceGeneric(t.op, &t.dst.Memory, t.dst.At+i*t.dst.Row, 0, cell[:], &updates, n)
			j += n
		}
	}
	return -1, true
}
