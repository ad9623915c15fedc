package calls

import (
	"fmt"
	"strings"

	"github.com/lanes-go/lanes/dispatch"
)

// A Variant decides what bodies a call runs.
type Variant struct {
	Level  dispatch.Level
	Traits dispatch.Trait // those that are on
	Few    bool           // calls on few elements go the short way, which reaches no body of a level
}

// The levels, and the traits that choose between the bodies of each.
var levels = []struct {
	level  dispatch.Level
	traits []dispatch.Trait
}{
	{dispatch.Generic, nil},
	{dispatch.NEON, nil},
	{dispatch.AVX2, []dispatch.Trait{dispatch.FastGather}},
	{dispatch.AVX512, []dispatch.Trait{dispatch.VBMI, dispatch.FastGather}},
}

var traitNames = map[dispatch.Trait]string{dispatch.VBMI: "vbmi", dispatch.FastGather: "fastgather"}

// Variants returns all that this machine can run, generic first. One of them
// has the short way, which is the same at each level.
func Variants() []Variant {
	all := []Variant{{Level: dispatch.Generic, Few: true}}
	for _, l := range levels {
		if !dispatch.Available(l.level) {
			continue
		}
		sets := []dispatch.Trait{0}
		for _, t := range l.traits {
			if dispatch.Possible()&t == 0 {
				continue
			}
			for _, s := range sets {
				sets = append(sets, s|t)
			}
		}
		for _, s := range sets {
			all = append(all, Variant{Level: l.level, Traits: s})
		}
	}
	return all
}

// Use makes calls run the variant, and returns the way back; see dispatch.Use.
func (v Variant) Use() (restore func()) {
	few := dispatch.Default.FewElements
	if !v.Few {
		dispatch.Default.FewElements = 0
	}
	level := dispatch.Use(v.Level, v.Traits)
	return func() {
		level()
		dispatch.Default.FewElements = few
	}
}

// String returns a name such as avx512+vbmi+fastgather, or generic+few.
func (v Variant) String() string {
	name := v.Level.String()
	for _, t := range []dispatch.Trait{dispatch.VBMI, dispatch.FastGather} {
		if v.Traits&t != 0 {
			name += "+" + traitNames[t]
		}
	}
	if v.Few {
		name += "+few"
	}
	return name
}

// Require returns an error if a level of a comma-separated list of names, such as LANES_REQUIRE_ISA has, is
// not among the variants.
func Require(list string, variants []Variant) error {
	ran := map[string]bool{}
	for _, v := range variants {
		ran[v.Level.String()] = true
	}
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" && !ran[name] {
			return fmt.Errorf("LANES_REQUIRE_ISA: %s can't be run:\n%s", name, dispatch.Info())
		}
	}
	return nil
}
