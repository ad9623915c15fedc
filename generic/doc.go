// Package generic is the pure-Go part of lanes. It has two parts.
//
// The flat loops (gather.go, scatter.go, copy.go, resolve.go, mean.go, mask.go) run where a
// port has no assembly for a primitive, and everywhere under the build tags purego
// and noasm. Package lanes documents them.
//
// The definitions (gather_elements.go, gather_nd.go, gather_slices.go,
// scatter_elements_update.go, strided_slice.go, …) are the operators written
// from the formulas of their documents, for clarity alone. Only tests, bench and trust
// call them: they are the oracle that everything else agrees with, bit for bit.
//
// The package can be imported, but its API may change in any version.
package generic
