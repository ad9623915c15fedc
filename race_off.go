//go:build !race

package lanes

const raceEnabled = false

func touchGather[T any, I Index](_, _ Plane[T], _, _ int, _ Plane[I], _, _ int) {}
func touchRows[T any](_ Plane[T], _ []T, _ int, _ []int, _ int)                 {}
func touchScatter[T any](_ []T, _ int, _ []int, _ Plane[T], _ int, _ bool)      {}
func touchCounters[C Counter](_ []C, _ int, _ []int)                            {}
func touchCells[T, S any, C Counter](_ *Cells[T, S, C], _ int)                  {}
func touchCopy[T any](_, _ Plane[T], _, _ int)                                  {}
func touchOwned[T any, I Index](_ []int, _ []T, _ []I, _ []T)                   {}
func touchIndices[I any](_ []I, _, _ int)                                       {}
