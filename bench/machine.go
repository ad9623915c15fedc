package main

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/shirou/gopsutil/v4/cpu"
	"github.com/shirou/gopsutil/v4/load"

	"github.com/lanes-go/lanes/dispatch"
)

// A machine is what figures depend on.
type machine struct {
	CPU        string  `json:"cpu"`
	Cores      int     `json:"cores"`
	GOMAXPROCS int     `json:"gomaxprocs"`
	OS         string  `json:"goos"`
	Arch       string  `json:"goarch"`
	Go         string  `json:"go"`
	Load       float64 `json:"load"`     // average of the minute before: what others do shows in the times
	Dispatch   string  `json:"dispatch"` // the level in use, and why
}

func thisMachine() machine {
	m := machine{
		CPU: "unknown CPU", Cores: runtime.NumCPU(), GOMAXPROCS: runtime.GOMAXPROCS(0),
		OS: runtime.GOOS, Arch: runtime.GOARCH, Go: runtime.Version(), Dispatch: dispatch.Info(),
	}
	if info, err := cpu.Info(); err == nil && len(info) > 0 {
		m.CPU = strings.TrimSpace(info[0].ModelName)
	}
	if avg, err := load.Avg(); err == nil {
		m.Load = avg.Load1
	}
	return m
}

func (m machine) String() string {
	return fmt.Sprintf("%s, %d cores, GOMAXPROCS %d, load %.1f, %s/%s, %s\n%s",
		m.CPU, m.Cores, m.GOMAXPROCS, m.Load, m.OS, m.Arch, m.Go, strings.TrimSpace(m.Dispatch))
}
