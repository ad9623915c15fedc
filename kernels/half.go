package kernels

import "github.com/lanes-go/lanes"

// Float16 is an IEEE 754 binary16 number, in its bits. Another library's half
// type with uint16 underneath works as well, without a copy: see Reduction.
type Float16 uint16

// BFloat16 is the upper half of a float32, in its bits.
type BFloat16 uint16

// NewFloat16 rounds f to the nearest Float16, ties to even, as IEEE 754 does: magnitudes of 65520
// and more become infinite, and NaN stays NaN.
func NewFloat16(f float32) Float16 { return Float16(lanes.Binary16.Round(f)) }

// NewBFloat16 rounds f to the nearest BFloat16, ties to even. NaN stays NaN.
func NewBFloat16(f float32) BFloat16 { return BFloat16(lanes.Brain16.Round(f)) }

// Float32 returns the value of h, exactly.
func (h Float16) Float32() float32 { return lanes.Binary16.Float32(uint16(h)) }

// Float32 returns the value of h, exactly.
func (h BFloat16) Float32() float32 { return lanes.Brain16.Float32(uint16(h)) }
