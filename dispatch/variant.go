package dispatch

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

// Levels returns every level, Generic first, whether it is available or not.
func Levels() []Level {
	var all []Level
	for _, r := range slices.Backward(levels) {
		all = append(all, r.level)
	}
	return all
}

// A Variant is a level and those of its traits that are on. It determines which bodies run. Tests
// and benchmarks go through all variants of a machine.
type Variant struct {
	Level  Level
	Traits Trait
}

// Variants returns the variants that this machine can run, Generic first: each level with every set
// of the traits that choose between its bodies. FastMovs comes with all others alone, because no
// body depends on it and another trait.
func Variants() []Variant {
	var all []Variant
	for _, r := range slices.Backward(levels) {
		if !Available(r.level) {
			continue
		}
		sets := []Trait{0}
		for _, t := range traitRows {
			switch {
			case !t.possible || r.traits&t.trait == 0:
			case t.trait == FastMovs:
				sets = append(sets, sets[len(sets)-1]|t.trait)
			default:
				for _, s := range sets {
					sets = append(sets, s|t.trait)
				}
			}
		}
		for _, s := range sets {
			all = append(all, Variant{r.level, s})
		}
	}
	if all == nil {
		panic("dispatch: no level can be run: a loop over the variants would test nothing")
	}
	return all
}

// Use makes primitives run the variant; see the function Use.
func (v Variant) Use() (restore func()) { return Use(v.Level, v.Traits) }

// String returns a name such as avx512+vbmi+fastgather.
func (v Variant) String() string {
	name := v.Level.String()
	for _, t := range traitRows {
		if v.Traits&t.trait != 0 {
			name += "+" + t.name
		}
	}
	return name
}

// Required returns the names in the environment variable LANES_REQUIRE_ISA, which are separated by
// commas: the levels that tests must run.
func Required() []string {
	var names []string
	for name := range strings.SplitSeq(os.Getenv("LANES_REQUIRE_ISA"), ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// NotRun returns an error if a level that is Required is not among those that ran.
func NotRun(ran ...Level) error {
	for _, name := range Required() {
		if !slices.ContainsFunc(ran, func(l Level) bool { return l.String() == name }) {
			return fmt.Errorf("LANES_REQUIRE_ISA: %s was not run:\n%s", name, Info())
		}
	}
	return nil
}
