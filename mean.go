package lanes

import "github.com/lanes-go/lanes/generic"

// A mean takes three steps: the updates of each cell are summed (by ScatterReduce, or integers by
// ScatterSumsRaw), counted, and divided. Sums that are words count as well.

// CountRaw adds n to counts[at + o] for every offset o. Counters are KindU32 or KindU64. One of 32
// bits counts to math.MaxInt32, with the initial value.
func CountRaw(counts Memory, at int, offsets []int, n int) {
	on := active()
	if on.bodies() && counts.Kind == KindU32 && len(offsets) >= minIndices && counts.apart(offsets) && offsetsInside(on, offsets, at, counts.Len) {
		done := 0
		for done < len(offsets) {
			piece := min(len(offsets)-done, pieceElements)
			if !countPiece(on, counts.elem(0), 4*at, &offsets[done], piece, n) {
				break
			}
			done += piece
		}
		if raceEnabled {
			touchCounters(&counts, at, offsets[:done])
		}
		if offsets = offsets[done:]; len(offsets) == 0 {
			return
		}
	}
	switch counts.Kind {
	case KindU32:
		generic.Count(typed[uint32](&counts), at, offsets, n)
	case KindU64:
		generic.Count(typed[uint64](&counts), at, offsets, n)
	default:
		panic(noKind)
	}
}

// A Place is where in a slice the elements of rows × cols are: (i, j) is at
// At + Offsets[i] + j*Col, or without offsets at At + i*Row + j*Col.
type Place = generic.Place

// CellsRaw is rows × cols cells of a mean, with a sum and a counter each. The sums may be in the
// cells themselves, or elsewhere. The cells of a row may share a counter, with a Col of 0. The
// Kinds say what the sums are: of floats and complex numbers they have the Kind of Dst; of integers
// they are int64 (KindI64) or Exact (KindX128). Counts are KindU32 or KindU64.
type CellsRaw struct {
	Dst, Sums, Counts       Memory
	DstAt, SumsAt, CountsAt Place
	Rows, Cols              int
	Init                    int // 1 if the initial value is part of the mean, else 0
	Shift                   int // if not 0, Sums are words, and there are no Counts
}

// ScatterSumsRaw adds updates(i, j), which are integers, to sums[at + offsets[i] + j*col], for
// every i < len(offsets) and j < cols. Sums of 64 bits (KindI64) take KindI8 to KindU32, of which
// fewer than 1<<31 numbers do not wrap them. Those of KindX128, generic.Exact, take KindI8 to
// KindU64.
//
// If shift is not 0, sums are words of 64 bits, and cols is 1: 1<<shift is added with each update,
// to count it. A word that was 0 then holds the sum of n numbers, and n<<shift: as long as the sum
// fits shift bits with its sign, and n those above, and n is below math.MaxInt32.
func ScatterSumsRaw(sums Memory, shift, at, col int, offsets []int, updates Window, cols int) {
	if exact := sums.Kind == KindX128 && shift == 0; !exact && (sums.Kind != KindI64 || updates.Kind.Width() > 4) {
		panic(noKind)
	}
	if shift > 0 && scatterWords(&sums, shift, at, offsets, &updates) {
		return
	}
	switch updates.Kind {
	case KindI8:
		shortSums[int8](&sums, shift, at, col, offsets, &updates, cols)
	case KindU8:
		shortSums[uint8](&sums, shift, at, col, offsets, &updates, cols)
	case KindI16:
		shortSums[int16](&sums, shift, at, col, offsets, &updates, cols)
	case KindU16:
		shortSums[uint16](&sums, shift, at, col, offsets, &updates, cols)
	case KindI32:
		shortSums[int32](&sums, shift, at, col, offsets, &updates, cols)
	case KindU32:
		shortSums[uint32](&sums, shift, at, col, offsets, &updates, cols)
	case KindI64:
		generic.ScatterExact(typed[generic.Exact](&sums), at, col, offsets, planeOf[int64](&updates), cols)
	case KindU64:
		generic.ScatterExact(typed[generic.Exact](&sums), at, col, offsets, planeOf[uint64](&updates), cols)
	default:
		panic(noKind)
	}
}

func shortSums[T generic.ShortInteger](sums *Memory, shift, at, col int, offsets []int, updates *Window, cols int) {
	from := planeOf[T](updates)
	switch {
	case sums.Kind == KindX128:
		generic.ScatterExact(typed[generic.Exact](sums), at, col, offsets, from, cols)
	case shift > 0:
		generic.ScatterWords(typed[int64](sums), shift, at, offsets, from)
	default:
		generic.ScatterWide(typed[int64](sums), at, col, offsets, from, cols)
	}
}

// scatterWords adds to words with bodies, and reports whether there are any for the call.
func scatterWords(words *Memory, shift, at int, offsets []int, updates *Window) bool {
	on, n := active(), len(offsets)
	if !on.bodies() || updates.Row != 1 || n < minIndices || !updates.holds(n, 1) || !words.apart(offsets) || !offsetsInside(on, offsets, at, words.Len) {
		return false
	}
	for done := 0; done < n; {
		piece := min(n-done, pieceElements)
		if !scatterWordsPiece(on, updates.Kind, words.elem(0), 8*at, &offsets[done], updates.elem(updates.At+done), piece, 1<<shift) {
			return false // at the first piece or never
		}
		done += piece
	}
	if raceEnabled {
		touchScatter(words, at, offsets, updates, 1, true)
	}
	return true
}

// DivideRaw sets each counted cell to its sum divided by its count, and the sum and the counter to
// 0, so that a cell that is named again is left alone. Halves are divided in float32 and rounded
// once; complex numbers by component. Integers are the exact mean of the numbers whose sum is in
// Sums and, if Init is 1, of the cell's own value, rounded toward minus infinity. What it leaves in
// a word that is not one of ScatterSumsRaw is unspecified.
func DivideRaw(c CellsRaw) {
	switch {
	case !c.Dst.Kind.Number(), c.Dst.Kind.Integer() && c.Sums.Kind != KindI64 && c.Sums.Kind != KindX128:
		panic(noKind)
	case !c.Dst.Kind.Integer():
		c.Sums.Kind.needWidth(c.Dst.Kind.Width())
	}
	if c.Shift > 0 && (c.Sums.Kind != KindI64 || c.Dst.Kind.Width() > 4) {
		panic(noKind)
	}
	if on := active(); on.bodies() && c.dense() {
		for c.Rows > 0 && c.divideRow(on) {
			c.DstAt, c.SumsAt, c.CountsAt = afterRow(c.DstAt), afterRow(c.SumsAt), afterRow(c.CountsAt)
			c.Rows--
		}
		if c.Rows == 0 {
			return
		}
	}
	switch {
	case c.Shift > 0, c.Counts.Kind == KindU32:
		divideGeneric[uint32](&c)
	case c.Counts.Kind == KindU64:
		divideGeneric[uint64](&c)
	default:
		panic(noKind)
	}
}

func divideGeneric[C generic.Counter](c *CellsRaw) {
	switch c.Dst.Kind {
	case KindF32:
		generic.Divide(typedCells[float32, float32, C](c))
	case KindF64:
		generic.Divide(typedCells[float64, float64, C](c))
	case KindC64:
		generic.DivideComplex(typedCells[complex64, complex64, C](c))
	case KindC128:
		generic.DivideComplex(typedCells[complex128, complex128, C](c))
	case KindI8:
		divideInteger[int8, C](c)
	case KindU8:
		divideInteger[uint8, C](c)
	case KindI16:
		divideInteger[int16, C](c)
	case KindU16:
		divideInteger[uint16, C](c)
	case KindI32:
		divideInteger[int32, C](c)
	case KindU32:
		divideInteger[uint32, C](c)
	case KindI64:
		divideInteger[int64, C](c)
	case KindU64:
		divideInteger[uint64, C](c)
	default:
		h, ok := c.Dst.Kind.Half()
		if !ok {
			panic(noKind)
		}
		generic.DivideHalf(h, typedCells[uint16, uint16, C](c))
	}
}

func divideInteger[T generic.Integer, C generic.Counter](c *CellsRaw) {
	switch {
	case c.Shift > 0:
		generic.DivideWords(typedCells[T, int64, uint32](c), c.Shift)
	case c.Sums.Kind == KindI64:
		generic.DivideWide(typedCells[T, int64, C](c))
	default:
		generic.DivideExact(typedCells[T, generic.Exact, C](c))
	}
}

// typedCells returns cells with their types.
func typedCells[T, S any, C generic.Counter](c *CellsRaw) generic.Cells[T, S, C] {
	return generic.Cells[T, S, C]{
		Dst: typed[T](&c.Dst), Sums: typed[S](&c.Sums), Counts: typed[C](&c.Counts),
		DstAt: c.DstAt, SumsAt: c.SumsAt, CountsAt: c.CountsAt, Rows: c.Rows, Cols: c.Cols, Init: c.Init,
	}
}

// dense reports whether there are bodies for such rows of cells: floats, or integers with sums of
// 64 bits, without gaps.
func (c *CellsRaw) dense() bool {
	_, half := c.Dst.Kind.Half()
	counted := c.Counts.Kind == KindU32 && (c.CountsAt.Col == 0 || c.CountsAt.Col == 1)
	if c.Shift > 0 {
		counted = c.Dst.Kind.Width() < 8 && c.Shift < 64
	}
	return (c.Dst.Kind == KindF32 || c.Dst.Kind == KindF64 || half || c.wide()) && counted && c.Cols >= minIndices &&
		c.DstAt.Col == 1 && c.SumsAt.Col == 1
}

// wide reports whether the cells are integers with sums of 64 bits.
func (c *CellsRaw) wide() bool { return c.Dst.Kind.Integer() && c.Sums.Kind == KindI64 }

// afterRow returns where the rows after the first one are.
func afterRow(p Place) Place {
	if p.Offsets != nil {
		p.Offsets = p.Offsets[1:]
	} else {
		p.At += p.Row
	}
	return p
}

// divideRow divides the first row piece by piece, and the rest of it with package generic. It
// reports whether there is a body and the row lies in its memory.
func (c *CellsRaw) divideRow(on isa) bool {
	if c.Shift > 0 {
		return c.divideWordsRow(on)
	}
	d, s, k := c.DstAt.Start(0), c.SumsAt.Start(0), c.CountsAt.Start(0)
	each := c.CountsAt.Col // 0 where the row shares a counter
	if !c.Dst.has(d, c.Cols) || !c.Sums.has(s, c.Cols) || !c.Counts.has(k, 1+(c.Cols-1)*each) {
		return false
	}
	counts := typed[uint32](&c.Counts)
	if each == 0 && counts[k] == 0 {
		return true
	}
	done := 0
	for c.Cols-done >= divideStep {
		ok, n := false, min(c.Cols-done, pieceElements)&^(divideStep-1)
		if c.wide() {
			whole := n
			if n, ok = divideWidePiece(on, c.Dst.Kind, c.Dst.elem(d+done), c.Sums.elem(s+done), c.Counts.elem(k+done*each), n, each, c.Init, 0, 0); ok && n < whole {
				done += n
				break // a sum is too large for float64
			}
		} else if each == 0 {
			ok = dividePiece(on, c.Dst.Kind, c.Dst.elem(d+done), c.Sums.elem(s+done), n, int(counts[k])+c.Init)
		} else {
			ok = divideCountedPiece(on, c.Dst.Kind, c.Dst.elem(d+done), c.Sums.elem(s+done), c.Counts.elem(k+done), n, c.Init)
		}
		if !ok { // false at the first piece or never
			return false
		}
		done += n
	}
	if raceEnabled {
		touchCells(c, d, s, k, done)
	}
	if done < c.Cols {
		rest := *c
		rest.Rows, rest.Cols = 1, c.Cols-done
		rest.DstAt, rest.SumsAt, rest.CountsAt = Place{At: d + done, Col: 1}, Place{At: s + done, Col: 1}, Place{At: k + done*each, Col: each}
		divideGeneric[uint32](&rest)
	} else if each == 0 {
		counts[k] = 0
	}
	return true
}

// divideWordsRow is divideRow for words.
func (c *CellsRaw) divideWordsRow(on isa) bool {
	d, s, done := c.DstAt.Start(0), c.SumsAt.Start(0), 0
	if !c.Dst.has(d, c.Cols) || !c.Sums.has(s, c.Cols) {
		return false
	}
	for c.Cols-done >= divideStep {
		words, n := c.Sums.elem(s+done), min(c.Cols-done, pieceElements)&^(divideStep-1)
		divided, ok := divideWidePiece(on, c.Dst.Kind, c.Dst.elem(d+done), words, words, n, 0, c.Init, c.Shift, 1<<(c.Shift-1))
		if !ok { // at the first piece or never
			return false
		}
		if done += divided; divided < n {
			break // a sum is too large for float64
		}
	}
	if raceEnabled {
		touchCells(c, d, s, 0, done)
	}
	if done < c.Cols {
		rest := *c
		rest.Rows, rest.Cols = 1, c.Cols-done
		rest.DstAt, rest.SumsAt = Place{At: d + done, Col: 1}, Place{At: s + done, Col: 1}
		divideGeneric[uint32](&rest)
	}
	return true
}
