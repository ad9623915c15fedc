package lanes

import (
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
)

// What primitives share about rows: where their elements come from, and how they and their tables
// are copied and prefetched.

// A pattern says which elements of the source the elements of a destination are copied from.
type pattern struct{ cols, row, step int }

func (p *pattern) from(o int) int { return o/p.cols*p.row + o%p.cols*p.step }

// fill sets to[k] to the byte of the source that element o+k begins at.
func (p *pattern) fill(to []int, o, width int) {
	at, left := p.from(o), p.cols-o%p.cols // of the row
	for k := range to {
		to[k] = at * width
		at += p.step
		if left--; left == 0 {
			at, left = at+p.row-p.cols*p.step, p.cols
		}
	}
}

// copyRow copies a row of up to pieceBytes. Its prologue is where a goroutine can be stopped, which
// is not possible within copy.
//
//go:noinline
func copyRow(dst, src *byte, bytes int) { copy(unsafe.Slice(dst, bytes), unsafe.Slice(src, bytes)) }

// rowDistance is the prefetch distance, in rows, where they are short and far from each other.
const rowDistance = 4

// fetchRows returns the prefetch distance, in rows, of rows of so many bytes. If those on the way
// take too much of the first-level cache, they are gone when they are needed. (BenchmarkRows. Zen
// 4, times as fast as with eight rows of any length: rows gathered out of the second-level cache
// 1.1 up to 1 KB, from 1.5 KB on 1.2 to 1.3; out of 8 and 64 MB 1.0, from 4 KB on 1.1 to 1.3. Sums
// of rows from 2 to 8 KB in that cache 1.2, beyond 1.1.)
func fetchRows(bytes int) int { return min(16, 8<<10/bytes) }

// spread returns how far apart offsets are, judged by a sample.
func spread(offsets []int) int {
	low, high := offsets[0], offsets[0]
	for i := 0; i < len(offsets); i += 1 + len(offsets)/16 {
		low, high = min(low, offsets[i]), max(high, offsets[i])
	}
	return high - low
}

// fetches reports whether a table of so many entries, of one row of cols indices, is prefetched
// while those before are processed. Such a table has at most one cache line for each index, or for
// every two where most tables may be in the cache. The indices name the lines in no order that the
// hardware could predict. tables is the bytes of all tables. (Zen 4, 128 MB of float32, one worker
// and two, the speedup by prefetches: as many lines as indices, tables of 0.5, 4, 32, 128 and 512
// KB, 1.10 1.20 1.03 1.02 1.02 and 1.04 1.24 0.99 1.03 0.97; 0.3 of them 1.16 1.94 1.80 1.57 1.24
// and 1.21 1.82 1.81 1.50 1.16; three times as many, from 32 KB on, 0.93 to 0.98 and 0.87 to 1.01:
// BenchmarkTables. Zen 5: tables of 6 MB in all want none.)
func fetches(size, width, cols, tables int) bool {
	least, lines := 128, linesPerIndex*cols
	switch {
	case tables <= dispatch.Near.Second:
		return false
	case tables <= dispatch.Near.Last:
		if least = 2 << 10; cols < size {
			return false
		}
	case tables <= 4*dispatch.Near.Last: // most of them may be in the cache
		lines /= 2
	}
	return size*width <= 64*lines && least <= size*width && size*width <= dispatch.Near.OwnTable
}

// linesPerIndex is how many cache lines a table that is prefetched may have for each index.
// Benchmarks change it.
var linesPerIndex = 1

// repeats reports whether a row of indices names one entry alone, judged by a sample: its table is
// then not worth a prefetch. (Zen 4, call 591001.133 of bench, 5461 tables of 20 KB, all indices
// equal, ms with a prefetch and without: 4.6 and 2.6, two workers 3.7 and 1.4.)
func repeats(indices *byte, index, cols int) bool {
	const samples = 8
	for k := 1; k < samples; k++ {
		other := add(indices, k*cols/samples*index)
		if index == 4 && *(*int32)(unsafe.Pointer(other)) != *(*int32)(unsafe.Pointer(indices)) ||
			index == 8 && *(*int64)(unsafe.Pointer(other)) != *(*int64)(unsafe.Pointer(indices)) {
			return false
		}
	}
	return true
}

// prefetched returns what bodies prefetch while they go through a row of cols indices. If tables
// are fetched, that begins ahead bytes behind the row's own table, and goes on by pace bytes with
// every four indices: a core waits for some 24 cache lines at once, so a table is not prefetched as
// a whole. table is the bytes of a table, and row is how far apart two of them begin. (Zen 4, ns an
// element, in bodies and a whole table before each row: 1024 rows of 4096 float32, 0.88 and 1.25;
// sums into them 1.5 and 1.9. Loops that always prefetch take 1.1 times as long in the caches.)
func prefetched(fetch bool, table, row, cols int) (ahead, pace int) {
	switch {
	case !fetch && table >= farTable:
		return 0, farPace
	case !fetch:
		return 0, 0
	}
	rows := 1
	if 0 < row && row <= 2*table {
		rows = max(1, fetchedAhead/row)
	}
	return rows * row, 4 * table / cols
}

// fetchedAhead is the least prefetch distance, in bytes, of tables that follow each other. (Zen 4,
// calls of bench, 96001.136, 95001.226, 281001.100, ms, with 2, 4, 8 and 16 KiB: 14.2 14.7 10.3
// 12.0, 19.7 18.3 16.3 17.5, 39.7 39.0 34.2 36.4.)
const fetchedAhead = 8 << 10

// farTable is the least size, in bytes, of a table whose entries are read from beyond the
// first-level cache. farPace, in place of a pace, has bodies prefetch indices into the second-level
// cache first, and so leave the misses of the first-level cache to such reads. (Zen 4, times as
// fast in the loop for far tables: 3.6 Mi int32 indices of 2.8 MB 1.2, 15.5 Mi int64 indices of 5.5
// MB of bytes 1.4, 2.6 Mi pairs of 1.6 MB 1.45; rows of 1024 indices of 11 KB each 0.92.)
const farTable, farPace = 64 << 10, -1
