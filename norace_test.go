//go:build !race

package lanes_test

const checksPointers = false
