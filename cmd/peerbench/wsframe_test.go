package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestCutFrame(t *testing.T) {
	long := strings.Repeat("x", 300)
	longer := strings.Repeat("y", 70_000)
	for _, c := range []struct {
		name, data    string
		op            opcode
		payload, rest string
		whole         bool
	}{
		{"nothing", "", 0, "", "", false},
		{"one byte", "\x81", 0, "", "\x81", false},
		{"text and more", "\x81\x02hi\x89\x00", opText, "hi", "\x89\x00", true},
		{"empty ping", "\x89\x00", opPing, "", "", true},
		{"half a payload", "\x81\x05hel", 0, "", "\x81\x05hel", false},
		{"half a length", "\x81\x7e\x01", 0, "", "\x81\x7e\x01", false},
		{"two bytes of length", "\x81\x7e\x01\x2c" + long, opText, long, "", true},
		{"eight bytes of length", "\x81\x7f\x00\x00\x00\x00\x00\x01\x11\x70" + longer, opText, longer, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			op, payload, rest, err := cutFrame([]byte(c.data))
			if err != nil {
				t.Fatal(err)
			}
			if op != c.op || string(payload) != c.payload || string(rest) != c.rest || (payload != nil) != c.whole {
				t.Errorf("got opcode %d, %q (there: %v), rest %q", op, payload, payload != nil, rest)
			}
		})
	}
}

func TestCutFrameRefuses(t *testing.T) {
	for name, data := range map[string]string{
		"a part of a message": "\x01\x02hi", "a compressed one": "\xc1\x02hi", "a masked one": "\x81\x82\x00\x00\x00\x00hi",
	} {
		if _, _, _, err := cutFrame([]byte(data)); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func TestClientFrame(t *testing.T) {
	for _, c := range []struct {
		payload, head string
	}{
		{"", "\x81\x80\x00\x00\x00\x00"},
		{"hi", "\x81\x82\x00\x00\x00\x00"},
		{strings.Repeat("x", 126), "\x81\xfe\x00\x7e\x00\x00\x00\x00"},
	} {
		if got := clientFrame(opText, []byte(c.payload)); !bytes.Equal(got, []byte(c.head+c.payload)) {
			t.Errorf("%d bytes become %q", len(c.payload), got)
		}
	}
}
