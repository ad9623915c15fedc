//go:build !linux

package main

import (
	"os"
	"os/exec"
	"time"
)

const pinned = "processes not pinned to cores: this system has no call for it"

func onCores(int) (release func()) { return func() {} }

func confine(int) {}

func moveTo(*os.Process, int) {}

func moveAnywhere(*os.Process) {}

func startOn(c *exec.Cmd, _ int) error { return c.Start() }

// pause gives threads that wait in a loop the time to give up.
func pause(*os.Process)  { time.Sleep(5 * time.Millisecond) }
func resume(*os.Process) {}
