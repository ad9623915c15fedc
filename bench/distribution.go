package main

import (
	"iter"
	"math"
	"slices"

	"github.com/jedib0t/go-pretty/v6/table"
)

// How figures of many calls are summed up.

var percentiles = []float64{1, 5, 10, 25, 50}

var distributionHeader = []string{"geometric mean", "least", "1 %", "5 %", "10 %", "25 %", "50 %"}

// distribution returns the cells below distributionHeader.
func distribution(numbers []float64, write func(float64) string) table.Row {
	row := table.Row{write(geometricMean(numbers)), write(slices.Min(numbers))}
	for _, p := range percentiles {
		row = append(row, write(percentile(numbers, p)))
	}
	return row
}

func each[T any](list []T, of func(T) float64) []float64 {
	numbers := make([]float64, len(list))
	for i, x := range list {
		numbers[i] = of(x)
	}
	return numbers
}

func geometricMean(numbers []float64) float64 {
	sum := 0.0
	for _, x := range numbers {
		sum += math.Log(x)
	}
	return math.Exp(sum / float64(len(numbers)))
}

// percentile returns the least number that p in 100 do not exceed.
func percentile(numbers []float64, p float64) float64 {
	s := slices.Sorted(slices.Values(numbers))
	return s[max(0, int(math.Ceil(p/100*float64(len(s))))-1)]
}

// byOperator yields the elements of a list for each operator, and then all of them.
func byOperator[T any](list []T, operator func(T) string) iter.Seq2[string, []T] {
	return func(yield func(string, []T) bool) {
		some := make(map[string][]T)
		var names []string
		for _, x := range list {
			name := operator(x)
			if some[name] == nil {
				names = append(names, name)
			}
			some[name] = append(some[name], x)
		}
		slices.Sort(names)
		for _, name := range names {
			if !yield(name, some[name]) {
				return
			}
		}
		yield("all", list)
	}
}
