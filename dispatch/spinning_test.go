package dispatch

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSpinning(t *testing.T) {
	for setting, want := range map[string]struct {
		on   bool
		warn string
	}{
		"":    {true, ""},
		"on":  {true, ""},
		"off": {false, ""},
		"0":   {true, "lanes: LANES_SPINNING=0: neither on nor off; on\n"},
	} {
		var warn strings.Builder
		assert.Equal(t, want.on, spins(setting, &warn), setting)
		assert.Equal(t, want.warn, warn.String())
	}
	assert.Contains(t, Info(), "spinning")
}
