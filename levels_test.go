package lanes_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
)

// A variant is a level together with the traits that are on: what decides which
// body a primitive runs.
type variant struct {
	level  dispatch.Level
	traits dispatch.Trait
}

// Each level, and the traits that choose between its bodies.
var levelTraits = []struct {
	level  dispatch.Level
	traits []dispatch.Trait
}{
	{dispatch.Generic, nil},
	{dispatch.NEON, nil},
	{dispatch.AVX2, []dispatch.Trait{dispatch.FastGather}},
	{dispatch.AVX512, []dispatch.Trait{dispatch.VBMI, dispatch.FastGather}},
}

var traitNames = map[dispatch.Trait]string{
	dispatch.VBMI:       "vbmi",
	dispatch.FastGather: "fastgather",
}

// variants returns all that this machine can run.
func variants() []variant {
	var all []variant
	for _, l := range levelTraits {
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
			all = append(all, variant{l.level, s})
		}
	}
	if all == nil {
		panic("no level can be run, generic neither: a loop over them would test nothing")
	}
	return all
}

// String names a variant as the tests do: impl=avx512/traits=vbmi+fastgather.
// Without traits it is impl=avx512 alone.
func (v variant) String() string {
	var on []string
	for _, l := range levelTraits {
		for _, t := range l.traits {
			if l.level == v.level && v.traits&t != 0 {
				on = append(on, traitNames[t])
			}
		}
	}
	if on == nil {
		return "impl=" + v.level.String()
	}
	return "impl=" + v.level.String() + "/traits=" + strings.Join(on, "+")
}

// use makes the primitives run the variant, and returns the way back.
func (v variant) use() (restore func()) {
	ran[v.level.String()] = true
	return dispatch.Use(v.level, v.traits)
}

// ran is the levels that some test ran, for TestMain.
var ran = map[string]bool{}

// eachLevel runs a test once for each variant. The level is a global, so that
// neither the test nor its sub-tests may be parallel.
func eachLevel(t *testing.T, run func(t *testing.T)) {
	for _, v := range variants() {
		t.Run(v.String(), func(t *testing.T) {
			defer v.use()()
			run(t)
		})
	}
}

// TestMain fails the run when a level that LANES_REQUIRE_ISA lists has not been
// run by then. Only a run of chosen tests, none of which has levels, is let through.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && (len(ran) > 0 || flag.Lookup("test.run").Value.String() == "") {
		if missing := notRun(os.Getenv("LANES_REQUIRE_ISA"), ran); missing != nil {
			fmt.Printf("FAIL: LANES_REQUIRE_ISA: no test ran %s:\n%s", strings.Join(missing, ", "), dispatch.Info())
			code = 1
		}
	}
	os.Exit(code)
}

// notRun returns what the list has and ran has not.
func notRun(list string, ran map[string]bool) (missing []string) {
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" && !ran[name] {
			missing = append(missing, name)
		}
	}
	return missing
}

func TestEachLevel(t *testing.T) {
	before := dispatch.Active()
	names := map[string]bool{}
	eachLevel(t, func(t *testing.T) { names[dispatch.Active().String()] = true })
	if dispatch.Active() != before {
		t.Errorf("the level is %s now, and was %s", dispatch.Active(), before)
	}
	// Of all that dispatch has, and not of the rows above alone: one without a row would be run by no test.
	for l := dispatch.Generic; l.String() != fmt.Sprintf("Level(%d)", l); l++ {
		if names[l.String()] != dispatch.Available(l) {
			t.Errorf("%s: available %v, run %v", l, dispatch.Available(l), names[l.String()])
		}
	}
	if missing := notRun("generic, sse9,,"+dispatch.Generic.String(), names); len(missing) != 1 || missing[0] != "sse9" {
		t.Errorf("not run: %v", missing)
	}
	if missing := notRun("", nil); missing != nil {
		t.Errorf("not run: %v", missing)
	}
}
