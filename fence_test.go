package lanes_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// Every call of these tests runs in yards: memory of its own for each buffer,
// between pages that fault when they are touched (where the system has them),
// with the buffer flush against one of the two, canaries on its other side, and
// inputs that can't be written. The same call in plain memory, made of package
// generic directly, says what the result has to be, bit for bit.

// A layout is a plane but for its slice.
type layout struct {
	at, row, col int
	stream       bool // past the caches, of a plane that is written
}

// fit returns the layout of a plane of rows × cols with these steps in the
// shortest slice that holds it and pad elements before it, and that slice's length.
func fit(rows, cols, row, col, pad int) (layout, int) {
	lo, hi := 0, 0
	for _, last := range [...]int{max(rows-1, 0) * row, max(cols-1, 0) * col} {
		lo, hi = lo+min(last, 0), hi+max(last, 0)
	}
	if rows <= 1 && cols == 0 {
		return layout{at: pad, row: row, col: col}, pad // no element, and no row that could begin somewhere
	}
	return layout{at: pad - lo, row: row, col: col}, pad + hi - lo + 1
}

// A buffer is one slice argument: what it holds when the call begins.
type buffer struct {
	name  string
	width int // of its elements
	data  []byte
}

// newBuffer returns room for n elements, aligned as any element has to be.
func newBuffer(name string, n, width int) buffer {
	words := make([]lanes.X128, (n*width+15)/16+1)
	return buffer{name, width, unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n*width)}
}

// elems returns memory as elements, wherever it begins.
func elems[T any](b []byte) []T {
	var z T
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), cap(b)/int(unsafe.Sizeof(z)))[:len(b)/int(unsafe.Sizeof(z))]
}

func plane[T any](b []byte, l layout) lanes.Plane[T] {
	return lanes.Plane[T]{Data: elems[T](b), At: l.at, Row: l.row, Col: l.col, Stream: l.stream}
}

// A call is a primitive with its arguments. The functions that make one leave
// it to run where the buffers and steps are, so that tests can spoil them.
type call struct {
	op, note   string
	args       any // printed with a failure
	buffers    []buffer
	output     bool // buffers[0] is written; all others are inputs
	layouts    []layout
	rows, cols int
	spare      int // bytes of capacity past the slices' lengths, for the primitive alone

	// run calls the primitive or, as the oracle, package generic's loop. It
	// returns the position of a bad index, -1 when there is none.
	run func(c *call, oracle bool, mem [][]byte) int

	// After a bad index the output is the oracle's, if applied is set. Otherwise the rows × cols of
	// layouts[0] may hold anything, if partial is set, and all of the output if not.
	applied, partial bool

	// same compares results that may differ in the sign and payload of a NaN.
	same func(got, want []byte) bool
}

// outcome is how a call ends: it returns a position, panics, or touches what
// it must not.
type outcome struct {
	position int
	panicked any
	fault    bool
	address  uintptr
}

func attempt(run func() int) (o outcome) {
	defer func() {
		if o.panicked = recover(); o.panicked != nil {
			if e, ok := o.panicked.(interface{ Addr() uintptr }); ok {
				o.fault, o.address = true, e.Addr()
			}
		}
	}()
	o.position = run()
	return o
}

// expect runs the oracle in plain memory.
func (c *call) expect() (outcome, []byte) {
	var mem [6][]byte
	for i, b := range c.buffers {
		mem[i] = b.data[:len(b.data):len(b.data)]
	}
	if c.output {
		b := c.buffers[0]
		mem[0] = newBuffer(b.name, len(b.data)/b.width, b.width).data
		copy(mem[0], b.data)
	}
	o := attempt(func() int { return c.run(c, true, mem[:len(c.buffers)]) })
	return o, mem[0]
}

// A yard is fenced memory for one buffer. What is written appears in seen,
// which is what a primitive gets; it is read-only for inputs.
type yard struct {
	write, seen []byte
	fenced      bool
}

// A placement is where in its yard a buffer lies: shift bytes from the fence
// after it or the fence before it.
type placement struct {
	end   bool
	shift int
}

const canaryBytes = 128

var canary = func() []byte {
	b := make([]byte, canaryBytes)
	randomBytes(rand.New(rand.NewPCG(0, 0)), b)
	return b
}()

// put returns where the buffer begins.
func (y *yard) put(data []byte, p placement) int {
	lo := p.shift
	if p.end {
		lo = len(y.write) - len(data) - p.shift
	}
	copy(y.write[lo:], data)
	return lo
}

// guard sets canaries around the buffer, as many as there is room for.
func (y *yard) guard(lo, hi int) {
	before := min(lo, canaryBytes)
	copy(y.write[lo-before:lo], canary)
	copy(y.write[hi:], canary)
}

func (y *yard) guarded(lo, hi int) bool {
	before, after := min(lo, canaryBytes), min(len(y.write)-hi, canaryBytes)
	return bytes.Equal(y.write[lo-before:lo], canary[:before]) && bytes.Equal(y.write[hi:hi+after], canary[:after])
}

// ground is a yard for the output and some for inputs.
type ground [6]*yard

var grounds = map[int]*ground{}

// groundOf returns yards of at least size bytes, those of an earlier test if there are.
func groundOf(t testing.TB, size int) *ground {
	for _, s := range [...]int{128 << 10, 2 << 20, 64 << 20} {
		if size > s {
			continue
		}
		if grounds[s] == nil {
			g := new(ground)
			for i := range g {
				var err error
				g[i], err = newYard(s, i > 0)
				require.NoError(t, err)
			}
			grounds[s] = g
		}
		return grounds[s]
	}
	t.Fatalf("a buffer of %d bytes", size)
	return nil
}

// placed counts the placements that have been run, by primitive.
var placed = map[string]int{}

// anywhere is a placement in which every alignment occurs, that of its
// elements too where the processor does not mind.
func anywhere(s source, width int) placement {
	p := placement{end: s.IntN(2) == 0}
	switch s.IntN(4) {
	case 0:
		p.shift = s.IntN(65) * max(width, wordAlign(width))
	case 1:
		p.shift = s.IntN(65)
		if !unaligned {
			p.shift *= wordAlign(width)
		}
	}
	return p
}

// wordAlign is the alignment that Go asks for elements of this width.
func wordAlign(width int) int { return min(width, 8) }

// unaligned says that loads and stores may be at any address.
var unaligned = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" || runtime.GOARCH == "386"

// check runs the call once for each set of placements, one for each buffer, and
// compares with the oracle. When the oracle panics the primitive has to, and
// otherwise may not, unless lax says that what the call does not reach can be out of its slice.
func (c *call) check(t testing.TB, lax bool, places ...[]placement) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	expected, want := c.expect()
	if expected.fault {
		t.Fatalf("the oracle: %v\n%s", expected.panicked, c)
	}
	if checksPointers {
		// Pointers are checked against objects of the heap, and yards lie elsewhere.
		heap := c.clone()
		var mem [6][]byte
		for i, b := range heap.buffers {
			mem[i] = b.data
		}
		attempt(func() int { return c.run(c, false, mem[:len(c.buffers)]) })
	}
	size := 0
	for _, b := range c.buffers {
		size = max(size, len(b.data)+2*canaryBytes+1024)
	}
	yards := groundOf(t, size)
	for _, places := range places {
		placed[c.op]++
		if complaint := c.compare(yards, places, expected, want, lax); complaint != "" {
			t.Fatalf("%s\n%s placed %+v", complaint, c, places)
		}
	}
}

// compare returns what is wrong.
func (c *call) compare(g *ground, places []placement, expected outcome, want []byte, lax bool) string {
	var mem [6][]byte
	var lo [6]int
	yards := g[:]
	if !c.output {
		yards = g[1:]
	}
	for i, b := range c.buffers {
		y := yards[i]
		lo[i] = y.put(b.data, places[i])
		hi := lo[i] + len(b.data)
		if !y.fenced || i == 0 && c.output {
			y.guard(lo[i], hi)
		}
		mem[i] = y.seen[lo[i]:hi:min(hi+c.spare, len(y.seen))]
	}
	got := attempt(func() int { return c.run(c, false, mem[:len(c.buffers)]) })

	if got.fault {
		return fmt.Sprintf("fault at %s: %v", c.locate(yards, lo[:], got.address), got.panicked)
	}
	for i, b := range c.buffers {
		y := yards[i]
		if y.fenced && !(i == 0 && c.output) {
			continue // it can't have been written
		}
		if !y.guarded(lo[i], lo[i]+len(b.data)) {
			return "wrote outside " + b.name
		}
		if !(i == 0 && c.output) && !bytes.Equal(y.write[lo[i]:lo[i]+len(b.data)], b.data) {
			return "changed the input " + b.name
		}
	}
	switch {
	case expected.panicked != nil && got.panicked == nil:
		return fmt.Sprintf("returned %d, and should have panicked: %v", got.position, expected.panicked)
	case expected.panicked != nil || got.panicked != nil && lax:
		return ""
	case got.panicked != nil:
		return fmt.Sprintf("panicked: %v", got.panicked)
	case got.position != expected.position:
		return fmt.Sprintf("returned %d, want %d", got.position, expected.position)
	}
	if !c.output {
		return ""
	}
	width := c.buffers[0].width
	out := yards[0].write[lo[0] : lo[0]+len(want)]
	if expected.position < 0 || c.applied {
		if bytes.Equal(out, want) || c.same != nil && c.same(out, want) {
			return ""
		}
		return c.difference(out, want)
	}
	if !c.partial {
		return ""
	}
	// What is not in the plane must be as it was.
	out, was := bytes.Clone(out), c.buffers[0].data
	for i := range c.rows {
		for j := range c.cols {
			at := (c.layouts[0].at + i*c.layouts[0].row + j*c.layouts[0].col) * width
			copy(out[at:at+width], was[at:])
		}
	}
	if !bytes.Equal(out, was) {
		return "outside the plane: " + c.difference(out, was)
	}
	return ""
}

// locate describes an address by the nearest buffer, or by the yard it is in.
func (c *call) locate(yards []*yard, lo []int, address uintptr) string {
	for i, b := range c.buffers {
		start := uintptr(unsafe.Pointer(unsafe.SliceData(yards[i].seen)))
		at := int64(address) - int64(start)
		if at < -64<<10 || at >= int64(len(yards[i].seen))+64<<10 {
			continue
		}
		at -= int64(lo[i])
		switch {
		case at < 0:
			return fmt.Sprintf("%d bytes before %s", -at, b.name)
		case at >= int64(len(b.data)):
			return fmt.Sprintf("%d bytes after the end of %s", at-int64(len(b.data)), b.name)
		default:
			return fmt.Sprintf("byte %d of the input %s", at, b.name)
		}
	}
	return fmt.Sprintf("%#x, far from every buffer", address)
}

func (c *call) difference(got, want []byte) string {
	width := c.buffers[0].width
	var b strings.Builder
	count := 0
	for at := 0; at < len(want); at += width {
		g, w := got[at:at+width], want[at:at+width]
		if bytes.Equal(g, w) || c.same != nil && c.same(g, w) {
			continue
		}
		if count++; count <= 3 {
			fmt.Fprintf(&b, "%s[%d] is %x, want %x; ", c.buffers[0].name, at/width, g, w)
		}
	}
	fmt.Fprintf(&b, "%d of %d elements differ", count, len(want)/width)
	return b.String()
}

func (c *call) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s %s%+v", c.op, c.note, strings.TrimPrefix(fmt.Sprintf("%T", c.args), "lanes_test."), c.args)
	for _, in := range c.buffers {
		fmt.Fprintf(&b, " %s:%d×%d", in.name, len(in.data)/in.width, in.width)
	}
	return b.String()
}

// flush is all buffers against the fence after them, then against the one before.
var flush = [][]placement{{{end: true}, {end: true}, {end: true}, {end: true}, {end: true}, {end: true}}, make([]placement, 6)}

// somewhere is a placement for each buffer of its own.
func (c *call) somewhere(s source) []placement {
	var p [6]placement
	for i, b := range c.buffers {
		p[i] = anywhere(s, b.width)
	}
	return p[:]
}

// TestFence counts the placements of buffers between fences, for every
// primitive, length to four vectors and offset in a vector. With
// LANES_FENCE_PLACEMENTS it goes on with other calls until there are so many.
func TestFence(t *testing.T) {
	least, _ := strconv.Atoi(os.Getenv("LANES_FENCE_PLACEMENTS"))
	for round := uint64(0); ; round++ {
		eachLevel(t, func(t *testing.T) {
			for _, p := range fenced {
				t.Run(fmt.Sprintf("op=%s/elem=%s/idx=%s", p.op, p.elem, p.idx), func(t *testing.T) {
					r := seeded(t, round)
					vector := 64 / p.width
					for n := range 4*vector + 2 {
						offsets := []int{r.IntN(vector), r.IntN(vector)}
						if !testing.Short() {
							offsets = offsets[:0]
							for o := range vector {
								offsets = append(offsets, o)
							}
						}
						for _, o := range offsets {
							for _, plain := range [...]bool{true, false} {
								c := p.call(r, n, o, plain)
								c.op = "Fence" + p.op
								c.check(t, false, flush...)
							}
						}
					}
				})
			}
		})
		total := 0
		for op, n := range placed {
			if strings.HasPrefix(op, "Fence") {
				total += n
			}
		}
		if t.Failed() || total >= least {
			fences := "by protected pages"
			if y, err := newYard(1, false); err != nil || !y.fenced {
				fences = "by canaries alone"
			}
			t.Logf("%d placements between fences (%s) at %d variants: %v", total, fences, len(dispatch.Variants()), placed)
			return
		}
	}
}

// A fence is a primitive with a type that has a body of its own. plain is the
// form that bodies are made for: one row, of length n, without gaps.
type fence struct {
	op, elem, idx string
	width         int
	call          func(r *rand.Rand, n, offset int, plain bool) *call
}

// fenced is all of them; each primitive's file adds its own.
var fenced []fence

// TestFenceFaults makes sure that the fences hold: that reading or writing one
// byte too many is noticed and located.
func TestFenceFaults(t *testing.T) {
	for _, tt := range []struct {
		name  string
		index int // of the byte, in buffers of 5
		input bool
		write bool
		end   bool
		want  string
	}{
		{"read after the end", 5, true, false, true, "fault at 0 bytes after the end of in"},
		{"read before the start", -1, true, false, false, "fault at 1 bytes before in"},
		{"write an input", 2, true, true, true, "fault at byte 2 of the input in"},
		{"write after the end", 5, false, true, true, "fault at 0 bytes after the end of out"},
		{"write before the start", -1, false, true, false, "fault at 1 bytes before out"},
		{"write after the end, no fence", 5, false, true, false, "wrote outside out"},
		{"write before the start, no fence", -1, false, true, true, "wrote outside out"},
		{"wrong value", 3, false, true, true, "out[3] is "},
		{"nothing", 3, false, false, true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
			c := &call{op: "none", buffers: []buffer{newBuffer("out", 5, 1), newBuffer("in", 5, 1)}, output: true}
			c.run = func(_ *call, oracle bool, mem [][]byte) int {
				if oracle {
					return -1
				}
				b := mem[0]
				if tt.input {
					b = mem[1]
				}
				p := (*byte)(unsafe.Add(unsafe.Pointer(unsafe.SliceData(b)), tt.index))
				if tt.write {
					*p ^= 0x55
				} else {
					sink = *p
				}
				return -1
			}
			g := groundOf(t, 1)
			expected, want := c.expect()
			got := c.compare(g, []placement{{end: tt.end}, {end: tt.end}}, expected, want, false)
			switch {
			case tt.want == "":
				require.Empty(t, got)
			case g[0].fenced || !strings.HasPrefix(tt.want, "fault"):
				require.Contains(t, got, tt.want)
			}
		})
	}
}

var sink byte

// seeded returns numbers that depend on the test's name, whatever else runs.
func seeded(t testing.TB, round uint64) *rand.Rand {
	seed := uint64(14695981039346656037)
	for part := range strings.SplitSeq(t.Name(), "/") {
		if strings.HasPrefix(part, "impl=") {
			continue // all levels get the same calls
		}
		for _, b := range []byte(part) {
			seed = (seed ^ uint64(b)) * 1099511628211
		}
	}
	first := uint64(1)
	if s := os.Getenv("LANES_SEED"); s != "" {
		n, err := strconv.ParseUint(s, 10, 64)
		require.NoError(t, err, "LANES_SEED")
		first = n
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("LANES_SEED=%d (round %d) at %s", first, round, dispatch.Active())
		}
	})
	return rand.New(rand.NewPCG(first+round, seed))
}
