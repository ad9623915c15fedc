//go:build !amd64 || purego || noasm

package dispatch

const builtAMD64 = false
