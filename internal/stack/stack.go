// Package stack tells what lies on the calling goroutine's stack. Escape analysis keeps from other goroutines
// what does, unless a pointer is hidden from it; whoever hides one has to ask here.
//
// No size says it: variables of more than 128 KiB are in the heap, but parameters and results are on the
// stack, however large they are (cmd/compile/internal/escape, HeapAllocReason, in Go 1.26).
package stack

import "unsafe"

// Holds reports whether n bytes at p, of one variable, may be on the calling goroutine's
// stack. With assembly the answer is exact. Without, the stack is taken to be as large as all
// stacks of the process, from this frame up.
func Holds(p unsafe.Pointer, n int) bool {
	low, high := bounds()
	at := uintptr(p) // not before: bounds may have moved the stack, and p with it
	return n > 0 && low <= at && at < high && uintptr(n) <= high-at
}
