package main

import (
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/trust/calls"
)

// The libraries of these tests are in this process. A fault of one has to
// make the run fail; without one the run has to pass.

// answers makes a library of a function.
type answers func(group []*calls.Call) ([]outcome, error)

func (a answers) answer(group []*calls.Call) ([]outcome, error) { return a(group) }

// honest makes each call right.
func honest(group []*calls.Call) ([]outcome, error) {
	var outcomes []outcome
	for _, c := range group {
		outcomes = append(outcomes, outcomeOf(c.Run()))
	}
	return outcomes, nil
}

// spoiled is honest but for one outcome in twenty, of the results or of the errors.
func spoiled(failed bool, spoil func(o *outcome)) answers {
	n := 0
	return func(group []*calls.Call) ([]outcome, error) {
		outcomes, err := honest(group)
		for i := range outcomes {
			if o := &outcomes[i]; o.failed() == failed {
				if n++; n%20 == 10 {
					spoil(o)
				}
			}
		}
		return outcomes, err
	}
}

func always(*calls.Call) bool { return true }

// match is a run of some calls against a library of that name.
func match(name string, l library) *contest {
	return &contest{seed: 1, cases: 800, libraries: []contestant{{peer{name: name, has: always, takes: always}, l}},
		known: differences, variants: calls.Variants(), log: io.Discard}
}

func TestHonest(t *testing.T) {
	for _, p := range peers {
		r := match(p.name, answers(honest))
		found, err := r.run()
		require.NoError(t, err)
		require.NoError(t, found.verdict(r, false))
		require.GreaterOrEqual(t, found.total(), r.cases)
		require.Equal(t, make([]int, len(differences)), found.explained)
		require.NotZero(t, found.failed[p.name])
		require.ErrorContains(t, found.verdict(r, true), "no longer a difference", "no row has shown")
	}
}

func TestPlanted(t *testing.T) {
	for name, spoil := range map[string]func(*outcome){
		"an error":              func(o *outcome) { *o = outcome{err: "no"} },
		"a crash":               func(o *outcome) { *o = outcome{err: "gone", crashed: true} },
		"another shape":         func(o *outcome) { o.result.Shape = append(o.result.Shape, 2) },
		"bytes missing":         func(o *outcome) { o.result.Data = append(o.result.Data, 0) },
		"a result for an error": func(o *outcome) { o.err = "" },
	} {
		for _, p := range peers {
			r := match(p.name, spoiled(name == "a result for an error", spoil))
			found, err := r.run()
			require.NoError(t, err)
			require.NotZero(t, found.mismatches, "%s of %s", name, p.name)
			require.Error(t, found.verdict(r, false))
			var text strings.Builder
			found.report(&text, r)
			require.Contains(t, text.String(), "the smallest is call")
		}
	}
}

// The flag -plant spoils a bit.
func TestPlantedBit(t *testing.T) {
	for _, p := range peers {
		r := match(p.name, &planted{library: answers(honest)})
		r.cases = 3000
		found, err := r.run()
		require.NoError(t, err)
		require.Error(t, found.verdict(r, false), p.name)
		require.GreaterOrEqual(t, found.mismatches, 3, p.name)
	}
	o := options{cases: 1, peers: "", plant: "torch"}
	require.Error(t, o.run(io.Discard))
	o = options{cases: 1, peers: "nobody"}
	require.ErrorContains(t, o.run(io.Discard), "nobody")
}

// A library that is asked nothing, answers too little, or can't be asked fails the run.
func TestLibraryThatIsNotAsked(t *testing.T) {
	r := match("torch", answers(honest))
	r.libraries[0].has = func(c *calls.Call) bool { return c.Op != calls.GatherND }
	found, err := r.run()
	require.NoError(t, err)
	require.ErrorContains(t, found.verdict(r, false), "no GatherND of torch")

	_, err = match("torch", answers(func(group []*calls.Call) ([]outcome, error) {
		outcomes, err := honest(group)
		return outcomes[:len(outcomes)-1], err
	})).run()
	require.ErrorContains(t, err, "answers to")

	_, err = match("torch", answers(func([]*calls.Call) ([]outcome, error) { return nil, io.ErrUnexpectedEOF })).run()
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

// What lanes has at one level and not at another is a mismatch.
func TestVariantsThatDiffer(t *testing.T) {
	r := match("torch", answers(honest))
	g := newGroup(1, 0)
	first := outcomeOf(g.cases[0].Run())
	require.False(t, first.failed())
	require.NotEmpty(t, first.result.Data)
	found := newTally(r.known)
	r.same(found, "avx2", g, 0, first, first)
	require.Zero(t, found.mismatches)
	other := first
	other.result.Data = append([]byte{first.result.Data[0] ^ 1}, first.result.Data[1:]...)
	r.same(found, "avx2", g, 0, first, other)
	r.same(found, "avx2", g, 0, first, outcome{err: "no"})
	r.same(found, "avx2", g, 0, outcome{err: "no"}, first)
	broken := outcome{err: "another error than of an index", crashed: true}
	r.same(found, "avx2", g, 0, broken, broken)
	require.Equal(t, 4, found.mismatches)
}

// Each row is documented, with what decides it.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("README.md")
	require.NoError(t, err)
	for _, d := range differences {
		require.Contains(t, string(text), "\n| "+d.library+" | "+d.name+" |", d.name)
	}
	require.Equal(t, len(differences)+len(peers), strings.Count(string(text), "\n| onnxruntime | ")+strings.Count(string(text), "\n| openvino | ")+strings.Count(string(text), "\n| torch | ")+strings.Count(string(text), "\n| jax | "))
	for _, w := range wheels {
		name, version, _ := strings.Cut(w, "==")
		require.Contains(t, string(text), name+" "+version)
	}
}
