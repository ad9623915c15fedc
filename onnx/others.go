package onnx

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"github.com/lanes-go/lanes/kernels"
)

// An OperatorName says which operator a node has: its Domain and Op.
type OperatorName struct{ Domain, Op string }

// An Implementation runs a node of a model on its inputs, in their order. The zero Raw is an
// input that is left out. It returns a tensor for each of the node's Outputs, also for one that
// has no name. They may be views, and may share memory with the inputs or with each other, as those of
// a reshape do. It changes no input, and keeps no tensor: a session may write into what nobody
// needs any more. opts are those of Run.
//
// It is called by every Run, on the goroutine that called that.
type Implementation func(n *Node, in []kernels.Raw, opts ...kernels.Option) ([]kernels.Raw, error)

// Implementations are operators that a caller supplies, by their names. "" and "ai.onnx" are
// one domain. They come before the operators of this package.
type Implementations map[OperatorName]Implementation

// of returns what runs a node, or nil.
func (others Implementations) of(n *Node) Implementation {
	if f := others[OperatorName{n.Domain, n.Op}]; f != nil || !ownDomain(n.Domain) {
		return f
	}
	if f := others[OperatorName{"", n.Op}]; f != nil {
		return f
	}
	return others[OperatorName{"ai.onnx", n.Op}]
}

// NewSessionWith is NewSession of a model that has other operators as well, which others runs. Of
// their outputs no more is known than what the model declares; Run checks them against that. A
// tensor that contradicts it, or that reaches out of its memory, is a *RuleError, and an
// Implementation's own error is wrapped, both by a *NodeError. The outputs count for MaxBytes.
func NewSessionWith(m *Model, others Implementations) (*Session, error) {
	s := &Session{slots: map[string]int{}, outputs: slices.Clone(m.Graph.Outputs)}
	if err := s.build(m, others); err != nil {
		return nil, in("graph", err)
	}
	return s, nil
}

// addOther adds a node that the caller runs.
func (s *Session) addOther(m *Model, i int, run Implementation, declared map[string][]Type) error {
	n := &m.Graph.Nodes[i]
	field := fmt.Sprintf("node[%d]", i)
	st := step{Operator: &Operator{Name: n.Op, Opset: m.Opset}, node: n, index: i, other: run}
	wrong := func(err error) error { return &NodeError{i, n.Name, n.Op, m.Opset, err} }
	if len(n.Outputs) == 0 {
		return wrong(st.rule("outputs", "0", "it has none", ErrInput))
	}
	var err error
	if st.in, _, err = s.inputsOf(n, field, wrong); err != nil {
		return err
	}
	for j, name := range n.Outputs {
		if name == "" {
			st.outs = append(st.outs, -1)
			continue
		}
		at, err := s.addMade(slot{Value: Value{Name: name}}, i, fmt.Sprintf("%s.output[%d]", field, j), declared, wrong)
		if err != nil {
			return err
		}
		st.outs = append(st.outs, at)
	}
	s.steps = append(s.steps, st)
	return nil
}

// other runs a node that is the caller's.
func (r *run) other(st *step, in []kernels.Raw, opts []kernels.Option) error {
	got, err := st.other(st.node, in, opts...)
	if err != nil {
		return err
	}
	if len(got) != len(st.outs) {
		return st.rule("outputs", fmt.Sprint(len(got)), fmt.Sprintf("the node has %d", len(st.outs)), ErrInput)
	}
	return r.keep(st, got)
}

// A piece is the memory of an input or an output of a node.
type piece struct {
	begin, end uintptr
	value      *held
	input      bool
}

func pieceOf(h *held, input bool) piece {
	begin := uintptr(unsafe.Pointer(unsafe.SliceData(h.raw.Data)))
	return piece{begin, begin + uintptr(len(h.raw.Data)), h, input}
}

// keep makes tensors the values of a node's outputs. Those that overlap, or overlap inputs, share one
// memory. Views and strings are copied.
func (r *run) keep(st *step, made []kernels.Raw) error {
	var pieces []piece
	for _, at := range st.in {
		if at >= 0 && len(r.held[at].raw.Data) > 0 {
			pieces = append(pieces, pieceOf(&r.held[at], true))
		}
	}
	for k, at := range st.outs {
		if at < 0 {
			continue
		}
		h, t := &r.held[at], made[k]
		if err := st.made(&r.values[at].Value, &t); err != nil {
			return err
		}
		t.Shape = slices.Clone(t.Shape) // it may be an input's
		h.raw, h.ready = t, true
		if bytes, _ := sizeOf(t.Type, t.Shape); bytes > 0 && isContiguous(&t, bytes) {
			pieces = append(pieces, pieceOf(h, false))
		} else if err := r.give(h); err != nil {
			return err
		}
	}
	slices.SortFunc(pieces, func(a, b piece) int { return cmp.Compare(a.begin, b.begin) })
	for len(pieces) > 0 {
		n, end := 1, pieces[0].end
		for n < len(pieces) && pieces[n].begin < end {
			end = max(end, pieces[n].end)
			n++
		}
		if err := r.share(pieces[:n], int(end-pieces[0].begin)); err != nil {
			return err
		}
		pieces = pieces[n:]
	}
	return nil
}

// share makes outputs share the memory of the inputs that they overlap, or one that is new.
func (r *run) share(pieces []piece, bytes int) error {
	var with *held // an input
	for _, p := range pieces {
		if !p.input {
			continue
		}
		if with == nil {
			with = p.value
		} else if with.memory != p.value.memory { // outputs across several: a value has one memory
			return r.copyEach(pieces)
		}
	}
	m := &memory{bytes: bytes}
	if with != nil {
		m = with.memory
	} else if err := r.reserve(bytes); err != nil {
		return err
	}
	for _, p := range pieces {
		if p.input {
			continue
		}
		if p.value.memory = m; m != nil {
			m.holders++
		}
	}
	return nil
}

// copyEach makes each output own its memory.
func (r *run) copyEach(pieces []piece) error {
	for _, p := range pieces {
		if !p.input {
			if err := r.give(p.value); err != nil {
				return err
			}
		}
	}
	return nil
}

// made checks a tensor that an Implementation made.
func (o *Operator) made(v *Value, t *kernels.Raw) error {
	field := fmt.Sprintf("output %q", v.Name)
	if t.Type == 0 || int(t.Type) >= len(elements) {
		return o.rule(field, "", fmt.Sprintf("of type %v", t.Type), kernels.ErrType)
	}
	if reason := viewFault(t); reason != "" {
		return o.rule(field, "", reason, kernels.ErrShape)
	}
	return o.declared(v, t)
}

// declared checks that a tensor is what is known of its value.
func (o *Operator) declared(v *Value, t *kernels.Raw) error {
	field := func() string { return fmt.Sprintf("output %q", v.Name) }
	if v.Type.Elem != 0 && t.Type != v.Type.Elem {
		return o.rule(field(), "", fmt.Sprintf("of type %v, and the model has %v", t.Type, v.Type.Elem), kernels.ErrType)
	}
	if v.Type.Dims != nil && agree(v.Type, KnownOf(t).Type) != nil {
		return o.rule(field(), "", fmt.Sprintf("of shape %v, and the model has %v", t.Shape, v.Type.Dims), kernels.ErrShape)
	}
	return nil
}
