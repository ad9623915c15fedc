package dispatch

// Work is what elements and bytes cost one core, in ns, by what is done with them. Calls are shared
// out by time and not by elements, because a mean costs ten gathers. The figures are for data in
// the caches: the median of such calls at the best level of the machine (go test ./kernels -run
// '^$' -bench Work). A figure may be off by a factor of two.
type Work struct {
	Byte    float64 // copied or read in a run of neighbours
	Run     float64 // run that is copied or combined, without its bytes
	Strided float64 // element that is copied, and has no neighbours
	Check   float64 // index that is checked, or compared with the next one
	Gather  float64 // single element by an index of 32 or 64 bits
	Resolve float64 // index of another type, or a component of a tuple, without the element
	Scatter float64 // single element, the last of which wins
	Reduce  float64 // the same, to be combined with a cell
	Combine float64 // byte of a run that is combined
	Half    float64 // rounding of an element to 16 bits
	Mean    float64 // single element to be averaged
	Divide  float64 // cell of a mean
	Mask    float64 // element of a mask that is read
	Compact float64 // single element that a mask chooses
}

// Costs is the table in use. It must not change while an operator runs.
var Costs = Work{
	Byte:    0.025,
	Run:     1,
	Strided: 0.2,
	Check:   0.1,
	Gather:  0.45,
	Resolve: 0.8,
	Scatter: 0.5,
	Reduce:  0.7,
	Combine: 0.03,
	Half:    1.2,
	Mean:    3,
	Divide:  0.05,
	Mask:    0.15,
	Compact: 2,
}
