package dispatch

import (
	"io"
	"maps"
	"os"
	"strings"
	"sync/atomic"

	"golang.org/x/sys/cpu"
)

// Trait is something that some CPUs of a level have or do well, and others not.
//
// LANES_TRAITS lists traits that are on or, with a minus sign, off, whatever was detected:
// LANES_TRAITS=-vbmi,fastgather,-fastmovs. A trait that the CPU lacks stays off. There is no trait
// for scatter instructions, and no body uses them: storing elements one by one is as fast even
// where they are fastest.
type Trait uint8

const (
	// VBMI is permutations of bytes across a whole 512-bit register.
	VBMI Trait = 1 << iota

	// FastGather means that a gather instruction is faster than loads of its elements one by one.
	// It is on Intel's large cores from Ice Lake on. It is not on AMD's, on Intel's efficiency
	// cores, and on Skylake to Rocket Lake with the microcode of 2023.
	FastGather

	// FastMovs means that REP MOVSB copies a long run of bytes faster than vectors, beyond the
	// second-level cache: it does not read the lines that it writes whole. It is on Zen 5 (runs of
	// 64 KiB into 8 MiB, from 256 KiB: 111 GB/s, by vectors 67).
	FastMovs

	all = VBMI | FastGather | FastMovs
)

// traitRows has every trait: whether this CPU may have it, and whether Calibrate has to measure it.
var traitRows = []struct {
	trait    Trait
	name     string
	possible bool
	measured bool
}{
	{VBMI, "vbmi", hasAVX512 && cpu.X86.HasAVX512VBMI, false},
	{FastGather, "fastgather", hasAVX2, true},
	{FastMovs, "fastmovs", hasAVX2, true},
}

// detected is what is known of the traits.
type detected struct {
	on, known Trait
	why       map[Trait]string
}

// traits is replaced as a whole, because readers may run during a calibration.
var traits atomic.Pointer[detected]

func init() { traits.Store(detect(os.Getenv("LANES_TRAITS"), os.Stderr)) }

// Possible returns the traits that this CPU may have.
func Possible() Trait {
	var t Trait
	for _, r := range traitRows {
		if r.possible {
			t |= r.trait
		}
	}
	return t
}

// Has reports whether the CPU is known to have the trait, or one of several traits.
func Has(t Trait) bool { return traits.Load().on&t != 0 }

// Traits returns the traits that the CPU is known to have.
func Traits() Trait { return traits.Load().on }

// Known reports whether it is known if the CPU has the traits: from the CPU, from LANES_TRAITS or
// from Calibrate.
func Known(t Trait) bool { return traits.Load().known&t == t }

// Calibrate has fast measure each of some traits that is not Known. fast returns its result, and
// the figures in words. The root package calls it before it runs a body that depends on such a
// trait.
func Calibrate(some Trait, fast func(Trait) (bool, string)) {
	was := traits.Load()
	t := &detected{was.on, was.known, maps.Clone(was.why)}
	for _, r := range traitRows {
		if some&r.trait == 0 || t.known&r.trait != 0 {
			continue
		}
		t.known |= r.trait
		on, why := fast(r.trait)
		if on {
			t.on |= r.trait
		}
		t.why[r.trait] = why
	}
	traits.Store(t)
}

// detect returns what the CPU and the override determine.
func detect(override string, warn io.Writer) *detected {
	s := &detected{why: map[Trait]string{}}
	for _, r := range traitRows {
		switch {
		case !r.possible:
			s.known |= r.trait
			s.why[r.trait] = "this CPU can't have it"
		case !r.measured:
			s.known |= r.trait
			s.on |= r.trait
			s.why[r.trait] = "this CPU has it"
		default:
			s.why[r.trait] = "measured at first use"
		}
	}
	for name := range strings.SplitSeq(override, ",") {
		if name == "" {
			continue
		}
		off := name[0] == '-'
		found := false
		for _, r := range traitRows {
			if r.name != strings.TrimPrefix(name, "-") {
				continue
			}
			found = true
			switch {
			case off:
				s.on &^= r.trait
			case r.possible:
				s.on |= r.trait
			default:
				warning(warn, "LANES_TRAITS: "+r.name+": this CPU can't have it")
				continue
			}
			s.known |= r.trait
			s.why[r.trait] = "LANES_TRAITS=" + override
		}
		if !found {
			warning(warn, "LANES_TRAITS: "+name+": no such trait")
		}
	}
	return s
}
