package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// A rule returns what a body does that none may, one line a fault.
type rule struct {
	name  string
	check func(b listing) []string
}

var rules = []rule{
	{"requires", checkRequires},
	{"registers", checkRegisters},
	{"return", checkReturn},
	{"fence", checkFence},
	{"gather", checkGather},
	{"stack", checkStack},
	{"labels", checkLabels},
}

// withVBMI is the bodies that are chosen only where dispatch has the trait.
var withVBMI = func() (names []string) {
	for i := range families {
		for _, b := range families[i].bodiesOf(amd64) {
			if b.trait == vbmi {
				names = append(names, b.symbol)
			}
		}
	}
	return names
}()

// level is the instruction set that a body is named after, or "".
func (b listing) level() string {
	for level := range amd64Levels {
		if strings.HasSuffix(b.name, level) {
			return level
		}
	}
	return ""
}

// has reports whether CPUs of the body's level have a feature.
func (b listing) has(feature string) bool {
	return slices.Contains(amd64Levels[b.level()].features, feature)
}

// checkRequires compares what the instructions need with the level.
func checkRequires(b listing) (faults []string) {
	if b.level() == "" {
		return []string{"it is named after no level"}
	}
	for _, f := range b.requires {
		if !b.has(f) && (f != "AVX512VBMI" || !slices.Contains(withVBMI, b.name)) {
			faults = append(faults, "it needs "+f)
		}
	}
	if slices.Contains(withVBMI, b.name) && !slices.Contains(b.requires, "AVX512VBMI") {
		faults = append(faults, "it needs no AVX512VBMI, and is listed for it")
	}
	return faults
}

var beyondAVX2 = regexp.MustCompile(`\b(Z\d+|K[0-7]|[XY](1[6-9]|2\d|3[01]))\b`)

// checkRegisters looks for registers that only AVX-512 has, whatever Requires says, and
// for K0, which as a mask means no mask.
func checkRegisters(b listing) (faults []string) {
	for _, l := range b.lines {
		for _, a := range l.args {
			if !b.has("AVX512F") && beyondAVX2.MatchString(a) {
				faults = append(faults, fmt.Sprintf("%d: %s: %s has no %s", l.number, l, b.level(), beyondAVX2.FindString(a)))
			}
			if a == "K0" {
				faults = append(faults, fmt.Sprintf("%d: %s: K0 is no mask", l.number, l))
			}
		}
	}
	return faults
}

// checkReturn looks for returns that leave upper halves behind, and for ways past them.
func checkReturn(b listing) (faults []string) {
	last := ""
	for i, l := range b.lines {
		if l.op == "RET" && b.has("AVX") && (i == 0 || b.lines[i-1].op != "VZEROUPPER") {
			faults = append(faults, fmt.Sprintf("%d: RET without VZEROUPPER", l.number))
		}
		last = l.op
	}
	if last != "RET" && last != "JMP" {
		faults = append(faults, "it runs past its end")
	}
	return faults
}

// checkFence looks for a return that non-temporal stores are not ordered before.
func checkFence(b listing) (faults []string) {
	if !slices.ContainsFunc(b.lines, func(l line) bool { return strings.HasPrefix(l.op, "VMOVNT") }) {
		return nil
	}
	for i, l := range b.lines {
		if l.op != "RET" {
			continue
		}
		fenced := false
		for _, before := range slices.Backward(b.lines[:i]) {
			fenced = before.op == "SFENCE"
			if fenced || before.label != "" || before.op[0] == 'J' || strings.HasPrefix(before.op, "VMOVNT") {
				break
			}
		}
		if !fenced {
			faults = append(faults, fmt.Sprintf("%d: RET without SFENCE, after non-temporal stores", l.number))
		}
	}
	return faults
}

var (
	vector    = regexp.MustCompile(`^[XYZ](\d+)$`)
	mask      = regexp.MustCompile(`^(K[1-7]|[XY]\d+)$`)
	lanes     = regexp.MustCompile(`\([XYZ](\d+)\*\d\)`)
	setsMask  = regexp.MustCompile(`^(KXNOR|KMOV|VPCMPEQ)`)
	zeroes    = regexp.MustCompile(`^VPXOR[DQ]?$`)
	gatherOps = regexp.MustCompile(`^VP?GATHER`)
)

// number is a vector register's, whatever its length.
func number(register string) string {
	if m := vector.FindStringSubmatch(register); m != nil {
		return m[1]
	}
	return register
}

// checkGather holds every gather instruction to a new mask, which it clears,
// to a zeroed destination, which it would wait for, and to registers that
// differ, or it faults. What is set before the last label does not count.
func checkGather(b listing) (faults []string) {
	for i, l := range b.lines {
		if !gatherOps.MatchString(l.op) {
			continue
		}
		fault := func(format string, args ...any) {
			faults = append(faults, fmt.Sprintf("%d: %s: %s", l.number, l, fmt.Sprintf(format, args...)))
		}
		if len(l.args) != 3 {
			fault("three operands are expected")
			continue
		}
		k, from, to := l.args[0], l.args[1], l.args[2]
		if !strings.Contains(from, "(") {
			k, from = from, k // AVX-512 has memory first
		}
		index := lanes.FindStringSubmatch(from)
		if index == nil || !mask.MatchString(k) || !vector.MatchString(to) {
			fault("memory, a mask and a destination are expected")
			continue
		}
		if number(to) == index[1] || k[0] != 'K' && (number(k) == number(to) || number(k) == index[1]) {
			fault("the same register twice")
		}
		if k[0] != 'K' && index[1] == "4" {
			fault("QEMU 7 takes index register 4 for no index at all")
		}
		var fresh, zeroed *line
		for _, before := range slices.Backward(b.lines[:i]) {
			if before.label != "" {
				break
			}
			if gatherOps.MatchString(before.op) { // it writes two registers
				if fresh == nil && slices.ContainsFunc(before.args, func(a string) bool { return number(a) == number(k) }) {
					fresh = &before
				}
			}
			if len(before.args) == 0 {
				continue
			}
			target := before.args[len(before.args)-1]
			shifted := strings.HasPrefix(before.op, "KSHIFT") && slices.Contains(before.args[:len(before.args)-1], k)
			if fresh == nil && number(target) == number(k) && !shifted {
				fresh = &before
			}
			if zeroed == nil && number(target) == number(to) {
				zeroed = &before
			}
		}
		if fresh == nil || !setsMask.MatchString(fresh.op) {
			fault("its mask %s is not set again", k)
		}
		if zeroed == nil || !zeroes.MatchString(zeroed.op) || zeroed.args[0] != zeroed.args[1] || zeroed.args[1] != zeroed.args[2] {
			fault("its destination %s is not zeroed", to)
		}
	}
	return faults
}

var stackPointer = regexp.MustCompile(`\bSP\b`)

// checkStack keeps bodies off the stack: they must not grow it, and BP is saved
// by the assembler if there is a frame, and only then.
func checkStack(b listing) (faults []string) {
	if b.flags != "NOSPLIT" {
		faults = append(faults, "its flags are "+b.flags+", not NOSPLIT")
	}
	if b.frame != 0 && b.frame != 8 {
		faults = append(faults, fmt.Sprintf("its frame has %d bytes", b.frame))
	}
	for _, l := range b.lines {
		switch {
		case slices.Contains([]string{"CALL", "PUSHQ", "POPQ", "PUSHFQ", "POPFQ"}, l.op):
			faults = append(faults, fmt.Sprintf("%d: %s", l.number, l))
		case slices.ContainsFunc(l.args, stackPointer.MatchString):
			faults = append(faults, fmt.Sprintf("%d: %s: it uses SP", l.number, l))
		case b.frame == 0 && len(l.args) > 0 && l.args[len(l.args)-1] == "BP":
			faults = append(faults, fmt.Sprintf("%d: %s: BP is the caller's", l.number, l))
		}
	}
	return faults
}

var lowerCamel = regexp.MustCompile(`^[a-z][a-zA-Z0-9]*$`)

func checkLabels(b listing) (faults []string) {
	for _, l := range b.lines {
		if l.label != "" && !lowerCamel.MatchString(l.label) {
			faults = append(faults, fmt.Sprintf("%d: %s is not a label in lowerCamel", l.number, l.label))
		}
	}
	return faults
}

func TestRules(t *testing.T) {
	all := bodies(t, written(t))
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			for _, b := range all {
				for _, fault := range r.check(b) {
					t.Errorf("%s: %s", b.name, fault)
				}
			}
		})
	}
	for _, name := range withVBMI {
		assert.True(t, slices.ContainsFunc(all, func(b listing) bool { return b.name == name }), "%s is listed, and no body", name)
	}
}

// innocent breaks no rule, and has what every rule looks at.
const innocent = `
// Requires: AVX, AVX2, BMI2, CMOV, F16C, MMX+
TEXT ·gatherX32AVX2(SB), NOSPLIT, $8-24
	MOVQ  x+0(FP), AX
	MOVQ  n+8(FP), BP

loop:
	VMOVDQU    (AX), Y3
	VPXOR      Y1, Y1, Y1
	VPCMPEQD   Y2, Y2, Y2
	VPGATHERDD Y2, (AX)(Y3*4), Y1
	VMOVNTDQ   Y1, (CX)
	DECQ       BP
	JNZ        loop
	SFENCE
	MOVQ $-1, ret+16(FP)
	VZEROUPPER
	RET

bad:
	SFENCE
	VZEROUPPER
	RET

// Requires: AVX, AVX512F, AVX512BW, AVX512VL
TEXT ·gatherX64AVX512(SB), NOSPLIT, $0-24
	VPXORQ     Z17, Z17, Z17
	KMOVQ      AX, K1
	KSHIFTRQ   $0x08, K1, K1
	VPGATHERQQ (AX)(Z3*8), K1, Z17
	VPXORQ     Z1, Z1, Z1
	KXNORQ     K2, K2, K2
	VPGATHERQD (AX)(Z3*8), K2, Y1
	VZEROUPPER
	RET

// Requires: AVX512F, AVX512VBMI
TEXT ·copyStepsX8AVX512(SB), NOSPLIT, $0-24
	VZEROUPPER
	RET
`

// offenders is edits that make it break one rule.
var offenders = []struct{ rule, old, new, fault string }{
	{"requires", "gatherX32AVX2(", "gatherX32(", "named after no level"},
	{"requires", "BMI2, CMOV", "AVX512F, CMOV", "it needs AVX512F"},
	{"requires", "BMI2, CMOV", "AVX512VL, CMOV", "it needs AVX512VL"},
	{"requires", "AVX512BW", "AVX512VBMI", "it needs AVX512VBMI"},
	{"requires", "AVX512BW", "AVX512VNNI", "it needs AVX512VNNI"},
	{"requires", "AVX512F, AVX512VBMI", "AVX512F", "needs no AVX512VBMI"},
	{"requires", "copyStepsX8AVX512", "copyStepsX32AVX512", "it needs AVX512VBMI"},
	{"registers", "VMOVDQU    (AX), Y3", "VMOVDQU64  (AX), Z3", "AVX2 has no Z3"},
	{"registers", "VMOVDQU    (AX), Y3", "VMOVDQU    (AX), Y16", "AVX2 has no Y16"},
	{"registers", "VMOVDQU    (AX), Y3", "VPMOVSXBD  X31, Y3", "AVX2 has no X31"},
	{"registers", "VMOVDQU    (AX), Y3", "VMOVDQU8   (AX), K7, Y3", "AVX2 has no K7"},
	{"registers", "(Y3*4)", "(Y19*4)", "AVX2 has no Y19"},
	{"registers", "AX, K1", "AX, K0", "K0 is no mask"},
	{"return", "	VZEROUPPER\n	RET\n\nbad", "	RET\n\nbad", "RET without VZEROUPPER"},
	{"return", "	VZEROUPPER\n	RET\n\nbad", "	VZEROUPPER\n	SFENCE\n	RET\n\nbad", "RET without VZEROUPPER"},
	{"return", "	VZEROUPPER\n	RET\n\n// Requires: AVX, ", "	VZEROUPPER\n\n// Requires: AVX, ", "past its end"},
	{"fence", "	SFENCE\n	MOVQ", "	MOVQ", "RET without SFENCE"},
	{"fence", "bad:\n	SFENCE\n", "bad:\n", "RET without SFENCE"},
	{"fence", "	SFENCE\n	MOVQ", "	SFENCE\n	VMOVNTDQ Y1, (CX)\n	MOVQ", "RET without SFENCE"},
	{"fence", "	SFENCE\n	MOVQ", "	SFENCE\n	JZ loop\n	MOVQ", "RET without SFENCE"},
	{"gather", "	VPCMPEQD   Y2, Y2, Y2\n", "", "mask Y2 is not set again"},
	{"gather", "	VPCMPEQD   Y2, Y2, Y2\n", "	VPXOR Y2, Y2, Y2\n", "mask Y2 is not set again"},
	{"gather", "	VPCMPEQD   Y2, Y2, Y2\n", "	VPCMPEQD Y2, Y2, Y2\n	VMOVDQU (DX), X2\n", "mask Y2 is not set again"},
	{"gather", "	VPCMPEQD   Y2, Y2, Y2\n", "	VPCMPEQD Y2, Y2, Y2\nagain:\n", "mask Y2 is not set again"},
	{"gather", "	VPXOR      Y1, Y1, Y1\n", "", "destination Y1 is not zeroed"},
	{"gather", "	VPXOR      Y1, Y1, Y1\n", "	VPXOR Y1, Y1, Y4\n", "destination Y1 is not zeroed"},
	{"gather", "	VPXOR      Y1, Y1, Y1\n", "	VPXOR Y4, Y1, Y1\n", "destination Y1 is not zeroed"},
	{"gather", "Y2, (AX)(Y3*4), Y1", "Y3, (AX)(Y3*4), Y1", "the same register twice"},
	{"gather", "Y2, (AX)(Y3*4), Y1", "Y2, (AX)(Y1*4), Y1", "the same register twice"},
	{"gather", "Y2, (AX)(Y3*4), Y1", "Y2, (AX)(Y4*4), Y1", "index register 4"},
	{"gather", "(AX)(Z3*8), K2, Y1", "(AX)(Z1*8), K2, Y1", "the same register twice"},
	{"gather", "	KXNORQ     K2, K2, K2\n", "", "mask K2 is not set again"},
	{"gather", "(AX)(Z3*8), K2, Y1", "(AX)(Z3*8), K1, Y1", "mask K1 is not set again"},
	{"gather", "	KMOVQ      AX, K1\n", "", "mask K1 is not set again"},
	{"gather", "	VPXORQ     Z1, Z1, Z1\n", "", "destination Y1 is not zeroed"},
	{"gather", "(AX)(Z3*8), K2, Y1", "(AX)(Z3*8), K0, Y1", "a mask and a destination are expected"},
	{"stack", "MOVQ  x+0(FP), AX", "MOVQ  x-8(SP), AX", "it uses SP"},
	{"stack", "MOVQ  x+0(FP), AX", "LEAQ  8(SP), AX", "it uses SP"},
	{"stack", "MOVQ  x+0(FP), AX", "CALL ·other(SB)", "CALL"},
	{"stack", "$8-24", "$0-24", "BP is the caller's"},
	{"stack", "$8-24", "$16-24", "its frame has 16 bytes"},
	{"stack", "NOSPLIT, $8", "NOSPLIT|NOFRAME, $8", "not NOSPLIT"},
	{"labels", "bad:", "bad_index:", "bad_index is not a label"},
	{"labels", "bad:", "Bad:", "Bad is not a label"},
}

func TestOffenders(t *testing.T) {
	faults := func(t *testing.T, text string) map[string][]string {
		found := map[string][]string{}
		for _, b := range bodies(t, text) {
			for _, r := range rules {
				found[r.name] = append(found[r.name], r.check(b)...)
			}
		}
		return found
	}
	for name, found := range faults(t, innocent) {
		assert.Empty(t, found, name)
	}
	caught := map[string]int{}
	for _, o := range offenders {
		require.Equal(t, 1, strings.Count(innocent, o.old), "%q", o.old)
		found := faults(t, strings.Replace(innocent, o.old, o.new, 1))
		if assert.NotEmpty(t, found[o.rule], "%s: %q instead of %q", o.rule, o.new, o.old) {
			assert.Contains(t, strings.Join(found[o.rule], "\n"), o.fault)
			caught[o.rule]++
		}
	}
	for _, r := range rules {
		assert.NotZero(t, caught[r.name], "no offender against %s", r.name)
	}
	t.Logf("%d offenders", len(offenders))
}

// assemble runs the assembler on a file, and returns what it prints.
func assemble(t *testing.T, file string, flags ...string) (string, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	include := filepath.Join(strings.TrimSpace(string(root)), "pkg", "include")
	args := append([]string{"tool", "asm", "-p", "lanes", "-I", include, "-o", filepath.Join(t.TempDir(), "bodies.o")}, flags...)
	cmd := exec.Command("go", append(args, file)...)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64")
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return string(out), err
}

// TestDynlink assembles as for a shared library, where R15 is lost whenever a global is addressed.
func TestDynlink(t *testing.T) {
	_, err := assemble(t, assemblyFile, "-dynlink")
	assert.NoError(t, err)

	offender := filepath.Join(t.TempDir(), "offender_amd64.s")
	require.NoError(t, os.WriteFile(offender, []byte(`#include "textflag.h"
TEXT ·offender(SB), NOSPLIT, $0-8
	MOVQ $1, R15
	MOVQ ·global(SB), AX
	ADDQ R15, AX
	MOVQ AX, ret+0(FP)
	RET
`), 0o644))
	_, err = assemble(t, offender, "-dynlink")
	assert.ErrorContains(t, err, "R15 is clobbered")
}
