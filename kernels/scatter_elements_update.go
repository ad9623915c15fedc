package kernels

import "fmt"

// Reduction is how ScatterElementsUpdate combines updates with a cell.
type Reduction uint8

const (
	None Reduction = iota // the last update wins
	Sum
	Prod
	Min
	Max
	Mean
)

func (r Reduction) String() string {
	names := [...]string{"none", "sum", "prod", "min", "max", "mean"}
	if int(r) < len(names) {
		return names[r]
	}
	return fmt.Sprintf("Reduction(%d)", uint8(r))
}

// ScatterAttrs are the attributes of ScatterElementsUpdate; the zero value is
// the operator's default.
type ScatterAttrs struct {
	Reduction  Reduction
	IgnoreInit bool // use_init_val = false
}

func ScatterElementsUpdate[T any, I Index](dst, data Tensor[T], indices Tensor[I], updates Tensor[T], axis int, attrs ScatterAttrs, opts ...Option) error {
	panic("pending")
}

func ScatterElementsUpdateShape(data, indices, updates []int, axis int) ([]int, error) {
	panic("pending")
}
