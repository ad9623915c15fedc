package main

import (
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"github.com/lanes-go/lanes"
)

// A row of the table: a body, and a call of a primitive that ends in it. Run
// at level generic the same call is the loop that the body replaces.
type row struct {
	body string
	note string  // of rows that share a body
	c    string  // the function of loops.c that is the same loop
	each float64 // elements for each n; 1 if it is 0
	call func(n int)
	loop func(n int) // what the body replaces, where that is not all of the call
}

func (r row) name() string {
	if r.note != "" {
		return r.body + ", " + r.note
	}
	return r.body
}

// apart are the bodies that have no row, and why.
var apart = map[string]string{
	"prefetchNEON": "no loop is what it replaces, and what it saves, waiting for memory, is not in the model",
}

// Each call is made with two lengths; what the longer one adds is the loop.
// Both are short enough for one piece, and long enough for every body.
const short, long = 768, 1536

// elements returns how many elements the longer call has more than the shorter.
func (r row) elements() float64 {
	if r.each == 0 {
		return long - short
	}
	return (long - short) * r.each
}

// room is how many elements the slices have; tables are smaller.
const room, table = 16 << 10, 4096

// rows is the table, in the order of kernels_arm64.s.
func rows() []row {
	var all []row
	for _, some := range [][]row{
		indexed[int32](), indexed[int64](), offsets(),
		gathers[uint8, int32](), gathers[uint8, int64](),
		gathers[uint16, int32](), gathers[uint16, int64](),
		gathers[uint32, int32](), gathers[uint32, int64](),
		gathers[uint64, int32](), gathers[uint64, int64](),
		gathers[lanes.X128, int32](), gathers[lanes.X128, int64](),
		moves[uint8](), moves[uint16](), moves[uint32](), moves[uint64](), moves[lanes.X128](),
		gatheredRows(),
		reductions[float32]("F32", arithmetic), reductions[float64]("F64", arithmetic),
		reductions[int8]("I8", arithmetic), reductions[uint8]("U8", order),
		reductions[int16]("I16", arithmetic), reductions[uint16]("U16", order),
		reductions[int32]("I32", arithmetic), reductions[uint32]("U32", order),
		reductions[int64]("I64", arithmetic), reductions[uint64]("U64", order),
		halves(lanes.Binary16, "F16"), halves(lanes.Brain16, "BF16"),
		copiedRows(),
		steps[uint8](), steps[uint16](), steps[uint32](), steps[uint64](), steps[lanes.X128](),
		shortRows[uint8](), shortRows[uint16](), shortRows[uint32](), shortRows[uint64](),
	} {
		all = append(all, some...)
	}
	return all
}

// makeCalls makes each row's two calls.
func makeCalls() {
	plain := os.Getenv("LANES_ISA") == "generic"
	for _, r := range rows() {
		for _, n := range [...]int{short, long} {
			mark(1)
			if plain && r.loop != nil {
				r.loop(n)
			} else {
				r.call(n)
			}
		}
	}
	mark(1)
}

// mark tells the trace that the next call begins.
//
//go:noinline
func mark(n int) { runtime.KeepAlive(n) }

// ascending returns n indices or offsets below limit.
func ascending[I ~int | ~int32 | ~int64](n, limit int) []I {
	x := make([]I, n)
	for j := range x {
		x[j] = I(j * 7 % limit)
	}
	return x
}

// width returns the bits of a type.
func width[T any]() int {
	var z T
	return 8 * int(unsafe.Sizeof(z))
}

func named(format string, args ...any) string { return fmt.Sprintf(format, args...) }
