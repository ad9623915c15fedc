package main

import (
	"cmp"
	"encoding/binary"
	"math"

	"github.com/lanes-go/lanes/generic"
	"github.com/lanes-go/lanes/kernels"
	"github.com/lanes-go/lanes/trust/calls"
)

// Libraries that reduce in another way than lanes are held to it: what they
// return has to be what a model of theirs returns. A model works on numbers,
// which hold every value of the types that have one.

// A number is a floating-point number or an integer.
type number struct {
	f float64
	i int64
}

// A working type is the one that a library computes in.
type workingType struct {
	name  kernels.DType
	load  func(bits uint64) number
	store func(n number) (bits uint64)
}

// round returns the number as the working type holds it.
func (w workingType) round(n number) number { return w.load(w.store(n)) }

func floatingType(t kernels.DType, load func(uint64) float64, store func(float64) uint64) workingType {
	return workingType{t, func(bits uint64) number { return number{f: load(bits)} }, func(n number) uint64 { return store(n.f) }}
}

func halfType(t kernels.DType, h generic.Half) workingType {
	return floatingType(t, func(bits uint64) float64 { return float64(h.Float32(uint16(bits))) },
		func(f float64) uint64 { return uint64(h.Round(float32(f))) })
}

// integerType is the integers of so many bits; those that are stored wrap.
func integerType(t kernels.DType, signed bool) workingType {
	shift := 64 - 8*calls.Size(t)
	return workingType{t, func(bits uint64) number {
		if signed {
			return number{i: int64(bits) << shift >> shift}
		}
		return number{i: int64(bits << shift >> shift)}
	}, func(n number) uint64 { return uint64(n.i) }}
}

var workingTypes = map[kernels.DType]workingType{
	kernels.DTypeFloat16:  halfType(kernels.DTypeFloat16, generic.Binary16),
	kernels.DTypeBFloat16: halfType(kernels.DTypeBFloat16, generic.Brain16),
	kernels.DTypeFloat32: floatingType(kernels.DTypeFloat32, func(bits uint64) float64 { return float64(math.Float32frombits(uint32(bits))) },
		func(f float64) uint64 { return uint64(math.Float32bits(float32(f))) }),
	kernels.DTypeFloat64: floatingType(kernels.DTypeFloat64, math.Float64frombits, math.Float64bits),
	kernels.DTypeInt8:    integerType(kernels.DTypeInt8, true),
	kernels.DTypeInt16:   integerType(kernels.DTypeInt16, true),
	kernels.DTypeInt32:   integerType(kernels.DTypeInt32, true),
	kernels.DTypeInt64:   integerType(kernels.DTypeInt64, true),
	kernels.DTypeUint8:   integerType(kernels.DTypeUint8, false),
	kernels.DTypeUint16:  integerType(kernels.DTypeUint16, false),
	kernels.DTypeUint32:  integerType(kernels.DTypeUint32, false),
	kernels.DTypeUint64:  integerType(kernels.DTypeUint64, false),
}

// A reducer is how a library reduces real numbers.
type reducer struct {
	works    func(kernels.DType) workingType // in which type
	returns  func(kernels.DType) workingType // how the type of data is rounded to, at the end
	quotient func(sum, n int64) int64        // of a mean of integers
	infinite bool                            // without the initial value, minima start from +Inf and maxima from -Inf, not from finite numbers
	takesNaN bool                            // a NaN among the updates wins a minimum and a maximum
	countsIn bool                            // what a mean divides by is counted in the working type, and may stop growing or wrap
}

// own returns the type that data has.
func own(t kernels.DType) workingType { return workingTypes[t] }

// between returns a number that goes between float64 and float32: to the largest
// number, where it is larger or infinite.
func between(from, to workingType, n number) number {
	if from.name != to.name && (from.name == kernels.DTypeFloat64 || to.name == kernels.DTypeFloat64) && math.Abs(n.f) > math.MaxFloat32 {
		n.f = math.Copysign(math.MaxFloat32, n.f)
	}
	return to.round(n)
}

// cell returns what the library has in a cell of a scatter of real numbers, as bits of the type of
// data.
func (r *reducer) cell(c *calls.Call, cell int) uint64 {
	t := c.Data.Type
	own, w := own(t), r.works(t)
	at := func(x calls.Tensor, i int) number { return between(own, w, own.load(bitsAt(x, i))) }
	if c.Op == calls.EmbeddingBag {
		return r.bag(c, cell, at)
	}
	acc := at(c.Data, cell)
	updates := updatesOf(c, cell)
	if len(updates) == 0 {
		return own.store(between(w, own, acc))
	}
	reduction := c.Reduction()
	n := len(updates)
	if reduction == kernels.None {
		return own.store(between(w, own, at(c.Updates, updates[n-1])))
	}
	if c.Attrs.IgnoreInit {
		acc = r.identity(w, reduction)
	} else {
		n++
	}
	for _, i := range updates {
		acc = w.round(r.step(reduction, acc, at(c.Updates, i)))
	}
	return r.result(c, acc, n)
}

// result returns what comes of n numbers that were combined.
func (r *reducer) result(c *calls.Call, acc number, n int) uint64 {
	w, returned := r.works(c.Data.Type), r.returns(c.Data.Type)
	if c.Reduction() == kernels.Mean {
		by := r.count(w, n)
		acc = w.round(number{acc.f / by.f, r.quotient(acc.i, by.i)})
	}
	return returned.store(between(w, returned, acc))
}

// bag is cell for an EmbeddingBag, whose tensors at reads.
func (r *reducer) bag(c *calls.Call, cell int, at func(x calls.Tensor, i int) number) uint64 {
	w := r.works(c.Data.Type)
	elements, weights := termsOf(c, cell)
	if len(elements) == 0 {
		var row number
		if k := c.Bag.DefaultIndex; c.Bag.HasDefault && k >= 0 {
			part := (calls.Tensor{Shape: c.Data.Shape[1:]}).Count()
			row = at(c.Data, k*part+cell%part)
		}
		return own(c.Data.Type).store(between(w, own(c.Data.Type), row))
	}
	acc := r.identity(w, c.Bag.Reduction)
	for i, e := range elements {
		term := at(c.Data, e)
		if weights != nil {
			term = w.round(r.step(kernels.Prod, term, at(c.Updates, weights[i])))
		}
		acc = w.round(r.step(c.Bag.Reduction, acc, term))
	}
	return r.result(c, acc, len(elements))
}

// count returns what a mean of n numbers divides by.
func (r *reducer) count(w workingType, n int) number {
	if !r.countsIn {
		return number{float64(n), int64(n)}
	}
	var by number
	for range n {
		by = w.round(number{by.f + 1, by.i + 1})
	}
	by.i = cmp.Or(by.i, 1)
	return by
}

func (r *reducer) identity(w workingType, reduction kernels.Reduction) number {
	switch reduction {
	case kernels.Prod:
		return number{1, 1}
	case kernels.Min:
		return r.extreme(w, 1)
	case kernels.Max:
		return r.extreme(w, -1)
	}
	return number{}
}

// extreme returns the largest number of a type, or with the sign -1 the least.
func (r *reducer) extreme(w workingType, sign int) number {
	t := w.name
	if calls.Part(t) > 0 {
		if r.infinite {
			return number{f: math.Inf(sign)}
		}
		largest := w.load(floats[formatOf(t)].largest)
		return number{f: math.Copysign(largest.f, float64(sign))}
	}
	bits := uint64(1) << (8*calls.Size(t) - 1) // the least of those with a sign
	if w.load(bits).i > 0 {
		bits = 0
	}
	if sign > 0 {
		bits = ^bits
	}
	return w.load(bits)
}

func (r *reducer) step(reduction kernels.Reduction, acc, u number) number {
	switch reduction {
	case kernels.Sum, kernels.Mean:
		return number{acc.f + u.f, acc.i + u.i}
	case kernels.Sub:
		return number{acc.f - u.f, acc.i - u.i}
	case kernels.Prod:
		return number{acc.f * u.f, acc.i * u.i}
	case kernels.Max:
		return r.choose(acc, u, less(acc, u))
	}
	return r.choose(acc, u, less(u, acc))
}

func less(a, b number) bool { return a.f < b.f || a.i < b.i }

// choose returns the update where it is better, and so not if both are equal.
func (r *reducer) choose(acc, u number, better bool) number {
	if better || r.takesNaN && math.IsNaN(u.f) {
		return u
	}
	return acc
}

// bitsAt returns the bits of element i.
func bitsAt(t calls.Tensor, i int) uint64 {
	var b [8]byte
	size := calls.Size(t.Type)
	copy(b[:], t.Data[i*size:][:size])
	return binary.LittleEndian.Uint64(b[:])
}
