package kernels

// An Option changes how an operator runs. Only [Indices] changes what it computes: it says what
// indices mean. The zero Option is ignored. Of several of one kind the last alone counts. Workers
// and Executor are one kind; Observe and Labels are one each.
type Option struct {
	kind    optionKind
	workers int
	run     func(n int, task func(i int))
	off     bool
	observe func(Facts)
	labels  *labels
	follow  follow
	policy  IndexPolicy
}

// An optionKind says what an Option sets.
type optionKind uint8

const (
	_ optionKind = iota
	workersOption
	spinningOption
	observeOption
	labelsOption
	policyOption
)

// Workers lets an operator run on up to n goroutines, the caller's among
// them. Workers(1) runs everything on the caller's goroutine. n ≤ 0 is the
// default, runtime.GOMAXPROCS. A call that is too small to gain from more
// goroutines uses fewer, whatever n is; results do not depend on it.
func Workers(n int) Option { return Option{kind: workersOption, workers: n} }

// Executor runs an operator's tasks on the caller's own pool instead of new
// goroutines. run must call task(0) … task(n-1), in any order, from any
// goroutines, and return when all have returned; n is at most workers.
// workers ≤ 0 means runtime.GOMAXPROCS. A nil run is Workers(workers).
//
// run is called where a call has some 6 µs of work or more, whether your
// goroutines are awake or not: Workers(1) keeps a call from it. Nothing is lost
// if run leaves tasks out or calls some twice: what is left when it returns is
// done on the caller's goroutine, and nothing is done twice.
func Executor(workers int, run func(n int, task func(i int))) Option {
	return Option{kind: workersOption, workers: workers, run: run}
}

// Spinning says whether the helpers of a call may poll for the next call for some 100 µs before
// they end, and whether the caller spins while it waits for them. The default is true: a sleeping
// thread takes longer to wake than many calls take. Without spinning a call uses a second goroutine
// only if it is long enough to pay for a wake-up. On Linux, amd64 and arm64, a helper that spins
// also moves its thread where that begins on the caller's processor: for a moment it sets the
// thread's affinity, unless a filter of system calls (seccomp) is in force. A call with Workers(1)
// or an Executor never spins. [SetSpinning] sets it for the process.
func Spinning(on bool) Option { return Option{kind: spinningOption, off: !on} }

// SetSpinning sets for the process what [Spinning] sets for a call, and returns the previous value.
// It may be called at any time. A call spins only if both allow it. LANES_SPINNING=off in the
// environment sets false at the start.
func SetSpinning(on bool) (was bool) { return !helpers.off.Swap(!on) }

// settings are the resolved options of a call. workers ≤ 0 is the default.
type settings struct {
	workers  int
	passive  bool // no goroutine spins
	runTasks func(n int, task func(i int))
	observer *observer // nil: the call is neither observed nor labelled
	policy   IndexPolicy
	given    bool // the policy was; else it is the operator's own
}

// begin returns the settings of a call of an operator. It is inlined, because the result is not in
// registers.
func begin(op string, opts []Option) (s settings) {
	if len(opts) > 0 {
		s.take(op, opts)
	}
	return s
}

// take takes the settings from options.
func (s *settings) take(op string, opts []Option) {
	var (
		observe func(Facts)
		labels  *labels
		follow  follow
	)
	for i := range opts {
		switch o := &opts[i]; o.kind {
		case workersOption:
			s.workers, s.runTasks = o.workers, o.run
		case spinningOption:
			s.passive = o.off
		case observeOption:
			observe, follow = o.observe, o.follow
		case labelsOption:
			labels, follow = o.labels, o.follow
		case policyOption:
			s.policy, s.given = o.policy, true
		}
	}
	if observe != nil || labels != nil {
		s.observer = follow(op, observe, labels)
	}
}

// done ends the call. It returns err.
func (s *settings) done(err error) error {
	if s.observer != nil {
		s.observer.end(err)
	}
	return err
}

// awake reports whether goroutines may spin for the call.
func (s *settings) awake() bool { return !s.passive && !helpers.off.Load() }
