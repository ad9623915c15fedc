//go:build !purego && !noasm

package dispatch

const builtAMD64, builtARM64 = false, true
