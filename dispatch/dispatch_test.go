package dispatch

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChoose(t *testing.T) {
	table := []row{
		{AVX512, "avx512", "", 0, false, true},
		{AVX2, "avx2", "", 0, true, true},
		{NEON, "neon", "", 0, true, false},
		{Generic, "generic", "", 0, true, true},
	}
	for _, tt := range []struct {
		override string
		level    Level
		warning  string
	}{
		{"", AVX2, ""},
		{"avx2", AVX2, ""},
		{"generic", Generic, ""},
		{"avx512", AVX2, "lanes: LANES_ISA=avx512: this CPU lacks it; using avx2\n"},
		{"neon", AVX2, "lanes: LANES_ISA=neon: this build has no bodies for it; using avx2\n"},
		{"sse9", AVX2, "lanes: LANES_ISA=sse9: no such level; using avx2\n"},
	} {
		t.Run("LANES_ISA="+tt.override, func(t *testing.T) {
			var warning bytes.Buffer
			level, reason := choose(table, tt.override, &warning)
			assert.Equal(t, tt.level, level)
			assert.NotEmpty(t, reason)
			assert.Equal(t, tt.warning, warning.String())
		})
	}
}

func TestInfo(t *testing.T) {
	info := Info()
	assert.Contains(t, info, "level "+Active().String())
	for _, r := range levels {
		assert.Contains(t, info, r.name)
	}
}

func TestLevelString(t *testing.T) {
	assert.Equal(t, "avx512", AVX512.String())
	assert.Equal(t, "generic", Generic.String())
	assert.Equal(t, "Level(99)", Level(99).String())
}

// TestRequired fails when a level that LANES_REQUIRE_ISA lists can't be run
// here, so that no level goes missing in silence.
func TestRequired(t *testing.T) {
	var available []Level
	for _, l := range Levels() {
		if Available(l) {
			available = append(available, l)
		}
	}
	require.NoError(t, NotRun(available...))
}

func TestNotRun(t *testing.T) {
	for list, want := range map[string]string{"": "", " generic,, avx2": "", "generic,sse9": "sse9", "AVX2": "AVX2", "avx512,avx2": "avx512"} {
		t.Setenv("LANES_REQUIRE_ISA", list)
		err := NotRun(Generic, AVX2)
		if want == "" {
			assert.NoError(t, err, list)
		} else {
			assert.ErrorContains(t, err, "LANES_REQUIRE_ISA: "+want+" was not run", list)
		}
	}
	t.Setenv("LANES_REQUIRE_ISA", "generic")
	assert.Error(t, NotRun())
}

// TestVariants: every level and every trait is in the table, and each is run with and without the
// trait.
func TestVariants(t *testing.T) {
	for l := Generic; l.String() != fmt.Sprintf("Level(%d)", l); l++ {
		assert.Contains(t, Levels(), l)
	}
	assert.Equal(t, Generic, Levels()[0])
	var traits Trait
	for _, r := range levels {
		traits |= r.traits
	}
	assert.Equal(t, all, traits)

	variants := Variants()
	assert.Equal(t, Variant{Generic, 0}, variants[0])
	seen, on := map[string]bool{}, map[Level]Trait{}
	for _, v := range variants {
		assert.False(t, seen[v.String()], v)
		seen[v.String()] = true
		on[v.Level] |= v.Traits
		restore := v.Use()
		assert.Equal(t, v.Level, Active())
		for _, r := range traitRows {
			assert.Equal(t, v.Traits&r.trait != 0, Has(r.trait), v)
		}
		restore()
	}
	for _, r := range levels {
		assert.Equal(t, Available(r.level), seen[r.name], r.name)
		for _, row := range traitRows {
			possible := Available(r.level) && row.possible && r.traits&row.trait != 0
			assert.Equal(t, possible, on[r.level]&row.trait != 0, row.name)
			if row.trait != FastMovs { // which comes with the others
				assert.Equal(t, possible, seen[r.name+"+"+row.name], row.name)
			}
		}
	}
	assert.Equal(t, "avx512+vbmi+fastgather", Variant{AVX512, FastGather | VBMI}.String())
}

func TestDetect(t *testing.T) {
	for _, tt := range []struct {
		override string
		on, off  Trait
		warning  string
	}{
		{"", 0, 0, ""},
		{"-vbmi,-fastgather,-fastmovs", 0, all, ""},
		{"fastgather,-vbmi", FastGather, VBMI, ""},
		{"vbmi2", 0, 0, "lanes: LANES_TRAITS: vbmi2: no such trait\n"},
	} {
		t.Run("LANES_TRAITS="+tt.override, func(t *testing.T) {
			if tt.on&^Possible() != 0 {
				assert.False(t, Available(AVX2), "a CPU with AVX2 has gathers")
				t.Skip("this CPU can't have them")
			}
			var warning bytes.Buffer
			s := detect(tt.override, &warning)
			assert.Equal(t, tt.warning, warning.String())
			assert.Equal(t, tt.on, s.on&tt.on)
			assert.Zero(t, s.on&tt.off)
			assert.Equal(t, tt.on|tt.off, s.known&(tt.on|tt.off))
			assert.Zero(t, s.on&^Possible())
		})
	}
}

func TestImpossibleTrait(t *testing.T) {
	for _, r := range traitRows {
		var warning bytes.Buffer
		s := detect(r.name, &warning)
		if !r.possible {
			assert.Zero(t, s.on&r.trait)
			assert.Contains(t, warning.String(), r.name+": this CPU can't have it")
		}
	}
}

func TestCalibrate(t *testing.T) {
	defer Use(Active(), 0)() // everything is settled, so nothing is measured
	Calibrate(all, func(Trait) (bool, string) { t.Error("measured"); return true, "" })

	traits.Store(detect("-vbmi", &bytes.Buffer{}))
	Calibrate(FastMovs, func(t Trait) (bool, string) { return false, "not asked for" })
	assert.Equal(t, Possible()&FastMovs, traits.Load().known&Possible()&^VBMI, "others are not measured")
	Calibrate(all, func(t Trait) (bool, string) { return true, "it took no time" })
	assert.Equal(t, Possible()&FastGather, traits.Load().on&FastGather)
	assert.False(t, Has(VBMI))
	assert.Equal(t, all, traits.Load().known)
	if Possible()&FastGather != 0 {
		assert.Contains(t, Info(), "it took no time")
	}
}

func TestUse(t *testing.T) {
	before, traitsBefore := Active(), traits.Load()
	restore := Use(Generic, all)
	assert.Equal(t, Generic, Active())
	assert.Equal(t, Possible(), traits.Load().on)
	restore()
	assert.Equal(t, before, Active())
	assert.Same(t, traitsBefore, traits.Load())
	for _, r := range levels {
		if !Available(r.level) {
			assert.Panics(t, func() { Use(r.level, 0) })
		}
	}
}
