package dispatch

// Thresholds is where one way of doing a thing starts to pay more than
// another. It is the only place for such numbers, each with its reason.
type Thresholds struct {
	// TaskElements is the least number of elements moved by index that is
	// worth another goroutine. Waking one and waiting for it costs some 5 µs;
	// 64 Ki elements take 40 µs and more on the portable path.
	TaskElements int

	// TaskBytes is the same for runs that memmove copies, at some 10 GB/s.
	TaskBytes int

	// TasksPerWorker makes tasks smaller than a worker's share, so that a
	// worker that starts late or runs slowly is waited for a part of it only.
	TasksPerWorker int

	// StripTable is the least size, in bytes, of a table of rows that is packed
	// strip by strip before a gather in columns. Rows that lie far apart fall into
	// few cache sets, and each into another page: below the second-level cache's size that
	// costs less than packing.
	StripTable int

	// StripBytes is the room of a packed strip: half of a common second-level cache.
	StripBytes int

	// StreamBytes is the size of an output from which it is written past the
	// caches. Ordinary stores read each line before they write it. A smaller output
	// is still in the second- or third-level cache when the caller reads it.
	StreamBytes int

	// SlabBytes is how much of data a scatter copies to another dst before it
	// updates that: an eighth of a second-level cache of 2 MiB, beside the indices and updates.
	SlabBytes int

	// ConstantRow is the least length of a row whose indices are compared with
	// each other, to copy or combine the row whole where they are the same.
	ConstantRow int

	// MeanCells bounds the counters that a mean keeps at a time, as long as
	// eight passes over the indices do: 1 Mi cells are 24 MiB at most.
	MeanCells int
}

// ScatterPacks reports whether a scatter works on packed strips of columns, as
// a gather does. On the portable path that costs more than it saves (W13: 39 ms
// against 30), with AVX-512 it takes 22 ms against 29.
func ScatterPacks() bool { return active != Generic }

// Default is the table in use.
var Default = Thresholds{
	TaskElements:   64 << 10,
	TaskBytes:      512 << 10,
	TasksPerWorker: 4,
	StripTable:     2 << 20,
	StripBytes:     1 << 20,
	StreamBytes:    4 << 20,
	SlabBytes:      256 << 10,
	ConstantRow:    16,
	MeanCells:      1 << 20,
}
