package main

import (
	"errors"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// What one execution costs is go test's, mostly: it clears, rounds and compares a counter of each
// edge of every package but Go's runtime, and two thirds of the edges are in what testify imports.
// So this program stands in for the compiler, to count edges of the module alone, and starts the
// test, for each process to have one CPU. Executions a second become three times as many.
const (
	compileRole = "compile-for-edges-of"
	testRole    = "test-on-one-cpu"
)

// role plays the part that go test has called this program for, if it has, and ends the program.
func role() {
	if len(os.Args) < 3 {
		return
	}
	var cmd *exec.Cmd
	switch os.Args[1] {
	case compileRole: // -toolexec: module, tool, its arguments
		args := edgesOf(os.Args[2], os.Args[4:])
		cmd = exec.Command(os.Args[3], args...)
		if slices.Contains(args, "-V=full") { // what go build keeps its results under
			id, err := cmd.Output()
			exit(err)
			os.Stdout.WriteString(strings.TrimSpace(string(id)) + " edges of " + os.Args[2] + "\n")
			os.Exit(0)
		}
	case testRole: // -exec: test, its arguments
		cmd = exec.Command(os.Args[2], os.Args[3:]...)
		cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	default:
		return
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	exit(cmd.Run())
	os.Exit(0)
}

// exit ends the program as the one that it stood for has ended, if that failed.
func exit(err error) {
	var status *exec.ExitError
	if errors.As(err, &status) {
		os.Stderr.Write(status.Stderr)
		os.Exit(status.ExitCode())
	} else if err != nil {
		log.Fatal(err)
	}
}

// edgesOf returns a compiler's arguments without -d=libfuzzer if the package is not one of the
// module, or its test.
func edgesOf(module string, args []string) []string {
	i := slices.Index(args, "-p")
	if i < 0 || i+1 == len(args) {
		return args
	}
	if rest, own := strings.CutPrefix(args[i+1], module); own && (rest == "" || rest[0] == '/' || rest[0] == '_') {
		return args
	}
	return slices.DeleteFunc(slices.Clone(args), func(arg string) bool { return arg == "-d=libfuzzer" })
}

// tools are the arguments of go test that make it call this program.
func (o *options) tools() ([]string, error) {
	out, err := command(o.root, "list", "-f", "{{.Module.Path}}", ".").Output() // list -m names all modules of a workspace
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	self = `"` + filepath.ToSlash(self) + `" `
	return []string{"-toolexec", self + compileRole + " " + strings.TrimSpace(string(out)), "-exec", self + testRole}, nil
}
