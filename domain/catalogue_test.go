package domain

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const frozenFile = "testdata/catalogue.golden"

// line writes a definition as the golden file does.
func line(d Definition) string {
	words := []string{string(d.Type), fmt.Sprintf("v%d", d.Version), string(d.Topic), string(d.Kind)}
	for _, f := range d.Fields {
		words = append(words, f.String())
	}
	return strings.Join(words, " ")
}

// frozen parses the golden file into its lines by schema.
func frozen(text string) (map[TypeVersion]string, error) {
	lines := map[TypeVersion]string{}
	for l := range strings.Lines(text) {
		l = strings.TrimSuffix(l, "\n")
		words := strings.Fields(l)
		if len(words) < 4 || !strings.HasPrefix(words[1], "v") {
			return nil, fmt.Errorf("%q is not a schema", l)
		}
		version, err := strconv.ParseUint(words[1][1:], 10, 16)
		if err != nil {
			return nil, fmt.Errorf("%q: %w", l, err)
		}
		tv := TypeVersion{EventType(words[0]), uint16(version)}
		if _, twice := lines[tv]; twice {
			return nil, fmt.Errorf("%q stands there twice", l)
		}
		lines[tv] = l
	}
	return lines, nil
}

// judge compares a catalogue with the frozen lines: what is new, and what is
// wrong.
func judge(c *Catalogue, lines map[TypeVersion]string) (added []string, wrong []string) {
	for _, d := range c.Definitions() {
		switch was, known := lines[TypeVersion{d.Type, d.Version}]; {
		case !known:
			added = append(added, line(d))
		case was != line(d):
			wrong = append(wrong, fmt.Sprintf("%s v%d is stored in logs as\n  %s\nand is now\n  %s\nkeep it, raise the version and add an upcaster", d.Type, d.Version, was, line(d)))
		}
	}
	for _, d := range c.Definitions() {
		for v := uint16(1); v < d.Version; v++ {
			if _, ok := lines[TypeVersion{d.Type, v}]; !ok {
				wrong = append(wrong, fmt.Sprintf("%s is at version %d, and its version %d was never frozen: the first version is 1, and each is frozen before the next", d.Type, d.Version, v))
			}
		}
	}
	for tv := range lines {
		if !c.Decodes(tv) {
			wrong = append(wrong, fmt.Sprintf("%s v%d is stored in logs and can't be read any more: bring the type back, or an upcaster for each version from it on", tv.Type, tv.Version))
		}
	}
	slices.Sort(wrong)
	return added, wrong
}

func TestCatalogueIsFrozen(t *testing.T) {
	text, err := os.ReadFile(frozenFile)
	if err != nil && !(*rewrite && errors.Is(err, os.ErrNotExist)) {
		t.Fatal(err)
	}
	lines, err := frozen(string(text))
	if err != nil {
		t.Fatal(err)
	}
	added, wrong := judge(Events(), lines)
	for _, w := range wrong {
		t.Error(w)
	}
	if len(added) == 0 {
		return
	}
	if !*rewrite {
		t.Fatalf("new schemas:\n  %s\nrun with -rewrite to freeze them", strings.Join(added, "\n  "))
	}
	all := slices.Sorted(strings.Lines(string(text) + strings.Join(added, "\n") + "\n"))
	if err := os.WriteFile(frozenFile, []byte(strings.Join(all, "")), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The freeze is only worth something if it can fail.
func TestJudgeSeesEveryChange(t *testing.T) {
	c, _ := thirdVersion()
	good := map[TypeVersion]string{
		{"dial.read", 1}: "dial.read v1 old fields",
		{"dial.read", 2}: "dial.read v2 old fields",
		{"dial.read", 3}: "dial.read v3 signals event value:integer unit:string note?:string",
	}
	for _, c2 := range []struct {
		name         string
		change       func(map[TypeVersion]string)
		added, wrong int
	}{
		{"nothing", func(map[TypeVersion]string) {}, 0, 0},
		{"a schema not yet frozen", func(m map[TypeVersion]string) { delete(m, TypeVersion{"dial.read", 3}) }, 1, 0},
		{"a field of another type", func(m map[TypeVersion]string) {
			m[TypeVersion{"dial.read", 3}] = "dial.read v3 signals event value:number unit:string note?:string"
		}, 0, 1},
		{"a type that disappeared", func(m map[TypeVersion]string) { m[TypeVersion{"dial.lost", 1}] = "dial.lost v1 signals event" }, 0, 1},
		{"a version that nobody froze", func(m map[TypeVersion]string) { delete(m, TypeVersion{"dial.read", 2}) }, 0, 1},
		{"a version without an upcaster", func(m map[TypeVersion]string) { m[TypeVersion{"dial.read", 0}] = "dial.read v0" }, 0, 1},
		{"a version from the future", func(m map[TypeVersion]string) { m[TypeVersion{"dial.read", 4}] = "dial.read v4" }, 0, 1},
	} {
		lines := maps.Clone(good)
		c2.change(lines)
		added, wrong := judge(c, lines)
		if len(added) != c2.added || len(wrong) != c2.wrong {
			t.Errorf("%s: added %q, wrong %q", c2.name, added, wrong)
		}
	}
	for _, bad := range []string{"dial.read", "dial.read 1 signals event", "dial.read vx signals event", "a v1 s event\na v1 s event"} {
		if _, err := frozen(bad); err == nil {
			t.Errorf("the golden file may hold %q", bad)
		}
	}
}

func TestEveryDefinitionIsSound(t *testing.T) {
	for _, d := range Events().Definitions() {
		if d.Topic == "" || d.Topic == TopicAll || d.Version == 0 || !strings.Contains(string(d.Type), ".") {
			t.Errorf("%+v", d)
		}
		for _, f := range d.Fields {
			if f.Name == "" || f.Name == "-" {
				t.Errorf("%s has a field without a stored name", d.Type)
			}
		}
		if got, ok := Events().Lookup(d.Type); !ok || !reflect.DeepEqual(got, d) {
			t.Errorf("Lookup(%s) = %+v, %v", d.Type, got, ok)
		}
	}
	if _, ok := Events().Lookup("no.such"); ok {
		t.Error("Lookup finds what is not there")
	}
}

func TestNewAndDecode(t *testing.T) {
	topic := "work"
	lin := Lineage{Trace: TraceID{ID{1}}, Parent: ID{2}, Principal: "clock"}
	in := SignalReceived{SignalType: "weather_update", Content: "rain < snow", Source: "sky", Topic: &topic,
		ActivationEnergy: 0.4, Metadata: json.RawMessage(`{"mm":3}`)}
	entry, err := New(lin, ID{3}, 1234, "http", in)
	if err != nil {
		t.Fatal(err)
	}
	e := entry.Envelope
	want := Envelope{ID: ID{3}, Trace: lin.Trace, Parent: lin.Parent, Timestamp: 1234, Kind: KindEvent, Source: "http",
		Principal: "clock", Type: "signal.received", Version: 1, Payload: e.Payload}
	if entry.Topic != TopicSignals || !reflect.DeepEqual(e, want) {
		t.Errorf("made %+v on topic %s", e, entry.Topic)
	}
	if err := e.Check(); err != nil {
		t.Error(err)
	}
	out, err := Decode[SignalReceived](e)
	if err != nil || !reflect.DeepEqual(in, out) {
		t.Errorf("decoded %+v, %v, want %+v", out, err, in)
	}
}

func TestNewRefuses(t *testing.T) {
	if _, err := New(Lineage{}, ID{1}, 0, "x", struct{ A int }{}); CategoryOf(err) != Validation {
		t.Errorf("a payload out of the catalogue: %v", err)
	}
	if _, err := New(Lineage{}, ID{1}, 0, "x", SignalReceived{Metadata: json.RawMessage("{")}); CategoryOf(err) != Validation {
		t.Errorf("a payload that is no JSON: %v", err)
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := Envelope{ID: ID{1}, Type: "signal.received", Version: 1, Payload: JSONPayload([]byte(`{"content":"x"}`))}
	for _, c := range []struct {
		name   string
		change func(*Envelope)
		code   Code
	}{
		{"another type", func(e *Envelope) { e.Type = "system.started" }, CodeUndecodable},
		{"a later version", func(e *Envelope) { e.Version = 2 }, CodeUndecodable},
		{"a wrong shape", func(e *Envelope) { e.Payload = JSONPayload([]byte(`{"content":7}`)) }, CodeUndecodable},
		{"no JSON", func(e *Envelope) { e.Payload = JSONPayload([]byte(`{`)) }, CodeUndecodable},
		{"opaque bytes", func(e *Envelope) { e.Payload.Encoding = EncodingOpaque }, CodeUndecodable},
		{"an erased payload", func(e *Envelope) { e.Payload = Payload{Encoding: EncodingErased} }, CodeErased},
		{"a sealed payload whose key is not here", func(e *Envelope) { e.Payload.Encoding = EncodingSealed }, CodeErased},
	} {
		e := good
		c.change(&e)
		if _, err := Decode[SignalReceived](e); CodeOf(err) != c.code {
			t.Errorf("%s: %v, want %s", c.name, err, c.code)
		}
	}
	if _, err := Decode[SignalReceived](good); err != nil {
		t.Errorf("what is right: %v", err)
	}
	if _, err := Decode[struct{ A int }](good); CodeOf(err) != CodeUndecodable {
		t.Errorf("a struct out of the catalogue: %v", err)
	}
}

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
