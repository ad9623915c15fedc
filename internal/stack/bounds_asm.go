//go:build (amd64 || arm64) && !purego && !noasm

package stack

// bounds returns what g.stack holds, the first field of runtime.g, whose place
// is fixed because C code reads it, too (runtime/runtime2.go, in Go 1.26).
//
//go:noescape
func bounds() (low, high uintptr)
