// Package lanes holds the primitives below package kernels, which is the package to import.
//
// A primitive is a flat loop that moves elements by index. It knows slices and steps, and no ranks,
// axes or goroutines. The operators of package kernels take tensors and are built from primitives.
//
// The words, used this way everywhere:
//
//   - An operator works on tensors: GatherElements, in package kernels.
//   - A primitive is one flat loop with an outer loop of rows: Gather, here.
//   - A body is a primitive for one width, index type and instruction set. The
//     portable bodies are in package generic, the others in kernels_<arch>.s.
//   - A level is an instruction set that bodies exist for: see package dispatch.
//   - A Plane is a rows × cols window on a flat slice.
//   - A Memory is a flat slice without its type, and a Window is a Plane without its type.
//   - An index is what the caller gives: it may be negative or out of range until it
//     is checked. An offset is what a checked index becomes: a distance in elements.
//
// Each primitive has a file with its documentation, the guard that decides whether a call may run
// assembly, the choice of a body, and the call of package generic for everything else. An exported
// generic function erases the types and calls the function whose name ends in Raw. The functions
// that pick a body by width or kind, level and traits are generated (bodies_<arch>.go) from the
// table in asmgen/table.go.
//
// Primitives check indices; they panic, as slices do, when a Plane leaves its
// slice. Destinations and sources must not overlap. The functions may change in any
// version; package kernels is the API that stays compatible.
package lanes

//go:generate go run -C asmgen .
