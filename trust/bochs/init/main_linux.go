// Command init is the first process of the emulated machine, and the only one: it runs the tests that /job
// names, says how many failed, and turns the machine off. A line of it is a directory, variables, and a command.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

func main() {
	for _, fs := range []struct{ kind, at string }{{"proc", "/proc"}, {"sysfs", "/sys"}, {"devtmpfs", "/dev"}, {"tmpfs", "/tmp"}} {
		if err := syscall.Mount(fs.kind, fs.at, fs.kind, 0, ""); err != nil {
			fmt.Println("init:", fs.at, err)
		}
	}
	job, err := os.ReadFile("/job")
	if err != nil {
		fmt.Println("init:", err)
	}
	failed := 0
	for line := range strings.Lines(string(job)) {
		fmt.Print("init: ", line)
		words := strings.Fields(line)
		at := 1 + slices.IndexFunc(words[1:], func(word string) bool { return strings.HasPrefix(word, "/") })
		cmd := exec.Command(words[at], words[at+1:]...)
		cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = words[0], words[1:at], os.Stdout, os.Stdout
		if err := cmd.Run(); err != nil {
			fmt.Println("init:", err)
			failed++
		}
	}
	fmt.Printf("init: %d commands failed\n", failed)
	time.Sleep(time.Second) // for the serial line
	if err := syscall.Reboot(syscall.LINUX_REBOOT_CMD_POWER_OFF); err != nil {
		panic(err)
	}
}
