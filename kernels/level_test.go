package kernels_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
)

// TestRequiredLevel: these tests run at one level, the best or that of LANES_ISA. One that
// LANES_REQUIRE_ISA lists has to be it, if LANES_ISA chooses, and has to be there.
func TestRequiredLevel(t *testing.T) {
	available := map[string]bool{}
	for l := dispatch.Generic; l.String() != fmt.Sprintf("Level(%d)", l); l++ {
		available[l.String()] = dispatch.Available(l)
	}
	require.True(t, available["generic"])
	for name := range strings.SplitSeq(os.Getenv("LANES_REQUIRE_ISA"), ",") {
		if name = strings.TrimSpace(name); name == "" {
			continue
		}
		require.True(t, available[name], "LANES_REQUIRE_ISA: %s can't be run here:\n%s", name, dispatch.Info())
		if os.Getenv("LANES_ISA") != "" {
			require.Equal(t, dispatch.Active().String(), name, "LANES_REQUIRE_ISA: another level than %s runs:\n%s", name, dispatch.Info())
		}
	}
}
