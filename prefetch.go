package lanes

// Prefetch asks for n bytes of memory from at on, as far as they lie in it, to
// be brought into the first-level cache. It is a hint, and nothing on ports without assembly.
func Prefetch(memory []byte, at, n int) {
	end := min(at+n, len(memory))
	at = max(at, 0)
	if at < end {
		selectPrefetch(memory[at:end])
	}
}
