//go:build !amd64 || purego || noasm

package lanes

import "github.com/lanes-go/lanes/generic"

func selectResolveOwned[T Elem, I Index](offsets []int, own []T, indices []I, updates []T, size, scale, low, high int) (kept, bad int) {
	return generic.ResolveOwned(offsets, own, indices, updates, size, scale, low, high)
}
