package main

import "strconv"

// A constant is a fact about the bodies of an architecture that the Go code needs.
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
	{"indexDistance", "is the prefetch distance, in bytes, of indices that are read in one run.", strconv.Itoa(indexDistance), "0", "0"},
	{"loadedEntries", "is how many entries gatherTablePiece loads of any table, or 0 for those that it has.", "0", "128", "0"},
	{"nearRows", "says whether gatherRowsPiece has a body without a prefetch, for rows that are near each other.", "false", "true", "false"},
	{"streams", "says whether bodies store past the caches.", "true", "false", "false"},
	{"unsignedMin", "is what a body is told that combines rows, for Min of integers without a sign.", strconv.Itoa(unsignedMin), strconv.Itoa(unsignedMin), "0"},
	{"unsignedMax", "is the same for Max.", strconv.Itoa(unsignedMax), strconv.Itoa(unsignedMax), "0"},
	{"entryBytes", "is the bytes of a permutation, as bodies read it.", strconv.Itoa(entryBytes), strconv.Itoa(entryBytes), "0"},
	{"entryPlaces", "is where the places begin in one.", strconv.Itoa(entryPermute), strconv.Itoa(entryPermute), "0"},
}
