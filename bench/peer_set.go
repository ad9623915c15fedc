package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/shirou/gopsutil/v4/mem"

	"github.com/lanes-go/lanes/bench/peers/protocol"
)

// A peerSet is the peers of a run.
type peerSet struct {
	sessions []*session
	known    []known
	dir      string // of the tensors' files
	remove   func() // removes it
}

// What is known of a peer before anything is measured.
type known struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	Missing string `json:"missing,omitempty"` // why there is none
}

// newPeerSet builds and starts the peers, each once for every number of threads.
// A peer that is not available is known as missing.
func newPeerSet(list []peer, workers []int, log io.Writer) (*peerSet, error) {
	w, err := newWorkshop(log)
	if err != nil {
		return nil, err
	}
	c := new(peerSet)
	if c.dir, c.remove, err = tempDir("lanes-bench"); err != nil {
		return nil, err
	}
	for _, p := range list {
		fmt.Fprintln(log, "peer", p.name)
		c.add(p, w, workers)
	}
	return c, nil
}

func (c *peerSet) add(p peer, w *workshop, workers []int) {
	k := known{Name: p.name}
	argv, err := p.obtain(w)
	if err == nil {
		for _, n := range p.threadCounts(workers) {
			var s *session
			if s, err = p.start(argv, n); err != nil {
				break
			}
			k.Version = s.version
			c.sessions = append(c.sessions, s)
		}
	}
	if err != nil {
		k.Missing = err.Error()
		c.sessions = slices.DeleteFunc(c.sessions, func(s *session) bool {
			gone := s.peer.name == p.name
			if gone {
				s.end(nil)
			}
			return gone
		})
	}
	c.known = append(c.known, k)
}

// close ends the peers.
func (c *peerSet) close() {
	if c == nil {
		return
	}
	for _, s := range c.sessions {
		s.end(nil)
	}
	c.remove()
}

// contenders has the peers prepare a job, and compares their results with that
// of lanes. A peer that cannot make the call, or gives another result, is a
// contender that says so and is never timed.
func (c *peerSet) contenders(w workload, j job, o options) ([]*contender, error) {
	if c == nil || len(c.sessions) == 0 {
		return nil, nil
	}
	e := j.forPeers()
	if e.call.Operator == "" {
		return nil, nil
	}
	call, err := e.write(c.dir)
	if err != nil {
		return nil, err
	}
	j.reset()
	if err := o.setups()[0].run(j); err != nil {
		return nil, err
	}
	want := e.lanes()
	j.reset()

	var field []*contender
	for _, s := range c.sessions {
		if !slices.Contains(s.peer.threadCounts(o.workers), s.threads) {
			continue
		}
		x := &contender{Kind: rival, Name: s.peer.name, Threads: s.threads, remote: s.sampler()}
		sweep := w.sweep()
		if e.tooLarge(available()) {
			x.Without = "left out: it may need more memory than there is"
		} else if pace := s.paces[sweep.Name]; sweep.Name != "" && pace*float64(j.elements()) > float64(tooLong.Nanoseconds()) {
			x.Without = "left out: a call would take longer than " + tooLong.String()
		} else {
			c.prepare(s, x, call, e, want)
		}
		x.settled = func(ns float64) error {
			s.paces[sweep.Name] = ns / float64(j.elements())
			if s.threads == 1 {
				return nil
			}
			_, err := c.compare(s, e, want) // what threads race for need not be right twice
			return err
		}
		field = append(field, x)
	}
	return field, nil
}

// copiesOfPeer is how many times its operands' bytes a peer holds at most: they are read, brought into its
// own form and types, and the result is written.
const copiesOfPeer = 4

// tooLarge reports whether a peer may need more than so many bytes of memory for the job.
func (e peerJob) tooLarge(available uint64) bool {
	operands := len(e.data.memory) + len(e.indices.memory) + len(e.updates.memory) + len(e.result)
	return copiesOfPeer*uint64(operands) > available
}

// available returns how many bytes of memory this machine has left for programs.
func available() uint64 {
	m, err := mem.VirtualMemory()
	if err != nil {
		return math.MaxUint64
	}
	return m.Available
}

// prepare makes a session ready for a call, or notes why it is not. Ways to
// make the call that give another result are noted and left out.
func (c *peerSet) prepare(s *session, x *contender, call protocol.Call, e peerJob, want []byte) {
	q := protocol.Request{Do: "prepare", Call: &call}
	for {
		a, err := s.ask(q)
		switch {
		case err != nil:
			x.Without = why(err)
		case a.Lacks != "" && x.Wrong != nil:
			x.Without = x.Wrong[0]
		case a.Lacks != "":
			x.Without = a.Lacks
		default:
			x.Used = a.Used
			if x.Agrees, err = c.compare(s, e, want); err == nil {
				return
			}
			if errors.As(err, new(mismatch)) {
				x.Wrong = append(x.Wrong, a.Used+": "+why(err))
				q.Avoid = append(q.Avoid, a.Used)
				continue
			}
			x.Without = why(err)
		}
		s.release()
		return
	}
}

// compare has a session make its call, and compares the result.
func (c *peerSet) compare(s *session, e peerJob, want []byte) (agree string, err error) {
	file := filepath.Join(c.dir, "result")
	if _, err := s.ask(protocol.Request{Do: "result", File: file}); err != nil {
		return "", err
	}
	got, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	return e.compare(want, got)
}

// why says why a contender has no figure.
func why(err error) string {
	if errors.As(err, new(mismatch)) {
		return "another result: " + err.Error()
	}
	return "failed: " + err.Error()
}

// release has a peer forget what it has prepared. One that has ended need not start for that.
func (s *session) release() {
	if s.process != nil {
		s.ask(protocol.Request{Do: "release"})
	}
}

// release has the peers forget what they have prepared.
func (c *peerSet) release() {
	if c == nil {
		return
	}
	for _, s := range c.sessions {
		s.release()
	}
}

// orderOf returns where a peer stands in the list of all.
func orderOf(name string) int {
	return slices.IndexFunc(peers, func(p peer) bool { return p.name == name })
}

func byPeer(a, b *contender) int {
	return cmp.Or(cmp.Compare(orderOf(a.Name), orderOf(b.Name)), cmp.Compare(a.Threads, b.Threads))
}
