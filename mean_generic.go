//go:build !amd64 || purego || noasm

package lanes

import "github.com/lanes-go/lanes/generic"

func selectDivide[T float32 | float64, C Counter](c Cells[T, T, C]) { generic.Divide(c) }

func selectCount[C Counter](counts []C, at int, offsets []int, n int) {
	generic.Count(counts, at, offsets, n)
}
