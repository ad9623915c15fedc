package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/lanes-go/lanes/bench/peers/protocol"
)

// A session is a peer's process. It is stopped but while it answers, so that
// threads which wait in a loop, and garbage collectors, take no time from
// others.
type session struct {
	peer    peer
	threads int
	version string
	argv    []string

	process *exec.Cmd
	stdin   io.WriteCloser
	answers chan protocol.Reply // closed at the end of the process's output
	stderr  tail
	paces   map[string]float64 // ns an element of what it ran last in each sweep
}

// patience is how long a peer may take for an answer.
const patience = 3 * time.Minute

func startSession(p peer, threads int, argv []string) (*session, error) {
	s := &session{peer: p, threads: threads, argv: argv, paces: map[string]float64{}}
	return s, s.start()
}

func (s *session) start() error {
	c := exec.Command(s.argv[0], s.argv[1:]...)
	n := strconv.Itoa(s.threads)
	c.Env = append(os.Environ(),
		"GOMAXPROCS="+n, "OMP_NUM_THREADS="+n, "OPENBLAS_NUM_THREADS="+n, "MKL_NUM_THREADS="+n,
		"NUMPY_MADVISE_HUGEPAGE=0", // lanes has ordinary pages, too
		"PYTHONDONTWRITEBYTECODE=1",
	)
	c.Stderr = &s.stderr
	var err error
	if s.stdin, err = c.StdinPipe(); err != nil {
		return err
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := startOn(c, s.threads); err != nil {
		return err
	}
	s.process = c
	s.answers = make(chan protocol.Reply)
	go func(answers chan<- protocol.Reply) {
		defer close(answers)
		for d := json.NewDecoder(stdout); ; {
			var a protocol.Reply
			if d.Decode(&a) != nil {
				return
			}
			answers <- a
		}
	}(s.answers)
	hello, err := s.answer()
	if err != nil {
		return err
	}
	s.version = hello.Version
	pause(c.Process)
	return nil
}

// ask sends a request and returns the answer, with what the peer says is wrong
// as the error.
func (s *session) ask(q protocol.Request) (protocol.Reply, error) {
	if s.process == nil {
		if err := s.start(); err != nil {
			return protocol.Reply{}, err
		}
	}
	resume(s.process.Process)
	if err := json.NewEncoder(s.stdin).Encode(q); err != nil {
		return protocol.Reply{}, s.end(err)
	}
	a, err := s.answer()
	if err != nil {
		return a, err
	}
	pause(s.process.Process)
	if a.Error != "" {
		err = errors.New(a.Error)
	}
	return a, err
}

func (s *session) answer() (protocol.Reply, error) {
	select {
	case a, ok := <-s.answers:
		if !ok {
			return a, s.end(errors.New("the process has ended"))
		}
		return a, nil
	case <-time.After(patience):
		return protocol.Reply{}, s.end(fmt.Errorf("no answer within %v", patience))
	}
}

// end ends the process, and returns the error with what it wrote last. The
// next request starts another.
func (s *session) end(err error) error {
	if s.process == nil {
		return err
	}
	s.process.Process.Kill()
	for range s.answers {
	}
	if wait := s.process.Wait(); wait != nil && err != nil {
		err = fmt.Errorf("%w: %w: %s", err, wait, s.stderr.last())
	}
	s.process = nil
	return err
}

// sampler returns how calls of what the peer has prepared are timed.
func (s *session) sampler() func(calls int) (time.Duration, error) {
	return func(calls int) (time.Duration, error) {
		a, err := s.ask(protocol.Request{Do: "run", Calls: calls})
		return time.Duration(a.NS), err
	}
}

// A tail keeps the end of what is written to it.
type tail []byte

func (t *tail) Write(p []byte) (int, error) {
	*t = append(*t, p...)
	*t = (*t)[max(0, len(*t)-4096):]
	return len(p), nil
}

func (t tail) last() string {
	lines := strings.Split(strings.TrimSpace(string(t)), "\n")
	return lines[len(lines)-1]
}
