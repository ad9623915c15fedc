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

// with returns on with those of the traits that this CPU has. It measures those of them that are
// unknown at the first call.
func (on isa) with(traits dispatch.Trait) isa {
	if !dispatch.Known(traits) {
		calibrate(traits)
	}
	on.traits |= dispatch.Traits() & traits
	return on
}

func calibrate(traits dispatch.Trait) {
	calibrates.Lock()
	dispatch.Calibrate(traits, fast) // measures nothing if another goroutine has done so meanwhile
	calibrates.Unlock()
}

// fast measures whether the CPU has a trait: one way to do the same against another. Interruptions
// only add time, so the shortest of several runs counts.
func fast(t dispatch.Trait) (bool, string) {
	ways := gathers
	if t == dispatch.FastMovs {
		ways = copies
	}
	one, many, n, runs := ways()
	var best [2]time.Duration
	for i := range runs {
		for k, f := range [...]func(){one, many} {
			start := time.Now()
			f()
			if d := time.Since(start); i == 0 || d < best[k] {
				best[k] = d
			}
		}
	}
	wanted := best[0]
	if t == dispatch.FastMovs { // by a quarter
		wanted -= wanted / 5
	}
	per := func(d time.Duration) string { return strconv.FormatInt(d.Nanoseconds()*1000/int64(n), 10) }
	return best[1] < wanted, "measured: " + per(best[1]) + " ps an element, " + per(best[0]) + " without it"
}

// gathers returns loads one by one and gather instructions, on a table of n elements in the
// first-level cache. All runs take some 20 µs.
func gathers() (one, many func(), n, runs int) {
	const size = 1024
	type scratch struct {
		indices [size]int64
		a, b    [size]uint32
	}
	r := new(scratch)
	for i := range r.indices {
		r.indices[i] = int64(i * 389 % size) // odd, so that every entry is named once
	}
	x, a, b := memoryOf(KindI64, r.indices[:]), memoryOf(KindX32, r.a[:]), memoryOf(KindX32, r.b[:])
	on := isa{dispatch.Active(), dispatch.FastGather}
	one = func() { gatherEachPiece(on, 4, 8, a.elem(0), b.elem(0), x.elem(0), 0, 0, 0, size, 1, size, 0, 0) }
	many = func() { gatherPiece(on, 4, 8, a.elem(0), b.elem(0), x.elem(0), 0, 0, 0, size, 1, size, false) }
	return one, many, size, 8
}

// copies returns copies by vectors and by REP MOVSB of a run into n bytes, which the second-level
// cache does not hold. All runs take some 500 µs, most of which the system needs to provide that
// memory, so only copies of leastCalibrated bytes and more measure.
func copies() (one, many func(), n, runs int) {
	const run = 64 << 10
	n = max(2*dispatch.Near.Second, run) / run * run
	src, dst := make([]byte, run), make([]byte, n)
	on := isa{dispatch.Active(), dispatch.FastMovs}
	one = func() {
		for i := 0; i < n; i += run {
			copyRowsPiece(on, &dst[i], &src[0], 0, 0, 1, run, 0, false)
		}
	}
	many = func() {
		for i := 0; i < n; i += run {
			copyLongPiece(on, &dst[i], &src[0], run)
		}
	}
	return one, many, n, 4
}

// leastCalibrated is the least size of a copy before which FastMovs is measured.
const leastCalibrated = 1 << 20
