package kernels

import (
	"slices"
	"strconv"
)

// The texts of errors are put together without package fmt, which would make a small program 0.2 MB
// larger, and which makes its arguments escape.

func itoa[I int | int64](i I) string { return strconv.FormatInt(int64(i), 10) }

// ints formats integers as fmt does: [2 3].
func ints[I int | int64](s []I) string {
	text := []byte("[")
	for i, n := range s {
		if i > 0 {
			text = append(text, ' ')
		}
		text = strconv.AppendInt(text, int64(n), 10)
	}
	return string(append(text, ']'))
}

// outside is the reason for a value that is not in [least, most].
func outside(least, most int) string { return "outside [" + itoa(least) + ", " + itoa(most) + "]" }

// shapeError is the error of an argument whose shape does not fit.
func shapeError(op string, r role, shape []int, reason string) error {
	return &ShapeError{Op: op, Tensor: r.String(), Shape: slices.Clone(shape), Reason: reason}
}

// checkShape checks a shape by itself, without data.
func checkShape(op string, r role, shape []int) error {
	if _, reason := elements(shape); reason != "" {
		return shapeError(op, r, shape, reason)
	}
	return nil
}

// checkShapes is checkShape for data and indices.
func checkShapes(op string, data, indices []int) error {
	if err := checkShape(op, dataRole, data); err != nil {
		return err
	}
	return checkShape(op, indicesRole, indices)
}

// checkAxis returns axis counted from 0, for a tensor of the given rank.
func checkAxis(op string, axis, rank int) (int, error) {
	if axis < -rank || axis >= rank {
		return 0, &AttributeError{Op: op, Attribute: "axis", Value: itoa(axis),
			Reason: outside(-rank, rank-1)}
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
	if len(data) == 0 {
		return 0, shapeError(op, dataRole, data, "needs at least one axis")
	}
	if len(indices) != len(data) {
		return 0, shapeError(op, indicesRole, indices, "want data's rank "+itoa(len(data)))
	}
	axis, err := checkAxis(op, axis, len(data))
	if err != nil {
		return 0, err
	}
	for d, n := range indices {
		if d != axis && n > data[d] {
			return 0, shapeError(op, indicesRole, indices, "axis "+itoa(d)+" is longer than data's "+itoa(data[d]))
		}
	}
	return axis, nil
}
