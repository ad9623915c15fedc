// Command gomlx has gomlx's Go backend run its gathers and scatters by lanes, and prints how long
// each way takes: see the README. It makes a copy of gomlx's module, adds the files of executors.patch
// to it, and runs the program in ./table in a workspace with that copy.
package main

import (
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gomlx:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	dir, err := os.MkdirTemp("", "gomlx")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	w, err := patched(dir)
	if err != nil {
		return err
	}
	return w.command(os.Stdout, append([]string{"run", "-tags", "patched", "./table"}, args...)...).Run()
}
