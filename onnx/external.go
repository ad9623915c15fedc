package onnx

import (
	"io"
	"io/fs"
	"path"
	"strconv"
)

type entryProto struct{ key, value string }

var entryMessage = message[entryProto, entryProto]{map[number]field[entryProto]{
	1: {"key", text(func(e *entryProto) *string { return &e.key })},
	2: {"value", text(func(e *entryProto) *string { return &e.value })},
}, itself[entryProto]}

// read returns the bytes of a tensor in an external file. Entries are those of ONNX's external
// data: location, and optionally offset, length and checksum.
func (d *decoder) read(entries []entryProto, bytes int) ([]byte, error) {
	var location string
	offset, length := int64(0), int64(bytes)
	for _, e := range entries {
		var err error
		switch e.key {
		case "location":
			location = e.value
		case "offset":
			offset, err = strconv.ParseInt(e.value, 10, 64)
		case "length":
			length, err = strconv.ParseInt(e.value, 10, 64)
		}
		if err != nil || offset < 0 || length < 0 {
			return nil, malformed("%s %q", e.key, e.value)
		}
	}
	name := path.Clean(location) // "./a/../b" is "b", as ONNX has it
	switch {
	case d.External == nil:
		return nil, unsupported("%q: no Config.External to read it from", location)
	case !fs.ValidPath(name) || name == ".":
		return nil, malformed("location %q", location)
	case length != int64(bytes):
		return nil, malformed("length %d, and the tensor has %d bytes", length, bytes)
	}
	info, err := fs.Stat(d.External, name) // to open a pipe would wait for who writes to it
	if err != nil {
		return nil, malformed("%v", err)
	}
	end := info.Size()
	if !info.Mode().IsRegular() || offset > end || int64(bytes) > end-offset {
		return nil, malformed("%q has %d bytes, and the tensor %d from %d on", location, end, bytes, offset)
	}
	f, err := d.External.Open(name)
	if err != nil {
		return nil, malformed("%v", err)
	}
	defer f.Close()
	at, ok := f.(io.ReaderAt)
	if !ok {
		return nil, unsupported("%q: not an io.ReaderAt", location)
	}
	b := make([]byte, bytes)
	if n, err := at.ReadAt(b, offset); n < bytes {
		return nil, malformed("%v", err)
	}
	return b, nil
}
