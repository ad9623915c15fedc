// Command lanes runs an ONNX model that is made of the operators of package onnx.
//
//	go run -C onnx ./cmd/lanes model.onnx -in a.pb,b.npy                    prints the outputs
//	go run -C onnx ./cmd/lanes model.onnx -in a.pb,b.npy -out y.npy         writes them
//	go run -C onnx ./cmd/lanes model.onnx -in a.pb,b.npy -want y.pb         compares them, and fails if they differ
//	go run -C onnx ./cmd/lanes model.onnx -in a.pb,b.npy -want y.pb -print  prints them as well
//	go run -C onnx ./cmd/lanes model.onnx -in a.pb,b.npy -explain           says how each node was run
//
// Tensors are TensorProto messages, as in ONNX's test data (.pb), or of NumPy (.npy). They stand in
// the order of the model's inputs or outputs, or say which they are: -in indices=b.npy. With -C
// paths start in onnx, so that those of elsewhere should be absolute.
package main

import (
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"
	"unicode"

	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/onnx"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// A printable writes text in which names and strings of a model hold no commands for a terminal.
type printable struct{ io.Writer }

func (p printable) Write(text []byte) (int, error) {
	_, err := p.Writer.Write(bytes.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || unicode.IsGraphic(r) {
			return r
		}
		return unicode.ReplacementChar
	}, text))
	return len(text), err
}

// run is the program and returns its exit status.
func run(args []string, stdout, stderr io.Writer) int {
	stdout, stderr = printable{stdout}, printable{stderr}
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err == nil {
		err = o.run(stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "lanes:", err)
		return 1
	}
	return 0
}

type options struct {
	model         string
	in, out, want string
	print         bool
	explain       bool
	workers       int
	tolerance     float64
	maxBytes      int64
}

// parse reads the command line. Flags may stand before and after the model.
func parse(args []string, stderr io.Writer) (o options, err error) {
	f := flag.NewFlagSet("lanes", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprintln(stderr, "usage: lanes [flags] model.onnx")
		f.PrintDefaults()
	}
	f.StringVar(&o.in, "in", "", "`files` of inputs, .pb or .npy, separated by commas: in the model's order, or as name=file")
	f.StringVar(&o.out, "out", "", "`files` to write outputs to")
	f.BoolVar(&o.print, "print", false, "print the outputs; without -out and -want they are in any case")
	f.StringVar(&o.want, "want", "", "`files` of what outputs must be")
	f.Float64Var(&o.tolerance, "tolerance", 0, "how far from what is wanted a number may be, as a `part` of that; 0: every bit counts, but for those of NaNs")
	f.BoolVar(&o.explain, "explain", false, "print for each node that comes to a call (Identity and Constant do not) which kernel ran, at which level, how the work was cut into parts and packed strips, on how many workers, and how long")
	f.IntVar(&o.workers, "workers", 0, "`number` of goroutines that a node may use; 0: GOMAXPROCS")
	f.Int64Var(&o.maxBytes, "max-bytes", 0, fmt.Sprintf("how many `bytes` the model's tensors may take, and those that a run makes; 0: %d", int64(onnx.DefaultMaxBytes)))
	var models []string
	for len(args) > 0 {
		if err := f.Parse(args); err != nil {
			return o, err
		}
		if args = f.Args(); len(args) > 0 {
			models, args = append(models, args[0]), args[1:]
		}
	}
	if len(models) != 1 {
		return o, fmt.Errorf("%d models, and it takes one: lanes [flags] model.onnx", len(models))
	}
	o.model = models[0]
	return o, nil
}

func (o *options) run(stdout io.Writer) error {
	m, err := onnx.LoadModel(o.model, onnx.Config{MaxBytes: o.maxBytes})
	if err != nil {
		return err
	}
	s, err := onnx.NewSession(m)
	if err != nil {
		return err
	}
	s.MaxBytes = o.maxBytes
	outs, err := assign(o.out, "output", s.Outputs())
	if err != nil {
		return err
	}
	inputs, err := o.read(o.in, "input", s.Inputs())
	if err != nil {
		return err
	}
	wanted, err := o.read(o.want, "output", s.Outputs())
	if err != nil {
		return err
	}

	table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
	if o.explain {
		fmt.Fprintln(table, "node\toperator\tkernel\tlevel\telements\tbytes\tworkers\tparts\tstrip\ttime")
		s.Observe = func(n *onnx.Node, f kernels.Facts) {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%d\t%d\t%d\t%d\t%d\t%v\n", cmp.Or(n.Name, n.Outputs[0]), n.Op, f.Kernel, f.Level,
				f.Elements, f.Bytes, f.Workers, f.Parts, f.Strip, f.Duration.Round(time.Microsecond/10))
		}
	}
	outputs, err := s.Run(inputs, kernels.Workers(o.workers))
	if err := errors.Join(err, table.Flush()); err != nil { // what ran before is of interest then, too
		return err
	}

	for _, v := range s.Outputs() {
		got := outputs[v.Name]
		if file, named := outs[v.Name]; named {
			if err := write(file, v.Name, got); err != nil {
				return err
			}
		}
		if o.print || o.out == "" && o.want == "" {
			fmt.Fprintln(stdout, describe(v.Name, got))
		}
		if want, compare := wanted[v.Name]; compare {
			if err := differ(got, want, o.tolerance); err != nil {
				return fmt.Errorf("output %s: %w", v.Name, err)
			}
			fmt.Fprintf(stdout, "%s: as wanted\n", v.Name)
		}
	}
	return nil
}

// assign returns the file of each name in a list of files.
func assign(list, kind string, values []onnx.Value) (map[string]string, error) {
	files := map[string]string{}
	if list == "" {
		return files, nil
	}
	names := map[string]bool{}
	for _, v := range values {
		names[v.Name] = true
	}
	for i, file := range strings.Split(list, ",") {
		name, path, named := strings.Cut(file, "=")
		if !named {
			if i >= len(values) {
				return nil, fmt.Errorf("%s: the model has %d %ss", file, len(values), kind)
			}
			name, path = values[i].Name, file
		}
		if !names[name] {
			return nil, fmt.Errorf("%s: the model has no %s %q", file, kind, name)
		}
		if _, given := files[name]; given {
			return nil, fmt.Errorf("%s: %s %q has a file already", file, kind, name)
		}
		files[name] = path
	}
	return files, nil
}

// read reads the files of a list.
func (o *options) read(list, kind string, values []onnx.Value) (map[string]kernels.Raw, error) {
	files, err := assign(list, kind, values)
	if err != nil {
		return nil, err
	}
	tensors := map[string]kernels.Raw{}
	for name, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var t onnx.Tensor
		switch filepath.Ext(file) {
		case ".npy":
			t.Raw, err = parseNPY(b)
		default:
			t, err = onnx.ParseTensor(b, onnx.Config{MaxBytes: o.maxBytes})
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		tensors[name] = t.Raw
	}
	return tensors, nil
}

func write(file, name string, t kernels.Raw) error {
	var b []byte
	var err error
	switch filepath.Ext(file) {
	case ".npy":
		b, err = appendNPY(nil, t)
	default:
		b, err = onnx.AppendTensor(nil, onnx.Tensor{Name: name, Raw: t})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return os.WriteFile(file, b, 0o666)
}
