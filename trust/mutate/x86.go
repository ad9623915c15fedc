package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The faults of AMD64 assembly, as a table of rules for single instructions.
var x86Rules = []rule{
	{"condition", "the opposite condition", 2, opcode(map[string]string{
		"JEQ": "JNE", "JNE": "JEQ", "JZ": "JNZ", "JNZ": "JZ", "JLT": "JGE", "JGE": "JLT", "JGT": "JLE", "JG": "JLE", "JLE": "JGT", "JCC": "JCS",
		"CMOVQLT": "CMOVQGE", "CMOVQGT": "CMOVQLE", "CMOVQHI": "CMOVQLS", "CMOVQCS": "CMOVQCC",
		"CMOVLLT": "CMOVLGE", "CMOVLGT": "CMOVLLE", "CMOVLHI": "CMOVLLS", "CMOVLCS": "CMOVLCC",
	})},
	{"boundary", "the boundary on the other side", 2, opcode(map[string]string{
		"JLT": "JLE", "JGE": "JGT", "JGT": "JGE", "JG": "JGE", "JLE": "JLT", "JCC": "JHI", "CMOVQLT": "CMOVQLE", "CMOVLLT": "CMOVLLE",
	})},
	{"unsigned compare", "unsigned numbers compared as signed, or the reverse", 2, opcode(map[string]string{
		"VPMINUB": "VPMINSB", "VPMINUW": "VPMINSW", "VPMINUD": "VPMINSD", "VPMINUQ": "VPMINSQ", "VPMAXUB": "VPMAXSB", "VPMAXUW": "VPMAXSW", "VPMAXUD": "VPMAXSD", "VPMAXUQ": "VPMAXSQ",
		"VPMINSB": "VPMINUB", "VPMINSW": "VPMINUW", "VPMINSD": "VPMINUD", "VPMINSQ": "VPMINUQ", "VPMAXSB": "VPMAXUB", "VPMAXSW": "VPMAXUW", "VPMAXSD": "VPMAXUD", "VPMAXSQ": "VPMAXUQ",
		"VPCMPUD": "VPCMPD", "VPCMPUQ": "VPCMPQ", "JCC": "JGE", "CMOVQHI": "CMOVQGT", "CMOVQCS": "CMOVQLT", "CMOVLHI": "CMOVLGT", "CMOVLCS": "CMOVLLT",
	})},
	{"signed compare", "signed cells compared as unsigned", 1, in("scatter(Min|Max)(Rows)?I\\d+AVX2", opcode(map[string]string{"CMOVQGT": "CMOVQHI", "CMOVQLT": "CMOVQCS", "CMOVLGT": "CMOVLHI", "CMOVLLT": "CMOVLCS"}))},
	{"min and max", "a minimum instead of a maximum, or the reverse", 1, opcode(map[string]string{
		"VPMINUB": "VPMAXUB", "VPMINUW": "VPMAXUW", "VPMINUD": "VPMAXUD", "VPMINUQ": "VPMAXUQ", "VPMAXUB": "VPMINUB", "VPMAXUW": "VPMINUW", "VPMAXUD": "VPMINUD", "VPMAXUQ": "VPMINUQ",
		"VPMINSB": "VPMAXSB", "VPMINSW": "VPMAXSW", "VPMINSD": "VPMAXSD", "VPMAXSB": "VPMINSB", "VPMAXSW": "VPMINSW", "VPMAXSD": "VPMINSD",
		"VMINPS": "VMAXPS", "VMINPD": "VMAXPD", "VMAXPS": "VMINPS", "VMAXPD": "VMINPD",
		"VMINSS": "VMAXSS", "VMINSD": "VMAXSD", "VMAXSS": "VMINSS", "VMAXSD": "VMINSD",
	})},
	{"arithmetic", "another operation", 1, opcode(map[string]string{
		"VADDPS": "VSUBPS", "VADDPD": "VSUBPD", "VMULPS": "VADDPS", "VMULPD": "VADDPD", "VPADDB": "VPADDW", "VPADDW": "VPADDD", "VPADDD": "VPADDQ", "VPADDQ": "VPADDD",
		"VPMULLD": "VPADDD", "VPMULLQ": "VPMULLD", "VPMULUDQ": "VPADDQ", "IMULQ": "ADDQ", "NEGQ": "NOTQ", "VPOR": "VPAND", "VPAND": "VPOR", "VPANDN": "VPAND",
		"VADDSS": "VSUBSS", "VADDSD": "VSUBSD", "VMULSS": "VADDSS", "VMULSD": "VADDSD", "ADDB": "SUBB", "ADDW": "SUBW", "ADDL": "SUBL",
		"VPSUBQ": "VPADDQ", "VDIVPS": "VMULPS", "VDIVPD": "VMULPD", "VANDPS": "VORPS",
	})},
	{"predicate", "a comparison that differs for NaN or for equal numbers", 1, predicate},
	{"NaN", "the other operand for NaN and for zeros of two signs", 1, swapSources("VMINPS", "VMINPD", "VMAXPS", "VMAXPD", "VCMPPS")},
	{"operands", "operands swapped", 2, swapSources("VPANDN", "VPSUBD", "VPCMPGTQ", "VPUNPCKLDQ", "VPUNPCKLQDQ", "VPACKSSDW", "VPACKUSDW", "VSHUFPS", "VPSHUFB", "VBLENDVPD", "VBLENDVPS", "VPBLENDVB",
		"VPERMI2B", "VPERMI2W", "VPERMI2D", "VPERMI2Q", "VPERMT2D", "VINSERTI128", "VPSRLVD", "VPCMPUD", "VPCMPUQ", "SUBQ", "CMPQ")},
	{"wrap", "a negative index is not wrapped, or is wrapped wrongly", 2, dropped("VPMINUD", "VPMINUQ", "CMOVQLT", "VBLENDVPD", "VBLENDVPS")},
	{"dropped", "an instruction is missing", 4, droppedButFor("GLOBL", "VZEROUPPER", "SFENCE", "RET", "PCALIGN", "PREFETCHT0", "PREFETCHT1", "KXNORQ", "VPXOR", "VPXORQ", "VPMINUD", "VPMINUQ", "CMOVQLT", "VBLENDVPD", "VBLENDVPS")},
	{"VZEROUPPER", "VZEROUPPER is missing", 1, dropped("VZEROUPPER")},
	{"SFENCE", "SFENCE is missing", 1, dropped("SFENCE")},
	{"gather mask", "a gather's mask is not set again, or its destination is not zeroed", 1, dropped("KXNORQ", "VPXORQ", "VPCMPEQD")},
	{"step", "a step is one too long or too short", 2, stepped},
	{"shift", "a shift by one bit more", 1, immediate(1, "SHLQ", "SHRQ", "VPSLLD", "VPSLLQ", "VPSRLD", "VPSRLQ", "KSHIFTRQ")},
	{"mask", "a mask with other bits", 1, immediate(-1, "ANDQ", "KSHIFTRQ", "TESTQ")},
	{"limit", "a limit off by one", 1, immediate(1, "CMPQ", "CMPL")},
	{"tail", "lanes beyond the count are read or written", 2, unmasked},
	{"address", "a load or a store one byte, or a whole vector, further", 3, displaced},
	{"scale", "an index is scaled by another width", 1, scaled},
	{"wider", "a load or store of more bytes", 1, wider},
	{"sign", "a number is extended wrongly", 1, in("scatter(Min|Max).*|(check|resolve|gather).*",
		opcode(map[string]string{"MOVLQSX": "MOVLQZX", "VPMOVSXDQ": "VPMOVZXDQ", "MOVBQSX": "MOVBQZX", "MOVWQSX": "MOVWQZX", "MOVBQZX": "MOVBQSX", "MOVWQZX": "MOVWQSX"}))},
	{"rounding", "another direction of rounding", 1, rounded},
	{"constant", "a constant is another", 2, constant},
	{"prefetch", "a prefetch that can fault", 1, func(s *statement) []string {
		if strings.HasPrefix(s.op, "PREFETCH") {
			return []string{s.with("CMPB", s.args[0], "$0x00")}
		}
		return nil
	}},
	{"parameter", "another parameter", 2, parameter},
	{"register", "another register", 2, register},
}

// opcode replaces opcodes, where there is another.
func opcode(of map[string]string) func(*statement) []string {
	return func(s *statement) []string {
		if other := of[s.op]; other != "" {
			return []string{s.with(other, s.args...)}
		}
		return nil
	}
}

// in applies a rule to some bodies alone.
func in(where string, faults func(*statement) []string) func(*statement) []string {
	return func(s *statement) []string {
		if matches(where, s.where) {
			return faults(s)
		}
		return nil
	}
}

func dropped(ops ...string) func(*statement) []string {
	return func(s *statement) []string {
		if slices.Contains(ops, s.op) {
			return []string{""}
		}
		return nil
	}
}

func droppedButFor(ops ...string) func(*statement) []string {
	return func(s *statement) []string {
		if slices.Contains(ops, s.op) || !instruction.MatchString(s.op) {
			return nil
		}
		return []string{""}
	}
}

// swapSources swaps the two operands before the last one, or both of two.
func swapSources(ops ...string) func(*statement) []string {
	return func(s *statement) []string {
		if !slices.Contains(ops, s.op) {
			return nil
		}
		args := slices.Clone(s.args)
		i := 0
		for strings.HasPrefix(args[i], "$") {
			i++
		}
		if i+1 >= len(args) || strings.Contains(args[i+1], "(FP)") || args[i] == args[i+1] {
			return nil
		}
		args[i], args[i+1] = args[i+1], args[i]
		return []string{s.with(s.op, args...)}
	}
}

var number10or16 = regexp.MustCompile(`^\$([+-]?)(0x[0-9a-f]+|\d+)$`)

// value reads an immediate operand.
func value(arg string) (int64, bool) {
	m := number10or16.FindStringSubmatch(arg)
	if m == nil {
		return 0, false
	}
	v, err := strconv.ParseInt(m[2], 0, 64)
	if m[1] == "-" {
		v = -v
	}
	return v, err == nil
}

// immediate adds to the immediate operand of some instructions, wherever it stands.
func immediate(by int64, ops ...string) func(*statement) []string {
	return func(s *statement) (all []string) {
		if !slices.Contains(ops, s.op) {
			return nil
		}
		for i, a := range s.args {
			if v, ok := value(a); ok {
				all = append(all, s.replaced(i, fmt.Sprintf("$%d", v+by)))
			}
		}
		return all
	}
}

// stepped changes what pointers and counts move on by, to one element or vector more and to one
// byte less.
func stepped(s *statement) []string {
	switch s.op {
	case "INCQ":
		return []string{s.with("ADDQ", "$2", s.args[0])}
	case "DECQ":
		return []string{s.with("SUBQ", "$2", s.args[0])}
	case "ADDQ", "SUBQ":
		if v, ok := value(s.args[0]); ok {
			return []string{s.replaced(0, fmt.Sprintf("$%d", v-1)), s.replaced(0, fmt.Sprintf("$%d", 2*v))}
		}
	}
	return nil
}

// predicate replaces comparisons by ones that treat equal numbers, or NaN, in another way.
func predicate(s *statement) (all []string) {
	other := map[string][]string{
		"VCMPPS $0x15":  {"$0x1d", "$0x16"}, // not less → greater or equal, which NaN is not; → not less or equal
		"VCMPPS $0x1a":  {"$0x12", "$0x19"}, // not greater → less or equal; → not greater or equal
		"VCMPPS $0x03":  {"$0x07"},          // unordered → ordered
		"VPCMPUD $0x05": {"$0x06"},          // not less → not less or equal
		"VPCMPUQ $0x05": {"$0x06"},
	}
	if len(s.args) > 0 {
		for _, p := range other[s.op+" "+s.args[0]] {
			all = append(all, s.replaced(0, p))
		}
	}
	return all
}

// unmasked makes a masked load or store a full one, and a mask one of all lanes.
func unmasked(s *statement) []string {
	if strings.HasPrefix(s.op, "VMOVDQU") && len(s.args) == 3 {
		return []string{s.with(strings.TrimSuffix(s.op, ".Z"), s.args[0], s.args[2])}
	}
	if s.op == "BZHIQ" {
		return []string{"", s.with("LEAQ", "1("+s.args[0]+")", s.args[0]) + "; " + s.text}
	}
	return nil
}

var memory = regexp.MustCompile(`^(-?\d*)(\([A-Z0-9]+\)(?:\([A-Z0-9]+\*\d\))?)$`)

// displaced moves a load or a store of memory on, by an element and by a vector.
func displaced(s *statement) (all []string) {
	if strings.HasPrefix(s.op, "PREFETCH") || s.op == "LEAQ" {
		return nil
	}
	for i, a := range s.args {
		if m := memory.FindStringSubmatch(a); m != nil {
			d, _ := strconv.Atoi(m[1])
			all = append(all, s.replaced(i, fmt.Sprint(d+1, m[2])), s.replaced(i, fmt.Sprint(d+64, m[2])))
		}
	}
	return all
}

var scale = regexp.MustCompile(`\*(\d)\)`)

func scaled(s *statement) (all []string) {
	if strings.HasPrefix(s.op, "PREFETCH") {
		return nil
	}
	for i, a := range s.args {
		if m := scale.FindStringSubmatch(a); m != nil {
			all = append(all, s.replaced(i, strings.Replace(a, m[0], "*"+map[string]string{"1": "2", "2": "4", "4": "8", "8": "4"}[m[1]]+")", 1)))
		}
	}
	return all
}

// wider makes a move to or from memory one of twice the bytes.
func wider(s *statement) []string {
	if len(s.args) != 2 || !memory.MatchString(s.args[0]) && !memory.MatchString(s.args[1]) {
		return nil
	}
	switch other := map[string]string{"MOVB": "MOVW", "MOVW": "MOVL", "MOVL": "MOVQ", "MOVBLZX": "MOVWLZX", "MOVWLZX": "MOVL", "VMOVD": "VMOVQ", "VMOVQ": "VMOVDQU", "VMOVSS": "VMOVSD", "VMOVSD": "VMOVUPS"}[s.op]; {
	case other != "":
		return []string{s.with(other, s.args...)}
	case s.op == "VMOVDQU" || s.op == "VMOVDQU64":
		for i, a := range s.args {
			if wide := strings.NewReplacer("X", "Y", "Y", "Z").Replace(a); wide != a && vector.MatchString(a) {
				return []string{strings.Replace(s.replaced(i, wide), "VMOVDQU ", map[byte]string{'Y': "VMOVDQU ", 'Z': "VMOVDQU64 "}[wide[0]], 1)}
			}
		}
	}
	return nil
}

var vector = regexp.MustCompile(`^[XYZ](\d+)$`)

func rounded(s *statement) []string {
	if s.op == "VCVTPS2PH" {
		return []string{s.replaced(0, "$3"), s.replaced(0, "$1")} // towards zero, down
	}
	return nil
}

// constant changes a number that a vector or a register is set to.
func constant(s *statement) (all []string) {
	switch s.op {
	case "DATA":
		if v, err := strconv.ParseUint(s.args[1][1:], 0, 64); err == nil {
			all = append(all, s.replaced(1, fmt.Sprintf("$%#016x", v+1)))
		}
	case "MOVQ", "MOVL", "MOVB":
		if v, ok := value(s.args[0]); ok {
			all = append(all, s.replaced(0, fmt.Sprintf("$%d", v+1)))
		}
	case "VSHUFPS", "VPERMQ", "VEXTRACTI128", "VINSERTI128":
		v, _ := value(s.args[0])
		all = append(all, s.replaced(0, fmt.Sprintf("$%d", v^1)))
	}
	return all
}

var parameterArg = regexp.MustCompile(`^(\w+)\+(\d+)\(FP\)$`)

// parameter takes the parameter behind, or in front.
func parameter(s *statement) (all []string) {
	for i, a := range s.args {
		m := parameterArg.FindStringSubmatch(a)
		if m == nil || m[1] == "ret" {
			continue
		}
		k := slices.Index(s.params, m[1])
		offset, _ := strconv.Atoi(m[2])
		for _, step := range []int{-1, 1} {
			if n := k + step; k >= 0 && n >= 0 && n < len(s.params) && s.params[n] != "stream" && m[1] != "stream" {
				all = append(all, s.replaced(i, fmt.Sprintf("%s+%d(FP)", s.params[n], offset+8*step)))
			}
		}
	}
	return all
}

// register reads another vector or mask register.
func register(s *statement) (all []string) {
	if len(s.args) < 2 || s.op == "DATA" || s.op == "GLOBL" {
		return nil
	}
	for i, a := range s.args[:len(s.args)-1] {
		if m := vector.FindStringSubmatch(a); m != nil {
			n, _ := strconv.Atoi(m[1])
			all = append(all, s.replaced(i, fmt.Sprintf("%c%d", a[0], n^1)))
		}
	}
	return all
}
