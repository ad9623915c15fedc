package main

import "fmt"

// state is what call finds after a body has returned, differences to what it was where
// that is one number.
type state struct {
	sp, bp, flags, mxcsr, fcw uint64
	env                       [5]uint64 // as FSTENV stores it
	vectors                   [16][8]uint64
}

func check(s *state, zmm bool) (spoiled []string) {
	add := func(bad bool, what string) {
		if bad {
			spoiled = append(spoiled, what)
		}
	}
	const (
		direction = 1 << 10 // of the flags
		control   = 0xFFC0  // of MXCSR: its lower bits say what has happened
	)
	add(s.sp != 0, "SP")
	add(s.bp != 0, "BP")
	add(s.flags&direction != 0, "DF")
	add(s.mxcsr&control != 0x5F80&control, "MXCSR")
	add(s.fcw&0xFFFF != 0x0A7F, "FCW")
	add(s.env[1]&0xFFFF != 0xFFFF, "MMX") // the tags: all empty
	for i, v := range s.vectors {
		add(v[2]|v[3] != 0, fmt.Sprint("Y", i))
		add(zmm && v[4]|v[5]|v[6]|v[7] != 0, fmt.Sprint("Z", i))
	}
	return spoiled
}
