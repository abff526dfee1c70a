package reading

import (
	"testing"
)

// A byte order mark in front of JSON is none of it: bodies and messages of sockets are read here.
func TestAByteOrderMark(t *testing.T) {
	v, err := Parse([]byte("\ufeff{\"a\":1}"), "the body", 3)
	if err != nil || v.kind() != "an object" {
		t.Errorf("it is %s, %v", v.kind(), err)
	}
	for _, text := range []string{"\ufeff", "\ufeff\ufeff{}", "{}\ufeff"} {
		if _, err := Parse([]byte(text), "the body", 3); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
