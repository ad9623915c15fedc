package lanes

import (
	"strconv"
	"sync"
	"time"

	"github.com/lanes-go/lanes/dispatch"
)

// An isa chooses a body: by the level, and by the traits that the choice depends on. The body is
// that of the most capable level, up to this one, which has a body.
type isa struct {
	level  dispatch.Level
	traits dispatch.Trait
}

// active returns the level in use.
func active() isa { return isa{level: dispatch.Active()} }

// bodies reports whether there are bodies at all.
func (on isa) bodies() bool { return assembled && on.level > dispatch.Generic }

var calibrates sync.Mutex

// with returns on with those of the traits that this CPU has. It measures unknown traits at the
// first call.
func (on isa) with(traits dispatch.Trait) isa {
	if !dispatch.Known(traits) {
		calibrate()
	}
	on.traits |= dispatch.Traits() & traits
	return on
}

func calibrate() {
	calibrates.Lock()
	dispatch.Calibrate(fast) // measures nothing if another goroutine has done so meanwhile
	calibrates.Unlock()
}

// fast measures whether gather instructions beat loads one by one, on a table in the first-level
// cache, in some 20 µs. Interruptions only add time, so the shortest of several runs counts.
func fast(dispatch.Trait) (bool, string) {
	const n, rounds = 1024, 8
	type scratch struct {
		indices [n]int64
		a, b    [n]uint32
	}
	r := new(scratch)
	for i := range r.indices {
		r.indices[i] = int64(i * 389 % n) // odd, so that every entry is named once
	}
	x, a, b := memoryOf(KindI64, r.indices[:]), memoryOf(KindX32, r.a[:]), memoryOf(KindX32, r.b[:])
	on := isa{dispatch.Active(), dispatch.FastGather}
	one := func() { gatherEachPiece(on, 4, 8, a.elem(0), b.elem(0), x.elem(0), 0, 0, 0, n, 1, n) }
	many := func() { gatherPiece(on, 4, 8, a.elem(0), b.elem(0), x.elem(0), 0, 0, 0, n, 1, n, false) }
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
	per := func(d time.Duration) string { return strconv.FormatFloat(float64(d.Nanoseconds())/n, 'f', 2, 64) }
	return best[1] < best[0], "measured: " + per(best[1]) + " ns an element, one by one " + per(best[0])
}
