// Command draw writes the pictures of docs/ and puts the examples of package
// kernels into its pages. From the root of the repository:
//
//	go run -C trust/draw .
//
// pictures.go is the table of contents. A picture is of a real call on a few
// elements, so that it can't disagree with the code, and an example is code
// that go test runs. The test fails where a page is stale.
package main

import (
	"log"
	"os"
)

const (
	root = "../.." // of the repository
	docs = root + "/docs"
)

func main() {
	log.SetFlags(0)
	files, err := render(docs)
	if err != nil {
		log.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(name, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// render returns what the files of a directory should be: its pictures, and its
// pages with the examples that they name.
func render(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, p := range pictures {
		svg, err := p.draw()
		if err != nil {
			return nil, err
		}
		files[p.file(dir)] = svg
	}
	return files, addPages(files, dir)
}
