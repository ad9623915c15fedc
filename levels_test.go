package lanes_test

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
)

// ran is the levels that some test ran, for TestMain.
var ran = map[dispatch.Level]bool{}

// use makes the primitives run a variant, and returns the way back. With FastMovs short runs are
// long ones, and few updates are many, so that all tests have them.
func use(v dispatch.Variant) (restore func()) {
	ran[v.Level] = true
	back, near := v.Use(), dispatch.Near
	if v.Traits&dispatch.FastMovs != 0 {
		dispatch.Near.Long, dispatch.Near.Grouped, dispatch.Near.Runs = 64, 1, 1
	}
	return func() {
		back()
		dispatch.Near = near
	}
}

// eachLevel runs a test once for each variant of this machine. The level is a global, so that
// neither the test nor its sub-tests may be parallel. The race detector, which takes ten times as
// long, sees each level once, with all its traits: these choose between bodies, and it sees the Go
// around them.
func eachLevel(t *testing.T, run func(t *testing.T)) {
	variants := dispatch.Variants()
	for i, v := range variants {
		if checksPointers && i+1 < len(variants) && variants[i+1].Level == v.Level {
			continue
		}
		t.Run("impl="+v.String(), func(t *testing.T) {
			defer use(v)()
			run(t)
		})
	}
}

// TestMain fails the run when a level that LANES_REQUIRE_ISA lists has not been
// run by then. Only a run of chosen tests, none of which has levels, is let through.
func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 && (len(ran) > 0 || flag.Lookup("test.run").Value.String() == "") {
		if err := dispatch.NotRun(slices.Collect(maps.Keys(ran))...); err != nil {
			fmt.Printf("FAIL: %v", err)
			code = 1
		}
	}
	os.Exit(code)
}

func TestEachLevel(t *testing.T) {
	before := dispatch.Active()
	names := map[dispatch.Level]bool{}
	eachLevel(t, func(t *testing.T) { names[dispatch.Active()] = true })
	if dispatch.Active() != before {
		t.Errorf("the level is %s now, and was %s", dispatch.Active(), before)
	}
	for _, l := range dispatch.Levels() {
		if names[l] != dispatch.Available(l) {
			t.Errorf("%s: available %v, run %v", l, dispatch.Available(l), names[l])
		}
	}
}

// oftenWithoutCaches runs a test half of the time as if no cache held anything: tables are
// prefetched then.
func oftenWithoutCaches(r *rand.Rand, run func()) {
	if near := dispatch.Near; r.IntN(2) == 0 {
		dispatch.Near.Second, dispatch.Near.Last = 0, 0
		defer func() { dispatch.Near = near }()
	}
	run()
}
