package kernels

import (
	"reflect"

	"github.com/lanes-go/lanes"
)

// Reduction is how scatters combine updates with a cell, and EmbeddingBag the rows of a bag.
//
// Integers wrap and floats round at each step, in the element type. A mean of integers is the exact
// one, rounded toward minus infinity. Half types take each step in float32 and round to nearest
// even. Min is cell < update ? cell : update and Max cell > update ? cell : update, for NaN and
// zeros too. For bool, Sum and Max are OR, Prod and Min AND, and Sub XOR. Complex numbers have Sum,
// Sub, Prod and Mean. No reduction fuses a multiplication and an addition, so results are the same
// on every port, except for the sign and payload of a NaN that arithmetic makes.
//
// Types are reduced as their underlying kind. A type over uint16 with a method Float32() float32 is
// another library's half type: binary16 if the method returns 1 for 0x3C00, bfloat16 if it returns
// 1 for 0x3F80. Types without arithmetic (strings, structs, arrays, uintptr, …) support only None.
//
// Sources: means of integers are those of OpenVINO ScatterElementsUpdate-12, Min and Max of NaN and
// zeros those of ONNX Runtime 1.32, and steps of half types those of PyTorch 2.15 and NumPy 2.4.
type Reduction uint8

// The reductions, None first: the zero value.
const (
	None Reduction = iota // the last update wins
	Sum
	Prod
	Min
	Max
	Mean // of the updates, and the initial value when it counts
	Sub  // of ScatterNDUpdate and GeneralScatter alone
)

var reductionNames = [...]string{None: "none", Sum: "sum", Prod: "prod", Min: "min", Max: "max", Mean: "mean", Sub: "sub"}

// String returns the reduction as OpenVINO spells it.
func (r Reduction) String() string {
	if int(r) < len(reductionNames) {
		return reductionNames[r]
	}
	return "Reduction(" + itoa(int(r)) + ")"
}

// reducedAs returns the elem of T for a reduction, or a TypeError.
func reducedAs[T any](op string, r Reduction) (elem, error) {
	var e elem
	elemOf[T](&e)
	if r == None {
		return e, nil
	}
	n, reason := numberIn[T]()
	if reason = e.reduce(r, n, reason); reason != "" {
		return e, &TypeError{Op: op, Type: reflect.TypeFor[T]().String(), Reason: reason}
	}
	return e, nil
}

// reduce makes e a number of a kind. It returns why that kind has no such reduction, or reason if
// that is not empty.
func (e *elem) reduce(r Reduction, n lanes.Kind, reason string) string {
	if reason == "" {
		reason = refuses(n, r)
	}
	if reason != "" {
		return r.String() + ": " + reason
	}
	e.kind, e.units = n, 1
	return ""
}

// refuses returns why numbers of a kind have no such reduction, or "".
func refuses(n lanes.Kind, r Reduction) string {
	switch {
	case n == lanes.KindBool && r == Mean:
		return "a mean of truth values is not defined"
	case (n == lanes.KindC64 || n == lanes.KindC128) && (r == Min || r == Max):
		return "complex numbers have no order"
	}
	return ""
}
