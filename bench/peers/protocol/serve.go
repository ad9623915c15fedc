package protocol

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"runtime/debug"
	"slices"
	"time"
	"unsafe"
)

// Settle is how long calls go on before those that are timed, so that these find what calls
// in a row find: the caches, and each thread on a CPU of its own. A thread that has
// rested may begin on the CPU of the one that wakes it, and stay for milliseconds.
const Settle = 10 * time.Millisecond

// Long is the time of a call before which no other is made.
const Long = 100 * time.Millisecond

const trialRounds = 5

// A Way is a way to make a call.
type Way struct {
	Used   string
	Run    func() error
	Result func() []byte // of the last run
	Reset  func()        // makes tensors that Run changes what they were; nil if it changes none
}

// ErrLacks is the error of a peer that has no such call.
var ErrLacks = errors.New("no such call")

// Lacks returns an ErrLacks that says what a peer has not.
func Lacks(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrLacks, fmt.Sprintf(format, args...))
}

// Serve answers the requests of r on w until r ends. Prepare returns the ways
// in which the peer can make a call; its panics, and a way's, are answers, too.
func Serve(r io.Reader, w io.Writer, version string, prepare func(Call) ([]Way, error)) error {
	in, out := json.NewDecoder(r), json.NewEncoder(w)
	if err := out.Encode(Reply{Version: version}); err != nil {
		return err
	}
	var s server
	for {
		var q Request
		if err := in.Decode(&q); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := out.Encode(s.answer(q, prepare)); err != nil {
			return err
		}
	}
}

// Main serves standard input and output, and ends the process.
func Main(module string, prepare func(Call) ([]Way, error)) {
	// What libraries print must not get between the answers.
	answers := os.Stdout
	os.Stdout = os.Stderr
	if err := Serve(os.Stdin, answers, moduleVersion(module), prepare); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func moduleVersion(module string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == module {
				return m.Version
			}
		}
	}
	return "unknown"
}

// A server holds the call that is prepared.
type server struct {
	way  Way
	last time.Duration // of a call
}

func (s *server) answer(q Request, prepare func(Call) ([]Way, error)) (a Reply) {
	defer func() {
		if p := recover(); p != nil {
			a = Reply{Error: fmt.Sprint(p)}
		}
	}()
	var err error
	switch q.Do {
	case "prepare":
		a.Used, err = s.prepare(q, prepare)
	case "result":
		err = s.result(q.File)
	case "run":
		var d, cpu time.Duration
		d, cpu, err = s.run(q.Calls, q.Times)
		a.NS, a.CPU = d.Nanoseconds(), cpu.Nanoseconds()
	case "release":
		*s = server{}
		debug.FreeOSMemory()
	default:
		err = fmt.Errorf("%q: no such request", q.Do)
	}
	switch {
	case errors.Is(err, ErrLacks):
		return Reply{Lacks: err.Error()}
	case err != nil:
		return Reply{Error: err.Error()}
	}
	return a
}

func (s *server) prepare(q Request, prepare func(Call) ([]Way, error)) (used string, err error) {
	*s = server{}
	ways, err := prepare(*q.Call)
	if err != nil {
		return "", err
	}
	ways = slices.DeleteFunc(ways, func(w Way) bool { return slices.Contains(q.Avoid, w.Used) })
	if len(ways) == 0 {
		return "", Lacks("no other way")
	}
	trials := make([]server, len(ways))
	for i, w := range ways {
		trials[i].way = w
	}
	if len(trials) > 1 {
		if err := rank(trials); err != nil {
			return "", err
		}
	}
	s.way = trials[0].way
	return s.way.Used, nil
}

// rank runs the ways in turn, and sorts them by their least times. Those that
// are much slower than the fastest run once.
func rank(trials []server) error {
	least := make(map[string]time.Duration)
	best := time.Duration(math.MaxInt64)
	for round := range trialRounds {
		for i := range trials {
			t := &trials[i]
			if round > 0 && least[t.way.Used] > 2*best || t.last > Long {
				continue
			}
			d, _, err := t.run(1, 1)
			if err != nil {
				return fmt.Errorf("%s: %w", t.way.Used, err)
			}
			if old, ok := least[t.way.Used]; !ok || d < old {
				least[t.way.Used] = d
			}
			best = min(best, d)
			t.way.reset()
		}
	}
	slices.SortStableFunc(trials, func(a, b server) int { return cmp.Compare(least[a.way.Used], least[b.way.Used]) })
	return nil
}

func (s *server) result(file string) error {
	s.way.reset()
	if err := s.way.Run(); err != nil {
		return err
	}
	if err := os.WriteFile(file, s.way.Result(), 0o666); err != nil {
		return err
	}
	s.way.reset()
	return nil
}

func (s *server) run(calls, times int) (least, leastCPU time.Duration, err error) {
	if s.last < Long {
		if err := SettleBy(s.way.Run, Settle); err != nil {
			return 0, 0, err
		}
	}
	least, leastCPU = math.MaxInt64, math.MaxInt64
	for range max(times, 1) {
		start, startCPU := Clock(), CPUTime()
		for range calls {
			if err := s.way.Run(); err != nil {
				return 0, 0, err
			}
		}
		least, leastCPU = min(least, Clock()-start), min(leastCPU, CPUTime()-startCPU)
	}
	s.last = least / time.Duration(max(calls, 1))
	return least, leastCPU, nil
}

// SettleBy makes calls for some time, and at least one.
func SettleBy(call func() error, enough time.Duration) error {
	for start := time.Now(); ; {
		if err := call(); err != nil || time.Since(start) >= enough {
			return err
		}
	}
}

func (w Way) reset() {
	if w.Reset != nil {
		w.Reset()
	}
}

// Load reads the elements of a tensor's file.
func Load[T any](t Tensor) ([]T, error) {
	b, err := os.ReadFile(t.File)
	if err != nil {
		return nil, err
	}
	var z T
	if want := span(t) * int(unsafe.Sizeof(z)); len(b) != want {
		return nil, fmt.Errorf("%s: %d bytes, not %d", path.Base(t.File), len(b), want)
	}
	v := make([]T, span(t)) // aligned, as b need not be
	copy(Bytes(v), b)
	return v, nil
}

// Written reads a tensor and writes a view out, as libraries want it that have none.
func Written[T any](t Tensor) ([]T, error) {
	v, err := Load[T](t)
	if err != nil || t.Strides == nil {
		return v, err
	}
	out := make([]T, 0, Size(t.Shape))
	at := make([]int, len(t.Shape))
	for range Size(t.Shape) {
		from := 0
		for d, i := range at {
			from += i * t.Strides[d]
		}
		out = append(out, v[from])
		for d := len(at) - 1; d >= 0; d-- {
			if at[d]++; at[d] < t.Shape[d] {
				break
			}
			at[d] = 0
		}
	}
	return out, nil
}

// span returns the number of elements of the file of a tensor.
func span(t Tensor) int {
	if t.Strides == nil {
		return Size(t.Shape)
	}
	last := 0
	for d, n := range t.Shape {
		if n == 0 {
			return 0
		}
		last += (n - 1) * t.Strides[d]
	}
	return last + 1
}

// Size returns the number of elements of a shape.
func Size(shape []int) int {
	n := 1
	for _, d := range shape {
		n *= d
	}
	return n
}

// Bytes returns the memory of v.
func Bytes[T any](v []T) []byte {
	var z T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(v))), len(v)*int(unsafe.Sizeof(z)))
}
