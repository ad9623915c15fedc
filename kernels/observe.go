package kernels

import (
	"context"
	"math"
	"runtime/pprof"
	"sync"
	"time"

	"github.com/lanes-go/lanes/dispatch"
)

// Facts say how a call of an operator went.
type Facts struct {
	Op string // the operator, as errors name it

	// Kernel names what moved the elements. Passes that ran one after the other are joined by " +
	// "; the other facts are those of the last one. It is empty if no pass ran, because the call
	// failed before or there was nothing to move: dst is empty, or zeros alone, or stays as it is.
	//
	//	copy                       runs of neighbours, or elements that lie a step apart
	//	gather                     single elements, by indices that are checked on the way
	//	gather, strips             through many tables, such as columns of a transposed one, in Strip elements of a row at a time
	//	gather, packed strips      in columns, or rows of a transposed table, from a dense copy of Strip columns at a time
	//	gather, tables read first  from tables that are read from start to end first
	//	gather, tiles              into a dst that is transposed, by way of a buffer
	//	gather, resolved indices   single elements, whose indices become offsets, block by block
	//	gather rows                a run of elements for each index
	//	scatter, fused             as gather, to cells
	//	scatter, strips
	//	scatter, packed strips
	//	scatter, tables read first
	//	scatter, resolved indices
	//	scatter rows
	//	scatter, owned ranges      each worker reads all indices and updates its range of the cells
	//	scatter, mean              sums and counts, then a division
	//	bags                       rows that indices name, and their reduction, block by block
	//	compact                    single elements that a mask chooses
	//	compact rows               a run of elements for each of a mask that is true
	//	…, pointers                of elements that hold pointers
	//	copy on the way            of data to dst, part by part, each before it is updated
	//	index check                of all indices, before the first write
	//	equal indices              a search along rows, to keep each once
	Kernel string

	Level    string        // of instruction sets, as LANES_ISA spells it
	Elements int           // moved: of the output, or of a scatter's updates
	Bytes    int           // that they have; math.MaxInt if they are more
	Workers  int           // goroutines that shared the work, at most; 1: the caller's alone; 0: no pass ran
	Parts    int           // that the work was cut into for them
	Strip    int           // columns at a time, of strips; 0: there were none
	Duration time.Duration // of the call
	Err      error         // that it returns
}

// Observe has f called once with the facts of a call, on the caller's goroutine, when the call
// returns or fails. A nil f is ignored. Observing a call costs a few allocations and some 100 ns,
// or 300 where it moves a few elements; other calls pay nothing.
func Observe(f func(Facts)) Option {
	return Option{kind: observeOption, observe: f, follow: newObservation}
}

// Labels sets pprof labels on the goroutines that work on a call: those of ctx, op for the
// operator, and kernel for the pass as Facts.Kernel names it. A profile then separates the calls.
// As after pprof.Do, the caller's goroutine has the labels of ctx afterwards; goroutines of an
// Executor have none. A nil ctx has no labels.
func Labels(ctx context.Context) Option {
	if ctx == nil {
		ctx = context.Background()
	}
	setting := func(ctx context.Context) func() { return func() { pprof.SetGoroutineLabels(ctx) } }
	return Option{kind: labelsOption, follow: newObservation, labels: &labels{
		of: func(op, kernel string) func() {
			added := pprof.Labels("op", op)
			if kernel != "" {
				added = pprof.Labels("op", op, "kernel", kernel)
			}
			return setting(pprof.WithLabels(ctx, added))
		},
		base: setting(ctx), none: setting(context.Background()),
	}}
}

// labels set the labels of the goroutine that calls them. They are functions so that programs
// without Labels do not link package pprof.
type labels struct {
	of         func(op, kernel string) (set func()) // the labels of the context, and these
	base, none func()                               // the labels of the context alone; no labels
}

// A follower follows a call with Observe or Labels. Other calls have none. It is an interface so
// that programs without these options do not link what they need.
type follower interface {
	pass(elements, size, strip int, copies bool) // a pass begins; elements < 0: the same as before
	shared(workers, parts int)                   // among goroutines
	note(kernel string)                          // of the pass, by any goroutine
	end(err error)
	relabel() // sets the base labels on the caller's goroutine
	unlabel() // removes the labels of a goroutine that is not the caller's
}

// An observer has a follower. It is one word in the settings, which small calls copy several times.
type observer struct{ follower }

// follow makes the observer of a call.
type follow func(op string, observe func(Facts), labels *labels) *observer

type observation struct {
	facts   Facts
	start   time.Time
	observe func(Facts) // nil: without Observe
	labels  *labels     // nil: without Labels

	kernels []byte // of the passes that have run: a TensorScatter may have one for each batch

	mu     sync.Mutex
	kernel string // of the pass that runs, as the first of its parts has it
	label  func() // sets the labels for it
}

func newObservation(op string, observe func(Facts), labels *labels) *observer {
	w := &observation{facts: Facts{Op: op, Level: dispatch.Active().String()}, observe: observe, labels: labels, start: time.Now()}
	if labels != nil {
		labels.of(op, "")()
	}
	return &observer{w}
}

func (w *observation) pass(elements, size, strip int, copies bool) {
	w.passed()
	w.facts.Workers, w.facts.Parts, w.facts.Strip = 1, 1, strip
	if elements >= 0 {
		bytes, fits := mulInt(elements, size)
		if !fits { // updates with a stride of 0 may be more than memory holds
			bytes = math.MaxInt
		}
		w.facts.Elements, w.facts.Bytes = elements, bytes
	}
	if copies {
		w.kernel = "copy on the way"
		w.passed()
	}
}

func (w *observation) shared(workers, parts int) { w.facts.Workers, w.facts.Parts = workers, parts }

func (w *observation) end(err error) {
	w.passed()
	w.facts.Kernel, w.facts.Err = string(w.kernels), err
	w.relabel()
	w.facts.Duration = time.Since(w.start)
	if w.observe != nil {
		w.observe(w.facts)
	}
}

// passed adds the kernel of a pass that has run to the others.
func (w *observation) passed() {
	if w.kernel == "" {
		return
	}
	if len(w.kernels) > 0 {
		w.kernels = append(w.kernels, " + "...)
	}
	w.kernels = append(w.kernels, w.kernel...)
	w.kernel = ""
}

// note names the kernel of a pass, where that is chosen.
func (c *call) note(kernel string) {
	if c.observer != nil {
		c.observer.note(kernel)
	}
}

func (w *observation) note(kernel string) {
	w.mu.Lock()
	if w.kernel != kernel {
		if w.kernel = kernel; w.labels != nil {
			w.label = w.labels.of(w.facts.Op, kernel)
		}
	}
	label := w.label
	w.mu.Unlock()
	if label != nil {
		label()
	}
}

func (w *observation) relabel() {
	if w.labels != nil {
		w.labels.base()
	}
}

func (w *observation) unlabel() {
	if w.labels != nil {
		w.labels.none()
	}
}
