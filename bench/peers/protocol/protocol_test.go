package protocol

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// converse serves requests and returns the answers, the first of which tells the version.
func converse(t *testing.T, prepare func(Call) ([]Way, error), requests ...Request) []Reply {
	t.Helper()
	var in strings.Builder
	for _, q := range requests {
		if err := json.NewEncoder(&in).Encode(q); err != nil {
			t.Fatal(err)
		}
	}
	r, w := io.Pipe()
	go func() { w.CloseWithError(Serve(strings.NewReader(in.String()), w, "v1", prepare)) }()
	var replies []Reply
	for d := json.NewDecoder(r); ; {
		var a Reply
		if err := d.Decode(&a); errors.Is(err, io.EOF) {
			return replies
		} else if err != nil {
			t.Fatal(err)
		}
		replies = append(replies, a)
	}
}

func TestServe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "result")
	cell := byte(0)
	runs := 0
	prepare := func(Call) ([]Way, error) {
		return []Way{{
			Used:   "count",
			Run:    func() error { cell++; runs++; time.Sleep(Settle); return nil }, // so that one call settles
			Result: func() []byte { return []byte{cell} },
			Reset:  func() { cell = 7 },
		}}, nil
	}
	replies := converse(t, prepare,
		Request{Do: "prepare", Call: &Call{}},
		Request{Do: "result", File: file},
		Request{Do: "run", Calls: 5, Times: 2},
		Request{Do: "release"},
		Request{Do: "dance"},
	)
	if len(replies) != 6 || replies[0].Version != "v1" || replies[1].Used != "count" || replies[3].NS <= 0 || replies[4] != (Reply{}) ||
		replies[5].Error != `"dance": no such request` {
		t.Errorf("%+v", replies)
	}
	if got, _ := os.ReadFile(file); string(got) != "\x08" {
		t.Errorf("the result is %v; a call in place begins with what was loaded", got)
	}
	if cell != 7+11 || runs != 1+11 {
		t.Errorf("cell %d after %d runs: after a result tensors are as loaded, and one call that takes as long as settling is made more than asked", cell, runs)
	}
}

func TestTheFastestWayIsKept(t *testing.T) {
	way := func(used string, d time.Duration) Way {
		return Way{Used: used, Run: func() error { time.Sleep(d); return nil }}
	}
	prepare := func(Call) ([]Way, error) {
		return []Way{way("slow", 20*time.Millisecond), way("fast", 0), way("long", Long+time.Millisecond)}, nil
	}
	if got := converse(t, prepare, Request{Do: "prepare", Call: &Call{}})[1]; got.Used != "fast" {
		t.Errorf("%+v", got)
	}
}

func TestSettling(t *testing.T) {
	runs, failure := 0, errors.New("no memory")
	began := time.Now()
	if err := SettleBy(func() error { runs++; return nil }, Settle); err != nil || time.Since(began) < Settle || runs < 2 {
		t.Errorf("%d calls in %v: %v", runs, time.Since(began), err)
	}
	if err := SettleBy(func() error { return failure }, Settle); err != failure {
		t.Errorf("%v", err)
	}
}

// TestClock: a step is far shorter than what is timed by it.
func TestClock(t *testing.T) {
	start := time.Now()
	before, steps := Clock(), 0
	for time.Since(start) < 20*time.Millisecond {
		if now := Clock(); now > before {
			before = now
			steps++
		} else if now < before {
			t.Fatalf("%v after %v", now, before)
		}
	}
	if steps < 1000 {
		t.Errorf("%d steps in 20 ms", steps)
	}
}

func TestWhatAPeerCanNotDo(t *testing.T) {
	for _, test := range []struct {
		prepare func(Call) ([]Way, error)
		want    Reply
	}{
		{func(Call) ([]Way, error) { return nil, Lacks("no reduction %s", "mean") }, Reply{Lacks: "no such call: no reduction mean"}},
		{func(Call) ([]Way, error) { return nil, errors.New("no memory") }, Reply{Error: "no memory"}},
		{func(Call) ([]Way, error) { panic("at the library") }, Reply{Error: "at the library"}},
	} {
		if got := converse(t, test.prepare, Request{Do: "prepare", Call: &Call{}})[1]; got != test.want {
			t.Errorf("%+v, not %+v", got, test.want)
		}
	}
}

func TestWrittenReadsViews(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(file, Bytes([]int64{4, 5, 6}), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		tensor Tensor
		want   []int64
	}{
		{Tensor{File: file, Shape: []int{3}}, []int64{4, 5, 6}},
		{Tensor{File: file, Shape: []int{3, 2}, Strides: []int{1, 0}}, []int64{4, 4, 5, 5, 6, 6}},
		{Tensor{File: file, Shape: []int{2, 2}, Strides: []int{1, 1}}, []int64{4, 5, 5, 6}},
	} {
		got, err := Written[int64](test.tensor)
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v: %v, %v", test.tensor, got, err)
		}
	}
	if _, err := Load[int64](Tensor{File: file, Shape: []int{4}}); err == nil {
		t.Error("a file that is too short was read")
	}
}

func TestCutEnd(t *testing.T) {
	for want, c := range map[int]Cut{
		9:  {Begin: 2, Count: 3, Stride: 3},
		-1: {Begin: 4, Count: 5, Stride: -1},
		3:  {Begin: 2, Count: 1, Stride: 1},
	} {
		if got := c.End(); got != want {
			t.Errorf("%+v ends at %d, not %d", c, got, want)
		}
	}
}
