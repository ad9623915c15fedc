package dispatch

import (
	"math/bits"
	"unsafe"

	"golang.org/x/sys/windows"
)

var getLogicalProcessorInformation = windows.NewLazySystemDLL("kernel32.dll").NewProc("GetLogicalProcessorInformation")

// processorInformation is SYSTEM_LOGICAL_PROCESSOR_INFORMATION, with
// CACHE_DESCRIPTOR for its union of 16 bytes.
type processorInformation struct {
	mask         uintptr // a bit for each CPU
	relationship uint32
	_            [unsafe.Sizeof(uintptr(0)) - 4]byte
	level        uint8
	_            uint8 // associativity
	_            uint16
	size         uint32
	kind         uint32
	_            uint32
}

const (
	relationProcessorCore = 0
	relationCache         = 2
	cacheInstruction      = 1
)

func systemCaches() (c caches) {
	const source = "GetLogicalProcessorInformation"
	c.second.source, c.last.source = source, source
	if getLogicalProcessorInformation.Find() != nil {
		return c
	}
	var bytes uint32
	getLogicalProcessorInformation.Call(0, uintptr(unsafe.Pointer(&bytes)))
	list := make([]processorInformation, bytes/uint32(unsafe.Sizeof(processorInformation{})))
	if len(list) == 0 {
		return c
	}
	ok, _, _ := getLogicalProcessorInformation.Call(uintptr(unsafe.Pointer(&list[0])), uintptr(unsafe.Pointer(&bytes)))
	if ok == 0 {
		return c
	}
	highest := uint8(0)
	for _, p := range list {
		cpus := bits.OnesCount64(uint64(p.mask))
		switch {
		case p.mask&1 == 0: // not the first CPU's
		case p.relationship == relationProcessorCore:
			c.second.threads = cpus
		case p.relationship == relationCache && p.level >= 2 && p.kind != cacheInstruction:
			if p.level == 2 {
				c.second.bytes, c.second.cpus = uint64(p.size), cpus
			}
			if p.level > highest {
				highest, c.last.bytes, c.last.cpus = p.level, uint64(p.size), cpus
			}
		}
	}
	return c
}
