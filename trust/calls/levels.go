package calls

import "github.com/lanes-go/lanes/dispatch"

// A Variant decides what bodies a call runs.
type Variant struct {
	dispatch.Variant
	Small bool // small calls go the way of their own, which reaches no body of a level
}

// Variants returns all that this machine can run, generic first. One of them
// has the short way, which is the same at each level.
func Variants() []Variant {
	all := []Variant{{Small: true}}
	for _, v := range dispatch.Variants() {
		all = append(all, Variant{Variant: v})
	}
	return all
}

// Use makes calls run the variant, and returns the way back; see dispatch.Use.
func (v Variant) Use() (restore func()) {
	small := dispatch.Default.SmallElements
	if !v.Small {
		dispatch.Default.SmallElements = 0
	}
	level := v.Variant.Use()
	return func() {
		level()
		dispatch.Default.SmallElements = small
	}
}

// String returns a name such as avx512+vbmi+fastgather, or generic+small.
func (v Variant) String() string {
	if v.Small {
		return v.Variant.String() + "+small"
	}
	return v.Variant.String()
}

// NotRun returns an error if a level that LANES_REQUIRE_ISA lists is not among the variants.
func NotRun(variants []Variant) error {
	var ran []dispatch.Level
	for _, v := range variants {
		ran = append(ran, v.Level)
	}
	return dispatch.NotRun(ran...)
}
