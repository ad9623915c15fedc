package generic

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// A bool is true if its byte is not 0. So the loops that count a mask and those
// that read it agree on memory that C or a file has filled.

// CountTrue returns how many of mask[at+j*step], for j < n, are true.
func CountTrue(mask []bool, at, step, n int) (count int) {
	bytes := maskBytes(mask)
	if step != 1 {
		for range n {
			if bytes[at] != 0 {
				count++
			}
			at += step
		}
		return count
	}
	bytes = cut(bytes, at, n)
	for ; len(bytes) >= 8; bytes = bytes[8:] {
		count += bits.OnesCount64(trueBits(binary.LittleEndian.Uint64(bytes)))
	}
	for _, b := range bytes {
		if b != 0 {
			count++
		}
	}
	return count
}

// Positions finds the j < n at which mask[at+j*step] is true, in ascending
// order, and sets offsets[i] = base + j*scale for the i-th of them, until offsets
// is full. It returns how many it has found, and the first j that it has not
// read. Elements of offsets from found on are unspecified.
func Positions(offsets []int, mask []bool, at, step, n, base, scale int) (found, next int) {
	bytes := maskBytes(mask)
	if step == 1 && n > 0 {
		bytes, at = cut(bytes, at, n), 0
		for n-next >= 8 && len(offsets)-found >= 8 {
			if isFalse(bytes[next:]) {
				next += maskBlock
				continue
			}
			places, out, offset := placesOf(bytes[next:]), (*[8]int)(offsets[found:]), base+next*scale
			out[0] = offset
			out[places&7] = offset + scale
			out[places>>8&7] = offset + 2*scale
			out[places>>16&7] = offset + 3*scale
			out[places>>24&7] = offset + 4*scale
			out[places>>32&7] = offset + 5*scale
			out[places>>40&7] = offset + 6*scale
			out[places>>48&7] = offset + 7*scale
			found, next = found+int(places>>56), next+8
		}
	}
	for ; next < n && found < len(offsets); next++ {
		if bytes[at+next*step] != 0 {
			offsets[found] = base + next*scale
			found++
		}
	}
	return found, next
}

// Compact sets dst[i] to the element of src at the i-th place where mask,
// which is as long as src, is true, until dst is full. It returns how many it
// has set. Elements of dst from there on are unspecified.
//
// A branch on each element would be mispredicted half of the time. So each element
// is stored, and the next one overwrites it if it was not chosen.
func Compact[T any](dst, src []T, mask []bool) (found int) {
	bytes := maskBytes(mask)[:len(src)]
	next := 0
	for len(src)-next >= 8 && len(dst)-found >= 8 {
		if isFalse(bytes[next:]) {
			next += maskBlock
			continue
		}
		if run := trueRun(bytes[next:]); run > 0 {
			run = min(run, len(dst)-found)
			copyRun(dst[found:found+run], src[next:next+run])
			found, next = found+run, next+run
			continue
		}
		places, out, from := placesOf(bytes[next:]), (*[8]T)(dst[found:]), (*[8]T)(src[next:])
		out[0] = from[0]
		out[places&7] = from[1]
		out[places>>8&7] = from[2]
		out[places>>16&7] = from[3]
		out[places>>24&7] = from[4]
		out[places>>32&7] = from[5]
		out[places>>40&7] = from[6]
		out[places>>48&7] = from[7]
		found, next = found+int(places>>56), next+8
	}
	for ; next < len(src) && found < len(dst); next++ {
		if bytes[next] != 0 {
			dst[found] = src[next]
			found++
		}
	}
	return found
}

// maskBlock is how many bytes are looked at together, so that where true ones
// are rare or the rule, that costs little, and where they are neither, the branch is
// guessed right.
const maskBlock = 32

// isFalse reports whether there is a block, and nothing in it is true.
func isFalse(bytes []uint8) bool {
	if len(bytes) < maskBlock {
		return false
	}
	b := (*[maskBlock]uint8)(bytes)
	return binary.LittleEndian.Uint64(b[:])|binary.LittleEndian.Uint64(b[8:])|
		binary.LittleEndian.Uint64(b[16:])|binary.LittleEndian.Uint64(b[24:]) == 0
}

// trueRun returns how many of the first bytes are 1, in whole blocks.
func trueRun(bytes []uint8) (n int) {
	for ; len(bytes)-n >= maskBlock; n += maskBlock {
		b := (*[maskBlock]uint8)(bytes[n:])
		if binary.LittleEndian.Uint64(b[:])&binary.LittleEndian.Uint64(b[8:])&
			binary.LittleEndian.Uint64(b[16:])&binary.LittleEndian.Uint64(b[24:]) != allOnes {
			break
		}
	}
	return n
}

const allOnes = 0x01010101_01010101

// trueBits sets the highest bit of each byte that is not 0, and clears all else.
func trueBits(bytes uint64) uint64 {
	const low = 0x7F7F7F7F_7F7F7F7F
	return (bytes&low + low | bytes) &^ low
}

// placesOf returns in byte i how many of the first i+1 bytes are not 0: the
// place of what comes next. The highest is how many of 8 there are.
func placesOf(bytes []uint8) uint64 {
	return trueBits(binary.LittleEndian.Uint64(bytes)) >> 7 * allOnes
}

func maskBytes(mask []bool) []uint8 {
	return unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(mask))), len(mask))
}
