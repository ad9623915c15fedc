package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
)

// A threshold that is added to package dispatch has to be added here.
func TestEveryThresholdIsCalibrated(t *testing.T) {
	var table dispatch.Thresholds
	fields := reflect.ValueOf(&table).Elem()
	list := thresholds(2 << 20)
	for i := range fields.NumField() {
		name := fields.Type().Field(i).Name
		require.Less(t, i, len(list), "%s has no row in calibrate_thresholds.go", name)
		assert.Equal(t, name, list[i].name, "the order is that of package dispatch")
		assert.Same(t, fields.Field(i).Addr().Interface(), list[i].field(&table), name)
	}
	assert.Len(t, list, fields.NumField())
}

// A call at v reaches a start of v, and none of v+1.
func TestCallsAreWhereThresholdsDecide(t *testing.T) {
	rows := func(d dims) int { return d[len(d)-1] }
	measures := map[string]func(s spec) int{
		"SmallElements": elementsOf,
		"WorkerTime": func(s spec) int { // of two
			if s, ok := s.(gatherF32); ok {
				return int(float64(size(s.indices))*dispatch.Costs.Gather) / 2
			}
			return int(dispatch.Costs.Run+4*float64(elementsOf(s))*dispatch.Costs.Byte) / 2
		},
		"StreamBytes": func(s spec) int { return 4 * elementsOf(s) },
		"StreamReach": func(s spec) int { // of dst, data and indices, of 64 bits
			if _, ok := s.(gatherF32); ok {
				return 4 * 4 * elementsOf(s)
			}
			return 2 * 4 * elementsOf(s)
		},
		"StripTable":  func(s spec) int { return 4 * size(dataOf(s)) },
		"OwnedTable":  func(s spec) int { return 4 * size(dataOf(s)) },
		"ConstantRow": func(s spec) int { return rows(dataOf(s)) },
		"MeanSparse":  func(s spec) int { return size(dataOf(s)) / elementsOf(s) },
	}
	for _, l2 := range []int{1, 256 << 10, 1280 << 10, 2 << 20, 3 << 20, 8 << 20, math.MaxInt} {
		for _, x := range thresholds(l2) {
			assert.True(t, slices.IsSorted(x.values), x.name)
			if x.kind == amount {
				continue
			}
			require.Contains(t, measures, x.name)
			for _, c := range x.calls {
				for _, v := range x.values {
					assert.Equal(t, v, measures[x.name](c.at(v)), "%s, %s", x.name, c.name)
				}
			}
		}
	}
}

func dataOf(s spec) dims {
	switch s := s.(type) {
	case gatherF32:
		return s.data
	case scatterF32:
		return s.data
	case gatherND[f32, i64]:
		return s.data
	default:
		return s.(slice[f32]).data
	}
}

func elementsOf(s spec) int {
	switch s := s.(type) {
	case gatherF32:
		return size(s.indices)
	case scatterF32:
		return size(s.indices)
	case gatherND[f32, i64]:
		return size(s.output())
	default:
		return size(s.(slice[f32]).view().Shape)
	}
}

// A fakeMachine makes up times, in ns.
type fakeMachine struct {
	rng    *rand.Rand
	best   map[string]int // where the second way begins to pay, or the best amount; 0: nothing matters
	slope  float64        // how fast a way becomes better with the size
	noise  float64        // of a sample
	rounds int
	calls  int
	upset  func(call int) float64 // slows the last way of a sampler's call
}

func (m *fakeMachine) sample(t threshold, _ measuredCall, at int, ways []int) ([][]float64, error) {
	samples := make([][]float64, len(ways))
	for range m.rounds {
		drift := math.Exp(m.rng.NormFloat64() / 2) // of the whole machine
		for i, w := range ways {
			ns := 1e6 * drift * math.Exp(m.noise*m.rng.NormFloat64())
			switch best := float64(m.best[t.name]); {
			case best == 0:
			case t.kind == amount:
				ns *= math.Exp(m.slope * math.Abs(math.Log2(float64(w)/best)))
			case i == 1: // pays from best on, or beyond best
				if t.kind == limit {
					best *= math.Sqrt2
				} else {
					best /= math.Sqrt2
				}
				ns *= math.Exp(-m.slope * math.Log2(float64(at)/best))
			}
			if m.upset != nil && i == len(ways)-1 {
				ns *= m.upset(m.calls)
			}
			samples[i] = append(samples[i], ns)
		}
	}
	m.calls++
	return samples, nil
}

// inner lists values of a threshold that are neither the first nor the last.
func (t threshold) inner() []int { return t.values[1 : len(t.values)-1] }

func TestCalibrateFindsWhatIsThere(t *testing.T) {
	for _, x := range thresholds(2 << 20) {
		for _, best := range x.inner() {
			for _, inUse := range x.values {
				m := &fakeMachine{rng: rand.New(rand.NewPCG(uint64(best), uint64(inUse))), best: map[string]int{x.name: best}, slope: 0.2, noise: 0.05, rounds: 30}
				var table dispatch.Thresholds
				*x.field(&table) = inUse
				found, err := calibrate([]threshold{x}, table, 2, m.sample, new(bytes.Buffer))
				require.NoError(t, err)
				f := found[0]
				assert.Equal(t, best, f.Best, x.name)
				assert.Equal(t, best != inUse, f.Differs, "%s: %d in use, %d is best: %+v", x.name, inUse, best, f.Cost)
				assert.Equal(t, best, f.Value)
				assert.LessOrEqual(t, f.Low, best)
				assert.GreaterOrEqual(t, f.High, best)
				if best != inUse {
					assert.Greater(t, f.Cost.Low, 1.0)
				}
			}
		}
	}
}

// Where nothing makes a difference, noise alone must not say that it does, be
// it ever so loud; nor a size that something else disturbed for a while.
func TestNoiseDoesNotFool(t *testing.T) {
	inUse := dispatch.Default
	for name, upset := range map[string]func(seed, call int) float64{
		"nothing else":        nil,
		"one size disturbed":  func(seed, call int) float64 { return 1 + 2*b2f(call == seed%30) },
		"one size speeded up": func(seed, call int) float64 { return 1 - 0.6*b2f(call == seed%30) },
	} {
		for _, noise := range []float64{0.02, 0.3} {
			t.Run(fmt.Sprintf("%s, noise %v", name, noise), func(t *testing.T) {
				const runs = 40
				differ, judged := 0, 0
				for seed := range runs {
					m := &fakeMachine{rng: rand.New(rand.NewPCG(uint64(seed), 1)), noise: noise, rounds: 20}
					if upset != nil {
						m.upset = func(call int) float64 { return upset(seed, call) }
					}
					found, err := calibrate(thresholds(2<<20), inUse, 2, m.sample, new(bytes.Buffer))
					require.NoError(t, err)
					for _, f := range found {
						judged++
						if f.Differs {
							differ++
							t.Logf("seed %d: %s: %d, in use %d, %v", seed, f.Name, f.Best, f.InUse, f.Cost)
						} else {
							assert.Equal(t, f.InUse, f.Value)
						}
					}
				}
				assert.LessOrEqual(t, differ, judged/100, "of %d", judged)
			})
		}
	}
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// The same disturbance on top of a crossover leaves that where it is.
func TestDisturbedSizeDoesNotMoveCrossover(t *testing.T) {
	x := thresholds(2 << 20)[slices.IndexFunc(thresholds(2<<20), func(x threshold) bool { return x.name == "StripTable" })]
	for disturbed := range len(x.values) {
		m := &fakeMachine{
			rng: rand.New(rand.NewPCG(1, 2)), best: map[string]int{x.name: 2 << 20}, slope: 0.2, noise: 0.05, rounds: 20,
			upset: func(call int) float64 { return 1 + 2*b2f(call == disturbed) },
		}
		found, err := calibrate([]threshold{x}, dispatch.Thresholds{StripTable: 2 << 20}, 1, m.sample, new(bytes.Buffer))
		require.NoError(t, err)
		assert.False(t, found[0].Differs, "size %d", disturbed)
		assert.Equal(t, 2<<20, found[0].Value)
	}
}

// What seems to differ is measured once more, and only that.
func TestDifferenceIsMeasuredTwice(t *testing.T) {
	x := thresholds(2 << 20)[0]
	once := len(x.calls) * len(x.values)
	for inUse, calls := range map[int]int{64: once, 512: 2 * once} {
		m := &fakeMachine{rng: rand.New(rand.NewPCG(1, 2)), best: map[string]int{x.name: 64}, slope: 0.3, noise: 0.01, rounds: 20}
		found, err := calibrate([]threshold{x}, dispatch.Thresholds{SmallElements: inUse}, 1, m.sample, new(bytes.Buffer))
		require.NoError(t, err)
		assert.Equal(t, inUse != 64, found[0].Differs)
		assert.Equal(t, calls, m.calls)
	}
}

func TestBestCut(t *testing.T) {
	for _, tt := range []struct {
		gains []float64
		cut   int
	}{
		{nil, 0},
		{[]float64{-1, -1, -1}, 3},
		{[]float64{1, 1, 1}, 0},
		{[]float64{-1, -1, 1, 1}, 2},
		{[]float64{-1, 0.5, -1, 1, 1}, 3}, // a small size that pays by chance
		{[]float64{-1, 1, 1, -0.5, 1}, 1}, // a large one that doesn't
		{[]float64{0, 0, 0}, 3},
	} {
		var gains []gain
		for _, g := range tt.gains {
			gains = append(gains, gain{mid: g})
		}
		assert.Equal(t, tt.cut, bestCut(gains), tt.gains)
	}
}

// A cut and its value are the same thing, on both kinds of threshold.
func TestCutsAndValues(t *testing.T) {
	s, l := threshold{kind: start, values: []int{2, 4, 8}}, threshold{kind: limit, values: []int{2, 4, 8}}
	for k := range 4 {
		assert.Equal(t, k, s.cut(s.valueAt(k)), k)
		assert.Equal(t, k, l.cut(l.valueAt(k)), k)
	}
	assert.Equal(t, []string{"≤ 2", "4", "8", "> 8"}, []string{s.label(s.valueAt(0)), s.label(s.valueAt(1)), s.label(s.valueAt(2)), s.label(s.valueAt(3))})
	assert.Equal(t, []string{"< 2", "2", "4", "≥ 8"}, []string{l.label(l.valueAt(0)), l.label(l.valueAt(1)), l.label(l.valueAt(2)), l.label(l.valueAt(3))})
	for value, cut := range map[int]int{0: 0, 2: 0, 3: 1, 4: 1, 9: 3, never: 3} {
		assert.Equal(t, cut, s.cut(value), value)
	}
	for value, cut := range map[int]int{0: 0, 1: 0, 2: 1, 3: 1, 8: 3, never: 3} {
		assert.Equal(t, cut, l.cut(value), value)
	}
}

func TestGain(t *testing.T) {
	before, after := []float64{2, 2, 20, 2, 2, 2, 2, 2}, []float64{1, 1, 10, 1, 1, 1, 50, 1}
	g := gainOf(before, after)
	assert.InDelta(t, math.Log(2), g.mid, 1e-9, "a slow round counts for both, an outlier for nothing")
	assert.LessOrEqual(t, g.lo, g.mid)
	assert.Equal(t, gain{-g.mid, -g.hi, -g.lo}, gainOf(after, before))
	assert.True(t, gain{0.2, 0.1, 0.3}.counts())
	assert.False(t, gain{0.2, -0.1, 0.5}.counts(), "it may be noise")
	assert.False(t, gain{0.01, 0.005, 0.02}.counts(), "it is too little")
	assert.False(t, gainOf(make([]float64, 0), nil).counts())
}

// With as few rounds as there may be, what is known of a gain is still finite,
// as JSON needs it.
func TestFewestRounds(t *testing.T) {
	m := &fakeMachine{rng: rand.New(rand.NewPCG(1, 2)), noise: 0.3, rounds: minRounds}
	found, err := calibrate(thresholds(2<<20), dispatch.Default, 2, m.sample, new(bytes.Buffer))
	require.NoError(t, err)
	_, err = json.Marshal(found)
	require.NoError(t, err)
	for _, f := range found {
		assert.Positive(t, f.Cost.Low, f.Name)
	}
}

// Calls that want opposite thresholds show.
// Long calls have too few rounds for an interval, which JSON has no number for.
func TestOpenIntervalIsWritten(t *testing.T) {
	g := gainOf([]float64{4, 4, 4}, []float64{2, 2, 2})
	assert.False(t, g.counts())
	b, err := json.Marshal(g.cost())
	require.NoError(t, err)
	assert.Equal(t, `{"median":2,"low":0,"high":null}`, string(b))
}

func TestCallsThatContradict(t *testing.T) {
	x := threshold{name: "StripTable", kind: start, values: []int{1, 2, 4}, calls: []measuredCall{{name: "a"}, {name: "b"}}}
	var trials []trial
	for _, v := range x.values {
		fast, slow := slices.Repeat([]float64{1}, minRounds), slices.Repeat([]float64{3}, minRounds)
		trials = append(trials, trial{"a", v, x.ways(v, 2), [][]float64{slow, fast}}, trial{"b", v, x.ways(v, 2), [][]float64{fast, slow}})
	}
	f := x.judge(2, trials)
	assert.False(t, f.Differs)
	alone := x.alone(f)
	assert.Equal(t, []string{"≤ 1", "> 4"}, []string{x.label(alone[0].Best), x.label(alone[1].Best)})
	assert.True(t, alone[0].Differs && alone[1].Differs)
}

func TestThresholdsThatTakeMoreCores(t *testing.T) {
	m := &fakeMachine{rng: rand.New(rand.NewPCG(1, 2)), noise: 0.02, rounds: 20}
	found, err := calibrate(thresholds(2<<20), dispatch.Default, 1, m.sample, new(bytes.Buffer))
	require.NoError(t, err)
	skipped := 0
	for _, f := range found {
		assert.Equal(t, slices.Contains([]string{"WorkerTime", "PartTime", "WakeTime", "TasksPerWorker", "OwnedTable"}, f.Name), f.Skipped != "", f.Name)
		skipped += len(f.Skipped)
		assert.NotZero(t, f.Value)
	}
	assert.NotZero(t, skipped)
	assert.Contains(t, calibration{L2: 2 << 20, Findings: found}.text(), "Not measured: it takes 2 cores")
}

// The literal is Go, and has the value of every finding.
func TestCalibratedLiteral(t *testing.T) {
	const l2 = 2 << 20
	list := thresholds(l2)
	best := map[string]int{}
	for _, x := range list {
		best[x.name] = x.values[2]
	}
	m := &fakeMachine{rng: rand.New(rand.NewPCG(1, 2)), best: best, slope: 0.3, noise: 0.02, rounds: 20}
	found, err := calibrate(list, dispatch.Default, 2, m.sample, new(bytes.Buffer))
	require.NoError(t, err)
	c := calibration{L2: l2, Findings: found}
	_, err = parser.ParseExpr(c.literal(list))
	require.NoError(t, err, c.literal(list))
	for i, x := range list {
		assert.Equal(t, best[x.name], found[i].Value, x.name)
		assert.Contains(t, c.literal(list), "\t"+x.name+": "+x.expression(found[i].Value, l2)+",")
		for _, call := range x.calls {
			assert.Contains(t, c.literal(list), "\t// "+call.name+": ")
		}
	}
	assert.Contains(t, c.text(), "DIFFERS")
}

func TestExpression(t *testing.T) {
	const l2 = 1280 << 10
	for _, ofCache := range []bool{false, true} {
		x := threshold{ofCache: ofCache}
		for _, v := range []int{0, 1, 16, 1000, 1024, 64 << 10, 3 << 20, 1 << 30, l2 / 64, l2 / 2, l2, 2 * l2, 3 * l2, l2/2 + 1} {
			source := strings.ReplaceAll(x.expression(v, l2), "l2", fmt.Sprint(l2))
			got, err := types.Eval(token.NewFileSet(), nil, token.NoPos, source)
			require.NoError(t, err, source)
			exact, _ := constant.Int64Val(got.Value)
			assert.EqualValues(t, v, exact, source)
		}
	}
	assert.Equal(t, "l2 / 8", threshold{ofCache: true}.expression(256<<10, 2<<20))
	assert.Equal(t, "64 << 10", threshold{}.expression(64<<10, 2<<20))
}

// A short run, from the flags to the tables and the file. It leaves the
// thresholds as they were.
func TestRunCalibration(t *testing.T) {
	before := dispatch.Default
	file := filepath.Join(t.TempDir(), "calibration.json")
	var out, progress bytes.Buffer
	require.NoError(t, run([]string{"-calibrate", "-run", "SmallElements", "-time", "1ms", "-json", file}, &out, &progress))
	assert.Equal(t, before, dispatch.Default)
	assert.Equal(t, 3, strings.Count(progress.String(), "\n"), progress.String())
	for _, want := range []string{"GatherND, rows of 4", "by primitives", "agrees|DIFFERS", "(?m)^Thresholds{$", "go run -C bench . -calibrate"} {
		assert.Regexp(t, want, out.String())
	}
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	var c calibration
	require.NoError(t, json.Unmarshal(b, &c))
	require.Len(t, c.Findings, 1)
	assert.Len(t, c.Findings[0].Trials, 3*len(thresholds(c.L2)[0].values))
}

func TestLoadIsMentioned(t *testing.T) {
	assert.Contains(t, calibration{L2: 1, Machine: machine{Load: 2.5}}.text(), "load 2.5")
	assert.NotContains(t, calibration{L2: 1, Machine: machine{Load: 0.1}}.text(), "Other programs")
}

func TestListShowsEveryThreshold(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run([]string{"-calibrate", "-list"}, &out, new(bytes.Buffer)))
	for _, x := range thresholds(2 << 20) {
		assert.Contains(t, out.String(), x.name)
	}
}

func TestBadCalibrationFlags(t *testing.T) {
	for args, want := range map[string]string{
		"-calibrate -workers 1":        "-calibrate takes no -workers",
		"-calibrate -peers -targets":   "-calibrate takes no -peers, -targets",
		"-calibrate -isa generic,avx9": "avx9",
		"-calibrate -run W1$":          "no threshold matches",
	} {
		assert.ErrorContains(t, run(strings.Fields(args), new(bytes.Buffer), new(bytes.Buffer)), want, args)
	}
	if dispatch.Available(dispatch.AVX2) {
		assert.ErrorContains(t, run([]string{"-calibrate", "-isa", "generic,avx2"}, new(bytes.Buffer), new(bytes.Buffer)), "one level")
	}
}
