package main

import "regexp"

// An equivalent is mutations that change nothing which anybody could see but time: they
// are left out of the sample and of the counts, each for a reason.
type equivalent struct {
	target, rule, where, change string // patterns, of the whole; "" for any
	reason                      string
}

var equivalents = []equivalent{
	// Prefetches, stores past the caches, and what only they use.
	{"amd64", "prefetch", "scatterX.*|scatter.*Rows.*|gatherRows.*|copyRows.*|prefetchAVX2", "", "the prefetched memory is of the arguments, so that a load is as good"},
	{"arm64", "prefetch", "SCATTER|prefetchNEON", "", "the prefetched memory is of the arguments, so that a load is as good"},
	{"amd64", "", "gatherColumns.*", `(MOVQ indicesRow\+40\(FP\), R\d+|SHLQ \$0x02, R\d+) → .*`, "where to prefetch"},
	{"amd64", "", "gatherRows.*|scatterRowsAVX2", `SHLXQ \w+, R9, R9 → .*|SUBQ (CX|DX), R9 → .*`, "where to prefetch"},
	{"amd64", "", "copyRows.*", `LEAQ \(\w+\)\(\w+\*1\), \w+ → .*|MOVQ distance.* → .*`, "where to prefetch"},
	{"amd64", "", "scatter.*Rows.*", `(MOVQ \$\+8, R8|LEAQ -1\(BX\), R10|CMPQ R8, R10|CMOVQGT R10, R8|MOVQ \(CX\)\(R8\*8\), R11|SUBQ DI, R11|SHLQ \$0x0[123], R11) → .*`, "where to prefetch"},
	{"amd64", "dropped|boundary|condition|parameter", ".*Each[XIUFB].*", `(MOVQ (ahead|pace)\+.*|ADDQ (AX|CX|R13), R12|TESTQ R13, R13|JLT far|JNZ fetch) → .*`, "where to prefetch"},
	{"amd64", "dropped|parameter", "gatherEachColumns.*", `MOVQ (ahead|dstAhead)\+.* → .*`, "where to prefetch"},
	{"amd64", "", "copySteps.*", `LEAQ \(SI\)\(R12\*1\), R11 → .*|LEAQ \(R8\)\(R14\*1\), R13 → .*|MOVQ distance.* → .*`, "where to prefetch"},
	{"amd64", "", "resolveI.*", `MOVQ distance.* → .*|ADDQ CX, (BX|SI) → .*`, "where to prefetch"},
	{"generator", "arithmetic", `gatherRegs\.prefetch|gatherRows`, `r\.lanes\*r\.index → .*|part - 1 → .*`, "where to prefetch"},
	{"amd64", "scale", "gatherRowsAVX512", `MOVQ \(DX\)\(CX\*8\), CX → MOVQ \(DX\)\(CX\*4\), CX.*`, "where to prefetch"},
	{"generator", "boundary|condition", "gatherRows", `part > 16 → .*`, "where to prefetch"},
	{"generator", "constant", "setRows", "0 → 1|1 → 2", "where to prefetch"},
	{"generator", "dropped", "offsetAhead", `g\.(ADDQ\(i, ahead\)|MOVQ\(indexed\(offsets, ahead, 8\), ahead\)|SHLXQ\(.*\)) → .*`, "where to prefetch"},
	{"arm64", "boundary", "ROWSAHEAD", "BGT rows → BGE rows", "no row is left"},
	{"arm64", "select", "ROWSAHEAD", "CSEL LT, R17, R15, R23 → CSEL LO, .*", "neither number has a sign"},
	{"arm64", "dropped", "ROWSAHEAD", "CMP R15, R17 → .*", "SUBS has set the same flags, and after whole rows R15 is right"},
	{"arm64", "shift", "ROWSAHEAD", `LSL \$3, R15, R25 → LSL \$2, .*`, "where to prefetch"},
	{"arm64", "dropped|register", "SETOFFSETS", `SUB R0, R21 → .*`, "where to prefetch"},
	{"generator", "dropped", `gen\.directRow`, `g\.(TESTQ\(pace, pace\)|(JLT|JNZ)\(LabelRef\("(far|fetch)"\)\)) → .*`, "where to prefetch"},
	{"generator", "dropped", "", `g\.Comment\(.*`, "a comment"},
	{"generator", "dropped", `transposer\.tiles`, `x\.(MOVQ\(x\.ahead|TESTQ|JZ|ADDQ|fours|PREFETCHT0)\(?.* → nothing`, "where to prefetch"},
	{"generator", "dropped", `copyTransposed`, `g\.(CMPQ\(x\.ahead|JEQ\().* → nothing`, "which of two ways with one result is the faster"},
	{"amd64", "dropped", "gather(X|Columns).*", "JEQ loop → nothing", "aligned first though nobody asked for it"},
	{"amd64", "dropped", "gather(X|Columns).*|copyPeriods.*", "(JNE|JNZ) stream → nothing", "stored by way of the caches"},

	// Tables in registers.
	{"amd64", "constant", "gatherTableX8.*", `MOVQ \$0x00000040, R\d+ → .*`, "BZHI by 65 keeps all 64 bits, as by 64"},
	{"amd64", "boundary", "gatherTable.*", "CMOVQLT .*", "the smaller of equal numbers, or of 0 and 0"},
	{"amd64", "boundary", "gatherTable.*", "JLE (small|smallJoined|loaded) → JLT .*", "more registers are looked at than the table needs, all masked"},
	{"amd64", "wrap", "gatherTable.*", `CMOVQLT DI, SI → nothing \(2\)`, "the count for the third register isn't negative: it is loaded for larger tables alone"},

	// Whole steps that are left to what is made of the rest.
	{"amd64", "boundary", "gather(X|Columns).*|(gather|copy)RowsAVX512", "JLT rest → JLE rest", "a partial step of all lanes is a whole one"},
	{"amd64", "boundary", "(gather|copy)Rows.*|scatterRowsAVX2", `JG parts\d+ → JGE .*`, "a row of 64 bytes is a part of 64 twice, or two of 32"},
	{"amd64", "shift", "divideWide.*", `VPSRLQ \$0x34, .* → .*`, "package generic has the same result"},
	{"amd64", "limit", "(gather|scatter).*Each.*AVX2", `CMPQ \w+, \$\+[48] → CMPQ \w+, \$[59]( \(\d\))?`, "a whole step's elements are taken one by one"},
	{"amd64", "unsigned compare", ".*EachX?.*I32AVX2", "JCC .* → JGE .*", "an index of 32 bits is loaded without its sign"},
	{"amd64", "limit", "gather(X|Columns|Table).*|(gather|copy)RowsAVX512", `CMPQ \w+, \$\+\d+ → .*`, "a partial step of all lanes is a whole one"},
	{"amd64", "boundary", "(gatherOffsets|gatherEach|scatter).*AVX2", "JLT rest → JLE rest|JGE loop → JGT loop", "a whole step's elements are taken one by one"},
	{"amd64", "dropped", "(gatherOffsets|scatter).*AVX2", "JGE loop → nothing", "whole steps' elements are taken one by one"},
	{"amd64", "dropped", "gather(X|Columns).*AVX2", "JMP loop → nothing", "whole steps' elements are taken one by one"},
	{"amd64", "dropped", "gatherX(8|16)I.*", `JMP loop → nothing \(2\)`, "nothing is left after a partial step"},
	{"amd64", "dropped", "gather(X|Columns).*AVX512", "JZ loop → nothing", "a partial step of no lanes"},
	{"amd64", "boundary", "copySteps.*", "JGE (loop|stream) → JGT .*", "the last step is made once more, moved back by nothing"},
	{"amd64", "step", "scatter.*RowsI32AVX512", `ADDQ \$\+64, R8 → .*`, "a partial step of no lanes"},
	{"arm64", "boundary|constant", "(PRODI64)?BY64", `BLT rest → BLE rest|CMP \$0, R4 → CMP \$1, R4`, "a whole step's elements are taken a vector at a time"},
	{"arm64", "arithmetic", "TABLE[234]|copyTriplesX8NEON", "VTBL .* → VTBX .*", "each byte is one of the table"},
	{"arm64", "boundary", "GATHER|SPACED|SCATTER", "BLT rest → BLE rest", "a whole step's elements are taken one by one"},
	{"arm64", "boundary|constant", "MOVEROWS", `BLT narrow[48] → BLE narrow[48]|CMP \$16, R22 → CMP \$17, R22`, "a row of 16 bytes or 8 is two halves, or one"},
	{"arm64", "select", "CELL(MIN|MAX)U(8|16)", "CSELW (LO|HI), .* → CSELW (LT|GT), .*", "numbers of 16 bits are positive in 32"},
	{"arm64", "arithmetic", "KEEPF16", "VUZP1 .* → VUZP2 .*", "both halves of what a comparison of 32 bits leaves are the same"},
	{"arm64", "arithmetic", "COLUMN.*", "UMADDL .* → SMADDL .*", "no index has a sign, and steps of 2 GiB are in no test"},
	{"arm64", "boundary", "prefetchNEON", "BGT loop → BGE loop", "a prefetch beyond the end is none"},
	{"arm64", "boundary", "ROWS", "BGE whole → BGT whole", "the last vector has been made before, and is stored last"},
	{"arm64", "arithmetic", "STORE(8|16)", "ORR .* → EOR .*", "the bits of one are not set in the other"},
	{"arm64", "constant", "gatherTableX8I64NEON", `VMOVI \$(64|0), .*`, "its tables have no more than 64 entries"},
	{"arm64", "boundary", "OFFSETS|THREES|CELLS|SCATTER|PRODI64BY64|SPACED|STEPS", "BGE loop → BGT loop", "a whole step's elements are taken one by one"},

	// What the next step writes again, or has to read anyway.
	{"amd64", "wider", "gatherOffsets.*", `MOV[BWL] \w+, [1248]?\(AX\) → \w+ \w+, [1248]?\(AX\)`, "the elements behind are written next"},
	{"amd64", "wider", "gatherEach.*", `MOV[BWL] \w+, [1248]\(AX\) → .*|(MOV\w+) \(CX\)\((\w+)\*1\), \w+ → MOV[LQ] \(CX\)\(\w+\*1\), \w+`, "the elements behind are written next, or there"},
	{"amd64", "wider", "scatterX.*", `MOV\w+ [1248]?\(DX\), \w+ → \w+ [1248]?\(DX\), \w+`, "the updates behind are there"},

	// Numbers that can't be, and bits that nobody looks at.
	{"amd64", "boundary", "copySteps.*", "JGT (above|aligned|back) → JGE .*", "a step never moves by 0"},
	{"amd64", "arithmetic", "gatherColumns.*", "VPADDD .* → VPADDQ .*", "lanes of 32 bits below 2³¹ carry nothing into the next"},
	{"amd64", "arithmetic", "scatterSum.*BF16.*", "VPADDD .* → VPADDQ .*", "the lower half of what is rounded is 0 if it is a NaN, and nothing else is large enough to carry"},
	{"amd64", "unsigned compare", "gatherX(8|16).*", `VPMINUD (Y0, Y2, Y3|Z1, Z2, Z3|Z2, Z3, Z4) → .*`, "neither a checked index nor the last place has a sign"},
	{"amd64", "boundary", "prefetchAVX2", "JG .* → JGE .*", "a prefetch beyond the end is none"},
	{"amd64", "unsigned compare", "scatter(Min|Max)U(8|16)AVX.*", "CMOVL.*", "numbers of 16 bits are positive in 32"},
	{"amd64", "boundary", "scatter(Min|Max)(Rows|Each)?[IU](8|16|32|64)(I32|I64)?AVX.*", "CMOV([QL])LT .* → CMOV[QL]LE .*", "equal integers are one"},
	{"amd64", "constant|dropped", "", `DATA lowParts\d+<>\+8.*`, "the first eight bytes of what is shuffled are stored"},
	{"amd64", "mask", "gather(X|Columns).*", `ANDQ \$0x3f, .*`, "elements of 4 bytes or 8 lie at even addresses"},
	{"amd64", "limit", "copySteps.*", `CMPQ move\+80\(FP\), .*`, "a step never moves by 0 or 1"},
	{"amd64", "wrap|dropped|constant|predicate|register|operands|arithmetic", "scatterSum.*BF16.*", `VBLENDVPS .* → nothing|VPOR .*|VPORD .*`, "a NaN is quiet after the addition, and its lower half is 0: rounding leaves it as it is"},
	{"amd64", "constant", "scatterSum.*BF16.*", `MOVL \$0x00(00|40)00(40|00), .*`, "the payload of a NaN that arithmetic makes is anything"},
	{"arm64", "arithmetic", "MOVEROWS", `LSR \$1, R22, R5 → ASR .*`, "a count of bytes has no sign"},
	{"arm64", "wider|arithmetic", "BITSBF16", `FMOVS F0, R13 → .*|LSR \$16, R13 → ASR .*`, "the upper half of F0 is above what is stored"},
	{"generator", "logic", `avx512\.gatherConstants`, `!r\.whole\(\) && r\.elem < 4 → .*`, "a constant that nothing reads"},
	{"generator", "boundary", "constantsOf", `f\.step > 0 → .*`, "a constant that nothing reads"},
	{"generator", "last wins", `gen\.fours`, "", "each of four elements is stored on its own"},
	{"generator", "logic", `gatherRegs\.loop`, `r\.columns \|\| .*`, "where to prefetch"},
	{"generator", "boundary", `gatherBody\.streams`, "", "whether stores of 4 bytes can go past the caches"},
	{"generator", "check", `family\.bodiesOf`, "d != 0 → .*", "the order of the bodies in the files"},
	{"generator", "condition", `chooser\.over`, `len\(keys\) > 1 → .*`, "whether a clause that has no body returns, or what stands behind it"},
	{"generator", "boundary", "divideWide", "elem < 4 → elem <= 4", "dwords are shuffled to where they are"},
	{"root", "boundary", "combine", `cols < 1 → .*`, "one column is combined another way, with one result"},
	{"root", "constant", "copyWindow", `0 → 1.*`, "one row or one column is copied another way, with one result"},
	{"root", "boundary", "equal", `n\+8 <= len\(x\) → .*`, "the last eight are compared one by one"},
	{"root", "boundary|dropped", "reduceRuns", `n < 8\*dispatch.* → .*|n \*= t\.rows → .*`, "which of two ways, with one result"},
	{"root", "constant|last wins", "inRuns", `(2 → 3|16 → 17).*|for k := .*`, "which of two ways, with one result"},
	{"root", "boundary", `gatherCall\.resolvedRows`, "i < c.rows → i <= c.rows", "a block of no rows"},
	{"root", "arithmetic", `gatherCall\.joined`, `done \* c\.cols → .*`, "a bad index is looked for from there on"},
	{"root", "boundary|constant", "gatherColumnsPiece", `uint\(step\) < 1<<31 → .*|31 → 32( \(\d\))?`, "a table with a step of 1<<31 has 8 GiB"},
	{"root", "unsigned compare", "resolves|inside", `uint\((size|at)\) .*`, "no size is negative, and no place that is not below low"},
	{"root", "unsigned compare", "gatherColumnsPiece", `uint\(step\) .*31( \([2-6]\))?`, "a negative step's products have a sign in 32 bits, but for tables of 8 GiB"},
	{"root", "last wins", "resolveTuples", "for (i|k) := range n → .*", "the race detector is told of each on its own, and the least and the largest have no order"},
	{"generic", "last wins", "Copy|copyTurned", "for (i := range rows|j := range cols) → .*", "each row is copied on its own"},
	{"generic", "constant", `Slice\.span`, `0 → 1 \([456]\)`, "what comes with an error is not looked at"},
	{"kernels", "constant", `view\.sliced`, `0 → 1 \([23]\)`, "what comes with an error is not looked at"},
	{"kernels", "check|arithmetic", `call\.maskCost`, "", "how many workers a call has"},
	{"kernels", "constant", "slicedRange", `0 → 1 \(12\)`, "where a slice of nothing begins"},
	{"kernels", "constant", `cacheWrite\.copy`, "3 → 4", "room that is not used"},
	{"generic", "constant", "integers", `0 → 1 \(5\)`, "0 is 0 whether it was signed or not"},

	// Speed alone.
	{"root", "boundary", `Memory\.has`, `uint\(n\) <= .*`, "the last elements are left to package generic"},
	{"root", "condition|arithmetic", "gatherColumnsPiece", `\(size-1\).* → .* >= .*|on\.traits&.*`, "which of two bodies with one result is the faster, but for tables of 8 GiB"},
	{"root", "check", ".*Piece", `on\.level >= dispatch\.AVX512 → .*`, "the body of AVX2 has the same result"},
	{"root", "check", ".*Piece", `on\.level < dispatch\.AVX2 → .*`, "the body of AVX2 has the same result, but on a CPU without it: .ci/run emulates one"},
	{"root", "condition", `permutations\.fill`, `key\.pattern\.step == 1 → .*`, "which of two ways with one result is the faster"},
	{"root", "check", "scatterReduce", "Sum <= op .*", "package generic has the same result"},
	{"root", "last wins", "resolveTuples", "for t := range k .*", "what is shown to the race detector"},
	{"root", "", "prefetched|repeats", "", "what is prefetched"},
	{"root", "constant|dropped", "gatherTuples", `2 → 3 \(2\)|done \+= bad → .*`, "what a body has not set is set in two steps"},
	{"root", "check", "gather(Columns)?Piece", `(size >= .*|uint\(step\) .*) → false && .*`, "another form has the same result"},
	{"root", "dropped", `gatherCall\.pieces`, `bad, ok = (gather(Columns)?Piece|p\.(each|resolved))\(.*`, "another form has the same result"},
	{"root", "dropped", "gatherRows", "ok = gatherElements.*", "package generic has the same result"},
	{"root", "constant|condition", "gathers|copies", "", "what a measurement moves"},
	{"root", "condition", "gatherTablePiece", `on\.traits&dispatch\.VBMI .*`, "which of two ways with one result, but on a CPU without it: .ci/run emulates one"},
	{"root", "check", `CheckRaw|copyCall\.stridesBy`, `!ok → .*`, "each level that has bodies has this one"},
	{"root", "logic", `copyCall\.run`, `c\.steps\(\) \|\| .*`, "which of ways with one result is the fastest"},
	{"root", "result", "upTo", "true → false", "which of two ways with one result is the faster"},
	{"root", "min and max", `copyCall\.stepsBy`, `max\((srcRow, -srcRow|c\.step, -c\.step)\) → .*`, "what is prefetched, or which way is the faster"},
	{"root", "boundary", "inside", `uint\(at\) < uint\(n\) → .*`, "nothing fits behind the last element, as what follows says too"},
	{"root", "boundary", "ResolvePatternRaw", `len\(pattern\) >= n → .*|n >= minIndices → .*`, "which of two ways with one result is the faster"},
	{"root", "condition|dropped", `tables\.blocks|CheckRaw`, `t\.op != generic\.Replace → t\.op == generic\.Replace \(2\)|touchMemory.* → nothing`, "what the race detector is told: .ci/run has it"},
	{"root", "boundary", "(gather|check|combineRows)Piece", `on\.level >= dispatch\.AVX512 → .*`, "the body of AVX2 has the same result"},
	{"root", "boundary", "combineRowsPiece", `on\.level < dispatch\.AVX2 → .*`, "package generic has the same result"},
	{"root", "boundary", "gatherTablePiece", "cols >= .*|entries <= .*", "another form has the same result"},
	{"root", "boundary", `\w+Runs`, `on\.level >= dispatch\.AVX2 → .*`, "another form has the same result"},
	{"root", "condition", "gather", "rows > 0 → rows <= 0", "package generic has the same result"},
	{"root", "check", "CheckRaw", "j == n → .*", "nothing is left to check"},
	{"root", "condition|check", `copyCall\.stepsBy`, `distance > 64 → .*|made < minMade\*c\.width → .*`, "which of two ways with one result is the faster"},
	{"root", "min and max", "span", `max\(high, s\) → .*`, "no permutation is made, and another way has the same result"},
	{"generic", "check", `Cells\[T, S, C\]\.next`, `c\.Cols == 1 && .*`, "which of two ways with one result is the faster"},
	{"root", "check", `permutations\.fill`, "key.by == lookUpBytes .*", "which of two ways with one result is the faster"},
	{"root", "check", "gather(Columns)?Piece", `on\.level >= dispatch\.AVX512 && .*`, "the body of AVX2 has the same result"},
	{"root", "check", "gatherTablePiece", `entries <= .* → false && .*`, "another form has the same result"},
	{"root", "check", "permuterOf", `on\.level >= dispatch\.AVX512 && on\.traits.* → false && .*`, "another way to permute has the same result"},
	{"root", "boundary", "CheckRaw", "n-j >= checkStep → .*", "the last step is left to package generic"},
	{"root", "boundary", "copyWindow", "cols <= 0 → cols < 0", "nothing is copied"},
	{"root", "", `copyCall\.shortReversed`, "", "which of two ways with one result is the faster"},
	{"root", "boundary", `gatherCall\.joins|copyCall\.stride`, `c\.cols < 2\*max.*|n\*c\.cols < .*|4\*c\.cols < .*|step > 4 → .*`, "which of two ways with one result is the faster"},
	{"root", "logic", `Memory\.apart`, "", "package generic has the same result"},
	{"root", "result", `copyCall\.(run|crossed)`, "true → false", "package generic does it again"},
	{"root", "boundary|logic", `copyCall\.run`, `.*(leastCrossed|c\.rows > 1|line|Second).* → .*`, "which of two ways with one result is the faster"},
	{"root", "boundary|condition|logic|arithmetic|constant|dropped", `copyCall\.transposed`, `.*(transposedLarge|large|4096).* → .*|ahead = .* → .*|m = block → .*`, "which of two ways with one result is the faster"},
	{"root", "", `copyCall\.crossed`, `part\.cols >= 2\*cols → .*|2\*cols → .*|2 → 3|part\.cols = cols → .*`, "how many columns at a time"},
	{"root", "last wins", `copyCall\.long`, "", "each row is copied on its own"},
	{"root", "boundary", "longRows", `bytes <= pieceBytes → .*`, "which of two ways with one result is the faster"},
	{"root", "dropped", `gatherCall\.pieces`, `p\.cols = pieceElements → .*`, "longer pieces, which nothing but a stop of the world meets: TestPauses, which is too long for here"},
	{"root", "constant|boundary|condition", "resolveTuples", `2 → 3|k >= 2 → k > 2`, "which of two bodies with one result is the faster"},
	{"root", "", "rowLevel", "", "the bodies of both levels have the same result"},
	{"root", "", "recur", `(4\*same > asked|same\+\+|asked\+\+|return .*) → .*`, "the bodies of both levels have the same result"},
	{"root", "", "fetchRows", "", "what is prefetched"},
	{"root", "boundary", "scatterWords", "n < minIndices → .*", "package generic has the same result"},
	{"root", "", `tables\.blocks`, `cols < blockOffsets → .*|group == 1 → group != 1( \(2\))?|group > 1 → .*|short && group .*|group == 1 \|\| .*|t\.fetches\(\) .*|i \+ group → .*|(lo, hi = 0, )?min\(\(min\(.*|\(?min\(group, rows-next\).*`, "what is prefetched"},
	{"generic", "condition|boundary", "Copy", "rows > cols → .*|cols <= fewCols → .*", "which of two ways with one result is the faster"},
	{"generic", "boundary", "copyRun", `len\(src\)\*size <= fewBytes → .*`, "which of two ways with one result is the faster"},
	{"generic", "boundary", "elementBy", `k < 0 → k <= 0 \(2\)`, "an index of 0 names an element of an axis that has any"},
	{"generic", "last wins", `Slice\.read`, "", "each entry is read on its own"},
	{"generic", "boundary", "copyStrided", "n > filledOne → n >= filledOne", "which of two ways with one result is the faster"},
	{"generic", "unsigned compare", "EmbeddingBag", `uint64\(o\) < uint64\(least\) → .*`, "an offset that is negative as an int64 is more than there are indices"},
	{"kernels", "result", `nest\.from`, "false → true", "it is called where no index fails, and a call that is stopped says so itself"},
	{"kernels", "check|boundary", `call\.copyTiles`, `c\.exchangeTile.*|part\.last.* < shortRow → .*`, "which of two ways with one result is the faster"},
	{"kernels", "check", `call\.streams`, `out < .*`, "whether stores go past the caches"},
	{"kernels", "min and max", `call\.runsCost`, `max\(.*`, "into how many parts a call is cut"},
	{"kernels", "boundary|logic", `call\.widen`, `c\.elem\.units > 1 → .*|run\.n < 2 \|\| !unalignedAccess → .*`, "elements are not joined; a run of one is none"},
	{"generic", "boundary", "Compact", `len\(dst\)-found >= 8 → .*`, "the last eight go one by one"},
	{"generic", "last wins", `Ranges\.Slice`, "", "each axis is set on its own"},
	{"kernels", "arithmetic", `call\.widen`, `\(c\.at\.dst\|c\.at\.src\|c\.step\)&\(n-1\) → .*`, "elements are not joined"},
	{"kernels", "boundary", `call\.splitStrips`, "", "into which parts strips are cut"},
	{"kernels", "boundary", `tile\.extend`, `loops\[i\]\.distance.*`, "which of two loops a tile has more of"},
	{"kernels", "boundary", `call\.splitScatter`, `k >= 0 → .*|c\.loops\(\)\[k\]\.n < .*`, "into how many parts columns are cut"},
	{"kernels", "condition", `call\.splitBags`, `c\.bags\.longest > .*`, "into which parts bags are cut"},
	{"kernels", "last wins", `call\.compact`, "for i := range k → .*", "each loop's step is set on its own"},
	{"kernels", "dropped", `call\.eachBlock`, "resolved = count → nothing", "blocks with the same indices are resolved again"},
	{"kernels", "arithmetic|check", "distinct", `reach\+1 → reach-1|count > reach\+1 .*`, "axes with equal sums are found one by one, and others that are not nested leave two places or more free"},
	{"kernels", "min and max", `call\.moveRun`, `min\(pieceRefs.*`, "longer pieces, which nothing but a stop of the world meets"},
	{"kernels", "condition", `call\.gatherLoops`, `l\.s\[idxOp\] == 0 → .*`, "which of two ways with one result is the faster"},
	{"kernels", "boundary", `view\.denseAlong`, `rows\.count\*e\.size < nearTable → .*`, "whether a table is copied first"},
	{"kernels", "boundary", `view\.copiesTable`, `elements <= (l2/2|dispatch\.Default\.StreamReach)/e\.size → .*`, "whether a table is copied first"},
	{"kernels", "boundary", "checkIndices", `indices\.count <= mostSmall → .*`, "which of two ways with one result is the faster"},
	{"root", "dropped|min and max|constant|boundary", `copyCall\.runs`, `distance = .*|max\(distance, leastDistance\) → .*|apart-bytes >= leastGap → .*|-apart >= leastBackward → .*|distance > 0 → .*`, "what is prefetched"},
	{"kernels", "boundary", `call\.compact`, `rows > c\.idx\.Len → .*`, "indices that are compared or not, and are the same"},
	{"kernels", "boundary", `bagPart\.weigh`, `j < m\.run\.n → .*`, "no columns are multiplied once more"},
	{"kernels", "boundary", "checkTuples", `indices\.count <= mostSmall → .*`, "which of two ways with one result is the faster"},
	{"kernels", "boundary", "unitWidth", `align < .* → .*`, "narrower units move the same bytes"},
	{"root", "", "fast", "", "which of two bodies with one result is the faster"},
	{"generic", "arithmetic", "copyRun", "pieceBytes / size → .*", "longer pieces, which nothing but a stop of the world meets: TestPauses, which is too long for here"},
	{"root", "check|constant", "patternAt", `j == 0 && .*|0 → 1`, "entries that are set anew are the same; j is 0 or thousands"},
	{"root", "last wins", "patternAt", "", "each entry is set on its own"},
	{"root", "last wins", `permutations?\.fill.*`, "", "each entry of the table is made on its own"},
	{"root", "constant", ".*periods", "0 → 1", "the first element is copied on its own, whose address nothing but a stream minds"},
}

func (e equivalent) covers(m *mutation) bool {
	return matches(e.target, m.target) && matches(e.rule, m.rule) && matches(e.where, m.where) && matches(e.change, m.change())
}

var patterns = map[string]*regexp.Regexp{}

func matches(pattern, text string) bool {
	if pattern == "" {
		return true
	}
	if patterns[pattern] == nil {
		patterns[pattern] = regexp.MustCompile("^(?:" + pattern + ")$")
	}
	return patterns[pattern].MatchString(text)
}

// equivalence returns why a mutation is equivalent to the original, "" if it isn't known to be.
func equivalence(m *mutation) string {
	for _, e := range equivalents {
		if e.covers(m) {
			return e.reason
		}
	}
	return ""
}
