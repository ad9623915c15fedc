package kernels

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lanes-go/lanes/dispatch"
)

// A call that is worth it is cut into parts. The caller's goroutine takes them
// from the front, helpers from the back, until none is left.
//
// A helper is an ordinary goroutine. A sleeping thread takes 30 to 100 µs to
// run one, longer than many calls take, so a helper that has run out of parts looks for
// the next call for a while before it ends (dispatch.Thresholds.WakeTime). Nobody waits for a
// helper that is not in one of a call's parts.

// A task is work in parts. Each part runs once, on any goroutine, and beside any other part.
type task interface {
	part(i int)
	leave() // a goroutine other than the caller's runs no more parts
}

// A job is a task whose parts are being taken.
type job struct {
	task  task
	parts uint64 // fewer than 2^31
	taken atomic.Uint64
	left  atomic.Int64 // parts that have not returned
	seats atomic.Int64 // for helpers

	// done is locked until the last part returns. (A mutex serves where a channel or
	// a WaitGroup would tie the helpers to the bubble of a package synctest's test.)
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
	if j.exhausted() { // or the counts would grow as long as somebody asks
		return 0, false
	}
	return partTaken(j.taken.Add(end), end, j.parts)
}

// partTaken returns which of parts was taken from one end when the counts became
// taken, if there was one left.
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

// close lets nobody take another part, and returns how many were not taken.
func (j *job) close() int64 {
	t := j.taken.Swap(j.parts)
	return max(0, int64(j.parts)-int64(t&lowHalf)-int64(t>>32))
}

// finish counts parts that have returned, or never will run.
func (j *job) finish(n int64) {
	if j.left.Add(-n) == 0 {
		j.done.Unlock()
	}
}

// help takes parts until none is left.
func (j *job) help() {
	helped := false
	for i, ok := j.take(fromBack); ok; i, ok = j.take(fromBack) {
		helped = true
		j.task.part(i)
		j.finish(1)
	}
	if helped {
		j.task.leave()
	}
}

// run takes parts on the caller's goroutine and returns when all have
// returned, also when one of its own panics.
func (j *job) run(awake bool) {
	mine := int64(0) // parts that began and did not return
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

// wait waits for the parts that others have taken: awake for as long as a
// wake-up takes, if that is wanted, and then asleep.
func (j *job) wait(awake bool) {
	if awake {
		var s spin
		for s.begin(dispatch.Default.WakeTime); s.goOn(); {
			for range looks {
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

// A team is the helpers of a process, and the jobs that they may help with.
type team struct {
	offers [8]atomic.Pointer[job] // a cache line; more jobs than that are done by their callers

	callers atomic.Int32 // in calls that are large enough for two
	helpers atomic.Int32 // started and not ended
	queued  atomic.Int32 // goroutines of ours that are runnable and don't run

	last   atomic.Int64 // when a call ended last
	missed atomic.Int64 // ns of work since the last pause for which there was no helper
	rest   atomic.Int64 // until when no helper is started

	off atomic.Bool // no spinning
}

var helpers team

func init() { helpers.off.Store(!dispatch.Spinning()) }

// enter begins a call of some ns of work, for up to some workers, and reports
// whether anybody may come to help; if not, its work is best left whole. A call
// of leave has to follow.
//
// A helper is started for every two WakeTimes of work that calls have done
// without one since the last pause. So a call that is long enough gains though it pays
// for the wake-up; calls in close succession have a helper from the fifth or so; and
// a lone small call has none and pays nothing. A pause is a bit less than the time that
// helpers look for, or one would be started for calls that come when it has just ended.
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
	missed, look := work, 0
	if awake {
		now := clock()
		if now < t.rest.Load() {
			return have > 0
		}
		if pause := now - t.last.Load(); -int64(wake) < pause && pause < int64(wake)*3/4 {
			missed += int(t.missed.Load())
		}
		look = wake
	}
	if n := min(want-have, missed/(2*wake)); n > 0 && !crowded(new(waiting)) {
		t.start(n, look)
		have, missed = have+n, 0
	}
	if awake {
		t.missed.Store(int64(min(missed, 2*wake)))
	}
	return have > 0
}

// leave ends a call.
func (t *team) leave() {
	t.callers.Add(-1)
	t.last.Store(clock())
}

// start starts helpers that look for the next job for some ns.
//
// The goroutine that was started last is taken by another thread only after some
// sleep of that (runtime.runqgrab leaves it to the starter's own for 3 µs, which Linux makes 55).
// So one that does nothing is started after the helpers: they run after 35 µs, not 115 (Zen 4).
func (t *team) start(n, look int) {
	t.helpers.Add(int32(n))
	t.queued.Add(int32(n) + 1)
	for range n {
		go t.help(look)
	}
	go t.queued.Add(-1)
}

// help is a helper's life. It reads nothing that a program may set when no call runs.
func (t *team) help(look int) {
	t.queued.Add(-1)
	defer t.helpers.Add(-1)
	var (
		s       spin
		sampled waiting
		end     = clock() + turn*int64(look)
	)
	for {
		if j := t.find(); j != nil {
			j.help()
			if s = (spin{}); clock() > end {
				t.missed.Add(2 * int64(look)) // the next call starts another
				return
			}
			continue
		}
		if s.end == 0 {
			s.begin(look)
		}
		if !s.goOn() || s.yielded && t.useless(&sampled, look) {
			return
		}
	}
}

// turn bounds a helper's life, in times that it looks for work: what it does in its last
// part is not counted. As long as a processor has something to run, be it a helper that yields,
// it neither asks the network for news nor takes over timers and goroutines of others. Those would wait for
// up to 10 ms. To start another helper costs calls a thirtieth.
const turn = 10

// useless reports that a helper that looks has to go: callers and other
// goroutines want its processor.
func (t *team) useless(w *waiting, look int) bool {
	if int(t.callers.Load()+t.helpers.Load()) > runtime.GOMAXPROCS(0) {
		return true
	}
	if crowded(w) {
		t.rest.Store(clock() + 10*int64(look))
		return true
	}
	return false
}

// looks is how often to look for a change before asking what time it is.
const looks = 64

// find looks for a job with a free seat for some 100 ns, and takes the seat.
func (t *team) find() *job {
	for range looks / len(t.offers) {
		for i := range t.offers {
			if j := t.offers[i].Load(); j != nil && j.seats.Load() > 0 && !j.exhausted() && j.seats.Add(-1) >= 0 {
				return j
			}
		}
	}
	return nil
}

// offer shows a job to the helpers while it runs.
func (t *team) offer(j *job, awake bool) {
	for i := range t.offers {
		if slot := &t.offers[i]; slot.Load() == nil && slot.CompareAndSwap(nil, j) {
			defer slot.Store(nil)
			break
		}
	}
	j.run(awake)
}

// waiting is where runtime/metrics puts how many goroutines wait for a processor.
type waiting [1]metrics.Sample

// crowded reports whether goroutines of others wait for a processor. This takes some 80 ns.
func crowded(w *waiting) bool {
	w[0].Name = "/sched/goroutines/runnable:goroutines"
	ours := helpers.queued.Load()
	metrics.Read(w[:])
	ours = max(ours, helpers.queued.Load()) // some may come or go meanwhile
	return w[0].Value.Kind() == metrics.KindUint64 && int64(w[0].Value.Uint64()) > int64(ours)
}

// A spin is a wait for something that another goroutine does, awake. It is
// bounded in time, and in rounds, since the time stands still in the bubble of a
// package synctest's test.
type spin struct {
	end, yield int64
	rounds     int64 // that are left
	yielded    bool  // in the last round
}

// begin starts the time.
func (s *spin) begin(ns int) {
	now := clock()
	*s = spin{end: now + int64(ns), yield: now + yieldTime, rounds: 1 + int64(ns)/roundTime}
}

// roundTime is less than a round takes, in ns.
const roundTime = 20

// yieldTime is how long to look before other goroutines get their turn, in ns.
// More often would wake a thread each time where processors are idle.
const yieldTime = 10_000

// goOn reports whether to look on. It gives way to other goroutines now and then.
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
