package main

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

	"chalie/adapters/exportfile"
	"chalie/domain"
	"chalie/replay/baseline"
	"chalie/replay/player"
)

// The witness is a log that an earlier build made, and what that build knew of it. Every
// later build is held to it: see CONTRIBUTING.md.
const (
	witnessFolder = "testdata/witness"

	// Exports of the log, packed: all of it in both formats; one trace; and the bundle of
	// that trace.
	wholeFile  = "whole.jsonl.gz"
	eventsFile = "whole.cloudevents.jsonl.gz"
	partFile   = "trace.jsonl.gz"
	bundleFile = "bundle.jsonl.gz"

	// What was known of it.
	logFacts    = "log.txt"
	worldFacts  = "worlds.txt"
	whyFacts    = "whys.txt"
	whyNotFacts = "why-nots.txt"
	replayFacts = "replay.txt"
)

// TestWitness imports what an earlier build exported, and expects that the same is known
// of it. The witness is never made anew to have this pass.
func TestWitness(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	imports(t, unpacked(t, witnessFolder, wholeFile), data)
	for _, wrong := range witnessed(t, witnessFolder, askAt(t, data), logFacts, worldFacts, whyFacts, whyNotFacts, replayFacts) {
		t.Error(wrong)
	}
}

// TestWitnessInEveryFormat holds the other files to the first: they have the same
// records, and the bundle's trace is decided as it was.
func TestWitnessInEveryFormat(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	in := func(file string) []domain.Record {
		t.Helper()
		data := filepath.Join(folder, file)
		imports(t, unpacked(t, witnessFolder, file), data)
		return stored(t, data)
	}
	whole := exported(t, unpacked(t, witnessFolder, wholeFile))
	if events := in(eventsFile); !reflect.DeepEqual(events, whole) {
		t.Errorf("%s and %s hold other records", eventsFile, wholeFile)
	}
	part := in(partFile)
	trace := part[0].Envelope.Trace
	envelopes := func(records []domain.Record) (out []domain.Envelope) {
		for _, rec := range records {
			if rec.Envelope.Trace == trace {
				out = append(out, rec.Envelope)
			}
		}
		return out
	}
	if want := envelopes(whole); len(part) != len(want) || !reflect.DeepEqual(envelopes(part), want) {
		t.Errorf("%s doesn't hold what %s holds of trace %s", partFile, wholeFile, trace)
	}

	bundle := unpacked(t, witnessFolder, bundleFile)
	data := filepath.Join(folder, bundleFile)
	said := read[struct {
		Decisions string `json:"decisions"`
	}](t, imports(t, bundle, data))
	header := read[struct {
		Trace     domain.ID `json:"trace_id"`
		Decisions string    `json:"decisions"`
	}](t, string(slices.Collect(bytes.Lines(bundle))[0]))
	if header.Decisions == "" || said.Decisions != header.Decisions {
		t.Errorf("the decisions of %s have the hash %s, and had %s", bundleFile, said.Decisions, header.Decisions)
	}
	alone := section{about: bundleFile}
	if got := askAt(t, data).replayAlone(&alone, header.Trace.String()); got != "identical" {
		t.Errorf("the trace of %s replays as %s", bundleFile, got)
	}
}

// TestWitnessNotices changes a copy of the log and holds it to the witness: a witness
// that lets everything pass protects nothing.
func TestWitnessNotices(t *testing.T) {
	t.Parallel()
	changed := unpacked(t, witnessFolder, wholeFile)
	swap := func(old, now string) {
		t.Helper()
		before := changed
		if changed = bytes.Replace(changed, []byte(old), []byte(now), 1); bytes.Equal(before, changed) {
			t.Fatalf("there is no %s in the witness", old)
		}
	}
	swap(`"activation_energy":0.41`, `"activation_energy":0.4`)
	lines := slices.Collect(bytes.Lines(changed))
	lines = slices.DeleteFunc(lines, func(l []byte) bool { return bytes.Contains(l, []byte(`"type":"approval.expired"`)) })
	data := filepath.Join(t.TempDir(), "data")
	imports(t, bytes.Join(lines, nil), data, "--unverified")
	wrong := strings.Join(witnessed(t, witnessFolder, askAt(t, data), logFacts, worldFacts, whyFacts), "\n")
	for _, part := range []string{
		logFacts + ": log: it is not so any more that holds approval.expired v1 1",
		logFacts + ": log: it was not so that holds record.lost v1 2",
		worldFacts + ": world after ",
		whyFacts + ": why ",
	} {
		if !strings.Contains(wrong, part) {
			t.Errorf("%q is not among\n%s", part, wrong)
		}
	}
}

// TestDifferences: what was known has to be known, and more may be known of causes.
func TestDifferences(t *testing.T) {
	t.Parallel()
	was := []section{{"why A", []string{"is A reasoning.concluded", "ended held", "cause B", "unrecorded B", "score B salience 0.8", "gate B cooldown"}},
		{"world after 7", []string{"in B signal salience 0.8", "in C task salience 0.5"}}}
	for name, c := range map[string]struct {
		why, world []string
		wrong      string
	}{
		"the same":                      {was[0].facts, was[1].facts, ""},
		"more causes, and one is known": {[]string{"is A reasoning.concluded", "ended held", "cause D", "cause B", "score B salience 0.8", "score B age 3", "weight D for A 1", "gate B cooldown", "gate D expired", "unrecorded E"}, was[1].facts, ""},
		"a cause is missing":            {slices.Concat(was[0].facts[:2], was[0].facts[3:]), was[1].facts, "why A: it is not so any more that cause B"},
		"another outcome":               {slices.Concat(was[0].facts[:1], []string{"ended surfaced"}, was[0].facts[2:]), was[1].facts, "why A: it is not so any more that ended held; why A: it was not so that ended surfaced"},
		"a gate that was not":           {append(slices.Clone(was[0].facts), "gate B attention"), was[1].facts, "why A: it was not so that gate B attention"},
		"another salience":              {was[0].facts, []string{"in B signal salience 0.81", "in C task salience 0.5"}, "world after 7: it is not so any more that in B signal salience 0.8; world after 7: it was not so that in B signal salience 0.81"},
		"another order":                 {was[0].facts, []string{was[1].facts[1], was[1].facts[0]}, "world after 7: it comes earlier than it did that in C task salience 0.5"},
		"nothing":                       {nil, was[1].facts, "why A: nothing is known of it"},
	} {
		is := []section{{"why A", c.why}, {"world after 7", c.world}}
		if c.why == nil {
			is = is[1:]
		}
		if got := strings.Join(differences(was, is), "; "); got != c.wrong {
			t.Errorf("%s: %q, want %q", name, got, c.wrong)
		}
	}
	if again := readSections(t, []byte(factsText(was))); !reflect.DeepEqual(again, was) {
		t.Errorf("written and read again it is %q", again)
	}
}

// witnessed are how what this build knows differs from some files of the witness.
func witnessed(t testing.TB, folder string, a *offlineAPI, files ...string) (out []string) {
	t.Helper()
	ask := map[string]func(string) section{logFacts: a.log, worldFacts: a.world, whyFacts: a.why, whyNotFacts: a.whyNot, replayFacts: a.replay}
	for _, name := range files {
		text, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		was := readSections(t, text)
		var is []section
		for _, s := range was {
			is = append(is, ask[name](s.about))
		}
		for _, wrong := range differences(was, is) {
			out = append(out, name+": "+wrong)
		}
	}
	return out
}

// knownFile counts, by kind, what today's code decides otherwise than the witness has it. Each kind is
// known to the program: see docs/how-to/amendment.md.
const knownFile = "known.txt"

// TestWitnessesDifferAsIsKnown holds the differences of both witnesses to the file, which -rewrite
// writes anew, and expects that each of them comes of an amendment.
func TestWitnessesDifferAsIsKnown(t *testing.T) {
	t.Parallel()
	for _, folder := range []string{witnessFolder, attemptsFolder} {
		data := filepath.Join(t.TempDir(), "data")
		imports(t, unpacked(t, folder, wholeFile), data)
		var failed section
		found := tells[player.Report](askAt(t, data), &failed, "POST", "/api/replay", `{}`)
		for _, why := range failed.facts {
			t.Error(why)
		}
		var lines []string
		for _, k := range found.Kinds {
			if !k.Known {
				t.Errorf("%d decisions of %s have a difference that no amendment names: %s, first in %s of %s: recorded is %s, replayed %s",
					k.Count, folder, k.Kind, k.First.Field, k.First.Envelope, k.First.Recorded, k.First.Replayed)
			}
			lines = append(lines, fmt.Sprintf("%s: %d # %s\n", k.Kind, k.Count, k.Why))
		}
		slices.Sort(lines)
		text, file := strings.Join(lines, ""), filepath.Join(folder, knownFile)
		if *rewrite {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if was, err := os.ReadFile(file); err != nil || string(was) != text {
			t.Errorf("%s is\n%s%v, and now\n%s", file, was, err, text)
		}
	}
}

// TestWitnessOfAmendedCode has the witness say that it was recorded with all amendments but the last:
// that one explains what it brought, and everything else is new.
func TestWitnessOfAmendedCode(t *testing.T) {
	t.Parallel()
	had := baseline.Latest() - 1
	const start = `"type":"system.started","version":1,"payload":{`
	text := bytes.ReplaceAll(unpacked(t, witnessFolder, wholeFile), []byte(start), fmt.Appendf(nil, `%s"amendments":%d,`, start, had))
	data := filepath.Join(t.TempDir(), "data")
	imports(t, text, data, "--unverified")
	var failed section
	found := tells[player.Report](askAt(t, data), &failed, "POST", "/api/replay", `{}`)
	if len(failed.facts) > 0 || found.New == 0 {
		t.Fatalf("%v: %d differences are new, and %d known", failed.facts, found.New, found.Known)
	}
	last := baseline.Amendments()[had].Kind
	for _, k := range found.Kinds {
		if k.Known != (k.Kind == last) {
			t.Errorf("%s is known: %v", k.Kind, k.Known)
		}
	}
}

// unpacked is a file of the witness.
func unpacked(t testing.TB, folder, name string) []byte {
	t.Helper()
	file, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// exported are the records of an export.
func exported(t testing.TB, export []byte) (records []domain.Record) {
	t.Helper()
	file, err := exportfile.NewReader(bytes.NewReader(export), false)
	for err == nil {
		var rec domain.Record
		if rec, err = file.Next(); err == nil {
			records = append(records, rec)
		}
	}
	if !errors.Is(err, io.EOF) {
		t.Fatal(err)
	}
	return records
}

// imports fills a data directory from an export, as a person does, and expects a sound
// log. It returns what the command says.
func imports(t testing.TB, export []byte, data string, flags ...string) string {
	t.Helper()
	c, out, errOut := testConsole()
	c.In = bytes.NewReader(export)
	if code := run(c, append([]string{"import", "-", "--data", data, "--json"}, flags...)); code != exitDone {
		t.Fatalf("importing ends with %d: %s", code, errOut)
	}
	var sound struct {
		OK bool `json:"ok"`
	}
	if text := typed(t, "verify", "--data", data, "--json"); json.Unmarshal([]byte(text), &sound) != nil || !sound.OK {
		t.Errorf("of what was imported verify says %s", text)
	}
	return out.String()
}
