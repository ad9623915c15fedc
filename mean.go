package lanes

import "github.com/lanes-go/lanes/generic"

// A mean takes three steps: the updates of each cell are summed (by ScatterReduce, or exactly by
// ScatterWide or ScatterExact), counted, and divided. ScatterWords sums and counts at once.

// Exact is a sum of integers that can't wrap; the zero value is 0.
type Exact = generic.Exact

// ShortInteger is the integers of 32 bits or fewer.
type ShortInteger = generic.ShortInteger

// Counter is the types of a mean's counters. One of 32 bits counts to
// math.MaxInt32, with the initial value.
type Counter = generic.Counter

// Count adds n to counts[at + o] for every offset o.
func Count[C Counter](counts []C, at int, offsets []int, n int) {
	CountRaw(memoryOf(numberKind[C](), counts), at, offsets, n)
}

// CountRaw is Count for KindU32 and KindU64.
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

// Cells is rows × cols cells of a mean, with a sum and a counter each. The sums
// may be in the cells themselves, or elsewhere. The cells of a row may share
// a counter, with a Col of 0.
type Cells[T, S any, C Counter] = generic.Cells[T, S, C]

// CellsRaw is Cells without its types. The Kinds say what the sums are: of
// floats and complex numbers they have the Kind of Dst; of integers they are
// int64 (KindI64) or Exact (KindX128). Counts are KindU32 or KindU64.
type CellsRaw struct {
	Dst, Sums, Counts       Memory
	DstAt, SumsAt, CountsAt Place
	Rows, Cols              int
	Init                    int // 1 if the initial value is part of the mean, else 0
	Shift                   int // if not 0, Sums are the words of ScatterWords, and there are no Counts
}

// ScatterExact adds updates(i, j) to sums[at + offsets[i] + j*col] for every
// i < len(offsets) and j < cols.
func ScatterExact[T Integer](sums []Exact, at, col int, offsets []int, updates Plane[T], cols int) {
	ScatterExactRaw(sums, at, col, offsets, windowOf(numberKind[T](), &updates), cols)
}

// ScatterExactRaw is ScatterExact for KindI8 to KindU64.
func ScatterExactRaw(sums []Exact, at, col int, offsets []int, updates Window, cols int) {
	scatterExact(sums, at, col, offsets, &updates, cols)
}

func scatterExact(sums []Exact, at, col int, offsets []int, updates *Window, cols int) {
	switch updates.Kind {
	case KindI8:
		generic.ScatterExact(sums, at, col, offsets, planeOf[int8](updates), cols)
	case KindU8:
		generic.ScatterExact(sums, at, col, offsets, planeOf[uint8](updates), cols)
	case KindI16:
		generic.ScatterExact(sums, at, col, offsets, planeOf[int16](updates), cols)
	case KindU16:
		generic.ScatterExact(sums, at, col, offsets, planeOf[uint16](updates), cols)
	case KindI32:
		generic.ScatterExact(sums, at, col, offsets, planeOf[int32](updates), cols)
	case KindU32:
		generic.ScatterExact(sums, at, col, offsets, planeOf[uint32](updates), cols)
	case KindI64:
		generic.ScatterExact(sums, at, col, offsets, planeOf[int64](updates), cols)
	case KindU64:
		generic.ScatterExact(sums, at, col, offsets, planeOf[uint64](updates), cols)
	default:
		panic(noKind)
	}
}

// ScatterWide is ScatterExact with sums of 64 bits, which fewer than 1<<31
// numbers of 32 bits do not wrap.
func ScatterWide[T ShortInteger](sums []int64, at, col int, offsets []int, updates Plane[T], cols int) {
	ScatterWideRaw(sums, at, col, offsets, windowOf(numberKind[T](), &updates), cols)
}

// ScatterWideRaw is ScatterWide for KindI8 to KindU32.
func ScatterWideRaw(sums []int64, at, col int, offsets []int, updates Window, cols int) {
	scatterWide(sums, at, col, offsets, &updates, cols)
}

func scatterWide(sums []int64, at, col int, offsets []int, updates *Window, cols int) {
	switch updates.Kind {
	case KindI8:
		generic.ScatterWide(sums, at, col, offsets, planeOf[int8](updates), cols)
	case KindU8:
		generic.ScatterWide(sums, at, col, offsets, planeOf[uint8](updates), cols)
	case KindI16:
		generic.ScatterWide(sums, at, col, offsets, planeOf[int16](updates), cols)
	case KindU16:
		generic.ScatterWide(sums, at, col, offsets, planeOf[uint16](updates), cols)
	case KindI32:
		generic.ScatterWide(sums, at, col, offsets, planeOf[int32](updates), cols)
	case KindU32:
		generic.ScatterWide(sums, at, col, offsets, planeOf[uint32](updates), cols)
	default:
		panic(noKind)
	}
}

// ScatterWords adds updates(i, 0) to words[at + offsets[i]] for every i < len(offsets), and
// 1<<shift to count it. A word that was 0 then holds the sum of n numbers, and n<<shift: as long as
// the sum fits shift bits with its sign, and n those above, and n is below math.MaxInt32.
func ScatterWords[T ShortInteger](words []int64, shift, at int, offsets []int, updates Plane[T]) {
	ScatterWordsRaw(words, shift, at, offsets, windowOf(numberKind[T](), &updates))
}

// ScatterWordsRaw is ScatterWords for KindI8 to KindU32.
func ScatterWordsRaw(words []int64, shift, at int, offsets []int, updates Window) {
	scatterWords(words, shift, at, offsets, &updates)
}

func scatterWords(words []int64, shift, at int, offsets []int, updates *Window) {
	on, n, m := active(), len(offsets), memoryOf(KindI64, words)
	if on.bodies() && updates.Row == 1 && n >= minIndices && updates.holds(n, 1) && m.apart(offsets) && offsetsInside(on, offsets, at, len(words)) {
		done := 0
		for done < n {
			piece := min(n-done, pieceElements)
			if !scatterWordsPiece(on, updates.Kind, m.elem(0), 8*at, &offsets[done], updates.elem(updates.At+done), piece, 1<<shift) {
				break // at the first piece or never
			}
			done += piece
		}
		if done == n {
			if raceEnabled {
				touchScatter(&m, at, offsets, updates, 1, true)
			}
			return
		}
	}
	switch updates.Kind {
	case KindI8:
		generic.ScatterWords(words, shift, at, offsets, planeOf[int8](updates))
	case KindU8:
		generic.ScatterWords(words, shift, at, offsets, planeOf[uint8](updates))
	case KindI16:
		generic.ScatterWords(words, shift, at, offsets, planeOf[int16](updates))
	case KindU16:
		generic.ScatterWords(words, shift, at, offsets, planeOf[uint16](updates))
	case KindI32:
		generic.ScatterWords(words, shift, at, offsets, planeOf[int32](updates))
	case KindU32:
		generic.ScatterWords(words, shift, at, offsets, planeOf[uint32](updates))
	default:
		panic(noKind)
	}
}

// Divide sets each counted cell to its sum divided by its count converted to
// T, and the sum and the counter to 0, so that a cell that is named again is
// left alone.
func Divide[T float32 | float64, C Counter](c Cells[T, T, C]) {
	DivideRaw(cellsOf(&c, numberKind[T](), numberKind[T]()))
}

// DivideHalf is Divide for the format h: in float32, rounded once.
func DivideHalf[C Counter](h Half, c Cells[uint16, uint16, C]) {
	DivideRaw(cellsOf(&c, halfKind(h), halfKind(h)))
}

// DivideComplex is Divide for each component.
func DivideComplex[T complex64 | complex128, C Counter](c Cells[T, T, C]) {
	DivideRaw(cellsOf(&c, complexKind[T](), complexKind[T]()))
}

// DivideExact sets each counted cell to the exact mean of the numbers whose
// sum is in Sums and, when c.Init is 1, of the cell's own value, rounded toward
// minus infinity; and the sum and the counter to 0.
func DivideExact[T Integer, C Counter](c Cells[T, Exact, C]) {
	DivideRaw(cellsOf(&c, numberKind[T](), KindX128))
}

// DivideWide is DivideExact with sums of 64 bits.
func DivideWide[T Integer, C Counter](c Cells[T, int64, C]) {
	DivideRaw(cellsOf(&c, numberKind[T](), KindI64))
}

// DivideWords is DivideWide for the words of ScatterWords, which are c.Sums; it takes no counters.
// What it leaves in a word that is not one of these is unspecified.
func DivideWords[T ShortInteger](c Cells[T, int64, uint32], shift int) {
	raw := cellsOf(&c, numberKind[T](), KindI64)
	raw.Shift = shift
	DivideRaw(raw)
}

// cellsOf erases the types of cells.
func cellsOf[T, S any, C Counter](c *Cells[T, S, C], kind, sums Kind) CellsRaw {
	return CellsRaw{
		Dst: memoryOf(kind, c.Dst), Sums: memoryOf(sums, c.Sums), Counts: memoryOf(numberKind[C](), c.Counts),
		DstAt: c.DstAt, SumsAt: c.SumsAt, CountsAt: c.CountsAt, Rows: c.Rows, Cols: c.Cols, Init: c.Init,
	}
}

// DivideRaw is Divide, DivideHalf, DivideComplex, DivideWide or DivideExact, by
// the Kinds of Dst and Sums, or DivideWords by Shift.
func DivideRaw(c CellsRaw) {
	if c.Dst.Kind >= KindF32 {
		c.Sums.Kind.needWidth(c.Dst.Kind.Width())
	} else if c.Sums.Kind != KindI64 && (c.Sums.Kind != KindX128 || c.Shift > 0) {
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
	case c.Shift > 0:
		divideWords(&c)
	case c.Counts.Kind == KindU32:
		divideGeneric[uint32](&c)
	case c.Counts.Kind == KindU64:
		divideGeneric[uint64](&c)
	default:
		panic(noKind)
	}
}

func divideGeneric[C Counter](c *CellsRaw) {
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

func divideInteger[T Integer, C Counter](c *CellsRaw) {
	if c.Sums.Kind == KindI64 {
		generic.DivideWide(typedCells[T, int64, C](c))
	} else {
		generic.DivideExact(typedCells[T, Exact, C](c))
	}
}

func divideWords(c *CellsRaw) {
	switch c.Dst.Kind {
	case KindI8:
		generic.DivideWords(typedCells[int8, int64, uint32](c), c.Shift)
	case KindU8:
		generic.DivideWords(typedCells[uint8, int64, uint32](c), c.Shift)
	case KindI16:
		generic.DivideWords(typedCells[int16, int64, uint32](c), c.Shift)
	case KindU16:
		generic.DivideWords(typedCells[uint16, int64, uint32](c), c.Shift)
	case KindI32:
		generic.DivideWords(typedCells[int32, int64, uint32](c), c.Shift)
	case KindU32:
		generic.DivideWords(typedCells[uint32, int64, uint32](c), c.Shift)
	default:
		panic(noKind)
	}
}

// typedCells returns cells with their types.
func typedCells[T, S any, C Counter](c *CellsRaw) Cells[T, S, C] {
	return Cells[T, S, C]{
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
func (c *CellsRaw) wide() bool { return c.Dst.Kind < KindF32 && c.Sums.Kind == KindI64 }

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
		divideWords(&rest)
	}
	return true
}
