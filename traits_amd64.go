//go:build !purego && !noasm

package lanes

import (
	"fmt"
	"sync"
	"time"

	"github.com/lanes-go/lanes/dispatch"
)

var calibrates sync.Mutex

// has reports whether this CPU has a trait, and measures the open ones when it
// is asked for the first time.
func has(t dispatch.Trait) bool {
	if !dispatch.Known(t) {
		calibrates.Lock()
		dispatch.Calibrate(fast) // what another goroutine has measured meanwhile stands
		calibrates.Unlock()
	}
	return dispatch.Has(t)
}

// fast measures whether gather instructions beat elements one by one, on a table in the first-level cache. It takes some 20 µs. An interruption only
// makes a time longer, so that the least of several counts.
func fast(dispatch.Trait) (bool, string) {
	const n, rounds = 1024, 8
	type room struct {
		indices [n]int64
		a, b    [n]uint32
	}
	r := new(room)
	for i := range r.indices {
		r.indices[i] = int64(i * 389 % n) // odd, so that every entry is named once
	}
	x, a, b := elem(r.indices[:], 0), elem(r.a[:], 0), elem(r.b[:], 0)
	gather := gatherCall{dst: a, table: b, indices: x, size: n, step: 1, rows: 1, cols: n, elem: 4, index: 8}
	one, many := func() { gatherEachPiece(4, 8, a, b, x, n, n) }, func() { gather.piece() }
	var best [2]time.Duration
	for i := range rounds {
		for k, f := range [...]func(){one, many} {
			start := time.Now()
			f()
			if d := time.Since(start); i == 0 || d < best[k] {
				best[k] = d
			}
		}
	}
	per := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / n }
	return best[1] < best[0], fmt.Sprintf("measured: %.2f ns an element, one by one %.2f", per(best[1]), per(best[0]))
}
