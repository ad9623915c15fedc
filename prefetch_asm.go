//go:build (amd64 || arm64) && !purego && !noasm

package lanes

func selectPrefetch(memory []byte) {
	for vectors() && len(memory) > 0 {
		n := min(len(memory), pieceBytes)
		prefetchPiece(&memory[0], n)
		memory = memory[n:]
	}
}
