package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/domain"
)

// writeWitness writes down a life: the log as both formats have it, a part and a bundle of
// it, and what is known of it.
func writeWitness(t *testing.T, lived, into string) {
	t.Helper()
	if err := os.MkdirAll(into, 0o755); err != nil {
		t.Fatal(err)
	}
	scratch, kept := t.TempDir(), filepath.Join(t.TempDir(), "data")
	fresh, old := filepath.Join(scratch, "fresh.jsonl"), filepath.Join(scratch, "aged.jsonl")
	typed(t, "export", "--data", lived, "--out", fresh)
	ageFile(t, fresh, old)
	typed(t, "import", old, "--unverified", "--data", kept) // its sums are those of before
	records := stored(t, kept)
	turned := aboutPlan(t, records)
	for name, args := range map[string][]string{
		wholeFile: nil, eventsFile: {"--format", "cloudevents"}, partFile: {"--trace", turned.String()}, bundleFile: {"--repro", turned.String()},
	} {
		typed(t, slices.Concat([]string{"export", "--data", kept, "--out", filepath.Join(scratch, name)}, args)...)
		pack(t, filepath.Join(scratch, name), filepath.Join(into, name))
	}
	writeFacts(t, kept, into)
}

// writeFacts writes down what this build knows of a log.
func writeFacts(t *testing.T, data, into string) {
	t.Helper()
	records := stored(t, data)
	a := askAt(t, data)
	held := a.log("log")
	for tv := range schemas(t) {
		if !slices.ContainsFunc(held.facts, func(fact string) bool {
			return strings.HasPrefix(fact, fmt.Sprintf("holds %s v%d ", tv.Type, tv.Version))
		}) {
			t.Errorf("the log holds no %s v%d: the life has to be lived otherwise", tv.Type, tv.Version)
		}
	}
	facts := map[string][]section{logFacts: {held}, replayFacts: {a.replay(replayedWhole)}}
	for _, at := range moments(records) {
		facts[worldFacts] = append(facts[worldFacts], a.world(fmt.Sprintf("world after %d", at)))
	}
	for _, ask := range witnessWhys {
		facts[whyFacts] = append(facts[whyFacts], a.why(fmt.Sprintf("why %s %s", ask.find(t, records), ask.what)))
	}
	for _, ask := range witnessWhyNots {
		facts[whyNotFacts] = append(facts[whyNotFacts], a.whyNot(fmt.Sprintf("why not %s %s", ask.find(t, records), ask.what)))
	}
	facts[replayFacts] = append(facts[replayFacts], replays(a, records)...)
	for name, sections := range facts {
		if err := os.WriteFile(filepath.Join(into, name), []byte(factsText(sections)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// replays are how each trace is decided again in which there is something to decide, those
// first that aren't decided as they were.
func replays(a *offlineAPI, records []domain.Record) (out []section) {
	seen := map[domain.TraceID]bool{}
	for _, rec := range records {
		trace := rec.Envelope.Trace
		if seen[trace] {
			continue
		}
		seen[trace] = true
		one := section{about: "replay " + trace.String()}
		switch outcome := a.replayAlone(&one, trace.String()); outcome {
		case "without_decisions":
		case "identical":
			one.add("replayed identical")
			out = append(out, one)
		default:
			one.add("replayed %s", outcome)
			out = slices.Insert(out, 0, one)
		}
	}
	return out
}

// pack packs a file.
func pack(t testing.TB, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Write(text)
	if err := errors.Join(err, w.Close(), os.WriteFile(to, packed.Bytes(), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// typed runs a command, which has to do what it is told.
func typed(t testing.TB, args ...string) string {
	t.Helper()
	c, out, errOut := testConsole()
	if code := run(c, args); code != exitDone {
		t.Fatalf("%q ends with %d: %s%s", args, code, out, errOut)
	}
	return out.String()
}

// stored are the records of a data directory.
func stored(t testing.TB, data string) []domain.Record {
	t.Helper()
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(data), Clock: sysclock.Clock{}, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	return recordsOf(t, log)
}

// aged says which records are given the form of an older version: of a type the first
// ones, by their number, from 0. What that version had not is left out; what it had in
// another form is written in that.
var aged = map[domain.EventType][]uint16{
	"action.received":      {1},
	"capability.changed":   {1},
	"model.called":         {1},
	"operator.logged_in":   {1, 2, 3},
	"policy.decided":       {1},
	"spine.signal_emitted": {1},
	"tool.completed":       {1, 1},
}

// ageFile copies an export with some records as an older build would have written them.
func ageFile(t testing.TB, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	shapes := schemas(t)
	met := map[domain.EventType]int{}
	var out bytes.Buffer
	for line := range bytes.Lines(text) {
		var head struct {
			Envelope struct {
				Type    domain.EventType `json:"type"`
				Version uint16           `json:"version"`
				Payload json.RawMessage  `json:"payload"`
			} `json:"envelope"`
		}
		if err := json.Unmarshal(line, &head); err != nil {
			t.Fatal(err)
		}
		e := head.Envelope
		n := met[e.Type]
		met[e.Type]++
		if n >= len(aged[e.Type]) {
			out.Write(line)
			continue
		}
		version := aged[e.Type][n]
		payload := older(t, e.Payload, shapes[domain.TypeVersion{Type: e.Type, Version: version}])
		line = bytes.Replace(line, e.Payload, payload, 1)
		named := func(version uint16) []byte { return fmt.Appendf(nil, `"type":%q,"version":%d,`, e.Type, version) }
		out.Write(bytes.Replace(line, named(e.Version), named(version), 1))
	}
	if err := os.WriteFile(to, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// older is a payload with the members that a version had, by the name and type of each.
func older(t testing.TB, payload json.RawMessage, had map[string]string) []byte {
	t.Helper()
	var members map[string]json.RawMessage
	if err := json.Unmarshal(payload, &members); err != nil {
		t.Fatal(err)
	}
	maps.DeleteFunc(members, func(name string, _ json.RawMessage) bool { return had[name] == "" })
	if energy, ok := members["activation_energy"]; ok && had["activation_energy"] == "integer" { // it was in parts per million
		var share float64
		if err := json.Unmarshal(energy, &share); err != nil {
			t.Fatal(err)
		}
		members["activation_energy"] = fmt.Appendf(nil, "%d", domain.PPMOf(share))
	}
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// schemas are the members of each stored version, with their types as the frozen
// catalogue has them.
func schemas(t testing.TB) map[domain.TypeVersion]map[string]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "domain", "testdata", "catalogue.golden"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[domain.TypeVersion]map[string]string{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		var tv domain.TypeVersion
		if _, err := fmt.Sscanf(fields[0]+" "+fields[1], "%s v%d", &tv.Type, &tv.Version); err != nil {
			t.Fatal(err)
		}
		out[tv] = map[string]string{}
		depth := 0
		for _, field := range fields[4:] {
			if name, of, ok := strings.Cut(field, ":"); ok && depth == 0 {
				out[tv][strings.TrimSuffix(name, "?")] = of
			}
			depth += strings.Count(field, "{") - strings.Count(field, "}")
		}
	}
	return out
}

// moments are twenty positions: where things happen, one after the other.
func moments(records []domain.Record) (out []domain.Position) {
	const n = 20
	var turns []domain.Position
	for _, rec := range records {
		switch rec.Envelope.Type {
		case "reasoning.concluded", "signal.received", "timer.due", "system.started":
			turns = append(turns, rec.Position)
		}
	}
	for i := range n {
		out = append(out, turns[(i+1)*(len(turns)-1)/n])
	}
	return out
}

// picked is a record to ask about: the nth of a type, from 0, that holds these words in its payload or
// its header.
type picked struct {
	what  string
	of    domain.EventType
	nth   int
	words []string
}

func (p picked) find(t testing.TB, records []domain.Record) domain.ID {
	t.Helper()
	n := 0
	for _, rec := range records {
		text := fmt.Sprintf("%s principal=%s errors=%v", rec.Envelope.Payload.Bytes, rec.Envelope.Principal, rec.Envelope.Errors)
		if rec.Envelope.Type != p.of || slices.ContainsFunc(p.words, func(w string) bool { return !strings.Contains(text, w) }) {
			continue
		}
		if n == p.nth {
			return rec.Envelope.ID
		}
		n++
	}
	t.Errorf("nothing was recorded of %q: the life has to be lived otherwise", p.what)
	return domain.ID{}
}

// aboutPlan is the trace in which something heard was told because of a plan.
func aboutPlan(t testing.TB, records []domain.Record) domain.TraceID {
	t.Helper()
	id := witnessWhys[0].find(t, records)
	for _, rec := range records {
		if rec.Envelope.ID == id {
			return rec.Envelope.Trace
		}
	}
	return domain.TraceID{}
}

// witnessWhys and witnessWhyNots are what is asked of the log.
var witnessWhys = []picked{
	{"a signal that bears on a plan is told", "reasoning.concluded", 0, []string{`"outcome":"surfaced"`, "principal=idle"}},
	{"a reminder is told", "reasoning.concluded", 0, []string{"Reminder: stretch"}},
	{"several times of a reminder are told at once", "reasoning.concluded", 0, []string{"and 7 t"}},
	{"a deadline is told", "reasoning.concluded", 0, []string{"Due now: tax return"}},
	{"a message is answered", "reasoning.concluded", 0, []string{`"outcome":"responded"`}},
	{"an answer tells what is in mind", "reasoning.concluded", 24, []string{`"outcome":"responded"`}},
	{"a program's message is passed on", "reasoning.concluded", 0, []string{`"shown":"escalation"`}},
	{"what was told is held", "reasoning.concluded", 0, []string{`"outcome":"held"`, `"already_told"`, "principal=idle"}},
	{"what follows too soon is held", "reasoning.concluded", 0, []string{`"outcome":"held"`, `"cooldown"`, "principal=idle"}},
	{"another model finds something", "reasoning.concluded", 0, []string{`"shown":"escalation"`, "principal=idle"}},
	{"an answer is stopped", "reasoning.concluded", 0, []string{`"outcome":"cancelled"`}},
	{"a reminder is set", "reminder.set", 0, nil},
	{"a memory is kept", "memory.remembered", 0, nil},
	{"a task is done", "task.completed", 0, nil},
	{"a tool answers", "tool.completed", 0, []string{"ready_in"}},
	{"a tool fails", "tool.failed", 0, nil},
	{"nobody knows what a tool did", "tool.outcome_unknown", 0, nil},
	{"a call is denied", "policy.decided", 0, []string{`"verdict":"denied"`}},
	{"a call waits for the person", "approval.proposed", 0, nil},
	{"the person says yes", "approval.granted", 0, nil},
	{"the person says no", "approval.refused", 0, nil},
	{"nobody says anything", "approval.expired", 0, nil},
	{"an answer is found wanting", "answer.verified", 0, []string{`"outcome":"partial"`}},
	{"a call is no call", "call.rejected", 0, nil},
	{"a cycle makes room", "reasoning.yielded", 0, nil},
	{"a program comes in", "interface.paired", 0, nil},
	{"a record is lost", "record.lost", 0, nil},
	{"a service notices something, in an old version", "spine.signal_emitted", 0, nil},
	{"a button is pressed, in an old version", "action.received", 0, nil},
	{"a model is asked, in an old version", "model.called", 0, nil},
	{"a call is allowed, in an old version", "policy.decided", 0, nil},
	{"a tool answers, in an old version", "tool.completed", 0, nil},
	{"a tool is trusted, in an old version", "capability.changed", 0, nil},
	{"somebody logs in, in an old version", "operator.logged_in", 0, nil},
}

var witnessWhyNots = []picked{
	{"noise", "signal.received", 0, []string{"marathon"}},
	{"what was too faint", "signal.received", 0, []string{"may be busy"}},
	{"what was told", "signal.received", 0, []string{"oven broke"}},
	{"what came too soon after it", "signal.received", 0, []string{"licence"}},
	{"what came while the person was focused", "signal.received", 0, []string{"wing B"}},
	{"the weather", "signal.received", 0, []string{"Gale"}},
	{"what newer ones pushed out", "signal.received", 0, []string{"MSFT at 410"}},
	{"one of many", "signal.received", 0, []string{"MSFT at 420"}},
	{"what another model was shown", "signal.received", 0, []string{"ferry"}},
	{"a message that came twice", "message.received", 1, []string{"ring the ward"}},
	{"a message that was answered", "message.received", 0, []string{"what have I planned"}},
	{"a message that was stopped", "message.received", 0, []string{"what time is it"}},
	{"a call that was denied", "tool.invoked", 0, []string{"butter"}},
	{"a call that was refused", "tool.invoked", 0, []string{"res_999"}},
	{"a call that was approved", "tool.invoked", 0, []string{"res_801"}},
	{"a call that nobody decided about", "tool.invoked", 0, []string{"list_appointments", "program:station"}},
	{"a call that nobody knows the end of", "tool.invoked", 0, []string{"soufflé"}},
	{"a reminder that was told", "reminder.set", 0, []string{"dinner"}},
	{"a reminder that was cancelled", "reminder.set", 0, []string{"call Anna"}},
	{"a task that was done", "task.created", 0, []string{"firewood"}},
	{"a cycle that found nothing", "reasoning.concluded", 0, []string{`"outcome":"held"`, "principal=idle"}},
	{"a cycle that held what was told", "reasoning.concluded", 0, []string{`"outcome":"held"`, `"already_told"`, "principal=idle"}},
	{"a finding that was of no weight", "reasoning.concluded", 0, []string{`"shown":"escalation"`, "principal=idle"}},
}
