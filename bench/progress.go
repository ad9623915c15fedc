package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/jedib0t/go-pretty/v6/progress"
	"golang.org/x/term"
)

// A meter shows how far the run is: a bar with the time to go on a terminal,
// or else a line per workload.
type meter struct {
	out     io.Writer
	n, of   int
	bar     progress.Writer // nil if out is no terminal
	tracker *progress.Tracker
}

func newProgress(out io.Writer, of int) *meter {
	m := &meter{out: out, of: of}
	if f, ok := out.(*os.File); ok && of > 0 && term.IsTerminal(int(f.Fd())) {
		m.tracker = &progress.Tracker{Total: int64(of)}
		m.bar = progress.NewWriter()
		m.bar.SetOutputWriter(out)
		m.bar.SetUpdateFrequency(time.Second / 2) // it takes time from what is measured
		m.bar.SetMessageLength(32)
		m.bar.Style().Visibility.ETA = true
		m.bar.Style().Visibility.Percentage = false
		m.bar.AppendTracker(m.tracker)
		go m.bar.Render()
	}
	return m
}

// next says that the work on a workload or a call begins.
func (m *meter) next(name string) {
	m.n++
	line := fmt.Sprintf("%d/%d %s", m.n, m.of, name)
	if m.bar == nil {
		fmt.Fprintln(m.out, line)
		return
	}
	m.tracker.SetValue(int64(m.n - 1))
	m.tracker.UpdateMessage(line)
}

// stop ends the bar, before anything else is printed.
func (m *meter) stop() {
	if m.bar == nil {
		return
	}
	m.tracker.UpdateMessage(fmt.Sprintf("%d/%d workloads", m.n, m.of))
	m.tracker.MarkAsDone()
	m.bar.Stop()
	for m.bar.IsRenderInProgress() {
		time.Sleep(10 * time.Millisecond)
	}
}
