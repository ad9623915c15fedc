package kernels

import (
	"context"
	"runtime/pprof"
	"sync"
	"time"

	"github.com/lanes-go/lanes/dispatch"
)

// Facts say how a call of an operator went.
type Facts struct {
	Op string // the operator, as errors name it

	// Kernel is what moved the elements. Passes over them that came one after
	// the other are joined by " + ", the last of which is what the other facts are of.
	// It is empty for a call that came to no pass: it failed before, or its output is empty.
	//
	//	copy                       runs of neighbours, or elements that lie a step apart
	//	gather                     single elements, by indices that are checked on the way
	//	gather, packed strips      the same in columns, from a dense copy of Strip of them at a time
	//	gather, resolved indices   single elements, whose indices become offsets first, block by block
	//	gather rows                a run of elements for each index
	//	scatter, fused             as gather, to cells
	//	scatter, packed strips
	//	scatter, resolved indices
	//	scatter rows
	//	scatter, owned ranges      each worker looks at all indices and updates its range of the cells
	//	scatter, mean              sums and counts, then a division
	//	bags                       rows that indices name, and their reduction, block by block
	//	compact                    single elements that a mask chooses
	//	compact rows               a run of elements for each of a mask that is true
	//	…, pointers                of elements that hold pointers
	//	copy on the way            of data to dst, part by part, each before it is updated
	//	index check                of all indices, before the first write
	//	equal indices              are looked for along rows, and kept once
	Kernel string

	Level    string        // of instruction sets, as LANES_ISA spells it
	Elements int           // moved: of the output, or of a scatter's updates
	Bytes    int           // that they have
	Workers  int           // goroutines that shared the work, at most; 1: the caller's alone
	Parts    int           // that the work was cut into for them
	Strip    int           // columns packed at a time; 0: none were
	Duration time.Duration // of the call
	Err      error         // that it returns
}

// Observe has f called with the facts of a call when that returns, on its
// goroutine and once, also when it fails. A nil f is none. A call that is not
// observed pays nothing for it; one that is, an allocation and some 100 ns.
func Observe(f func(Facts)) Option { return Option{kind: observeOption, observe: f} }

// Labels sets pprof labels on the goroutines that work on a call, as long as
// they do: those of ctx, op for the operator and kernel for Facts.Kernel's pass, so that a
// profile tells one call's time from another's. As after pprof.Do the caller's
// goroutine then has the labels of ctx, and those of an Executor have none. A nil ctx is
// one without labels.
func Labels(ctx context.Context) Option {
	if ctx == nil {
		ctx = context.Background()
	}
	setting := func(ctx context.Context) func() { return func() { pprof.SetGoroutineLabels(ctx) } }
	return Option{kind: labelsOption, labels: &labels{
		of: func(op, kernel string) func() {
			added := pprof.Labels("op", op)
			if kernel != "" {
				added = pprof.Labels("op", op, "kernel", kernel)
			}
			return setting(pprof.WithLabels(ctx, added))
		},
		own: setting(ctx), none: setting(context.Background()),
	}}
}

// labels set those of the goroutine that calls them. As functions they keep
// package pprof out of programs without Labels.
type labels struct {
	of        func(op, kernel string) (set func()) // the context's, and these
	own, none func()                               // the context's alone; none
}

// A watch is on a call that is observed or labelled. Calls that are neither have none.
type watch struct {
	facts   Facts
	start   time.Time
	observe func(Facts) // nil: nobody asks
	labels  *labels     // nil: none

	mu     sync.Mutex
	kernel string // of the pass that runs, as the first of its parts has it
	label  func() // sets the labels for it
}

// newWatch returns a call's watch, nil if it has none.
func newWatch(op string, opts []Option) *watch {
	var (
		observe func(Facts)
		own     *labels
	)
	for i := range opts {
		switch o := &opts[i]; o.kind {
		case observeOption:
			observe = o.observe
		case labelsOption:
			own = o.labels
		}
	}
	if observe == nil && own == nil {
		return nil
	}
	w := &watch{facts: Facts{Op: op, Level: dispatch.Active().String()}, observe: observe, labels: own, start: time.Now()}
	if own != nil {
		own.of(op, "")()
	}
	return w
}

func (w *watch) end(err error) {
	w.passed()
	w.facts.Err = err
	w.relabel()
	w.facts.Duration = time.Since(w.start)
	if w.observe != nil {
		w.observe(w.facts)
	}
}

// passed adds the kernel of the pass that has run to the facts.
func (w *watch) passed() {
	switch {
	case w.kernel == "":
	case w.facts.Kernel == "":
		w.facts.Kernel = w.kernel
	default:
		w.facts.Kernel += " + " + w.kernel
	}
	w.kernel = ""
}

// pass begins a pass of a call: its work, until it is shared out.
func (w *watch) pass(c *call) {
	w.passed()
	w.facts.Workers, w.facts.Parts, w.facts.Strip = 1, 1, c.strip
	if c.work != checkWork && c.work != equalWork {
		units := c.steps()
		if c.work == maskWork {
			units = c.trues.total()
			for _, l := range c.loops()[c.trues.loops:] {
				units *= l.n
			}
		}
		w.facts.Elements = units / c.elem.units * max(c.elem.together, 1)
		w.facts.Bytes = w.facts.Elements * c.elem.size
	}
	if c.data.Len > 0 {
		w.kernel = "copy on the way"
		w.passed()
	}
}

// noteBlocks is note for a part whose indices are resolved block by block.
func (c *call) noteBlocks(n *nest) {
	if c.watch == nil || c.work == checkWork {
		return
	}
	kernel := "gather"
	if c.work == scatterWork {
		kernel = "scatter"
	}
	switch _, run := n.inner(); {
	case c.elem.refs != nil:
		kernel += ", pointers"
	case run.n > 1:
		kernel += " rows"
	default:
		kernel += ", resolved indices"
	}
	c.note(kernel)
}

// note says which kernel the parts of a pass take, where that is decided.
func (c *call) note(kernel string) {
	if c.watch != nil {
		c.watch.note(kernel)
	}
}

func (w *watch) note(kernel string) {
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

// relabel gives the caller's goroutine its own labels again.
func (w *watch) relabel() {
	if w.labels != nil {
		w.labels.own()
	}
}

// unlabel takes the labels off a goroutine of an Executor.
func (w *watch) unlabel() {
	if w != nil && w.labels != nil {
		w.labels.none()
	}
}
