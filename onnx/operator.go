package onnx

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/lanes-go/lanes/kernels"
)

// An Operator is a node's operator in the version that an opset has, with its
// attributes, checked. Goroutines may share it.
type Operator struct {
	Name       string
	Opset      int64
	op         *operator
	version    *version
	attributes map[string]*Attribute
	value      kernels.Raw // of a constant
}

// Bind looks a node's operator up in an opset. The error is a *RuleError, which wraps
// ErrUnsupported for what the opset, or this package, does not have, kernels.ErrAttribute for
// attributes, and kernels.ErrType for the type of a Constant. A Constant's tensor whose data don't
// fit its shape is an error of package kernels, or a *LimitError.
//
// An Operator keeps the node's attributes.
func Bind(n *Node, opset int64) (*Operator, error) {
	o := &Operator{Name: n.Op, Opset: opset, attributes: map[string]*Attribute{}}
	if !ownDomain(n.Domain) {
		return nil, o.rule("", "", fmt.Sprintf("domain %q", n.Domain), ErrUnsupported)
	}
	if opset < 1 || opset > NewestOpset {
		return nil, o.rule("", "", fmt.Sprintf("opset %d, and those from 1 to %d are known", opset, NewestOpset), ErrUnsupported)
	}
	if o.op = operators[n.Op]; o.op == nil {
		return nil, o.rule("", "", "not one of the operators that are here", ErrUnsupported)
	}
	version, exists := o.op.at(opset)
	if !exists {
		return nil, o.rule("", "", fmt.Sprintf("came with opset %d, and this is opset %d", o.op.versions[0].since, opset), ErrUnsupported)
	}
	o.version = version
	if why := version.deprecated; why != "" {
		return nil, o.rule("", "", "deprecated: "+why, ErrUnsupported)
	}
	for i := range n.Attributes {
		if err := o.take(&n.Attributes[i]); err != nil {
			return nil, err
		}
	}
	for _, f := range version.attributes {
		if f.required && o.attributes[f.name] == nil {
			return nil, o.attributeRule(f.name, "", "missing")
		}
	}
	if o.op.constant != nil {
		var err error
		if o.value, err = o.op.constant(o); err != nil {
			return nil, err
		}
	}
	return o, nil
}

// Version returns the opset that the operator came with, in the form in which o's opset has it, and 0 for an Operator
// that Bind has not made.
func (o *Operator) Version() int64 {
	if o.version == nil {
		return 0
	}
	return o.version.since
}

func (o *Operator) rule(field, value, reason string, kind error) error {
	e := &RuleError{Op: o.Name, Opset: o.Opset, Field: field, Value: value, Reason: reason, Kind: kind}
	if o.version != nil {
		e.Version = o.version.since
	}
	return e
}

func (o *Operator) attributeRule(name, value, reason string) error {
	return o.rule("attribute "+name, value, reason, kernels.ErrAttribute)
}

// take checks an attribute.
func (o *Operator) take(a *Attribute) error {
	f := o.version.attribute(a.Name)
	switch {
	case f == nil:
		return o.attributeRule(a.Name, "", "unknown"+o.op.other(o.version, func(v *version) bool { return v.attribute(a.Name) != nil }))
	case o.attributes[a.Name] != nil:
		return o.attributeRule(a.Name, "", "given twice")
	case a.Type != f.kind:
		return o.attributeRule(a.Name, "", fmt.Sprintf("%v, and not %v", a.Type, f.kind))
	case f.values != nil && !slices.Contains(f.values, a.String):
		return o.attributeRule(a.Name, strconv.Quote(a.String), "unknown"+o.op.other(o.version, func(v *version) bool {
			f := v.attribute(a.Name)
			return f != nil && slices.Contains(f.values, a.String)
		}))
	case a.Type == AttributeInt && a.Int != int64(int(a.Int)):
		return o.attributeRule(a.Name, strconv.FormatInt(a.Int, 10), "it does not fit an int")
	}
	if slices.Contains(o.version.fromZero, a.Name) {
		for _, n := range append([]int64{a.Int}, a.Ints...) {
			if n < 0 {
				return o.attributeRule(a.Name, strconv.FormatInt(n, 10), "negative"+o.counting(a.Name))
			}
		}
	}
	o.attributes[a.Name] = a
	return nil
}

// counting says since when a field may count from the end.
func (o *Operator) counting(name string) string {
	return o.op.other(o.version, func(v *version) bool { return !slices.Contains(v.fromZero, name) })
}

// int returns an attribute of type INT, or 0.
func (o *Operator) int(name string) int {
	if a := o.attributes[name]; a != nil {
		return int(a.Int)
	}
	return 0
}

// A Known is what is known of an input: its type, and perhaps its value.
type Known struct {
	Type
	Value *kernels.Raw
}

// KnownOf returns what a tensor tells of itself.
func KnownOf(t *kernels.Raw) *Known {
	dims := make([]Dim, len(t.Shape))
	for i, n := range t.Shape {
		dims[i].Size = n
	}
	return &Known{Type{t.Type, dims}, t}
}

// A call is an operator with what is known of its inputs, in the order of version.inputs; nil: left
// out.
type call struct {
	*Operator
	in []*Known
}

// Infer returns the type of the output, as far as it follows from what is known of the
// inputs; nil stands for one that is left out. Where the shapes of all inputs are known, and
// so are the values that the output's shape depends on, so is the output's shape. The
// error is a *RuleError, one of package kernels, or a *LimitError.
func (o *Operator) Infer(in []*Known) (Type, error) {
	c, err := o.call(in)
	if err != nil {
		return Type{}, err
	}
	dims, err := o.op.dims(c)
	if err == nil {
		err = c.values(slices.ContainsFunc(dims, func(d Dim) bool { return d.Size == 0 }))
	}
	if err != nil {
		return Type{}, err
	}
	return Type{c.elem(), dims}, nil
}

// elem returns the type of the output's elements, 0 if it is not known.
func (c *call) elem() kernels.DType {
	if len(c.in) == 0 {
		return c.value.Type
	}
	return c.in[0].Elem
}

// call checks the number of inputs, their types, and what needs no shape of their values.
func (o *Operator) call(in []*Known) (*call, error) {
	if o.version == nil {
		return nil, o.rule("", "", "an Operator that Bind has not made", ErrUnsupported)
	}
	formals := o.version.inputs
	if len(in) > len(formals) {
		return nil, o.rule("inputs", strconv.Itoa(len(in)), fmt.Sprintf("more than %d%s", len(formals),
			o.op.other(o.version, func(v *version) bool { return len(v.inputs) >= len(in) })), ErrInput)
	}
	c := &call{o, make([]*Known, len(formals))}
	copy(c.in, in)
	for i, f := range formals {
		k := c.in[i]
		if k != nil && k.Value != nil && (k.Dims == nil || k.Elem != k.Value.Type) {
			k = KnownOf(k.Value) // a value has its type
			c.in[i] = k
		}
		field := "input " + f.name
		switch {
		case k == nil && !f.optional:
			return nil, o.rule(field, "", "missing", ErrInput)
		case k == nil || k.Elem == 0:
			continue
		case !f.types.has(k.Elem):
			return nil, o.rule(field, k.Elem.String(), "not one of "+f.types.String()+o.op.other(o.version, func(v *version) bool {
				return len(v.inputs) > i && v.inputs[i].types.has(k.Elem)
			}), kernels.ErrType)
		}
		for j, other := range c.in[:i] {
			if formals[j].variable == f.variable && other != nil && other.Elem != 0 && other.Elem != k.Elem {
				return nil, o.rule(field, k.Elem.String(), fmt.Sprintf("%s is %v", formals[j].name, other.Elem), kernels.ErrType)
			}
		}
	}
	return c, nil
}

// values checks the values that are known of inputs which do not count from the end. It looks at each, so
// a run calls it when the size of the output is accepted. For an empty output no index is read, but axes are.
func (c *call) values(empty bool) error {
	if empty && c.Name != "Slice" {
		return nil
	}
	for i, f := range c.version.inputs {
		if k := c.in[i]; k != nil && k.Value != nil && c.looksAt(i) {
			if err := c.countsFromZero(f, c.in[i].Value); err != nil {
				return err
			}
		}
	}
	return nil
}

// looksAt reports whether the values of an input have to count from 0.
func (o *Operator) looksAt(i int) bool {
	return i < len(o.version.inputs) && slices.Contains(o.version.fromZero, o.version.inputs[i].name)
}

// countsFromZero looks for a negative value.
func (c *call) countsFromZero(f formal, t *kernels.Raw) error {
	v, err := kernels.SliceViewRaw(*t, kernels.SliceSpec{}) // its strides are given, and it stays in its slice
	if err != nil || slices.Contains(v.Shape, 0) {
		return err
	}
	at := make([]int, len(v.Shape)) // coordinates: 0 where a stride of 0 repeats what has been seen
	for o := v.Offset; ; {
		if n := integerAt(&v, o); n < 0 {
			return c.rule("input "+f.name, fmt.Sprintf("%d at %v", n, at), "negative"+c.counting(f.name), kernels.ErrIndex)
		}
		d := len(at) - 1
		for ; d >= 0; d-- {
			if at[d]++; at[d] < v.Shape[d] && v.Strides[d] != 0 {
				o += v.Strides[d]
				break
			}
			o -= (at[d] - 1) * v.Strides[d]
			at[d] = 0
		}
		if d < 0 {
			return nil
		}
	}
}

// Run makes the call with a new output. The zero Raw is an input that is left out.
func (o *Operator) Run(in []kernels.Raw, opts ...kernels.Option) (kernels.Raw, error) {
	return o.runNew(in, opts, func(bytes int) error {
		if int64(bytes) > mostBytes {
			return &LimitError{Bytes: int64(bytes), Limit: mostBytes}
		}
		return nil
	})
}

// runNew makes the call after reserve agrees to the size of the output.
func (o *Operator) runNew(in []kernels.Raw, opts []kernels.Option, reserve func(bytes int) error) (kernels.Raw, error) {
	c, shape, err := o.ready(in)
	if err != nil {
		return kernels.Raw{}, err
	}
	kind := c.elem()
	bytes, _ := sizeOf(kind, shape)
	if err := reserve(bytes); err != nil {
		return kernels.Raw{}, err
	}
	if err := c.values(slices.Contains(shape, 0)); err != nil {
		return kernels.Raw{}, err
	}
	dst := newRaw(kind, shape)
	return dst, o.op.run(c, dst, opts...)
}

// RunInto makes the call with an output of the caller's. It may be the data of a scatter,
// which then works in place, and shares memory with no other input.
func (o *Operator) RunInto(dst kernels.Raw, in []kernels.Raw, opts ...kernels.Option) error {
	c, shape, err := o.ready(in)
	if err != nil {
		return err
	}
	if err := c.values(slices.Contains(shape, 0)); err != nil {
		return err
	}
	return o.op.run(c, dst, opts...)
}

// ready returns the call on these inputs, and its output's shape.
func (o *Operator) ready(in []kernels.Raw) (*call, []int, error) {
	known := make([]*Known, len(in))
	for i := range in {
		if in[i].Type != 0 {
			known[i] = KnownOf(&in[i])
		}
	}
	c, err := o.call(known)
	if err != nil {
		return nil, nil, err
	}
	for i := range in {
		if slices.ContainsFunc(in[i].Shape, func(n int) bool { return n < 0 }) {
			return nil, nil, o.rule("input "+o.version.inputs[i].name, "", fmt.Sprintf("of shape %v", in[i].Shape), kernels.ErrShape)
		}
	}
	dims, err := o.op.dims(c)
	if err != nil {
		return nil, nil, err
	}
	shape := make([]int, len(dims))
	for i, d := range dims {
		shape[i] = d.Size
	}
	return c, shape, nil
}
