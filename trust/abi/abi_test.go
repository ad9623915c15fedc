package abi

import (
	"encoding/hex"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
)

const root = "../.."

// An arch is an architecture that has assembly.
type arch struct {
	name     string
	decode   func(Body, []byte) []string
	emulator []string // where the CPU is another one
	levels   []string // of its bodies
}

var archs = []arch{
	{"amd64", DecodeX86, []string{"qemu-x86_64", "-cpu", "max"}, nil},
	{"arm64", DecodeA64, []string{"qemu-aarch64"}, nil},
}

// levelsOf returns the levels that bodies are for.
func levelsOf(bodies []Body) (levels []string) {
	for _, b := range bodies {
		if !slices.Contains(levels, b.Level) {
			levels = append(levels, b.Level)
		}
	}
	slices.Sort(levels)
	return levels
}

// runnable returns the levels that a probe can be run at here, and the command
// that goes before it.
func (a arch) runnable() (levels, command []string) {
	if runtime.GOOS != "linux" {
		return nil, nil
	}
	if a.name != runtime.GOARCH {
		if _, err := exec.LookPath(a.emulator[0]); err != nil {
			return nil, nil
		}
		return slices.DeleteFunc(slices.Clone(a.levels), func(l string) bool { return strings.HasPrefix(l, "AVX512") }), a.emulator // which know no AVX-512
	}
	for _, v := range dispatch.Variants() {
		level := strings.ToUpper(v.Level.String())
		if v.Traits&dispatch.VBMI != 0 {
			level += "VBMI"
		}
		if slices.Contains(a.levels, level) && !slices.Contains(levels, level) {
			levels = append(levels, level)
		}
	}
	return levels, nil
}

// requires fails a test that lacks a level which LANES_REQUIRE_ISA lists, and skips it otherwise.
func requires(t *testing.T, level string) {
	for _, name := range dispatch.Required() {
		if strings.HasPrefix(level, strings.ToUpper(name)) {
			t.Fatalf("LANES_REQUIRE_ISA: no probe can be run at %s", level)
		}
	}
	t.Skipf("%s: NOT RUN, neither this CPU nor an emulator has it", level)
}

// TestBodies checks every TEXT of both assembly files, and the planted offenders in
// the same probe, in both ways.
func TestBodies(t *testing.T) {
	for _, a := range archs {
		t.Run("arch="+a.name, func(t *testing.T) {
			bodies, err := Bodies(root, a.name)
			require.NoError(t, err)
			a.levels = levelsOf(bodies)
			offenders := Offenders(a.name)
			subjects := slices.Clone(bodies)
			for _, o := range offenders {
				subjects = append(subjects, o.Body)
			}
			probe, err := Build(t.TempDir(), root, a.name, subjects)
			require.NoError(t, err)
			code, err := Code(probe, subjects)
			require.NoError(t, err)

			t.Run("decoded", func(t *testing.T) {
				bytes := 0
				for _, b := range bodies {
					assert.Empty(t, a.decode(b, code[b.Name]), b.Name)
					bytes += len(code[b.Name])
				}
				caught := 0
				for _, o := range offenders {
					findings := strings.Join(a.decode(o.Body, code[o.Name]), "\n")
					if o.Writes == "" {
						assert.Empty(t, findings, o.Name)
					} else if assert.Contains(t, findings, o.Writes, o.Name) {
						caught++
					}
				}
				t.Logf("%d bodies, %d bytes of machine code; %d offenders caught", len(bodies), bytes, caught)
			})

			levels, command := a.runnable()
			found := map[string]Finding{}
			if levels != nil {
				found, err = Run(append(slices.Clone(command), probe), levels)
				require.NoError(t, err)
			}
			for _, level := range a.levels {
				t.Run("called/impl="+level, func(t *testing.T) {
					if !slices.Contains(levels, level) {
						requires(t, level)
					}
					calls, n, caught := 0, 0, 0
					for _, b := range bodies {
						if b.Level != level {
							continue
						}
						f, ok := found[b.Name]
						require.True(t, ok && f.Calls > 0, "%s was not called", b.Name)
						assert.Empty(t, f.Spoiled, b.Name)
						calls, n = calls+f.Calls, n+1
					}
					for _, o := range offenders {
						if o.Level != level {
							continue
						}
						if assert.ElementsMatch(t, o.Spoils, found[o.Name].Spoiled, o.Name) && o.Spoils != nil {
							caught++
						}
					}
					t.Logf("%d bodies in %d calls; %d offenders caught", n, calls, caught)
				})
			}
		})
	}
}

// TestOffenders makes sure that each TEXT of the offenders is listed, and that what is listed is
// caught in one way at least.
func TestOffenders(t *testing.T) {
	symbol := regexp.MustCompile(`·(\w+)`)
	for _, a := range archs {
		text, err := os.ReadFile(filepath.Join("testdata/probe", "offenders_"+a.name+".s"))
		require.NoError(t, err)
		var there, listed []string
		for _, m := range symbol.FindAllStringSubmatch(string(text), -1) {
			there = append(there, m[1])
		}
		for _, o := range Offenders(a.name) {
			listed = append(listed, o.Name)
			assert.Equal(t, strings.HasPrefix(o.Name, "innocent"), o.Spoils == nil && o.Writes == "", o.Name)
		}
		assert.ElementsMatch(t, there, listed)
	}
}

// TestSources makes sure that no TEXT is left out.
func TestSources(t *testing.T) {
	stubs, err := parser.ParseFile(token.NewFileSet(), "", "package lanes\nfunc aAVX2(dst *byte, n, size int, stream bool) int\nfunc none()\nfunc bAVX512()", 0)
	require.NoError(t, err)
	good := "TEXT ·aAVX2(SB), NOSPLIT, $8-48\n\tRET\n\n// Requires: AVX512F, AVX512VBMI\nTEXT ·bAVX512(SB), NOSPLIT, $0\n"
	all, err := bodies(good, stubs)
	require.NoError(t, err)
	assert.Equal(t, []Body{{"aAVX2", "AVX2", []string{"dst", "n", "size", "stream"}, 48}, {"bAVX512", "AVX512VBMI", []string{}, 0}}, all)
	for _, bad := range []struct{ text, err string }{
		{"TEXT ·cAVX2(SB), NOSPLIT, $8-48\n", "no declaration"},
		{"TEXT ·none(SB), NOSPLIT, $8-48\n", "no level"},
		{"TEXT ·aAVX2(SB), NOSPLIT, $0-24\n", "24 bytes of arguments for 4 parameters"},
		{"TEXT aAVX2<>(SB), NOSPLIT, $0-24\n", "there are 3 TEXTs"},
		{"#define X \\\n\tTEXT ·xAVX2(SB), NOSPLIT, $0 \\\n", "there are 3 TEXTs"},
	} {
		_, err := bodies(good+bad.text, stubs)
		assert.ErrorContains(t, err, bad.err)
	}
}

// TestDecoded finds what no assembler would make of a body's source.
func TestDecoded(t *testing.T) {
	for _, tt := range []struct{ name, arch, code, want string }{
		{"a frame", "amd64", "55 4889e5 4883ec08 4889442400 4883c408 5d c3", ""},
		{"push", "amd64", "50 58 c3", "PUSH RAX: is not known"},
		{"lower SP", "amd64", "4883ec08 c3", "writes SP"},
		{"BP lost", "amd64", "55 c3", "returns with 8 bytes"},
		{"BP popped early", "amd64", "55 4883ec08 5d c3", "POP RBP: is not known"},
		{"two stacks", "amd64", "4885c0 7401 55 90 c3", "another stack"},
		{"past the end", "amd64", "4885c0", "leaves the body"},
		{"jump out", "amd64", "eb7f", "leaves the body"},
		{"cut off", "amd64", "c5f8", "truncated"},
		{"return address", "amd64", "48890424 c3", "the caller's stack"},
		{"an argument", "amd64", "4889442408 c3", ""},
		{"half an argument", "amd64", "488944240c c3", "the caller's stack"},
		{"by an index", "amd64", "488904cc c3", "index into the stack"},
		{"a call", "amd64", "e8 00000000 c3", "is not known"},
		{"a system call", "amd64", "0f05 c3", "is not known"},
		{"half of BP", "amd64", "31ed c3", "writes BP"},
		{"x87", "amd64", "d9e8 c3", "is not known"},

		{"BL", "arm64", "00000094 c0035fd6", "is not known"},
		{"LDP R29, R30", "arm64", "fd7b40a9 c0035fd6", "writes R30"},
		{"post-index", "arm64", "e00741f8 c0035fd6", "writes SP"},
		{"W18", "arm64", "12008052 c0035fd6", "writes R18"},
		{"an argument", "arm64", "e00700f9 c0035fd6", ""},
		{"the slot of R30", "arm64", "e00300f9 c0035fd6", "the caller's stack"},
		{"a pair, half beyond", "arm64", "e08700a9 c0035fd6", "the caller's stack"},
		{"no instruction", "arm64", "ffffffff c0035fd6", "ffffffff: unknown"},
		{"SVC", "arm64", "010000d4 c0035fd6", "is not known"},
	} {
		t.Run(tt.arch+"/"+tt.name, func(t *testing.T) {
			code, err := hex.DecodeString(strings.ReplaceAll(tt.code, " ", ""))
			require.NoError(t, err)
			decode := archs[0].decode
			if tt.arch == "arm64" {
				decode = archs[1].decode
			}
			findings := strings.Join(decode(Body{ArgBytes: 8}, code), "\n")
			if tt.want == "" {
				assert.Empty(t, findings)
			} else {
				assert.Contains(t, findings, tt.want)
			}
		})
	}
}
