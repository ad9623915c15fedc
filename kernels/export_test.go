package kernels

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// set sets a variable until the test ends.
func set[T any](tb testing.TB, variable *T, value T) {
	before := *variable
	tb.Cleanup(func() { *variable = before })
	*variable = value
}

// SetGatherTile sets the bytes of a gather's tile until the test ends.
func SetGatherTile(tb testing.TB, bytes int) { set(tb, &gatherTile, bytes) }

// NoGatherTiles has no gather go in tiles until the test ends.
func NoGatherTiles(tb testing.TB) {
	set(tb, &leastTransposed, math.MaxInt)
	set(tb, &leastTiled, math.MaxInt)
}

// LeaveOut skips a test, or fails it where LANES_NO_SKIPS is set, as in the last step of .ci/run.
func LeaveOut(t *testing.T, why string) {
	if os.Getenv("LANES_NO_SKIPS") != "" {
		t.Fatal("LANES_NO_SKIPS is set, and this would be left out: " + why)
	}
	t.Skip(why)
}

// CutSmall makes small calls run as only large ones do otherwise: they are cut into parts for
// several goroutines, a mean has few and wide counters at a time, columns are packed, data is
// copied in slabs, short rows of equal indices are compacted, small planes are copied by
// themselves, tiles are small, and outputs bypass the caches.
func CutSmall(t *testing.T) {
	set(t, &dispatch.Near, dispatch.Near)
	dispatch.Near.Runs = 1
	set(t, &dispatch.Default, dispatch.Default)
	d := &dispatch.Default
	d.SmallElements = 0
	d.WorkerTime, d.PartTime, d.WakeTime = 1, 1, 20_000
	d.MeanCells, d.MeanSparse = 6, 1
	d.StripTable, d.StripBytes = 0, 256
	d.StreamBytes, d.StreamReach, d.SlabBytes = 0, 0, 16
	d.ConstantRow = 2
	d.OwnedTable = 0
	set(t, &copiedAtOnce, 0)
	set(t, &mostCounted, 3)
	set(t, &fusedLine, 2)
	set(t, &cutLine, 1)
	set(t, &cacheLine, 1)
	set(t, &cachedColumns, 1)
	set(t, &bagBlock, 0)
	set(t, &leastBlock, 3)
	set(t, &bagRow, 12)
	set(t, &policyPart, 7)
	set(t, &leastStrip, 64)
	set(t, &narrowStrip, 2)
	set(t, &leastPacked, 1)
	set(t, &leastPlane, 4)
	set(t, &fusedPlanes, [3]int{})
	set(t, &carryOn, true)
	set(t, &cutAlone, true)
	set(t, &longLoop, 2)
	set(t, &leastTuples, 1)
	set(t, &evenBlocks, 8)
	set(t, &leastCells, 2)
	smallTiles(t)
}

// smallTiles has tiles and copies of transposed tensors in small calls, too.
func smallTiles(t *testing.T) {
	set(t, &leastTransposed, 1)
	set(t, &leastTiled, 1)
	set(t, &setAside, 1)
	set(t, &combinedAside, 1)
	set(t, &updatedPast, 1)
	set(t, &leastChecked, 1)
	set(t, &nearTable, 1)
	set(t, &gatherTile, 96)
	set(t, &gatherRun, 12)
	set(t, &copyTile, 48)
	set(t, &tileRun, 3)
	set(t, &tileLines, 16)
	set(t, &leastExchanged, 1)
	set(t, &leastBuffered, 1)
	set(t, &fewestRows, 1)
}

// AnyThresholds returns what sets thresholds to some of these values, by chance. A way of many is
// reached by calls that are small then, in the company of others that it never meets otherwise.
func AnyThresholds(t *testing.T) (draw func(*rand.Rand)) {
	d, n := &dispatch.Default, &dispatch.Near
	all := []struct {
		threshold *int
		values    []int
	}{
		{&d.SmallElements, []int{0, 0, 0, 8, 128}}, {&d.WorkerTime, []int{1, 1, 100, 1000}}, {&d.PartTime, []int{1, 10, 100}}, {&d.WakeTime, []int{5000}}, {&d.TasksPerWorker, []int{1, 2, 8}},
		{&d.MeanCells, []int{1, 2, 6, 50, 100_000}}, {&d.MeanSparse, []int{0, 1, 3, 8}}, {&d.StripTable, []int{0, 0, 64, 1000, 1 << 30}}, {&d.StripBytes, []int{16, 64, 256, 1000, 1 << 20}},
		{&d.StreamBytes, []int{0, 0, 500, 1 << 30}}, {&d.StreamReach, []int{0, 0, 100, 1000, 1 << 24}}, {&d.SlabBytes, []int{1, 16, 50, 300, 2000, 1 << 20}}, {&d.ConstantRow, []int{2, 2, 4, 16}}, {&d.OwnedTable, []int{0, 0, 1 << 20}},
		{&n.Second, []int{16, 500, 1 << 20}}, {&n.Last, []int{16, 500, 1 << 20, 1 << 25}}, {&n.OwnTable, []int{0, 1 << 18}}, {&n.Copy, []int{64, 1 << 14}}, {&n.Rows, []int{1, 1 << 16}},
		{&n.Long, []int{64, 200, 12 << 10}}, {&n.Grouped, []int{1, 100, 4 << 10}}, {&n.Runs, []int{1, 2, 4, 32}},
		{&copiedAtOnce, []int{0, 0, 100, 16 << 10}}, {&leastUneven, []int{8, 100, 2 << 10}}, {&updatedPast, []int{1, 24 << 20}}, {&mostCounted, []int{1, 3, 10, math.MaxInt32}}, {&policyPart, []int{1, 3, 7, 64, 32 << 10}}, {&evenBlocks, []int{1, 8, 64}}, {&longLoop, []int{1, 2, 8}},
		{&fusedLine, []int{1, 2, 4, 8, 64}}, {&shortLine, []int{1, 2, 8}}, {&stripLine, []int{1, 4, 16}}, {&alongLine, []int{0, 1, 8, 128}}, {&eachLine, []int{1, 2, 4}}, {&joinedLine, []int{1, 2, 4}}, {&cutLine, []int{1, 2, 16}}, {&leastTuples, []int{1, 8, 32}}, {&setAside, []int{1, 1 << 10}}, {&combinedAside, []int{1, 1 << 8}},
		{&fusedPlane, []int{1, 12, 50, 384}}, {&eachPlane, []int{0, 8, 50, 192}}, {&fusedPlanes[gatherWork], []int{0, 10, 56, math.MaxInt}}, {&fusedPlanes[scatterWork], []int{0, 10, 56, math.MaxInt}},
		{&leastPlane, []int{1, 4, 100, math.MaxInt}}, {&planeRows, []int{1, 4, 100, math.MaxInt}}, {&cacheLine, []int{1, 8, 64}}, {&cachedColumns, []int{1, 4, 80}},
		{&leastPacked, []int{1, 2, 8}}, {&fewLong, []int{1, 8}}, {&leastStrip, []int{1, 16, 64, 128}}, {&narrowStrip, []int{1, 2, 32}}, {&wideStrip, []int{2, 16, 64, 256}}, {&leastApart[gatherWork], []int{1, 2, 8}}, {&leastApart[scatterWork], []int{1, 2, 8}},
		{&apartRow, []int{1, 2, 8, 64}}, {&apartTable, []int{1, 64, 1000}}, {&alignedStrip, []int{16, 64, 1000}},
		{&leastTransposed, []int{1, 1, 50, 4096}}, {&leastTiled, []int{1, 1, 50, 4096}}, {&leastChecked, []int{1, 1 << 20}}, {&nearTable, []int{1, 100, 32 << 10}}, {&gatherTile, []int{1, 20, 96, 500, 1 << 20}}, {&copyTile, []int{1, 20, 48, 300, 64 << 10}},
		{&tileRun, []int{1, 3, 16, 128}}, {&tileLines, []int{1, 16, 64, 256}}, {&leastExchanged, []int{1, 1, 64}}, {&leastBuffered, []int{1, 64, 192}}, {&fewestRows, []int{1, 3, 7}}, {&leastRead, []int{1, 1 << 10}}, {&tablesRead, []int{1, 300, 32 << 10}}, {&leastRows, []int{1, 8}},
		{&fewRows, []int{0, 8, 1 << 20}}, {&leastReversed, []int{1, 100, 1 << 30}}, {&reversedTile, []int{1, 50, 8 << 10}}, {&leastAlong, []int{1, 100, 64 << 10}}, {&leastCells, []int{1, 3, 48}},
		{&packedColumns, []int{2, 3, 16}}, {&packedBytes, []int{1, 200, 64 << 10}}, {&packedTable, []int{1, 32 << 10}},
		{&bagBlock, []int{0, 100, 64 << 10}}, {&leastBlock, []int{1, 3, 32}}, {&bagRow, []int{1, 12, 64, 4 << 10}},
	}
	for _, a := range all {
		set(t, a.threshold, *a.threshold)
	}
	set(t, &carryOn, carryOn)
	set(t, &cutAlone, cutAlone)
	return func(r *rand.Rand) {
		for _, a := range all {
			*a.threshold = a.values[r.IntN(len(a.values))]
		}
		carryOn, cutAlone = r.IntN(2) == 0, r.IntN(4) > 0
	}
}

// FusePlanes has planes of all sizes fused, or of none.
func FusePlanes(tb testing.TB, all bool) {
	set(tb, &fusedPlanes, [3]int{})
	for i := range fusedPlanes {
		if !all {
			fusedPlanes[i] = math.MaxInt
		}
	}
}

// MovePlanes has planes of all sizes moved by themselves, or none.
func MovePlanes(tb testing.TB, move bool) {
	least := math.MaxInt
	if move {
		least = 1
	}
	set(tb, &leastPlane, least)
	set(tb, &planeRows, least)
}

// ShortLines has bodies take lines from so many elements on, or half as many where rows are joined,
// in planes of any size.
func ShortLines(tb testing.TB, least int) {
	set(tb, &eachLine, least)
	set(tb, &joinedLine, least/2)
	set(tb, &eachPlane, 0)
}

// StripWidth has gathers in columns packed in strips of rows of so many bytes, or of no strips if
// it is 0.
func StripWidth(tb testing.TB, bytes int) {
	if bytes == 0 {
		set(tb, &dispatch.Default.StripTable, math.MaxInt)
		set(tb, &apartTable, math.MaxInt)
		return
	}
	set(tb, &dispatch.Default.StripTable, 0)
	set(tb, &dispatch.Near.Last, math.MaxInt)
	set(tb, &narrowStrip, bytes)
	set(tb, &wideStrip, bytes)
	set(tb, &leastStrip, 0)
}

// CutAlone has large calls cut into parts even where no helper can run one.
func CutAlone(t *testing.T) { set(t, &cutAlone, true) }

// StrictAlignment makes Raw tensors run as on a port whose loads and stores need aligned addresses.
func StrictAlignment(t *testing.T) { set(t, &strictAlignment, true) }

// Ways runs a test with small calls as they are; then with short lines of single elements in
// blocks; then with all lines in fused primitives, planes copied by themselves, and small tiles.
func Ways(t *testing.T, test func(t *testing.T)) {
	if dispatch.Default.SmallElements > 0 || copiedAtOnce > 0 { // or it is the same as the next
		t.Run("small", test)
	}
	set(t, &dispatch.Default.SmallElements, 0)
	set(t, &copiedAtOnce, 0)
	t.Run("blocks", test)
	set(t, &fusedLine, 1)
	set(t, &leastPlane, 4)
	set(t, &dispatch.Near.Grouped, 1)
	set(t, &dispatch.Near.Runs, 1)
	set(t, &fusedPlanes, [3]int{})
	set(t, &fusedPlane, 12)
	set(t, &longLoop, 2)
	set(t, &leastTuples, 1)
	smallTiles(t)
	t.Run("fused", test)
}

// CheckDTypes compares the rows of DTypes with their Go types.
func CheckDTypes() error {
	return errors.Join(
		checkDType[float32](DTypeFloat32), checkDType[float64](DTypeFloat64), checkDType[Float16](DTypeFloat16), checkDType[BFloat16](DTypeBFloat16),
		checkDType[complex64](DTypeComplex64), checkDType[complex128](DTypeComplex128), checkDType[bool](DTypeBool), checkDType[string](DTypeString),
		checkIndexDType[int8](DTypeInt8), checkIndexDType[int16](DTypeInt16), checkIndexDType[int32](DTypeInt32), checkIndexDType[int64](DTypeInt64),
		checkIndexDType[uint8](DTypeUint8), checkIndexDType[uint16](DTypeUint16), checkIndexDType[uint32](DTypeUint32), checkIndexDType[uint64](DTypeUint64),
	)
}

func checkDType[T any](d DType) error {
	want := madeOf[T]()
	n, reason := d.number()
	wantNumber, wantReason := numberIn[T]()
	var got elem
	if d.elem(&got); got != want || n != wantNumber || reason != wantReason {
		return fmt.Errorf("%s: %+v, number %d %q; want %+v, %d %q", d, got, n, reason, want, wantNumber, wantReason)
	}
	if isIndex := dtypes[d].number.Integer(); isIndex != n.Integer() {
		return fmt.Errorf("%s is a type of indices: %t", d, isIndex)
	}
	return nil
}

func checkIndexDType[I Index](d DType) error {
	if kind := dtypes[d].number; !kind.Integer() || kind != kindOf[I]() {
		return fmt.Errorf("%s: index kind %d; want %d", d, kind, kindOf[I]())
	}
	return checkDType[I](d)
}

// CopyOrder returns how a copy with these loops, {steps, of dst, of src}, goes: whether in tiles,
// and otherwise its loops.
func CopyOrder(kind lanes.Kind, loops ...[3]int) (tiles bool, order [][3]int) {
	c := copyOf(kind, loops)
	c.copyLoops(c.loops())
	for _, l := range c.loops() {
		order = append(order, [3]int{l.n, l.s[dstOp], l.s[srcOp]})
	}
	return c.tiles, order
}

// TileOf returns how many steps of each loop a tile of a copy has, with so many elements along a
// loop.
func TileOf(loops [][3]int, elements ...[2]int) []int {
	c := copyOf(lanes.KindX8, loops)
	var t tile
	for k := range loops {
		t[k] = 1
	}
	for _, e := range elements {
		t.extend(c.loops(), e[0], e[1])
	}
	return t[:len(loops)]
}

// TiledLoop returns the loop that a gather in tiles is cut along, and into how many parts. The
// steps in src are those in indices, too.
func TiledLoop(workers int, loops ...[3]int) (loop, parts int) {
	c := copyOf(lanes.KindX32, loops)
	for k := range c.loops() {
		c.loops()[k].s[idxOp] = loops[k][2]
	}
	c.work, c.tiles, c.workers = gatherWork, true, workers
	s := c.split(dispatch.Default.TasksPerWorker * workers)
	return s.loop, s.parts
}

func copyOf(kind lanes.Kind, loops [][3]int) *call {
	c := &call{elem: elem{kind: kind, units: 1}}
	for _, l := range loops {
		c.array[c.rank] = loop{l[0], [3]int{l[1], l[2]}}
		c.rank++
	}
	return c
}

// PackRows packs strips of so many bytes of transposed tables, which are not copied as a whole.
func PackRows(tb testing.TB, bytes int) {
	set(tb, &packedBytes, bytes)
	set(tb, &leastTransposed, math.MaxInt)
}

// CopyTables has transposed tables copied before a gather, or not.
func CopyTables(tb testing.TB, copies bool) {
	most := [4]float64{}
	if copies {
		most = [4]float64{100, 100, 100, 100}
	}
	set(tb, &copiedForRows, most)
	set(tb, &copiedForElements, most)
	set(tb, &copiedForLongRows, most)
	set(tb, &copiedFarRows, most)
	set(tb, &copiedFarElements, most)
}

// PackNoRows has no rows of transposed tables packed.
func PackNoRows(tb testing.TB) { set(tb, &packedTable, math.MaxInt) }

// CopiesTable reports whether a gather of count elements, rows of the axes from the first on that
// tuples name, copies the table first.
func CopiesTable[T any](data Tensor[T], count, first, tuple int) bool {
	v := view{tensor: tensorOf(&data), role: dataRole, size: elementSize(&data)}
	if err := v.check(gatherOp); err != nil {
		panic(err)
	}
	var e elem
	elemOf[T](&e)
	s := begin(gatherOp, nil)
	buffer := v.dense(&s, &e, count, first, tuple)
	return buffer != nil
}

// CopiesRows reports whether a gather of elements copies the rows that it reads first.
func CopiesRows[T any](data Tensor[T], indices Tensor[int64], axis int) bool {
	v := view{tensor: tensorOf(&data), role: dataRole, size: elementSize(&data)}
	x := view{tensor: tensorOf(&indices), role: indicesRole, size: elementSize(&indices), kind: lanes.KindI64}
	if err := errors.Join(v.check(gatherElementsOp), x.check(gatherElementsOp)); err != nil {
		panic(err)
	}
	var e elem
	elemOf[T](&e)
	s := begin(gatherElementsOp, nil)
	return v.denseAlong(&s, &e, axis, &x) != nil
}

// FreshMeanScratch empties the pool of a mean's scratch. What it returns tells how many words of
// counters and sums the one scratch has that was made since, and whether all are 0.
func FreshMeanScratch(t *testing.T) func() (counters, sums int, clean bool) {
	var made []*meanScratch
	before := meanScratches.New
	meanScratches = sync.Pool{New: func() any {
		made = append(made, new(meanScratch))
		return made[len(made)-1]
	}}
	t.Cleanup(func() { meanScratches = sync.Pool{New: before} })
	return func() (counters, sums int, clean bool) {
		if len(made) != 1 {
			t.Fatalf("%d scratches", len(made))
		}
		s, set := made[0], func(x uint64) bool { return x != 0 }
		return len(s.counters), len(s.totals), !slices.ContainsFunc(s.counters, set) && !slices.ContainsFunc(s.totals, set)
	}
}

// IsSmall reports whether a call that moves so many elements, of so many units, is small.
func IsSmall(elements, units int) bool { return isSmall(&elem{units: units}, elements) }

// ReadAlong sets the least number of bytes of tables of elements or of rows that are read first.
func ReadAlong(t testing.TB, least int) { set(t, &leastAlong, least) }

// ScatterRowsAside has rows scattered to a row-major copy of a dst that is transposed, or not.
func ScatterRowsAside(tb testing.TB, aside bool) {
	least := math.MaxInt
	if aside {
		least = 1
	}
	set(tb, &setAside, least)
	set(tb, &combinedAside, least)
}

// UpdatedPast has copies that are updated next go past the caches from so many bytes on.
func UpdatedPast(tb testing.TB, bytes int) { set(tb, &updatedPast, bytes) }

// LeastUneven has copies to whole words begin with the few bytes before a whole word of src from so
// many bytes on.
func LeastUneven(tb testing.TB, bytes int) { set(tb, &leastUneven, bytes) }

// LeastBuffered has tiles with few columns, and those that go by way of a buffer, exchanged from so
// many elements on.
func LeastBuffered(tb testing.TB, elements int) { set(tb, &leastBuffered, elements) }

// GatherAlong has blocks of gathers gathered along patterns, or not.
func GatherAlong(tb testing.TB, along bool) {
	set(tb, &alongLine, alongLine)
	if !along {
		alongLine = 0
	}
}

// StripLine has lines in columns packed from so many elements on.
func StripLine(tb testing.TB, elements int) { set(tb, &stripLine, elements) }

// LeastCells has cells that lie apart updated run by run from so many on.
func LeastCells(tb testing.TB, cells int) { set(tb, &leastCells, cells) }

// FewRows sets up to how many rows blocks copy planes of them.
func FewRows(t testing.TB, n int) { set(t, &fewRows, n) }

// LeastReversed sets the least number of elements of short rows in reverse that go by a buffer.
func LeastReversed(t testing.TB, n int) { set(t, &leastReversed, n) }
