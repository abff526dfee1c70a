package domain

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

const samplesDir = "testdata/samples"

func sampleFile(tv TypeVersion) string {
	return filepath.Join(samplesDir, fmt.Sprintf("%s.v%d.json", tv.Type, tv.Version))
}

// shapes are the payload structs of a catalogue, by type.
func shapes(c *Catalogue) map[EventType]reflect.Type {
	out := map[EventType]reflect.Type{}
	for shape, t := range c.payload {
		out[t] = shape
	}
	return out
}

// filled sets every field of a value to something, so that a sample leaves
// nothing out.
func filled(v reflect.Value, name string) {
	switch v.Interface().(type) {
	case ID:
		v.Set(reflect.ValueOf(ID{0x01, 0x9b, 0x05, 0x3b, 15: 0xae}))
		return
	case SecretHash:
		v.Set(reflect.ValueOf(HashSecret("a sample")))
		return
	case json.RawMessage:
		v.Set(reflect.ValueOf(json.RawMessage(`{"a":1}`)))
		return
	case Block:
		v.Set(reflect.ValueOf(Block{"type": "text", "content": "words"}))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(name)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(7)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(7)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem(), name)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		filled(v.Index(0), name)
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		filled(key, name)
		filled(value, name)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i, f := range fieldsOf(v.Type()) {
			filled(v.Field(i), f.Name)
		}
	case reflect.Interface:
		v.Set(reflect.ValueOf(name))
	default:
		panic("no sample of " + v.Type().String())
	}
}

// asStored is a payload as New writes it, indented for people.
func asStored(v any) ([]byte, error) {
	text, err := marshal(v)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	if err := json.Indent(&out, text, "", "  "); err != nil {
		return nil, err
	}
	return append(out.Bytes(), '\n'), nil
}

// sample reads the sample of a version. With -rewrite it makes a missing one of
// today's version; one that is there is never changed.
func sample(t *testing.T, c *Catalogue, tv TypeVersion) []byte {
	t.Helper()
	file := sampleFile(tv)
	text, err := os.ReadFile(file)
	if errors.Is(err, os.ErrNotExist) && *rewrite && c.current[tv.Type].Version == tv.Version {
		v := reflect.New(shapes(c)[tv.Type]).Elem()
		filled(v, "")
		if text, err = asStored(v.Interface()); err == nil {
			err = os.WriteFile(file, text, 0o644)
		}
	}
	if err != nil {
		t.Fatalf("there is no sample of %s v%d: %v; run with -rewrite to make one while it is today's version", tv.Type, tv.Version, err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, text); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return compact.Bytes()
}

// Every version that was ever stored has a sample, made while it was written, and
// each is read for ever, with nothing left over.
func TestCatalogueSamplesAreRead(t *testing.T) {
	text, err := os.ReadFile(frozenFile)
	if err != nil {
		t.Fatal(err)
	}
	stored, err := frozen(string(text))
	if err != nil {
		t.Fatal(err)
	}
	c := Events()
	for tv := range stored {
		was := sample(t, c, tv)
		if _, err := readSample(c, tv, was); err != nil {
			t.Errorf("%s: %v", sampleFile(tv), err)
		}
	}
	files, err := os.ReadDir(samplesDir)
	if err != nil {
		t.Fatal(err)
	}
	if len(files) != len(stored) {
		t.Errorf("there are %d samples of %d stored versions", len(files), len(stored))
	}
}

// Whatever an earlier build stored in a whole life is read, with nothing left over.
func TestWitnessIsRead(t *testing.T) {
	c, lines := Events(), witnessLines(t)
	for _, text := range lines {
		if err := readWitness(c, text); err != nil {
			t.Error(err)
		}
	}
	// A member that nobody knows is noticed.
	changed := bytes.Replace(lines[0], []byte(`"payload":{`), []byte(`"payload":{"unheard_of":1,`), 1)
	if err := readWitness(c, changed); err == nil {
		t.Errorf("%s is read", changed)
	}
}

// witnessLines are the records of both witnesses as their exports have them.
func witnessLines(t *testing.T) (lines [][]byte) {
	t.Helper()
	for _, witness := range []string{"witness", "witness-attempts"} {
		file, err := os.ReadFile(filepath.Join("..", "cmd", "chalie", "testdata", witness, "whole.jsonl.gz"))
		if err != nil {
			t.Fatal(err)
		}
		packed, err := gzip.NewReader(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(packed)
		if err != nil {
			t.Fatal(err)
		}
		records := slices.DeleteFunc(slices.Collect(bytes.Lines(text)), func(line []byte) bool { return !bytes.HasPrefix(line, []byte(`{"position":`)) })
		if len(records) == 0 {
			t.Fatalf("%s holds no records", witness)
		}
		lines = append(lines, records...)
	}
	return lines
}

// readWitness reads the payload in a line of the witness.
func readWitness(c *Catalogue, line []byte) error {
	var rec struct {
		Position uint64
		Envelope struct {
			Type    EventType
			Version uint16
			Payload json.RawMessage
		}
	}
	if err := json.Unmarshal(line, &rec); err != nil {
		return err
	}
	e := rec.Envelope
	if e.Payload == nil {
		return nil // what isn't JSON stands in base64, and has no members
	}
	if _, err := readSample(c, TypeVersion{e.Type, e.Version}, e.Payload); err != nil {
		return fmt.Errorf("%s v%d at position %d: %w", e.Type, e.Version, rec.Position, err)
	}
	return nil
}

// readSample lifts a payload twice and decodes it strictly. Of today's version
// it must be what is written again.
func readSample(c *Catalogue, tv TypeVersion, was []byte) ([]byte, error) {
	e, before := Envelope{Type: tv.Type, Version: tv.Version}, string(was)
	lifted, err := c.lift(e, was)
	if err != nil {
		return nil, err
	}
	again, err := c.lift(e, was)
	switch {
	case err != nil:
		return nil, err
	case string(was) != before:
		return nil, errors.New("the upcasters changed what they were given")
	case !bytes.Equal(lifted, again):
		return nil, fmt.Errorf("the upcasters gave %s and then %s", lifted, again)
	}
	p := reflect.New(shapes(c)[tv.Type])
	strict := json.NewDecoder(bytes.NewReader(lifted))
	strict.DisallowUnknownFields()
	if err := strict.Decode(p.Interface()); err != nil {
		return nil, err
	}
	text, err := marshal(p.Elem().Interface())
	if err != nil {
		return nil, err
	}
	if tv.Version == c.current[tv.Type].Version && !sameJSON(text, was) {
		return nil, fmt.Errorf("it is read as %s", text)
	}
	return lifted, nil
}

// A test that can't fail protects nothing: each of these samples is refused.
func TestReadSampleRefuses(t *testing.T) {
	c, _ := thirdVersion()
	for payload, version := range map[string]uint16{
		`{"value":"7","unit":"bar"}`: 3, // of another type
		`{"value":7,"other":1}`:      3, // a field nobody reads
		`{"value":"seven"}`:          1,
		`{"value":1}`:                4,
	} {
		if _, err := readSample(c, TypeVersion{"dial.read", version}, []byte(payload)); err == nil {
			t.Errorf("%s is read as version %d", payload, version)
		}
	}
	for version, payload := range map[uint16]string{1: `{"value":"7"}`, 2: `{"value":7}`, 3: `{"value":7,"unit":"bar"}`} {
		if got, err := readSample(c, TypeVersion{"dial.read", version}, []byte(payload)); err != nil || string(got) != `{"value":7,"unit":"bar"}` {
			t.Errorf("version %d: %s, %v", version, got, err)
		}
	}
	rude := Upcaster{"dial.read", 2, func(payload []byte) ([]byte, error) {
		payload[2] = 'V'
		return append(payload[:len(payload)-1], `,"unit":"bar"}`...), nil
	}}
	c.raise([]Upcaster{rude})
	was := []byte(`{"value":7}`)
	if _, err := c.lift(Envelope{Type: "dial.read", Version: 2}, was); err != nil || !strings.HasPrefix(string(was), `{"value"`) {
		t.Errorf("a rude upcaster changed the record: %s, %v", was, err)
	}
	c.raise([]Upcaster{{"dial.read", 2, func([]byte) ([]byte, error) { return []byte(`[]`), nil }}})
	if _, err := c.lift(Envelope{Type: "dial.read", Version: 2}, was); !errors.Is(err, errNoObject) {
		t.Errorf("an upcaster that gives a list: %v", err)
	}
}
