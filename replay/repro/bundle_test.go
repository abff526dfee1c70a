package repro

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// diary is a log's records, made one by one.
type diary struct {
	t       *testing.T
	ids     domain.IDs
	records []domain.Record
}

func (d *diary) add(topic domain.Topic, event domain.EventType, trace domain.ID, payload domain.Payload) domain.Envelope {
	d.t.Helper()
	e := domaintest.NewEntry(d.ids, topic)
	e.Envelope.Type, e.Envelope.Payload, e.Envelope.Source = event, payload, "Zelenka's station"
	e.Envelope.Trace = domain.TraceID{ID: e.Envelope.ID}
	if !trace.IsZero() {
		e.Envelope.Trace = domain.TraceID{ID: trace}
	}
	e.Envelope.Errors = []domain.Fault{{Code: "x", Message: "Zelenka is away", Metadata: map[string]any{"who": "Zelenka", "n": 2.0}}}
	d.records = append(d.records, domain.Record{Position: domain.Position(len(d.records) + 1), Topic: topic, RecordedAt: domain.Millis(len(d.records)), Envelope: e.Envelope})
	return e.Envelope
}

func (d *diary) bundled(trace domain.TraceID, whole bool) []domain.Record {
	b := NewBundle(trace, NewPseudonyms([]byte("key")), whole)
	for _, rec := range d.records {
		b.Learn(rec)
	}
	var out []domain.Record
	for _, rec := range d.records {
		out = append(out, b.Record(rec))
	}
	return out
}

func text(format string, args ...any) domain.Payload {
	return domain.JSONPayload(fmt.Appendf(nil, format, args...))
}

// A bundle has every record, with its id, time and place, and no name in it.
func TestBundle(t *testing.T) {
	d := &diary{t: t, ids: domaintest.NewIDs(domaintest.NewClock(), 8)}
	d.add(domain.TopicAccounts, "operator.registered", domain.ID{}, text(`{"username":"Zelenka","password_hash":"$argon2id$"}`))
	for i := range 250 {
		d.add(domain.TopicSignals, "signal.received", domain.ID{}, text(`{"signal_type":"station_report","content":"Zelenka was here %d times"}`, i))
	}
	d.add(domain.TopicSystem, domain.ForeignMessageType, domain.ID{}, domain.Payload{Encoding: domain.EncodingOpaque, Bytes: []byte("Zelenka")})
	d.add(domain.TopicMessages, "message.received", domain.ID{}, domain.Payload{Encoding: domain.EncodingSealed, KeyID: "Zelenka", Bytes: []byte("Zelenka")})
	question := d.add(domain.TopicMessages, "message.received", domain.ID{}, text(`{"text":"is ZELENKA's train late?","at":1774828800000,"sure":true}`))
	d.add(domain.TopicReasoning, "reasoning.concluded", question.ID, text(`{"text":"Zelenka is late","evidence":[{"envelope_id":%q,"weight":123456}]}`, question.ID))

	out := d.bundled(question.Trace, false)
	empty := 0
	for i, rec := range out {
		was := d.records[i]
		if rec.Envelope.ID != was.Envelope.ID || rec.Position != was.Position || rec.RecordedAt != was.RecordedAt || rec.Envelope.Type != was.Envelope.Type || rec.Topic != was.Topic {
			t.Fatalf("record %d became %+v", i+1, rec)
		}
		if all := strings.ToLower(fmt.Sprintf("%s %s %v %v", rec.Envelope.Payload.Bytes, rec.Envelope.Source, rec.Envelope.Payload.KeyID, rec.Envelope.Errors)); strings.Contains(all, "zelenka") || strings.Contains(all, "argon2") {
			t.Errorf("record %d names her: %s", i+1, all)
		}
		if err := rec.Envelope.Check(); err != nil {
			t.Error(err)
		}
		if rec.Envelope.Payload.Encoding == domain.EncodingErased {
			empty++
		}
		if rec.Envelope.Errors[0].Metadata["n"] != 2.0 {
			t.Errorf("the details of record %d are %v", i+1, rec.Envelope.Errors[0].Metadata)
		}
	}
	if empty != 1+50+2 { // the account, signals out of mind, the foreign one and the sealed one
		t.Errorf("%d payloads are empty", empty)
	}
	signal := string(out[250].Envelope.Payload.Bytes)
	if !strings.HasPrefix(signal, `{"signal_type":"station_report","content":"`) || !strings.HasSuffix(signal, ` was here 249 times"}`) {
		t.Errorf("a signal became %s", signal)
	}
	asked := string(out[253].Envelope.Payload.Bytes)
	name := strings.Fields(strings.TrimPrefix(asked, `{"text":"is `))[0]
	if asked != `{"text":"is `+name+` train late?","at":1774828800000,"sure":true}` || name != strings.ToUpper(strings.TrimSuffix(name, "'s"))+"'s" || len(name) != len("ZELENKA's") {
		t.Errorf("the question became %s", asked)
	}

	whole := d.bundled(question.Trace, true)
	if whole[1].Envelope.Payload.Encoding != domain.EncodingJSON {
		t.Error("the first signal is left empty in a whole bundle")
	}
}

// A rare word stays nowhere, wherever it was: not where programs give a name to what they
// say, and not in the other records for having stood there.
func TestBundleNamesNothingByItsPlace(t *testing.T) {
	const planted = "Quillfeather"
	for _, payload := range []string{
		`{"signal_type":"news","topic":"%s","content":"x"}`,
		`{"signal_type":"news","topic":"%s-news","content":"%[1]s","metadata":{"%[1]s":3,"type":"%[1]s","deep":[{"topic":"%[1]s","kind":"%[1]s"}]}}`,
		`{"text":"x","topic":"%s","metadata":{"severity":"critical","tool":"%[1]s","model":"%[1]s"}}`,
		`{"concept_name":"%s","content":"%[1]s","label":"%[1]s"}`,
		`{"tool":"warm","params":{"name":"%s","type":"%[1]s","guests":[{"name":"%[1]s","kind":"%[1]s"}]}}`,
		`{"text":"%s","data":{"name":"%[1]s","type":"%[1]s","topic":"%[1]s","unit":"%[1]s","tools":[{"name":"%[1]s"}]},"blocks":[{"type":"text","text":"%[1]s"}]}`,
		`{"data":["%s",{"scope":"%[1]s"}]}`,
		`{"state":{"model":"%s","signals":["%[1]s"]}}`,
		`{"findings":[{"topic":"%s","blocks":[{"type":"text","text":"%[1]s is closed"}]}]}`,
	} {
		d := &diary{t: t, ids: domaintest.NewIDs(domaintest.NewClock(), 8)}
		asked := d.add(domain.TopicMessages, "message.received", domain.ID{}, text(`{"text":"where is %s?"}`, planted))
		d.add(domain.TopicReasoning, "reasoning.concluded", asked.ID, text(payload, planted))
		for i, rec := range d.bundled(asked.Trace, false) {
			if got := string(rec.Envelope.Payload.Bytes); strings.Contains(strings.ToLower(got), strings.ToLower(planted)) {
				t.Errorf("%s: record %d of its bundle is %s", payload, i+1, got)
			}
		}
		want, got := NewDigest(asked.Trace), NewDigest(asked.Trace)
		for i, rec := range d.bundled(asked.Trace, false) {
			want.Add(d.records[i])
			got.Add(rec)
		}
		if want.String() != got.String() {
			t.Errorf("%s: its bundle has another digest", payload)
		}
	}
	// What decides stays.
	d := &diary{t: t, ids: domaintest.NewIDs(domaintest.NewClock(), 8)}
	asked := d.add(domain.TopicMessages, "message.received", domain.ID{}, text(`{"metadata":{"severity":"critical","approval_token":"x"},"topic":"general"}`))
	if got := string(d.bundled(asked.Trace, false)[0].Envelope.Payload.Bytes); got != `{"metadata":{"severity":"critical","approval_token":"x"},"topic":"general"}` {
		t.Errorf("it became %s", got)
	}
}

// The digest is that of what was decided: names don't change it, numbers do.
func TestDigest(t *testing.T) {
	d := &diary{t: t, ids: domaintest.NewIDs(domaintest.NewClock(), 8)}
	question := d.add(domain.TopicMessages, "message.received", domain.ID{}, text(`{"text":"where is Zelenka?"}`))
	d.add(domain.TopicMessages, "message.received", domain.ID{}, text(`{"text":"another"}`))
	d.add(domain.TopicReasoning, "reasoning.concluded", question.ID, text(`{"score":1,"evidence":%q}`, question.ID))
	of := func(records []domain.Record) string {
		digest := NewDigest(question.Trace)
		for _, rec := range records {
			digest.Add(rec)
		}
		return digest.String()
	}
	want := of(d.records)
	if got := of(d.bundled(question.Trace, false)); got != want {
		t.Errorf("the bundle has %s, the log %s", got, want)
	}
	for name, payload := range map[string]domain.Payload{
		"a score": text(`{"score":2,"evidence":%q}`, question.ID), "evidence": text(`{"score":1,"evidence":%q}`, d.records[1].Envelope.ID),
		"a field": text(`{"score":1,"evidence":%q,"more":[]}`, question.ID), "nothing": {Encoding: domain.EncodingErased},
	} {
		other := append([]domain.Record(nil), d.records...)
		other[2].Envelope.Payload = payload
		if of(other) == want {
			t.Errorf("with %s changed it is the same", name)
		}
	}
}

// FuzzPayload changes the texts of any JSON and leaves JSON with the same fields.
func FuzzPayload(f *testing.F) {
	f.Add([]byte(`{"a":"Zelenka \" \\","b":[1,"x y",{"c":null}],"\u00e9":"\ud83d\ude00"}`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		e := domaintest.NewEntry(domaintest.NewIDs(domaintest.NewClock(), 8), "t").Envelope
		e.Payload = domain.JSONPayload(payload)
		if e.Check() != nil {
			return
		}
		p := NewPseudonyms([]byte("key"))
		p.learn(payload)
		e.Payload.Bytes = p.payload(payload)
		if err := e.Check(); err != nil {
			t.Fatalf("%s became %s: %v", payload, e.Payload.Bytes, err)
		}
		// Without its texts it is what it was: eachText finds the same ones in both.
		none := func(string) string { return "" }
		if was, is := eachText(payload, none), eachText(e.Payload.Bytes, none); !bytes.Equal(was, is) {
			t.Fatalf("%s became %s", was, is)
		}
	})
}

// A setting keeps its words, because things were decided by it; what is none does not. More
// signals are kept where more were remembered.
func TestBundleKeepsSettings(t *testing.T) {
	d := &diary{t: t, ids: domaintest.NewIDs(domaintest.NewClock(), 8)}
	for _, payload := range []string{
		`{"name":"half_life","from":"6h","to":"1h30m"}`, `{"name":"capacity","from":"100","to":"200"}`, `{"name":"Zelenka","from":"6h","to":"Zelenka"}`,
	} {
		d.add(domain.TopicSystem, domain.SettingsChangedType, domain.ID{}, text("%s", payload))
	}
	for range 500 {
		d.add(domain.TopicSignals, domain.SignalReceivedType, domain.ID{}, text(`{"content":"a"}`))
	}
	question := d.add(domain.TopicMessages, domain.MessageReceivedType, domain.ID{}, text(`{"text":"?"}`))
	bundled := d.bundled(question.Trace, false)
	for i := range 2 {
		if got, want := bundled[i].Envelope.Payload.Bytes, d.records[i].Envelope.Payload.Bytes; !bytes.Equal(got, want) {
			t.Errorf("the setting is %s, want %s", got, want)
		}
	}
	if foreign := bundled[2].Envelope.Payload.Bytes; bytes.Contains(foreign, []byte("Zelenka")) {
		t.Errorf("it says %s", foreign)
	}
	kept := 0
	for _, rec := range bundled[3:503] {
		if rec.Envelope.Payload.Encoding == domain.EncodingJSON {
			kept++
		}
	}
	if kept != 400 {
		t.Errorf("%d signals are kept, want 400", kept)
	}
}
