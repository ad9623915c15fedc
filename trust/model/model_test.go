package main

import "testing"

// The table covers every body, and none in it is slower than the loop that it replaces.
func TestTable(t *testing.T) {
	found, err := problems()
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range found {
		t.Error(problem)
	}
}

// A body that is slower by more than what the model's window blurs is marked.
func TestSlower(t *testing.T) {
	l := line{name: "body", generic: &cost{1, [4]float64{1, 1, 1, 1}}, body: &cost{1, [4]float64{1.02, 1.03, 0.5, 1}}}
	for i, want := range []bool{false, true, false, false} {
		if l.slower(i) != want {
			t.Errorf("%s: %v, not %v", cpus[i], l.slower(i), want)
		}
	}
}
