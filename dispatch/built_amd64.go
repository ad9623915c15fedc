//go:build !purego && !noasm

package dispatch

const builtAMD64 = false // TODO: until kernels_amd64.s exists
