// Command against is what -against times: it makes random calls with the
// checkout of lanes that it was built with, as package protocol says.
package main

import (
	"encoding/binary"
	"runtime"
	"runtime/debug"

	"github.com/lanes-go/lanes/bench/calls"
	"github.com/lanes-go/lanes/bench/peers/protocol"
)

func main() {
	debug.SetGCPercent(-1) // it runs between calls
	var job calls.Job
	var made string
	protocol.Main("github.com/lanes-go/lanes", func(call protocol.Call) ([]protocol.Way, error) {
		if call.Drawn != made { // or else the same with another number of workers
			job, made = nil, ""
			runtime.GC()
			c, err := calls.ByID(call.Drawn)
			if err != nil {
				return nil, err
			}
			job, made = calls.Make(c), call.Drawn
		}
		return []protocol.Way{{
			Used:   call.Drawn,
			Run:    func() error { return job.Run(call.Workers) },
			Result: func() []byte { return binary.BigEndian.AppendUint32(nil, job.Hash()) },
			Reset:  job.Reset,
		}}, nil
	})
}
