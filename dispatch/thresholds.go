package dispatch

// Thresholds says from where on one way of doing a thing pays more than another, where that depends
// on the caches and cores of a machine, each with its reason. The harness measures them: go run -C
// bench . -calibrate. Limits that were measured once stand beside the rule that uses them, with
// their figures.
type Thresholds struct {
	// SmallElements is the most elements, up to 128, of a call that one plain loop moves: setting
	// up a call and reaching a primitive costs as much as moving some 130 elements. (Zen 4, ns,
	// with lines of 8 float32, by a primitive and so: GatherElements of 96 296 and 202, of 128 295
	// and 250, of 192 312 and 342; sums of 96 552 and 413, of 128 554 and 494, of 192 630 and 659.)
	// With 0 no call is small.
	SmallElements int

	// WorkerTime is the least work, in ns as Costs estimates it, for each goroutine of a call whose
	// helpers are awake: two goroutines share twice as much. (Zen 4, 220 random calls that take one
	// worker 4 to 60 µs, in close succession: two are 1.14 times as fast with 10 µs, 1.30 with 4,
	// 1.35 with 3, and 1.35 with 2.5, of which some are at 0.63.)
	WorkerTime int

	// PartTime is the least work of a part, in ns, of a call with more parts than workers. (Zen 4,
	// 119 random calls that take one worker 60 to 800 µs: two are 1.60 times as fast with 3 µs,
	// 1.70 with 5, 1.72 with 10, 1.76 with 20; 118 others 1.77 with 20, 1.78 with 100.)
	PartTime int

	// WakeTime is the cost of waking a sleeping thread, in ns: it runs after 35 µs and takes 45 µs
	// of processor time in all (Zen 4, in a virtual machine). A wake-up pays for twice as much
	// work. An awake helper polls for the next call for as long, which costs at most twice what the
	// best choice in hindsight would.
	WakeTime int

	// TasksPerWorker makes parts smaller than a worker's share, so that a call waits at most for a
	// part of it when a worker starts late or runs slowly.
	TasksPerWorker int

	// StripTable is the least size, in bytes, of a table that a gather in columns packs strip by
	// strip. Rows that lie far apart fall into few cache sets and each into another page. Packing
	// costs more than that below the size of the second-level cache, or below 4 MiB where that
	// cache is smaller than 2 MiB and the next one serves instead (Zen 3, tables of 2 to 4 MiB: 1.5
	// to 3.0 ms, packed 2.0 to 5.5 ms). A gather packs smaller tables than 3/4 of StreamReach only
	// where their rows lie on pages of their own.
	StripTable int

	// StripBytes is the size of a packed strip: half of the second-level cache, but at least 1 MiB.
	// Each row of a strip's indices, updates and output lies on a page of its own, and wide strips
	// use more of a page at a time. With 512 KiB of cache and strips of 256 KiB and 1 MiB, a gather
	// of 4096 × 1024 elements along axis 0 takes 55 and 23 ms, a scatter-sum of them 27 and 22 ms
	// (Zen 3).
	StripBytes int

	// StreamBytes is the least size of an output whose stores bypass the caches. Ordinary stores
	// read each line before they write it. A smaller output, of up to twice the second-level cache
	// or 4 MiB, is still in that cache or the next when the caller reads it (Zen 3: a crop of 2 MiB
	// takes 0.12 ms, 0.27 ms past the caches; one of 8 MiB 1.9 ms either way).
	StreamBytes int

	// StreamReach stands for the last-level cache where a call decides by it: half of that cache as
	// the system reports it, up to 32 MiB. The rest is for other programs. A larger cache belongs to a
	// whole socket and does not count: the second-level cache does. Stores bypass the caches if a call
	// writes and reads so much, or 3/2 to 3 times as much of long runs and with several workers.
	StreamReach int

	// SlabBytes is how much of data a scatter copies to another dst before it updates that part: an
	// eighth of the second-level cache, which also holds the indices and updates.
	SlabBytes int

	// ConstantRow is the least length of a row whose indices are compared with each other. If they
	// are equal, the row is copied or combined as a whole.
	ConstantRow int

	// OwnedTable is the least size, in bytes, of a table whose ranges the workers of a scatter own
	// if it has no other loop to cut. Each worker reads all indices, which costs more than updating
	// cells in a cache. 0 means always, even where ScatterOwns says that it does not pay. It is half
	// as much where no last-level cache is counted on (BenchmarkCells. Emerald Rapids, ns an update of
	// float32, one worker and two: into 5 MB 2.2 and 1.4, 8 MB 2.6 and 1.5).
	OwnedTable int

	// MeanCells bounds the scratch of a mean: that of so many cells with 24 bytes each, and of more
	// where a counter and a sum are less. (Zen 4, 1.6 Mi float32 cells with a counter of 4 bytes:
	// 18.9 ns an update for 1 Mi cells at a time, 11.8 for all.) An axis with more cells is counted
	// in eight passes, or in more with four counters for each update where that is less.
	MeanCells int

	// MeanSparse is the least number of cells for each update with which a mean divides only the
	// cells that its indices name. Resolving an index again and finding its cell takes some 4 ns;
	// dividing a cell in order takes 1.3 ns. Where vectors divide, a cell in order takes 0.15 ns,
	// and it takes eight times as many cells.
	MeanSparse int
}

// ScatterPacks reports whether a scatter packs strips of columns, as a gather does. A scatter-sum
// of 4096 × 1024 elements along axis 0 takes 22 ms packed and 29 ms otherwise with AVX-512; on the
// portable path it takes 39 and 30 ms.
func ScatterPacks() bool { return active != Generic }

// SplitsTuples reports whether tuples whose components do not follow each other are resolved
// component by component, and not as a whole.
func SplitsTuples() bool { return active != Generic }

// TakesIndices reports whether there are bodies that take indices as they are, of several lines in
// a call.
func TakesIndices() bool { return active >= AVX2 }

// CombinesRows reports whether vectors combine rows of so many elements: masks of AVX-512 take less
// than half of a vector, and AVX2 takes 8, 4, 2 and 1 bytes at once. (BenchmarkShortRows. Zen 4, ns
// a row, element by element and so: AVX-512, 4 bytes of uint8 7.0 and 2.7, 8 13 and 2.8, of float16
// 7.7 and 2.5, of float32 2.8 and 2.8, 14 of float16 13 and 2.5; AVX2, into 800 rows, 4 and 14 MB, 8
// bytes of uint8 13 and 3.2, 12 10 6.0, 13 6.4, 19 7.3, 15 12 13, 15 13, 24 15; 10 of float16 8.2
// 5.3, 9.0 5.6, 11 6.2, of int16 5.4 6.1, 7.7 6.5, 10 7.1; 12 of float32 3.7 4.2, 5.1 4.9, 6.9 6.0.)
func CombinesRows(elements, width int) bool {
	bytes := elements * width
	return bytes >= 16 || elements > 1 && active >= AVX2 && (elements >= 4 || bytes >= 8)
}

// JoinsRows reports whether a gather keeps the tables of several short lines in registers.
func JoinsRows() bool { return active >= AVX512 }

// GathersShortLines reports whether the bodies of a gather have a loop over rows, so that a line
// may be short. On NEON each row is resolved by itself.
func GathersShortLines() bool { return active != NEON }

// ScattersShortLines reports whether bodies take several short lines of a scatter at a time. On the
// portable path each is a loop by itself: lines of 4 sums take 3.2 ns an update, 1.6 in blocks (Zen
// 5).
func ScattersShortLines() bool { return active != Generic }

// ReversesRows reports whether vectors copy rows in reverse. (Zen 3, planes of 6 rows of 2 to 12
// uint16, ns an element by a pattern and by a buffer: AVX2 0.64 and 0.24-0.28, the portable path 1.3
// and 1.7-2.9. BenchmarkReversedRows.)
func ReversesRows() bool { return active != Generic }

// GatherCompacts reports whether a gather compares the indices of each row of so many, to copy rows
// as a whole, out of a table of so many bytes in all and for each column. Vectors gather short rows
// as fast from a cache, and those of AVX-512 columns that registers hold. (Zen 4, ns an element,
// AVX-512 and AVX2, element by element and so: 88,648 rows of 128 float32 out of 19,717, int64
// indices, 3.0 and 1.3, 3.4 and 1.3. AVX-512, int64 indices, 8000 elements of float32, rows of 16
// 0.49 and 0.69, of 32 0.47 and 0.46, of 64 0.45 and 0.34; 400,000, rows of 24 0.63 and 0.60, of
// 100 0.62 and 0.23; 12 million, rows of 16 3.9 and 1.05. Of uint8 out of 7 rows 0.18 and 0.30.)
func GatherCompacts(cols, columnBytes, tableBytes int) bool {
	switch {
	case active == Generic || tableBytes > Near.Last:
		return true
	case active >= AVX512 && columnBytes <= registerColumn:
		return false
	}
	return cols >= 2*Default.ConstantRow
}

// registerColumn is the most bytes of a column of a table that registers of AVX-512 hold.
const registerColumn = 32

// ScatterOwns reports whether the workers of a scatter that has no other loop to cut own ranges of
// a table of so many bytes, with elements of a width. AVX-512 compresses the updates that a worker
// keeps. (Zen 4 with 1 and 32 MiB, ns an update, one worker and two: sums into 2, 4, 8, 16 and 32
// MiB, float32 1.1 1.25, 1.4 1.2, 2.0 2.1, 5.1 3.0, 7.7 4.5, uint8 0.9 1.05, 1.1 1.1, 1.7 1.4, 5.3
// 2.9, 7.6 4.2, float64 1.3 1.65, 1.5 1.8, 2.0 2.4, 5.8 3.75, 8.1 4.9; into rows of 8 in 2, 4 and 8
// MiB, float32 1.8 1.75, 1.9 1.65, 2.6 2.7, uint8 1.6 1.6, 1.8 1.6, 2.4 2.1, float64 2.5 2.2, 2.9
// 2.3, 3.4 3.3. In an hour when others used the last-level cache, float64 into 8 MiB 4.6 and 3.0.)
func ScatterOwns(table, width int, columns bool) bool {
	least := Default.OwnedTable
	switch {
	case columns:
	case width < 8:
		least *= 2
	default:
		least *= 4
	}
	return Default.OwnedTable == 0 || active >= AVX512 && table >= least
}

// Default is the table in use, for the caches of this machine. It must not change while an operator
// runs.
var Default = thresholds(l2, last)

// Caches that thresholds are derived from are clamped to these sizes, beyond which nothing was
// measured.
const (
	smallestL2 = 256 << 10
	largestL2  = 8 << 20
)

// thresholds returns the table for a core's share of the second-level cache and the usable size of
// the last-level cache.
func thresholds(l2, last int) Thresholds {
	l2 = min(max(l2, smallestL2), largestL2)
	packed, owned := l2, 2*l2
	if l2 < 2<<20 {
		packed = 4 << 20
	}
	if last == 0 {
		owned = l2
	}
	return Thresholds{
		SmallElements:  128,
		WorkerTime:     3_000,
		PartTime:       20_000,
		WakeTime:       100_000,
		TasksPerWorker: 8,
		StripTable:     packed,
		StripBytes:     max(l2/2, 1<<20),
		StreamBytes:    max(2*l2, 4<<20),
		StreamReach:    max(last/2, l2),
		SlabBytes:      l2 / 8,
		ConstantRow:    16,
		OwnedTable:     owned,
		MeanCells:      1 << 20,
		MeanSparse:     4,
	}
}
