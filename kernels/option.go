package kernels

// An Option changes how an operator runs, never what it computes. The zero
// Option is ignored, and of several others the last alone counts.
type Option struct {
	workers int
	run     func(n int, task func(i int))
	set     bool
}

// Workers lets an operator run on up to n goroutines, the caller's among
// them. Workers(1) runs everything on the caller's goroutine. n ≤ 0 is the
// default, runtime.GOMAXPROCS. A call that is too small to gain from more
// goroutines uses fewer, whatever n is; results do not depend on it.
func Workers(n int) Option { return Option{workers: n, set: true} }

// Executor runs an operator's tasks on the caller's own pool instead of new
// goroutines. run must call task(0) … task(n-1), in any order, from any
// goroutines, and return when all have returned; n is at most workers.
// workers ≤ 0 means runtime.GOMAXPROCS. A nil run is Workers(workers).
//
// Nothing is lost if run leaves tasks out or calls some twice: what is left
// when it returns is done on the caller's goroutine, and nothing is done twice.
func Executor(workers int, run func(n int, task func(i int))) Option {
	return Option{workers: workers, run: run, set: true}
}

// settings are what the options of a call come to. workers ≤ 0 is the default.
type settings struct {
	workers  int
	runTasks func(n int, task func(i int))
}

func settle(opts []Option) settings {
	var s settings
	for _, o := range opts {
		if o.set {
			s = settings{o.workers, o.run}
		}
	}
	return s
}
