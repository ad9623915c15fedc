package main

import (
	"fmt"
	"io"
	"time"
)

// A report prints until something fails.
type report struct {
	out io.Writer
	err error // the first one
}

func (r *report) printf(format string, args ...any) {
	if r.err == nil {
		_, r.err = fmt.Fprintf(r.out, format, args...)
	}
}

// step prints how long an operator took for so many numbers.
func (r *report) step(name, operator string, numbers int, took time.Duration) {
	ns := float64(took.Nanoseconds())
	r.printf("%-10s%-30s%10.1f µs%8.2f ns/number\n", name, operator, ns/1000, ns/float64(numbers))
}
