package main

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/lanes-go/lanes/kernels"
)

// A model has a vector of length 1 for each word and each sentence.
type model struct {
	words     kernels.Tensor[float32] // [words, dim]
	sentences kernels.Tensor[float32] // [sentences, dim]
}

type bags struct {
	indices, offsets []int32
	weights          []float32
}

// add ends a bag of indices.
func (b *bags) add(indices ...int32) {
	b.offsets = append(b.offsets, int32(len(b.indices)))
	b.indices = append(b.indices, indices...)
}

// reduce combines the rows of table that each bag names.
func (b *bags) reduce(table kernels.Tensor[float32], by kernels.Reduction) (kernels.Tensor[float32], error) {
	var weights kernels.Tensor[float32]
	if b.weights != nil {
		weights = kernels.New(b.weights, len(b.weights))
	}
	n, dim := len(b.offsets), table.Shape[1]
	out := kernels.New(make([]float32, n*dim), n, dim)
	err := kernels.EmbeddingBag(out, table, kernels.New(b.indices, len(b.indices)), kernels.New(b.offsets, n), weights, kernels.BagAttrs{Reduction: by})
	return out, err
}

// newModel makes the vectors of a text: how much more often than by chance a word is near each
// other word is a row of numbers, and rows that are alike belong to words that are used alike. Rows
// are long; a random projection makes them shorter and keeps what is near near.
func newModel(t *text, o options, w *report) (*model, error) {
	counts, err := count(t, o.window, w)
	if err != nil {
		return nil, err
	}
	near := weigh(counts, len(t.words))

	began := time.Now()
	m := &model{}
	if m.words, err = near.reduce(randomTable(len(t.words), o.dim), kernels.Sum); err != nil {
		return nil, err
	}
	w.step("project", "EmbeddingBag, sum, weighted", len(near.indices)*o.dim, time.Since(began))
	normalise(m.words)

	var said bags
	for _, s := range t.sentences {
		said.add(s.words...)
	}
	began = time.Now()
	if m.sentences, err = said.reduce(m.words, kernels.Mean); err != nil {
		return nil, err
	}
	w.step("average", "EmbeddingBag, mean", len(said.indices)*o.dim, time.Since(began))
	normalise(m.sentences)
	return m, nil
}

// count returns how often each word is near each other, [words, words] in one row: a
// histogram over pairs. The 1 that each adds is a single number, seen with a stride of 0.
func count(t *text, window int, w *report) ([]float32, error) {
	words := len(t.words)
	var pairs []int32
	for _, s := range t.sentences {
		for i, a := range s.words {
			for _, b := range s.words[max(0, i-window):i] {
				pairs = append(pairs, a*int32(words)+b, b*int32(words)+a)
			}
		}
	}
	counts := kernels.New(make([]float32, words*words), words*words)
	one := kernels.Tensor[float32]{Data: []float32{1}, Shape: []int{len(pairs)}, Strides: []int{0}}
	sum := kernels.ScatterAttrs{Reduction: kernels.Sum}
	began := time.Now()
	err := kernels.ScatterElementsUpdate(counts, counts, kernels.New(pairs, len(pairs)), one, 0, sum)
	w.step("count", "ScatterElementsUpdate, sum", len(pairs), time.Since(began))
	return counts.Data, err
}

// weigh returns a bag a word of the words that are near it more often than by chance, weighted by
// the logarithm of how much: positive pointwise mutual information, where chances are raised to
// 3/4, which keeps rare words from weighing too much (Levy, Goldberg and Dagan 2015).
func weigh(counts []float32, words int) *bags {
	rows, chance, all := make([]float64, words), make([]float64, words), 0.0
	for a := range words {
		for _, n := range counts[a*words:][:words] {
			rows[a] += float64(n)
		}
		chance[a] = math.Pow(rows[a], 0.75)
		all += chance[a]
	}
	near := &bags{weights: []float32{}}
	for a := range words {
		near.add()
		for b, n := range counts[a*words:][:words] {
			if weight := math.Log(float64(n) * all / (rows[a] * chance[b])); n > 0 && weight > 0 {
				near.indices, near.weights = append(near.indices, int32(b)), append(near.weights, float32(weight))
			}
		}
	}
	return near
}

// randomTable has 1 and -1 in every place with equal chances.
func randomTable(words, dim int) kernels.Tensor[float32] {
	random := rand.New(rand.NewPCG(1, 2))
	table := make([]float32, words*dim)
	for i := range table {
		table[i] = float32(2*random.IntN(2) - 1)
	}
	return kernels.New(table, words, dim)
}

// normalise makes rows of length 1, so that their product says how alike they are.
func normalise(rows kernels.Tensor[float32]) {
	for row := range slices.Chunk(rows.Data, rows.Shape[1]) {
		if length := math.Sqrt(product(row, row)); length > 0 {
			for i := range row {
				row[i] = float32(float64(row[i]) / length)
			}
		}
	}
}

func product(a, b []float32) (sum float64) {
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// A match is a row, and how alike it is to what was asked for: 1 if it is the same, 0 if it has
// nothing to do with it.
type match struct {
	at    int
	alike float64
}

// nearest returns the most rows that are most like v, but for the one to leave out.
func nearest(rows kernels.Tensor[float32], v []float32, most, without int) []match {
	var all []match
	dim := rows.Shape[1]
	for i := range rows.Shape[0] {
		if i != without {
			all = append(all, match{i, product(rows.Data[i*dim:][:dim], v)})
		}
	}
	slices.SortStableFunc(all, func(a, b match) int {
		switch {
		case a.alike > b.alike:
			return -1
		case a.alike < b.alike:
			return 1
		}
		return 0
	})
	return all[:min(most, len(all))]
}

// nearWords returns, for each of some words, those that are most like it.
func (m *model) nearWords(words []int32, most int) (found [][]match, err error) {
	n, dim := len(words), m.words.Shape[1]
	rows := kernels.New(make([]float32, n*dim), n, dim)
	if err := kernels.Gather(rows, m.words, kernels.New(words, n), 0, 0); err != nil {
		return nil, err
	}
	for i, k := range words {
		found = append(found, nearest(m.words, rows.Data[i*dim:][:dim], most, int(k)))
	}
	return found, nil
}

// nearSentences returns the sentences that are most like one of these words: its
// vector is the mean of theirs.
func (m *model) nearSentences(words []int32, most int) ([]match, error) {
	var asked bags
	asked.add(words...)
	v, err := asked.reduce(m.words, kernels.Mean)
	if err != nil {
		return nil, err
	}
	normalise(v)
	return nearest(m.sentences, v.Data, most, -1), nil
}
