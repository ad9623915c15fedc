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

// fast measures whether the CPU has a trait.
func fast(t dispatch.Trait) (bool, string) {
	if t == dispatch.FastMovs {
		return fastMovs()
	}
	return fastGather()
}

// fastMovs measures whether REP MOVSB beats memmove by a quarter, from a run into memory that the
// second-level cache does not hold. It takes some 300 µs, most of them for the system to provide that
// memory, so only copies of leastCalibrated bytes ask for it.
func fastMovs() (bool, string) {
	const run = 64 << 10
	n := max(1, 2*dispatch.Near.Second/run)
	src, dst := make([]byte, run), make([]byte, n*run)
	on := isa{dispatch.Active(), dispatch.FastMovs}
	each := func(f func(d, s *byte)) func() {
		return func() {
			for i := range n {
				f(&dst[i*run], &src[0])
			}
		}
	}
	best := fastest(2, each(func(d, s *byte) { copyRow(d, s, run) }), each(func(d, s *byte) { copyLongPiece(on, d, s, run) }))
	rate := func(d time.Duration) string {
		return strconv.FormatFloat(float64(n*run)/float64(max(d.Nanoseconds(), 1)), 'f', 0, 64)
	}
	return 5*best[1] < 4*best[0], "measured: " + rate(best[1]) + " GB/s, memmove " + rate(best[0])
}

// leastCalibrated is the least size of a copy before which FastMovs is measured.
const leastCalibrated = 1 << 20

// fastest returns the time of each of two functions. Interruptions only add time, so the shortest of
// several runs counts.
func fastest(runs int, one, many func()) (best [2]time.Duration) {
	for i := range runs {
		for k, f := range [...]func(){one, many} {
			start := time.Now()
			f()
			if d := time.Since(start); i == 0 || d < best[k] {
				best[k] = d
			}
		}
	}
	return best
}

// fastGather measures whether gather instructions beat loads one by one, on a table in the
// first-level cache, in some 20 µs.
func fastGather() (bool, string) {
	const n = 1024
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
	best := fastest(8,
		func() { gatherEachPiece(on, 4, 8, a.elem(0), b.elem(0), x.elem(0), 0, 0, 0, n, 1, n) },
		func() { gatherPiece(on, 4, 8, a.elem(0), b.elem(0), x.elem(0), 0, 0, 0, n, 1, n, false) },
	)
	per := func(d time.Duration) string { return strconv.FormatFloat(float64(d.Nanoseconds())/n, 'f', 2, 64) }
	return best[1] < best[0], "measured: " + per(best[1]) + " ns an element, one by one " + per(best[0])
}
