package kernels

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// unfiltered skips a test where a filter of system calls is in force, and helpers stay where they
// begin. Elsewhere they have to know their processor.
func unfiltered(tb testing.TB) {
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(tb, err)
	if !strings.Contains(string(status), "\nSeccomp:\t0\n") {
		require.Equal(tb, -1, processor())
		tb.Skip("a filter of system calls is in force")
	}
	require.GreaterOrEqual(tb, processor(), 0)
}

// only returns one processor.
func only(n int) (p processors) {
	p[n/64] = 1 << (n % 64)
	return p
}

// TestLeaveProcessor: a thread is on another processor after it has left one, if there are several,
// and may run where it might before.
func TestLeaveProcessor(t *testing.T) {
	unfiltered(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	may := func() (p processors) {
		require.True(t, p.call(syscall.SYS_SCHED_GETAFFINITY))
		return p
	}
	before, moved := may(), false
	for range 100 { // or it comes back before it is asked
		here := processor()
		leaveProcessor(here)
		moved = moved || processor() != here
	}
	require.Equal(t, before != only(processor()), moved)
	leaveProcessor(-1)
	leaveProcessor(1 << 20)
	require.Equal(t, before, may())

	one := only(processor())
	require.True(t, one.call(syscall.SYS_SCHED_SETAFFINITY))
	defer before.call(syscall.SYS_SCHED_SETAFFINITY)
	leaveProcessor(processor())
	require.Equal(t, one, may(), "there is no other")
}

// TestHelpersLeave: a helper that begins on its caller's processor works on another, if it spins.
func TestHelpersLeave(t *testing.T) {
	unfiltered(t)
	alone(t, 2)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var all processors
	require.True(t, all.call(syscall.SYS_SCHED_GETAFFINITY))
	if all == only(processor()) {
		require.Equal(t, 1, runtime.NumCPU(), "the thread was left on one of several processors")
		t.Skip("there is one processor")
	}
	for _, idle := range []int{0, 20_000} {
		left := 0
		for range 20 {
			here := processor()
			c := newCounted(1)
			c.do = func(int) {
				if processor() != here {
					left++
				}
			}
			helpers.beside.Store(int64(here))
			helpers.offers[0].Store(newJob(c, 1, 1))
			helpers.helpers.Add(1)
			helpers.queued.Add(1)
			helpers.help(idle)
			helpers.offers[0].Store(nil)
			c.requireOnce(t)
		}
		if idle > 0 {
			require.Greater(t, left, 10)
		} else {
			require.Less(t, left, 10)
		}
	}
}

// TestSandboxLater: a program lives on that sets a filter of system calls which ends it for those
// that move a thread.
func TestSandboxLater(t *testing.T) {
	const inside = "LANES_SANDBOXED"
	if os.Getenv(inside) == "" {
		unfiltered(t)
		c := exec.Command(os.Args[0], "-test.run=^TestSandboxLater$")
		c.Env = append(os.Environ(), inside+"=1")
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.Contains(t, string(out), "PASS")
		return
	}
	runtime.LockOSThread() // of a thread that ends with the test
	require.GreaterOrEqual(t, processor(), 0)
	type instruction struct {
		code   uint16
		jt, jf uint8
		k      uint32
	}
	program := []instruction{
		{0x20, 0, 0, 0}, // load the number of the call
		{0x15, 1, 0, uint32(getcpu())}, {0x15, 0, 1, syscall.SYS_SCHED_SETAFFINITY},
		{0x06, 0, 0, 0x8000_0000}, // end the process
		{0x06, 0, 0, 0x7FFF_0000}, // allow
	}
	filter := struct {
		n    uint16
		list *instruction
	}{uint16(len(program)), &program[0]}
	const noNewPrivileges, seccomp, setFilter, allThreads = 38, 317, 1, 1
	_, _, e := syscall.RawSyscall6(syscall.SYS_PRCTL, noNewPrivileges, 1, 0, 0, 0, 0)
	require.Zero(t, e)
	_, _, e = syscall.RawSyscall(seccomp, setFilter, allThreads, uintptr(unsafe.Pointer(&filter)))
	require.Zero(t, e)
	require.Equal(t, -1, processor())
}

// BenchmarkBegin tells how long a goroutine takes to begin after a pause, while the one that
// started it polls, and how often it begins on the same processor.
//
//	go test ./kernels -run '^$' -bench Begin -benchtime 100x
func BenchmarkBegin(b *testing.B) {
	unfiltered(b)
	for _, pause := range []time.Duration{0, time.Millisecond, 10 * time.Millisecond} {
		b.Run("pause="+pause.String(), func(b *testing.B) {
			var times []float64
			beside := 0
			for b.Loop() {
				if time.Sleep(pause); pause == 0 { // busy, and no helper is
					for end := clock() + 2_000_000; clock() < end; {
					}
				}
				type start struct {
					at   int64
					here int
				}
				begun := make(chan start, 1)
				began, here := clock(), processor()
				go func() { begun <- start{clock(), processor()} }()
				go func() {}() // see team.start
				for len(begun) == 0 {
				}
				s := <-begun
				times = append(times, float64(s.at-began)/1e3)
				if s.here == here {
					beside++
				}
			}
			slices.Sort(times)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(times[len(times)/2], "µs/begin")
			b.ReportMetric(100*float64(beside)/float64(len(times)), "%-beside")
		})
	}
}
