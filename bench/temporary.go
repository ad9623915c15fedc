package main

import (
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// temporary has every directory that tempDir made.
var temporary struct {
	sync.Mutex
	dirs []string
}

// tempDir makes a directory, and returns what removes it. A signal that ends the program removes it, too:
// nothing that is deferred runs then. The peers end with the program: at the latest when they read the end
// of their input.
func tempDir(name string) (dir string, remove func(), err error) {
	clearOnSignal()
	temporary.Lock()
	defer temporary.Unlock()
	if dir, err = os.MkdirTemp("", name); err != nil {
		return "", nil, err
	}
	temporary.dirs = append(temporary.dirs, dir)
	return dir, func() { os.RemoveAll(dir) }, nil
}

var clearOnSignal = sync.OnceFunc(func() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		temporary.Lock() // so that no others are made
		for _, dir := range temporary.dirs {
			os.RemoveAll(dir)
		}
		os.Exit(130)
	}()
})
