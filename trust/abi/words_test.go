package abi

import (
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/arch/arm64/arm64asm"
)

// Some instructions of kernels_arm64.s are written as numbers, because Go's assembler
// lacks them. Here each is decoded, and compared with the comment beside it.

// word is how such an instruction is written: at the end of its line, and with
// the instruction in GNU syntax and capital letters.
var word = regexp.MustCompile(`\bWORD \$0x([0-9A-F]{8}) // ([A-Z].*)$`)

// checkWords returns how many instructions a source has as numbers, and what is wrong with them.
func checkWords(source string) (n int, wrong []error) {
	for i, line := range strings.Split(source, "\n") {
		if code, _, _ := strings.Cut(line, "//"); !strings.Contains(code, "WORD") {
			continue
		}
		n++
		if err := checkWord(line); err != nil {
			wrong = append(wrong, fmt.Errorf("line %d: %w", i+1, err))
		}
	}
	return n, wrong
}

func checkWord(line string) error {
	m := word.FindStringSubmatch(line)
	if m == nil || strings.Count(line, "WORD") != 1 {
		return fmt.Errorf("%q is not written as WORD $0x4E22D420 // FADD V0.4S, V1.4S, V2.4S is", line)
	}
	bits, err := strconv.ParseUint(m[1], 16, 32)
	if err != nil {
		return err
	}
	instruction, err := arm64asm.Decode(binary.LittleEndian.AppendUint32(nil, uint32(bits)))
	if err != nil {
		return fmt.Errorf("%s // %s: %w", m[1], m[2], err)
	}
	if is := arm64asm.GNUSyntax(instruction); plain(is) != plain(m[2]) {
		return fmt.Errorf("%s is %s, not %s", m[1], is, m[2])
	}
	return nil
}

// plain takes away what does not matter: case, and space after a comma.
func plain(s string) string { return strings.ReplaceAll(strings.ToLower(s), ", ", ",") }

func TestWords(t *testing.T) {
	source, err := os.ReadFile(root + "/kernels_arm64.s")
	if err != nil {
		t.Fatal(err)
	}
	n, wrong := checkWords(string(source))
	for _, err := range wrong {
		t.Error(err)
	}
	if n == 0 {
		t.Error("no instruction was found")
	}
	t.Logf("%d instructions", n)
}

// Every single bit that is flipped in an encoding is noticed, and so is every other register
// and arrangement in a comment.
func TestWrongWords(t *testing.T) {
	const good = "#define sum WORD $0x4E22D420 // FADD V0.4S, V1.4S, V2.4S"
	if n, wrong := checkWords("\n" + good + "\n"); n != 1 || wrong != nil {
		t.Fatal(n, wrong)
	}
	for bit := range 32 {
		flipped := fmt.Sprintf("%08X", uint32(0x4E22D420)^1<<bit)
		if n, wrong := checkWords(strings.Replace(good, "4E22D420", flipped, 1)); n != 1 || len(wrong) != 1 {
			t.Errorf("%s is taken for the same", flipped)
		}
	}
	for _, bad := range []string{
		"WORD $0x4E22D420 // FADD V1.4S, V1.4S, V2.4S",
		"WORD $0x4E22D420 // FADD V0.4S, V2.4S, V1.4S",
		"WORD $0x4E22D420 // FADD V0.2D, V1.2D, V2.2D",
		"WORD $0x4E22D420 // FSUB V0.4S, V1.4S, V2.4S",
		"WORD $0x4E22D420 // FADD V0.4S, V1.4S, V2.4S; WORD $0x4E22D420",
		"WORD $0x4E22D420",
		"WORD $0x4E22D420; WORD $0x4E22D420 // FADD V0.4S, V1.4S, V2.4S",
		"WORD $1310905376 // FADD V0.4S, V1.4S, V2.4S",
		"WORD $0x00000000 // FADD V0.4S, V1.4S, V2.4S",
	} {
		if n, wrong := checkWords(bad); n != 1 || len(wrong) != 1 {
			t.Errorf("%q is taken for good: %d, %v", bad, n, wrong)
		}
	}
}
