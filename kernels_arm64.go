//go:build !purego && !noasm

package lanes

// checkI32NEON is
//
//	for j := 0; j < n; j += 16 {
//		if any of indices[j:j+16], wrapped, is not below size { return j }
//	}
//	return -1
//
// n is a multiple of the step.
//
//go:noescape
func checkI32NEON(indices *byte, n, size int) int

// checkI64NEON is
//
//	for j := 0; j < n; j += 8 {
//		if any of indices[j:j+8], wrapped, is not below size { return j }
//	}
//	return -1
//
// n is a multiple of the step.
//
//go:noescape
func checkI64NEON(indices *byte, n, size int) int

// checkOffsetsNEON is
//
//	for j := range n { if uint(at+offsets[j]) >= uint(limit) { return false } }
//	return true
//
// n is a multiple of 8.
//
//go:noescape
func checkOffsetsNEON(offsets *int, n, at, limit int) bool

// resolveI32NEON is
//
//	for j := 0; j < n; j += 8 {
//		if any of indices[j:j+8], wrapped, is not below size { return j }
//		offsets[j+l] = wrapped[l]*scale + pattern[j*move+l] + j*col, for l < 8
//	}
//	return -1
//
// n is a multiple of 8; scale is in [0, 2³²), and size in [0, 2³¹). move is 1 for a pattern
// of n entries, and 0 for one of eight. The last parameter is that of other ports.
//
//go:noescape
func resolveI32NEON(offsets *int, indices *byte, n, size, scale int, pattern *int, move, col, _ int) int

// resolveI64NEON is
//
//	for j := 0; j < n; j += 8 {
//		if any of indices[j:j+8], wrapped, is not below size { return j }
//		offsets[j+l] = wrapped[l]*scale + pattern[j*move+l] + j*col, for l < 8
//	}
//	return -1
//
// n is a multiple of 8; scale is in [0, 2³²), and size in [0, 2³²). move is 1 for a pattern
// of n entries, and 0 for one of eight. The last parameter is that of other ports.
//
//go:noescape
func resolveI64NEON(offsets *int, indices *byte, n, size, scale int, pattern *int, move, col, _ int) int

// resolveTuplesI32NEON is
//
//	for j := 0; j < n; j += 4 {
//		sum[l] := (j+l)*col + start, for l < 4
//		for t := range k {
//			x := the component at tuples[(j+l)*row + t*next], wrapped in sizes[t]
//			if any of the four x is not below sizes[t] { return j }
//			sum[l] += x*strides[t]
//		}
//		offsets[j+l] = sum[l]
//	}
//	return -1
//
// row and next are in bytes, n is a multiple of 4; sizes and strides are in [0, 2³²).
//
//go:noescape
func resolveTuplesI32NEON(offsets *int, tuples *byte, row, next, n int, sizes, strides *int, k, col, start int) int

// resolveTuplesI64NEON is
//
//	for j := 0; j < n; j += 4 {
//		sum[l] := (j+l)*col + start, for l < 4
//		for t := range k {
//			x := the component at tuples[(j+l)*row + t*next], wrapped in sizes[t]
//			if any of the four x is not below sizes[t] { return j }
//			sum[l] += x*strides[t]
//		}
//		offsets[j+l] = sum[l]
//	}
//	return -1
//
// row and next are in bytes, n is a multiple of 4; sizes and strides are in [0, 2³²).
//
//go:noescape
func resolveTuplesI64NEON(offsets *int, tuples *byte, row, next, n int, sizes, strides *int, k, col, start int) int

// gatherX8I32NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k]
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
//go:noescape
func gatherX8I32NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, rows, cols int) int

// gatherX8I64NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k]
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
//go:noescape
func gatherX8I64NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, rows, cols int) int

// gatherColumnsX8I32NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k*step+j], where step is in bytes
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
// step is in [0, 2³²).
//
//go:noescape
func gatherColumnsX8I32NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, step, rows, cols int) int

// gatherColumnsX8I64NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k*step+j], where step is in bytes
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
// step is in [0, 2³²).
//
//go:noescape
func gatherColumnsX8I64NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, step, rows, cols int) int

// gatherX16I32NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k]
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
//go:noescape
func gatherX16I32NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, rows, cols int) int

// gatherX16I64NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k]
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
//go:noescape
func gatherX16I64NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, rows, cols int) int

// gatherColumnsX16I32NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k*step+j], where step is in bytes
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
// step is in [0, 2³²).
//
//go:noescape
func gatherColumnsX16I32NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, step, rows, cols int) int

// gatherColumnsX16I64NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k*step+j], where step is in bytes
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
// step is in [0, 2³²).
//
//go:noescape
func gatherColumnsX16I64NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, step, rows, cols int) int

// gatherX32I32NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k]
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
//go:noescape
func gatherX32I32NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, rows, cols int) int

// gatherX32I64NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k]
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
//go:noescape
func gatherX32I64NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, rows, cols int) int

// gatherColumnsX32I32NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k*step+j], where step is in bytes
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
// step is in [0, 2³²).
//
//go:noescape
func gatherColumnsX32I32NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, step, rows, cols int) int

// gatherColumnsX32I64NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k*step+j], where step is in bytes
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
// step is in [0, 2³²).
//
//go:noescape
func gatherColumnsX32I64NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, step, rows, cols int) int

// gatherX64I32NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k]
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
//go:noescape
func gatherX64I32NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, rows, cols int) int

// gatherX64I64NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k]
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
//go:noescape
func gatherX64I64NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, rows, cols int) int

// gatherColumnsX64I32NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k*step+j], where step is in bytes
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
// step is in [0, 2³²).
//
//go:noescape
func gatherColumnsX64I32NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, step, rows, cols int) int

// gatherColumnsX64I64NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k*step+j], where step is in bytes
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
// step is in [0, 2³²).
//
//go:noescape
func gatherColumnsX64I64NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, step, rows, cols int) int

// gatherX128I32NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k]
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
//go:noescape
func gatherX128I32NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, rows, cols int) int

// gatherX128I64NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k]
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
//go:noescape
func gatherX128I64NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, rows, cols int) int

// gatherColumnsX128I32NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k*step+j], where step is in bytes
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
// step is in [0, 2³²).
//
//go:noescape
func gatherColumnsX128I32NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, step, rows, cols int) int

// gatherColumnsX128I64NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k*step+j], where step is in bytes
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
// step is in [0, 2³²).
//
//go:noescape
func gatherColumnsX128I64NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, step, rows, cols int) int

// gatherTableX8I32NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k]
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
// The table is kept in registers while a row is looked up; size is in [16, 128].
//
//go:noescape
func gatherTableX8I32NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, rows, cols int) int

// gatherTableX8I64NEON is
//
//	for range rows {
//		for j := range cols {
//			k := indices[j], plus size if it is negative
//			if uint(k) >= uint(size) { return where the step began }
//			dst[j] = table[k]
//		}
//		dst, table, indices = the next rows, so many bytes on
//	}
//	return -1
//
// The table is kept in registers while a row is looked up; size is in [16, 128].
//
//go:noescape
func gatherTableX8I64NEON(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, rows, cols int) int

// gatherOffsetsX8NEON is
//
//	for j := range n { dst[j] = src[at+offsets[j]] }
//
// at is in bytes.
//
//go:noescape
func gatherOffsetsX8NEON(dst, src *byte, at int, offsets *int, n int)

// gatherOffsetsX16NEON is
//
//	for j := range n { dst[j] = src[at+offsets[j]] }
//
// at is in bytes.
//
//go:noescape
func gatherOffsetsX16NEON(dst, src *byte, at int, offsets *int, n int)

// gatherOffsetsX32NEON is
//
//	for j := range n { dst[j] = src[at+offsets[j]] }
//
// at is in bytes.
//
//go:noescape
func gatherOffsetsX32NEON(dst, src *byte, at int, offsets *int, n int)

// gatherOffsetsX64NEON is
//
//	for j := range n { dst[j] = src[at+offsets[j]] }
//
// at is in bytes.
//
//go:noescape
func gatherOffsetsX64NEON(dst, src *byte, at int, offsets *int, n int)

// gatherOffsetsX128NEON is
//
//	for j := range n { dst[j] = src[at+offsets[j]] }
//
// at is in bytes.
//
//go:noescape
func gatherOffsetsX128NEON(dst, src *byte, at int, offsets *int, n int)

// gatherRowsNEON is
//
//	for i := range n {
//		copy(dst[:bytes], src[at+offsets[i]<<shift:])
//		dst = the next row
//	}
//
//go:noescape
func gatherRowsNEON(dst, src *byte, at int, offsets *int, n, shift, bytes, dstRow int)

// gatherRowsAheadNEON is
//
//	for i := range n {
//		copy(dst[:bytes], src[at+offsets[i]<<shift:])
//		dst = the next row
//	}
//
// Rows are prefetched eight ahead.
//
//go:noescape
func gatherRowsAheadNEON(dst, src *byte, at int, offsets *int, n, shift, bytes, dstRow int)

// scatterX8NEON is
//
//	for j := range n { dst[at+offsets[j]] = updates[j] }
//
// at is in bytes.
//
//go:noescape
func scatterX8NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterX16NEON is
//
//	for j := range n { dst[at+offsets[j]] = updates[j] }
//
// at is in bytes.
//
//go:noescape
func scatterX16NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterX32NEON is
//
//	for j := range n { dst[at+offsets[j]] = updates[j] }
//
// at is in bytes.
//
//go:noescape
func scatterX32NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterX64NEON is
//
//	for j := range n { dst[at+offsets[j]] = updates[j] }
//
// at is in bytes.
//
//go:noescape
func scatterX64NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterX128NEON is
//
//	for j := range n { dst[at+offsets[j]] = updates[j] }
//
// at is in bytes.
//
//go:noescape
func scatterX128NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterSumF32NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] + update }
//
//go:noescape
func scatterSumF32NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterSumRowsF32NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] + update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterSumRowsF32NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterProdF32NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] * update }
//
//go:noescape
func scatterProdF32NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterProdRowsF32NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] * update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterProdRowsF32NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMinF32NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] < update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMinF32NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMinRowsF32NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] < update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMinRowsF32NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMaxF32NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] > update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMaxF32NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMaxRowsF32NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] > update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMaxRowsF32NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterSumF64NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] + update }
//
//go:noescape
func scatterSumF64NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterSumRowsF64NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] + update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterSumRowsF64NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterProdF64NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] * update }
//
//go:noescape
func scatterProdF64NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterProdRowsF64NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] * update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterProdRowsF64NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMinF64NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] < update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMinF64NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMinRowsF64NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] < update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMinRowsF64NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMaxF64NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] > update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMaxF64NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMaxRowsF64NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] > update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMaxRowsF64NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterSumI8NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] + update }
//
//go:noescape
func scatterSumI8NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterSumRowsI8NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] + update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterSumRowsI8NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterProdI8NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] * update }
//
//go:noescape
func scatterProdI8NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterProdRowsI8NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] * update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterProdRowsI8NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMinI8NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] < update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMinI8NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMinRowsI8NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] < update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMinRowsI8NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMaxI8NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] > update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMaxI8NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMaxRowsI8NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] > update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMaxRowsI8NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMinU8NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] < update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMinU8NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMinRowsU8NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] < update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMinRowsU8NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMaxU8NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] > update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMaxU8NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMaxRowsU8NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] > update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMaxRowsU8NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterSumI16NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] + update }
//
//go:noescape
func scatterSumI16NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterSumRowsI16NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] + update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterSumRowsI16NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterProdI16NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] * update }
//
//go:noescape
func scatterProdI16NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterProdRowsI16NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] * update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterProdRowsI16NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMinI16NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] < update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMinI16NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMinRowsI16NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] < update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMinRowsI16NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMaxI16NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] > update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMaxI16NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMaxRowsI16NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] > update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMaxRowsI16NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMinU16NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] < update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMinU16NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMinRowsU16NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] < update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMinRowsU16NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMaxU16NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] > update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMaxU16NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMaxRowsU16NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] > update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMaxRowsU16NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterSumI32NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] + update }
//
//go:noescape
func scatterSumI32NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterSumRowsI32NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] + update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterSumRowsI32NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterProdI32NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] * update }
//
//go:noescape
func scatterProdI32NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterProdRowsI32NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] * update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterProdRowsI32NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMinI32NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] < update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMinI32NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMinRowsI32NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] < update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMinRowsI32NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMaxI32NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] > update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMaxI32NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMaxRowsI32NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] > update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMaxRowsI32NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMinU32NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] < update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMinU32NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMinRowsU32NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] < update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMinRowsU32NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMaxU32NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] > update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMaxU32NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMaxRowsU32NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] > update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMaxRowsU32NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterSumI64NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] + update }
//
//go:noescape
func scatterSumI64NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterSumRowsI64NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] + update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterSumRowsI64NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterProdI64NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] * update }
//
//go:noescape
func scatterProdI64NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterProdRowsI64NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] * update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterProdRowsI64NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMinI64NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] < update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMinI64NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMinRowsI64NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] < update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMinRowsI64NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMaxI64NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] > update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMaxI64NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMaxRowsI64NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] > update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMaxRowsI64NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMinU64NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] < update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMinU64NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMinRowsU64NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] < update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMinRowsU64NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMaxU64NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] > update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMaxU64NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMaxRowsU64NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] > update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMaxRowsU64NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterSumF16NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] + update }
//
//go:noescape
func scatterSumF16NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterSumRowsF16NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] + update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterSumRowsF16NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterProdF16NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] * update }
//
//go:noescape
func scatterProdF16NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterProdRowsF16NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] * update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterProdRowsF16NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMinF16NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] < update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMinF16NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMinRowsF16NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] < update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMinRowsF16NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMaxF16NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] > update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMaxF16NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMaxRowsF16NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] > update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMaxRowsF16NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterSumBF16NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] + update }
//
//go:noescape
func scatterSumBF16NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterSumRowsBF16NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] + update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterSumRowsBF16NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterProdBF16NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] * update }
//
//go:noescape
func scatterProdBF16NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterProdRowsBF16NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] * update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterProdRowsBF16NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMinBF16NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] < update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMinBF16NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMinRowsBF16NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] < update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMinRowsBF16NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// scatterMaxBF16NEON is
//
//	for j := range n { dst[at+offsets[j]] = dst[at+offsets[j]] > update ? dst[at+offsets[j]] : update }
//
//go:noescape
func scatterMaxBF16NEON(dst *byte, at int, offsets *int, updates *byte, n int)

// scatterMaxRowsBF16NEON is
//
//	for i := range n {
//		for j := range cols { dst[at+offsets[i]+j] = dst[at+offsets[i]+j] > update ? dst[at+offsets[i]+j] : update }
//		updates = the next row
//	}
//
// A row has 16 bytes or more.
//
//go:noescape
func scatterMaxRowsBF16NEON(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols int)

// prefetchNEON is
//
//	for i := 0; i < bytes; i += 64 { prefetch p[i] }
//
//go:noescape
func prefetchNEON(p *byte, bytes int)

// copyRowsNEON is
//
//	for range rows {
//		copy(dst[:bytes], src)
//		dst, src = the next rows
//	}
//
//go:noescape
func copyRowsNEON(dst, src *byte, dstRow, srcRow, rows, bytes int)

// copyEvery2X8NEON is
//
//	for range rows {
//		for j := range bytes { dst[j] = src[2*j] }
//		dst, src = the next rows, so many bytes on
//	}
//
// bytes is more than 16.
//
//go:noescape
func copyEvery2X8NEON(dst, src *byte, dstRow, srcRow, rows, bytes int)

// copyEvery2X16NEON is
//
//	for range rows {
//		for j := range bytes/2 { dst[j] = src[2*j] }
//		dst, src = the next rows, so many bytes on
//	}
//
// bytes is more than 16.
//
//go:noescape
func copyEvery2X16NEON(dst, src *byte, dstRow, srcRow, rows, bytes int)

// copyEvery2X32NEON is
//
//	for range rows {
//		for j := range bytes/4 { dst[j] = src[2*j] }
//		dst, src = the next rows, so many bytes on
//	}
//
// bytes is more than 16.
//
//go:noescape
func copyEvery2X32NEON(dst, src *byte, dstRow, srcRow, rows, bytes int)

// copyEvery3X8NEON is
//
//	for range rows {
//		for j := range bytes { dst[j] = src[3*j] }
//		dst, src = the next rows, so many bytes on
//	}
//
// bytes is more than 16.
//
//go:noescape
func copyEvery3X8NEON(dst, src *byte, dstRow, srcRow, rows, bytes int)

// copyEvery3X16NEON is
//
//	for range rows {
//		for j := range bytes/2 { dst[j] = src[3*j] }
//		dst, src = the next rows, so many bytes on
//	}
//
// bytes is more than 16.
//
//go:noescape
func copyEvery3X16NEON(dst, src *byte, dstRow, srcRow, rows, bytes int)

// copyEvery3X32NEON is
//
//	for range rows {
//		for j := range bytes/4 { dst[j] = src[3*j] }
//		dst, src = the next rows, so many bytes on
//	}
//
// bytes is more than 16.
//
//go:noescape
func copyEvery3X32NEON(dst, src *byte, dstRow, srcRow, rows, bytes int)

// copyEvery4X8NEON is
//
//	for range rows {
//		for j := range bytes { dst[j] = src[4*j] }
//		dst, src = the next rows, so many bytes on
//	}
//
// bytes is more than 16.
//
//go:noescape
func copyEvery4X8NEON(dst, src *byte, dstRow, srcRow, rows, bytes int)

// copyEvery4X16NEON is
//
//	for range rows {
//		for j := range bytes/2 { dst[j] = src[4*j] }
//		dst, src = the next rows, so many bytes on
//	}
//
// bytes is more than 16.
//
//go:noescape
func copyEvery4X16NEON(dst, src *byte, dstRow, srcRow, rows, bytes int)

// copyEvery4X32NEON is
//
//	for range rows {
//		for j := range bytes/4 { dst[j] = src[4*j] }
//		dst, src = the next rows, so many bytes on
//	}
//
// bytes is more than 16.
//
//go:noescape
func copyEvery4X32NEON(dst, src *byte, dstRow, srcRow, rows, bytes int)

// copyReversedX8NEON is
//
//	for range rows {
//		for j := range bytes { dst[bytes-1-j] = src[j] }
//		dst, src = the next rows, so many bytes on
//	}
//
// bytes is 16 at least.
//
//go:noescape
func copyReversedX8NEON(dst, src *byte, dstRow, srcRow, rows, bytes int)

// copyReversedX16NEON is
//
//	for range rows {
//		for j := range bytes/2 { dst[bytes/2-1-j] = src[j] }
//		dst, src = the next rows, so many bytes on
//	}
//
// bytes is 16 at least.
//
//go:noescape
func copyReversedX16NEON(dst, src *byte, dstRow, srcRow, rows, bytes int)

// copyReversedX32NEON is
//
//	for range rows {
//		for j := range bytes/4 { dst[bytes/4-1-j] = src[j] }
//		dst, src = the next rows, so many bytes on
//	}
//
// bytes is 16 at least.
//
//go:noescape
func copyReversedX32NEON(dst, src *byte, dstRow, srcRow, rows, bytes int)

// copyReversedX64NEON is
//
//	for range rows {
//		for j := range bytes/8 { dst[bytes/8-1-j] = src[j] }
//		dst, src = the next rows, so many bytes on
//	}
//
// bytes is 16 at least.
//
//go:noescape
func copyReversedX64NEON(dst, src *byte, dstRow, srcRow, rows, bytes int)

// copyThreesX8NEON is
//
//	for i := 0; i < 3*rows; i += 3 { dst[i], dst[i+1], dst[i+2] = src[i+2], src[i+1], src[i] }
//
//go:noescape
func copyThreesX8NEON(dst, src *byte, rows int)

// copyThreesX16NEON is
//
//	for i := 0; i < 3*rows; i += 3 { dst[i], dst[i+1], dst[i+2] = src[i+2], src[i+1], src[i] }
//
//go:noescape
func copyThreesX16NEON(dst, src *byte, rows int)

// copyThreesX32NEON is
//
//	for i := 0; i < 3*rows; i += 3 { dst[i], dst[i+1], dst[i+2] = src[i+2], src[i+1], src[i] }
//
//go:noescape
func copyThreesX32NEON(dst, src *byte, rows int)

// copySpacedX8NEON is
//
//	for range rows {
//		for j := range bytes { dst[j] = what lies step*j bytes from src }
//		dst, src = the next rows, so many bytes on
//	}
//
//go:noescape
func copySpacedX8NEON(dst, src *byte, dstRow, srcRow, rows, bytes, step int)

// copySpacedX16NEON is
//
//	for range rows {
//		for j := range bytes/2 { dst[j] = what lies step*j bytes from src }
//		dst, src = the next rows, so many bytes on
//	}
//
//go:noescape
func copySpacedX16NEON(dst, src *byte, dstRow, srcRow, rows, bytes, step int)

// copySpacedX32NEON is
//
//	for range rows {
//		for j := range bytes/4 { dst[j] = what lies step*j bytes from src }
//		dst, src = the next rows, so many bytes on
//	}
//
//go:noescape
func copySpacedX32NEON(dst, src *byte, dstRow, srcRow, rows, bytes, step int)

// copySpacedX64NEON is
//
//	for range rows {
//		for j := range bytes/8 { dst[j] = what lies step*j bytes from src }
//		dst, src = the next rows, so many bytes on
//	}
//
//go:noescape
func copySpacedX64NEON(dst, src *byte, dstRow, srcRow, rows, bytes, step int)

// copyStepsX8NEON is
//
//	for range rows {
//		for d, s, left := dst, src, bytes; left > 0; left -= 16 {
//			copy(d[:16], the entry's permutation of s, of so many windows)
//			d, s = d[move:], s[move*step:]
//		}
//		dst, src = the next rows
//	}
//
// bytes is 16 or more. move is 16, or -16 to go down from the last step of a row,
// so that a reversed source is read upwards. The last step to be made is moved back
// into the row, and overlaps the one before.
//
//go:noescape
func copyStepsX8NEON(dst, src *byte, dstRow, srcRow, rows, bytes, step int, entry *byte, windows, move int)

// copyTriplesX8NEON is
//
//	for range steps {
//		for v := range 3 {
//			windows := two vectors of 16 at src + entries[v].windows[:]
//			dst[:16] = the bytes of the windows at entries[v].places[:16]
//			dst = 16 bytes on
//		}
//		src = advance bytes on
//	}
//
//go:noescape
func copyTriplesX8NEON(dst, src *byte, steps int, entries *byte, advance int)

// copyPeriodsX8NEON is
//
//	for i := range steps {
//		copy(dst[:16], entries[i%period]'s permutation of src)
//		dst = the next vector
//		if (i+1)%period == 0 { src = src[advance:] }
//	}
//
// windows is how many an entry uses at most.
//
//go:noescape
func copyPeriodsX8NEON(dst, src *byte, steps int, entries *byte, windows, period, advance int)
