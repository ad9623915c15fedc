//go:build !(amd64 || arm64) || purego || noasm

package dispatch

const builtAMD64, builtARM64 = false, false
