package onnx

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

// The kinds of failure, for errors.Is. Each is wrapped by a typed error that
// says where, for errors.As. What an operator's attributes, types, shapes and
// indices get wrong are the kinds of package kernels: kernels.ErrAttribute,
// ErrType, ErrShape and ErrIndex.
var (
	// ErrFormat: the bytes, or the parts of a Model, are not what ONNX defines.
	ErrFormat = errors.New("malformed")
	// ErrUnsupported: ONNX defines it, and this package does not have it: an
	// operator, an opset, an element type, a kind of value.
	ErrUnsupported = errors.New("unsupported")
	// ErrInput: the number of a node's inputs or outputs, or what Session.Run was given.
	ErrInput = errors.New("invalid input")
	// ErrLimit: a model asks for more memory than it is allowed.
	ErrLimit = errors.New("limit exceeded")
)

// FormatError reports a part of a model or a tensor that can't be read, or that
// contradicts another. It wraps ErrFormat, ErrUnsupported or ErrLimit.
type FormatError struct {
	Field  string // by the names of onnx.proto, as in "graph.node[3].attribute[0].t.dims"; of a file as a whole, ""
	Reason string
	Kind   error
}

func (e *FormatError) Error() string {
	kind := ""
	if e.Kind != nil {
		kind = " (" + e.Kind.Error() + ")"
	}
	if e.Field == "" {
		return "onnx: " + e.Reason + kind
	}
	return fmt.Sprintf("onnx: %s: %s%s", e.Field, e.Reason, kind)
}

// Unwrap returns the kind.
func (e *FormatError) Unwrap() error { return e.Kind }

func malformed(format string, args ...any) error {
	return &FormatError{Reason: fmt.Sprintf(format, args...), Kind: ErrFormat}
}

func unsupported(format string, args ...any) error {
	return &FormatError{Reason: fmt.Sprintf(format, args...), Kind: ErrUnsupported}
}

// in says which field an error is about.
func in(field string, err error) error {
	if e, ok := err.(*FormatError); ok {
		switch {
		case e.Field == "":
			e.Field = field
		case e.Field[0] == '[':
			e.Field = field + e.Field
		default:
			e.Field = field + "." + e.Field
		}
	}
	return err
}

// RuleError reports what the version of an operator that an opset has does not
// allow. It wraps kernels.ErrAttribute, kernels.ErrType, kernels.ErrShape,
// kernels.ErrIndex, ErrInput or ErrUnsupported.
type RuleError struct {
	Op      string
	Version int64  // of the operator: the opset it came with; 0 if the opset has none
	Opset   int64  // of the model
	Field   string // "attribute axis", "input indices"; "" for the operator as a whole
	Value   string // as given; "" if it does not matter
	Reason  string
	Kind    error
}

func (e *RuleError) Error() string {
	var s strings.Builder
	s.WriteString("onnx: " + e.Op)
	if e.Version > 0 {
		fmt.Fprintf(&s, "-%d", e.Version)
	}
	s.WriteString(": ")
	if e.Field != "" {
		s.WriteString(e.Field)
		if e.Value != "" {
			s.WriteString(" " + e.Value)
		}
		s.WriteString(": ")
	}
	s.WriteString(e.Reason)
	return s.String()
}

// Unwrap returns the kind.
func (e *RuleError) Unwrap() error { return e.Kind }

// NodeError says which node of a graph an error is about, and wraps it: a
// *RuleError, a *LimitError, or an error of package kernels.
type NodeError struct {
	Index int    // in Graph.Nodes
	Name  string // may be ""
	Op    string
	Opset int64
	Err   error
}

func (e *NodeError) Error() string {
	name := ""
	if e.Name != "" {
		name = fmt.Sprintf(" %q", e.Name)
	}
	return fmt.Sprintf("onnx: node %d%s (%s, opset %d): %s", e.Index, name, e.Op, e.Opset, strings.TrimPrefix(e.Err.Error(), "onnx: "))
}

// Unwrap returns what is wrong with the node.
func (e *NodeError) Unwrap() error { return e.Err }

// InputError reports what is wrong with a tensor that Session.Run was given, or
// was not. It wraps ErrInput.
type InputError struct {
	Name   string // of the graph's input
	Reason string
}

func (e *InputError) Error() string { return fmt.Sprintf("onnx: input %q: %s", e.Name, e.Reason) }

// Unwrap returns ErrInput.
func (e *InputError) Unwrap() error { return ErrInput }

// LimitError reports tensors, or shapes, that would take more memory than is allowed. It
// wraps ErrLimit.
type LimitError struct {
	Bytes, Limit int64  // how much all would take together, at least, and may take
	Of           string // "shapes"; "": tensors
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("onnx: %s of %d bytes, and the limit is %d", cmp.Or(e.Of, "tensors"), e.Bytes, e.Limit)
}

// Unwrap returns ErrLimit.
func (e *LimitError) Unwrap() error { return ErrLimit }
