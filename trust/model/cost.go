package main

import (
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
)

var cpus = []string{"n1", "v1", "n2", "v2"}

// A cost is instructions and cycles for an element.
type cost struct {
	instructions float64
	cycles       [4]float64
}

// window is how many instructions llvm-mca looks at, at most. A shorter loop is repeated, so that
// filling the pipelines at its start counts for as little.
const window = 6 << 10

// cost models what a longer call executes more than a shorter one: from the middle, so
// much that the rest is as long as the shorter one. It is nil if that is nothing.
func (im *image) cost(short, long []uint64, elements float64) *cost {
	more := len(long) - len(short)
	if len(short) == 0 || more <= 0 {
		return nil
	}
	loop := long[len(short)/2 : len(short)/2+more]
	part := elements
	if len(loop) > window {
		part *= window / float64(len(loop))
		loop = loop[:window]
	}
	code, err := im.code(loop)
	check(err)
	return &cost{float64(more) / elements, cycles(code, max(2, 2*window/len(loop)), part)}
}

var total = regexp.MustCompile(`Total Cycles:\s+(\d+)`)

// cycles returns what each processor takes for an element of code that runs so many times.
func cycles(code string, times int, elements float64) (each [4]float64) {
	for i, cpu := range cpus {
		mca := exec.Command("llvm-mca"+*suffix, "-mtriple=aarch64", "-mcpu=neoverse-"+cpu, fmt.Sprint("-iterations=", times),
			"-instruction-info=false", "-resource-pressure=false")
		mca.Stdin = strings.NewReader(code)
		m := total.FindSubmatch(run(mca))
		n, err := strconv.ParseFloat(string(m[1]), 64)
		check(err)
		each[i] = n / float64(times) / elements
	}
	return each
}

// paired is what rows of bytes take at least: 64 bytes by paired loads and stores.
const paired = `
	ldp q0, q1, [x1]
	ldp q2, q3, [x1, #32]
	add x1, x1, #64
	stp q0, q1, [x0]
	stp q2, q3, [x0, #32]
	add x0, x0, #64
	subs x2, x2, #64
	b.ge elsewhere
`

// limit returns the cost of paired for 4 bytes.
func limit() *cost {
	const elements = 64 / 4
	return &cost{float64(strings.Count(paired, "\n")-1) / elements, cycles(paired, 200, elements)}
}
