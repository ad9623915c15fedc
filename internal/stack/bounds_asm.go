//go:build !wasm && !purego && !noasm

package stack

// Exact says that Holds knows where the stack ends.
const Exact = true

// bounds returns what g.stack holds, the first field of runtime.g, whose place
// is fixed because C code reads it, too (runtime/runtime2.go, in Go 1.26).
//
//go:noescape
func bounds() (low, high uintptr)
