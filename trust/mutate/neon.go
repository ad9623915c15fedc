package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The faults of ARM64 assembly. Most are planted in macros, and so in every body
// that is made of them.
var neonRules = []rule{
	{"condition", "the opposite condition", 2, opcode(map[string]string{"BEQ": "BNE", "BNE": "BEQ", "BLT": "BGE", "BGE": "BLT", "BGT": "BLE", "BLE": "BGT", "BHS": "BLO", "TBZ": "TBNZ"})},
	{"boundary", "the boundary on the other side", 2, opcode(map[string]string{"BLT": "BLE", "BGE": "BGT", "BGT": "BGE", "BLE": "BLT", "BHS": "BHI"})},
	{"unsigned jump", "unsigned numbers compared as signed", 1, opcode(map[string]string{"BHS": "BGE"})},
	{"select", "a selection by another condition", 2, selection},
	{"flags", "other flags where a comparison is skipped", 1, immediate(-2, "CCMP")},
	{"min and max", "a minimum instead of a maximum, or the reverse", 1, opcode(map[string]string{"VUMIN": "VUMAX", "VUMAX": "VUMIN"})},
	{"arithmetic", "another operation", 2, opcode(map[string]string{"VADD": "VSUB", "VSUB": "VADD", "FADDS": "FSUBS", "FADDD": "FSUBD", "FMULS": "FADDS", "FMULD": "FADDD",
		"UMADDL": "SMADDL", "MSUB": "MADD", "MADD": "MSUB", "ORR": "EOR", "NEG": "MVN", "VUZP1": "VUZP2", "VUZP2": "VUZP1", "VTBL": "VTBX", "VTBX": "VTBL", "VSRI": "VUSHR",
		"VBIF": "VBIT", "VORR": "VAND", "VAND": "VORR", "LSR": "ASR", "MUL": "MNEG"})},
	{"instruction", "another instruction, of those written as numbers", 3, numbered},
	{"operands", "operands swapped", 2, swapSources("VSUB", "VBIF", "VUZP1", "VUZP2", "CSEL", "CSELW", "FCSELS", "FCSELD", "CMP", "CMPW", "FCMPS", "FCMPD", "SUB", "VSRI", "VTBL")},
	{"pair", "the two registers of a pair swapped", 2, paired},
	{"dropped", "an instruction is missing", 4, droppedButFor("RET", "PRFM", "WORD")},
	{"step", "a step is one too long or too short", 2, steppedNEON},
	{"shift", "a shift by one bit more", 2, shiftedNEON},
	{"address", "a load or a store one element, or a whole vector, further", 3, displacedNEON},
	{"wider", "a load or store of more bytes", 1, opcode(map[string]string{"MOVB": "MOVH", "MOVH": "MOVW", "MOVW": "MOVD", "MOVBU": "MOVHU", "MOVHU": "MOVWU", "MOVWU": "MOVD", "FMOVS": "FMOVD", "FMOVD": "FMOVQ"})},
	{"sign", "a number is extended wrongly, or a sign is not spread", 1, signed},
	{"constant", "a constant is another", 2, immediate(1, "MOVD", "VMOVI", "CMP", "UBFX")},
	{"prefetch", "a prefetch that can fault", 1, func(s *statement) []string {
		if s.op == "PRFM" {
			return []string{s.with("MOVBU", s.args[0], "ZR")}
		}
		return nil
	}},
	{"parameter", "another parameter", 2, parameterNEON},
	{"register", "another register", 2, registerNEON},
}

// The conditions to select by instead: the opposite one, that of numbers of the other kind,
// and for floats those that differ for NaN and for equal numbers.
var conditions = map[string][]string{
	"CSEL LT": {"GE", "LO"}, "CSEL GT": {"LE", "HI"}, "CSEL LO": {"HS", "LT"}, "CSEL HI": {"LS", "GT"}, "CSEL MI": {"PL", "LE", "LS"},
	"CSELW LT": {"GE", "LO"}, "CSELW GT": {"LE", "HI"}, "CSELW LO": {"HS", "LT"}, "CSELW HI": {"LS", "GT"},
	"FCSELS MI": {"PL", "LE", "LS"}, "FCSELS GT": {"LE", "HI", "GE"}, "FCSELD MI": {"PL", "LE", "LS"}, "FCSELD GT": {"LE", "HI", "GE"},
	"CCMP LO": {"LS", "LT", "HS"}, "CNEG LT": {"GE"}, "CSET LO": {"HS"},
}

func selection(s *statement) (all []string) {
	if len(s.args) > 0 {
		for _, other := range conditions[s.op+" "+s.args[0]] {
			all = append(all, s.replaced(0, other))
		}
	}
	return all
}

// numbered replaces an instruction that the assembler lacks by another such one.
func numbered(s *statement) []string {
	if s.args != nil {
		return nil
	}
	for _, pair := range [][2]string{
		{"fadd", "fmul"}, {"fmul", "fadd"}, {"fless", "fmore"}, {"fmore", "fless"}, {"smin", "smax"}, {"smax", "smin"}, {"mulS", "fmulS"},
		{"sless", "uless"}, {"smore", "umore"}, {"uless", "sless"}, {"umore", "smore"}, {"widenCellLow", "widenCellHigh"}, {"widenUpdateHigh", "widenUpdateLow"},
		{"narrowHigh", "narrowLow"}, {"window1", "window2"}, {"window3", "window2"}, {"window0", "window1"},
	} {
		if rest, ok := strings.CutPrefix(s.text, pair[0]); ok {
			return []string{pair[1] + rest, ""}
		}
	}
	return nil
}

func steppedNEON(s *statement) (all []string) {
	switch s.op {
	case "ADD", "ADDS", "SUB", "SUBS":
		if v, ok := value(s.args[0]); ok {
			return []string{s.replaced(0, fmt.Sprintf("$%d", v-1)), s.replaced(0, fmt.Sprintf("$%d", 2*v))}
		}
		if name, ok := strings.CutPrefix(s.args[0], "$"); ok { // count, width, (8*width)
			return []string{s.replaced(0, "$("+name+"-1)"), s.replaced(0, "$("+name+"*2)")}
		}
	}
	if strings.HasSuffix(s.op, ".P") {
		for i, a := range s.args {
			if m := memoryNEON.FindStringSubmatch(a); m != nil {
				return []string{s.replaced(i, "(2*"+m[1]+")"+m[2])}
			}
		}
	}
	return nil
}

var pairOf = regexp.MustCompile(`^\(([RVF]\d+|low), ([RVF]\d+|high)\)$`)

func paired(s *statement) (all []string) {
	for i, a := range s.args {
		if m := pairOf.FindStringSubmatch(a); m != nil {
			all = append(all, s.replaced(i, "("+m[2]+", "+m[1]+")"))
		}
	}
	return all
}

var shiftIn = regexp.MustCompile(`(<<|->)(\d+)`)

// shiftedNEON shifts by another number, as an instruction or within an operand.
func shiftedNEON(s *statement) (all []string) {
	switch s.op {
	case "LSR", "LSL", "VSHL", "VUSHR", "VSRI", "UBFX":
		for i, a := range s.args {
			if v, ok := value(a); ok {
				return []string{s.replaced(i, fmt.Sprintf("$%d", max(v-1, 0)))}
			}
		}
	}
	for i, a := range s.args {
		if m := shiftIn.FindStringSubmatch(a); m != nil {
			v, _ := strconv.Atoi(m[2])
			all = append(all, s.replaced(i, strings.Replace(a, m[0], m[1]+fmt.Sprint(v-1), 1)))
		}
	}
	return all
}

var memoryNEON = regexp.MustCompile(`^(-?\d*|\(\d\*\w+\))(\(R\d+\))$`)

func displacedNEON(s *statement) (all []string) {
	if s.op == "PRFM" || strings.HasSuffix(s.op, ".P") {
		return nil
	}
	for i, a := range s.args {
		m := memoryNEON.FindStringSubmatch(a)
		if m == nil {
			continue
		}
		if d, err := strconv.Atoi("0" + m[1]); err == nil {
			step := map[bool]int{true: 16, false: 8}[strings.HasPrefix(s.op, "F")]
			all = append(all, s.replaced(i, fmt.Sprint(d+step, m[2])), s.replaced(i, fmt.Sprint(d+64, m[2])))
		}
	}
	return all
}

func signed(s *statement) (all []string) {
	for i, a := range s.args {
		if strings.Contains(a, "->63") {
			all = append(all, s.replaced(i, strings.Replace(a, "->63", ">>63", 1)))
		}
		if strings.Contains(a, ".UXTW") {
			all = append(all, s.replaced(i, strings.Replace(a, ".UXTW", "", 1)))
		}
	}
	if s.op == "MOVW.P" && memoryNEON.MatchString(s.args[0]) {
		all = append(all, s.with("MOVWU.P", s.args...))
	}
	if s.op == "TUPLES(MOVW)" {
		all = append(all, "TUPLES(MOVWU)")
	}
	return all
}

// parameterNEON takes the words behind, or in front.
func parameterNEON(s *statement) (all []string) {
	for i, a := range s.args {
		if m := parameterArg.FindStringSubmatch(a); m != nil && m[1] != "ret" {
			offset, _ := strconv.Atoi(m[2])
			all = append(all, s.replaced(i, fmt.Sprintf("%s+%d(FP)", m[1], offset+8)))
			if offset >= 8 {
				all = append(all, s.replaced(i, fmt.Sprintf("%s+%d(FP)", m[1], offset-8)))
			}
		}
	}
	return all
}

var registerOf = regexp.MustCompile(`^([RVF])(\d+)((?:\.\w+)?)$`)

// registerNEON reads another register.
func registerNEON(s *statement) (all []string) {
	if len(s.args) < 2 || !instruction.MatchString(s.op) {
		return nil
	}
	for i, a := range s.args[:len(s.args)-1] {
		if m := registerOf.FindStringSubmatch(a); m != nil && !slices.Contains([]string{"18", "19", "26", "27", "28", "29", "30"}, m[2]) {
			n, _ := strconv.Atoi(m[2])
			all = append(all, s.replaced(i, fmt.Sprintf("%s%d%s", m[1], n^1, m[3])))
		}
	}
	return all
}
