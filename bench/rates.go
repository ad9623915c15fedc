package main

import (
	"bytes"
	"crypto/subtle"
	"math/bits"
	"sync"

	primitives "github.com/lanes-go/lanes"
)

// A method is a way to stream a copy; of all that are listed, the fastest
// counts. Reads and updates in place have one way each: the standard library's
// vector loops.
type method struct {
	name  string
	piece int // bytes that are copied at a time
	copy  func(dst, src []byte)
}

var methods = []method{
	{"stream", 256 << 10, memmove},
	// From 1 MiB on, memmove may choose non-temporal stores.
	{"stream, 2 MiB copies", 2 << 20, memmove},
	// The bodies of this module, on this CPU's best level.
	{"stream, non-temporal", 256 << 10, streamed},
}

func streamed(dst, src []byte) {
	primitives.Copy(primitives.Plane[byte]{Data: dst, Col: 1, Stream: true}, primitives.Plane[byte]{Data: src, Col: 1}, 1, len(dst))
}

func memmove(dst, src []byte) { copy(dst, src) }

// A stream moves the bytes of a traffic, in that mix, in each pass.
type stream struct {
	again         int
	src, dst, own []byte // read, written, updated in place
}

func newStream(t traffic) *stream {
	s := &stream{t.Again, make([]byte, t.Read), make([]byte, t.Write), make([]byte, t.Update)}
	for _, b := range [][]byte{s.src, s.dst, s.own} {
		for i := range b {
			b[i] = 1 // pages that were never written are all the same page
		}
	}
	return s
}

func (s *stream) pass(m method, threads int) {
	parallel(threads, func(i int) {
		piece := stream{s.again / threads, share(s.src, i, threads), share(s.dst, i, threads), share(s.own, i, threads)}
		piece.passAlone(m)
	})
}

func (s *stream) passAlone(m method) {
	read(s.src[:min(s.again, len(s.src))])
	pieces := max(len(s.dst), len(s.own))/m.piece + 1
	for i := range pieces {
		src, dst, own := share(s.src, i, pieces), share(s.dst, i, pieces), share(s.own, i, pieces)
		n := min(len(dst), len(src))
		m.copy(dst[:n], src[:n])
		clear(dst[n:]) // output that nothing is read for
		src = src[n:]
		n = min(len(own), len(src))
		subtle.XORBytes(own[:n], own[:n], src[:n])
		subtle.XORBytes(own[n:], own[n:], own[n:])
		read(src[n:])
	}
}

// read reads p, of which all bytes are equal, from both ends of its middle.
func read(p []byte) {
	half := len(p) / 2
	if !bytes.Equal(p[:half], p[half:2*half]) {
		panic("bench: a stream's source has changed")
	}
}

// share returns the i-th of n nearly equal parts, which begin on cache lines.
func share(p []byte, i, n int) []byte {
	cut := func(i int) int {
		if i == n {
			return len(p)
		}
		return int(uint(len(p)) * uint(i) / uint(n) &^ (cacheLine - 1))
	}
	return p[cut(i):cut(i+1)]
}

// A randomTable is read at random, one element at a time.
type randomTable []uint32

func newRandomTable(bytes int) randomTable {
	t := make(randomTable, bytes/4)
	for i := range t {
		t[i] = 1
	}
	return t
}

// pass reads n elements. The addresses come from four independent
// generators, so that reads wait for memory alone, and not for each other.
func (t randomTable) pass(n, threads int) {
	parallel(threads, func(i int) {
		const a, c = 6364136223846793005, 1442695040888963407 // Knuth's MMIX
		x := [4]uint64{uint64(i)*8 + 1, uint64(i)*8 + 3, uint64(i)*8 + 5, uint64(i)*8 + 7}
		var sum uint32
		for range n / threads / 4 {
			for k := range x {
				x[k] = x[k]*a + c
				at, _ := bits.Mul64(x[k], uint64(len(t)))
				sum += t[at]
			}
		}
		if want := uint32(n / threads / 4 * 4); sum != want {
			panic("bench: a random table has changed")
		}
	})
}

// parallel runs task(0) … task(n-1), each on a goroutine, and waits.
func parallel(n int, task func(i int)) {
	var wg sync.WaitGroup
	for i := 1; i < n; i++ {
		wg.Go(func() { task(i) })
	}
	task(0)
	wg.Wait()
}
