package dispatch

import "golang.org/x/sys/unix"

// systemCaches asks for the fastest cores: the level 0 of their performance.
// Apple's own have a third level that the system doesn't tell of.
func systemCaches() caches {
	c := cache{
		bytes:   sysctl("hw.perflevel0.l2cachesize"),
		cpus:    int(sysctl("hw.perflevel0.cpusperl2")),
		threads: int(sysctl("hw.logicalcpu") / max(1, sysctl("hw.physicalcpu"))),
		source:  "sysctl hw.perflevel0.l2cachesize",
	}
	if c.bytes == 0 { // before macOS 12: Intel's, where each core has its own
		c = cache{bytes: sysctl("hw.l2cachesize"), source: "sysctl hw.l2cachesize"}
	}
	if bytes := sysctl("hw.l3cachesize"); bytes > 0 {
		return caches{c, cache{bytes: bytes, source: "sysctl hw.l3cachesize"}}
	}
	return caches{c, c}
}

// sysctl returns a number, of 4 or 8 bytes, as it happens; 0 if there is none.
func sysctl(name string) uint64 {
	b, err := unix.SysctlRaw(name)
	if err != nil || len(b) > 8 {
		return 0
	}
	var x uint64
	for i, v := range b {
		x |= uint64(v) << (8 * i)
	}
	return x
}
