// Command asmgen writes the amd64 bodies of the primitives (kernels_amd64.s), the
// declarations of all bodies (kernels_<arch>.go), and the functions that choose one
// (bodies_<arch>.go). From the root of the repository:
//
//	go generate .
//
// table.go is the table of contents: all bodies of both architectures, and what each does. A
// file named as a primitive (gather.go) says how, in verbs; avx512.go and avx2.go own
// the mnemonics. The bodies of arm64 are written by hand. Every body takes flat pointers
// and counts that the Go side has checked: no body tests a bound of a slice, and none is
// called with nothing to do. What bodies have in common is a macro in kernels_amd64.s (macros.go);
// -flat writes it without any.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

func main() {
	log.SetFlags(0)
	flags := flag.NewFlagSet("asmgen", flag.ExitOnError) // avo has taken flag.CommandLine
	dir := flags.String("dir", "..", "write to this `directory`")
	masks := flags.Bool("maskable", false, "write only bodies_amd64.go with bodies that can be masked, and overlay.json, for gains_test.go")
	flat := flags.Bool("flat", false, "write only kernels_amd64.s without macros, and overlay.json")
	flags.Parse(os.Args[1:])
	only := func(name string, make func() ([]byte, error)) {
		files = map[string]func() ([]byte, error){
			name:           make,
			"overlay.json": func() ([]byte, error) { return overlay(name, *dir) },
		}
	}
	switch {
	case *masks:
		only("bodies_amd64.go", func() ([]byte, error) { return maskable(amd64) })
	case *flat:
		only(assemblyName, flatAssembly)
	}
	for name, make := range files {
		text, err := make()
		if err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(*dir, name), text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

const assemblyName = "kernels_amd64.s"

// files returns the generated files.
var files = map[string]func() ([]byte, error){
	assemblyName:       assembly,
	"kernels_amd64.go": func() ([]byte, error) { return declarations(amd64) },
	"kernels_arm64.go": func() ([]byte, error) { return declarations(arm64) },
	"bodies_amd64.go":  func() ([]byte, error) { return switches(amd64) },
	"bodies_arm64.go":  func() ([]byte, error) { return switches(arm64) },
	"bodies_other.go":  func() ([]byte, error) { return switches(arch{}) },
}

// overlay makes go test -overlay take a file from a directory instead of the root's.
func overlay(name, dir string) ([]byte, error) {
	from, err := filepath.Abs(filepath.Join("..", name))
	if err != nil {
		return nil, err
	}
	to, err := filepath.Abs(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	return json.Marshal(map[string]map[string]string{"Replace": {from: to}})
}

// assembly makes every body of amd64, with macros for what they share.
func assembly() ([]byte, error) {
	f, fragments, err := compiled()
	if err != nil {
		return nil, err
	}
	text, err := share(f, fragments)
	return []byte(text), err
}

// flatAssembly makes every body of amd64, written out.
func flatAssembly() ([]byte, error) {
	f, _, err := compiled()
	if err != nil {
		return nil, err
	}
	withoutMarks(f)
	text, err := printer.NewGoAsm(printer.Config{Name: "asmgen", Pkg: "lanes"}).Print(f)
	return append(bytes.TrimSpace(text), '\n'), err
}

// compiled makes every body of amd64, in the order of the table.
func compiled() (*ir.File, []fragment, error) {
	g := &gen{Context: build.NewContext(), constants: map[string]operand.Mem{}}
	g.ConstraintExpr("!purego,!noasm")
	for i := range families {
		for _, b := range families[i].bodiesOf(amd64) {
			b.body(g, b)
		}
	}
	f, err := g.Result()
	if err != nil {
		build.LogError(log.Default(), err, 20)
		return nil, nil, err
	}
	if err := pass.Compile.Execute(f); err != nil {
		return nil, nil, fmt.Errorf("compile: %w", err)
	}
	return f, g.fragments, nil
}
