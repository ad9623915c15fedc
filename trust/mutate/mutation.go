package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
)

// A mutation is one fault: some bytes of a file are others.
type mutation struct {
	target, rule string
	weight       int    // how many times as often as others the rule is sampled
	what         string // what is wrong then
	file         string // from the root of the repository, by slashes
	where        string // the TEXT, macro or function that the bytes are in
	line         int
	start, end   int // the bytes
	old, new     string
	nth          int         // of those that read the same in the same place, from 1 on
	spares       []*mutation // of the same rule, to be planted in its place if it doesn't count
}

// id names a mutation, the same way for as long as its surroundings stay.
func (m *mutation) id() string {
	return fmt.Sprintf("%s: %s in %s: %s", m.target, m.rule, m.where, m.change())
}

// change is what is replaced, by what, and which one it is of those that read the same.
func (m *mutation) change() string {
	change := flat(m.old) + " → " + flat(m.new)
	if m.nth > 1 {
		change += fmt.Sprintf(" (%d)", m.nth)
	}
	return change
}

// flat is text on one line, "nothing" where there is none.
func flat(text string) string {
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return "nothing"
	}
	return text
}

// number tells mutations apart that read the same.
func number(all []*mutation) {
	seen := map[string]int{}
	for _, m := range all {
		m.nth = 0
		id := m.id()
		seen[id]++
		m.nth = seen[id]
	}
}

// place and kind are what a sample is to have many of.
func (m *mutation) place() string { return m.where }
func (m *mutation) kind() string  { return m.target }

// sample chooses n mutations, the same for the same seed, from as many places as
// there are: of each the first, then of each the second, and so on.
func sample(all []*mutation, n int, seed uint64, place func(*mutation) string) []*mutation {
	if len(all) == 0 {
		return nil
	}
	h := fnv.New64a()
	h.Write([]byte(all[0].target + all[0].rule))
	r := rand.New(rand.NewPCG(seed, h.Sum64()))
	all = slices.Clone(all)
	r.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	turn, taken := map[*mutation]int{}, map[string]int{}
	for _, m := range all {
		turn[m] = taken[place(m)]
		taken[place(m)]++
	}
	slices.SortStableFunc(all, func(a, b *mutation) int { return turn[a] - turn[b] })
	return all[:min(n, len(all))]
}
