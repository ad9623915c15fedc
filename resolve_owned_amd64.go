//go:build !purego && !noasm

package lanes

import (
	"math"
	"unsafe"

	"github.com/lanes-go/lanes/generic"
)

func selectResolveOwned[T Elem, I Index](offsets []int, own []T, indices []I, updates []T, size, scale, low, high int) (kept, bad int) {
	var z T
	var x I
	width, n := int(unsafe.Sizeof(z)), len(indices)
	whole := n &^ 7
	if !avx512() || width != 4 && width != 8 || whole < minIndices || uint(size) > math.MaxUint32 || uint(scale) > math.MaxUint32 || low > high {
		return generic.ResolveOwned(offsets, own, indices, updates, size, scale, low, high)
	}
	offsets, own, updates = offsets[:n:len(offsets)], own[:n:len(own)], updates[:n:len(updates)]
	if raceEnabled {
		touchOwned(offsets, own, indices, updates)
	}
	j := 0
	for j < whole {
		piece := min(whole-j, pieceElements)
		some, bad := resolveOwnedPiece(&offsets[kept], elem(own, kept), elem(indices, j), elem(updates, j), width, int(unsafe.Sizeof(x)), piece, size, scale, low, high)
		kept += some
		if bad >= 0 {
			j += bad
			break
		}
		j += piece
	}
	some, bad := generic.ResolveOwned(offsets[kept:], own[kept:], indices[j:], updates[j:], size, scale, low, high)
	if bad >= 0 {
		bad += j
	}
	return kept + some, bad
}
