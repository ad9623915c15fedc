package lanes

import (
	"github.com/lanes-go/lanes/dispatch"
	"github.com/lanes-go/lanes/generic"
)

// runs combines numbers in Go if indices that follow each other name one cell, judged by a sample,
// and reports whether it has. A body stores a cell and loads it again for each update, and waits
// for it: less for integers of 32 and 64 bits, and as much in Go for halves, which are converted.
// (BenchmarkRuns. Zen 4, ns an update by a body and in Go: sums of float32 in runs of 16 1.6 and
// 2.0, of 32 2.2 and 1.3, of 64 2.7 and 1.3, of 1024 3.5 and 1.2, of uint8 of 64 1.4 and 0.9, of
// 1024 1.75 and 0.6, of int32 0.8 and 1.0, 0.6 and 0.8; minima of float64 of 64 2.4 and 0.9, of
// 1024 3.3 and 0.6.)
func (t *tables) runs() (bad int, ok bool) {
	kind := t.dst.Kind
	_, half := kind.Half()
	switch {
	case t.op == generic.Replace || t.dst.Col != 0 || t.cols < dispatch.Near.Runs:
		return 0, false
	case t.on.bodies() && (half || kind.Integer() && kind.Width() >= 4):
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
	if n < 8*dispatch.Near.Runs || !inRuns(indices.Data[indices.At:][:n]) {
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

// inRuns reports whether most indices are equal to those around them, judged by a sample.
func inRuns[I int32 | int64](x []I) bool {
	const samples = 16
	apart, equal := min(16, len(x)/2), 0
	last := len(x) - 1 - apart
	if last <= 0 {
		return false
	}
	for k := range samples {
		if at := x[last/samples*k:]; at[0] == at[1] && at[0] == at[apart] {
			equal++
		}
	}
	return equal >= samples/2
}

// equal returns how many of the first indices are equal.
func equal[I int32 | int64](x []I) int {
	n, k := 1, x[0]
	for ; n+8 <= len(x); n += 8 {
		y := x[n : n+8]
		if (y[0]^k)|(y[1]^k)|(y[2]^k)|(y[3]^k)|(y[4]^k)|(y[5]^k)|(y[6]^k)|(y[7]^k) != 0 {
			break
		}
	}
	for n < len(x) && x[n] == k {
		n++
	}
	return n
}
