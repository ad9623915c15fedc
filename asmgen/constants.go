package main

import "strconv"

// A constant is what the Go side has to know of the bodies of an architecture.
type constant struct {
	name, doc           string
	amd64, arm64, other string
}

func (c constant) value(a arch) string {
	switch a.name {
	case "amd64":
		return c.amd64
	case "arm64":
		return c.arm64
	}
	return c.other
}

var constants = []constant{
	{"soonBytes", "is how far bodies prefetch indices that are read in one run.", strconv.Itoa(soonBytes), "0", "0"},
	{"loadedEntries", "is how many entries gatherTablePiece loads of any table, or 0 for those that it has.", "0", "128", "0"},
	{"nearBytes", "is how far apart rows may lie that are gathered without a prefetch: less than a first-level cache, where prefetches take turns with loads.", "0", "64 << 10", "0"},
	{"entryBytes", "is the bytes of a permutation, as bodies read it.", strconv.Itoa(entryBytes), strconv.Itoa(entryBytes), "0"},
	{"entryPlaces", "is where the places begin in one.", strconv.Itoa(entryPermute), strconv.Itoa(entryPermute), "0"},
}
