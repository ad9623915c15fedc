package main

import "errors"

// The hand-written loops: the best simple loop for one workload alone, with
// the checks that its operator owes. One goroutine, one page of Go: what lanes
// has to be worth more than.

var errPlainIndex = errors.New("index out of range")

// plainGatherAxis1 is W1: out[i][j] = data[i][indices[i][j]].
func plainGatherAxis1(dst, data []float32, indices []int64, ds, is dims) error {
	d, n := ds[1], is[1]
	for i := range is[0] {
		row, ks := data[i*d:(i+1)*d], indices[i*n:(i+1)*n]
		out := dst[i*n:][:len(ks)]
		for j, k := range ks {
			if k < 0 {
				k += int64(d)
			}
			if uint64(k) >= uint64(len(row)) {
				return errPlainIndex
			}
			out[j] = row[k]
		}
	}
	return nil
}

// plainGatherAxis0 is W3: out[i][j] = data[indices[i][j]][j].
func plainGatherAxis0(dst, data []float32, indices []int64, ds, is dims) error {
	d, n := ds[0], is[1]
	for i := range is[0] {
		ks := indices[i*n : (i+1)*n]
		out := dst[i*n:][:len(ks)]
		for j, k := range ks {
			if k < 0 {
				k += int64(d)
			}
			if uint64(k) >= uint64(d) {
				return errPlainIndex
			}
			out[j] = data[int(k)*n+j]
		}
	}
	return nil
}

// plainGatherRows is W9: out[i] = data[indices[i][0]].
func plainGatherRows(dst, data []float32, indices []int64, ds, _ dims) error {
	d, n := ds[0], ds[1]
	for i, k := range indices {
		if k < 0 {
			k += int64(d)
		}
		if uint64(k) >= uint64(d) {
			return errPlainIndex
		}
		copy(dst[i*n:(i+1)*n], data[int(k)*n:])
	}
	return nil
}

// plainFocus is W18: out[a][b][y][x] = data[a][b][2*y][2*x].
func plainFocus(dst, data []float32, ds, out dims) error {
	rows, n := out[0]*out[1]*out[2], out[3]
	for i := range rows { // out[2] is half of ds[2], so row i comes from row 2*i
		o, row := dst[i*n:(i+1)*n], data[2*i*ds[3]:][:2*n]
		for x := range o {
			o[x] = row[2*x]
		}
	}
	return nil
}

// plainCrop is W21: out[a][b][y][x] = data[a][b][20+y][20+x].
func plainCrop(dst, data []float32, ds, out dims) error {
	height, width := out[2], out[3]
	for plane := range out[0] * out[1] {
		for y := range height {
			at := (plane*ds[2]+20+y)*ds[3] + 20
			copy(dst[(plane*height+y)*width:][:width], data[at:])
		}
	}
	return nil
}

// plainBags is W24: out[b] = the sum of table[indices[i]], i from offsets[b] on.
func plainBags(dst, table []float32, indices, offsets []int64, shape dims) error {
	d, n := shape[0], shape[1]
	for b, start := range offsets {
		end := int64(len(indices))
		if b+1 < len(offsets) {
			end = offsets[b+1]
		}
		if start < 0 || start > end || end > int64(len(indices)) {
			return errPlainIndex
		}
		out := dst[b*n : (b+1)*n]
		clear(out)
		for _, k := range indices[start:end] {
			if k < 0 {
				k += int64(d)
			}
			if uint64(k) >= uint64(d) {
				return errPlainIndex
			}
			for j, v := range table[int(k)*n:][:len(out)] {
				out[j] += v
			}
		}
	}
	return nil
}

// plainAddRows is W26: dst[indices[i]] += updates[i].
func plainAddRows(dst []float32, indices []int64, updates []float32, shape dims) error {
	d, n := shape[0], shape[1]
	for i, k := range indices {
		if k < 0 {
			k += int64(d)
		}
		if uint64(k) >= uint64(d) {
			return errPlainIndex
		}
		row := updates[i*n : (i+1)*n]
		out := dst[int(k)*n:][:len(row)]
		for j, v := range row {
			out[j] += v
		}
	}
	return nil
}

// plainCompressRows is W27: the rows of data whose mask is true.
func plainCompressRows(dst, data []float32, mask []bool, shape dims) error {
	n, at := shape[1], 0
	for i, chosen := range mask {
		if chosen {
			copy(dst[at:at+n], data[i*n:])
			at += n
		}
	}
	return nil
}

// plainTake is W28: the elements of data whose mask is true.
func plainTake(dst, data []float32, mask []bool) error {
	at := 0
	for i, chosen := range mask {
		if chosen {
			dst[at] = data[i]
			at++
		}
	}
	return nil
}
