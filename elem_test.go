package lanes_test

import (
	"encoding/binary"
	"math/rand/v2"
)

// A kind says what an element's bits mean.
type kind uint8

const (
	raw     kind = iota // nothing: it only moves
	integer             // two's complement or unsigned, which differ in no bit of a test's values
	float
)

// An elem is an element type: parts (2 for a complex number) of width bytes together.
type elem struct {
	name  string
	width int
	kind  kind
	parts int
	exp   int // bits of a float's exponent
}

// special returns a value that arithmetic, or a move through a floating-point
// register, treats in its own way.
func (e elem) special(r *rand.Rand) uint64 {
	bits := 8 * e.width / e.parts
	sign := uint64(1) << (bits - 1)
	if e.exp == 0 {
		return [...]uint64{0, 1, ^uint64(0), sign, sign - 1}[r.IntN(5)]
	}
	frac := bits - 1 - e.exp
	one := uint64(1) << frac // of the exponent
	inf := sign - one
	quiet := one >> 1
	return sign*uint64(r.IntN(2)) | [...]uint64{
		0, 0, 0, 0, 1, one - 1, one, // zero, denormals, the least normal
		(uint64(1)<<(e.exp-1) - 1) << frac, inf - 1, inf, // one, the largest, infinity
		inf | quiet, inf | quiet | r.Uint64()&(quiet-1), sign - 1, // quiet NaNs
		inf | 1, inf | quiet - 1, inf | 1 | r.Uint64()&(quiet-1), // signalling NaNs
	}[r.IntN(16)]
}

// ordinary returns a float around one, so that sums round and products stay
// finite, or an integer, odd so that products do not end at zero.
func (e elem) ordinary(r *rand.Rand) uint64 {
	v := r.Uint64()
	if e.kind == integer {
		return v | 1
	}
	bits := 8 * e.width / e.parts
	frac := bits - 1 - e.exp
	bias := 1<<(e.exp-1) - 1
	return v>>63<<(bits-1) | uint64(bias-2+r.IntN(5))<<frac | v&(1<<frac-1)
}

// A mixture is how many of 32 values are special and ordinary; the others are random bits.
type mixture struct{ specials, ordinaries int }

var mixtures = [...]mixture{{0, 32}, {0, 32}, {0, 0}, {0, 31}, {1, 31}, {1, 0}, {16, 16}, {32, 0}, zeros}

// zeros is zeros of both signs, and nothing else.
var zeros = mixture{-1, 0}

const poolLength = 4 << 10

// pools hold values of each type and mixture, since making them would take
// most of the tests' time.
var pools = map[elem]*[len(mixtures)][]byte{}

// fill sets values of the type, in a mixture that differs from call to call.
func (e elem) fill(r *rand.Rand, b []byte) {
	if pools[e] == nil {
		pools[e] = new([len(mixtures)][]byte)
		for i, m := range mixtures {
			pools[e][i] = e.values(rand.New(rand.NewPCG(uint64(i), uint64(e.width))), m)
		}
	}
	pool := pools[e][r.IntN(len(mixtures))]
	for len(b) > 0 {
		n := copy(b, pool[r.IntN(poolLength-64)*e.width:])
		b = b[n:]
	}
}

// values returns poolLength elements.
func (e elem) values(r *rand.Rand, m mixture) []byte {
	if e.kind == raw {
		m.ordinaries = 0
		if e.exp == 0 {
			m.specials = 0
		}
	}
	pool := make([]byte, poolLength*e.width)
	width := e.width / e.parts
	if e.width == 16 && e.parts == 1 {
		width = 8
	}
	for b := pool; len(b) > 0; b = b[width:] {
		v := r.Uint64()
		switch x := r.IntN(32); {
		case m == zeros && e.exp > 0:
			v = v >> 63 << (8*width - 1)
		case x < m.specials:
			v = e.special(r)
		case x < m.specials+m.ordinaries:
			v = e.ordinary(r)
		}
		putBits(b[:width], v)
	}
	return pool
}

func randomBytes(r *rand.Rand, b []byte) {
	for ; len(b) >= 8; b = b[8:] {
		binary.NativeEndian.PutUint64(b, r.Uint64())
	}
	for i := range b {
		b[i] = byte(r.Uint32())
	}
}

func putBits(b []byte, v uint64) {
	switch len(b) {
	case 1:
		b[0] = byte(v)
	case 2:
		binary.NativeEndian.PutUint16(b, uint16(v))
	case 4:
		binary.NativeEndian.PutUint32(b, uint32(v))
	default:
		binary.NativeEndian.PutUint64(b, v)
	}
}

func getBits(b []byte) uint64 {
	switch len(b) {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.NativeEndian.Uint16(b))
	case 4:
		return uint64(binary.NativeEndian.Uint32(b))
	default:
		return binary.NativeEndian.Uint64(b)
	}
}

// sameButForNaNs reports whether the parts that are NaNs are so in both, and all
// others are equal bit for bit.
func (e elem) sameButForNaNs(got, want []byte) bool {
	width := e.width / e.parts
	inf := uint64(1)<<(8*width-1) - uint64(1)<<(8*width-1-e.exp)
	nan := func(v uint64) bool { return v&(1<<(8*width-1)-1) > inf }
	for at := 0; at < len(want); at += width {
		g, w := getBits(got[at:at+width]), getBits(want[at:at+width])
		if g != w && !(nan(g) && nan(w)) {
			return false
		}
	}
	return true
}
