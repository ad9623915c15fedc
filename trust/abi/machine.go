package abi

import (
	"debug/elf"
	"fmt"
	"strings"
)

// Code returns the machine code of a probe's subjects, by name.
func Code(probe string, subjects []Body) (map[string][]byte, error) {
	f, err := elf.Open(probe)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		return nil, err
	}
	found := map[string]elf.Symbol{}
	for _, s := range symbols {
		if name, ok := strings.CutPrefix(s.Name, "main."); ok && elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			found[strings.TrimSuffix(name, ".abi0")] = s
		}
	}
	text := f.Section(".text")
	if text == nil {
		return nil, fmt.Errorf("%s has no machine code", probe)
	}
	code := map[string][]byte{}
	for _, b := range subjects {
		s, ok := found[b.Name]
		if !ok || s.Size == 0 {
			return nil, fmt.Errorf("%s is not in the probe", b.Name)
		}
		bytes := make([]byte, s.Size)
		if _, err := text.ReadAt(bytes, int64(s.Value-text.Addr)); err != nil {
			return nil, fmt.Errorf("%s: %w", b.Name, err)
		}
		code[b.Name] = bytes
	}
	return code, nil
}
