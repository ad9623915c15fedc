package abi

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// Build makes a probe in dir of the assembly in root, the planted offenders and
// what is in testdata/probe, and returns the executable's name.
func Build(dir, root, arch string, subjects []Body) (string, error) {
	sources, err := filepath.Glob("testdata/probe/*")
	if err != nil {
		return "", err
	}
	for _, name := range append(sources, filepath.Join(root, "kernels_"+arch+".s")) {
		text, err := os.ReadFile(name)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(name)), text, 0o644)
		}
		if err != nil {
			return "", err
		}
	}
	table, addresses := tables(arch, subjects)
	for name, text := range map[string]string{
		"go.mod":                  "module probe\n\ngo 1.26\n",
		"subjects.go":             table,
		"subjects_" + arch + ".s": addresses,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return "", err
		}
	}
	// Bodies are called by address alone, and need no declarations; so vet has no say.
	cmd := exec.Command("go", "build", "-o", "probe", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building the probe: %w\n%s", err, out)
	}
	return filepath.Join(dir, "probe"), nil
}

// tables returns the list of subjects in Go, and their addresses in assembly.
func tables(arch string, subjects []Body) (list, addresses string) {
	var g, s strings.Builder
	g.WriteString("package main\n\nvar subjects = []subject{\n")
	s.WriteString("#include \"textflag.h\"\n\n")
	for i, b := range subjects {
		fmt.Fprintf(&g, "\t{%q, %q, %#v, %d},\n", b.Name, b.Level, b.Params, b.words())
		fmt.Fprintf(&s, "DATA addresses<>+%d(SB)/8, $·%s(SB)\n", 8*i, b.Name)
	}
	g.WriteString("}\n")
	fmt.Fprintf(&s, "GLOBL addresses<>(SB), RODATA, $%d\n\n", 8*len(subjects))
	s.WriteString("// func address(i int) uintptr\nTEXT ·address(SB), NOSPLIT, $0-16\n")
	s.WriteString(map[string]string{
		"amd64": "\tMOVQ i+0(FP), AX\n\tLEAQ addresses<>(SB), CX\n\tMOVQ (CX)(AX*8), AX\n\tMOVQ AX, ret+8(FP)\n\tRET\n",
		"arm64": "\tMOVD i+0(FP), R0\n\tMOVD $addresses<>(SB), R1\n\tMOVD (R1)(R0<<3), R0\n\tMOVD R0, ret+8(FP)\n\tRET\n",
	}[arch])
	return g.String(), s.String()
}

// A Finding is what a probe says of a subject.
type Finding struct {
	Calls   int
	Spoiled []string
}

// Run runs a probe, in an emulator if the command has one, for the levels that
// the CPU has.
func Run(command []string, levels []string) (map[string]Finding, error) {
	cmd := exec.Command(command[0], append(command[1:], "-levels", strings.Join(levels, ","))...)
	cmd.Env = append(os.Environ(), "GODEBUG=asyncpreemptoff=1") // or a signal would meet a spoiled state
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("the probe: %w after\n%s\n%s", err, stdout.String(), stderr.String())
	}
	found := map[string]Finding{}
	for line := range strings.Lines(stdout.String()) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 3 {
			return nil, fmt.Errorf("the probe says %q", line)
		}
		f := Finding{}
		f.Calls, _ = strconv.Atoi(fields[1])
		if fields[2] != "" {
			f.Spoiled = strings.Split(fields[2], ",")
		}
		found[fields[0]] = f
	}
	return found, nil
}
