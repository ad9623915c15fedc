package kernels

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/lanes-go/lanes"
	"github.com/lanes-go/lanes/dispatch"
)

// CutSmall makes small calls run as only large ones do otherwise: they are cut into parts for
// several goroutines, a mean has few and wide counters at a time, columns are packed, data is
// copied in slabs, short rows of equal indices are compacted, small planes are copied by themselves, tiles
// are small, and outputs bypass the caches.
func CutSmall(t *testing.T) {
	near := dispatch.Near
	t.Cleanup(func() { dispatch.Near = near })
	dispatch.Near.Runs = 1
	table, counted, fused, cut, line, cached, atOnce := dispatch.Default, mostCounted, fusedLine, cutLine, cacheLine, cachedColumns, copiedAtOnce
	t.Cleanup(func() {
		dispatch.Default, mostCounted, fusedLine, cutLine, cacheLine, cachedColumns, copiedAtOnce, carryOn, cutAlone = table, counted, fused, cut, line, cached, atOnce, false, false
	})
	block, least, row, part, strip, narrow, packed, plane := bagBlock, leastBlock, bagRow, policyPart, leastStrip, narrowStrip, leastPacked, leastPlane
	t.Cleanup(func() {
		bagBlock, leastBlock, bagRow, policyPart, leastStrip, narrowStrip, leastPacked, leastPlane = block, least, row, part, strip, narrow, packed, plane
	})
	turned, checked, tiles, planes := leastTurned, leastChecked, [4]int{gatherTile, copyTile, tileRun, tileLines}, fusedPlanes
	t.Cleanup(func() {
		fusedPlanes = planes
		leastTurned, leastChecked, gatherTile, copyTile, tileRun, tileLines = turned, checked, tiles[0], tiles[1], tiles[2], tiles[3]
	})
	fusedPlanes = [3]int{}
	leastTurned, leastChecked, gatherTile, copyTile, tileRun, tileLines = 1, 1, 96, 48, 3, 16
	bagBlock, leastBlock, bagRow, policyPart, leastStrip, narrowStrip, leastPacked, leastPlane = 0, 3, 12, 7, 64, 2, 1, 4
	dispatch.Default.SmallElements, copiedAtOnce = 0, 0
	dispatch.Default.WorkerTime, dispatch.Default.PartTime, dispatch.Default.WakeTime = 1, 1, 20_000
	cutAlone = true
	dispatch.Default.MeanCells, dispatch.Default.MeanSparse = 6, 1
	dispatch.Default.StripTable, dispatch.Default.StripBytes = 0, 256
	dispatch.Default.StreamBytes, dispatch.Default.StreamReach, dispatch.Default.SlabBytes = 0, 0, 16
	dispatch.Default.ConstantRow = 2
	dispatch.Default.OwnedTable = 0
	mostCounted, fusedLine, cutLine, cacheLine, cachedColumns = 3, 2, 1, 1, 1
	carryOn = true
}

// FusePlanes has planes of all sizes fused, or of none.
func FusePlanes(tb testing.TB, all bool) {
	planes := fusedPlanes
	tb.Cleanup(func() { fusedPlanes = planes })
	for i := range fusedPlanes {
		if fusedPlanes[i] = math.MaxInt; all {
			fusedPlanes[i] = 0
		}
	}
}

// MovePlanes has planes of all sizes moved by themselves, or none.
func MovePlanes(tb testing.TB, move bool) {
	least, rows := leastPlane, planeRows
	tb.Cleanup(func() { leastPlane, planeRows = least, rows })
	if leastPlane, planeRows = 1, 1; !move {
		leastPlane, planeRows = math.MaxInt, math.MaxInt
	}
}

// ShortLines has bodies take lines from so many elements on, or half as many where rows are joined, in planes of any size.
func ShortLines(tb testing.TB, least int) {
	line, joined, plane := eachLine, joinedLine, eachPlane
	tb.Cleanup(func() { eachLine, joinedLine, eachPlane = line, joined, plane })
	eachLine, joinedLine, eachPlane = least, least/2, 0
}

// StripWidth has gathers in columns packed in strips of rows of so many bytes, or of no strips if it is 0.
func StripWidth(tb testing.TB, bytes int) {
	table, last, narrow, wide, least, apart := dispatch.Default.StripTable, dispatch.Near.Last, narrowStrip, wideStrip, leastStrip, apartTable
	tb.Cleanup(func() {
		dispatch.Default.StripTable, dispatch.Near.Last, narrowStrip, wideStrip, leastStrip, apartTable = table, last, narrow, wide, least, apart
	})
	if bytes == 0 {
		dispatch.Default.StripTable, apartTable = math.MaxInt, math.MaxInt
		return
	}
	dispatch.Default.StripTable, dispatch.Near.Last, narrowStrip, wideStrip, leastStrip = 0, math.MaxInt, bytes, bytes, 0
}

// CutAlone has large calls cut into parts even where no helper can run one.
func CutAlone(t *testing.T) {
	t.Cleanup(func() { cutAlone = false })
	cutAlone = true
}

// StrictAlignment makes Raw tensors run as on a port whose loads and stores need aligned addresses.
func StrictAlignment(t *testing.T) {
	strict := strictAlignment
	t.Cleanup(func() { strictAlignment = strict })
	strictAlignment = true
}

// Ways runs a test with small calls as they are; then with short lines of single elements in
// blocks; then with all lines in fused primitives, planes copied by themselves, and small tiles.
func Ways(t *testing.T, test func(t *testing.T)) {
	fused, plane, small, near, atOnce := fusedLine, leastPlane, dispatch.Default.SmallElements, dispatch.Near, copiedAtOnce
	turned, checked, tiles, planes := leastTurned, leastChecked, [4]int{gatherTile, copyTile, tileRun, tileLines}, fusedPlanes
	t.Cleanup(func() {
		fusedPlanes = planes
		fusedLine, leastPlane, dispatch.Default.SmallElements, dispatch.Near, copiedAtOnce = fused, plane, small, near, atOnce
		leastTurned, leastChecked, gatherTile, copyTile, tileRun, tileLines = turned, checked, tiles[0], tiles[1], tiles[2], tiles[3]
	})
	t.Run("small", test)
	dispatch.Default.SmallElements, copiedAtOnce = 0, 0
	t.Run("blocks", test)
	fusedLine, leastPlane, dispatch.Near.Grouped, dispatch.Near.Runs, fusedPlanes = 1, 4, 1, 1, [3]int{}
	leastTurned, leastChecked, gatherTile, copyTile, tileRun, tileLines = 1, 1, 96, 48, 3, 16
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
	if got := d.elem(); got != want || n != wantNumber || reason != wantReason {
		return fmt.Errorf("%s: %+v, number %d %q; want %+v, %d %q", d, got, n, reason, want, wantNumber, wantReason)
	}
	if _, isIndex := d.indexKind(); isIndex != integer(n) {
		return fmt.Errorf("%s is a type of indices: %t", d, isIndex)
	}
	return nil
}

func checkIndexDType[I Index](d DType) error {
	if kind, ok := d.indexKind(); !ok || kind != kindOf[I]() {
		return fmt.Errorf("%s: index kind %d, %t; want %d", d, kind, ok, kindOf[I]())
	}
	return checkDType[I](d)
}

// CopyOrder returns how a copy with these loops, {steps, of dst, of src}, goes: whether in tiles, and
// otherwise its loops.
func CopyOrder(kind lanes.Kind, loops ...[3]int) (tiles bool, order [][3]int) {
	c := copyOf(kind, loops)
	c.copyLoops(c.loops())
	for _, l := range c.loops() {
		order = append(order, [3]int{l.n, l.s[dstOp], l.s[srcOp]})
	}
	return c.tiles, order
}

// TileOf returns how many steps of each loop a tile of a copy has, with so many elements along a loop.
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

// TiledLoop returns the loop that a gather in tiles is cut along, and into how many parts. The steps in
// src are those in indices, too.
func TiledLoop(workers int, loops ...[3]int) (loop, parts int) {
	c := copyOf(lanes.KindX32, loops)
	for k := range c.loops() {
		c.loops()[k].s[idxOp] = loops[k][2]
	}
	c.work, c.tiles, c.workers = gatherWork, true, workers
	s := c.split(1 << 20)
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

// CopiesTable reports whether a gather of count elements, rows of the axes from the first on, copies the table first.
func CopiesTable[T any](data Tensor[T], count, first int) bool {
	v := view{tensor: tensorOf(&data), role: dataRole, size: elementSize(&data)}
	if err := v.check(gatherOp); err != nil {
		panic(err)
	}
	var e elem
	elemOf[T](&e)
	s := begin(gatherOp, nil)
	buffer := v.dense(&s, &e, count, first)
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

// FreshMeanScratch empties the pool of a mean's scratch. What it returns tells how many words of counters and
// sums the one scratch has that was made since, and whether all are 0.
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
