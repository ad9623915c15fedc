package kernels_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
)

// TestRequiredLevel: these tests run at one level, the best or that of LANES_ISA. If LANES_ISA
// chooses, a level that LANES_REQUIRE_ISA lists has to be that one; otherwise it has to be
// available.
func TestRequiredLevel(t *testing.T) {
	ran := []dispatch.Level{dispatch.Active()}
	if os.Getenv("LANES_ISA") == "" {
		for _, v := range dispatch.Variants() {
			ran = append(ran, v.Level)
		}
	}
	require.NoError(t, dispatch.NotRun(ran...))
}
