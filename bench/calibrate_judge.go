package main

import (
	"encoding/json"
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// A finding is what was measured of a threshold.
type finding struct {
	Name    string  `json:"name"`
	InUse   int     `json:"in_use"`
	Best    int     `json:"best"`    // by the medians alone
	Low     int     `json:"low"`     // Low to High is as good,
	High    int     `json:"high"`    // as far as noise lets one see
	Cost    cost    `json:"cost"`    // of the value in use
	Differs bool    `json:"differs"` // that is more than noise
	Value   int     `json:"value"`   // the best if it differs, or else the one in use
	Skipped string  `json:"skipped,omitempty"`
	Trials  []trial `json:"trials"`
}

// A cost is how many times as long calls take as with the best value, over
// the sizes or calls for which that makes a difference.
type cost struct {
	Median float64 `json:"median"`
	Low    float64 `json:"low"` // of the 98 % confidence interval
	High   bound   `json:"high"`
}

// A bound may be infinite, as that of the few rounds that long calls get. JSON has no number for that.
type bound float64

func (b bound) MarshalJSON() ([]byte, error) {
	if math.IsInf(float64(b), 0) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(b))
}

// A gain is how much shorter one way to do a thing takes than another: the
// logarithm of the ratio of their times. 0 is no difference.
type gain struct{ mid, lo, hi float64 }

// confidence is that of the interval of a gain: what the extremes of the least
// number of rounds have.
const confidence = 0.98

// worthwhile is the least gain that a threshold is changed for: code and
// buffers that lie elsewhere make as much of a difference.
var worthwhile = math.Log(1.03)

// loudest bounds the gain that a size counts with where sizes vote on a cut, so
// that none outvotes two others: one way may have been disturbed there.
var loudest = math.Log(1.25)

// gainOf compares the times of two ways, round by round: what slows down the whole machine for a
// while slows both. The median of the rounds' ratios, and the interval of order statistics round
// it, mind neither outliers nor how times are distributed.
func gainOf(before, after []float64) gain {
	n := min(len(before), len(after))
	logs := make([]float64, n)
	for i := range logs {
		logs[i] = math.Log(before[i] / after[i])
	}
	var g gain
	g.mid, g.lo, g.hi = stats.QuantileCI(n, 0.5, confidence).SampleCI(stats.Sample{Xs: logs})
	return g
}

func (g gain) reversed() gain { return gain{-g.mid, -g.hi, -g.lo} }

// vote is what a gain weighs against those of other sizes.
func (g gain) vote() float64 { return min(max(g.mid, -loudest), loudest) }

// mean returns the mean of gains that were measured one after the other, so
// that what disturbed them is taken for independent.
func mean(list []gain) gain {
	var m gain
	var below, above float64
	n := float64(len(list))
	for _, g := range list {
		m.mid += g.mid / n
		below = math.Hypot(below, (g.mid-g.lo)/n)
		above = math.Hypot(above, (g.hi-g.mid)/n)
	}
	m.lo, m.hi = m.mid-below, m.mid+above
	return m
}

// counts reports whether a gain is more than noise, and worth a change.
func (g gain) counts() bool { return g.lo > 0 && g.mid >= worthwhile }

func (g gain) cost() cost { return cost{math.Exp(g.mid), math.Exp(g.lo), bound(math.Exp(g.hi))} }

// judge finds what the trials of a threshold say of the value in use.
func (t threshold) judge(inUse int, trials []trial) finding {
	f := finding{Name: t.name, InUse: inUse, Value: inUse, Trials: trials}
	if t.kind == amount {
		t.judgeAmount(&f)
	} else {
		t.judgeCut(&f)
	}
	if f.Differs {
		f.Value = f.Best
	}
	return f
}

// judgeCut finds where the second way should begin. A cut k stands for: the
// first way for values[:k], the second for values[k:].
func (t threshold) judgeCut(f *finding) {
	gains := t.gains(f.Trials)
	best, used := bestCut(gains), t.cut(f.InUse)
	low, high := extent(len(gains)+1, best, func(k int) bool { return counts(between(gains, best, k)) })
	f.Best, f.Low, f.High = t.valueAt(best), t.valueAt(low), t.valueAt(high)
	loss := between(gains, best, used)
	f.Cost, f.Differs = mean(loss).cost(), counts(loss)
}

// gains returns the mean gain of the second way over trials at each size.
func (t threshold) gains(trials []trial) []gain {
	gains := make([]gain, len(t.values))
	for i, v := range t.values {
		var of []gain
		for _, x := range trials {
			if x.At == v {
				of = append(of, gainOf(x.Samples[0], x.Samples[1]))
			}
		}
		gains[i] = mean(of)
	}
	return gains
}

// bestCut returns the cut with the most votes in all. One size that was
// disturbed moves it only if it outweighs what lies between.
func bestCut(gains []gain) int {
	best, sum, most := len(gains), 0.0, 0.0
	for k := len(gains) - 1; k >= 0; k-- {
		if sum += gains[k].vote(); sum > most {
			best, most = k, sum
		}
	}
	return best
}

// between lists what is lost at the sizes for which a cut chooses another way
// than the best cut.
func between(gains []gain, best, cut int) []gain {
	if cut >= best {
		return gains[best:cut]
	}
	var lost []gain
	for _, g := range gains[cut:best] {
		lost = append(lost, g.reversed())
	}
	return lost
}

// counts reports whether the gains that are more than noise add up to one, and
// one of them is worth a change.
func counts(list []gain) bool {
	sum := 0.0
	for _, g := range list {
		if g.lo > 0 || g.hi < 0 {
			sum += g.vote()
		}
	}
	return sum > 0 && slices.ContainsFunc(list, gain.counts)
}

// extent returns how far the values round the best, of n, are as good.
func extent(n, best int, worse func(i int) bool) (low, high int) {
	low, high = best, best
	for low > 0 && !worse(low-1) {
		low--
	}
	for high+1 < n && !worse(high+1) {
		high++
	}
	return low, high
}

// cut returns which cut a value belongs to.
func (t threshold) cut(value int) int {
	k := slices.IndexFunc(t.values, func(v int) bool { return v > value || v == value && t.kind == start })
	if k < 0 {
		return len(t.values)
	}
	return k
}

// valueAt returns the value of a cut: the least size of the second way, or the largest of the
// first. Beyond what was tried that is twice the last size, for a start; 0, for a limit.
func (t threshold) valueAt(k int) int {
	switch {
	case t.kind == start && k == len(t.values):
		return 2 * t.values[k-1]
	case t.kind == start:
		return t.values[k]
	case k == 0:
		return 0
	default:
		return t.values[k-1]
	}
}

// judgeAmount finds the best of several amounts over all calls.
func (t threshold) judgeAmount(f *finding) {
	ways := f.Trials[0].Ways
	compare := func(i, k int) gain { // with k in place of i
		var of []gain
		for _, x := range f.Trials {
			of = append(of, gainOf(x.Samples[i], x.Samples[k]))
		}
		return mean(of)
	}
	used := slices.Index(ways, f.InUse)
	best := used
	for k := range ways {
		if compare(used, k).mid > compare(used, best).mid {
			best = k
		}
	}
	low, high := extent(len(ways), best, func(i int) bool { return compare(i, best).counts() })
	f.Best, f.Low, f.High = ways[best], ways[low], ways[high]
	loss := compare(used, best)
	f.Cost, f.Differs = loss.cost(), loss.counts()
}

// alone returns the findings for each call by itself: where calls contradict
// each other, one threshold can't be right for both.
func (t threshold) alone(f finding) []finding {
	var each []finding
	for _, c := range t.calls {
		var own []trial
		for _, x := range f.Trials {
			if x.Call == c.name {
				own = append(own, x)
			}
		}
		each = append(each, t.judge(f.InUse, own))
	}
	return each
}
