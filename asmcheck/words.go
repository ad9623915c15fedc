// Package asmcheck decodes the instructions of kernels_arm64.s that are written
// as numbers, because Go's assembler lacks them, and compares each with the
// comment beside it. It is a module of its own, so that the decoder reaches nobody
// who imports lanes.
package asmcheck

import (
	"encoding/binary"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/arch/arm64/arm64asm"
)

// word is how such an instruction is written: at the end of its line, and with
// the instruction in GNU syntax and capital letters.
var word = regexp.MustCompile(`\bWORD \$0x([0-9A-F]{8}) // ([A-Z].*)$`)

// Check returns how many instructions a source has as numbers, and what is wrong with them.
func Check(source string) (n int, wrong []error) {
	for i, line := range strings.Split(source, "\n") {
		if code, _, _ := strings.Cut(line, "//"); !strings.Contains(code, "WORD") {
			continue
		}
		n++
		if err := check(line); err != nil {
			wrong = append(wrong, fmt.Errorf("line %d: %w", i+1, err))
		}
	}
	return n, wrong
}

func check(line string) error {
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
