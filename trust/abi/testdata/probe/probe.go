// Command probe calls subjects, which are bodies and planted offenders, and
// prints a line for each: its name, how often it was called, and what it
// spoiled. The list of subjects is written beside it before it is built.
package main

import (
	"flag"
	"fmt"
	"os"
	"runtime/debug"
	"slices"
	"strings"
)

// A subject is a TEXT to be called.
type subject struct {
	name   string
	level  string   // AVX2, AVX512, AVX512VBMI or NEON
	params []string // one word of the stack each
	words  int      // of parameters and results
}

// frameWords is the words of the stack from the first parameter on that are
// looked at: those beyond the parameters and results are the caller's.
const frameWords = 48

// call calls a body with what frame holds, and sets frame to what it holds then.
func call(fn uintptr, frame *[frameWords]uint64, zmm bool, got *state)

// address returns where a subject begins.
func address(i int) uintptr

func main() {
	levels := flag.String("levels", "", "call only subjects of these `levels`")
	flag.Parse()
	debug.SetGCPercent(-1)
	has := strings.Split(*levels, ",")
	for i, s := range subjects {
		if !slices.Contains(has, s.level) {
			continue
		}
		calls, spoiled := 0, map[string]bool{}
		for _, v := range variants {
			words, err := arguments(s, v)
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			for _, what := range probe(address(i), words, s.words, slices.Contains(has, "AVX512")) {
				spoiled[what] = true
			}
			calls++
		}
		var list []string
		for what := range spoiled {
			list = append(list, what)
		}
		slices.Sort(list)
		fmt.Printf("%s\t%d\t%s\n", s.name, calls, strings.Join(list, ","))
	}
}

// probe makes one call and returns what it spoiled.
func probe(fn uintptr, words []uint64, used int, zmm bool) (spoiled []string) {
	var frame [frameWords]uint64
	for i := range frame {
		frame[i] = 0xC0FFEE<<32 + uint64(i)
	}
	copy(frame[:], words)
	before := frame
	got := new(state)
	call(fn, &frame, zmm, got)
	spoiled = check(got, zmm)
	if !slices.Equal(before[used:], frame[used:]) {
		spoiled = append(spoiled, "stack")
	}
	return spoiled
}
