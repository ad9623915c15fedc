//go:build !(amd64 || arm64) || purego || noasm

package lanes

func selectPrefetch([]byte) {}
