package generic

// Gather sets dst(i, j) = src.Data[address of src(i, j) + k*step] for every i < rows and j < cols,
// where k is wrap(indices(i, j)) in an axis of the given size. It returns i*cols+j of the first
// index outside [-size, size-1], or -1; what follows a bad index is not written.
//
// On a row of a table src.Col is 0 and step is 1; in columns src.Col is 1 and
// step is the distance of the table's rows.
func Gather[T any, I Index](dst, src Plane[T], size, step int, indices Plane[I], rows, cols int) int {
	for i := range rows {
		d, s, x := dst.row(i), src.row(i), indices.row(i)
		bad := -1
		switch {
		case dst.Col != 1 || indices.Col != 1:
			bad = gatherStrided(dst.Data, d, dst.Col, src.Data, s, src.Col, size, step, indices.Data, x, indices.Col, cols)
		case src.Col == 0 && step == 1:
			bad = gatherTable(cut(dst.Data, d, cols), cut(src.Data, s, size), cut(indices.Data, x, cols))
		default:
			bad = gatherColumns(cut(dst.Data, d, cols), src.Data, s, src.Col, size, step, cut(indices.Data, x, cols))
		}
		if bad >= 0 {
			return i*cols + bad
		}
	}
	return -1
}

func gatherTable[T any, I Index](dst, table []T, indices []I) int {
	dst = dst[:len(indices)]
	for j, v := range indices {
		k := wrap(v, len(table))
		if uint64(k) >= uint64(len(table)) {
			return j
		}
		dst[j] = table[k]
	}
	return -1
}

func gatherColumns[T any, I Index](dst, src []T, at, col, size, step int, indices []I) int {
	dst = dst[:len(indices)]
	for j, v := range indices {
		k := wrap(v, size)
		if uint64(k) >= uint64(size) {
			return j
		}
		dst[j] = src[at+int(k)*step]
		at += col
	}
	return -1
}

func gatherStrided[T any, I Index](dst []T, d, dcol int, src []T, s, scol, size, step int, indices []I, x, xcol, cols int) int {
	for j := range cols {
		k := wrap(indices[x], size)
		if uint64(k) >= uint64(size) {
			return j
		}
		dst[d] = src[s+int(k)*step]
		d, s, x = d+dcol, s+scol, x+xcol
	}
	return -1
}

// GatherRows sets dst(i, j) = src[at + offsets[i] + j*col] for every
// j < cols: whole rows when cols is their length, single elements when it is 1.
func GatherRows[T any](dst Plane[T], src []T, at, col int, offsets []int, cols int) {
	if cols == 1 {
		d := dst.At
		for _, o := range offsets {
			dst.Data[d] = src[at+o]
			d += dst.Row
		}
		return
	}
	d := dst.At
	for _, o := range offsets {
		copyStrided(dst.Data, d, dst.Col, src, at+o, col, cols)
		d += dst.Row
	}
}
