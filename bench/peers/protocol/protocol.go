// Package protocol is how bench and its peers talk. A peer is a process of its
// own. It reads requests from standard input and answers each on standard
// output, a line of JSON each; tensors go through files, row-major and without
// a header. The first line that a peer writes is a [Reply] with its version,
// before any request.
package protocol

// A Request tells a peer what to do.
//
//	prepare   loads the tensors of Call and makes it ready; of several ways to
//	          make the call the fastest is kept that is not in Avoid. The
//	          answer has Used, or Lacks.
//	result    makes the call once, on tensors as they were loaded, and writes
//	          what it gives to File. The tensors are then as loaded once more.
//	run       makes the call Calls times, after others for [Settle] that are not
//	          timed, one at least; none if calls take longer than [Long]. The answer has NS.
//	          With Times, that is done so often, and NS is the least.
//	release   forgets the tensors.
type Request struct {
	Do    string   `json:"do"`
	Call  *Call    `json:"call,omitempty"`
	Avoid []string `json:"avoid,omitempty"` // what Used was, of ways that gave another result
	Calls int      `json:"calls,omitempty"`
	Times int      `json:"times,omitempty"`
	File  string   `json:"file,omitempty"`
}

// A Reply answers a request.
type Reply struct {
	Version string `json:"version,omitempty"`
	Used    string `json:"used,omitempty"`  // the peer's call, as its users write it
	Lacks   string `json:"lacks,omitempty"` // why the peer can't make the call
	NS      int64  `json:"ns,omitempty"`    // of all calls together
	CPU     int64  `json:"cpu,omitempty"`   // the same, of the CPU's time that the process got
	Error   string `json:"error,omitempty"`
}

// A Call is an operator's call in full. Unless it is Drawn, shapes differ along Axis alone, and no
// index is negative or out of range.
type Call struct {
	Operator  string `json:"operator"`
	Axis      int    `json:"axis"`
	BatchDims int    `json:"batch_dims"`
	Reduction string `json:"reduction,omitempty"` // none, sum, prod, min, max, mean
	InPlace   bool   `json:"in_place"`            // the output is data

	// IgnoreInit is that a cell which is updated starts from the reduction's identity.
	IgnoreInit bool `json:"ignore_init,omitempty"`

	Cuts    []Cut   `json:"cuts,omitempty"` // of a StridedSlice, one an axis
	Data    Tensor  `json:"data"`
	Indices *Tensor `json:"indices,omitempty"`
	Updates *Tensor `json:"updates,omitempty"`
	Output  Tensor  `json:"output"` // without a file

	// Drawn is the id of a random call: its indices may be negative, its shapes differ on other axes, too,
	// and nothing that a peer has to convert beforehand is timed. Another checkout of lanes gets the id alone, with
	// the number of workers, and its result is a hash.
	Drawn   string `json:"drawn,omitempty"`
	Workers int    `json:"workers,omitempty"`
}

// The operators, by the names that calls have.
const (
	GatherElements        = "GatherElements"
	GatherND              = "GatherND"
	Gather                = "Gather"
	ScatterElementsUpdate = "ScatterElementsUpdate"
	ScatterNDUpdate       = "ScatterNDUpdate"
	StridedSlice          = "StridedSlice"
)

// A Tensor is in a file, or says how the output looks.
type Tensor struct {
	File    string `json:"file,omitempty"`
	Type    string `json:"type"` // float32, float64, float16, bfloat16, uint8, int16, int32, int64, complex64
	Shape   []int  `json:"shape"`
	Strides []int  `json:"strides,omitempty"` // in elements; none: contiguous
}

// A Cut takes Count elements of an axis, from Begin on and Stride apart. A
// shrunk axis is not in the output.
type Cut struct {
	Begin  int  `json:"begin"`
	Count  int  `json:"count"`
	Stride int  `json:"stride"`
	Shrunk bool `json:"shrunk"`
}

// End returns the bound of the cut that slicing takes: past the last element,
// and -1 for a reversed axis that is taken to its start.
func (c Cut) End() int {
	if c.Stride > 0 {
		return c.Begin + (c.Count-1)*c.Stride + 1
	}
	return c.Begin + (c.Count-1)*c.Stride - 1
}
