package dispatch

import "strconv"

// Thresholds depend on two caches: the second level, the last that belongs to one core or few, and
// the last level.

// caches are those of the first CPU. They are one and the same where there is no third level.
type caches struct{ second, last cache }

// A cache is what the system reports of a cache. 0 means that it reports nothing.
type cache struct {
	bytes   uint64
	cpus    int // that share it
	threads int // CPUs of one core: they share every cache
	source  string
}

// defaultL2 is a core's share if the system reports none, or an impossible one. Server cores have
// had at least that much since 2017 (Skylake-SP, Neoverse, Zen 4).
const defaultL2 = 1 << 20

// What a core's share can be. No CPU is known outside these.
const (
	leastL2 = 32 << 10
	mostL2  = 256 << 20
)

// share returns a core's share of the cache in bytes, and the source of the number.
func (c cache) share() (bytes int, source string) {
	cores := max(1, c.cpus/max(1, c.threads))
	each := c.bytes / uint64(cores)
	switch {
	case c.bytes == 0:
		return defaultL2, "assumed: the system doesn't tell"
	case each < leastL2 || each > mostL2:
		return defaultL2, "assumed: " + c.source + " says " + strconv.FormatUint(c.bytes, 10) + " bytes for " + strconv.Itoa(cores) + " cores"
	case cores > 1:
		return int(each), c.source + ": " + binary(c.bytes) + " for " + strconv.Itoa(cores) + " cores"
	default:
		return int(each), c.source
	}
}

// What is taken for a last-level cache that a program has to itself. Up to nearest, it is that of a
// core complex or a ring (Zen 4's has 32 MiB, a client's Core i9 36). A larger one is a whole
// socket's, of which a virtual machine's neighbours have most, whatever the guest is told: a guest
// of two cores sees 105 or 260 MiB on a Xeon.
const (
	leastLast = 1 << 20
	nearest   = 64 << 20
	mostLast  = 32 << 20 // beyond which nothing was measured
)

// whole returns how much of a last-level cache a call may fill, and the source of the number. It is
// 0 if that is not known, or if others use the cache too.
func (c cache) whole() (bytes int, source string) {
	switch {
	case c.bytes == 0:
		return 0, "the system doesn't tell"
	case c.bytes < leastLast || c.bytes > nearest:
		return 0, c.source + ": " + binary(c.bytes) + ", not counted on"
	case c.bytes > mostLast:
		return mostLast, c.source + ": " + binary(c.bytes) + ", of which so much is counted on"
	default:
		return int(c.bytes), c.source
	}
}

var system = systemCaches()

var (
	l2, l2Source     = system.second.share()
	last, lastSource = system.last.whole()
)

// L2 returns a core's share of the second-level cache in bytes, and its source. Threads of one core
// share it.
func L2() (bytes int, source string) { return l2, l2Source }

// binary writes a number of bytes in the largest unit that leaves no fraction.
func binary(bytes uint64) string {
	units := []string{"B", "KiB", "MiB", "GiB"}
	i := 0
	for ; i+1 < len(units) && bytes > 0 && bytes%1024 == 0; i++ {
		bytes /= 1024
	}
	return strconv.FormatUint(bytes, 10) + " " + units[i]
}
