package dispatch

// Caches is what primitives take the caches nearest to a core for, in bytes: what they prefetch,
// and how far. It is the only place for such numbers, as Thresholds is for operators.
type Caches struct {
	// OwnTable is the largest table that is prefetched whole, for the next row of indices, which it
	// belongs to: half of a first-level cache.
	OwnTable int

	// Copy is how far a copy in steps prefetches at most: no further than the first-level
	// cache is large.
	Copy int

	// Rows is how far apart rows may lie that are gathered without a prefetch, where there is a body
	// for that: the caches have them, or fetch them by themselves. First-level caches of ARM's
	// server cores have 64 KiB, and prefetches take turns with loads.
	Rows int

	// Cells is the largest table whose cells are updated without a prefetch: it stays in the
	// second-level cache.
	Cells int
}

// Near is the table in use. It must not change while a primitive runs.
var Near = Caches{
	OwnTable: 24 << 10,
	Copy:     16 << 10,
	Rows:     64 << 10,
	Cells:    256 << 10,
}
