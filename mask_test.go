package lanes_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes"
)

// A maskCase is a mask between bytes that must not count, and the places of
// what is true in it.
type maskCase struct {
	mask        []bool
	at, step, n int
	places      []int
}

// maskCases calls test with masks of all lengths to a few blocks, where true
// elements are rare, frequent or the rule, in runs or not, written as any byte but 0.
func maskCases(t *testing.T, steps []int, test func(t *testing.T, c maskCase)) {
	for _, step := range steps {
		for _, percent := range []int{0, 3, 50, 90, 100} {
			t.Run(fmt.Sprintf("step=%d/true=%d%%", step, percent), func(t *testing.T) {
				r := seeded(t, uint64(percent))
				for n := range 200 {
					c := maskCase{step: step, n: n}
					reach := max(n-1, 0) * max(step, -step)
					before := r.IntN(20)
					bytes := make([]byte, before+reach+1+r.IntN(20))
					for i := range bytes {
						bytes[i] = 1
					}
					if c.at = before; step < 0 {
						c.at += reach
					}
					value := byte(0)
					for j := range n {
						if r.IntN(10) > 0 || percent == 0 || percent == 100 {
							if value = 0; r.IntN(100) < percent {
								value = [...]byte{1, 1, 1, 2, 0x80, 0xFF}[r.IntN(6)]
							}
						}
						bytes[c.at+j*step] = value
					}
					for j := range n {
						if bytes[c.at+j*step] != 0 {
							c.places = append(c.places, j)
						}
					}
					c.mask = unsafe.Slice((*bool)(unsafe.Pointer(&bytes[0])), len(bytes))
					test(t, c)
				}
			})
		}
	}
}

var maskSteps = []int{1, 2, 3, -1, -5, 0}

func TestCountTrue(t *testing.T) {
	maskCases(t, maskSteps, func(t *testing.T, c maskCase) {
		require.Equal(t, len(c.places), lanes.CountTrue(c.mask, c.at, c.step, c.n), "of %d", c.n)
	})
}

func TestPositions(t *testing.T) {
	maskCases(t, maskSteps, func(t *testing.T, c maskCase) {
		for _, room := range []int{1, 7, 8, 9, 33, 64, 400} {
			for _, scale := range []int{1, 3, -2, 0} {
				offsets := make([]int, room+4)
				const base, canary = 1000, -12345
				var want []int
				for done, places := 0, c.places; done < c.n; {
					for i := range offsets {
						offsets[i] = canary
					}
					found, next := lanes.Positions(offsets[:room], c.mask, c.at+done*c.step, c.step, c.n-done, base, scale)
					want = want[:0]
					for len(places) > 0 && places[0] < done+next {
						want = append(want, base+(places[0]-done)*scale)
						places = places[1:]
					}
					switch {
					case found != room && done+next != c.n:
						t.Fatalf("stopped at %d of %d with %d", done+next, c.n, found)
					case !slices.Equal(want, offsets[:found]):
						t.Fatalf("from %d of %d on: want %v, got %v", done, c.n, want, offsets[:found])
					case slices.ContainsFunc(offsets[room:], func(o int) bool { return o != canary }):
						t.Fatalf("behind the room: %v", offsets[room:])
					}
					done += next
				}
			}
		}
	})
}

func TestCompact(t *testing.T) {
	t.Run("elem=1", compactTest[uint8])
	t.Run("elem=2", compactTest[int16])
	t.Run("elem=4", compactTest[float32])
	t.Run("elem=8", compactTest[complex64])
	t.Run("elem=16", compactTest[lanes.X128])
}

func compactTest[T lanes.Elem](t *testing.T) {
	maskCases(t, []int{1}, func(t *testing.T, c maskCase) {
		var z T
		width := int(unsafe.Sizeof(z))
		bytesOf := func(s []T) []byte {
			return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*width)
		}
		src, mask := make([]T, c.n), c.mask[c.at:c.at+c.n]
		for i := range bytesOf(src) {
			bytesOf(src)[i] = byte(7 * i / 3)
		}
		var want []T
		for _, j := range c.places {
			want = append(want, src[j])
		}
		for _, room := range []int{0, len(want) / 2, len(want), len(want) + 3} {
			dst := make([]T, room+9)
			for i := range bytesOf(dst) {
				bytesOf(dst)[i] = 0xEE
			}
			behind := slices.Clone(bytesOf(dst[room:]))
			found := lanes.Compact(dst[:room], src, mask)
			require.Equal(t, min(room, len(want)), found)
			require.True(t, bytes.Equal(bytesOf(want[:found]), bytesOf(dst[:found])), "of %d: want %v, got %v", c.n, want, dst[:found])
			require.True(t, bytes.Equal(behind, bytesOf(dst[room:])), "behind the room")
		}
	})
}

func TestMasksOutside(t *testing.T) {
	mask := make([]bool, 10)
	for _, call := range []func(){
		func() { lanes.CountTrue(mask, 0, 1, 11) },
		func() { lanes.CountTrue(mask, 9, -1, 11) },
		func() { lanes.Positions(make([]int, 8), mask, 3, 1, 8, 0, 1) },
		func() { lanes.Positions(make([]int, 8), mask, 0, 2, 6, 0, 1) },
		func() { lanes.Compact(make([]int32, 8), make([]int32, 11), mask) },
	} {
		require.Panics(t, call)
	}
}
