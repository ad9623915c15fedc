package main

import "runtime"

// state is what call finds after a body has returned.
type state struct {
	r18, r26, r27, r28, r29, r30, sp, fpcr uint64
	g, frame                               uint64 // what r28 and sp had to be
}

func check(s *state, _ bool) (spoiled []string) {
	const poison = 0x5A5A5A5A << 32
	caller := runtime.FuncForPC(uintptr(s.r30))
	for _, r := range []struct {
		name string
		bad  bool
	}{
		{"R18", s.r18 != poison+18},
		{"R26", s.r26 != poison+26},
		{"R27", s.r27 != poison+27},
		{"R28", s.r28 != s.g},
		{"R29", s.r29 != poison+29},
		{"R30", caller == nil || caller.Name() != "main.call"},
		{"SP", s.sp != s.frame},
		{"FPCR", s.fpcr != 0x400000},
	} {
		if r.bad {
			spoiled = append(spoiled, r.name)
		}
	}
	return spoiled
}
