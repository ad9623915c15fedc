package dispatch

// Caches is what primitives assume of the caches nearest to a core: what they prefetch, and how
// far. Sizes are in bytes. Limits of one primitive stand in its file, with their figures.
type Caches struct {
	// Second is a core's share of the second-level cache, and Last the part of the last one that holds
	// tables beside all else that a call moves: Second, where no last one is counted on. Tables of rows
	// of indices that lie in them are prefetched less. (Zen 5, 32 MiB: gathers from tables of 6 MB want
	// no prefetch, from 15 MB they take 1.6 times as long without.)
	Second, Last int

	// OwnTable is the largest table of one row of indices that is prefetched whole while the row
	// before is processed: half of Second. (See BenchmarkTables of package lanes.)
	OwnTable int

	// Copy is how far a copy in steps prefetches at most: the size of a first-level cache.
	Copy int

	// Rows is how far apart rows may lie that are gathered without a prefetch, where there is a
	// body for that: the caches hold them, or the hardware prefetches them. First-level caches of
	// ARM's server cores have 64 KiB, and prefetches compete with loads.
	Rows int

	// Long is the least length of a run of bytes that REP MOVSB copies, where FastMovs says that it is
	// fast. (Zen 5, from 256 KiB into 8 MiB, GB/s, memmove and REP MOVSB: runs of 8 KiB 64 and 74, of
	// 24 KiB 65 and 106; from 12 MiB 47 and 47, 47 and 49. Calls of bench, the speedup of REP MOVSB
	// over memmove: 96001.93, gathered rows of 14 KiB, 1.25; 96001.200, of 11 KiB, 1.0.)
	Long int

	// Grouped is the least number of updates for which the pattern of several short rows is worth
	// making.
	Grouped int

	// Runs is the least number of indices in a row of which a sample is compared, to find runs that
	// name one cell. The row, or all rows if they follow each other, have eight times as many.
	Runs int
}

// Near is the table in use. It must not change while a primitive runs.
var Near = Caches{
	Second:   l2,
	Last:     max(last/4, l2),
	OwnTable: l2 / 2,
	Copy:     16 << 10,
	Rows:     64 << 10,
	Long:     12 << 10,
	Grouped:  4 << 10,
	Runs:     32,
}
