package dispatch

// Thresholds is where one way of doing a thing starts to pay more than
// another. It is the only place for such numbers, each with its reason. The
// harness measures them: go run -C bench . -calibrate.
type Thresholds struct {
	// FewElements is the most elements that an operator moves one by one, as
	// its definition says, instead of bringing the call into the form that
	// primitives take, which costs as much as some 200 of them. 0 is never.
	FewElements int

	// TaskElements is the least number of elements moved by index that is
	// worth another goroutine. Waking one and waiting for it costs some 10 µs;
	// 128 Ki elements take 20 to 40 µs from small tables (W7: 39 µs alone, 73 by two).
	TaskElements int

	// TaskBytes is the same for runs that memmove copies, at some 10 GB/s.
	TaskBytes int

	// TasksPerWorker makes tasks smaller than a worker's share, so that a
	// worker that starts late or runs slowly is waited for a part of it only.
	TasksPerWorker int

	// StripTable is the least size, in bytes, of a table of rows that is packed
	// strip by strip before a gather in columns. Rows that lie far apart fall into
	// few cache sets, and each into another page: below the second-level cache's size that
	// costs less than packing; below 4 MiB where that cache is smaller than 2 MiB, and the
	// next one made to serve for it (Zen 3: 1.5 to 3.0 ms for 2 to 4 MiB, packed 2.0 to 5.5).
	StripTable int

	// StripBytes is the room of a packed strip: half of the second-level cache, but
	// no less than 1 MiB. A strip's rows of indices, updates and output lie on a page each, so that wide
	// strips find more of a page at a time: with 512 KiB of cache, W3 takes 55 ms in strips of
	// 256 KiB and 23 in strips of 1 MiB, W13 27 and 22 (Zen 3).
	StripBytes int

	// StreamBytes is the size of an output from which it is written past the
	// caches. Ordinary stores read each line before they write it. A smaller output,
	// up to twice the second-level cache, or 4 MiB, is still in that or the next when the caller
	// reads it (Zen 3: a crop of 2 MiB 0.12 ms, past the caches 0.27; of 8 MiB 1.9 either way).
	StreamBytes int

	// SlabBytes is how much of data a scatter copies to another dst before it
	// updates that: an eighth of the second-level cache, beside the indices and updates.
	SlabBytes int

	// ConstantRow is the least length of a row whose indices are compared with
	// each other, to copy or combine the row whole where they are the same.
	ConstantRow int

	// OwnedTable is the least size, in bytes, of a table that a scatter along
	// the only axis shares out among workers by ranges. Each looks at all
	// indices, which costs more than the updates of cells that are in a cache.
	// 0 is always, also where ScatterOwns says that it does not pay.
	OwnedTable int

	// MeanCells bounds the counters that a mean keeps at a time, as long as
	// eight passes over the indices do: 1 Mi cells are 24 MiB at most. More cells have counters
	// for an eighth of them at a time, or for four to an update where that is less.
	MeanCells int

	// MeanSparse is how many cells there are for an update, from which on a mean
	// divides the cells that its indices name, and not all in order: resolving an index
	// again and finding its cell takes some 3 ns, a cell in order 0.3 to 1.3.
	MeanSparse int
}

// ScatterPacks reports whether a scatter works on packed strips of columns, as
// a gather does. On the portable path that costs more than it saves (W13: 39 ms
// against 30), with AVX-512 it takes 22 ms against 29.
func ScatterPacks() bool { return active != Generic }

// GatherCompacts reports whether a gather looks for indices that are the same
// along each row, to copy rows whole. With AVX-512 that takes longer than to gather
// each element (10.7 ms against 14.6 for 88648 rows of 128, read from 19717), on
// the portable path less (20.6 against 18.7; where all is in a cache, 1.8 against 0.64).
func GatherCompacts() bool { return active == Generic }

// ScatterOwns reports whether the workers of a scatter along the only axis, or
// nearly so, share out a table of so many bytes by ranges. With AVX-512, which compresses
// what a worker keeps of a vector, two take 1.8 ms where one takes 3.3 (W17, 1 Mi cells); one
// index at a time, 5.0 where one takes 3.1 (Zen 3).
func ScatterOwns(table int) bool {
	return Default.OwnedTable == 0 || active >= AVX512 && table >= Default.OwnedTable
}

// Default is the table in use, for the caches of this machine. It must not
// change while an operator runs.
var Default = thresholds(l2)

// The caches that thresholds are derived from. A smaller one, or a larger, is
// taken for one of these: nothing was measured beyond.
const (
	smallestL2 = 256 << 10
	largestL2  = 8 << 20
)

// thresholds returns the table for a core's share of the second-level cache.
func thresholds(l2 int) Thresholds {
	l2 = min(max(l2, smallestL2), largestL2)
	packed := l2
	if l2 < 2<<20 {
		packed = 4 << 20
	}
	return Thresholds{
		FewElements:    128,
		TaskElements:   128 << 10,
		TaskBytes:      512 << 10,
		TasksPerWorker: 4,
		StripTable:     packed,
		StripBytes:     max(l2/2, 1<<20),
		StreamBytes:    max(2*l2, 4<<20),
		SlabBytes:      l2 / 8,
		ConstantRow:    16,
		OwnedTable:     l2,
		MeanCells:      1 << 20,
		MeanSparse:     4,
	}
}
