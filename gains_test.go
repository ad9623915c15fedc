//go:build gains && amd64 && !purego && !noasm

package lanes

import (
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/lanes-go/lanes/dispatch"
)

// TestGains times each body of this port against what would run if it were masked, and prints a
// table (bench/results/bodies.md). A body below 1.15 everywhere, on every machine that was
// measured, does not earn its place. It needs switches that know masks:
//
//	masks=$(mktemp -d)
//	go run -C asmgen . -maskable -dir $masks
//	go test -tags gains -overlay $masks/overlay.json -run TestGains -v -timeout 1h .
//
// Workloads are run at this machine's traits and at each level. Masked and unmasked calls
// take turns; the times are medians.
func TestGains(t *testing.T) {
	var works []work
	for _, n := range []int{64, 1 << 10, 16 << 10, 1 << 20} {
		works = append(works, worksOf(n)...)
	}
	gains, only := map[string][]gain{}, os.Getenv("LANES_GAINS")
	for _, level := range []dispatch.Level{dispatch.AVX2, dispatch.AVX512} {
		if !dispatch.Available(level) {
			continue
		}
		restore := dispatch.Use(level, dispatch.Traits())
		for _, w := range works {
			if !strings.Contains(w.name, only) {
				continue
			}
			reset, run := w.make()
			recorded = map[string]bool{}
			reset()
			run()
			reached := recorded
			recorded = nil
			for symbol := range reached {
				if len(gains[symbol]) >= mostGains {
					continue
				}
				gains[symbol] = append(gains[symbol], measure(symbol, level, w, reset, run))
			}
		}
		restore()
	}
	if len(gains) == 0 {
		t.Fatal("no body was run: can those of bodies_amd64.go be masked?")
	}
	fmt.Printf("%d bodies. Gains: the time of the call without the body over that with it, where it is largest, and the least.\n\n| body | best gain | gains, with the time without it |\n|---|---|---|\n", len(symbols))
	for _, s := range symbols {
		list := gains[s]
		if len(list) == 0 {
			fmt.Printf("| %s | not run | |\n", s)
			if only == "" && !byGathers.MatchString(s) {
				t.Errorf("no workload runs %s", s)
			}
			continue
		}
		slices.SortFunc(list, func(a, b gain) int { return int(1e6*b.factor) - int(1e6*a.factor) })
		var cells []string
		for _, g := range list[:min(len(list), 4)] {
			cells = append(cells, fmt.Sprintf("%s %.2f (%.2f ns)", g.where, g.factor, g.masked))
		}
		cells = append(cells, fmt.Sprintf("least %.2f", list[len(list)-1].factor))
		fmt.Printf("| %s | %.2f | %s |\n", s, list[0].factor, strings.Join(cells, ", "))
	}
}

// byGathers are the bodies that only CPUs with fast gather instructions choose.
var byGathers = regexp.MustCompile("^(gatherX|gatherColumns)")

// What bodies_amd64.go asks, if it is made to be maskable.
var (
	masked   string
	recorded map[string]bool // symbols that were asked for and ran, if it is not nil
)

func allowed(symbol string) bool {
	if symbol == masked {
		return false
	}
	if recorded != nil {
		recorded[symbol] = true
	}
	return true
}

// mostGains is the most workloads that a body is timed in: a check of offsets has a part in
// hundreds.
const mostGains = 32

type gain struct {
	where          string
	factor, masked float64 // ns an element
}

// measure times a workload with and without a body.
func measure(symbol string, level dispatch.Level, w work, reset, run func()) gain {
	repeats := 7
	if w.n <= 16<<10 {
		repeats = 101
	}
	var times [2][]float64
	for range repeats {
		for i, m := range []string{"", symbol} {
			reset()
			masked = m
			start := time.Now()
			run()
			times[i] = append(times[i], float64(time.Since(start).Nanoseconds()))
			masked = ""
		}
	}
	var median [2]float64
	for i := range times {
		slices.Sort(times[i])
		median[i] = times[i][repeats/2]
	}
	return gain{fmt.Sprintf("%s %s", w.name, level), median[1] / median[0], median[1] / float64(w.n)}
}

// A work is one call of a primitive.
type work struct {
	name string
	n    int // elements
	make func() (reset, run func())
}

const most = 1 << 20

// Memory that all workloads share.
var (
	bufDst, bufSrc, bufInit = make([]uint64, 2*most), make([]uint64, 2*most), make([]uint64, 2*most)
	bufOffsets              = make([]int, most)
	bufIndices64            = make([]int64, 2*most)
	bufIndices32            = make([]int32, 2*most)
	bufCounts               = make([]uint32, most)
)

func memory(kind Kind, buf []uint64, n int) Memory {
	return Memory{Ptr: unsafe.Pointer(&buf[0]), Len: n, Kind: kind}
}

// indicesOf returns n random indices below size.
func indicesOf(kind Kind, n, size int) Memory {
	r := rand.New(rand.NewPCG(1, 2))
	for j := range n {
		k := r.IntN(size)
		bufIndices32[j], bufIndices64[j] = int32(k), int64(k)
	}
	if kind == KindI32 {
		return memoryOf(kind, bufIndices32[:n])
	}
	return memoryOf(kind, bufIndices64[:n])
}

func offsetsOf(n, size, scale int) []int {
	r := rand.New(rand.NewPCG(3, 4))
	for j := range n {
		bufOffsets[j] = r.IntN(size) * scale
	}
	return bufOffsets[:n]
}

// fill sets the first n elements to numbers near 1, or to 1 for products, which must not run
// into numbers that are slow.
func fill(kind Kind, buf []uint64, n int, ones bool) {
	r := rand.New(rand.NewPCG(5, 6))
	at := unsafe.Pointer(&buf[0])
	for j := range n {
		x := 1 + r.Float64()/4
		if ones {
			x = 1
		}
		switch kind {
		case KindF32:
			unsafe.Slice((*float32)(at), n)[j] = float32(x)
		case KindF64:
			unsafe.Slice((*float64)(at), n)[j] = x
		case KindF16:
			unsafe.Slice((*uint16)(at), n)[j] = 0x3c00 + uint16(1024*(x-1))
		case KindBF16:
			unsafe.Slice((*uint16)(at), n)[j] = 0x3f80 + uint16(128*(x-1))
		default:
			if w := kind.Width(); j%(8/min(w, 8)) == 0 {
				buf[j*w/8] = r.Uint64()
			}
		}
	}
}

var nothing = func() {}

// worksOf is the workloads of n elements.
func worksOf(n int) (list []work) {
	add := func(make func() (reset, run func()), format string, args ...any) {
		list = append(list, work{fmt.Sprintf(format, args...) + fmt.Sprint(" n=", n), n, make})
	}
	indexKinds := []Kind{KindI32, KindI64}
	moves := []Kind{KindX8, KindX16, KindX32, KindX64, KindX128}
	bits := func(k Kind) int { return 8 * k.Width() }
	for _, index := range indexKinds {
		add(func() (reset, run func()) {
			x := indicesOf(index, n, n)
			return nothing, func() { CheckRaw(x, 0, 1, n, n) }
		}, "check I%d", bits(index))
		add(func() (reset, run func()) {
			x := indicesOf(index, n, n)
			return nothing, func() { ResolveRaw(bufOffsets[:n], x, 0, 1, n, 3, 1) }
		}, "resolve I%d", bits(index))
		add(func() (reset, run func()) {
			x, pattern := indicesOf(index, n, n), offsetsOf(512, 512, 1)[:min(n, 512)]
			pattern = slices.Clone(pattern)
			return nothing, func() {
				for j := 0; j < n; j += 512 {
					ResolvePatternRaw(bufOffsets[j:min(n, j+512)], x, j, n, 3, pattern)
				}
			}
		}, "resolve pattern I%d", bits(index))
		for _, k := range []int{1, 2, 3} {
			add(func() (reset, run func()) {
				const size = 100
				x := indicesOf(index, n, size)
				sizes, strides := []int{size, size, size}[:k], []int{size * size, size, 1}[3-k:]
				return nothing, func() {
					ResolveTuplesRaw(bufOffsets[:n/k], Window{Memory: x, Row: k, Col: 1}, sizes, strides, 0)
				}
			}, "tuples of %d I%d", k, bits(index))
		}
		for _, width := range []Kind{KindX8, KindX16, KindX32, KindX64} {
			add(func() (reset, run func()) {
				x := indicesOf(index, n, n)
				own, updates := memory(width, bufDst, n), memory(width, bufSrc, n)
				return nothing, func() { ResolveOwnedRaw(bufOffsets[:n], own, x, updates, n, 1, 0, n/2) }
			}, "owned X%d I%d", bits(width), bits(index))
		}
		for _, width := range moves {
			add(func() (reset, run func()) {
				const size = 100
				x, dst, src := indicesOf(index, n, size), memory(width, bufDst, n/2), memory(width, bufSrc, size*size)
				return nothing, func() {
					GatherTuplesRaw(Window{Memory: dst, Row: 1}, src, 0, Window{Memory: x, Row: 2, Col: 1}, []int{size, size}, []int{size, 1}, n/2)
				}
			}, "gather pairs X%d I%d", bits(width), bits(index))
			add(func() (reset, run func()) {
				x, dst, src, pattern := indicesOf(index, n, 100), memory(width, bufDst, n), memory(width, bufSrc, 1000), make([]int32, n)
				for j := range pattern {
					pattern[j] = int32(j % 10)
				}
				return nothing, func() { GatherPatternRaw(dst, 0, src, 0, x, 0, 100, 10, pattern) }
			}, "gather pattern X%d I%d", bits(width), bits(index))
			for _, size := range []int{16, 32, 64, 128, 1 << 10, n} {
				if size > n || size == n && n <= 1<<10 {
					continue
				}
				add(func() (reset, run func()) {
					x, dst, src := indicesOf(index, n, size), memory(width, bufDst, n), memory(width, bufSrc, size)
					return nothing, func() {
						GatherRaw(Window{Memory: dst, Col: 1}, Window{Memory: src}, size, 1, Window{Memory: x, Col: 1}, 1, n)
					}
				}, "gather X%d I%d of %d", bits(width), bits(index), size)
				add(func() (reset, run func()) {
					x, dst, src := indicesOf(index, n, size), memory(width, bufDst, size), memory(width, bufSrc, n)
					return nothing, func() {
						ScatterIndexedRaw(Window{Memory: dst}, size, 1, Window{Memory: x, Col: 1}, Window{Memory: src, Col: 1}, 1, n)
					}
				}, "scatter X%d I%d of %d", bits(width), bits(index), size)
			}
			if cols, size := 64, n/64; size > 1 {
				add(func() (reset, run func()) {
					x, dst, src := indicesOf(index, n, size), memory(width, bufDst, n), memory(width, bufSrc, n)
					return nothing, func() {
						GatherRaw(Window{Memory: dst, Row: cols, Col: 1}, Window{Memory: src, Col: 1}, size, cols, Window{Memory: x, Row: cols, Col: 1}, size, cols)
					}
				}, "gather columns X%d I%d", bits(width), bits(index))
			}
			add(func() (reset, run func()) {
				const cols, size = 64, 4
				x, dst, src := indicesOf(index, n, size), memory(width, bufDst, n), memory(width, bufSrc, cols*size)
				return nothing, func() {
					GatherRaw(Window{Memory: dst, Row: cols, Col: 1}, Window{Memory: src, Col: 1}, size, cols, Window{Memory: x, Row: cols, Col: 1}, n/cols, cols)
				}
			}, "gather few X%d I%d", bits(width), bits(index))
			if cols, size := 512, 1<<10; n >= 1<<20 && width == KindX32 { // tables far apart
				rows := n / size
				add(func() (reset, run func()) {
					x, dst, src := indicesOf(index, n, size), memory(width, bufDst, n), memory(width, bufSrc, n)
					return nothing, func() {
						GatherRaw(Window{Memory: dst, Row: cols, Col: 1}, Window{Memory: src, Row: size}, size, 1, Window{Memory: x, Row: cols, Col: 1}, rows, cols)
					}
				}, "gather tables X%d I%d", bits(width), bits(index))
			}
		}
	}
	add(func() (reset, run func()) {
		offsets, on := offsetsOf(n, n, 1), active()
		return nothing, func() { offsetsInside(on, offsets, 0, n) }
	}, "check offsets")
	for _, width := range moves {
		add(func() (reset, run func()) {
			offsets, dst, src := offsetsOf(n, n, 1), memory(width, bufDst, n), memory(width, bufSrc, n)
			return nothing, func() { GatherRowsRaw(Window{Memory: dst, Row: 1, Col: 1}, src, 0, 1, offsets, 1) }
		}, "gather offsets X%d", bits(width))
		add(func() (reset, run func()) {
			offsets, dst, src := offsetsOf(n, n, 1), memory(width, bufDst, n), memory(width, bufSrc, n)
			return nothing, func() { ScatterRaw(dst, 0, 0, offsets, Window{Memory: src, Row: 1}, 1) }
		}, "scatter offsets X%d", bits(width))
	}
	for _, bytes := range []int{12, 24, 64, 200, 512, 4096} {
		cols := bytes / 4
		rows := n / cols
		if rows < 4 {
			continue
		}
		add(func() (reset, run func()) {
			offsets, dst, src := offsetsOf(rows, rows, cols), memory(KindX32, bufDst, n), memory(KindX32, bufSrc, n)
			return nothing, func() { GatherRowsRaw(Window{Memory: dst, Row: cols, Col: 1}, src, 0, 1, offsets, cols) }
		}, "gather rows of %d bytes", bytes)
		add(func() (reset, run func()) {
			offsets, dst, src := offsetsOf(rows, rows, cols), memory(KindX32, bufDst, n), memory(KindX32, bufSrc, n)
			return nothing, func() { ScatterRaw(dst, 0, 1, offsets, Window{Memory: src, Row: cols, Col: 1}, cols) }
		}, "set rows of %d bytes", bytes)
		add(func() (reset, run func()) {
			dst, src := memory(KindX32, bufDst, n), memory(KindX32, bufSrc, 2*n)
			return nothing, func() {
				CopyRaw(Window{Memory: dst, Row: cols, Col: 1}, Window{Memory: src, Row: 2*cols - 1, Col: 1}, rows, cols)
			}
		}, "copy rows of %d bytes", bytes)
		add(func() (reset, run func()) {
			dst, src := memory(KindX32, bufDst, n), memory(KindX32, bufSrc, 2*n)
			return nothing, func() {
				CopyRaw(Window{Memory: dst, Row: cols, Col: 1, Stream: true}, Window{Memory: src, Row: 2*cols - 1, Col: 1}, rows, cols)
			}
		}, "stream rows of %d bytes", bytes)
	}
	for _, width := range moves[:4] {
		for _, step := range []int{-1, 2, 3, 4, 5, 8} {
			add(func() (reset, run func()) {
				made := n / max(1, step)
				dst, src := memory(width, bufDst, n), memory(width, bufSrc, n)
				w := Window{Memory: src, Col: step}
				if step < 0 {
					w.At = n - 1
				}
				return nothing, func() { CopyRaw(Window{Memory: dst, Col: 1}, w, 1, made) }
			}, "copy step %d X%d", step, bits(width))
		}
		side := 8
		for 4*side*side <= n {
			side *= 2
		}
		add(func() (reset, run func()) {
			dst, src := memory(width, bufDst, side*side), memory(width, bufSrc, side*side)
			return nothing, func() {
				CopyRaw(Window{Memory: dst, Row: side, Col: 1}, Window{Memory: src, Row: 1, Col: side}, side, side)
			}
		}, "copy transposed X%d", bits(width))
		for _, cols := range []int{2, 3, 4} {
			for _, step := range []int{1, -1} {
				add(func() (reset, run func()) {
					rows := n / 5
					dst, src := memory(width, bufDst, n), memory(width, bufSrc, n)
					return nothing, func() {
						CopyRaw(Window{Memory: dst, Row: cols, Col: 1}, Window{Memory: src, At: 4, Row: 5, Col: step}, rows-1, cols)
					}
				}, "copy rows of %d step %d X%d", cols, step, bits(width))
			}
		}
	}
	add(func() (reset, run func()) {
		fill(KindF32, bufInit, min(2*n, len(bufInit)), false)
		dst, updates, offsets := memory(KindC64, bufDst, n), memory(KindC64, bufInit, n), offsetsOf(n, n, 1)
		return nothing, func() { ScatterReduceRaw(Sum, dst, 0, 0, offsets, Window{Memory: updates, Row: 1}, 1) }
	}, "combine Sum C64")
	for kind := KindI8; kind <= KindBF16; kind++ {
		for op := Sum; op <= Max; op++ {
			name := fmt.Sprint([...]string{Sum: "Sum", Prod: "Prod", Min: "Min", Max: "Max"}[op], " ", kindNames[kind])
			prepare := func() (dst, updates Memory, reset func()) {
				fill(kind, bufInit, n, op == Prod)
				fill(kind, bufSrc, n, op == Prod)
				words := (n*kind.Width() + 7) / 8
				// Updates come in another order than the cells' first values.
				slices.Reverse(bufSrc[:words])
				return memory(kind, bufDst, n), memory(kind, bufSrc, n), func() { copy(bufDst[:words], bufInit) }
			}
			add(func() (reset, run func()) {
				dst, updates, reset := prepare()
				offsets := offsetsOf(n, n, 1)
				return reset, func() { ScatterReduceRaw(op, dst, 0, 0, offsets, Window{Memory: updates, Row: 1}, 1) }
			}, "combine %s", name)
			for _, bytes := range []int{16, 32, 40, 64, 256, 2048} {
				cols := bytes / kind.Width()
				rows := n / cols
				if rows < 2 {
					continue
				}
				add(func() (reset, run func()) {
					dst, updates, reset := prepare()
					offsets := offsetsOf(rows, rows, cols)
					return reset, func() {
						ScatterReduceRaw(op, dst, 0, 1, offsets, Window{Memory: updates, Row: cols, Col: 1}, cols)
					}
				}, "combine rows of %d bytes %s", bytes, name)
			}
			for _, index := range indexKinds {
				if n == 1<<20 {
					continue
				}
				add(func() (reset, run func()) {
					dst, updates, reset := prepare()
					size := min(n, 1<<10)
					x := indicesOf(index, n, size)
					return reset, func() {
						ScatterReduceIndexedRaw(op, Window{Memory: dst}, size, 1, Window{Memory: x, Col: 1}, Window{Memory: updates, Col: 1}, 1, n)
					}
				}, "combine each %s I%d", name, bits(index))
			}
		}
	}
	add(func() (reset, run func()) {
		offsets := offsetsOf(n, n, 1)
		return nothing, func() { CountRaw(memoryOf(KindU32, bufCounts), 0, offsets, 1) }
	}, "count")
	for kind := KindI8; kind <= KindU32; kind++ {
		add(func() (reset, run func()) {
			offsets, words := offsetsOf(n, n, 1), memory(KindI64, bufDst, n)
			return nothing, func() { ScatterSumsRaw(words, 48, 0, 0, offsets, Window{Memory: memory(kind, bufSrc, n), Row: 1}, 1) }
		}, "sum and count %s", kindNames[kind])
	}
	for _, kind := range []Kind{KindF32, KindF64, KindF16, KindBF16} {
		for _, shared := range []bool{false, true} {
			add(func() (reset, run func()) {
				cols := min(n, 1<<10)
				rows := n / cols
				c := CellsRaw{
					Dst: memory(kind, bufDst, n), Sums: memory(kind, bufSrc, n), Counts: memoryOf(KindU32, bufCounts),
					DstAt: Place{Row: cols, Col: 1}, SumsAt: Place{Row: cols, Col: 1}, CountsAt: Place{Row: cols, Col: 1}, Rows: rows, Cols: cols, Init: 1,
				}
				if shared {
					c.CountsAt = Place{Row: 1}
				}
				return func() {
					fill(kind, bufSrc, n, true)
					for j := range n {
						bufCounts[j] = uint32(1 + j&1)
					}
				}, func() { DivideRaw(c) }
			}, "divide %s shared=%t", kindNames[kind], shared)
		}
	}
	for kind := KindI8; kind <= KindU64; kind++ {
		add(func() (reset, run func()) {
			cols := min(n, 1<<10)
			at := Place{Row: cols, Col: 1}
			c := CellsRaw{
				Dst: memory(kind, bufDst, n), Sums: memory(KindI64, bufSrc, n), Counts: memoryOf(KindU32, bufCounts),
				DstAt: at, SumsAt: at, CountsAt: at, Rows: n / cols, Cols: cols, Init: 1,
			}
			return func() {
				for j := range n {
					bufSrc[j], bufCounts[j] = uint64(j%200), uint32(1+j&1)
				}
			}, func() { DivideRaw(c) }
		}, "divide wide %s", kindNames[kind])
		if kind.Width() == 8 {
			continue
		}
		add(func() (reset, run func()) {
			cols := min(n, 1<<10)
			at := Place{Row: cols, Col: 1}
			c := CellsRaw{
				Dst: memory(kind, bufDst, n), Sums: memory(KindI64, bufSrc, n), DstAt: at, SumsAt: at, Rows: n / cols, Cols: cols, Init: 1, Shift: 48,
			}
			return func() {
				for j := range n {
					bufSrc[j] = uint64(j%200 + (1+j&1)<<48)
				}
			}, func() { DivideRaw(c) }
		}, "divide words %s", kindNames[kind])
	}
	return list
}

var kindNames = map[Kind]string{
	KindI8: "I8", KindU8: "U8", KindI16: "I16", KindU16: "U16", KindI32: "I32", KindU32: "U32", KindI64: "I64", KindU64: "U64",
	KindF32: "F32", KindF64: "F64", KindF16: "F16", KindBF16: "BF16",
}
