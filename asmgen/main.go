// Command asmgen writes the amd64 bodies of the primitives: kernels_amd64.s
// and the stubs in kernels_amd64.go. From the root of the repository:
//
//	go generate .
//
// main is the table of contents. A file named as a primitive (gather.go) says
// what its loop does, in verbs; avx512.go and avx2.go own the mnemonics. Every
// body takes flat pointers and counts that the Go side has checked
// (select_amd64.go): no body tests a bound of a slice, and none is called with
// nothing to do.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"log"
	"os"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

func main() {
	log.SetFlags(0)
	flags := flag.NewFlagSet("asmgen", flag.ExitOnError) // avo has taken flag.CommandLine
	asm := flags.String("asm", "../kernels_amd64.s", "write the assembly to this `file`")
	stubs := flags.String("stubs", "../kernels_amd64.go", "write the declarations to this `file`")
	flags.Parse(os.Args[1:])
	f, err := generate()
	if err != nil {
		log.Fatal(err)
	}
	for name, new := range map[string]printer.Builder{*asm: printer.NewGoAsm, *stubs: printer.NewStubs} {
		text, err := print(f, new)
		if err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// print returns the generated file as assembly or as stubs.
func print(f *ir.File, new printer.Builder) ([]byte, error) {
	text, err := new(printer.Config{Name: "asmgen", Pkg: "lanes"}).Print(f)
	text = append(bytes.TrimSpace(text), '\n')
	if formatted, err := format.Source(text); err == nil { // of the stubs; assembly is none of its business
		text = formatted
	}
	return text, err
}

// generate makes every body. The order is that of the file: by verb, element,
// index and instruction set.
func generate() (*ir.File, error) {
	g := &gen{build.NewContext(), map[string]operand.Mem{}}
	g.ConstraintExpr("!purego,!noasm")

	for _, index := range indexWidths {
		for _, isa := range isas {
			check(g, isa, index)
		}
	}
	for _, isa := range isas {
		checkOffsets(g, isa)
	}
	for _, index := range indexWidths {
		for _, isa := range isas {
			resolve(g, isa, index)
		}
	}
	for _, elem := range []int{4, 8} {
		for _, index := range indexWidths {
			resolveOwned(g, elem, index)
		}
	}
	for _, index := range indexWidths {
		for _, isa := range isas {
			resolveTuples(g, isa, index)
		}
		resolveTuplesEach(g, index)
	}
	for _, b := range gathers {
		for _, index := range indexWidths {
			for _, isa := range isas {
				gather(g, isa, b, index)
			}
		}
	}
	for _, elem := range []int{1, 2, 4, 8} {
		for _, index := range indexWidths {
			gatherTable(g, elem, index)
		}
	}
	for _, elem := range []int{1, 2, 4, 8, 16} {
		gatherOffsets(g, elem)
	}
	for _, elem := range []int{1, 2, 4, 8} {
		for _, index := range indexWidths {
			gatherEach(g, elem, index)
		}
	}
	for _, isa := range isas {
		gatherRows(g, isa)
	}
	for _, elem := range []int{1, 2, 4, 8, 16} {
		scatter(g, elem)
	}
	for _, elem := range []int{1, 2, 4, 8} {
		for _, index := range indexWidths {
			scatterEach(g, elem, index)
		}
	}
	for _, a := range arithmetic {
		scatterCells(g, a)
		if a.each() {
			for _, index := range indexWidths {
				scatterCellsEach(g, a, index)
			}
		}
		for _, isa := range isas {
			if a.combine != nil {
				scatterRows(g, isa, a)
			}
		}
	}
	count(g)
	for _, elem := range []int{4, 8} {
		divide(g, elem)
		divideCounted(g, elem)
	}
	prefetchRow(g)
	for _, isa := range isas {
		copyRows(g, isa)
	}
	for _, p := range permutations {
		copySteps(g, p)
		copyPeriods(g, p)
	}

	f, err := g.Result()
	if err != nil {
		build.LogError(log.Default(), err, 20)
		return nil, err
	}
	if err := pass.Compile.Execute(f); err != nil {
		return nil, fmt.Errorf("compile: %w", err)
	}
	return f, nil
}
