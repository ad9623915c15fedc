package main

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unsafe"
)

// A variant is a way to call a body: how long, with good or bad indices, with stores
// past the caches or not, and through how many windows it permutes.
type variant struct {
	n       int // multiples of 8 for the bodies that ask for it
	bad     bool
	stream  bool
	windows int
}

var variants = []variant{
	{n: 64, windows: 1},
	{n: 37, windows: 2},
	{n: 1, windows: 3},
	{n: 200, windows: 4, stream: true},
	{n: 96, windows: 4, bad: true},
	{n: 5, windows: 2, bad: true, stream: true},
}

// A buffer is memory that a body may read and write far around what is its.
func buffer(fill byte) uintptr {
	b := make([]byte, 1<<20)
	for i := range b {
		b[i] = fill
	}
	keep = append(keep, b)
	return (uintptr(unsafe.Pointer(&b[len(b)/2])) + 63) &^ 63
}

var (
	keep [][]byte // the buffers, which only a body knows of

	written, read = buffer(0), buffer(0)
	own           = buffer(0)
	good, wrong   = buffer(0), buffer(0x70) // indices
	sizes         = func() uintptr {
		p := buffer(0)
		b := unsafe.Slice((*byte)(unsafe.Pointer(p)), 1<<16)
		for i := 0; i < len(b); i += 8 {
			binary.LittleEndian.PutUint64(b[i:], 64)
		}
		return p
	}()
)

// whole returns a count as the bodies ask for it that take whole vectors only.
func whole(n int) int { return (n + 63) &^ 63 }

// arguments returns the words of a call. What a parameter means is the same in
// every body, so that its name is enough; an unknown one is an error.
func arguments(s subject, v variant) (words []uint64, err error) {
	indices := good
	limit := uint64(64)
	if v.bad {
		indices, limit = wrong, 0
	}
	stream := uint64(0xA5A5A5A5A5A5A500) // a bool is one byte, and the others are rubbish
	if v.stream {
		stream++
	}
	made := uint64(64)
	switch s.level {
	case "AVX2":
		made = uint64(16 * min(v.windows, 2))
	case "NEON":
		made = 16
	}
	known := map[string]uint64{
		"dst": uint64(written), "offsets": uint64(good), "src": uint64(read), "table": uint64(read), "updates": uint64(read), "p": uint64(read),
		"indices": uint64(indices), "tuples": uint64(indices), "pairs": uint64(indices), "triples": uint64(indices), "sizes": uint64(sizes), "strides": uint64(good),
		"own": uint64(own), "low": 0, "high": 32,
		"sums": uint64(written), "words": uint64(written), "unit": 1 << 40, "half": 2, "counts": uint64(own), "count": 3, "init": 1, "by": 1,
		"entry": uint64(good), "entries": uint64(good), "pattern": uint64(good), "each": 1,
		"n": uint64(v.n), "at": 0, "limit": limit, "last": 64, "size": 64, "scale": 4, "col": 1, "start": 0, "distance": 0, "ahead": 64, "dstAhead": 64, "pace": uint64(v.n % 2 * 32),
		"row": 24, "next": 8, "k": 3, "step": 1, "rows": 3, "cols": uint64(v.n),
		"dstRow": 2048, "tableRow": 64, "indicesRow": 2048, "srcRow": 2048, "updatesRow": 2048,
		"dstGap": 64, "tableGap": 64, "indicesGap": 64, "updatesGap": 64,
		"shift": 2, "bytes": uint64(max(v.n, int(made))), "stream": stream,
		"made": made, "move": made, "steps": uint64(v.n), "period": 3, "advance": 96, "windows": uint64(v.windows),
	}
	// Exceptions: what resolves writes offsets; a check takes whole vectors of indices, a division of cells.
	for _, p := range s.params {
		if p == "indices" || p == "tuples" || p == "pairs" || p == "triples" || p == "limit" || p == "sums" {
			known["n"] = uint64(whole(v.n))
		}
	}
	if strings.HasPrefix(s.name, "copyTransposed") { // a tile at least
		known["rows"], known["cols"] = 16, uint64(max(v.n, 8))
	}
	if strings.HasPrefix(s.name, "copyLong") { // a line at least
		known["bytes"] = uint64(max(v.n, 64))
	}
	if s.params != nil && s.params[0] == "offsets" && s.params[1] != "n" {
		known["offsets"] = uint64(written)
	}
	for _, p := range s.params {
		w, ok := known[p]
		if !ok {
			return nil, fmt.Errorf("%s has a parameter %s, and what to call it with isn't known: add it to arguments.go", s.name, p)
		}
		if p == "cols" && strings.Contains(s.name, "Rows") { // a row of 16 bytes or more is combined
			w = uint64(max(v.n, 16))
		}
		words = append(words, w)
	}
	return words, nil
}
