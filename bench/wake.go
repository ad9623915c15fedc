package main

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/lanes-go/lanes/bench/peers/protocol"
)

// wakes takes samples of what settings of WakeTime cost at worst, as a multiple of the best choice
// in hindsight, for the cost w of a wake-up on this machine: polling for v and then waking costs
// v+w, the best choice the lesser of v and w. A multiple of 1 is written as 1 µs, because samples
// are times.
func (o options) wakes(ways []int) [][]float64 {
	samples := make([][]float64, len(ways))
	start := time.Now()
	for round := range maxRounds {
		if round >= minRounds && time.Since(start) > o.time {
			break
		}
		w := wake()
		for i, v := range ways {
			samples[i] = append(samples[i], 1e3*(float64(v)+w)/min(float64(v), w))
		}
	}
	return samples
}

// wake returns what it costs to have a sleeping thread run a goroutine, in ns: the time until it
// runs, and the processor time that others than the caller spend.
func wake() float64 {
	busy(300 * time.Microsecond) // the others fall asleep
	var ran atomic.Bool
	spent, start := -protocol.CPUTime(), time.Now()
	go ran.Store(true)
	go func() {}() // so that the other thread takes the first one without delay, as kernels has it
	for !ran.Load() && time.Since(start) < 10*time.Millisecond {
	}
	came := time.Since(start)
	for !ran.Load() { // the other threads run something else
		runtime.Gosched()
	}
	busy(300 * time.Microsecond)
	spent += protocol.CPUTime()
	return float64(came) + math.Max(0, float64(spent-time.Since(start)))
}

func busy(d time.Duration) {
	for end := time.Now().Add(d); time.Now().Before(end); {
	}
}
