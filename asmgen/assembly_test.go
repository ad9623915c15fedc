package main

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The assembly is read back as text, written out: TestMacros holds kernels_amd64.s to it.

// A listing is a TEXT of the assembly.
type listing struct {
	name     string
	requires []string // features, as the generator's comment lists them
	flags    string
	frame    int // bytes
	lines    []line
}

// A line is an instruction with its operands, or a label without them.
type line struct {
	number int // in the file
	label  string
	op     string
	args   []string
}

func (l line) String() string {
	if l.label != "" {
		return l.label + ":"
	}
	return strings.TrimSpace(l.op + " " + strings.Join(l.args, ", "))
}

// instructions counts the lines that are no labels.
func (b listing) instructions() (n int) {
	for _, l := range b.lines {
		if l.op != "" {
			n++
		}
	}
	return n
}

var (
	textLine  = regexp.MustCompile(`^TEXT ·(\w+)\(SB\), (.+), \$(\d+)(?:-\d+)?$`)
	labelLine = regexp.MustCompile(`^([^\s:]+):$`)
)

// bodies reads a file of assembly.
func bodies(t testing.TB, text string) []listing {
	var all []listing
	var requires []string
	for i, s := range strings.Split(text, "\n") {
		if list, ok := strings.CutPrefix(s, "// Requires: "); ok {
			requires = strings.Split(list, ", ")
			continue
		}
		s, _, _ = strings.Cut(s, "//")
		s = strings.TrimSpace(s)
		switch {
		case s == "" || s[0] == '#' || strings.HasPrefix(s, "DATA ") || strings.HasPrefix(s, "GLOBL "):
		case strings.HasPrefix(s, "TEXT "):
			m := textLine.FindStringSubmatch(s)
			require.NotNil(t, m, "line %d: %s", i+1, s)
			frame, err := strconv.Atoi(m[3])
			require.NoError(t, err)
			all = append(all, listing{name: m[1], requires: requires, flags: m[2], frame: frame})
			requires = nil
		default:
			require.NotEmpty(t, all, "line %d is in no body: %s", i+1, s)
			l := line{number: i + 1}
			if m := labelLine.FindStringSubmatch(s); m != nil {
				l.label = m[1]
			} else {
				op, args, _ := strings.Cut(s, " ")
				l.op = op
				for a := range strings.SplitSeq(args, ",") {
					if a = strings.TrimSpace(a); a != "" {
						l.args = append(l.args, a)
					}
				}
			}
			b := &all[len(all)-1]
			b.lines = append(b.lines, l)
		}
	}
	return all
}

const assemblyFile = "../" + assemblyName

// written returns the assembly without macros: that of the file, where somebody has put it there.
func written(t testing.TB) string {
	if text := read(t, assemblyFile); !strings.Contains(text, "\n#define ") {
		return text
	}
	text, err := flatAssembly()
	require.NoError(t, err)
	return string(text)
}

func read(t testing.TB, name string) string {
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

func TestBodies(t *testing.T) {
	got := bodies(t, `#include "textflag.h"

// func addAVX2(x *byte, n int) int
// Requires: AVX, CMOV
TEXT ·addAVX2(SB), NOSPLIT, $8-24
	// A comment.
	MOVQ  x+0(FP), AX

loop:
	VPADDD 8(AX)(CX*4), Y1, Y2 // another
	RET

DATA one<>+0(SB)/8, $0x0000000000000001
GLOBL one<>(SB), RODATA|NOPTR, $8

TEXT ·noneAVX2(SB), NOSPLIT, $0
	RET
`)
	require.Len(t, got, 2)
	assert.Equal(t, listing{"addAVX2", []string{"AVX", "CMOV"}, "NOSPLIT", 8, []line{
		{7, "", "MOVQ", []string{"x+0(FP)", "AX"}},
		{9, "loop", "", nil},
		{10, "", "VPADDD", []string{"8(AX)(CX*4)", "Y1", "Y2"}},
		{11, "", "RET", nil},
	}}, got[0])
	assert.Equal(t, 3, got[0].instructions())
	assert.Equal(t, "noneAVX2", got[1].name)
	assert.Nil(t, got[1].requires)
}

// TestSize says how much assembly there is, and keeps what stands in one piece, a body or a macro,
// short enough to be read.
func TestSize(t *testing.T) {
	const mostLines = 130
	all := bodies(t, written(t))
	instructions := 0
	for _, b := range all {
		instructions += b.instructions()
	}
	text := read(t, assemblyFile)
	assert.Equal(t, strings.Count(text, "\nTEXT "), len(all))
	pieces := regexp.MustCompile(`(?m)^(?:TEXT ·|#define )(\w+)`).FindAllStringSubmatchIndex(text, -1)
	longest, name := 0, ""
	for k, at := range pieces {
		end := len(text)
		if k+1 < len(pieces) {
			end = pieces[k+1][0]
		}
		if n := strings.Count(text[at[0]:end], "\n"); n > longest {
			longest, name = n, text[at[2]:at[3]]
		}
	}
	assert.LessOrEqual(t, longest, mostLines, name)
	t.Logf("%d bodies, %d instructions, %d lines in %d pieces; the longest is %s with %d", len(all), instructions, strings.Count(text, "\n"), len(pieces), name, longest)
}

// TestConstants: each constant is read.
func TestConstants(t *testing.T) {
	text := written(t)
	uses := regexp.MustCompile(`(?m)^\t.* (\w+)<>\+\d+\(SB\)`).FindAllStringSubmatch(text, -1)
	for _, c := range regexp.MustCompile(`(?m)^GLOBL (\w+)<>`).FindAllStringSubmatch(text, -1) {
		assert.True(t, slices.ContainsFunc(uses, func(use []string) bool { return use[1] == c[1] }), c[1])
	}
}
