package generic

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"unsafe"
)

// BadType is the error of an element type that has no such reduction.
type BadType struct {
	Type string
	Op   Op
}

func (e *BadType) Error() string { return fmt.Sprintf("%s has no reduction %d", e.Type, e.Op) }

// reduction returns the function that reduces a cell which holds init with its
// updates, at least one, in their order.
func reduction[T any](op Op, ignoreInit bool) (func(init T, updates []T) T, error) {
	if op == Replace {
		return func(_ T, updates []T) T { return updates[len(updates)-1] }, nil
	}
	if reduce := byKind[T](op, ignoreInit); reduce != nil {
		return reduce, nil
	}
	return nil, &BadType{reflect.TypeFor[T]().String(), op}
}

// byKind is reduction, nil where there is none. What counts is the kind that
// underlies T, except for the half types, which are uint16 underneath.
func byKind[T any](op Op, ignoreInit bool) func(T, []T) T {
	switch reflect.TypeFor[T]().Kind() {
	case reflect.Bool:
		return as[T](booleans().reduction(op, ignoreInit))
	case reflect.Int:
		return as[T](integers[int](math.MinInt, math.MaxInt).reduction(op, ignoreInit))
	case reflect.Int8:
		return as[T](integers[int8](math.MinInt8, math.MaxInt8).reduction(op, ignoreInit))
	case reflect.Int16:
		return as[T](integers[int16](math.MinInt16, math.MaxInt16).reduction(op, ignoreInit))
	case reflect.Int32:
		return as[T](integers[int32](math.MinInt32, math.MaxInt32).reduction(op, ignoreInit))
	case reflect.Int64:
		return as[T](integers[int64](math.MinInt64, math.MaxInt64).reduction(op, ignoreInit))
	case reflect.Uint:
		return as[T](integers[uint](0, math.MaxUint).reduction(op, ignoreInit))
	case reflect.Uint8:
		return as[T](integers[uint8](0, math.MaxUint8).reduction(op, ignoreInit))
	case reflect.Uint16:
		if decode := halfDecoder[T](); decode != nil {
			h, ok := HalfOf(decode)
			if !ok {
				return nil // a half type of some other format
			}
			return as[T](floats16(h.Float32, h.Round).reduction(op, ignoreInit))
		}
		return as[T](integers[uint16](0, math.MaxUint16).reduction(op, ignoreInit))
	case reflect.Uint32:
		return as[T](integers[uint32](0, math.MaxUint32).reduction(op, ignoreInit))
	case reflect.Uint64:
		return as[T](integers[uint64](0, math.MaxUint64).reduction(op, ignoreInit))
	case reflect.Float32:
		return as[T](floats[float32]().reduction(op, ignoreInit))
	case reflect.Float64:
		return as[T](floats[float64]().reduction(op, ignoreInit))
	case reflect.Complex64:
		return as[T](complexes[complex64]().reduction(op, ignoreInit))
	case reflect.Complex128:
		return as[T](complexes[complex128]().reduction(op, ignoreInit))
	}
	return nil
}

// halfDecoder returns the Float32 method of T, whose kind is uint16, as a function of its bits. It
// returns nil if T has no such method.
func halfDecoder[T any]() func(bits uint16) float32 {
	var zero T
	if _, ok := any(zero).(interface{ Float32() float32 }); !ok {
		return nil
	}
	return func(bits uint16) float32 {
		return any(*(*T)(unsafe.Pointer(&bits))).(interface{ Float32() float32 }).Float32()
	}
}

// as turns a function of the type N into one of T, whose underlying type is N.
func as[T, N any](reduce func(N, []N) N) func(T, []T) T {
	if reduce == nil {
		return nil
	}
	return func(init T, updates []T) T {
		v := reduce(*(*N)(unsafe.Pointer(&init)), *(*[]N)(unsafe.Pointer(&updates)))
		return *(*T)(unsafe.Pointer(&v))
	}
}

// An arithmetic says how values of N are reduced.
type arithmetic[N any] struct {
	identity map[Op]N                                // where a cell starts when its data does not count
	step     map[Op]func(acc, upd N) N               // Sum, Sub, Prod, Min, Max
	mean     func(start N, updates []N, count int) N // (start + updates…) / count
}

// reduction returns nil if N has no such reduction.
func (a arithmetic[N]) reduction(op Op, ignoreInit bool) func(init N, updates []N) N {
	start := func(init N) N {
		if ignoreInit {
			return a.identity[op]
		}
		return init
	}
	if op == Mean && a.mean != nil {
		return func(init N, updates []N) N {
			count := len(updates)
			if !ignoreInit {
				count++
			}
			return a.mean(start(init), updates, count)
		}
	}
	step := a.step[op]
	if step == nil {
		return nil
	}
	return func(init N, updates []N) N { return fold(start(init), updates, step) }
}

func fold[N any](acc N, updates []N, step func(acc, upd N) N) N {
	for _, upd := range updates {
		acc = step(acc, upd)
	}
	return acc
}

func add[N Number](acc, upd N) N { return acc + upd }

func subtract[N Number](acc, upd N) N { return acc - upd }

func multiply[N Number](acc, upd N) N { return acc * upd }

func lesser[N cmp.Ordered](acc, upd N) N {
	if acc < upd {
		return acc
	}
	return upd
}

func greater[N cmp.Ordered](acc, upd N) N {
	if acc > upd {
		return acc
	}
	return upd
}

// integers wrap, but their mean is the exact one, rounded toward minus infinity.
func integers[N Integer](smallest, largest N) arithmetic[N] {
	exact := func(n N) *big.Int {
		if n < 0 {
			return big.NewInt(int64(n))
		}
		return new(big.Int).SetUint64(uint64(n))
	}
	return arithmetic[N]{
		identity: map[Op]N{Sum: 0, Prod: 1, Min: largest, Max: smallest, Mean: 0, Sub: 0},
		step:     map[Op]func(acc, upd N) N{Sum: add[N], Sub: subtract[N], Prod: multiply[N], Min: lesser[N], Max: greater[N]},
		mean: func(start N, updates []N, count int) N {
			sum := exact(start)
			for _, upd := range updates {
				sum.Add(sum, exact(upd))
			}
			floor := sum.Div(sum, big.NewInt(int64(count))) // Euclidean: the floor, for a positive divisor
			if floor.Sign() < 0 {
				return N(floor.Int64())
			}
			return N(floor.Uint64())
		},
	}
}

func floats[N float32 | float64]() arithmetic[N] {
	inf := N(math.Inf(1))
	return arithmetic[N]{
		identity: map[Op]N{Sum: 0, Prod: 1, Min: inf, Max: -inf, Mean: 0, Sub: 0},
		step:     map[Op]func(acc, upd N) N{Sum: add[N], Sub: subtract[N], Prod: multiply[N], Min: lesser[N], Max: greater[N]},
		mean: func(start N, updates []N, count int) N {
			return fold(start, updates, add[N]) / N(count)
		},
	}
}

// floats16 round after each step to the half type which the conversions are for.
// min and max compare the values, but select the bits.
func floats16(value func(uint16) float32, rounded func(float32) uint16) arithmetic[uint16] {
	sum := func(acc, upd uint16) uint16 { return rounded(value(acc) + value(upd)) }
	inf := float32(math.Inf(1))
	return arithmetic[uint16]{
		identity: map[Op]uint16{Sum: 0, Prod: rounded(1), Min: rounded(inf), Max: rounded(-inf), Mean: 0, Sub: 0},
		step: map[Op]func(acc, upd uint16) uint16{
			Sum:  sum,
			Sub:  func(acc, upd uint16) uint16 { return rounded(value(acc) - value(upd)) },
			Prod: func(acc, upd uint16) uint16 { return rounded(value(acc) * value(upd)) },
			Min: func(acc, upd uint16) uint16 {
				if value(acc) < value(upd) {
					return acc
				}
				return upd
			},
			Max: func(acc, upd uint16) uint16 {
				if value(acc) > value(upd) {
					return acc
				}
				return upd
			},
		},
		mean: func(start uint16, updates []uint16, count int) uint16 {
			return rounded(value(fold(start, updates, sum)) / float32(count))
		},
	}
}

// complexes compute in float64, then round each component to N.
func complexes[N complex64 | complex128]() arithmetic[N] {
	sum := func(acc, upd N) N { return N(complex128(acc) + complex128(upd)) }
	return arithmetic[N]{
		identity: map[Op]N{Sum: 0, Prod: 1, Mean: 0, Sub: 0},
		step: map[Op]func(acc, upd N) N{
			Sum: sum,
			Sub: func(acc, upd N) N { return N(complex128(acc) - complex128(upd)) },
			Prod: func(acc, upd N) N {
				a, b := real(complex128(acc)), imag(complex128(acc))
				c, d := real(complex128(upd)), imag(complex128(upd))
				// The conversions keep Go from fusing a product with the addition.
				return N(complex(float64(a*c)-float64(b*d), float64(a*d)+float64(b*c)))
			},
		},
		mean: func(start N, updates []N, count int) N {
			total := complex128(fold(start, updates, sum))
			return N(complex(real(total)/float64(count), imag(total)/float64(count)))
		},
	}
}

func booleans() arithmetic[bool] {
	or := func(acc, upd bool) bool { return acc || upd }
	and := func(acc, upd bool) bool { return acc && upd }
	xor := func(acc, upd bool) bool { return acc != upd }
	return arithmetic[bool]{
		identity: map[Op]bool{Sum: false, Prod: true, Min: true, Max: false, Sub: false},
		step:     map[Op]func(acc, upd bool) bool{Sum: or, Sub: xor, Prod: and, Min: and, Max: or},
	}
}
