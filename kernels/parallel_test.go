package kernels

import (
	"bytes"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
)

// counted is a task that counts how often each part runs.
type counted struct {
	runs []atomic.Int32
	left atomic.Int32 // helpers that left
	do   func(i int)  // nil: nothing
}

func (c *counted) part(i int) {
	c.runs[i].Add(1)
	if c.do != nil {
		c.do(i)
	}
}

func (c *counted) leave() { c.left.Add(1) }

func (c *counted) requireOnce(t *testing.T) {
	t.Helper()
	for i := range c.runs {
		require.EqualValues(t, 1, c.runs[i].Load(), "part %d of %d", i, len(c.runs))
	}
}

// shared makes a call of some ns of work in parts, as call.spread does.
func (t *team) shared(c *counted, workers, work int, awake bool) (helped bool) {
	defer t.leave()
	if helped = t.enter(workers, work, awake); helped {
		t.offer(newJob(c, len(c.runs), workers-1), awake)
	} else {
		for i := range c.runs {
			c.part(i)
		}
	}
	return helped
}

func newCounted(parts int) *counted { return &counted{runs: make([]atomic.Int32, parts)} }

// settled waits until there are no helpers, as there are none some time after the last call.
func settled(t testing.TB) {
	t.Helper()
	for range 1000 {
		if helpers.helpers.Load() == 0 && helpers.queued.Load() == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
	require.Zero(t, helpers.helpers.Load(), "helpers")
	require.Zero(t, helpers.queued.Load(), "goroutines that have not run yet")
	require.Zero(t, helpers.callers.Load(), "callers")
	for i := range helpers.offers {
		require.Nil(t, helpers.offers[i].Load(), "a job that has ended is on offer")
	}
	helpers.missed.Store(0)
	helpers.last.Store(0)
	helpers.rest.Store(0)
}

// alone runs a test with so many processors, and none of the helpers of tests before.
func alone(t testing.TB, procs int) {
	was, table := runtime.GOMAXPROCS(procs), dispatch.Default
	settled(t)
	t.Cleanup(func() {
		dispatch.Default = table
		settled(t)
		runtime.GOMAXPROCS(was)
	})
}

// ours returns the stacks of goroutines that are in this package's helpers.
func ours() string {
	all := make([]byte, 1<<20)
	var found []string
	for _, g := range bytes.Split(all[:runtime.Stack(all, true)], []byte("\n\n")) {
		if bytes.Contains(g, []byte("kernels.(*team)")) || bytes.Contains(g, []byte("created by github.com/lanes-go/lanes/kernels.(*team)")) {
			found = append(found, string(g))
		}
	}
	return fmt.Sprint(found)
}

func compute(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}

// TestPartTaken: whoever counts on, from whichever end, each part is taken once.
func TestPartTaken(t *testing.T) {
	for _, parts := range []uint64{1, 2, 5} {
		for order := range 1 << 7 { // of takers: from the front or from the back
			taken, runs := uint64(0), make([]int, parts)
			for k := range 7 {
				end := uint64(fromFront)
				if order>>k&1 == 1 {
					end = fromBack
				}
				taken += end
				if i, ok := partTaken(taken, end, parts); ok {
					runs[i]++
				}
			}
			require.Equal(t, slices.Repeat([]int{1}, int(parts)), runs, "order %b", order)
		}
	}
}

// TestPartsRunOnce: by any number of goroutines, from both ends.
func TestPartsRunOnce(t *testing.T) {
	for _, parts := range []int{1, 2, 3, 7, 64, 1000} {
		for _, takers := range []int{0, 1, 2, 9} {
			c := newCounted(parts)
			j := newJob(c, parts, takers)
			var all sync.WaitGroup
			for range takers {
				all.Go(func() { j.help(); j.help() })
			}
			j.run(true)
			c.requireOnce(t)
			require.Zero(t, j.left.Load())
			all.Wait()
			require.LessOrEqual(t, int(c.left.Load()), takers)
			c.requireOnce(t)
		}
	}
	c := newCounted(9)
	j := newJob(c, 9, 1)
	j.help()
	require.EqualValues(t, 1, c.left.Load(), "one helper ran all parts, and left once")
	j.run(true)
	c.requireOnce(t)
}

// TestSeats: no more helpers come than a job has seats for, one less than its workers.
func TestSeats(t *testing.T) {
	alone(t, 8)
	for _, workers := range []int{1, 2, 3} {
		var inside, most atomic.Int32
		c := newCounted(200)
		c.do = func(int) {
			n := inside.Add(1)
			for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
			}
			time.Sleep(50 * time.Microsecond)
			inside.Add(-1)
		}
		helpers.start(5, 1_000_000)
		helpers.offer(newJob(c, 200, workers-1), true)
		c.requireOnce(t)
		require.LessOrEqual(t, int(most.Load()), workers)
		settled(t)
	}
}

// TestAsManyCallsAsProcessors: then each is its caller's alone. A call may also stay alone while a
// goroutine of the runtime waits for a processor, so it may take some tries.
func TestAsManyCallsAsProcessors(t *testing.T) {
	alone(t, 3)
	calls := 0
	defer func() {
		for range calls {
			helpers.leave()
		}
	}()
	for i, want := range []bool{true, true, false, false} { // with 2, 1, 0 helpers to want
		got := helpers.enter(3, 1<<30, true)
		for try := 0; got != want && try < 1000; try++ {
			helpers.leave()
			time.Sleep(time.Millisecond)
			got = helpers.enter(3, 1<<30, true)
		}
		calls++
		require.Equal(t, want, got, "call %d", i+1)
	}
}

// TestHelpersEnd: 5 ms after the last call there is no goroutine of ours.
func TestHelpersEnd(t *testing.T) {
	alone(t, 4)
	late := 0
	for range 20 {
		started := false
		for k := 0; k < 50 || !started && k < 10_000; k++ { // calls in close succession
			c := newCounted(8)
			c.do = func(int) { compute(5 * time.Microsecond) }
			started = helpers.shared(c, 4, 40_000, true) || started
			c.requireOnce(t)
		}
		require.True(t, started)
		time.Sleep(5 * time.Millisecond)
		if helpers.helpers.Load() != 0 || helpers.queued.Load() != 0 || ours() != "[]" {
			late++ // where other programs have the processors
		}
	}
	require.Less(t, late, 10)
	time.Sleep(100 * time.Millisecond)
	require.Equal(t, "[]", ours())
}

// TestHelperEndsItself: also one that is started for a call that never comes.
func TestHelperEndsItself(t *testing.T) {
	alone(t, 4)
	helpers.start(3, 50_000_000)
	require.EqualValues(t, 3, helpers.helpers.Load())
	begin := time.Now()
	for helpers.helpers.Load() != 0 {
		require.Less(t, time.Since(begin), 10*time.Second)
		time.Sleep(100 * time.Microsecond)
	}
}

// TestHelpersTakeTurns: one that always has something to do ends too, now and then, so that its
// processor asks the network for news and takes over what others have to do.
func TestHelpersTakeTurns(t *testing.T) {
	alone(t, 2)
	dispatch.Default.WakeTime = 1_000_000
	end := time.Now().Add(10 * time.Second)
	for ended := 0; ended < 3; {
		c := newCounted(16)
		c.do = func(int) { compute(10 * time.Microsecond) }
		had := helpers.helpers.Load()
		helpers.shared(c, 2, 160_000, true)
		c.requireOnce(t)
		if had > 0 && helpers.helpers.Load() == 0 {
			ended++
		}
		require.True(t, time.Now().Before(end), "%d ended", ended)
	}
}

// TestLoneSmallCalls: calls that lie apart start no helper, however many there are.
func TestLoneSmallCalls(t *testing.T) {
	alone(t, 4)
	wake := dispatch.Default.WakeTime
	for _, work := range []int{20_000, 50_000, wake, 2*wake - 1} {
		for range 50 {
			require.False(t, helpers.shared(newCounted(4), 4, work, true), "%d ns", work)
			require.Zero(t, helpers.helpers.Load())
			compute(time.Duration(wake))
		}
	}
	for range 4 * wake / 1000 { // a pause longer than the work by far
		require.False(t, helpers.shared(newCounted(4), 4, 1000, true))
		require.Zero(t, helpers.helpers.Load())
		compute((dense + 1) * 1000)
	}
}

// TestWholeCalls: a call that cannot be cut counts as no work for which a helper is missed, and one
// that can does.
func TestWholeCalls(t *testing.T) {
	alone(t, 2)
	table := dispatch.Default
	defer func() { dispatch.Default = table }()
	dispatch.Default.WakeTime, dispatch.Default.OwnedTable = 1<<30, 1<<30
	const n = 1 << 14
	data, indices := New(make([]float32, n), n), New(make([]int64, n), n)
	for range 3 {
		require.NoError(t, ScatterElementsUpdate(data, data, indices, New(make([]float32, n), n), 0, ScatterAttrs{Reduction: Sum}))
		require.Zero(t, helpers.missed.Load())
	}
	require.NoError(t, GatherElements(New(make([]float32, n), n), data, indices, 0))
	require.NotZero(t, helpers.missed.Load())
}

// TestDenseCalls: small calls in close succession start one, and a call that is large enough does.
func TestDenseCalls(t *testing.T) {
	alone(t, 4)
	wake := dispatch.Default.WakeTime
	for _, c := range []struct{ work, calls, workers, helpers int }{
		{wake / 2, 4, 2, 1},
		{wake, 2, 4, 1},
		{2 * wake, 1, 4, 1},
		{4 * wake, 1, 4, 2},
		{100 * wake, 1, 4, 3},
		{100 * wake, 1, 64, 3},
	} {
		var was []string
		for range 50 { // other programs may make a pause of no pause, and goroutines of the runtime may wait
			if was != nil {
				time.Sleep(time.Millisecond) // they run
			}
			settled(t)
			told := ""
			for range c.calls {
				helped := helpers.enter(c.workers, c.work, true)
				told += fmt.Sprintf(" %t %d", helped, helpers.helpers.Load())
				helpers.leave()
			}
			if was = append(was, told); told == strings.Repeat(" false 0", c.calls-1)+fmt.Sprintf(" true %d", c.helpers) {
				was = nil
				break
			}
		}
		require.Empty(t, was, "%+v", c)
	}
}

// TestOneProcessor: with one there are no helpers.
func TestOneProcessor(t *testing.T) {
	alone(t, 1)
	dispatch.Default.WakeTime = int(time.Second)
	for range 20 {
		c := newCounted(4)
		require.False(t, helpers.shared(c, 4, 1<<30, true))
		require.Zero(t, helpers.helpers.Load())
		c.requireOnce(t)
	}
	runtime.GOMAXPROCS(2) // and one that looks ends when there is one processor
	helpers.start(1, int(time.Second))
	for helpers.queued.Load() != 0 {
		time.Sleep(time.Millisecond)
	}
	runtime.GOMAXPROCS(1)
	begin := time.Now()
	helpers.callers.Add(1) // that makes calls
	for helpers.helpers.Load() != 0 {
		runtime.Gosched()
		require.Less(t, time.Since(begin), 500*time.Millisecond)
	}
	helpers.callers.Add(-1)
}

// TestPassive: without spinning a helper ends when it finds no part, and none is
// started but for a call that is large enough.
func TestPassive(t *testing.T) {
	alone(t, 2)
	dispatch.Default.WakeTime = int(time.Second) // so long would one look
	for range 10 {
		require.False(t, helpers.shared(newCounted(4), 2, int(time.Second), false))
		require.Zero(t, helpers.helpers.Load())
	}
	for range 10 {
		c := newCounted(4)
		c.do = func(int) { compute(100 * time.Microsecond) }
		helpers.shared(c, 2, 1<<30, false)
		c.requireOnce(t)
		begin := time.Now()
		for helpers.helpers.Load() != 0 {
			time.Sleep(100 * time.Microsecond)
			require.Less(t, time.Since(begin), 500*time.Millisecond)
		}
	}
}

// TestNobodyWaitsForIdleHelpers: a call waits for helpers in its parts alone.
func TestNobodyWaitsForIdleHelpers(t *testing.T) {
	alone(t, 2)
	c := newCounted(4)
	j := newJob(c, 4, 1)
	require.EqualValues(t, 0, j.seats.Add(-1)) // somebody sits down and is stopped
	done := make(chan bool)
	go func() { j.run(true); close(done) }()
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("the call waits for a helper that has no part")
	}
	c.requireOnce(t)
	j.help()
	c.requireOnce(t)
}

// TestSlowHelper: a call waits for a helper that is in one of its parts, awake at first
// and then asleep.
func TestSlowHelper(t *testing.T) {
	alone(t, 2)
	for _, took := range []time.Duration{0, 10 * time.Microsecond, 50 * time.Millisecond} {
		for _, awake := range []bool{false, true} {
			c := newCounted(2)
			in := make(chan bool)
			var out atomic.Bool
			c.do = func(i int) {
				if i == 1 {
					close(in)
					time.Sleep(took)
					out.Store(true)
				} else {
					<-in
				}
			}
			j := newJob(c, 2, 1)
			go j.help()
			<-in
			j.run(awake)
			require.True(t, out.Load(), "%v", took)
			c.requireOnce(t)
		}
	}
}

// TestManyCallers: each finishes its own calls, more callers than processors or
// places on offer.
func TestManyCallers(t *testing.T) {
	alone(t, 4)
	const callers, calls = 24, 100
	var all sync.WaitGroup
	for caller := range callers {
		all.Go(func() {
			for k := range calls {
				c := newCounted(1 + (caller+k)%17)
				sums := make([]int, len(c.runs)) // written by whoever runs a part, read by the caller
				c.do = func(i int) { sums[i] += i + 1 }
				helpers.shared(c, 1+caller%5, 400_000, k%10 != 0)
				c.requireOnce(t)
				for i, s := range sums {
					if s != i+1 {
						t.Errorf("part %d wrote %d", i, s)
					}
				}
			}
		})
	}
	all.Wait()
}

// TestMoreJobsThanOffers: a job that finds no place is done by its caller.
func TestMoreJobsThanOffers(t *testing.T) {
	alone(t, 2)
	var blocked []*job
	for i := range helpers.offers {
		blocked = append(blocked, newJob(newCounted(1), 1, 0))
		helpers.offers[i].Store(blocked[i])
	}
	c := newCounted(5)
	helpers.offer(newJob(c, 5, 1), true)
	c.requireOnce(t)
	for i := range helpers.offers {
		require.True(t, blocked[i] == helpers.offers[i].Load())
		helpers.offers[i].Store(nil)
	}
}

// TestPanicsOfHelpers: where a goroutine recovers from a part that has panicked, as an Executor's
// may, the caller does not wait for the part, and panics.
func TestPanicsOfHelpers(t *testing.T) {
	c := newCounted(10)
	c.do = func(i int) {
		if i == 9 {
			panic("a part's")
		}
	}
	j := newJob(c, 10, 1)
	require.PanicsWithValue(t, "a part's", j.help)
	require.EqualValues(t, 1, c.left.Load())
	j.run(false)
	require.Zero(t, j.left.Load())

	var called call
	called.workers = 2
	called.runTasks = func(_ int, task func(int)) {
		defer func() { recover() }()
		task(0)
	}
	require.PanicsWithValue(t, "kernels: a part has panicked on a goroutine of the Executor", func() {
		called.spread(split{parts: 2}, func(_ *pass, i int) bool {
			if i == 1 {
				panic("a part's")
			}
			return true
		})
	})
}

// TestExecutorPanics: no part runs after an Executor has panicked, though it has given its task
// away. (A scatter into a transposed dst goes by way of scratch, which is another call's by then.)
func TestExecutorPanics(t *testing.T) {
	CutSmall(t)
	const n = 64
	data, indices, updates := New(make([]int64, n*n), n, n), New(make([]int64, n*n), n, n), New(make([]int64, n*n), n, n)
	for i := range indices.Data {
		indices.Data[i] = int64(i % n)
	}
	sum := func(each int64, run func(n int, task func(int))) (dst Tensor[int64], p any) {
		dst = Tensor[int64]{Data: make([]int64, n*n), Shape: []int{n, n}, Strides: []int{1, n}}
		for i := range updates.Data {
			updates.Data[i] = each
		}
		defer func() { p = recover() }()
		require.NoError(t, ScatterElementsUpdate(dst, data, indices, updates, 1, ScatterAttrs{Reduction: Sum}, Executor(2, run)))
		return dst, nil
	}
	for range 20 {
		var kept func(int)
		_, p := sum(1000, func(_ int, task func(int)) {
			kept = task
			panic("closed")
		})
		require.Equal(t, "closed", p)
		second, p := sum(1, func(_ int, task func(int)) { task(0); kept(0) })
		require.Nil(t, p)
		for i, v := range second.Data {
			require.EqualValues(t, 1, v, i)
		}
	}
}

// TestPanics: a part that panics on the caller's goroutine ends the call, which has
// waited for the parts of others by then and offers none any more.
func TestPanics(t *testing.T) {
	alone(t, 2)
	for range 50 {
		c := newCounted(100)
		in := make(chan bool)
		var inside atomic.Int32
		c.do = func(i int) {
			inside.Add(1)
			defer inside.Add(-1)
			switch i {
			case 0:
				<-in
				panic("a part's")
			case 99:
				close(in)
				time.Sleep(time.Millisecond)
			default:
				time.Sleep(50 * time.Microsecond)
			}
		}
		j := newJob(c, 100, 1)
		go j.help()
		require.PanicsWithValue(t, "a part's", func() { helpers.offer(j, true) })
		require.Zero(t, inside.Load(), "the call has returned, and parts of it run")
		ran := 0
		for i := range c.runs {
			ran += int(c.runs[i].Load())
		}
		j.help()
		time.Sleep(100 * time.Microsecond)
		for i := range c.runs {
			ran -= int(c.runs[i].Load())
		}
		require.Zero(t, ran, "parts began after the call had returned")
		require.Zero(t, j.left.Load())
		settled(t)
	}
}

// TestGivesWay: a helper that looks ends when other goroutines wait for its processor.
func TestGivesWay(t *testing.T) {
	const idle = 2 * time.Second // after which it would end by itself
	alone(t, 2)
	helpers.start(1, int(idle))
	var stop atomic.Bool
	var others sync.WaitGroup
	for range 3 {
		others.Go(func() {
			for !stop.Load() {
			}
		})
	}
	begin := time.Now()
	for helpers.helpers.Load() != 0 && time.Since(begin) < idle*3/4 {
		time.Sleep(time.Millisecond)
	}
	stop.Store(true)
	others.Wait()
	require.Zero(t, helpers.helpers.Load())
	require.False(t, helpers.enter(2, 1<<30, true), "none is started right after that")
	helpers.leave()
}

// TestStopsWithHelpers: a helper that looks is stopped at once, with the world.
func TestStopsWithHelpers(t *testing.T) {
	alone(t, 2)
	var best time.Duration = time.Hour
	for range 200 { // other programs on the machine hold up a stop too, now and then
		if best < time.Millisecond {
			break
		}
		helpers.start(1, int(20*time.Millisecond))
		time.Sleep(2 * time.Millisecond)
		begin := time.Now()
		var m runtime.MemStats
		runtime.ReadMemStats(&m) // which stops the world
		best = min(best, time.Since(begin))
	}
	require.Less(t, best, time.Millisecond)
}

// TestInBubbles: in a test of package synctest, where time stands still and
// everything that a goroutine outside touches may panic.
func TestInBubbles(t *testing.T) {
	alone(t, 2)
	synctest.Test(t, func(t *testing.T) { helpers.start(1, dispatch.Default.WakeTime) }) // which returns when that has ended
	var stop atomic.Bool
	var outside sync.WaitGroup
	outside.Go(func() { // has helpers outside
		for !stop.Load() {
			c := newCounted(8)
			c.do = func(int) { compute(2 * time.Microsecond) }
			helpers.shared(c, 2, 400_000, true)
			c.requireOnce(t)
			runtime.Gosched()
		}
	})
	for range 20 {
		synctest.Test(t, func(t *testing.T) {
			for range 20 {
				c := newCounted(8)
				c.do = func(int) {
					for range 1000 {
						runtime.KeepAlive(c)
					}
				}
				helpers.shared(c, 2, 400_000, true)
				c.requireOnce(t)
			}
		})
	}
	stop.Store(true)
	outside.Wait()
}

// TestSpinning: whether calls spin is said for each and for the process.
func TestSpinning(t *testing.T) {
	awake := func(opts ...Option) bool {
		s := begin("", opts)
		return s.awake()
	}
	assert.True(t, awake())
	assert.True(t, awake(Spinning(true)))
	assert.False(t, awake(Spinning(false)))
	assert.True(t, awake(Spinning(false), Workers(2), Spinning(true)))
	assert.True(t, SetSpinning(false))
	assert.False(t, awake(Spinning(true)))
	assert.False(t, SetSpinning(true))
	assert.True(t, awake())
}
