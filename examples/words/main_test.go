package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/kernels"
)

// unasked is what the program does without arguments.
func unasked(t *testing.T) (options, *text, *model) {
	o, err := parse(nil, io.Discard)
	require.NoError(t, err)
	words, err := o.load()
	require.NoError(t, err)
	m, err := newModel(words, o, &report{out: io.Discard})
	require.NoError(t, err)
	return o, words, m
}

// TestOpticks has what a reader of the book would say.
func TestOpticks(t *testing.T) {
	o, text, m := unasked(t)
	near := func(word string) (found []string) {
		of, err := m.nearWords([]int32{text.number[word]}, o.most)
		require.NoError(t, err)
		for _, f := range of[0] {
			found = append(found, text.words[f.at])
		}
		return found
	}
	assert.Subset(t, near("green"), []string{"blue", "yellow", "indigo", "orange"})
	assert.Subset(t, near("three"), []string{"two", "four", "six"})
	assert.Subset(t, near("refraction"), []string{"sine", "sines", "incidence"})
	assert.Subset(t, near("inches"), []string{"distant", "eight", "six"})

	ask := func(s string) string {
		found, err := m.nearSentences(text.numbers(s), 1)
		require.NoError(t, err)
		return text.sentences[found[0].at].text
	}
	assert.Contains(t, ask("the lens makes the rays converge upon the paper"), "fall now upon the Lens MN")
	assert.Contains(t, ask("the teeth of a comb intercept the colours"), "Intervals of the Teeth of the Comb")
	for i, s := range text.sentences[:20] {
		found, err := m.nearSentences(s.words, 1)
		require.NoError(t, err)
		assert.Equal(t, i, found[0].at, "a sentence is like itself")
		assert.InDelta(t, 1, found[0].alike, 1e-6)
	}
}

// TestDefinitions compares with the operators' steps written as loops, bit for bit.
func TestDefinitions(t *testing.T) {
	o, text, m := unasked(t)
	words := len(text.words)

	want := make([]float32, words*words)
	for _, s := range text.sentences {
		for i, a := range s.words {
			for j, b := range s.words {
				if i != j && max(i-j, j-i) <= o.window {
					want[int(a)*words+int(b)]++
				}
			}
		}
	}
	counts, err := count(text, o.window, &report{out: io.Discard})
	require.NoError(t, err)
	assert.Equal(t, want, counts)

	near, table := weigh(counts, words), randomTable(words, o.dim)
	assert.Len(t, near.offsets, words)
	assert.Len(t, near.weights, len(near.indices))
	projected := make([]float32, words*o.dim)
	for word, end := range append(near.offsets[1:], int32(len(near.indices))) {
		for at := near.offsets[word]; at < end; at++ {
			for c := range o.dim {
				projected[word*o.dim+c] += float32(near.weights[at] * table.Data[int(near.indices[at])*o.dim+c])
			}
		}
	}
	rows := kernels.New(projected, words, o.dim)
	normalise(rows)
	assert.Equal(t, projected, m.words.Data)

	means := make([]float32, 0, len(text.sentences)*o.dim)
	for _, s := range text.sentences {
		mean := make([]float32, o.dim)
		for _, k := range s.words {
			for c := range mean {
				mean[c] += projected[int(k)*o.dim+c]
			}
		}
		for c := range mean {
			mean[c] /= float32(len(s.words))
		}
		means = append(means, mean...)
	}
	normalise(kernels.New(means, len(text.sentences), o.dim))
	assert.Equal(t, means, m.sentences.Data)
}

// TestBags has bags of every size: none, one and many rows.
func TestBags(t *testing.T) {
	table := randomTable(50, 3)
	var b bags
	var sums []float32
	b.weights = []float32{}
	for i, n := range []int{0, 1, 4095, 1, 0, 7, 0, 12288, 0} {
		var indices []int32
		row := make([]float32, 3)
		for j := range n {
			k, weight := (i+j*j)%50, float32(j%5)/3
			indices, b.weights = append(indices, int32(k)), append(b.weights, weight)
			for c := range row {
				row[c] += float32(table.Data[k*3+c] * weight)
			}
		}
		b.add(indices...)
		sums = append(sums, row...)
	}
	got, err := b.reduce(table, kernels.Sum)
	require.NoError(t, err)
	assert.Equal(t, sums, got.Data)
	_, err = (&bags{indices: []int32{4, 4, 50}, offsets: []int32{0}}).reduce(table, kernels.Mean)
	assert.ErrorIs(t, err, kernels.ErrIndex)
}

func TestText(t *testing.T) {
	file := "# A comment.\nThe cat sat; The dog\r\nran. A dog ran to the cat, the cat sat.\r\n\r\nOne two\n\nthe cat's dog ran"
	text, err := newText(file, vocabulary{common: 1, rare: 2, window: 1})
	require.NoError(t, err)
	assert.Equal(t, []string{"cat", "dog", "ran", "sat"}, text.words, "by how often they occur, then by name; the most frequent is left out")
	assert.Equal(t, []sentence{
		{"A dog ran to the cat, the cat sat.", []int32{1, 2, 0, 0, 3}},
		{"the cat's dog ran", []int32{0, 1, 2}},
	}, text.sentences)
	counts, err := count(text, 1, &report{out: io.Discard})
	require.NoError(t, err)
	assert.Equal(t, []float32{
		2, 1, 1, 1,
		1, 0, 2, 0,
		1, 2, 0, 0,
		1, 0, 0, 0,
	}, counts)
}

func TestShort(t *testing.T) {
	assert.Equal(t, "one two", short("one two", 7))
	assert.Equal(t, "one …", short("one two", 6))
	assert.Equal(t, "onetwo …", short("onetwothree", 6))
	assert.Equal(t, "aé …", short("aéé", 4))
	assert.Equal(t, " …", short("\x80\x80\x80", 2)) // no text at all
}

// try runs the program.
func try(t *testing.T, args ...string) (status int, out, complaint string) {
	t.Helper()
	var stdout, stderr strings.Builder
	require.NotPanics(t, func() { status = run(args, &stdout, &stderr) })
	return status, stdout.String(), stderr.String()
}

func write(t *testing.T, text string) string {
	name := filepath.Join(t.TempDir(), "input")
	require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	return name
}

func TestProgram(t *testing.T) {
	t.Run("unasked", func(t *testing.T) {
		status, out, complaint := try(t)
		require.Zero(t, status, complaint)
		assert.Empty(t, complaint)
		assert.Regexp(t, `^493 words, 281 sentences\n\n(\w+ +[\w,… ]+ \d+\.\d µs +\d+\.\d\d ns/number\n){3}\n`, out)
		assert.Contains(t, out, "\ngreen         blue 0.")
		assert.Contains(t, out, "\nthe lens makes the rays converge upon the paper\n  0.")
	})
	t.Run("file", func(t *testing.T) {
		var file strings.Builder
		for i := range 30 {
			fmt.Fprintf(&file, "The %s eats %s with much noise. ", []string{"dog", "cat"}[i%2], []string{"meat", "fish"}[i/2%2])
			fmt.Fprintf(&file, "A %s moves along a road very fast. ", []string{"car", "bus"}[i%2])
		}
		status, out, complaint := try(t, "-in", write(t, file.String()), "-common", "0", "-near", "dog,bus", "-ask", "the cat eats", "-most", "1", "-dim", "64")
		require.Zero(t, status, complaint)
		assert.Regexp(t, `\ndog  +cat [01]\.\d\d\nbus  +car [01]\.\d\d\n`, out)
		assert.Regexp(t, `\nthe cat eats\n  0\.\d\d  The (cat|dog) eats (meat|fish) with much noise\.\n$`, out)
	})
	t.Run("help", func(t *testing.T) {
		status, out, complaint := try(t, "-h")
		assert.Zero(t, status)
		assert.Contains(t, out, "-near words")
		assert.Empty(t, complaint)
	})
}

func TestBadInput(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"missing", []string{"-in", filepath.Join(folder, "none.txt")}, "none.txt"},
		{"folder", []string{"-in", folder}, folder},
		{"empty", []string{"-in", write(t, "")}, "no sentence"},
		{"short", []string{"-in", write(t, "One two.")}, "no sentence"},
		{"allCommon", []string{"-common", "1000000"}, "no sentence"},
		{"unknown", []string{"-near", "green,computer"}, `-near: "computer" is not among the words that count`},
		{"nothing", []string{"-near", ""}, `-near: ""`},
		{"ask", []string{"-ask", "Wo?"}, `-ask: no word of "Wo?" counts`},
		{"argument", []string{"green"}, "-in"},
		{"common", []string{"-common", "-1"}, "-common"},
		{"window", []string{"-window", "0"}, "-window"},
		{"dim", []string{"-dim", "100000"}, "-dim must be from 1 to 16384"},
		{"flag", []string{"-x"}, "-x"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, out, complaint := try(t, c.args...)
			assert.Equal(t, 1, status)
			assert.Empty(t, out)
			assert.Regexp(t, `^words: [^\n]+\n$`, complaint)
			assert.Contains(t, complaint, c.want)
		})
	}
	t.Run("closedOutput", func(t *testing.T) {
		var stderr strings.Builder
		assert.Equal(t, 1, run(nil, closed{}, &stderr))
		assert.Equal(t, "words: closed\n", stderr.String())
	})
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("closed") }
