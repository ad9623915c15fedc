package kernels

import (
	"fmt"
	"slices"
	"strconv"
)

// ints formats a clone, because fmt makes its arguments escape.
func ints(s []int) string { return fmt.Sprint(slices.Clone(s)) }
func itoa(i int) string   { return strconv.Itoa(i) }

// checkShape checks a shape by itself, without data.
func checkShape(op string, r role, shape []int) error {
	if _, reason := elements(shape); reason != "" {
		return &ShapeError{Op: op, Tensor: r.String(), Shape: slices.Clone(shape), Reason: reason}
	}
	return nil
}

// checkAxis returns axis counted from 0, for a tensor of the given rank.
func checkAxis(op string, axis, rank int) (int, error) {
	if axis < -rank || axis >= rank {
		return 0, &AttributeError{Op: op, Attribute: "axis", Value: itoa(axis),
			Reason: fmt.Sprintf("outside [%d, %d]", -rank, rank-1)}
	}
	if axis < 0 {
		axis += rank
	}
	return axis, nil
}

// checkElementwise checks the shapes of data and of indices along axis, as GatherElements and
// ScatterElementsUpdate need them: equal ranks, and on every other axis no more indices than data.
// That is ONNX Runtime's and PyTorch's rule; OpenVINO requires equal sizes. It returns axis counted
// from 0.
func checkElementwise(op string, data, indices []int, axis int) (int, error) {
	bad := func(r role, shape []int, reason string) (int, error) {
		return 0, &ShapeError{Op: op, Tensor: r.String(), Shape: slices.Clone(shape), Reason: reason}
	}
	if len(data) == 0 {
		return bad(dataRole, data, "needs at least one axis")
	}
	if len(indices) != len(data) {
		return bad(indicesRole, indices, "want data's rank "+itoa(len(data)))
	}
	axis, err := checkAxis(op, axis, len(data))
	if err != nil {
		return 0, err
	}
	for d, n := range indices {
		if d != axis && n > data[d] {
			return bad(indicesRole, indices, fmt.Sprintf("axis %d is longer than data's %d", d, data[d]))
		}
	}
	return axis, nil
}
