package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"time"

	"github.com/lanes-go/lanes/trust/calls"
)

// An outcome is what a call came to: a result, or an error in words.
type outcome struct {
	result  calls.Tensor
	err     string
	crashed bool // the process ended or went silent; err says how
}

func (o outcome) failed() bool { return o.err != "" }

// A library makes calls.
type library interface {
	// answer makes calls of one group, and returns an outcome for each. The error
	// is one of the harness, after which nothing more can be asked.
	answer(group []*calls.Call) ([]outcome, error)
}

// A worker is a library in a process of its own, which is started again when a
// call ends it.
type worker struct {
	argv     []string
	version  string
	restarts int

	process *exec.Cmd
	stdin   io.WriteCloser
	stdout  io.Closer
	frames  chan frame // closed at the end of the process's output
	stderr  tail
}

type frame struct {
	reply   reply
	payload []byte
	err     error
}

// patience is how long a call may take; a process may take as long to start.
const patience = 2 * time.Minute

func startWorker(argv []string) (*worker, error) {
	w := &worker{argv: argv}
	return w, w.start()
}

func (w *worker) start() error {
	c := exec.Command(w.argv[0], w.argv[1:]...)
	c.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1", "PYTHONDONTWRITEBYTECODE=1")
	c.Stderr = &w.stderr
	c.WaitDelay = time.Second // for a process of its own that may hold the pipes
	var err error
	if w.stdin, err = c.StdinPipe(); err != nil {
		return err
	}
	stdout, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	w.process, w.stdout, w.frames = c, stdout, make(chan frame)
	go func(frames chan<- frame) {
		defer close(frames)
		for r := bufio.NewReaderSize(stdout, 1<<16); ; {
			var f frame
			if f.payload, f.err = readFrame(r, &f.reply); errors.Is(f.err, io.EOF) || errors.Is(f.err, os.ErrClosed) {
				return
			}
			frames <- f
			if f.err != nil {
				return
			}
		}
	}(w.frames)
	hello, err := w.next()
	if err == nil && hello.reply.Version == "" {
		err = w.end(errors.New("it does not say what version it is"))
	}
	w.version = hello.reply.Version
	return err
}

// next returns the next frame, or ends the process and returns why there is none.
func (w *worker) next() (frame, error) {
	select {
	case f, ok := <-w.frames:
		switch {
		case !ok:
			return f, w.end(errors.New("the process has ended"))
		case f.err != nil:
			return f, w.end(f.err)
		}
		return f, nil
	case <-time.After(patience):
		return frame{}, w.end(fmt.Errorf("no answer within %v", patience))
	}
}

// end ends the process, and returns the error with what it wrote last.
func (w *worker) end(err error) error {
	w.process.Process.Kill()
	w.stdout.Close()
	for range w.frames {
	}
	wait := w.process.Wait()
	w.process = nil
	return fmt.Errorf("%w: %v: %s", err, wait, w.stderr.last())
}

func (w *worker) close() {
	if w.process != nil {
		w.stdin.Close()
		w.process.Wait()
	}
}

// answer sends a group, and what is left of it once more when the process has
// ended. A call has crashed when that comes of it twice: once may be somebody else's doing.
func (w *worker) answer(group []*calls.Call) ([]outcome, error) {
	var outcomes []outcome
	failed := -1 // the call at which the process has ended
	for len(outcomes) < len(group) {
		if w.process == nil {
			w.restarts++
			if err := w.start(); err != nil {
				return nil, err
			}
		}
		header, payload := newRequest(group[len(outcomes):])
		if err := writeFrame(w.stdin, header, payload); err != nil {
			return nil, w.end(err)
		}
		for len(outcomes) < len(group) {
			f, err := w.next()
			if err != nil {
				if failed == len(outcomes) {
					outcomes = append(outcomes, outcome{err: err.Error(), crashed: true})
				}
				failed = len(outcomes)
				break
			}
			outcomes = append(outcomes, outcome{
				result: calls.Tensor{Type: group[0].Data.Type, Shape: f.reply.Shape, Data: f.payload},
				err:    f.reply.Error,
			})
		}
	}
	return outcomes, nil
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
