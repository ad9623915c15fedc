package dispatch

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestShareOfCache(t *testing.T) {
	for _, tt := range []struct {
		name   string
		cache  cache
		bytes  int
		source string
	}{
		{"one core's", cache{2 << 20, 1, 1, "here"}, 2 << 20, "here"},
		{"one core's two threads", cache{1280 << 10, 2, 2, "here"}, 1280 << 10, "here"},
		{"four cores'", cache{12 << 20, 4, 1, "here"}, 3 << 20, "here: 12 MiB for 4 cores"},
		{"four cores' eight threads", cache{2 << 20, 8, 2, "here"}, 512 << 10, "here: 2 MiB for 4 cores"},
		{"CPUs not told", cache{bytes: 1 << 20, source: "here"}, 1 << 20, "here"},
		{"threads not told", cache{4 << 20, 4, 0, "here"}, 1 << 20, "here: 4 MiB for 4 cores"},
		{"more threads than CPUs", cache{1 << 20, 1, 8, "here"}, 1 << 20, "here"},
		{"nothing told", cache{}, defaultL2, "assumed: the system doesn't tell"},
		{"tiny", cache{1 << 10, 1, 1, "here"}, defaultL2, "assumed: here says 1024 bytes for 1 cores"},
		{"1 TiB", cache{1 << 40, 1, 1, "here"}, defaultL2, "assumed: here says 1099511627776 bytes for 1 cores"},
		{"all there is", cache{math.MaxUint64, 1, 1, "here"}, defaultL2, "assumed: here says 18446744073709551615 bytes for 1 cores"},
		{"65536 cores'", cache{2 << 20, 1 << 16, 1, "here"}, defaultL2, "assumed: here says 2097152 bytes for 65536 cores"},
		{"negative counts", cache{2 << 20, -4, -2, "here"}, 2 << 20, "here"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			bytes, source := tt.cache.share()
			assert.Equal(t, tt.bytes, bytes)
			assert.Equal(t, tt.source, source)
		})
	}
}

func TestL2(t *testing.T) {
	bytes, source := L2()
	assert.GreaterOrEqual(t, bytes, leastL2)
	assert.LessOrEqual(t, bytes, mostL2)
	assert.NotEmpty(t, source)
	assert.Contains(t, Info(), "second-level cache: "+binary(uint64(bytes))+" a core ("+source+")")
}

func TestLastLevel(t *testing.T) {
	assert.LessOrEqual(t, last, mostLast)
	assert.GreaterOrEqual(t, Near.Last, Near.Second, "also where no last-level cache is counted on")
	assert.NotEmpty(t, lastSource)
	assert.Contains(t, Info(), "last-level cache: "+binary(uint64(last))+" to count on ("+lastSource+")")
}

func TestThresholds(t *testing.T) {
	for _, last := range []int{0, 8 << 20, 32 << 20} {
		assert.Equal(t, max(last/2, 1<<20), thresholds(1<<20, last).StreamReach)
		assert.Equal(t, 4<<20, thresholds(1<<20, last).StreamBytes)
		assert.Equal(t, last == 0, thresholds(1<<20, last).OwnedTable == 1<<20)
	}
	atTwo := thresholds(2<<20, 0) // what was measured, with 2 MiB
	assert.Equal(t, []int{2 << 20, 1 << 20, 4 << 20, 256 << 10, 2 << 20},
		[]int{atTwo.StripTable, atTwo.StripBytes, atTwo.StreamBytes, atTwo.SlabBytes, atTwo.OwnedTable})

	for _, tt := range []struct{ l2, like int }{
		{512 << 10, 512 << 10},
		{1280 << 10, 1280 << 10},
		{leastL2, smallestL2},
		{0, smallestL2},
		{math.MinInt, smallestL2},
		{mostL2, largestL2},
		{math.MaxInt, largestL2},
	} {
		got := thresholds(tt.l2, 0)
		want := atTwo
		want.StripTable, want.StripBytes, want.StreamBytes, want.StreamReach, want.SlabBytes, want.OwnedTable = tt.like, max(tt.like/2, 1<<20), max(2*tt.like, 4<<20), tt.like, tt.like/8, tt.like
		if tt.like < 2<<20 {
			want.StripTable = 4 << 20
		}
		assert.Equal(t, want, got, tt.l2)
	}
}

func TestBinary(t *testing.T) {
	for bytes, want := range map[uint64]string{
		0: "0 B", 1000: "1000 B", 48 << 10: "48 KiB", 1280 << 10: "1280 KiB", 2 << 20: "2 MiB", 3 << 30: "3 GiB", 1 << 42: "4096 GiB",
	} {
		assert.Equal(t, want, binary(bytes))
	}
}

// BenchmarkSystemCache is what the package adds to the start of a program.
func BenchmarkSystemCache(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		systemCaches()
	}
}
