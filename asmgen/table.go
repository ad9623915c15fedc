package main

import (
	"slices"
	"strconv"
	"strings"
)

// The table of bodies, of both architectures. From it come the switches that choose
// a body (bodies_<arch>.go), the declarations (kernels_<arch>.go), and on amd64 the
// order of kernels_amd64.s. The bodies of arm64 are written by hand.

// A family is bodies that do one thing, and have one signature.
type family struct {
	name  string // that of the function that chooses, less Piece
	names string // of its bodies: {elem}, {index} and {op} stand for what a row has
	sig   string
	step  int    // what n is a multiple of, if it has to be
	loop  string // what a body does, in Go
	note  string // what a body relies on, beyond what every call of the Go side guarantees
	keys  []key  // what chooses a body, besides the level and its traits
	asked bool   // the Go side asks first whether a body can run, since it has another way
	rows  []row
}

// A row is bodies that have one way to be made, by a level. Of several that a CPU can
// run the first one is the best.
type row struct {
	level, trait string
	elems        string // widths, or kinds where arithmetic counts
	indices      string
	ops          string
	asks         string // operations that a body has all of, and that its argument by chooses from
	names        string // where they are not those of the family
	when         string // what a call has to be, in Go: {lanes} are elements of 64 bytes, {entries} the most that a table in registers has
	body         func(g *gen, b body)
}

// A key is a parameter that a switch is over.
type key struct {
	param, typ string
	of         func(b body) []string // the cases that a body is for, none for all
}

// A body is one of the assembly.
type body struct {
	*family
	row
	symbol, elem, index, op string
	place                   int // of the row
}

var (
	byWidth = key{"width", "int", func(b body) []string { return widthOf(b.elem) }}
	byIndex = key{"index", "int", func(b body) []string { return widthOf(b.index) }}
	byOp    = key{"op", "Op", func(b body) []string {
		if b.op == "" { // the body asks
			return nil
		}
		return []string{b.op}
	}}
	byKind = key{"kind", "Kind", body.kinds}
	// byPermuter is the way in which elements are permuted.
	byPermuter = key{"by", "permuter", func(b body) []string { return []string{permuterOf(b).name} }}
	// byStep is the op of copyEvery.
	byStep = key{"step", "int", func(b body) []string { return []string{b.op} }}
	// byFar says whether rows are so far apart that they are worth a prefetch.
	byFar = key{"far", "bool", func(b body) []string {
		switch {
		case b.level != neon:
			return nil
		case strings.Contains(b.symbol, "Ahead"):
			return []string{"true"}
		}
		return []string{"false"}
	}}
)

// widthOf returns the bytes of X32, I64 or F64 as a case.
func widthOf(elem string) []string { return []string{strconv.Itoa(bytesOf(elem))} }

// kinds returns the kinds of elements that a body combines. Sums and products of integers are the
// same with and without a sign. A body with an argument for the operation may have minima and
// maxima of both.
func (b body) kinds() []string {
	kinds := []string{"Kind" + b.elem}
	if b.elem[0] == 'I' && (b.op == "Sum" || b.op == "Prod" || strings.Contains(b.asks, "UMin")) {
		kinds = append(kinds, "KindU"+b.elem[1:])
	}
	return kinds
}

// The levels and traits, as package dispatch has them.
const (
	neon, avx2Level, avx512Level = "NEON", "AVX2", "AVX512"
	vbmi, fastGather, fastMovs   = "VBMI", "FastGather", "FastMovs"
)

// The conditions under which a gather in columns computes in 32 bits.
const (
	stepOf31Bits   = "uint(step) < 1<<31"
	placesOf31Bits = stepOf31Bits + " && (size-1)*step+cols < 1<<31"
)

// The conditions of bodies with a table in registers: it fits, or a lane of an element counts its
// entries, and a row has a vector of elements.
const (
	entriesFit = "entries <= {entries} && cols >= {lanes}"
	entriesFew = "size <= 256 && cols >= {lanes}"
)

// levelOrder is the levels, most capable first.
var levelOrder = []string{avx512Level, avx2Level, neon}

// amd64Levels has, for each level, its mnemonics, and the features of its CPUs in the generator's
// words. They follow the levels of package dispatch; MMX+ is PREFETCHT0 and SFENCE, of any amd64.
var amd64Levels = map[string]struct {
	isa      isa
	features []string
}{
	avx2Level:   {avx2{}, featuresAVX2},
	avx512Level: {avx512{}, append(slices.Clone(featuresAVX2), "AVX512F", "AVX512BW", "AVX512DQ", "AVX512VL", "AVX512CD")},
}

var featuresAVX2 = []string{"SSE", "SSE2", "SSE3", "SSSE3", "SSE4.1", "SSE4.2", "MMX", "MMX+", "CMOV", "AVX", "AVX2", "F16C", "BMI", "BMI2", "FMA3", "POPCNT"}

const (
	bothIndices = "I32 I64"
	allWidths   = "X8 X16 X32 X64 X128"
	upToX64     = "X8 X16 X32 X64"
	upToX32     = "X8 X16 X32"
	allOps      = "Sum Prod Min Max"
	ordered     = "Sum Min Max"
	unsigned    = "U8 U16 U32 U64"
)

var families = []family{
	{
		name: "check", names: "check{index}", sig: "func(indices *byte, n, size int) int", step: 16,
		loop: `
for j := 0; j < n; j += step {
	if any of indices[j:j+step], wrapped, is not below size { return j }
}
return -1`,
		note: "A step is a cache line of indices.",
		keys: []key{byIndex},
		rows: []row{
			{level: avx512Level, indices: bothIndices, body: check},
			{level: avx2Level, indices: bothIndices, body: check},
			{level: neon, indices: bothIndices},
		},
	},
	{
		name: "checkOffsets", names: "checkOffsets", sig: "func(offsets *int, n, at, limit int) bool", step: 8,
		loop: `
for j := range n { if uint(at+offsets[j]) >= uint(limit) { return false } }
return true`,
		rows: []row{{level: avx512Level, body: checkOffsets}, {level: avx2Level, body: checkOffsets}, {level: neon}},
	},
	{
		name: "resolve", names: "resolve{index}", step: 8,
		sig: "func(offsets *int, indices *byte, n, size, scale int, pattern *int, each, col, distance int) int",
		loop: `
for j := 0; j < n; j += step {
	if any of indices[j:j+step], wrapped, is not below size { return j }
	offsets[j+l] = wrapped[l]*scale + pattern[j*each+l] + j*col, for every lane l
}
return -1`,
		note: `each is 1 for a pattern of n entries, and 0 for one of eight, which are evenly apart. size and scale are in
[0, 2³²), so that one 32-bit multiplication a lane is enough. distance is the prefetch distance of indices, in bytes;
on arm64 nothing is prefetched.`,
		keys: []key{byIndex},
		rows: []row{
			{level: avx512Level, indices: bothIndices, body: resolve},
			{level: avx2Level, indices: bothIndices, body: resolve},
			{level: neon, indices: "I32", when: "size < 1<<31"},
			{level: neon, indices: "I64"},
		},
	},
	{
		name: "resolveOwned", names: "resolveOwned{elem}{index}", step: 8,
		sig: "func(offsets *int, own, indices, updates *byte, n, size, scale, low, high int) (kept, bad int)",
		loop: `
for j := 0; j < n; j += 8 {
	if any of indices[j:j+8], wrapped, is not below size { return kept, j }
	mine := low <= wrapped[l] && wrapped[l] < high, in every lane l
	offsets[kept:], own[kept:] = those of wrapped*scale and updates[j:j+8] that are mine
	kept += their number
}
return kept, -1`,
		note: "size and scale are in [0, 2³²). Whole vectors are stored to offsets and own, which are n long.",
		keys: []key{byWidth, byIndex},
		rows: []row{{level: avx512Level, elems: "X8 X16 X32 X64", indices: bothIndices, body: resolveOwned}},
	},
	{
		name: "resolveTuples", names: "resolveTuples{index}", step: 8,
		sig: "func(offsets *int, tuples *byte, row, next, n int, sizes, strides *int, k, col, start int) int",
		loop: `
for j := 0; j < n; j += step {
	sum := (j+l)*col + start, in every lane l
	for t := range k {
		x := the component at tuples[(j+l)*row + t*next], wrapped in sizes[t]
		if any lane of x is not below sizes[t] { return j }
		sum += x*strides[t]
	}
	offsets[j+l] = sum
}
return -1`,
		note: "row and next are in bytes; sizes are in [0, 2³¹), strides in [0, 2³²), k is at least 1.",
		keys: []key{byIndex},
		rows: []row{
			{level: neon, indices: bothIndices},
		},
	},
	{
		name: "resolvePairs", asked: true, names: "resolvePairs{index}", step: 8,
		sig: "func(offsets *int, pairs *byte, row, n int, sizes, strides, pattern *int, each, col int) int",
		loop: `
for j := 0; j < n; j += step {
	x, y := pairs[(j+l)*row], wrapped in sizes[0], and pairs[(j+l)*row+1], wrapped in sizes[1], in every lane l
	if any of them is not below its size { return j }
	offsets[j+l] = x*strides[0] + y*strides[1] + pattern[j*each+l] + j*col
}
return -1`,
		note: "row is in bytes; sizes are in [0, 2³¹), strides in [0, 2³²). pattern, each and col are as in resolve, and pattern may be offsets.",
		keys: []key{byIndex},
		rows: []row{{level: avx2Level, indices: bothIndices, body: resolvePairs}},
	},
	{
		name: "resolveTriples", names: "resolveTriples{index}", step: 8,
		sig: "func(offsets *int, triples *byte, n int, sizes, strides, pattern *int, each, col int) int",
		loop: `
for j := 0; j < n; j += step {
	x, y, z := triples[3*(j+l)] to triples[3*(j+l)+2], wrapped in sizes[0] to sizes[2], in every lane l
	if any of them is not below its size { return j }
	offsets[j+l] = x*strides[0] + y*strides[1] + z*strides[2] + pattern[j*each+l] + j*col
}
return -1`,
		note: "sizes, strides and the largest offset without pattern and col are in [0, 2³¹). pattern, each and col are as in resolve.",
		keys: []key{byIndex},
		rows: []row{{level: avx2Level, indices: bothIndices, body: resolveTriples}},
	},
	{
		name: "gather", asked: true, names: "gather{elem}{index}",
		sig: "func(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, rows, cols int, stream bool) int",
		loop: `
for range rows {
	for j := range cols {
		k := indices[j], plus size if it is negative
		if uint(k) >= uint(size) { return where the step began }
		dst[j] = table[k]
	}
	dst, table, indices = the next rows, so many bytes on
}
return -1`,
		note: `Narrow elements are gathered with their neighbours, four bytes at a time. A dst that is to be streamed is
aligned to its elements; only those of 4 and 8 bytes are streamed, and none on arm64.`,
		keys: []key{byWidth, byIndex},
		rows: []row{
			{level: avx512Level, trait: fastGather, elems: "X8", indices: bothIndices, when: "size >= 4", body: gather},
			{level: avx512Level, trait: fastGather, elems: "X16", indices: bothIndices, when: "size >= 2", body: gather},
			{level: avx512Level, trait: fastGather, elems: "X32 X64", indices: bothIndices, body: gather},
			{level: avx2Level, trait: fastGather, elems: "X8", indices: bothIndices, when: "size >= 4", body: gather},
			{level: avx2Level, trait: fastGather, elems: "X16", indices: bothIndices, when: "size >= 2", body: gather},
			{level: avx2Level, trait: fastGather, elems: "X32 X64", indices: bothIndices, body: gather},
			{level: neon, elems: allWidths, indices: bothIndices},
		},
	},
	{
		name: "gatherColumns", asked: true, names: "gatherColumns{elem}{index}",
		sig: "func(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, step, rows, cols int, stream bool) int",
		loop: `
for range rows {
	for j := range cols {
		k := indices[j], plus size if it is negative
		if uint(k) >= uint(size) { return where the step began }
		dst[j] = table[k*step+j]
	}
	dst, table, indices = the next rows, so many bytes on
}
return -1`,
		note: `A dst that is to be streamed is aligned to its elements; none is streamed on arm64.`,
		keys: []key{byWidth, byIndex},
		rows: []row{
			{level: avx512Level, trait: fastGather, elems: "X64", indices: "I64", when: stepOf31Bits, body: gatherColumns},
			{level: avx512Level, trait: fastGather, elems: "X64", indices: "I32", when: placesOf31Bits, body: gatherColumns},
			{level: avx512Level, trait: fastGather, elems: "X32", indices: bothIndices, when: placesOf31Bits, body: gatherColumns},
			{level: avx2Level, trait: fastGather, elems: "X64", indices: "I64", when: stepOf31Bits, body: gatherColumns},
			{level: avx2Level, trait: fastGather, elems: "X64", indices: "I32", when: placesOf31Bits, body: gatherColumns},
			{level: avx2Level, trait: fastGather, elems: "X32", indices: bothIndices, when: placesOf31Bits, body: gatherColumns},
			{level: neon, elems: allWidths, indices: bothIndices, when: "uint(step) <= (1<<32-1)/uint(width)"},
		},
	},
	{
		name: "gatherPattern", asked: true, names: "gatherPattern{elem}{index}", step: 16,
		sig: "func(dst, table, indices *byte, n, size, step, at, limit int, pattern *int32) int",
		loop: `
for p := 0; p < n; p += lanes {
	if any of indices[p:p+lanes], wrapped, is not below size { return p }
	places := at + wrapped*step + pattern[p:p+lanes]
	if any of places is not below limit { return p }
	dst[p:p+lanes] = table[places]
}
return -1`,
		note: `A step has 16 lanes, 8 of elements of 8 bytes. limit is how many elements the table has, at least 4 bytes. Places
are of 32 bits, unless elements and indices have 8 bytes. AVX2 is left out: with half as many lanes it is as fast as
loads one by one.`,
		keys: []key{byWidth, byIndex},
		rows: []row{
			{level: avx512Level, trait: fastGather, elems: "X8 X16 X32 X64", indices: bothIndices, body: gatherPattern},
		},
	},
	{
		name: "gatherFew", asked: true, names: "gatherFew{elem}{index}",
		sig: "func(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, step, rows, cols int) int",
		loop: `
for range rows {
	for j := range cols {
		k := indices[j], plus size if it is negative
		if uint(k) >= uint(size) { return where the step began }
		dst[j] = table[k*step+j]
	}
	dst, table, indices = the next rows, so many bytes on
}
return -1`,
		note: "step is in bytes.",
		keys: []key{byWidth, byIndex},
		rows: []row{
			{level: avx512Level, trait: vbmi, elems: "X8", indices: bothIndices, when: entriesFew, body: gatherFew},
			{level: avx512Level, elems: "X16 X32 X64", indices: bothIndices, when: entriesFew, body: gatherFew},
		},
	},
	{
		name: "gatherTable", asked: true, names: "gatherTable{elem}{index}",
		sig: "func(dst, table, indices *byte, dstRow, tableRow, indicesRow, size, rows, cols, entries int, pattern *byte, advance int) int",
		loop: `
for range rows {
	registers := table[:entries]
	for j := range cols {
		k := indices[j], plus size if it is negative
		if uint(k) >= uint(size) { return where the step began }
		dst[j] = registers[k+pattern[j]]
	}
	dst, table, indices = the next rows, so many bytes on
}
return -1`,
		note: "advance is the bytes of a number of the pattern, or 0 if there is none.",
		keys: []key{byWidth, byIndex},
		rows: []row{
			{level: avx512Level, trait: vbmi, elems: "X8", indices: bothIndices, when: entriesFit, body: gatherTable},
			{level: avx512Level, elems: "X16 X32 X64", indices: bothIndices, when: entriesFit, body: gatherTable},
			// A vector at least, and eight at most: four where indices of 64 bits take longer to narrow.
			{level: neon, elems: "X8", indices: "I32", when: "advance == 0 && 16 <= size && size <= 128"},
			{level: neon, elems: "X8", indices: "I64", when: "advance == 0 && 16 <= size && size <= 64"},
		},
	},
	{
		name: "gatherOffsets", names: "gatherOffsets{elem}", sig: "func(dst, src *byte, at int, offsets *int, n int)",
		loop: `
for j := range n { dst[j] = src[at+offsets[j]] }`,
		note: "at is in bytes.",
		keys: []key{byWidth},
		rows: []row{{level: avx2Level, elems: allWidths, body: gatherOffsets}, {level: neon, elems: allWidths}},
	},
	{
		name: "gatherEach", asked: true, names: "gatherEach{elem}{index}",
		sig: "func(dst, table, indices *byte, dstGap, tableRow, indicesGap, size, rows, cols, ahead, pace int) int",
		loop: `
for i := range rows {
	for j := range cols {
		k := indices[j]
		if k < 0 { k += size }
		if uint(k) >= uint(size) { return i*cols + j }
		dst[j] = table[k]
	}
	dst, table, indices = the next rows
}
return rows*cols`,
		note: "There is at least one element. Gaps are what lies between two rows. They and tableRow are in bytes. What is prefetched begins ahead bytes after a row's table, and moves on by pace bytes with four elements. Without it pace is 0, or negative for a table beyond the first-level cache.",
		keys: []key{byWidth, byIndex},
		rows: []row{{level: avx2Level, elems: upToX64, indices: bothIndices, body: gatherEach}},
	},
	{
		name: "gatherEachColumns", asked: true, names: "gatherEachColumns{elem}{index}",
		sig: "func(dst, table, indices *byte, dstGap, tableGap, indicesGap, size, step, rows, cols, ahead, dstAhead int) int",
		loop: `
for i := range rows {
	for j := range cols {
		k := indices[j]
		if k < 0 { k += size }
		if uint(k) >= uint(size) { return i*cols + j }
		dst[j] = table[k*step+j]
	}
	dst, table, indices = the next rows
}
return rows*cols`,
		note: "There is at least one element. Gaps are what lies between two rows. They and step are in bytes. Indices are prefetched ahead bytes after those in use, and dst dstAhead bytes.",
		keys: []key{byWidth, byIndex},
		rows: []row{{level: avx2Level, elems: upToX64, indices: bothIndices, body: gatherEachColumns}},
	},
	{
		name: "gatherPairs", asked: true, names: "gatherPairs{elem}{index}", step: 16,
		sig: "func(dst, src *byte, at int, pairs *byte, row, n int, sizes, strides *int, last int) int",
		loop: `
for j := 0; j < n; j += step {
	x, y := pairs[(j+l)*row], wrapped in sizes[0], and pairs[(j+l)*row+1], wrapped in sizes[1], in every lane l
	if any of them is not below its size { return j }
	dst[j+l] = src[at+x*strides[0]+y*strides[1]]
}
return -1`,
		note: "at and row are in bytes; sizes are in [0, 2³¹), strides in [0, 2³²). last is the largest offset.",
		keys: []key{byWidth, byIndex},
		rows: []row{
			{level: avx512Level, trait: fastGather, elems: upToX64, indices: bothIndices, when: "row == 2*index && 3 <= last && last < 1<<31", body: gatherPairsWide},
			{level: avx2Level, elems: upToX64, indices: bothIndices, body: gatherPairs},
		},
	},
	{
		name: "gatherRows", names: "gatherRows", sig: "func(dst, src *byte, at int, offsets *int, n, shift, bytes, dstRow, ahead int, stream bool)",
		loop: `
for i := range n {
	copy(dst[:bytes], src[at+offsets[i]<<shift:])
	dst = the next row
}`,
		note: "The row that is so far ahead is prefetched. gatherRowsNEON prefetches nothing. Nothing is streamed on arm64.",
		keys: []key{byFar},
		rows: []row{
			{level: avx512Level, body: gatherRows},
			{level: avx2Level, body: gatherRows},
			{level: neon},
			{level: neon, names: "gatherRowsAhead"},
		},
	},
	{
		name: "scatter", names: "scatter{elem}", sig: "func(dst *byte, at int, offsets *int, updates *byte, n int)",
		loop: `
for j := range n { dst[at+offsets[j]] = updates[j] }`,
		note: "at is in bytes.",
		keys: []key{byWidth},
		rows: []row{{level: avx2Level, elems: allWidths, body: scatter}, {level: neon, elems: allWidths}},
	},
	{
		name: "scatterRows", names: "scatterRows", sig: "func(dst *byte, at int, offsets *int, updates *byte, n, shift, bytes, updatesRow, ahead int)",
		loop: `
for i := range n {
	copy(dst[at+offsets[i]<<shift:], updates[:bytes])
	updates = the next row
}`,
		note: "at and updatesRow are in bytes. The row that is so far ahead is prefetched.",
		rows: []row{{level: avx2Level, body: setRows}, {level: neon}},
	},
	{
		name: "scatterEach", names: "scatterEach{elem}{index}",
		sig: "func(dst, indices, updates *byte, dstRow, indicesGap, updatesGap, size, rows, cols, ahead, pace int) int",
		loop: `
for i := range rows {
	for j := range cols {
		k := indices[j]
		if k < 0 { k += size }
		if uint(k) >= uint(size) { return i*cols + j }
		dst[k] = updates[j]
	}
	dst, indices, updates = the next rows
}
return rows*cols`,
		note: "There is at least one element. Gaps are what lies between two rows. They and dstRow are in bytes. What is prefetched is as of gatherEach.",
		keys: []key{byWidth, byIndex},
		rows: []row{{level: avx2Level, elems: upToX64, indices: bothIndices, body: scatterEach}},
	},
	{
		name: "combine", names: "scatter{op}{elem}", sig: "func(dst *byte, at int, offsets *int, updates *byte, n int)",
		loop: `
for j := range n { dst[at+offsets[j]] = op(dst[at+offsets[j]], updates[j]) }`,
		note: `at is in bytes. op is +, *, and for Min and Max cell < update ? cell : update and the like; here and below it rounds
once, to nearest even.`,
		keys: []key{byOp, byKind},
		rows: []row{
			{level: avx2Level, ops: allOps, elems: "F32 F64 I8 I16 I32 I64", body: scatterCells},
			{level: avx2Level, ops: allOps, elems: "F16 BF16", body: scatterHalves},
			{level: avx2Level, ops: "Min Max", elems: unsigned, body: scatterCells},
			{level: avx2Level, ops: "Sum", elems: "C64", body: scatterCells},
			{level: neon, ops: allOps, elems: "F32 F64 I8 I16 I32 I64 F16 BF16"},
			{level: neon, ops: "Min Max", elems: unsigned},
		},
	},
	{
		name: "combineEach", asked: true, names: "scatter{op}Each{elem}{index}",
		sig: "func(dst, indices, updates *byte, dstRow, indicesGap, updatesGap, size, rows, cols, ahead, pace int) int",
		loop: `
for i := range rows {
	for j := range cols {
		k := indices[j]
		if k < 0 { k += size }
		if uint(k) >= uint(size) { return i*cols + j }
		dst[k] = op(dst[k], updates[j])
	}
	dst, indices, updates = the next rows
}
return rows*cols`,
		note: "As for scatterEach. There are no products.",
		keys: []key{byOp, byKind, byIndex},
		rows: []row{
			{level: avx2Level, ops: ordered, elems: "F32 F64 I8 I16 I32 I64 F16 BF16", indices: bothIndices, body: scatterCellsEach},
			{level: avx2Level, ops: "Min Max", elems: unsigned, indices: bothIndices, body: scatterCellsEach},
		},
	},
	{
		name: "combineRows", names: "scatterRows{elem}",
		sig: "func(dst *byte, at int, offsets *int, updates *byte, n, updatesRow, cols, ahead int, by uint8)",
		loop: `
for i := range n {
	for j := range cols { dst[at+offsets[i]+j] = op(dst[at+offsets[i]+j], updates[j]) }
	updates = the next row
}`,
		note: `at and updatesRow are in bytes. A row has 16 bytes or more. by is op, or unsignedMin and unsignedMax. The
row of dst that is so far ahead is prefetched. On arm64 nothing is, and each operation has a body.`,
		keys: []key{byOp, byKind},
		rows: slices.Concat(combinedRows(avx512Level), combinedRows(avx2Level), []row{
			{level: neon, ops: allOps, elems: "F32 F64 I8 I16 I32 I64 F16 BF16", names: "scatter{op}Rows{elem}"},
			{level: neon, ops: "Min Max", elems: unsigned, names: "scatter{op}Rows{elem}"},
		}),
	},
	{
		name: "count", names: "count{elem}", sig: "func(counts *byte, at int, offsets *int, n, by int)",
		loop: `
for j := range n { counts[at+offsets[j]] += by }`,
		note: "at is in bytes.",
		rows: []row{{level: avx2Level, elems: "X32", body: count}},
	},
	{
		name: "scatterWords", names: "scatterWords{elem}", sig: "func(words *byte, at int, offsets *int, updates *byte, n, unit int)",
		loop: `
for j := range n { words[at+offsets[j]] += int64(updates[j]) + unit }`,
		note: "words are int64. at is in bytes.",
		keys: []key{byKind},
		rows: []row{{level: avx2Level, elems: "I8 U8 I16 U16 I32 U32", body: scatterWords}},
	},
	{
		name: "divide", names: "divide{elem}", sig: "func(dst, sums *byte, n, count int)", step: 8,
		loop: `
for j := range n { sum := sums[j]; sums[j] = 0; dst[j] = sum / count }`,
		note: "sums may be dst.",
		keys: []key{byKind},
		rows: []row{{level: avx2Level, elems: "F32 F64 F16 BF16", body: divide}},
	},
	{
		name: "divideCounted", names: "divideCounted{elem}", sig: "func(dst, sums, counts *byte, n, init int)", step: 8,
		loop: `
for j := range n {
	if sum, count := sums[j], counts[j]; count > 0 {
		sums[j], counts[j] = 0, 0
		dst[j] = sum / (count + init)
	}
}`,
		note: "sums may be dst.",
		keys: []key{byKind},
		rows: []row{{level: avx2Level, elems: "F32 F64 F16 BF16", body: divideCounted}},
	},
	{
		name: "divideWide", names: "divideWide{elem}", sig: "func(dst, sums, counts *byte, n, each, init, shift, half int) int", step: 8,
		loop: `
for j := range n {
	sum, count := sums[j], counts[j*each]
	if half > 0 { // sums[j] is sum + count<<shift
		count = uint64(sum+half) >> shift
		sum -= count<<shift
	}
	if count > 0 {
		if init == 1 { sum += dst[j] }
		if any |sum| of a step is 1<<51 or more, or wraps { return where the step began }
		sums[j], counts[j*each] = 0, 0 if each == 1
		dst[j] = floor(float64(sum) / float64(count+init))
	}
}
return n`,
		note: `sums are int64. The quotient of a sum below 1<<53 is never rounded up to an integer. each is 1, or 0 for one count that
all cells share, which is not 0. half is 0 or 1<<(shift-1). Of 64 bits shift and half are 0.`,
		keys: []key{byKind},
		rows: []row{{level: avx2Level, elems: "I8 U8 I16 U16 I32 U32 I64 U64", body: divideWide}},
	},
	{
		name: "prefetch", names: "prefetch", sig: "func(p *byte, bytes int)",
		loop: `
for i := 0; i < bytes; i += 64 { prefetch p[i] }`,
		rows: []row{{level: avx2Level, body: prefetchRow}, {level: neon}},
	},
	{
		name: "copyRows", names: "copyRows", sig: "func(dst, src *byte, dstRow, srcRow, rows, bytes, distance int, stream bool)",
		loop: `
for range rows {
	copy(dst[:bytes], src)
	dst, src = the next rows
}`,
		note: "distance is the prefetch distance in src, in bytes. On arm64 nothing is prefetched or streamed.",
		rows: []row{{level: avx512Level, body: copyRows}, {level: avx2Level, body: copyRows}, {level: neon}},
	},
	{
		name: "copyLong", asked: true, names: "copyLong", sig: "func(dst, src *byte, bytes int)",
		loop: `
copy(dst[:64], src)
copy(dst[64:bytes], src[64:]) // from where dst is aligned on, by REP MOVSB`,
		note: "bytes is at least 64, and no byte of src is in dst, unless it is at the same place.",
		rows: []row{{level: avx2Level, trait: fastMovs, body: copyLong}},
	},
	{
		name: "copyEvery", names: "copyEvery{op}{elem}", sig: "func(dst, src *byte, dstRow, srcRow, rows, bytes int)",
		loop: `
for range rows {
	for j := range bytes/width { dst[j] = src[step*j] }
	dst, src = the next rows, so many bytes on
}`,
		note: "bytes is more than 16. The step is in the name.",
		keys: []key{byStep, byWidth},
		rows: []row{{level: neon, ops: "2 3 4", elems: upToX32}},
	},
	{
		name: "copyTransposed", asked: true, names: "copyTransposed{elem}", sig: "func(dst, src *byte, dstRow, step, rows, cols, ahead int)",
		loop: `
for i := range rows {
	for j := range cols { dst[i*dstRow+j] = src[i+j*step] }
}`,
		note: "dstRow, step and ahead are in bytes. There are 16 bytes of rows at least, and as many columns, or 8.\nColumns so far ahead are prefetched, if it is not 0; one of -1 makes tiles narrow.",
		keys: []key{byWidth},
		rows: []row{{level: avx2Level, elems: upToX64, body: copyTransposed}},
	},
	{
		name: "copyReversed", names: "copyReversed{elem}", sig: "func(dst, src *byte, dstRow, srcRow, rows, bytes int)",
		loop: `
for range rows {
	for j := range bytes/width { dst[bytes/width-1-j] = src[j] }
	dst, src = the next rows, so many bytes on
}`,
		note: "bytes is 16 at least.",
		keys: []key{byWidth},
		rows: []row{{level: avx2Level, elems: upToX64, body: copyReversed}, {level: neon, elems: upToX64}},
	},
	{
		name: "copyThrees", names: "copyThrees{elem}", sig: "func(dst, src *byte, rows int)",
		loop: `
for i := 0; i < 3*rows; i += 3 { dst[i], dst[i+1], dst[i+2] = src[i+2], src[i+1], src[i] }`,
		keys: []key{byWidth},
		rows: []row{{level: neon, elems: upToX32}},
	},
	{
		name: "copySpaced", asked: true, names: "copySpaced{elem}", sig: "func(dst, src *byte, dstRow, srcRow, rows, bytes, step int)",
		loop: `
for range rows {
	for j := range bytes/width { dst[j] = what lies step*j bytes from src }
	dst, src = the next rows, so many bytes on
}`,
		keys: []key{byWidth},
		rows: []row{{level: avx2Level, elems: upToX64, body: copySpaced}, {level: neon, elems: upToX64}},
	},
	{
		name: "copySteps", names: "copySteps{elem}",
		sig: "func(dst, src *byte, dstRow, srcRow, rows, bytes, step int, entry *byte, windows, made, move, distance int, stream bool)",
		loop: `
for range rows {
	for d, s, left := dst, src, bytes; left > 0; left -= made {
		copy(d[:made], the entry's permutation of s)
		d, s = d[move:], s[move*step:]
	}
	dst, src = the next rows
}`,
		note: `made is how many bytes a step makes: all of a vector, or of larger steps its lower part; bytes is no less. move is
made, or -made to go down from the last step of a row, so that a reversed source is read upwards. The last step
to be made is moved back into the row, and overlaps the one before. distance is the prefetch distance in src, in bytes. On arm64
made is 16, windows is how many the entry uses, and nothing is prefetched or streamed.`,
		keys: []key{byPermuter},
		rows: permuted(copySteps),
	},
	{
		name: "copyPeriods", names: "copyPeriods{elem}",
		sig: "func(dst, src *byte, steps int, entries *byte, windows, period, advance int, stream bool)",
		loop: `
for i := range steps {
	copy(dst, entries[i%period]'s permutation of src)
	dst = the next vector
	if (i+1)%period == 0 { src = src[advance:] }
}`,
		note: `A dst that is to be streamed is aligned to 64 bytes. On arm64 windows is how many an entry uses at most, and none is
streamed.`,
		keys: []key{byPermuter},
		rows: permuted(copyPeriods),
	},
	{
		name: "copyTriples", names: "copyTriplesX8", sig: "func(dst, src *byte, steps int, entries *byte, advance int)",
		loop: `
for range steps {
	for v := range 3 {
		windows := two vectors of 16 at src + entries[v].windows[:]
		dst[:16] = the bytes of the windows at entries[v].places[:16]
		dst = 16 bytes on
	}
	src = advance bytes on
}`,
		rows: []row{{level: neon}},
	},
}

// combinedRows is the rows of combineRows on amd64.
func combinedRows(level string) []row {
	return []row{
		{level: level, asks: "Sum Prod Min Max UMin UMax", elems: "I8 I16 I32 I64", body: scatterRows},
		{level: level, asks: allOps, elems: "F32 F64 F16 BF16", body: scatterRows},
	}
}

// permuted is the rows of copies that permute; permuters has the same in this order.
func permuted(make func(g *gen, b body)) []row {
	return []row{
		{level: avx512Level, elems: "X32", body: make},
		{level: avx512Level, trait: vbmi, elems: "X8", body: make},
		{level: avx2Level, elems: "X8", body: make},
		{level: neon, elems: "X8"},
	}
}

// bodiesOf returns the bodies of a family that an architecture has, in the order of their
// files: by operation, element, index and level, the least capable first.
func (f *family) bodiesOf(arch arch) []body {
	var all []body
	for i, r := range f.rows {
		if !slices.Contains(arch.levels, r.level) {
			continue
		}
		if r.names == "" {
			r.names = f.names
		}
		for _, op := range words(r.ops) {
			for _, elem := range words(r.elems) {
				for _, index := range words(r.indices) {
					known := []string{"{op}", op, "{elem}", elem, "{index}", index}
					if elem != "" {
						width := bytesOf(elem)
						known = append(known, "{lanes}", strconv.Itoa(64/width), "{entries}", strconv.Itoa(tableEntries[width]))
					}
					fill := strings.NewReplacer(known...)
					b := body{f, r, fill.Replace(r.names) + r.level, elem, index, op, i}
					b.when = fill.Replace(r.when)
					all = append(all, b)
				}
			}
		}
	}
	place := func(list, what string) int { return strings.Index(" "+list+" ", " "+what+" ") }
	const elems = "X8 X16 X32 X64 X128 F32 F64 I8 U8 I16 U16 I32 U32 I64 U64 F16 BF16 C64"
	slices.SortStableFunc(all, func(a, b body) int {
		for _, d := range []int{
			place("Sum Prod Min Max 2 3 4", a.op) - place("Sum Prod Min Max 2 3 4", b.op),
			place(elems, a.elem) - place(elems, b.elem),
			place(bothIndices, a.index) - place(bothIndices, b.index),
			slices.Index(levelOrder, b.level) - slices.Index(levelOrder, a.level),
		} {
			if d != 0 {
				return d
			}
		}
		return 0
	})
	return all
}

// words splits a list. An empty one has one empty word, so that loops over it run.
func words(list string) []string { return strings.Split(list, " ") }

// An arch is a port with assembly.
type arch struct {
	name   string
	levels []string
}

var (
	amd64 = arch{"amd64", slices.DeleteFunc(slices.Clone(levelOrder), func(level string) bool { return level == neon })}
	arm64 = arch{"arm64", []string{neon}}
)
