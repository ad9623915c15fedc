package kernels

import "errors"

// The kinds of failure, for errors.Is. Each is wrapped by a typed error that
// says what to mend, for errors.As. When several hold at once, which one is
// returned is not specified.
var (
	// ErrIndex: a value of indices, or the begin of a shrunk axis, names no element; a bag begins
	// at no index.
	ErrIndex = errors.New("index out of range")
	// ErrShape: a shape, a view, or the last dimension of GatherND's indices does not fit.
	ErrShape = errors.New("invalid shape")
	// ErrAttribute: axis, batch_dims, a reduction, a mode, default_index, weights beside another
	// reduction than Sum, or a part of a SliceSpec or of Ranges is not allowed.
	ErrAttribute = errors.New("invalid attribute")
	// ErrType: the element type cannot be reduced that way; the types of Raw tensors do not fit.
	ErrType = errors.New("unsupported element type")
	// ErrOverlap: dst shares memory with an input, or its own coordinates share an element.
	ErrOverlap = errors.New("overlapping memory")
)

// IndexError reports an index that names no element. It wraps ErrIndex.
type IndexError struct {
	Op       string
	Position []int  // in indices, the first in row-major order; nil for a shrunk begin
	Value    string // the index as given
	Axis     int    // of data, counted from 0
	Size     int    // of that axis
	Length   int    // how many positions of the axis TensorScatter writes from the index on, or a window has; else 0
}

func (e *IndexError) Error() string {
	outOf := " is out of range for axis " + itoa(e.Axis) + " of size " + itoa(e.Size)
	if e.Position == nil {
		return "kernels: " + e.Op + ": begin " + e.Value + outOf
	}
	text := "kernels: " + e.Op + ": index " + e.Value + " at " + ints(e.Position) + outOf
	if e.Length > 0 {
		does := "written"
		if e.Op == generalGatherOp {
			does = "read"
		}
		text += ", of which " + itoa(e.Length) + " from the index on are " + does
	}
	return text
}

// Unwrap returns ErrIndex.
func (e *IndexError) Unwrap() error { return ErrIndex }

// OffsetError reports an offset of EmbeddingBag that is less than the one
// before it, or more than there are indices. It wraps ErrIndex.
type OffsetError struct {
	Op          string
	Position    []int  // in offsets, the first bad one
	Value       string // the offset as given
	Least, Most int    // the offset before it, and the number of indices
}

func (e *OffsetError) Error() string {
	return "kernels: " + e.Op + ": offset " + e.Value + " at " + ints(e.Position) + " is " + outside(e.Least, e.Most)
}

// Unwrap returns ErrIndex.
func (e *OffsetError) Unwrap() error { return ErrIndex }

// ShapeError reports a shape or a view that does not fit. It wraps ErrShape.
type ShapeError struct {
	Op     string
	Tensor string // which argument: "dst", "data", "indices", …
	Shape  []int  // the shape as given
	Reason string
}

func (e *ShapeError) Error() string {
	return "kernels: " + e.Op + ": " + e.Tensor + " of shape " + ints(e.Shape) + ": " + e.Reason
}

// Unwrap returns ErrShape.
func (e *ShapeError) Unwrap() error { return ErrShape }

// AttributeError reports an attribute that is not allowed. It wraps ErrAttribute.
type AttributeError struct {
	Op        string
	Attribute string // "axis", "batch_dims", "reduction", "mode", "out_of_range", "slice_sizes", those of GatherDims and ScatterDims by StableHLO's names, "default_index", "weights", "begin", "end", "strides", "ellipsis_mask", "starts", "ends", "axes", "steps", "rank"
	Value     string // the attribute as given
	Reason    string
}

func (e *AttributeError) Error() string {
	return "kernels: " + e.Op + ": " + e.Attribute + " " + e.Value + ": " + e.Reason
}

// Unwrap returns ErrAttribute.
func (e *AttributeError) Unwrap() error { return ErrAttribute }

// TypeError reports an element type that has no such reduction, or that a Raw
// cannot have in that place. It wraps ErrType.
type TypeError struct {
	Op     string
	Type   string // the Go element type, or the DType of a Raw
	Reason string
}

func (e *TypeError) Error() string {
	return "kernels: " + e.Op + ": element type " + e.Type + ": " + e.Reason
}

// Unwrap returns ErrType.
func (e *TypeError) Unwrap() error { return ErrType }

// OverlapError reports memory that may not be shared. It wraps ErrOverlap.
type OverlapError struct {
	Op     string
	Tensor string // the input that dst shares memory with, or a list as "data.Shape"; "dst" when dst overlaps itself
}

func (e *OverlapError) Error() string {
	if e.Tensor == "dst" {
		return "kernels: " + e.Op + ": two coordinates of dst share an element"
	}
	return "kernels: " + e.Op + ": dst shares memory with " + e.Tensor
}

// Unwrap returns ErrOverlap.
func (e *OverlapError) Unwrap() error { return ErrOverlap }
