// Model rebuilds the table of README.md: what each body of kernels_arm64.s costs by
// a model of four processors, beside the loop that it replaces as Go compiles it, and
// that loop as clang does.
//
//	go run -C trust/model .
//
// Nothing here is measured on ARM hardware. A program with a call for each row runs
// under qemu, which writes down every instruction of the loops as it is executed; what
// the longer one of two calls executes more is the loop, unrolled and in its order, and
// llvm-mca says how many cycles a processor needs for it when each load hits the
// first-level cache and no branch is mispredicted.
//
// It needs qemu-aarch64, and clang, lld, llvm-objdump and llvm-mca of version 19 or later;
// older models lack the processors. -suffix says how the programs' names end.
//
// It fails if a body has no row, or is slower than the loop that it replaces.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
)

var (
	suffix = flag.String("suffix", "-19", "how the names of LLVM's programs end")
	only   = flag.String("only", "", "print the rows that match this expression, and leave README.md alone")
	calls  = flag.Bool("calls", false, "make the calls: what runs under qemu")
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("model: ")
	flag.Parse()
	if *calls {
		debug.SetGCPercent(-1)
		makeCalls()
		return
	}
	lines := model(regexp.MustCompile(*only))
	if *only != "" {
		fmt.Print(markdown(lines))
		return
	}
	check(replaceTable("README.md", markdown(lines)))
	found, err := problems()
	check(err)
	if len(found) > 0 {
		log.Fatal(strings.Join(found, "\n"))
	}
}

// model returns the lines of the rows whose names match.
func model(names *regexp.Regexp) []line {
	dir, err := os.MkdirTemp("", "model")
	check(err)
	defer os.RemoveAll(dir)
	ours, clang := build(dir)
	bodies := ours.calls("neon", func(s string) bool { return strings.HasSuffix(s, "NEON.abi0") })
	generic := ours.calls("generic", func(s string) bool {
		return strings.Contains(s, "lanes-go/lanes") || s == "main.loopOffsets" || s == "runtime.memmove"
	})
	compiled := clang.trace("", func(s string) bool { return s != "_start" })

	all := rows()
	var lines []line
	for i, r := range all {
		if !names.MatchString(r.name()) {
			continue
		}
		symbol := "github.com/lanes-go/lanes." + r.body + ".abi0"
		l := line{
			name:    r.name(),
			generic: ours.cost(generic[2*i], generic[2*i+1], r.elements()),
			body:    ours.cost(ours.within(bodies[2*i], symbol), ours.within(bodies[2*i+1], symbol), r.elements()),
		}
		if l.body == nil {
			log.Fatalf("the call of the row %q does not come to its body", r.name())
		}
		if f := clang.split(clang.within(compiled, r.c), r.c); len(f) == 2 {
			l.clang = clang.cost(f[0], f[1], r.elements())
		}
		lines = append(lines, l)
		fmt.Fprintf(os.Stderr, "\r%d of %d rows ", i+1, len(all))
	}
	fmt.Fprintln(os.Stderr)
	return append(lines, line{name: "64 bytes by paired loads and stores alone", body: limit()})
}

// build makes the two programs whose loops are compared.
func build(dir string) (ours, clang *image) {
	program, loops := filepath.Join(dir, "calls"), filepath.Join(dir, "loops")
	c := exec.Command("go", "build", "-o", program, ".")
	c.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	run(c)
	run(exec.Command("clang"+*suffix, "--target=aarch64-linux-gnu", "-O3", "-ffreestanding", "-fno-builtin", "-nostdlib", "-static", "-fuse-ld=lld",
		fmt.Sprintf("-DSHORT=%d", short), fmt.Sprintf("-DLONG=%d", long), "-o", loops, "clang/loops.c"))
	return load(program), load(loops)
}

// calls returns what each call of makeCalls executes of the wanted functions.
func (im *image) calls(level string, wanted func(symbol string) bool) [][]uint64 {
	each := im.split(im.trace(level, func(s string) bool { return s == "main.mark" || wanted(s) }), "main.mark")
	if n := 2*len(rows()) + 1; len(each) != n {
		log.Fatalf("the trace at level %s is of %d calls, not %d", level, len(each), n)
	}
	return each
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func run(c *exec.Cmd) []byte {
	var problems bytes.Buffer
	c.Stderr = &problems
	out, err := c.Output()
	if err != nil {
		log.Fatalf("%s: %v\n%s", c, err, &problems)
	}
	return out
}
