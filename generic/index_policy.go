package generic

// IndexPolicy is kernels.IndexPolicy: what an index means that is negative, or out of range. The
// definitions of operators with indices take one as their last argument; without it an index below
// 0 counts from the end, and one out of range is a *BadIndex.
type IndexPolicy struct {
	NegativeIsOutOfRange bool
	OutOfRange           OutOfRange
}

// OutOfRange says what becomes of an index that is out of range.
type OutOfRange uint8

// What becomes of an index that is out of range.
const (
	RangeError OutOfRange = iota // it is a *BadIndex
	Clamp                        // it is the nearest one in range
	Skip                         // it names nothing
)

// policyOf returns the policy that a definition was given, or else the usual one.
func policyOf(given []IndexPolicy, usual IndexPolicy) IndexPolicy {
	if len(given) > 0 {
		return given[0]
	}
	return usual
}

// elementBy returns which element of an axis of size d the index k names, if it names one, and
// whether it is allowed. An axis of size 0 has no nearest index: there Clamp allows none.
func elementBy[I AnyIndex](p IndexPolicy, k I, d int) (x int, named, allowed bool) {
	x, named = element(k, d)
	if k < 0 && p.NegativeIsOutOfRange {
		named = false
	}
	switch {
	case named:
		return x, true, true
	case p.OutOfRange == Skip:
		return 0, false, true
	case p.OutOfRange == Clamp && d > 0 && k < 0:
		return 0, true, true
	case p.OutOfRange == Clamp && d > 0:
		return d - 1, true, true
	}
	return 0, false, false
}
