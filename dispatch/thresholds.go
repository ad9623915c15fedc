package dispatch

// Thresholds is where one way of doing a thing starts to pay more than
// another. It is the only place for such numbers, each with its reason. The
// harness measures them: go run -C bench . -calibrate.
type Thresholds struct {
	// SmallElements is the most elements of a call, up to 64, that one plain loop moves:
	// to reach a primitive costs as much as some 60 of them. 0 is never.
	SmallElements int

	// WorkerTime is the work, in ns as Costs estimates it, that is worth another
	// goroutine if that is awake: twice as much is shared by two.
	WorkerTime int

	// PartTime is the least work of a part, in ns: to take one and to begin costs some 100 ns.
	PartTime int

	// WakeTime is about what it costs to wake a sleeping thread, in ns: it comes after 35 µs, and
	// takes 45 µs of processor time in all (Zen 4, in a virtual machine). Twice as much work is
	// worth it. Once awake, a goroutine looks for the next call as long, which never costs
	// more than twice what the best choice in hindsight would.
	WakeTime int

	// TasksPerWorker makes tasks smaller than a worker's share, so that a
	// worker that starts late or runs slowly is waited for a part of it only. Of two workers, calls of 50 to
	// 500 µs run 1.67 times as fast as one with 4, 1.73 with 8, 1.70 with 16 (Zen 4).
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

	// StreamBytes is the least size of an output that is written past the
	// caches. Ordinary stores read each line before they write it. A smaller output,
	// up to twice the second-level cache, or 4 MiB, is still in that or the next when the caller
	// reads it (Zen 3: a crop of 2 MiB 0.12 ms, past the caches 0.27; of 8 MiB 1.9 either way).
	StreamBytes int

	// StreamReach is what dst, data and indices of such a call have together at least:
	// less stays in the last-level cache, beside what the caller does next. It is the size
	// of that cache as the system tells it, up to 32 MiB; a larger one is a whole socket's, and 0
	// stands for it. (Zen 4 with 32 MiB, one worker, ms by ordinary stores and past the caches: an
	// output of 7.5 MiB 0.19 and 0.28, of 37.5 MiB 4.7 and 1.6.)
	StreamReach int

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
	// again and finding its cell takes some 4 ns, a cell in order 1.3. Where vectors divide, one in
	// order takes 0.15, and it is eight times as many cells.
	MeanSparse int
}

// ScatterPacks reports whether a scatter works on packed strips of columns, as
// a gather does. On the portable path that costs more than it saves (W13: 39 ms
// against 30), with AVX-512 it takes 22 ms against 29.
func ScatterPacks() bool { return active != Generic }

// SplitsTuples reports whether tuples of indices are resolved component by
// component, and not each as a whole. Without fast gather instructions a tuple costs 1.1 ns for
// each component, and laid side by side these cost 0.7 (Zen 4, pairs of int64).
func SplitsTuples() bool { return active != Generic && Traits()&FastGather == 0 }

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
var Default = thresholds(l2, last)

// The caches that thresholds are derived from. A smaller one, or a larger, is
// taken for one of these: nothing was measured beyond.
const (
	smallestL2 = 256 << 10
	largestL2  = 8 << 20
)

// thresholds returns the table for a core's share of the second-level cache, and for what
// can be counted on of the last.
func thresholds(l2, last int) Thresholds {
	l2 = min(max(l2, smallestL2), largestL2)
	packed := l2
	if l2 < 2<<20 {
		packed = 4 << 20
	}
	return Thresholds{
		SmallElements:  64,
		WorkerTime:     10_000,
		PartTime:       4_000,
		WakeTime:       100_000,
		TasksPerWorker: 8,
		StripTable:     packed,
		StripBytes:     max(l2/2, 1<<20),
		StreamBytes:    max(2*l2, 4<<20),
		StreamReach:    last,
		SlabBytes:      l2 / 8,
		ConstantRow:    16,
		OwnedTable:     l2,
		MeanCells:      1 << 20,
		MeanSparse:     4,
	}
}
