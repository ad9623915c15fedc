package backend

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/kernels"
)

// Run runs the model of the test, and if it is a scatter, makes the call in place, too. Every bit
// of the result must be as shipped.
func (c *Case) Run() error {
	outputs, err := c.session.Run(c.inputs)
	if err != nil {
		return err
	}
	if err := c.compare(outputs[c.session.Outputs()[0].Name]); err != nil {
		return err
	}
	switch c.Op {
	case "Scatter", "ScatterElements", "ScatterND", "TensorScatter":
		in := slices.Clone(c.operands)
		in[0].Data, in[0].Strings = bytes.Clone(in[0].Data), slices.Clone(in[0].Strings)
		err := c.operator.RunInto(in[0], in)
		if err == nil {
			err = c.compare(in[0])
		}
		if err != nil {
			return fmt.Errorf("in place: %w", err)
		}
	}
	return nil
}

func (c *Case) compare(got kernels.Raw) error {
	want := c.Output
	if got.Type != want.Type || !slices.Equal(got.Shape, want.Shape) {
		return fmt.Errorf("a %v of shape %v, and not a %v of shape %v", got.Type, got.Shape, want.Type, want.Shape)
	}
	if !bytes.Equal(got.Data, want.Data) || !slices.Equal(got.Strings, want.Strings) {
		return fmt.Errorf("the elements are\n%x %q, and not\n%x %q", got.Data, got.Strings, want.Data, want.Strings)
	}
	return nil
}
