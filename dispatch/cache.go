package dispatch

import "fmt"

// Thresholds depend on the second-level cache: the last one that a core has for
// itself, or shares with few.

// A cache is what the system says of the second-level cache of its first CPU.
// 0 stands for what it doesn't say.
type cache struct {
	bytes   uint64
	cpus    int // that share it
	threads int // CPUs of one core: they share every cache
	source  string
}

// defaultL2 is a core's share where the system doesn't tell, or nothing that
// can be true: what server cores have had at least since 2017 (Skylake-SP, Neoverse, Zen 4).
const defaultL2 = 1 << 20

// What a core's share can be. No CPU is known outside these.
const (
	leastL2 = 32 << 10
	mostL2  = 256 << 20
)

// share returns a core's share of the cache in bytes, and who says so.
func (c cache) share() (bytes int, source string) {
	cores := max(1, c.cpus/max(1, c.threads))
	each := c.bytes / uint64(cores)
	switch {
	case c.bytes == 0:
		return defaultL2, "assumed: the system doesn't tell"
	case each < leastL2 || each > mostL2:
		return defaultL2, fmt.Sprintf("assumed: %s says %d bytes for %d cores", c.source, c.bytes, cores)
	case cores > 1:
		return int(each), fmt.Sprintf("%s: %s for %d cores", c.source, binary(c.bytes), cores)
	default:
		return int(each), c.source
	}
}

var l2, l2Source = systemCache().share()

// L2 returns a core's share of the second-level cache in bytes, and who says
// so. Threads of one core share its share.
func L2() (bytes int, source string) { return l2, l2Source }

// binary writes a number of bytes in the largest unit that leaves no fraction.
func binary(bytes uint64) string {
	units := []string{"B", "KiB", "MiB", "GiB"}
	i := 0
	for ; i+1 < len(units) && bytes > 0 && bytes%1024 == 0; i++ {
		bytes /= 1024
	}
	return fmt.Sprint(bytes, " ", units[i])
}
