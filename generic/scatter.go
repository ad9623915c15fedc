package generic

// Scatter sets dst[at + offsets[i] + j*col] = updates(i, j) for every
// j < cols, in ascending order of i and then j: the last update to a cell wins.
func Scatter[T any](dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	u := updates.At
	if cols == 1 {
		for _, o := range offsets {
			dst[at+o] = updates.Data[u]
			u += updates.Row
		}
		return
	}
	for _, o := range offsets {
		copyStrided(dst, at+o, col, updates.Data, u, updates.Col, cols)
		u += updates.Row
	}
}

// ScatterReduce combines updates(i, j) into dst[at + offsets[i] + j*col] for
// every j < cols, in ascending order of i and then j, one rounding a step.
// Op is not Replace, nor Mean.
func ScatterReduce[T Number](op Op, dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	if cols == 1 {
		scatterCells(op, dst, at, offsets, updates.Data, updates.At, updates.Row)
		return
	}
	u := updates.At
	for _, o := range offsets {
		switch {
		case col == 1 && updates.Col == 1:
			combineRow(op, cut(dst, at+o, cols), cut(updates.Data, u, cols))
		case col == 0 && updates.Col == 1:
			dst[at+o] = combineCell(op, dst[at+o], cut(updates.Data, u, cols))
		default:
			combineStrided(op, dst, at+o, col, updates.Data, u, updates.Col, cols)
		}
		u += updates.Row
	}
}

// scatterCells and combineRow are written out for each op, because a call or a
// switch within the loop would cost as much as the combination itself. Min and
// max are the compare and select of MINPS and MAXPS with the cell as first
// operand: of a NaN and anything the update remains, and of two zeros too.

func scatterCells[T Number](op Op, dst []T, at int, offsets []int, updates []T, u, row int) {
	switch op {
	case Sum:
		for _, o := range offsets {
			dst[at+o] += updates[u]
			u += row
		}
	case Prod:
		for _, o := range offsets {
			dst[at+o] *= updates[u]
			u += row
		}
	case Min:
		for _, o := range offsets {
			if !(dst[at+o] < updates[u]) {
				dst[at+o] = updates[u]
			}
			u += row
		}
	case Max:
		for _, o := range offsets {
			if !(dst[at+o] > updates[u]) {
				dst[at+o] = updates[u]
			}
			u += row
		}
	case Sub:
		for _, o := range offsets {
			dst[at+o] -= updates[u]
			u += row
		}
	case Xor:
		for _, o := range offsets {
			dst[at+o] = differ(dst[at+o], updates[u])
			u += row
		}
	}
}

func combineRow[T Number](op Op, dst, updates []T) {
	dst = dst[:len(updates)]
	switch op {
	case Sum:
		for j, v := range updates {
			dst[j] += v
		}
	case Prod:
		for j, v := range updates {
			dst[j] *= v
		}
	case Min:
		for j, v := range updates {
			if !(dst[j] < v) {
				dst[j] = v
			}
		}
	case Max:
		for j, v := range updates {
			if !(dst[j] > v) {
				dst[j] = v
			}
		}
	case Sub:
		for j, v := range updates {
			dst[j] -= v
		}
	case Xor:
		for j, v := range updates {
			dst[j] = differ(dst[j], v)
		}
	}
}

// combineCell combines updates with one cell, which is in a register meanwhile.
func combineCell[T Number](op Op, cell T, updates []T) T {
	switch op {
	case Sum:
		for _, v := range updates {
			cell += v
		}
	case Prod:
		for _, v := range updates {
			cell *= v
		}
	case Min:
		for _, v := range updates {
			if !(cell < v) {
				cell = v
			}
		}
	case Max:
		for _, v := range updates {
			if !(cell > v) {
				cell = v
			}
		}
	case Sub:
		for _, v := range updates {
			cell -= v
		}
	case Xor:
		for _, v := range updates {
			cell = differ(cell, v)
		}
	}
	return cell
}

// differ is of truths: a byte that is not 0 is true.
func differ[T Number](a, b T) T {
	if (a == 0) == (b == 0) {
		return 0
	}
	return 1
}

// combineStrided runs in order, so that col may be 0.
func combineStrided[T Number](op Op, dst []T, d, dcol int, updates []T, u, ucol, n int) {
	for range n {
		switch v := updates[u]; op {
		case Sum:
			dst[d] += v
		case Prod:
			dst[d] *= v
		case Min:
			if !(dst[d] < v) {
				dst[d] = v
			}
		case Max:
			if !(dst[d] > v) {
				dst[d] = v
			}
		case Sub:
			dst[d] -= v
		case Xor:
			dst[d] = differ(dst[d], v)
		}
		d, u = d+dcol, u+ucol
	}
}

// ScatterReduceHalf is ScatterReduce for a 16-bit floating-point format: each
// step is the float32 operation, rounded to nearest even. Min and max compare
// the values and keep the bits.
func ScatterReduceHalf(op Op, h Half, dst []uint16, at, col int, offsets []int, updates Plane[uint16], cols int) {
	if op == Prod && cols == 1 {
		multiplyHalf(h, dst, at, offsets, updates.Data, updates.At, updates.Row)
		return
	}
	f := h.combine(op)
	if op == Sub {
		f = func(a, b uint16) uint16 { return h.Round(h.Float32(a) - h.Float32(b)) }
	}
	scatterWith(f, dst, at, col, offsets, updates, cols)
}

// multiplyHalf is written out, because a call for each update costs as much as the product.
func multiplyHalf(h Half, dst []uint16, at int, offsets []int, updates []uint16, u, row int) {
	if h == Brain16 {
		for _, o := range offsets {
			dst[at+o] = BFloat16FromFloat32(BFloat16ToFloat32(dst[at+o]) * BFloat16ToFloat32(updates[u]))
			u += row
		}
		return
	}
	for _, o := range offsets {
		dst[at+o] = Float16FromFloat32(Float16ToFloat32(dst[at+o]) * Float16ToFloat32(updates[u]))
		u += row
	}
}

// ScatterReduceComplex is ScatterReduce for complex numbers; op is Sum, Sub or Prod.
func ScatterReduceComplex[T complex64 | complex128](op Op, dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	switch {
	case op == Prod:
		scatterWith(prodComplex[T], dst, at, col, offsets, updates, cols)
	case op == Sub:
		scatterWith(func(a, b T) T { return a - b }, dst, at, col, offsets, updates, cols)
	case cols == 1: // without a call for each, a fifth of the time
		u := updates.At
		for _, o := range offsets {
			dst[at+o] += updates.Data[u]
			u += updates.Row
		}
	default:
		scatterWith(func(a, b T) T { return a + b }, dst, at, col, offsets, updates, cols)
	}
}

// prodComplex is (ac-bd) + (ad+bc)i in float64. The conversions forbid a fused multiply-add, which
// would make the result depend on the port. For complex64 the products are exact, and each
// component is rounded once, on the way out.
func prodComplex[T complex64 | complex128](x, y T) T {
	z, w := complex128(x), complex128(y)
	a, b, c, d := real(z), imag(z), real(w), imag(w)
	return T(complex(float64(a*c)-float64(b*d), float64(a*d)+float64(b*c)))
}

func scatterWith[T any](f func(cell, update T) T, dst []T, at, col int, offsets []int, updates Plane[T], cols int) {
	for i, o := range offsets {
		d, u := at+o, updates.row(i)
		for range cols {
			dst[d] = f(dst[d], updates.Data[u])
			d, u = d+col, u+updates.Col
		}
	}
}

// ScatterIndexed sets dst.Data[dst.At + i*dst.Row + j*dst.Col + k*step] =
// updates(i, j) for every i < rows and j < cols, in ascending order, where k is
// wrap(indices(i, j)) in an axis of the given size. It returns i*cols+j of the first
// index outside [-size, size-1], or -1.
func ScatterIndexed[T any, I Index](dst Plane[T], size, step int, indices Plane[I], updates Plane[T], rows, cols int) int {
	for i := range rows {
		x, u, d := indices.row(i), updates.row(i), dst.row(i)
		for j := range cols {
			k := wrap(indices.Data[x], size)
			if uint64(k) >= uint64(size) {
				return i*cols + j
			}
			dst.Data[d+int(k)*step] = updates.Data[u]
			x, u, d = x+indices.Col, u+updates.Col, d+dst.Col
		}
	}
	return -1
}

// ScatterReduceIndexed is ScatterIndexed with updates combined into the cells.
func ScatterReduceIndexed[T Number, I Index](op Op, dst Plane[T], size, step int, indices Plane[I], updates Plane[T], rows, cols int) int {
	var block [256]int
	for i := range rows {
		for j := 0; j < cols; {
			n := min(cols-j, len(block))
			bad := Resolve(block[:n], indices.Data, indices.row(i)+j*indices.Col, indices.Col, size, step, dst.Col)
			if bad >= 0 {
				n = bad
			}
			scatterCells(op, dst.Data, dst.row(i)+j*dst.Col, block[:n], updates.Data, updates.row(i)+j*updates.Col, updates.Col)
			if bad >= 0 {
				return i*cols + j + bad
			}
			j += n
		}
	}
	return -1
}

// ScatterReduceIndexedHalf is ScatterReduceIndexed for the format h. (A function for the cells of
// both would make the block escape.)
func ScatterReduceIndexedHalf[I Index](op Op, h Half, dst Plane[uint16], size, step int, indices Plane[I], updates Plane[uint16], rows, cols int) int {
	var block [256]int
	for i := range rows {
		for j := 0; j < cols; {
			n := min(cols-j, len(block))
			bad := Resolve(block[:n], indices.Data, indices.row(i)+j*indices.Col, indices.Col, size, step, dst.Col)
			if bad >= 0 {
				n = bad
			}
			ScatterReduceHalf(op, h, dst.Data, dst.row(i)+j*dst.Col, 1, block[:n], Plane[uint16]{Data: updates.Data, At: updates.row(i) + j*updates.Col, Row: updates.Col}, 1)
			if bad >= 0 {
				return i*cols + j + bad
			}
			j += n
		}
	}
	return -1
}
