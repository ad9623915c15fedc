//go:build !purego && !noasm

package dispatch

const builtAMD64 = true
