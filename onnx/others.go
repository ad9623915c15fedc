package onnx

import (
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
	if st.in, _, err = s.inputsOf(n, field); err != nil {
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
	for k, at := range st.outs {
		if at < 0 {
			continue
		}
		if err := r.keep(st, at, got[k]); err != nil {
			return err
		}
	}
	return nil
}

// keep makes a tensor the value of a slot.
func (r *run) keep(st *step, at int, t kernels.Raw) error {
	v, h := &r.values[at], &r.held[at]
	if err := st.made(&v.Value, &t); err != nil {
		return err
	}
	bytes, _ := sizeOf(t.Type, t.Shape)
	if isContiguous(&t, bytes) {
		for _, other := range slices.Concat(st.in, st.outs) {
			if other >= 0 && other != at && r.held[other].ready && shares(&t, &r.held[other].raw) {
				h.raw, h.memory, h.ready = t, r.held[other].memory, true
				if h.memory != nil {
					h.holders++
				}
				return nil
			}
		}
	}
	if err := r.reserve(bytes); err != nil {
		return err
	}
	h.memory = &memory{bytes, 1}
	var err error
	h.raw, err = contiguous(t)
	h.ready = err == nil
	return err
}

// made checks a tensor that an Implementation made.
func (o *Operator) made(v *Value, t *kernels.Raw) error {
	field := fmt.Sprintf("output %q", v.Name)
	if t.Type == 0 || int(t.Type) >= len(elements) {
		return o.rule(field, "", fmt.Sprintf("of type %v", t.Type), kernels.ErrType)
	}
	if v.Type.Elem != 0 && t.Type != v.Type.Elem {
		return o.rule(field, "", fmt.Sprintf("of type %v, and the model has %v", t.Type, v.Type.Elem), kernels.ErrType)
	}
	if reason := viewFault(t); reason != "" {
		return o.rule(field, "", reason, kernels.ErrShape)
	}
	if agree(v.Type, KnownOf(t).Type) != nil {
		return o.rule(field, "", fmt.Sprintf("of shape %v, and the model has %v", t.Shape, v.Type.Dims), kernels.ErrShape)
	}
	return nil
}

// shares reports whether the bytes of two tensors overlap. Strings are copied in any case.
func shares(a, b *kernels.Raw) bool {
	if len(a.Data) == 0 || len(b.Data) == 0 {
		return false
	}
	begin := func(r *kernels.Raw) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(r.Data))) }
	return begin(a) < begin(b)+uintptr(len(b.Data)) && begin(b) < begin(a)+uintptr(len(a.Data))
}
