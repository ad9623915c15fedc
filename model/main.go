// Model rebuilds the table of README.md: what each body of kernels_arm64.s costs by
// a model of four processors, beside the loop that it replaces as Go compiles it, and
// that loop as clang does.
//
//	go run -C model .
//
// Nothing here is measured on ARM hardware. A program with a call for each row runs
// under qemu, which writes down every instruction of the loops as it is executed; what
// the longer one of two calls executes more is the loop, unrolled and in its order, and
// llvm-mca says how many cycles a processor needs for it when each load hits the
// first-level cache and no branch is mispredicted.
//
// It needs qemu-aarch64, and clang, lld, llvm-objdump and llvm-mca of version 19 or later;
// older models lack the processors. -suffix says how the programs' names end.
package main

import (
	"bufio"
	"bytes"
	"debug/elf"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
)

var cpus = []string{"n1", "v1", "n2", "v2"}

var (
	suffix = flag.String("suffix", "-19", "how the names of LLVM's programs end")
	only   = flag.String("only", "", "print the rows that match this expression, and leave README.md alone")
	calls  = flag.Bool("calls", false, "make the calls: what runs under qemu")
)

func main() {
	log.SetFlags(0)
	flag.Parse()
	if *calls {
		debug.SetGCPercent(-1)
		makeCalls()
		return
	}
	dir, err := os.MkdirTemp("", "model")
	check(err)
	defer os.RemoveAll(dir)

	program := filepath.Join(dir, "calls")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	run(build)
	loops := filepath.Join(dir, "loops")
	run(exec.Command("clang"+*suffix, "--target=aarch64-linux-gnu", "-O3", "-ffreestanding", "-fno-builtin", "-nostdlib", "-static", "-fuse-ld=lld",
		fmt.Sprintf("-DSHORT=%d", short), fmt.Sprintf("-DLONG=%d", long), "-o", loops, "clang/loops.c"))

	ours, clang := load(program), load(loops)
	bodies := ours.trace("neon", func(s string) bool { return strings.HasSuffix(s, "NEON.abi0") || s == "main.mark" })
	generic := ours.trace("generic", func(s string) bool {
		return strings.Contains(s, "lanes-go/lanes") || s == "runtime.memmove" || s == "main.mark"
	})
	compiled := clang.trace("", func(s string) bool { return s != "_start" })

	perCall := split(bodies, ours.entry("main.mark"))
	perGeneric := split(generic, ours.entry("main.mark"))
	if n := 2*len(rows()) + 1; len(perCall) != n || len(perGeneric) != n {
		log.Fatalf("model: traces of %d and %d calls, not %d", len(perCall), len(perGeneric), n)
	}
	filter := regexp.MustCompile(*only)
	var table []line
	for i, r := range rows() {
		if !filter.MatchString(r.name()) {
			continue
		}
		l := line{name: r.name()}
		if symbol := "github.com/lanes-go/lanes." + r.body + ".abi0"; ours.has(symbol) {
			in := func(pcs []uint64) []uint64 { return ours.within(pcs, symbol) }
			l.body = ours.cost(in(perCall[2*i]), in(perCall[2*i+1]), r.elements())
		}
		if l.body == nil {
			continue // the row has no body
		}
		l.generic = ours.cost(perGeneric[2*i], perGeneric[2*i+1], r.elements())
		if f := split(clang.within(compiled, r.c), clang.entry(r.c)); len(f) == 2 {
			l.clang = clang.cost(f[0], f[1], r.elements())
		}
		table = append(table, l)
		fmt.Fprintf(os.Stderr, "\r%d of %d rows ", i+1, len(rows()))
	}
	fmt.Fprintln(os.Stderr)
	if *only != "" {
		fmt.Print(markdown(table))
		return
	}
	check(replaceTable("README.md", markdown(table)))
}

// elements returns how many elements the longer call has more than the shorter.
func (r row) elements() int {
	if strings.Contains(r.note, "bytes") { // rows: one for each 32 of n
		return (long - short) / 32 * r.unit
	}
	return (long - short) * r.unit
}

func check(err error) {
	if err != nil {
		log.Fatal("model: ", err)
	}
}

func run(c *exec.Cmd) []byte {
	var problems bytes.Buffer
	c.Stderr = &problems
	out, err := c.Output()
	if err != nil {
		log.Fatalf("model: %s: %v\n%s", c, err, &problems)
	}
	return out
}

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

func (im *image) has(symbol string) bool { return im.symbols[symbol].Size > 0 }

func (im *image) entry(symbol string) uint64 { return im.symbols[symbol].Value }

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

// split cuts a trace wherever entry is executed; what comes before the first is dropped.
func split(pcs []uint64, entry uint64) [][]uint64 {
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

// A cost is instructions and cycles for an element.
type cost struct {
	instructions float64
	cycles       [4]float64
}

const (
	window     = 6 << 10 // instructions that llvm-mca looks at, at most
	iterations = 2
)

// cost models what a longer call executes more than a shorter one: from the middle, so
// much that the rest is as long as the shorter one.
func (im *image) cost(short, long []uint64, elements int) *cost {
	more := len(long) - len(short)
	if len(short) == 0 || more <= 0 {
		return nil
	}
	loop := long[len(short)/2 : len(short)/2+more]
	c := &cost{instructions: float64(more) / float64(elements)}
	part := float64(elements)
	if len(loop) > window {
		part *= window / float64(len(loop))
		loop = loop[:window]
	}
	var code strings.Builder
	for _, pc := range loop {
		text, ok := im.text[pc]
		if !ok {
			log.Fatalf("model: no instruction at %#x", pc)
		}
		fmt.Fprintln(&code, text)
	}
	total := regexp.MustCompile(`Total Cycles:\s+(\d+)`)
	for i, cpu := range cpus {
		mca := exec.Command("llvm-mca"+*suffix, "-mtriple=aarch64", "-mcpu=neoverse-"+cpu, fmt.Sprint("-iterations=", iterations),
			"-instruction-info=false", "-resource-pressure=false")
		mca.Stdin = strings.NewReader(code.String())
		m := total.FindSubmatch(run(mca))
		cycles, err := strconv.ParseFloat(string(m[1]), 64)
		check(err)
		c.cycles[i] = cycles / iterations / part
	}
	return c
}

// A line of the table.
type line struct {
	name                 string
	generic, clang, body *cost
}

func markdown(table []line) string {
	var b strings.Builder
	b.WriteString("| body | instructions: Go, clang, body |")
	for _, cpu := range cpus {
		fmt.Fprintf(&b, " %s |", strings.ToUpper(cpu))
	}
	b.WriteString("\n|---|---|---|---|---|---|\n")
	for _, l := range table {
		of := func(c *cost, f func(*cost) float64) string {
			if c == nil {
				return "–"
			}
			return fmt.Sprintf("%.2f", f(c))
		}
		cell := func(f func(*cost) float64) string {
			return of(l.generic, f) + ", " + of(l.clang, f) + ", **" + of(l.body, f) + "**"
		}
		fmt.Fprintf(&b, "| %s | %s |", l.name, cell(func(c *cost) float64 { return c.instructions }))
		for i := range cpus {
			slower := ""
			if l.generic != nil && l.body.cycles[i] > 1.02*l.generic.cycles[i] {
				slower = " slower"
			}
			fmt.Fprintf(&b, " %s%s |", cell(func(c *cost) float64 { return c.cycles[i] }), slower)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// replaceTable puts the table between the marks of a file.
func replaceTable(path, table string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	const begin, end = "<!-- table -->\n", "<!-- end -->"
	head, rest, ok := strings.Cut(string(text), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no place for the table", path)
	}
	return os.WriteFile(path, []byte(head+begin+"\n"+table+"\n"+end+tail), 0o644)
}
