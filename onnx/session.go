package onnx

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"unsafe"

	"github.com/lanes-go/lanes/kernels"
)

// A short file may have one initializer of many axes, and many nodes that read it and make values of
// as many.
const (
	mostDims  = 1 << 20 // of the values that nodes make
	mostRead  = 1 << 24 // of those that nodes read
	mostAsked = 1 << 28 // elements of constant conditions that NewSession counts
	dimSize   = int64(unsafe.Sizeof(Dim{}))
)

// A dimCount counts the dims of the values of a graph.
type dimCount struct{ made, read int }

// make adds dims of a value that a node makes.
func (c *dimCount) make(n int) error { return limited(&c.made, n, mostDims, "shapes") }

// take adds dims of a value that a node reads.
func (c *dimCount) take(n int) error { return limited(&c.read, n, mostRead, "shapes that are read") }

func limited(count *int, n, most int, of string) error {
	if *count += n; *count > most {
		return &LimitError{Bytes: int64(*count) * dimSize, Limit: int64(most) * dimSize, Of: of}
	}
	return nil
}

// A Session runs a model. Goroutines may call Run at once.
type Session struct {
	// MaxBytes is how many bytes the tensors that a run makes may take at any one time. ≤ 0:
	// DefaultMaxBytes.
	MaxBytes int64
	// Observe, unless nil, is called with the facts of each node's call when it returns, on the
	// goroutine that called Run. It replaces an option kernels.Observe. Nodes without a call, such
	// as Constant, have none.
	Observe func(node *Node, facts kernels.Facts)

	inputs, outputs []Value
	slots           map[string]int // by the name of a value
	values          []slot
	dims            dimCount
	asked           int64 // elements of conditions
	steps           []step
}

// A slot is for a value of the graph.
type slot struct {
	Value
	from  string       // what makes it: "input", "initializer", "node 3"
	known *kernels.Raw // the value of initializers and constants
	given bool         // Run may be given it
	uses  int          // by nodes, and as outputs
}

// A step runs a node.
type step struct {
	*Operator
	node  *Node
	index int
	in    []int // slots; -1: left out
	out   int
	other Implementation // runs the node, if it is the caller's; then Operator has its name alone
	outs  []int          // in that case, instead of out; -1: without a name
	// over says that the output may take the place of the first input, if no other value
	// shares its memory.
	over bool
}

// NewSession checks a model and infers the types of its values. Names, the order of nodes and what
// values are declared to be is reported as a *FormatError, what is wrong with a node as a
// *NodeError; so are shapes that would take more than 24 MiB together, and nodes that read more than
// 16 Mi dimensions together, by a *LimitError. A model with operators that are not here needs
// NewSessionWith.
//
// A Session keeps parts of the model, which must not change.
func NewSession(m *Model) (*Session, error) { return NewSessionWith(m, nil) }

func (s *Session) build(m *Model, others Implementations) error {
	g := &m.Graph
	for i := range g.Initializers {
		t := &g.Initializers[i]
		v := slot{Value: Value{t.Name, KnownOf(&t.Raw).Type}, from: "initializer", known: &t.Raw}
		if err := s.add(v, fmt.Sprintf("initializer[%d]", i)); err != nil {
			return err
		}
	}
	for i, v := range g.Inputs {
		field := fmt.Sprintf("input[%d]", i)
		if at, exists := s.slots[v.Name]; exists && s.values[at].from == "initializer" && !s.values[at].given {
			have := &s.values[at]
			if err := agree(v.Type, have.Type); err != nil {
				return in(field, err)
			}
			// Run may be given another value, of which no more is known than what is declared.
			have.given, have.Type = true, Type{have.Type.Elem, v.Type.Dims}
			s.inputs = append(s.inputs, have.Value)
			continue
		}
		if err := s.add(slot{Value: v, from: "input", given: true}, field); err != nil {
			return err
		}
		s.inputs = append(s.inputs, v)
	}
	declared := map[string][]Type{}
	for _, v := range slices.Concat(g.Values, g.Outputs) {
		declared[v.Name] = append(declared[v.Name], v.Type)
	}
	for i := range g.Nodes {
		var err error
		if run := others.of(&g.Nodes[i]); run != nil {
			err = s.addOther(m, i, run, declared)
		} else {
			err = s.addNode(m, i, declared)
		}
		if err != nil {
			return err
		}
	}
	for i, v := range g.Outputs {
		at, exists := s.slots[v.Name]
		if !exists {
			return in(fmt.Sprintf("output[%d]", i), malformed("no node makes %q", v.Name))
		}
		if err := agree(v.Type, s.values[at].Type); err != nil {
			return in(fmt.Sprintf("output[%d]", i), err)
		}
		s.outputs[i].Type = merge(s.values[at].Type, v.Type)
		s.values[at].uses++
	}
	return nil
}

// add makes a slot.
func (s *Session) add(v slot, field string) error {
	if v.Name == "" {
		return in(field, malformed("without a name"))
	}
	if at, exists := s.slots[v.Name]; exists {
		return in(field, malformed("%q is the name of an %s already", v.Name, s.values[at].from))
	}
	s.slots[v.Name] = len(s.values)
	s.values = append(s.values, v)
	return nil
}

func (s *Session) addNode(m *Model, i int, declared map[string][]Type) error {
	n := &m.Graph.Nodes[i]
	field := fmt.Sprintf("node[%d]", i)
	wrong := func(err error) error { return &NodeError{i, n.Name, n.Op, m.Opset, err} }
	o, err := Bind(n, m.Opset)
	if err != nil {
		return wrong(err)
	}
	if len(n.Outputs) != 1 {
		return wrong(o.rule("outputs", fmt.Sprint(len(n.Outputs)), "it has one", ErrInput))
	}
	st := step{Operator: o, node: n, index: i}
	var known []*Known
	if st.in, known, err = s.inputsOf(n, field, wrong); err != nil {
		return err
	}
	for j, k := range known {
		if k != nil && k.Value != nil && o.looksAt(j) {
			bytes, _ := sizeOf(k.Value.Type, k.Value.Shape)
			if err := s.dims.take(bytes / max(k.Value.Type.Size(), 1)); err != nil {
				return wrong(err)
			}
		}
		if k != nil && k.Value != nil && o.Name == "Compress" && j == 1 {
			bytes, ok := sizeOf(k.Value.Type, k.Value.Shape)
			if s.asked += int64(bytes); !ok || s.asked > mostAsked {
				k.Value = nil // how many are true is not known then
			}
		}
	}
	made, err := o.Infer(known)
	if err != nil {
		return wrong(err)
	}
	st.over = o.op.inPlace && !slices.Contains(st.in[1:], st.in[0])
	v := slot{Value: Value{n.Outputs[0], made}}
	if o.op.constant != nil {
		v.known = &o.value
	}
	if st.out, err = s.addMade(v, i, field+".output[0]", declared, wrong); err != nil {
		return err
	}
	s.steps = append(s.steps, st)
	return nil
}

// inputsOf returns the slots of a node's inputs, -1 for one that is left out, and what is known of them.
func (s *Session) inputsOf(n *Node, field string, wrong func(error) error) (slots []int, known []*Known, err error) {
	for j, name := range n.Inputs {
		if name == "" {
			slots, known = append(slots, -1), append(known, nil)
			continue
		}
		at, exists := s.slots[name]
		if !exists {
			return nil, nil, in(fmt.Sprintf("%s.input[%d]", field, j), malformed("%q is no input, no initializer, and nothing that a node before makes", name))
		}
		v := &s.values[at]
		if err := s.dims.take(len(v.Type.Dims)); err != nil {
			return nil, nil, wrong(err)
		}
		v.uses++
		k := &Known{Type: v.Type}
		if !v.given {
			k.Value = v.known // else Run may be given another
		}
		slots, known = append(slots, at), append(known, k)
	}
	return slots, known, nil
}

// addMade makes a slot for an output of node i, of which what is declared is known as well.
func (s *Session) addMade(v slot, i int, field string, declared map[string][]Type, wrong func(error) error) (at int, err error) {
	if err := s.dims.make(len(v.Type.Dims)); err != nil {
		return 0, wrong(err)
	}
	v.from = "output of node " + fmt.Sprint(i)
	for _, d := range declared[v.Name] {
		if err := agree(d, v.Type); err != nil {
			return 0, in(field, err)
		}
		v.Type = merge(v.Type, d)
	}
	return len(s.values), s.add(v, field)
}

// agree reports that what is declared contradicts what is known.
func agree(declared, known Type) error {
	if declared.Elem != 0 && known.Elem != 0 && declared.Elem != known.Elem {
		return malformed("declared as %v, and it is %v", declared.Elem, known.Elem)
	}
	if declared.Dims == nil || known.Dims == nil {
		return nil
	}
	fits := len(declared.Dims) == len(known.Dims)
	for i := 0; fits && i < len(known.Dims); i++ {
		d, k := declared.Dims[i].Size, known.Dims[i].Size
		fits = d < 0 || k < 0 || d == k
	}
	if !fits {
		return malformed("declared as of shape %v, and it is %v", declared.Dims, known.Dims)
	}
	return nil
}

// merge adds what b says to a, with which it agrees.
func merge(a, b Type) Type {
	if a.Elem == 0 {
		a.Elem = b.Elem
	}
	if a.Dims == nil {
		a.Dims = b.Dims
		return a
	}
	if b.Dims == nil { // a short file may say so many times of one value of many axes
		return a
	}
	a.Dims = concat(a.Dims)
	for i := range min(len(a.Dims), len(b.Dims)) {
		if a.Dims[i].Size < 0 && (b.Dims[i].Size >= 0 || a.Dims[i].Name == "") {
			a.Dims[i] = b.Dims[i]
		}
	}
	return a
}

// Inputs returns what Run takes, in the model's order. Those that are initializers
// as well may be left out.
func (s *Session) Inputs() []Value { return copied(s.inputs) }

// Outputs returns what Run returns, in the model's order, with the types that were inferred.
func (s *Session) Outputs() []Value { return copied(s.outputs) }

// copied returns values that share nothing with the session.
func copied(values []Value) []Value {
	values = slices.Clone(values)
	clones := map[*Dim][]Dim{} // values that share dims share their copies: a short file may name one of many axes many times
	for i := range values {
		d := values[i].Type.Dims
		if len(d) == 0 {
			continue
		}
		if len(clones[&d[0]]) != len(d) {
			clones[&d[0]] = slices.Clone(d)
		}
		values[i].Type.Dims = clones[&d[0]]
	}
	return values
}

// Type returns what was inferred, or declared, of any value of the graph.
func (s *Session) Type(name string) (Type, bool) {
	at, exists := s.slots[name]
	if !exists {
		return Type{}, false
	}
	t := s.values[at].Type
	t.Dims = slices.Clone(t.Dims)
	return t, true
}

// A held is a value while the model runs.
type held struct {
	raw   kernels.Raw
	ready bool
	*memory
	uses int // left
}

// A memory is what this run has made. It has more than one holder after an Identity.
type memory struct{ bytes, holders int }

// owned reports whether no other value shares the memory: it can be overwritten when it is not
// needed, or returned.
func (h *held) owned() bool { return h.memory != nil && h.holders == 1 }

// A run is one of Session.Run.
type run struct {
	*Session
	held   []held
	bytes  int64    // of all memories
	beyond dimCount // dims beyond those that NewSession counted
}

// Run runs the model on tensors by name, and returns its outputs by name. They share no memory with
// the inputs, with the model, or with each other. The options are passed to each node's call.
//
// The inputs may be views, and are not changed. What is wrong with them is reported as an
// *InputError, what goes wrong in a node, such as an index that is out of range, as a *NodeError.
// Outputs that are inputs or parts of the model have to be copied; past MaxBytes that is a
// *LimitError.
func (s *Session) Run(inputs map[string]kernels.Raw, opts ...kernels.Option) (map[string]kernels.Raw, error) {
	r := &run{Session: s, held: make([]held, len(s.values))}
	if err := r.take(inputs); err != nil {
		return nil, err
	}
	for i := range s.steps {
		st := &s.steps[i]
		if err := r.step(st, opts); err != nil {
			return nil, &NodeError{st.index, st.node.Name, st.Name, st.Opset, err}
		}
	}
	outputs := map[string]kernels.Raw{}
	for i, v := range s.outputs {
		h := &r.held[s.slots[v.Name]]
		if err := r.give(h); err != nil {
			return nil, in(fmt.Sprintf("graph.output[%d]", i), err)
		}
		outputs[v.Name] = h.raw
	}
	return outputs, nil
}

// take checks the inputs and puts them where the nodes find them.
func (r *run) take(inputs map[string]kernels.Raw) error {
	sizes := map[string]int{} // that names of dims stand for
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		at, exists := r.slots[name]
		if !exists || !r.values[at].given {
			return &InputError{name, "the model has none of that name"}
		}
	}
	for i := range r.values {
		v, h := &r.values[i], &r.held[i]
		h.uses = v.uses
		if v.known != nil {
			h.raw, h.ready = *v.known, true
		}
		if !v.given {
			continue
		}
		t, exists := inputs[v.Name]
		if !exists {
			if v.known == nil {
				return &InputError{v.Name, "missing"}
			}
			continue
		}
		if err := fits(&v.Value, &t, sizes); err != nil {
			return err
		}
		h.raw, h.ready = t, true
	}
	return nil
}

// fits checks a tensor that Run is given.
func fits(v *Value, t *kernels.Raw, sizes map[string]int) error {
	switch {
	case t.Type == 0 || int(t.Type) >= len(elements):
		return &InputError{v.Name, fmt.Sprintf("of type %v", t.Type)}
	case v.Type.Elem != 0 && t.Type != v.Type.Elem:
		return &InputError{v.Name, fmt.Sprintf("of type %v, and the model has %v", t.Type, v.Type.Elem)}
	}
	if reason := viewFault(t); reason != "" {
		return &InputError{v.Name, reason}
	}
	if v.Type.Dims == nil {
		return nil
	}
	wrong := len(t.Shape) != len(v.Type.Dims)
	for i := 0; !wrong && i < len(t.Shape); i++ {
		d := v.Type.Dims[i]
		if d.Size < 0 && d.Name != "" {
			if n, known := sizes[d.Name]; known && n != t.Shape[i] {
				return &InputError{v.Name, fmt.Sprintf("of shape %v, and %s is %d", t.Shape, d.Name, n)}
			}
			sizes[d.Name] = t.Shape[i]
		}
		wrong = d.Size >= 0 && d.Size != t.Shape[i]
	}
	if wrong {
		return &InputError{v.Name, fmt.Sprintf("of shape %v, and the model has %v", t.Shape, v.Type.Dims)}
	}
	return nil
}

// viewFault says what is wrong with the shape and strides of a tensor of a known type.
func viewFault(t *kernels.Raw) string {
	if slices.ContainsFunc(t.Shape, func(n int) bool { return n < 0 }) {
		return fmt.Sprintf("of shape %v", t.Shape)
	}
	_, err := kernels.SliceViewRaw(*t, kernels.SliceSpec{})
	if err == nil {
		return ""
	}
	if e := (*kernels.ShapeError)(nil); errors.As(err, &e) {
		return fmt.Sprintf("of shape %v: %s", t.Shape, e.Reason)
	}
	return err.Error()
}

// reserve takes bytes of what the run may have.
func (r *run) reserve(bytes int) error {
	limit := limitOf(r.MaxBytes)
	if int64(bytes) > limit-r.bytes {
		return &LimitError{Bytes: plus(r.bytes, bytes), Limit: limit}
	}
	r.bytes += int64(bytes)
	return nil
}

// plus adds bytes to others, up to what an int64 can say.
func plus(have int64, bytes int) int64 { return have + min(int64(bytes), math.MaxInt64-have) }

// step runs a node.
func (r *run) step(st *step, opts []kernels.Option) error {
	if st.other == nil && r.held[st.out].ready { // a constant
		return nil
	}
	in := make([]kernels.Raw, len(st.in))
	for i, at := range st.in {
		if at >= 0 {
			in[i] = r.held[at].raw
			if err := r.beyond.take(r.unknownDims(at)); err != nil {
				return err
			}
		}
	}
	if f := r.Observe; f != nil {
		opts = append(slices.Clip(opts), kernels.Observe(func(facts kernels.Facts) { f(st.node, facts) }))
	}
	outs := st.outs
	var err error
	if st.other != nil {
		err = r.other(st, in, opts)
	} else {
		outs = []int{st.out}
		err = r.own(st, in, opts)
	}
	if err != nil {
		return err
	}
	for _, at := range st.in {
		if at >= 0 {
			r.held[at].uses--
			r.release(at)
		}
	}
	for _, at := range outs {
		if at >= 0 {
			if err := r.beyond.make(r.unknownDims(at)); err != nil {
				return err
			}
			r.release(at)
		}
	}
	return nil
}

// unknownDims returns how many dims a value has of which NewSession did not know.
func (r *run) unknownDims(at int) int {
	return max(0, len(r.held[at].raw.Shape)-len(r.values[at].Type.Dims))
}

// own runs a node of an operator that this package has.
func (r *run) own(st *step, in []kernels.Raw, opts []kernels.Option) error {
	out := &r.held[st.out]
	var first *held
	if len(st.in) > 0 && st.in[0] >= 0 {
		first = &r.held[st.in[0]]
	}
	var err error
	switch {
	case st.op.same:
		out.raw, out.memory = first.raw, first.memory
		if out.memory != nil {
			out.holders++
		}
	case st.over && first.owned() && first.uses == 1:
		out.raw, out.memory, first.memory = first.raw, first.memory, nil
		err = st.RunInto(out.raw, in, opts...)
	default:
		out.raw, err = st.runNew(in, opts, func(bytes int) error {
			out.memory = &memory{bytes, 1}
			return r.reserve(bytes)
		})
	}
	if err == nil {
		err = st.declared(&r.values[st.out].Value, &out.raw)
	}
	out.ready = err == nil
	return err
}

// release drops a value that is not needed any more.
func (r *run) release(at int) {
	if h := &r.held[at]; h.uses == 0 {
		r.drop(h)
		h.raw = kernels.Raw{}
	}
}

// drop makes a value hold no memory.
func (r *run) drop(h *held) {
	if h.memory == nil {
		return
	}
	if h.holders--; h.holders == 0 {
		r.bytes -= int64(h.bytes)
	}
	h.memory = nil
}

// give makes a value own its memory.
func (r *run) give(h *held) error {
	if h.owned() {
		return nil
	}
	bytes, _ := sizeOf(h.raw.Type, h.raw.Shape)
	if err := r.reserve(bytes); err != nil {
		return err
	}
	r.drop(h)
	h.memory = &memory{bytes, 1}
	var err error
	h.raw, err = copyOf(h.raw)
	return err
}
