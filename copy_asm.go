//go:build (amd64 || arm64) && !purego && !noasm

package lanes

import (
	"math"
	"unsafe"

	"github.com/lanes-go/lanes/generic"
)

// With assembly a copy moves runs of bytes, or it permutes: where the destination
// is dense, a step loads windows of the source and puts the wanted bytes of them
// into one vector, which is then stored whole.
func selectCopy[T Elem](dst, src Plane[T], rows, cols int) {
	var z T
	width := int(unsafe.Sizeof(z))
	if vectors() && dst.Col == 1 && rows > 0 && cols > 0 && holds(&dst, rows, cols) && holds(&src, rows, cols) {
		c := copyCall{
			dst: elem(dst.Data, dst.At), src: elem(src.Data, src.At), width: width,
			dstRow: dst.Row, srcRow: src.Row, step: src.Col, rows: rows, cols: cols,
		}
		c.stream = dst.Stream && uintptr(unsafe.Pointer(c.dst))%uintptr(width) == 0
		if c.run() {
			if raceEnabled {
				touchCopy(dst, src, rows, cols)
			}
			return
		}
	}
	switch width {
	case 1:
		generic.Copy(as[uint8](dst), as[uint8](src), rows, cols)
	case 2:
		generic.Copy(as[uint16](dst), as[uint16](src), rows, cols)
	case 4:
		generic.Copy(as[uint32](dst), as[uint32](src), rows, cols)
	case 8:
		generic.Copy(as[uint64](dst), as[uint64](src), rows, cols)
	default:
		generic.Copy(as[X128](dst), as[X128](src), rows, cols)
	}
}

// A copyCall is a copy to dense rows. Distances are in elements.
type copyCall struct {
	dst, src             *byte
	dstRow, srcRow, step int
	rows, cols, width    int
	stream               bool
}

// run reports whether there is a body for the copy, and has run it.
func (c *copyCall) run() bool {
	bytes := c.cols * c.width
	if c.step == 1 || c.cols == 1 {
		c.step = 1
		if c.rows == 1 || c.dstRow == c.cols && c.srcRow == c.cols {
			return c.stream && c.runs(1, c.rows*bytes)
		}
		return c.short() && c.periods() || (c.stream || bytes <= maxRun) && c.runs(c.rows, bytes)
	}
	return c.strides() || c.short() && c.periods() || c.rows*bytes >= minPermuted && (c.steps() || c.periods())
}

// short reports whether rows are so short that one vector is better made of several.
func (c *copyCall) short() bool { return c.cols <= maxShort && c.rows*c.cols*c.width >= minPermuted }

const (
	// maxRun is up to where rows of bytes are copied here, if nothing is
	// streamed: memmove is as fast on longer ones.
	maxRun = 512
	// maxShort is up to how many elements rows are short.
	maxShort = 4
	// minPermuted is from where making a permutation pays.
	minPermuted = 512
)

// copyPieces goes through rows of bytes piece by piece: some rows, or a part of one. What is
// left of a row is enough for a step. It has no pointers: those that are set through
// one would escape.
type copyPieces struct {
	rows, bytes int
	single      bool // elements are moved one by one
	i, j        int  // where the next piece begins

	dst, src int // where this one does, in bytes
	n, size  int // its rows, and their bytes
}

func (p *copyPieces) next(c *copyCall) bool {
	if p.i >= p.rows {
		return false
	}
	p.n, p.size = min(pieceRows(p.bytes), p.rows-p.i), p.bytes-p.j
	most := pieceBytes
	if p.single {
		most = pieceElements * c.width
		p.n = min(p.n, max(1, most/p.bytes))
	}
	if p.size > most+128 {
		p.size = most
	}
	p.dst, p.src = p.i*c.dstRow*c.width+p.j, p.i*c.srcRow*c.width+p.j*c.step
	if p.j += p.size; p.j == p.bytes {
		p.i, p.j = p.i+p.n, 0
	}
	return true
}

// runs copies rows of bytes.
func (c *copyCall) runs(rows, bytes int) bool {
	for p := (copyPieces{rows: rows, bytes: bytes}); p.next(c); {
		copyRowsPiece(add(c.dst, p.dst), add(c.src, p.src), c.dstRow*c.width, c.srcRow*c.width, p.n, p.size, c.stream)
	}
	return true
}

// A permuter is an instruction set's way to permute.
type permuter uint8

const (
	shuffleBytes  permuter = iota // AVX2: 32 bytes from four windows of 16
	permuteBytes                  // AVX-512 with VBMI: 64 bytes from two windows of 64
	permuteDwords                 // AVX-512
	lookUpBytes                   // NEON: 16 bytes from up to four windows of 16
)

// vector returns the bytes that a step makes.
func (p permuter) vector() int { return [...]int{32, 64, 64, 16}[p] }

// A permutation is what a step of copySteps and copyPeriods does: where its
// windows are, counted in bytes from the source, and which of their bytes, or
// dwords, make the result.
type permutation struct {
	windows [4]int
	places  [64]byte
}

// A pattern is where the elements of a destination come from, in elements.
type pattern struct{ cols, row, step int }

func (p *pattern) from(o int) int { return o/p.cols*p.row + o%p.cols*p.step }

// span returns the bytes that n elements from o on come from: [low, high).
func (p *pattern) span(o, n, width int) (low, high int) {
	low, high = math.MaxInt, math.MinInt
	for k := range n {
		s := p.from(o+k) * width
		low, high = min(low, s), max(high, s+width)
	}
	return low, high
}

// fill makes the permutation for made bytes from element o on, and reports
// whether the windows reach all of them. No window leaves the span of what is wanted.
func (m *permutation) fill(by permuter, p *pattern, o, made, width int) bool {
	switch by {
	case lookUpBytes:
		return m.fillLookUp(p, o, width)
	case permuteBytes, permuteDwords:
		return m.fillTwo(by, p, o, made, width)
	}
	for i := range m.places {
		m.places[i] = 0x80 // leaves the byte to another shuffle
	}
	if made == 16 { // four windows for one vector of 16
		return m.fillShuffle(p, o, 16, width, []int{0, 1, 2, 3}, 0)
	}
	return m.fillShuffle(p, o, 16, width, []int{0, 1}, 0) && m.fillShuffle(p, o+16/width, 16, width, []int{2, 3}, 16)
}

func (m *permutation) fillTwo(by permuter, p *pattern, o, made, width int) bool {
	const window = 64
	low, high := p.span(o, made/width, width)
	if high-low < window || high-low > 2*window {
		return false
	}
	m.windows = [4]int{low, high - window}
	unit := 1
	if by == permuteDwords {
		unit = 4
	}
	for b := 0; b < made; b += unit {
		place := p.from(o+b/width)*width + b%width - low
		if place >= window {
			place += window - (high - window - low)
		}
		m.places[b] = byte(place / unit) // the lowest byte of a lane
	}
	return true
}

// shuffles is where the places of each window's bytes are: the low and high
// halves of two vectors.
var shuffles = [4]int{0, 32, 16, 48}

// fillShuffle makes 16 bytes from windows of 16. half is 16 for the upper half of the
// vectors.
func (m *permutation) fillShuffle(p *pattern, o, made, width int, windows []int, half int) bool {
	const window = 16
	low, high := p.span(o, made/width, width)
	if high-low < window || high-low > len(windows)*window {
		return false
	}
	for k, w := range windows {
		m.windows[w] = min(low+k*window, high-window)
	}
	for b := range made {
		s := p.from(o+b/width)*width + b%width
		for _, w := range windows {
			if k := s - m.windows[w]; k < window {
				m.places[shuffles[w]+b] = byte(k)
				break
			}
		}
	}
	return true
}

// fillLookUp makes 16 bytes from windows of 16 that count as one table. The last
// one is repeated where fewer are enough.
func (m *permutation) fillLookUp(p *pattern, o, width int) bool {
	const window = 16
	low, high := p.span(o, window/width, width)
	if high-low < window || high-low > len(m.windows)*window {
		return false
	}
	for i := range m.windows {
		m.windows[i] = min(low+i*window, high-window)
	}
	for b := range window {
		s := p.from(o+b/width)*width + b%width
		i := (s - low) / window
		m.places[b] = byte(i*window + s - m.windows[i])
	}
	return true
}

// distinct returns how many windows there are, but for repetitions of the last.
func (m *permutation) distinct() int {
	n := 1
	for n < len(m.windows) && m.windows[n] != m.windows[n-1] {
		n++
	}
	return n
}

// steps copies rows with one step between their elements.
func (c *copyCall) steps() bool {
	var m permutation
	by := c.permuter()
	line := pattern{cols: math.MaxInt, step: c.step}
	made := by.vector()
	switch by {
	case lookUpBytes:
		if !m.fill(by, &line, 0, made, c.width) {
			return false
		}
	case shuffleBytes:
		if !m.fill(by, &line, 0, made, c.width) {
			if made = 16; !m.fill(by, &line, 0, made, c.width) {
				return false
			}
		}
	default:
		distance := max(c.step, -c.step) * c.width
		if distance == 0 || distance > 64 {
			return false
		}
		made = min(made, ((128-c.width)/distance+1)*c.width) // a masked store takes any number
		if made < minMade*c.width || !m.fill(by, &line, 0, made, c.width) {
			return false
		}
	}
	bytes := c.cols * c.width
	if bytes < made {
		return false
	}
	stream := c.stream && made == by.vector() && bytes >= 128
	dstRow, srcRow := c.dstRow*c.width, c.srcRow*c.width
	soon := 0
	if far := max(srcRow, -srcRow); 0 < far && far <= maxAhead {
		soon = srcRow * (maxAhead / 2 / far)
	}
	for p := (copyPieces{rows: c.rows, bytes: bytes}); p.next(c); {
		first, move := 0, made
		if c.step < 0 { // down, so that the source is read upwards
			first, move = p.size-made, -made
		}
		copyStepsPiece(by, add(c.dst, p.dst+first), add(c.src, p.src+first*c.step), dstRow, srcRow, p.n, p.size, c.step, &m, made, move, soon, stream)
	}
	return true
}

// maxAhead is how far a step prefetches: no further than the first-level cache is large.
const maxAhead = 16 << 10

// minMade is how many elements a step has to make to be worth its loads.
const minMade = 4

// maxPeriod bounds the permutations of a period.
const maxPeriod = 8

// periods copies short rows that follow each other in dst: RGB to BGR, say. A
// row is not a whole number of vectors, nor a vector one of rows, but cols
// vectors are one of cols rows at the latest.
func (c *copyCall) periods() bool {
	by := c.permuter()
	each := by.vector() / c.width
	p := pattern{c.cols, c.srcRow, c.step}
	period := c.cols / min(c.cols&-c.cols, each) // each is a power of two
	total := c.rows * c.cols
	if c.dstRow != c.cols || period > maxPeriod || total < 4*period*each {
		return false
	}
	head := 0
	if c.stream {
		head = int(-uintptr(unsafe.Pointer(c.dst))&63) / c.width
	}
	var entries [maxPeriod]permutation
	for v := range period {
		e := &entries[v]
		if !e.fill(by, &p, head+v*each, by.vector(), c.width) {
			return false
		}
		if by == lookUpBytes && c.step == 1 && c.cols*c.width >= 8 && e.distinct() > 2 {
			return false // the rows as they are cost less
		}
	}
	steps := (total - head) / each
	advance := period * each / c.cols * c.srcRow * c.width
	c.elements(&p, 0, head)
	for done := 0; done < steps; {
		n := min(steps-done, pieceBytes/by.vector()/period*period)
		copyPeriodsPiece(by, add(c.dst, head*c.width+done*by.vector()), add(c.src, done/period*advance), n, &entries[0], period, advance, c.stream)
		done += n
	}
	c.elements(&p, head+steps*each, total)
	return true
}

// elements copies the elements from o up to end, one by one.
func (c *copyCall) elements(p *pattern, o, end int) {
	for ; o < end; o++ {
		d, s := add(c.dst, o*c.width), add(c.src, p.from(o)*c.width)
		copy(unsafe.Slice(d, c.width), unsafe.Slice(s, c.width))
	}
}
