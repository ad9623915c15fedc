package backend

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/lanes-go/lanes/trust/calls"
)

// Run makes the call of the test, an update in place, too. Every bit of the result must be as shipped.
func (c *Case) Run() error {
	if err := c.compare(c.Call.Run()); err != nil {
		return err
	}
	if !c.Call.Op.Scatters() {
		return nil
	}
	if err := c.compare(c.Call.RunInPlace()); err != nil {
		return fmt.Errorf("in place: %w", err)
	}
	return nil
}

func (c *Case) compare(got calls.Tensor, err error) error {
	if err != nil {
		return err
	}
	if got.Type != c.Output.Type || !slices.Equal(got.Shape, c.Output.Shape) {
		return fmt.Errorf("a %v of shape %v, and not a %v of shape %v", got.Type, got.Shape, c.Output.Type, c.Output.Shape)
	}
	if !bytes.Equal(got.Data, c.Output.Data) {
		return fmt.Errorf("the bytes are\n%x, and not\n%x", got.Data, c.Output.Data)
	}
	return nil
}
