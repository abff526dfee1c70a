package domain

import (
	"strings"
	"testing"
)

func TestGate(t *testing.T) {
	c, _ := thirdVersion()
	if err := c.Gate(map[TypeVersion]uint64{{"dial.read", 1}: 5, {"dial.read", 3}: 1, {"gone.away", 1}: 0}); err != nil {
		t.Errorf("a log that can be read: %v", err)
	}
	if err := c.Gate(nil); err != nil {
		t.Errorf("an empty log: %v", err)
	}
	err := c.Gate(map[TypeVersion]uint64{{"dial.read", 4}: 2, {"gone.away", 1}: 1})
	if CodeOf(err) != CodeUndecodable || CategoryOf(err) != Conflict {
		t.Fatalf("a log from the future: %v", err)
	}
	if want := "dial.read v4 (2 records; it knows versions up to 3), gone.away v1 (1 record; a type it doesn't know)"; !strings.Contains(err.Error(), want) {
		t.Errorf("%q does not name %q", err, want)
	}
	delete(c.lifts, TypeVersion{"dial.read", 2})
	err = c.Gate(map[TypeVersion]uint64{{"dial.read", 1}: 7})
	if want := "dial.read v1 (7 records; it has no upcaster from version 2)"; CodeOf(err) != CodeUndecodable || !strings.Contains(err.Error(), want) {
		t.Errorf("%v does not say %q", err, want)
	}
}
