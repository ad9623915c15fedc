package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// A page shows an example of package kernels, from one of its test files, as
//
//	<!-- ExampleGatherElements -->
//	```go
//	the function's body
//	```
//
// and no other Go code.
var (
	block = regexp.MustCompile("(?s)(?:<!-- (Example\\w*) -->\n)?```go\n(.*?)```\n")

	// What go test compares with the example's output.
	indent = regexp.MustCompile(`(?m)^\t`)
)

// addPages adds the pages of a directory to files, with the examples' code.
func addPages(files map[string][]byte, dir string) error {
	examples, err := readExamples(filepath.Join(root, "kernels"))
	if err != nil {
		return err
	}
	pages, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		return err
	}
	for _, name := range pages {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if files[name], err = fillPage(text, examples); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// fillPage returns a page with the code of the examples that it names.
func fillPage(text []byte, examples map[string]string) (filled []byte, err error) {
	filled = block.ReplaceAllFunc(text, func(found []byte) []byte {
		name := string(block.FindSubmatch(found)[1])
		code, ok := examples[name]
		switch {
		case name == "":
			err = fmt.Errorf("no test runs this Go code:\n%s", found)
		case !ok:
			err = fmt.Errorf("there is no %s", name)
		}
		return fmt.Appendf(nil, "<!-- %s -->\n```go\n%s```\n", name, code)
	})
	return filled, err
}

// readExamples returns the bodies of a package's examples, by their names.
func readExamples(dir string) (map[string]string, error) {
	tests, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		return nil, err
	}
	examples := map[string]string{}
	for _, name := range tests {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "Example") {
				continue
			}
			body := text[set.Position(f.Body.Lbrace).Offset+1 : set.Position(f.Body.Rbrace).Offset]
			if !bytes.Contains(body, []byte("// Output:")) {
				return nil, fmt.Errorf("%s has no output: go test doesn't run it", f.Name.Name)
			}
			examples[f.Name.Name] = indent.ReplaceAllString(strings.TrimPrefix(string(body), "\n"), "")
		}
	}
	return examples, nil
}
