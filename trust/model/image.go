package main

import (
	"bufio"
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// An image is a program with its symbols, and its instructions as text.
type image struct {
	path    string
	symbols map[string]elf.Symbol
	text    map[uint64]string
}

func load(path string) *image {
	f, err := elf.Open(path)
	check(err)
	defer f.Close()
	list, err := f.Symbols()
	check(err)
	im := &image{path, map[string]elf.Symbol{}, map[uint64]string{}}
	for _, s := range list {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Size > 0 {
			im.symbols[s.Name] = s
		}
	}
	target := regexp.MustCompile(`(#?0x[0-9a-f]+ )?<.*>|//.*`)
	for l := range strings.Lines(string(run(exec.Command("llvm-objdump"+*suffix, "-d", "--no-show-raw-insn", path)))) {
		at, text, ok := strings.Cut(strings.TrimSpace(l), ":")
		pc, err := strconv.ParseUint(at, 16, 64)
		if !ok || err != nil {
			continue
		}
		if op := strings.Fields(text); len(op) > 0 && (strings.HasPrefix(op[0], "b") || strings.HasPrefix(op[0], "cb") || strings.HasPrefix(op[0], "tb") || op[0] == "adrp" || op[0] == "adr") {
			text = target.ReplaceAllString(text, "elsewhere")
		}
		text, _, _ = strings.Cut(text, "//")
		im.text[pc] = strings.TrimSpace(text)
	}
	return im
}

// code returns instructions as text, a line each.
func (im *image) code(pcs []uint64) (string, error) {
	var b strings.Builder
	for _, pc := range pcs {
		text, ok := im.text[pc]
		if !ok {
			return "", fmt.Errorf("no instruction at %#x", pc)
		}
		fmt.Fprintln(&b, text)
	}
	return b.String(), nil
}

// within keeps what belongs to one function.
func (im *image) within(pcs []uint64, symbol string) []uint64 {
	s := im.symbols[symbol]
	var out []uint64
	for _, pc := range pcs {
		if pc-s.Value < s.Size {
			out = append(out, pc)
		}
	}
	return out
}

// trace returns the address of every instruction that was executed in the
// wanted functions.
func (im *image) trace(level string, wanted func(symbol string) bool) []uint64 {
	var ranges []string
	for name, s := range im.symbols {
		if wanted(name) {
			ranges = append(ranges, fmt.Sprintf("0x%x+0x%x", s.Value, s.Size))
		}
	}
	path := im.path + level + ".trace"
	single := "-one-insn-per-tb"
	if help, _ := exec.Command("qemu-aarch64", "-h").Output(); !bytes.Contains(help, []byte("one-insn-per-tb")) {
		single = "-singlestep"
	}
	q := exec.Command("qemu-aarch64", single, "-d", "exec,nochain", "-D", path, "-dfilter", strings.Join(ranges, ","), im.path, "-calls")
	q.Env = append(os.Environ(), "LANES_ISA="+level, "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1")
	run(q)
	f, err := os.Open(path)
	check(err)
	defer os.Remove(path)
	defer f.Close()
	pc := regexp.MustCompile(`\[[0-9a-f]+/([0-9a-f]+)/`)
	var pcs []uint64
	for s := bufio.NewScanner(f); s.Scan(); {
		if m := pc.FindSubmatch(s.Bytes()); m != nil {
			at, err := strconv.ParseUint(string(m[1]), 16, 64)
			check(err)
			pcs = append(pcs, at)
		}
	}
	return pcs
}

// split cuts a trace wherever a function is entered; what comes before the first is dropped.
func (im *image) split(pcs []uint64, symbol string) [][]uint64 {
	entry := im.symbols[symbol].Value
	var out [][]uint64
	for {
		i := slices.Index(pcs, entry)
		if i < 0 {
			return out
		}
		if len(out) > 0 {
			out[len(out)-1] = pcs[:i]
		}
		pcs = pcs[i+1:]
		out = append(out, pcs)
	}
}
