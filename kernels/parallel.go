package kernels

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lanes-go/lanes/dispatch"
)

// A call with enough work is cut into parts. The caller's goroutine takes parts from the front,
// helpers take them from the back, until none is left.
//
// A helper is an ordinary goroutine. A sleeping thread takes 30 to 120 µs to run one, longer than
// many calls take. So a helper without parts polls for the next call for a while before it ends
// (dispatch.Thresholds.WakeTime). The caller waits only for helpers that run one of its parts.

// A task is work in parts. Each part runs once, on any goroutine, and concurrently with other
// parts.
type task interface {
	part(i int)
	leave() // called when a helper has run its last part
}

// A job is a task whose parts are being taken.
type job struct {
	task  task
	parts uint64 // fewer than 2^31
	taken atomic.Uint64
	left  atomic.Int64 // parts that have not returned
	lost  atomic.Bool  // a part has panicked on a goroutine that called help
	seats atomic.Int64 // for helpers

	// done is locked until the last part returns. A channel or a WaitGroup would tie the helpers to
	// the bubble of a synctest test; a mutex does not.
	done sync.Mutex
}

// taken counts the parts that were taken from the front in its low half, and
// from the back in its high half.
const fromFront, fromBack, lowHalf = 1, 1 << 32, 1<<32 - 1

func newJob(t task, parts, seats int) *job {
	j := &job{task: t, parts: uint64(parts)}
	j.left.Store(int64(parts))
	j.seats.Store(int64(seats))
	j.done.Lock()
	return j
}

// take returns the next part from one end.
func (j *job) take(end uint64) (i int, ok bool) {
	if j.exhausted() { // so that the counts do not overflow
		return 0, false
	}
	return partTaken(j.taken.Add(end), end, j.parts)
}

// partTaken returns which part was taken from one end when the counts became taken, and whether one
// was left.
func partTaken(taken, end, parts uint64) (i int, ok bool) {
	front, back := taken&lowHalf, taken>>32
	switch {
	case front+back > parts:
		return 0, false
	case end == fromFront:
		return int(front - 1), true
	default:
		return int(parts - back), true
	}
}

func (j *job) exhausted() bool {
	t := j.taken.Load()
	return t&lowHalf+t>>32 >= j.parts
}

// close ends the taking of parts, and returns how many were not taken.
func (j *job) close() int64 {
	t := j.taken.Swap(j.parts)
	return max(0, int64(j.parts)-int64(t&lowHalf)-int64(t>>32))
}

// finish counts n parts that have returned, or will never run.
func (j *job) finish(n int64) {
	if j.left.Add(-n) == 0 {
		j.done.Unlock()
	}
}

// help takes parts until none is left. If one panics, and the goroutine goes on, as an Executor's
// may, the caller does not wait for it.
func (j *job) help() {
	helped, running := false, false
	defer func() {
		if running { // a panic
			j.lost.Store(true)
			j.finish(1)
		}
		if helped {
			j.task.leave()
		}
	}()
	for i, ok := j.take(fromBack); ok; i, ok = j.take(fromBack) {
		helped, running = true, true
		j.task.part(i)
		running = false
		j.finish(1)
	}
}

// run takes parts on the caller's goroutine. It returns when all parts have returned, also if one
// of its own panics.
func (j *job) run(awake bool) {
	mine := int64(0) // parts that are running
	defer func() {
		if n := j.close() + mine; n > 0 { // a panic
			j.finish(n)
		}
		j.wait(awake)
	}()
	for i, ok := j.take(fromFront); ok; i, ok = j.take(fromFront) {
		mine = 1
		j.task.part(i)
		mine = 0
		j.finish(1)
	}
}

// wait waits for parts that helpers have taken. With awake it spins for WakeTime before it sleeps.
func (j *job) wait(awake bool) {
	if awake {
		var s spin
		for s.begin(dispatch.Default.WakeTime); s.goOn(); {
			for range polls {
				if j.left.Load() == 0 {
					return
				}
			}
		}
	}
	if j.left.Load() != 0 {
		j.done.Lock()
	}
}

// A team is the helpers of a process, and the jobs that are offered to them.
type team struct {
	offers [8]atomic.Pointer[job] // a cache line; further jobs run on their callers alone

	callers atomic.Int32 // in calls with enough work for two goroutines
	helpers atomic.Int32 // started and not ended
	queued  atomic.Int32 // goroutines of this package that are runnable and do not run

	beside atomic.Int64 // the processor of the caller that started a helper last, or -1
	last   atomic.Int64 // when the last call ended
	missed atomic.Int64 // ns of work, since the last pause, that calls have done without a helper
	rest   atomic.Int64 // the time before which no helper is started

	off atomic.Bool // no spinning
}

var helpers team

func init() { helpers.off.Store(!dispatch.Spinning()) }

// enter begins a call of work ns for up to workers goroutines, and reports whether a helper may
// join it. Otherwise the call is better not cut. A call of leave has to follow.
//
// A helper is started for every two WakeTimes of work that calls have done without one since the
// last pause. So a long call gets a helper though it pays for the wake-up, calls in close
// succession have one from about the fifth on, and a single small call starts none. A gap between
// calls is a pause from 3/4 of WakeTime on, a little less than helpers poll: otherwise helpers
// would be started for calls that come right after their end. It is one from 8 times the call's
// work on, too: a helper would poll all the time, and gain little.
func (t *team) enter(workers, work int, awake bool) bool {
	callers := int(t.callers.Add(1))
	want := min(workers, runtime.GOMAXPROCS(0)-callers+1) - 1
	if want <= 0 {
		return false
	}
	have := int(t.helpers.Load())
	if have >= want {
		return true
	}
	wake := max(dispatch.Default.WakeTime, 1)
	missed, idle := work, 0
	if awake {
		now := clock()
		if now < t.rest.Load() {
			return have > 0
		}
		if pause := now - t.last.Load(); -int64(wake) < pause && pause < min(int64(wake)*3/4, dense*int64(work)) {
			missed += int(t.missed.Load())
		}
		idle = wake
	}
	if n := min(want-have, missed/(2*wake)); n > 0 && !crowded(new(waiting)) {
		t.start(n, idle)
		have, missed = have+n, 0
	}
	if awake {
		t.missed.Store(int64(min(missed, 2*wake)))
	}
	return have > 0
}

// dense is how many times a call's work may pass before it so that the two are in close succession.
const dense = 8

// leave ends a call.
func (t *team) leave() {
	t.callers.Add(-1)
	t.last.Store(clock())
}

// start starts helpers that poll for the next job for idle ns.
//
// Another thread takes the goroutine that was started last only after a sleep: runtime.runqgrab
// leaves it to the starting thread for 3 µs, which Linux makes 55. So start adds a goroutine that
// does nothing: helpers then run after 35 µs and not after 115 (Zen 4).
func (t *team) start(n, idle int) {
	t.helpers.Add(int32(n))
	t.queued.Add(int32(n) + 1)
	if idle > 0 {
		t.beside.Store(int64(processor()))
	}
	for range n {
		go t.help(idle)
	}
	go t.queued.Add(-1)
}

// help is the body of a helper. It reads nothing that a program may set between calls.
func (t *team) help(idle int) {
	t.queued.Add(-1)
	defer t.helpers.Add(-1)
	if beside := int(t.beside.Load()); idle > 0 && beside >= 0 && processor() == beside {
		leaveProcessor(beside)
	}
	var (
		s       spin
		sampled waiting
		end     = clock() + turn*int64(idle)
	)
	for {
		if j := t.find(); j != nil {
			j.help()
			if s = (spin{}); clock() > end {
				t.missed.Add(2 * int64(idle)) // the next call starts another
				return
			}
			continue
		}
		if s.end == 0 {
			s.begin(idle)
		}
		if !s.goOn() || s.yielded && t.useless(&sampled, idle) {
			return
		}
	}
}

// turn is how long a helper lives, in multiples of idle; its last part does not count. While a
// processor has a goroutine to run, even one that yields, the runtime polls the network and takes
// over timers and goroutines of other processors only every 10 ms. To restart a helper costs calls
// 3 %.
const turn = 10

// useless reports whether an idle helper has to end because callers or other goroutines need its
// processor.
func (t *team) useless(w *waiting, idle int) bool {
	if int(t.callers.Load()+t.helpers.Load()) > runtime.GOMAXPROCS(0) {
		return true
	}
	if crowded(w) {
		t.rest.Store(clock() + 10*int64(idle))
		return true
	}
	return false
}

// polls is how many polls there are between two readings of the clock.
const polls = 64

// find polls for some 100 ns for a job with a free seat, and takes the seat.
func (t *team) find() *job {
	for range polls / len(t.offers) {
		for i := range t.offers {
			if j := t.offers[i].Load(); j != nil && j.seats.Load() > 0 && !j.exhausted() && j.seats.Add(-1) >= 0 {
				return j
			}
		}
	}
	return nil
}

// offer offers a job to the helpers while it runs.
func (t *team) offer(j *job, awake bool) {
	for i := range t.offers {
		if slot := &t.offers[i]; slot.Load() == nil && slot.CompareAndSwap(nil, j) {
			defer slot.Store(nil)
			break
		}
	}
	j.run(awake)
}

// waiting receives the number of runnable goroutines from runtime/metrics.
type waiting [1]metrics.Sample

// crowded reports whether goroutines of others wait for a processor. It takes some 80 ns.
func crowded(w *waiting) bool {
	w[0].Name = "/sched/goroutines/runnable:goroutines"
	ours := helpers.queued.Load()
	metrics.Read(w[:])
	ours = max(ours, helpers.queued.Load()) // they may have changed meanwhile
	return w[0].Value.Kind() == metrics.KindUint64 && int64(w[0].Value.Uint64()) > int64(ours)
}

// A spin is a wait that does not sleep. It is bounded in time, and in rounds, because time stands
// still in the bubble of a synctest test.
type spin struct {
	end, yield int64
	rounds     int64 // that are left
	yielded    bool  // in the last round
}

// begin starts a spin of so many ns.
func (s *spin) begin(ns int) {
	now := clock()
	*s = spin{end: now + int64(ns), yield: now + yieldTime, rounds: 1 + int64(ns)/roundTime}
}

// roundTime is a lower bound of the time of a round, in ns.
const roundTime = 20

// yieldTime is the time between two yields, in ns. A shorter one would wake a thread each time
// where processors are idle.
const yieldTime = 10_000

// goOn reports whether to wait on. It yields to other goroutines now and then.
func (s *spin) goOn() bool {
	now := clock()
	if s.rounds--; now >= s.end || s.rounds < 0 {
		return false
	}
	if s.yielded = now >= s.yield; s.yielded {
		helpers.queued.Add(1)
		runtime.Gosched()
		helpers.queued.Add(-1)
		s.yield = clock() + yieldTime
	}
	return true
}

// clock returns the time in ns, from the start of the program.
func clock() int64 { return int64(time.Since(began)) }

var began = time.Now()
