package kernels

import "slices"

// An IndexPolicy says what an operator does with an index that is negative, and with one that is
// out of range. The zero value is the default of all operators but three: in [TensorScatter],
// [GeneralGather] and [GeneralScatter] a negative index is out of range unless [Indices] says
// otherwise, and what is out of range is clamped by GeneralGather and skipped by GeneralScatter.
//
// For an axis of size d an index is in range if it is in [0, d-1] after d was added to it once,
// where negative ones count from the end. With NegativeIsOutOfRange that is [0, d-1] as it stands.
// An unsigned index is never negative.
type IndexPolicy struct {
	NegativeIsOutOfRange bool // false: a negative index counts from the end
	OutOfRange           OutOfRange
}

// OutOfRange says what becomes of an index that is out of range.
type OutOfRange uint8

const (
	// RangeError makes it an IndexError.
	RangeError OutOfRange = iota

	// Clamp takes the nearest index that is in range: 0 for one below, d-1 for one above. Each
	// component of a tuple is clamped by itself. On an axis of size 0 there is none to take, and
	// an index is an IndexError. TensorScatter clamps to the positions where the updates fit.
	Clamp

	// Skip takes no index. A gather writes the zero value of the element type there, for a slice or
	// a row as a whole. A scatter leaves the update out: its cell is not updated by it, nor counted
	// for a mean. An EmbeddingBag leaves the index out of its bag, and TensorScatter the updates of
	// its batch. A tuple is skipped if one of its components is out of range.
	Skip
)

// String returns the name of the constant.
func (o OutOfRange) String() string {
	switch o {
	case RangeError:
		return "RangeError"
	case Clamp:
		return "Clamp"
	case Skip:
		return "Skip"
	}
	return "OutOfRange(" + itoa(int(o)) + ")"
}

// Indices sets what an operator does with an index that is negative, and with one that is out of
// range. It is for every operator with indices and for the making of plans; the others ignore it.
// An unknown OutOfRange is an AttributeError. With Clamp or Skip no index is an error, but one
// into an axis of size 0 with Clamp. Results are the same for any number of workers.
func Indices(p IndexPolicy) Option { return Option{kind: policyOption, policy: p} }

// check returns the error of a policy that there is not.
func (p IndexPolicy) check(op string) error {
	if p.OutOfRange > Skip {
		return &AttributeError{Op: op, Attribute: "out_of_range", Value: p.OutOfRange.String(), Reason: "want RangeError, Clamp or Skip"}
	}
	return nil
}

// usual reports whether primitives read indices as the policy has it.
func (p IndexPolicy) usual() bool { return p == IndexPolicy{} }

// fails reports whether an index that is out of range is an error.
func (p IndexPolicy) fails() bool { return p.OutOfRange == RangeError }

// allowsAny reports whether no index into axes of these sizes can be an error: always with Skip,
// with Clamp unless a size is 0. It is for policies other than RangeError.
func (p IndexPolicy) allowsAny(sizes ...int) bool {
	return p.OutOfRange == Skip || !slices.Contains(sizes, 0)
}

// place returns an index as a position on an axis, whether it names one, and whether it is allowed.
func (p IndexPolicy) place(k int64, size int) (at int, named, allowed bool) {
	if k < 0 && !p.NegativeIsOutOfRange {
		k += int64(size)
	}
	switch {
	case uint64(k) < uint64(size):
		return int(k), true, true
	case p.OutOfRange == Skip:
		return 0, false, true
	case p.fails() || size == 0:
		return 0, false, false
	case k < 0:
		return 0, true, true
	}
	return size - 1, true, true
}
