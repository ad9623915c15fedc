package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

const pinned = "processes pinned to as many cores as they have threads"

// firstCores returns the first n of the cores in a set.
func firstCores(set unix.CPUSet, n int) unix.CPUSet {
	var first unix.CPUSet
	for core := 0; core < len(set)*64 && first.Count() < n; core++ {
		if set.IsSet(core) {
			first.Set(core)
		}
	}
	return first
}

// allowed is what the process may run on, as it was started.
var allowed = func() (set unix.CPUSet) {
	unix.SchedGetaffinity(0, &set)
	return set
}()

// onCores makes the calling goroutine's thread run on the first n cores until
// it is released.
func onCores(n int) (release func()) {
	runtime.LockOSThread()
	var before unix.CPUSet
	unix.SchedGetaffinity(0, &before)
	set := firstCores(allowed, n)
	unix.SchedSetaffinity(0, &set)
	return func() {
		unix.SchedSetaffinity(0, &before)
		runtime.UnlockOSThread()
	}
}

// confine makes every thread of this process run on the first n cores.
func confine(n int) { confineProcess(os.Getpid(), firstCores(allowed, n)) }

// moveTo makes every thread of a process run on one core, of which there are as many as are
// allowed, and then the first again.
func moveTo(p *os.Process, core int) {
	set, before := firstCores(allowed, core%allowed.Count()+1), firstCores(allowed, core%allowed.Count())
	for i := range set {
		set[i] &^= before[i]
	}
	confineProcess(p.Pid, set)
}

// moveAnywhere takes moveTo back.
func moveAnywhere(p *os.Process) { confineProcess(p.Pid, allowed) }

func confineProcess(pid int, set unix.CPUSet) {
	threads, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", pid))
	if err != nil {
		return
	}
	for _, t := range threads {
		if id, err := strconv.Atoi(t.Name()); err == nil {
			unix.SchedSetaffinity(id, &set)
		}
	}
}

// startOn starts a process on the first n cores. It ends with this one.
func startOn(c *exec.Cmd, n int) error {
	defer onCores(n)() // a child has the cores of the thread that starts it
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return c.Start()
}

func pause(p *os.Process)  { p.Signal(syscall.SIGSTOP) }
func resume(p *os.Process) { p.Signal(syscall.SIGCONT) }
