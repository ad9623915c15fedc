package kernels

// An Option changes how an operator runs, never what it computes. The zero
// Option is ignored. Of several of one kind the last alone counts; Workers and Executor are
// one kind, Observe and Labels one each.
type Option struct {
	kind    optionKind
	workers int
	run     func(n int, task func(i int))
	observe func(Facts)
	labels  *labels
}

// An optionKind says what an Option sets.
type optionKind uint8

const (
	_ optionKind = iota
	workersOption
	observeOption
	labelsOption
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
// Nothing is lost if run leaves tasks out or calls some twice: what is left
// when it returns is done on the caller's goroutine, and nothing is done twice.
func Executor(workers int, run func(n int, task func(i int))) Option {
	return Option{kind: workersOption, workers: workers, run: run}
}

// settings are what the options of a call come to. workers ≤ 0 is the default.
type settings struct {
	workers  int
	runTasks func(n int, task func(i int))
	watch    *watch // nil: the call is neither observed nor labelled
}

// begin returns the settings of a call of an operator.
func begin(op string, opts []Option) settings {
	var s settings
	if len(opts) == 0 {
		return s
	}
	for i := range opts {
		if o := &opts[i]; o.kind == workersOption {
			s.workers, s.runTasks = o.workers, o.run
		}
	}
	s.watch = newWatch(op, opts)
	return s
}

// done ends the call.
func (s *settings) done(err error) error {
	if s.watch != nil {
		s.watch.end(err)
	}
	return err
}
