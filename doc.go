// Package lanes holds the primitives that package kernels is built on: flat
// loops that move elements by index. A primitive knows slices and steps; it
// knows no ranks, axes or goroutines. Start with package kernels, whose
// operators take tensors; come here to build an operator of your own.
//
// The words, used this way everywhere:
//
//   - An operator, or kernel, works on tensors: GatherElements, in package kernels.
//   - A primitive is one flat loop with an outer loop of rows: Gather, here.
//   - A body is a primitive for one width, index type and instruction set. The
//     portable bodies are in package generic, the others in kernels_<arch>.s.
//   - A level is an instruction set that bodies exist for: see package dispatch.
//   - A Plane is a rows × cols window on a flat slice.
//   - An index is what the caller gives: it may be negative, and is checked. An
//     offset is what a checked index becomes: a distance in elements.
//
// Each primitive has a file with its documentation. The *_asm.go files say what
// a call must be to run assembly, bodies_<arch>.go and, on other ports,
// select_generic.go which body it runs. The elements' width picks the body for
// movement, their type the one for arithmetic, the level and traits of package
// dispatch the instruction set.
//
// Primitives check indices; they panic, as slices do, when a Plane leaves its
// slice. Destinations and sources must not overlap. The functions are public
// and documented, but they may still change; package kernels is the API that
// stays stable.
package lanes

//go:generate go run -C asmgen .
