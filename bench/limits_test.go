package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func workloadNamed(t *testing.T, name string) workload {
	for _, w := range workloads {
		if w.name() == name {
			return w
		}
	}
	require.Fail(t, "no workload", name)
	return workload{}
}

// Figures by hand. Where 4096 random indices fall on a row of 256 lines, the
// chance that a line is missed is 1e-7, so that all count.
func TestTraffic(t *testing.T) {
	relative := 0 // W5: row i of 12 × 512 reads elements i+1 to i+512, 16 to a line
	for i := range 512 {
		relative += 12 * ((i+512)/16 - (i+1)/16 + 1) * 64
	}
	for _, test := range []struct {
		name string
		want traffic
	}{
		{"W4", traffic{Read: 64*256*8 + 64*256*4, Write: 64 * 256 * 4}},
		{"W1", traffic{Read: 1024*4096*8 + 1024*4096*4, Write: 1024 * 4096 * 4}},
		{"W2 int32 indices", traffic{Read: 1024*4096*4 + 1024*4096*4, Write: 1024 * 4096 * 4}},
		{"W5 relative", traffic{Read: 12*512*512*8 + relative, Write: 12 * 512 * 512 * 4}},
		{"W12 in place", traffic{Read: 1024 * 4096 * (8 + 4), Again: 1024 * 4096 * 8, Update: 1024 * 4096 * 4}},
		{"W12 fresh dst", traffic{Read: 1024 * 4096 * (8 + 4 + 4), Write: 1024 * 4096 * 4}},
		{"W17 1000 cells, in place", traffic{Read: 1 << 20 * (8 + 4), Again: 1 << 20 * 8, Update: 63 * 64}}, // 4000 bytes
		{"W18", traffic{Read: 8 * 3 * 320 * 640 * 4, Write: 8 * 3 * 320 * 320 * 4}},                         // every other row
		{"W20 u8", traffic{Read: 8 * 640 * 640 * 3, Write: 8 * 640 * 640 * 3}},
		{"W21", traffic{Read: 8 * 3 * 600 * 38 * 64, Write: 8 * 3 * 600 * 600 * 4}}, // bytes 80-2479 of a row: lines 1-38
		{"W22", traffic{Read: 384 * 640 * 8 * 4, Write: 384 * 640 * 8 * 4}},
		{"W23", traffic{Read: 32 * 2048 * 128 * 4, Write: 32 * 2048 * 128 * 4}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := workloadNamed(t, test.name)
			assert.Equal(t, test.want, w.call.job(w.rng()).traffic())
		})
	}
}

func TestTrafficOfStride0IndicesCountsThemOnce(t *testing.T) {
	w := workloadNamed(t, "W16 stride 0, in place")
	got := w.call.job(w.rng()).traffic()
	assert.Equal(t, 88648*8+88648*128*4, got.Read)
	assert.Equal(t, 88648*8, got.Again)
	// 88648 updates leave a row of 19717 out with a chance of 1.1 %.
	assert.InEpsilon(t, 19717*0.989*128*4, got.Update, 0.003)
}

func TestTrafficOfFewIndicesCountsTouchedLinesAlone(t *testing.T) {
	rows := gatherND[f32, i64]{data: dims{1000, 64}, indices: dims{3, 1}}.job(newRNG()).(*gatherNDJob[f32, i64])
	copy(rows.indices, []i64{7, 7, 900})
	assert.Equal(t, traffic{Read: 3*8 + 2*256, Write: 3 * 256}, rows.traffic())

	single := gatherF32{data: dims{4096}, indices: dims{4}}.job(newRNG()).(*gatherElementsJob[f32, i64])
	copy(single.indices, []i64{0, 15, 16, 4095})
	assert.Equal(t, traffic{Read: 4*8 + 3*64, Write: 4 * 4}, single.traffic())
}

func TestLineSetAcrossALine(t *testing.T) {
	s := newLineSet(64, 4)
	s.add(15, 2)
	assert.Equal(t, 128, s.bytes())
	s.add(0, 32)
	assert.Equal(t, 128, s.bytes())
	s.add(63, 1)
	assert.Equal(t, 192, s.bytes())
}

// A pass moves each byte once, whatever the mix and the number of threads.
func TestStream(t *testing.T) {
	for name, mix := range map[string]traffic{
		"read and write":    {Read: 300 << 10, Write: 100<<10 + 8},
		"write most":        {Read: 1 << 10, Write: 3 << 20},
		"update":            {Read: 700001, Again: 400000, Update: 300 << 10},
		"update most":       {Read: 100, Again: 50, Update: 1 << 20},
		"smaller than line": {Read: 60, Write: 20},
	} {
		t.Run(name, func(t *testing.T) {
			for _, m := range methods {
				for _, threads := range []int{1, 2, 3} {
					s := newStream(mix)
					for i := range s.dst {
						s.dst[i] = 99
					}
					s.pass(m, threads)
					assert.NotContains(t, s.dst, byte(99))
					assert.NotContains(t, s.own, byte(1), "1 xor 1 is 0")
					assert.NotContains(t, s.src, byte(0))
				}
			}
		})
	}
}

func TestShareCoversAll(t *testing.T) {
	p := make([]byte, 1000)
	for n := 1; n < 40; n++ {
		total := 0
		for i := range n {
			total += len(share(p, i, n))
		}
		assert.Equal(t, len(p), total)
	}
}

func TestRandomReadsSpreadOverTheTable(t *testing.T) {
	assert.NotPanics(t, func() { newRandomTable(1<<20).pass(1<<16, 2) })

	table := make(randomTable, 4096) // all 0: the sum of what is read is checked
	assert.Panics(t, func() { table.pass(64, 1) })
}

// W24 is random: of 327,680 rows of 256 Ki, a part of 1-1/e^1.25 is touched. Of W28's lines one in 65,536 is not.
func TestTrafficOfSiblings(t *testing.T) {
	w := workloadNamed(t, "W24")
	got := w.call.job(w.rng()).traffic()
	assert.InEpsilon(t, 16384*(20*8+8)+0.7135*(256<<10)*512, got.Read, 0.005)
	assert.Equal(t, 16384*512, got.Write)

	w = workloadNamed(t, "W28")
	j := w.call.job(w.rng())
	assert.InEpsilon(t, 5*4<<20, j.traffic().Read, 0.001)
	assert.Equal(t, 4*j.elements(), j.traffic().Write)
}
