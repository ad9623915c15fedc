package abi

import "fmt"

// An Offender is a TEXT of testdata/probe/offenders_<arch>.s that spoils one thing.
type Offender struct {
	Body
	Spoils []string // what a call shows
	Writes string   // what decoding shows; "" where it does not look: vectors' upper halves, by their values
}

// Offenders returns those of an architecture. The innocent ones spoil nothing, so
// that the check can't pass by finding fault with all.
func Offenders(arch string) []Offender {
	if arch == "arm64" {
		return []Offender{
			offender("innocentScratch", "NEON", 8, "", ""),
			offender("offendR18", "NEON", 0, "R18", "writes R18"),
			offender("offendR26", "NEON", 0, "R26", "writes R26"),
			offender("offendR27", "NEON", 0, "R27", "writes R27"),
			offender("offendR28", "NEON", 0, "R28", "writes R28"),
			offender("offendR29", "NEON", 0, "R29", "writes R29"),
			offender("offendR30", "NEON", 0, "R30", "writes R30"),
			offender("offendSP", "NEON", 0, "SP", "writes SP"),
			offender("offendFPCR", "NEON", 0, "FPCR", "MSR"),
			offender("offendStack", "NEON", 8, "stack", "the caller's stack"),
		}
	}
	all := []Offender{
		offender("innocentScratch", "AVX2", 0, "", ""),
		offender("innocentFrame", "AVX2", 8, "", ""),
		offender("offendBP", "AVX2", 0, "BP", "writes BP"),
		offender("offendSP", "AVX2", 0, "SP", "pops arguments"),
		offender("offendDF", "AVX2", 0, "DF", "STD"),
		offender("offendMXCSR", "AVX2", 0, "MXCSR", "LDMXCSR"),
		offender("offendFCW", "AVX2", 0, "FCW", "FLDCW"),
		offender("offendMMX", "AVX2", 0, "MMX", "MOVQ M3"),
		offender("offendStack", "AVX2", 8, "stack", "the caller's stack"),
	}
	forgetful := offender("offendForgetful", "AVX512", 0, "", "")
	for _, v := range []struct{ vector, level string }{{"Y", "AVX2"}, {"Z", "AVX512"}} {
		for i := range 16 {
			r := fmt.Sprint(v.vector, i)
			all = append(all, offender("offend"+r, v.level, 0, r, ""))
			forgetful.Spoils = append(forgetful.Spoils, r)
		}
	}
	return append(all, forgetful)
}

func offender(name, level string, argBytes int, spoils, writes string) Offender {
	o := Offender{Body: Body{Name: name, Level: level, ArgBytes: argBytes}, Writes: writes}
	if spoils != "" {
		o.Spoils = []string{spoils}
	}
	return o
}
