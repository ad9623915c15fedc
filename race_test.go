//go:build race

package lanes_test

// checksPointers says that the build checks pointer arithmetic, as -race does.
const checksPointers = true
