package asmcheck

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	source, err := os.ReadFile("../kernels_arm64.s")
	if err != nil {
		t.Fatal(err)
	}
	n, wrong := Check(string(source))
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
	if n, wrong := Check("\n" + good + "\n"); n != 1 || wrong != nil {
		t.Fatal(n, wrong)
	}
	for bit := range 32 {
		flipped := fmt.Sprintf("%08X", uint32(0x4E22D420)^1<<bit)
		if n, wrong := Check(strings.Replace(good, "4E22D420", flipped, 1)); n != 1 || len(wrong) != 1 {
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
		if n, wrong := Check(bad); n != 1 || len(wrong) != 1 {
			t.Errorf("%q is taken for good: %d, %v", bad, n, wrong)
		}
	}
}
