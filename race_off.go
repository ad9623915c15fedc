//go:build !race

package lanes

const raceEnabled = false

func touchMemory(*Memory, int, int)                           {}
func touchInts([]int)                                         {}
func touchGather(_, _ *Window, _, _ int, _ *Window, _, _ int) {}
func touchRows(*Window, *Memory, int, []int, int)             {}
func touchScatter(*Memory, int, []int, *Window, int, bool)    {}
func touchCounters(*Memory, int, []int)                       {}
func touchCells(*CellsRaw, int, int, int, int)                {}
func touchCopy(_, _ *Window, _, _ int)                        {}
func touchOwned(_ []int, _, _, _ *Memory)                     {}
