package dispatch

import (
	"strconv"
	"strings"
	"syscall"
)

func systemCaches() caches { return readCaches("/sys/devices/system/cpu/cpu0") }

// readCaches reads the caches from a CPU's directory in sysfs (the kernel's
// Documentation/ABI/testing/sysfs-devices-system-cpu). This takes some 40 µs.
func readCaches(cpu string) (c caches) {
	highest := 0
	for i := range 8 {
		index := cpu + "/cache/index" + strconv.Itoa(i)
		line := readLine(index + "/level")
		if line == "" {
			break
		}
		level, err := strconv.Atoi(line)
		if err != nil || level < 2 || level > 9 || readLine(index+"/type") == "Instruction" {
			continue
		}
		found := cache{
			bytes:   parseSize(readLine(index + "/size")),
			cpus:    countCPUs(readLine(index + "/shared_cpu_list")),
			threads: countCPUs(readLine(cpu + "/topology/thread_siblings_list")),
			source:  index,
		}
		if level == 2 {
			c.second = found
		}
		if level > highest {
			highest, c.last = level, found
		}
	}
	return c
}

// readLine returns the line in a file, or nothing if that can't be read. (Package
// os takes three times as long, and starts the runtime's poller.)
func readLine(file string) string {
	fd, err := syscall.Open(file, syscall.O_RDONLY|syscall.O_CLOEXEC|syscall.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer syscall.Close(fd)
	var line [256]byte
	n, err := syscall.Read(fd, line[:])
	if err != nil {
		return ""
	}
	return strings.TrimSuffix(string(line[:n]), "\n")
}

// parseSize reads a size such as 2048K, as the kernel writes all of them; 0 if
// it is no such number.
func parseSize(s string) uint64 {
	digits, ok := strings.CutSuffix(s, "K")
	k, err := strconv.ParseUint(digits, 10, 54)
	if !ok || err != nil {
		return 0
	}
	return k << 10
}

// countCPUs counts the CPUs of a list such as 0-3,8; 0 if it is no such list.
func countCPUs(list string) int {
	n := 0
	for part := range strings.SplitSeq(list, ",") {
		first, last, isRange := strings.Cut(part, "-")
		if !isRange {
			last = first
		}
		from, err := strconv.ParseUint(first, 10, 16)
		to, err2 := strconv.ParseUint(last, 10, 16)
		if err != nil || err2 != nil || to < from {
			return 0
		}
		n += int(to-from) + 1
	}
	return n
}
