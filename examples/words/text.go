package main

import (
	_ "embed"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"
)

//go:embed testdata/opticks.txt
var opticks string

// A vocabulary says which words of a text count, and which of them are near each other.
type vocabulary struct {
	common, rare, window int
}

// A text is sentences of numbered words.
type text struct {
	words     []string // by number
	number    map[string]int32
	sentences []sentence
}

type sentence struct {
	text  string
	words []int32
}

// maxText bounds the memory that a text can ask for; maxWords that of the table of counts.
const (
	maxText  = 64 << 20
	maxWords = 1 << 14
)

func (o options) load() (*text, error) {
	if o.in == "" {
		return newText(opticks, o.vocabulary)
	}
	f, err := os.Open(o.in)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	file, err := io.ReadAll(io.LimitReader(f, maxText+1))
	if err == nil && len(file) > maxText {
		err = errors.New("the text is longer than 64 MiB")
	}
	if err != nil {
		return nil, err
	}
	return newText(string(file), o.vocabulary)
}

// newText splits a file into sentences and numbers the words that are neither too
// frequent nor too rare, by how often they occur. Lines that start with # are comments.
func newText(file string, v vocabulary) (*text, error) {
	var body strings.Builder
	for line := range strings.Lines(file) {
		if line[0] != '#' {
			body.WriteString(line)
		}
	}
	t := &text{number: map[string]int32{}}
	counts := map[string]int{}
	for paragraph := range strings.SplitSeq(strings.ReplaceAll(body.String(), "\r\n", "\n"), "\n\n") {
		for _, s := range split(strings.Join(strings.Fields(paragraph), " ")) {
			t.sentences = append(t.sentences, sentence{text: s})
			for _, word := range wordsOf(s) {
				counts[word]++
			}
		}
	}
	for word := range counts {
		t.words = append(t.words, word)
	}
	slices.SortFunc(t.words, func(a, b string) int {
		if d := counts[b] - counts[a]; d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	t.words = t.words[min(v.common, len(t.words)):]
	t.words = slices.DeleteFunc(t.words, func(word string) bool { return counts[word] < v.rare || len(word) < 3 })
	t.words = t.words[:min(len(t.words), maxWords)]
	for i, word := range t.words {
		t.number[word] = int32(i)
	}
	for i, s := range t.sentences {
		t.sentences[i].words = t.numbers(s.text)
	}
	t.sentences = slices.DeleteFunc(t.sentences, func(s sentence) bool { return len(s.words) < 3 })
	if len(t.sentences) == 0 {
		return nil, errors.New("the text has no sentence of three words that count")
	}
	return t, nil
}

// split ends sentences at marks before a space and a capital letter.
func split(paragraph string) (sentences []string) {
	begin, last, before := 0, ' ', ' '
	for i, r := range paragraph {
		if unicode.IsUpper(r) && last == ' ' && strings.ContainsRune(".?!;:", before) {
			sentences = append(sentences, paragraph[begin:i-1])
			begin = i
		}
		before, last = last, r
	}
	return append(sentences, paragraph[begin:])
}

// wordsOf returns the words of a sentence, in small letters.
func wordsOf(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) })
}

// numbers returns the numbers of those words of a sentence that have one.
func (t *text) numbers(s string) (numbers []int32) {
	for _, word := range wordsOf(s) {
		if k, known := t.number[word]; known {
			numbers = append(numbers, k)
		}
	}
	return numbers
}
