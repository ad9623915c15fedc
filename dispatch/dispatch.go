// Package dispatch knows what this CPU can do and does well: the instruction set levels, the traits
// of a CPU within its level, which of them are used, its caches, and the one table of thresholds.
//
// The level is chosen once, when the program starts: the most capable one that the CPU has and this
// build has bodies for. The environment variable LANES_ISA (generic, neon, avx2 or avx512) caps it
// for the process. An unknown name, or a level that is not available, prints one line on standard
// error, and the best level is used: a library must not end the program that uses it. LANES_TRAITS
// sets traits the same way (see Trait), and LANES_SPINNING whether goroutines spin.
//
// The package can be imported, but its API may change in any version.
package dispatch

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/cpu"
)

// Level is an instruction set that primitives may have bodies for.
type Level uint8

// The levels, each more capable than those before it on its architecture.
const (
	Generic Level = iota // pure Go, on every port
	NEON
	AVX2
	AVX512
)

// A row of the table of levels. A feature means that an instruction exists; whether it is fast is a
// trait within the level.
type row struct {
	level  Level
	name   string
	needs  string // the features, for Info
	traits Trait  // those that choose between its bodies
	cpu    bool   // this CPU (and its operating system) has the features
	built  bool   // this build has bodies at this level
}

// The levels, most capable first. Each needs all of its features: GODEBUG=cpu.avx512=off clears one
// flag and leaves the others on.
var levels = []row{
	{AVX512, "avx512", "AVX2's, F BW DQ VL CD", VBMI | FastGather | FastMovs, hasAVX512, builtAMD64},
	{AVX2, "avx2", "AVX2 F16C BMI1 BMI2 FMA POPCNT", FastGather | FastMovs, hasAVX2, builtAMD64},
	{NEON, "neon", "ASIMD", 0, cpu.ARM64.HasASIMD, builtARM64},
	{Generic, "generic", "nothing", 0, true, true},
}

var (
	hasAVX2 = cpu.X86.HasAVX && cpu.X86.HasAVX2 && cpu.X86.HasF16C && cpu.X86.HasBMI1 && cpu.X86.HasBMI2 && cpu.X86.HasFMA && cpu.X86.HasPOPCNT

	hasAVX512 = hasAVX2 && cpu.X86.HasAVX512 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ &&
		cpu.X86.HasAVX512VL && cpu.X86.HasAVX512CD
)

// String returns the level's name as LANES_ISA spells it.
func (l Level) String() string {
	for _, r := range levels {
		if r.level == l {
			return r.name
		}
	}
	return "Level(" + strconv.Itoa(int(l)) + ")"
}

var active, reason = choose(levels, os.Getenv("LANES_ISA"), os.Stderr)

// Active returns the level that primitives run at.
func Active() Level { return active }

// Available reports whether this CPU and this build have the level.
func Available(l Level) bool {
	for _, r := range levels {
		if r.level == l {
			return r.cpu && r.built
		}
	}
	return false
}

// Use makes primitives run at another level, with these traits and no others, and returns a
// function that undoes it. It panics if the level is not available. It is for tests and benchmarks
// that compare levels in one process; no primitive may be running meanwhile.
func Use(l Level, t Trait) (restore func()) {
	if !Available(l) {
		panic("dispatch: level " + l.String() + " is not available")
	}
	level, why, was := active, reason, traits.Load()
	active, reason = l, "Use"
	traits.Store(&detected{on: t & Possible(), known: all})
	return func() {
		active, reason = level, why
		traits.Store(was)
	}
}

// choose returns the first available row, or the one that the override names, and why.
func choose(levels []row, override string, warn io.Writer) (Level, string) {
	best := levels[slices.IndexFunc(levels, func(r row) bool { return r.cpu && r.built })] // Generic, at least
	if override == "" {
		return best.level, "the best that this CPU has and this build has bodies for"
	}
	for _, r := range levels {
		if r.name != override {
			continue
		}
		switch {
		case !r.cpu:
			warning(warn, "LANES_ISA="+override+": this CPU lacks it; using "+best.name)
		case !r.built:
			warning(warn, "LANES_ISA="+override+": this build has no bodies for it; using "+best.name)
		default:
			return r.level, "LANES_ISA=" + override
		}
		return best.level, "LANES_ISA=" + override + " can't be had"
	}
	warning(warn, "LANES_ISA="+override+": no such level; using "+best.name)
	return best.level, "LANES_ISA=" + override + " is unknown"
}

// warning writes a line. What runs at the start of every program does without package fmt, which
// would make a small program 0.2 MB larger.
func warning(to io.Writer, text string) {
	_, _ = io.WriteString(to, "lanes: "+text+"\n") // there is nowhere to report a failure
}

// Info says in a few lines what was chosen and why. Default has the thresholds in use.
func Info() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s/%s: level %s (%s)\n", runtime.GOOS, runtime.GOARCH, active, reason)
	for _, r := range levels {
		fmt.Fprintf(&b, "  %-8s cpu %-4s bodies %-4s needs %s\n", r.name, yes(r.cpu), yes(r.built), r.needs)
	}
	now := traits.Load()
	for _, r := range traitRows {
		state := "open"
		if now.known&r.trait != 0 {
			state = yes(now.on&r.trait != 0)
		}
		fmt.Fprintf(&b, "  %-12s %-4s (%s)\n", r.name, state, now.why[r.trait])
	}
	fmt.Fprintf(&b, "  second-level cache: %s a core (%s)\n", binary(uint64(l2)), l2Source)
	fmt.Fprintf(&b, "  last-level cache: %s to count on (%s)\n", binary(uint64(last)), lastSource)
	fmt.Fprintf(&b, "  spinning     %-4s (helpers poll for the next call; LANES_SPINNING)\n", yes(spinning))
	return b.String()
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
