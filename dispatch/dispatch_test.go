package dispatch

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestChoose(t *testing.T) {
	table := []row{
		{AVX512, "avx512", "", false, true},
		{AVX2, "avx2", "", true, true},
		{NEON, "neon", "", true, false},
		{Generic, "generic", "", true, true},
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
// here, so that no tier goes missing in silence.
func TestRequired(t *testing.T) {
	for _, name := range strings.Split(os.Getenv("LANES_REQUIRE_ISA"), ",") {
		if name == "" {
			continue
		}
		found := false
		for _, r := range levels {
			found = found || r.name == name && Available(r.level)
		}
		require.True(t, found, "LANES_REQUIRE_ISA: %s can't be run here:\n%s", name, Info())
	}
}
