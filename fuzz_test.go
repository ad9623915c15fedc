package lanes_test

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/lanes-go/lanes/dispatch"
)

// The fuzz targets read a call out of bytes, and where its buffers lie, and run
// it at every level with every set of traits.

// A fuzzInput makes the choices of a call. What elements hold comes from a
// generator that its first byte seeds.
type fuzzInput struct {
	rest []byte
	rand *rand.Rand
}

func newFuzzInput(b []byte) *fuzzInput {
	in := &fuzzInput{rest: b}
	in.rand = rand.New(rand.NewPCG(uint64(in.next()), 0))
	return in
}

func (in *fuzzInput) next() byte {
	if len(in.rest) == 0 {
		return 0
	}
	b := in.rest[0]
	in.rest = in.rest[1:]
	return b
}

// IntN takes a byte where one is enough, and two otherwise.
func (in *fuzzInput) IntN(n int) int {
	v := int(in.next())
	if n > 256 {
		v = v<<8 | int(in.next())
	}
	return v % n
}

// count chooses a length, a long one for few bytes.
func (in *fuzzInput) count(width int) int {
	n := in.IntN(256)
	if n >= 250 {
		return in.IntN(20000)
	}
	return n * 5 * 64 / width / 250
}

func fuzz(f *testing.F, read func(in *fuzzInput) []*call) {
	f.Add([]byte{})
	for seed := range byte(24) {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		input := []byte{seed, seed}
		for range 60 {
			input = append(input, byte(r.IntN(250)))
		}
		f.Add(input)
	}
	f.Add(bytes.Repeat([]byte{0xFF}, 60))
	f.Fuzz(func(t *testing.T, input []byte) {
		in := newFuzzInput(input)
		for _, c := range read(in) {
			places := c.somewhere(in)
			for _, v := range dispatch.Variants() {
				func() {
					defer use(v)()
					c.note = ", " + v.String()
					c.check(t, false, places)
				}()
			}
		}
	})
}

func FuzzGather(f *testing.F) {
	fuzz(f, func(in *fuzzInput) []*call {
		m := moves[in.IntN(len(moves))]
		return []*call{m.gather(in.rand, m.elem, randomGather(in, in.count(m.width)))}
	})
}

func FuzzGatherRows(f *testing.F) {
	fuzz(f, func(in *fuzzInput) []*call {
		w := widths[in.IntN(len(widths))]
		rows, cols := in.count(w.width), 1
		if in.IntN(2) == 0 {
			rows, cols = in.IntN(10), rows
		}
		return []*call{w.gatherRows(in.rand, w.elem, randomRows(in, rows, cols, true))}
	})
}

func FuzzCopy(f *testing.F) {
	fuzz(f, func(in *fuzzInput) []*call {
		w := widths[in.IntN(len(widths))]
		n := in.count(w.width)
		if in.IntN(3) == 0 {
			return []*call{w.copy(in.rand, w.elem, shortRows(in, n))}
		}
		return []*call{w.copy(in.rand, w.elem, randomCopy(in, n))}
	})
}

func FuzzScatter(f *testing.F) {
	fuzz(f, func(in *fuzzInput) []*call {
		w := widths[in.IntN(len(widths))]
		rows, cols := in.count(w.width), 1
		if in.IntN(2) == 0 {
			rows, cols = in.IntN(10), rows
		}
		return []*call{w.scatter(in.rand, w.elem, randomRows(in, rows, cols, false))}
	})
}

func FuzzScatterReduce(f *testing.F) {
	fuzz(f, func(in *fuzzInput) []*call {
		m := reductions[in.IntN(len(reductions))]
		op := allOps[in.IntN(m.ops)]
		rows, cols := in.count(m.width), 1
		if in.IntN(2) == 0 {
			rows, cols = in.IntN(10), rows
		}
		a := randomRows(in, rows, cols, false)
		a.Op = op
		return []*call{m.call(in.rand, m.elem, a)}
	})
}

func FuzzGatherTuples(f *testing.F) {
	fuzz(f, func(in *fuzzInput) []*call {
		m := gatheredTuples[in.IntN(len(gatheredTuples))]
		return []*call{m.call(in.rand, m.elem, randomTuples(in, in.count(m.width), 1+in.IntN(4)))}
	})
}

func FuzzGatherPattern(f *testing.F) {
	fuzz(f, func(in *fuzzInput) []*call {
		m := gatheredPatterns[in.IntN(len(gatheredPatterns))]
		return []*call{m.call(in.rand, m.elem, randomGatherPattern(in, in.count(m.width)))}
	})
}

// ResolvePattern, Check and ResolveTuples go with Resolve.
func FuzzResolve(f *testing.F) {
	fuzz(f, func(in *fuzzInput) []*call {
		m := resolves[in.IntN(len(resolves))]
		n := in.count(m.width)
		one, many := randomResolve(in, n, 1), randomResolve(in, min(n, 4000), in.IntN(6))
		return []*call{m.resolve(in.rand, one), m.pattern(in.rand, one), m.check(in.rand, one), m.tuples(in.rand, many), m.tuplesPattern(in.rand, many)}
	})
}
