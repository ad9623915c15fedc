// Command words makes a vector of every word in a text, from the words that stand near it, and
// finds words and sentences that are alike. Counting, projecting, looking up and averaging are the
// operators' work.
//
//	go run ./examples/words
//	go run ./examples/words -near blue,glass -ask "the teeth of a comb intercept the colours"
//	go run ./examples/words -in book.txt -near captain
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program and returns its exit status.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err == nil {
		err = show(o, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "words:", err)
		return 1
	}
	return 0
}

// options are what the command line asks for.
type options struct {
	in, ask string
	near    []string
	most    int // results of a kind
	vocabulary
	dim int // numbers in a vector
}

func parse(args []string, stdout io.Writer) (options, error) {
	o := options{near: []string{"green", "three", "water", "refraction"}, ask: "the lens makes the rays converge upon the paper"}
	f := flag.NewFlagSet("words", flag.ContinueOnError)
	f.SetOutput(io.Discard) // run prints errors, on one line
	f.StringVar(&o.in, "in", "", "read the text from this `file` (default: a part of Newton's Opticks)")
	f.StringVar(&o.ask, "ask", o.ask, "find the sentences that are most like this `sentence`")
	f.Func("near", "find what is like these `words`, with commas between them (default: "+strings.Join(o.near, ",")+")", func(s string) error {
		o.near = strings.Split(s, ",")
		return nil
	})
	f.IntVar(&o.most, "most", 5, "show so many of each")
	f.IntVar(&o.common, "common", 40, "leave out so many of the most frequent words")
	f.IntVar(&o.rare, "rare", 3, "leave out words that occur less often")
	f.IntVar(&o.window, "window", 5, "a word is near others that are no more words away")
	f.IntVar(&o.dim, "dim", 256, "how long vectors are")
	err := f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		f.SetOutput(stdout)
		f.Usage()
	}
	switch {
	case err != nil:
	case f.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q (a text is read with -in)", f.Arg(0))
	case o.common < 0:
		err = errors.New("-common must not be negative")
	case o.most < 1 || o.rare < 1 || o.window < 1:
		err = errors.New("-most, -rare and -window must be positive")
	case o.dim < 1 || o.dim > maxDim:
		err = fmt.Errorf("-dim must be from 1 to %d", maxDim)
	}
	return o, err
}

const maxDim = 1 << 14

// show makes the vectors and prints what is near.
func show(o options, stdout io.Writer) error {
	t, err := o.load()
	if err != nil {
		return err
	}
	words := make([]int32, len(o.near))
	for i, word := range o.near {
		k, known := t.number[word]
		if !known {
			return fmt.Errorf("-near: %q is not among the words that count", word)
		}
		words[i] = k
	}
	asked := t.numbers(o.ask)
	if len(asked) == 0 {
		return fmt.Errorf("-ask: no word of %q counts", o.ask)
	}
	w := &report{out: stdout}
	w.printf("%d words, %d sentences\n\n", len(t.words), len(t.sentences))
	m, err := newModel(t, o, w)
	if err != nil {
		return err
	}
	w.printf("\n")
	near, err := m.nearWords(words, o.most)
	if err != nil {
		return err
	}
	for i, word := range o.near {
		w.printf("%-12s", word)
		for _, f := range near[i] {
			w.printf("  %s %.2f", t.words[f.at], f.alike)
		}
		w.printf("\n")
	}
	found, err := m.nearSentences(asked, o.most)
	if err != nil {
		return err
	}
	w.printf("\n%s\n", o.ask)
	for _, f := range found {
		w.printf("  %.2f  %s\n", f.alike, short(t.sentences[f.at].text, 120))
	}
	return w.err
}

// short is the first words of a text, about so many bytes.
func short(text string, length int) string {
	if len(text) <= length {
		return text
	}
	if end := strings.LastIndexByte(text[:length], ' '); end > 0 {
		length = end
	}
	for length > 0 && !utf8.RuneStart(text[length]) {
		length--
	}
	return text[:length] + " …"
}
