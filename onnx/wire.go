package onnx

import (
	"fmt"
	"math"

	"google.golang.org/protobuf/encoding/protowire"
)

// A field of a protobuf message is read into a part of an S.
type field[S any] struct {
	name string
	read reader[S]
}

type reader[S any] func(d *decoder, s *S, v wire) error

// A message is its fields by their numbers, and what an S of them makes: a T. A
// file may hold other fields, which are passed over: later versions of ONNX add some.
type message[S, T any] struct {
	fields map[protowire.Number]field[S]
	make   func(*decoder, *S) (T, error)
}

// A decoder keeps what the messages of a file have in common.
type decoder struct {
	Config
	messages int   // in lists, so far
	bytes    int64 // of tensors, so far
}

// maxMessages is how many nodes, attributes, tensors, values, dimensions a file may have
// in all. An empty one takes two bytes in the file and a hundred times as much here.
const maxMessages = 1 << 20

// A wire is a value as it is encoded.
type wire struct {
	kind  protowire.Type
	bits  uint64 // of a number
	bytes []byte // of everything else; a part of the file
}

// decode reads a message.
func decode[S, T any](d *decoder, m message[S, T], b []byte) (made T, err error) {
	var s S
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return made, malformed("%v", protowire.ParseError(n))
		}
		b = b[n:]
		v := wire{kind: kind}
		switch kind {
		case protowire.VarintType:
			v.bits, n = protowire.ConsumeVarint(b)
		case protowire.Fixed32Type:
			v.bits, n = fixed32(b)
		case protowire.Fixed64Type:
			v.bits, n = protowire.ConsumeFixed64(b)
		case protowire.BytesType:
			v.bytes, n = protowire.ConsumeBytes(b)
		default: // groups, which ONNX does not use
			n = protowire.ConsumeFieldValue(number, kind, b)
		}
		f, known := m.fields[number]
		if !known {
			f.name = fmt.Sprintf("field %d", number)
		}
		switch {
		case n < 0:
			err = malformed("%v", protowire.ParseError(n))
		case known:
			err = f.read(d, &s, v)
		}
		if err != nil {
			return made, in(f.name, err)
		}
		b = b[n:]
	}
	return m.make(d, &s)
}

func (v wire) want(kind protowire.Type) error {
	if v.kind != kind {
		return malformed("wire type %d, and not %d", v.kind, kind)
	}
	return nil
}

// numbers calls take with each number of a list, packed or one by one.
func (v wire) numbers(kind protowire.Type, take func(bits uint64) error) error {
	if v.kind == kind {
		return take(v.bits)
	}
	consume := protowire.ConsumeVarint
	switch kind {
	case protowire.Fixed32Type:
		consume = fixed32
	case protowire.Fixed64Type:
		consume = protowire.ConsumeFixed64
	}
	for b := v.bytes; len(b) > 0; {
		bits, n := consume(b)
		if n < 0 {
			return malformed("%v", protowire.ParseError(n))
		}
		if err := take(bits); err != nil {
			return err
		}
		b = b[n:]
	}
	return v.want(protowire.BytesType)
}

func fixed32(b []byte) (uint64, int) {
	bits, n := protowire.ConsumeFixed32(b)
	return uint64(bits), n
}

// What follows are the readers of fields, by the part of an S that takes the value.

func integer[S any](part func(*S) *int64) reader[S] {
	return func(_ *decoder, s *S, v wire) error {
		*part(s) = int64(v.bits)
		return v.want(protowire.VarintType)
	}
}

func float[S any](part func(*S) *float32) reader[S] {
	return func(_ *decoder, s *S, v wire) error {
		*part(s) = math.Float32frombits(uint32(v.bits))
		return v.want(protowire.Fixed32Type)
	}
}

func text[S any](part func(*S) *string) reader[S] {
	return func(_ *decoder, s *S, v wire) error {
		*part(s) = stringOf(v.bytes)
		return v.want(protowire.BytesType)
	}
}

func texts[S any](part func(*S) *[]string) reader[S] {
	return func(_ *decoder, s *S, v wire) error {
		p := part(s)
		*p = append(*p, stringOf(v.bytes))
		return v.want(protowire.BytesType)
	}
}

// integers and floats read lists that may be packed.
func integers[S any](part func(*S) *[]int64) reader[S] {
	return func(_ *decoder, s *S, v wire) error {
		p := part(s)
		return v.numbers(protowire.VarintType, func(bits uint64) error {
			*p = append(*p, int64(bits))
			return nil
		})
	}
}

func floats[S any](part func(*S) *[]float32) reader[S] {
	return func(_ *decoder, s *S, v wire) error {
		p := part(s)
		return v.numbers(protowire.Fixed32Type, func(bits uint64) error {
			*p = append(*p, math.Float32frombits(uint32(bits)))
			return nil
		})
	}
}

// one reads a message that there is at most one of.
func one[S, A, B any](m message[A, B], part func(*S) **B) reader[S] {
	return func(d *decoder, s *S, v wire) error {
		p := part(s)
		if *p != nil {
			return malformed("given twice")
		}
		if err := v.want(protowire.BytesType); err != nil {
			return err
		}
		made, err := decode(d, m, v.bytes)
		*p = &made
		return err
	}
}

// list reads a message of a list.
func list[S, A, B any](m message[A, B], part func(*S) *[]B) reader[S] {
	return func(d *decoder, s *S, v wire) error {
		if err := v.want(protowire.BytesType); err != nil {
			return err
		}
		if d.messages++; d.messages > maxMessages {
			return &FormatError{Reason: fmt.Sprintf("more than %d messages in all", maxMessages), Kind: ErrLimit}
		}
		p := part(s)
		made, err := decode(d, m, v.bytes)
		if err != nil {
			return in(fmt.Sprintf("[%d]", len(*p)), err)
		}
		*p = append(*p, made)
		return nil
	}
}
