package watermillbus_test

import (
	"math"
	"strings"
	"testing"

	"chalie/adapters/watermillbus"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"

	"github.com/ThreeDotsLabs/watermill/message"
	"pgregory.net/rapid"
)

// anyEnvelope draws envelopes of every form, also ones that no log would take.
func anyEnvelope() *rapid.Generator[domain.Envelope] {
	id := rapid.Custom(func(t *rapid.T) domain.ID {
		return domain.ID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(t, "id"))
	})
	name := rapid.OneOf(rapid.String(), rapid.StringMatching(`[a-z,%2C5]{0,8}`))
	return rapid.Custom(func(t *rapid.T) domain.Envelope {
		e := domain.Envelope{
			ID: id.Draw(t, "envelope_id"), Trace: domain.TraceID{ID: id.Draw(t, "trace_id")},
			Timestamp: domain.Millis(rapid.Int64().Draw(t, "timestamp")),
			Kind:      domain.Kind(name.Draw(t, "kind")), Source: domain.Source(name.Draw(t, "source")),
			Principal: domain.Principal(name.Draw(t, "principal")), Type: domain.EventType(name.Draw(t, "type")),
			Version: rapid.Uint16().Draw(t, "version"),
			Payload: domain.Payload{
				Encoding: domain.Encoding(rapid.Byte().Draw(t, "encoding")), KeyID: name.Draw(t, "key_id"),
				Nonce: rapid.SliceOf(rapid.Byte()).Draw(t, "nonce"), Bytes: rapid.SliceOf(rapid.Byte()).Draw(t, "bytes"),
			},
		}
		if rapid.Bool().Draw(t, "has parent") {
			e.Parent = id.Draw(t, "parent_id")
		}
		for _, k := range rapid.SliceOfN(name, 0, 3).Draw(t, "keys") {
			e.Keys = append(e.Keys, domain.Key(k))
		}
		for _, s := range rapid.SliceOfN(name, 0, 3).Draw(t, "subjects") {
			e.Subjects = append(e.Subjects, domain.Subject(s))
		}
		for range rapid.IntRange(0, 2).Draw(t, "errors") {
			e.Errors = append(e.Errors, domain.Fault{
				Code: domain.Code(name.Draw(t, "code")), Message: rapid.String().Draw(t, "message"),
				Category: domain.Category(name.Draw(t, "category")), Retryable: rapid.Bool().Draw(t, "retryable"),
				Metadata: map[string]any{"int": rapid.Int64().Draw(t, "int"), "float": rapid.Float64().Draw(t, "float"), "text": rapid.String().Draw(t, "text")},
			})
		}
		return e
	})
}

func TestEnvelopeSurvivesItsMessage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyEnvelope().Draw(t, "envelope")
		msg := watermillbus.MessageOf(want)
		for name := range msg.Metadata {
			if !strings.HasPrefix(name, "envelope.") {
				t.Fatalf("metadata %q is not under envelope.", name)
			}
		}
		for _, msg := range []*message.Message{msg, msg.Copy()} {
			got, err := watermillbus.EnvelopeOf(msg)
			if err != nil {
				t.Fatalf("EnvelopeOf: %v\n%+v", err, msg.Metadata)
			}
			if !got.Equal(want) {
				t.Fatalf("got\n%+v\nwant\n%+v\nby %+v", got, want, msg.Metadata)
			}
		}
	})
}

func TestRefusedMessages(t *testing.T) {
	clock := domaintest.NewClock()
	log := memlog.New(clock)
	pub := newBus(t, log).Publisher()
	good := domaintest.NewEntry(domaintest.NewIDs(clock, 1), "signals").Envelope
	with := func(name, value string) func(*message.Message) {
		return func(msg *message.Message) { msg.Metadata.Set(name, value) }
	}
	for name, change := range map[string]func(*message.Message){
		"uuid":                func(msg *message.Message) { msg.UUID = "7" },
		"no uuid":             func(msg *message.Message) { msg.UUID = "" },
		"trace":               with("envelope.trace_id", "yesterday"),
		"no trace":            func(msg *message.Message) { delete(msg.Metadata, "envelope.trace_id") },
		"parent":              with("envelope.parent_id", "mother"),
		"timestamp":           with("envelope.timestamp", "noon"),
		"version":             with("envelope.version", "65536"),
		"version 0":           with("envelope.version", "0"),
		"encoding":            with("envelope.encoding", "256"),
		"nonce":               with("envelope.nonce", "?"),
		"errors":              with("envelope.errors", "oops"),
		"errors and more":     with("envelope.errors", "[] []"),
		"kind":                with("envelope.kind", "wish"),
		"an unknown field":    with("envelope.mood", "sunny"),
		"metadata beside":     with("correlation_id", "1"),
		"payload":             func(msg *message.Message) { msg.Payload = []byte("{") },
		"foreign, odd uuid":   func(msg *message.Message) { *msg = *message.NewMessage("\xff", nil) },
		"foreign, odd name":   func(msg *message.Message) { *msg = *message.NewMessage("u", nil); msg.Metadata.Set("\xff", "") },
		"foreign, odd value":  func(msg *message.Message) { *msg = *message.NewMessage("u", nil); msg.Metadata.Set("a", "\xff") },
		"foreign and too big": func(msg *message.Message) { *msg = *message.NewMessage("u", make([]byte, domain.MaxPayloadBytes)) },
	} {
		msg := watermillbus.MessageOf(good)
		change(msg)
		err := pub.Publish("signals", watermillbus.MessageOf(good), msg)
		if domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%s: got %v, want a validation error", name, err)
		}
	}
	if tail := log.Tail(); tail != 0 {
		t.Errorf("refused messages left %d records", tail)
	}
	if err := pub.Publish("signals", watermillbus.MessageOf(good)); err != nil {
		t.Errorf("the message they were made from is refused too: %v", err)
	}
	if _, err := watermillbus.EnvelopeOf(message.NewMessage("u", nil)); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("EnvelopeOf a foreign message: got %v, want a validation error", err)
	}
}

// TestErrorsThatAreNotJSON must not vanish on the way.
func TestErrorsThatAreNotJSON(t *testing.T) {
	e := domaintest.NewEntry(domaintest.NewIDs(domaintest.NewClock(), 1), "signals").Envelope
	e.Errors = []domain.Fault{{Code: "odd", Metadata: map[string]any{"n": math.NaN()}}}
	if _, err := watermillbus.EnvelopeOf(watermillbus.MessageOf(e)); domain.CategoryOf(err) != domain.Validation {
		t.Errorf("got %v, want a validation error", err)
	}
}

func TestForeignMessagesComeOutAsTheyWentIn(t *testing.T) {
	clock := domaintest.NewClock()
	log := memlog.New(clock)
	bus := newBus(t, log)
	sub := bus.Subscriber("")
	defer sub.Close()
	out, err := sub.Subscribe(t.Context(), "elsewhere")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		in := message.NewMessage(rapid.String().Draw(t, "uuid"), rapid.SliceOf(rapid.Byte()).Draw(t, "payload"))
		for name, value := range rapid.MapOfN(rapid.String(), rapid.String(), 0, 4).Draw(t, "metadata") {
			in.Metadata.Set(name, value)
		}
		if err := bus.Publisher().Publish("elsewhere", in); err != nil {
			t.Fatal(err)
		}
		got := <-out
		defer got.Ack()
		if !got.Equals(in) {
			t.Fatalf("got %q %q %q, want %q %q %q", got.UUID, got.Metadata, got.Payload, in.UUID, in.Metadata, in.Payload)
		}
		rec, ok := watermillbus.RecordOf(got)
		if !ok || rec.Position != log.Tail() || rec.Topic != "elsewhere" || rec.Envelope.Type != domain.ForeignMessageType {
			t.Fatalf("its record is %+v, %t", rec, ok)
		}
	})
}

// FuzzEnvelopeOf reads metadata written as lines of name=value.
func FuzzEnvelopeOf(f *testing.F) {
	ids := domaintest.NewIDs(domaintest.NewClock(), 1)
	rich := domaintest.NewEntry(ids, "a").Envelope
	rich.Parent, rich.Keys, rich.Subjects = ids.NewID(), []domain.Key{"a,b", "50%"}, []domain.Subject{"s"}
	rich.Payload = domain.Payload{Encoding: domain.EncodingSealed, KeyID: "k", Nonce: []byte{1}, Bytes: []byte{2}}
	rich.Errors = []domain.Fault{{Code: "late", Metadata: map[string]any{"n": 1 << 60}}}
	for _, e := range []domain.Envelope{rich, domaintest.NewEntry(ids, "a").Envelope} {
		msg := watermillbus.MessageOf(e)
		var lines strings.Builder
		for name, value := range msg.Metadata {
			lines.WriteString(strings.TrimPrefix(name, "envelope.") + "=" + value + "\n")
		}
		f.Add(msg.UUID, []byte(msg.Payload), lines.String())
	}
	f.Fuzz(func(t *testing.T, uuid string, payload []byte, lines string) {
		msg := message.NewMessage(uuid, payload)
		for line := range strings.Lines(lines) {
			name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
			msg.Metadata.Set("envelope."+name, value)
		}
		e, err := watermillbus.EnvelopeOf(msg)
		if err != nil {
			if domain.CategoryOf(err) != domain.Validation {
				t.Fatalf("got %v, want a validation error", err)
			}
			return
		}
		again, err := watermillbus.EnvelopeOf(watermillbus.MessageOf(e))
		if err != nil || !again.Equal(e) {
			t.Fatalf("read\n%+v\nthen\n%+v, %v", e, again, err)
		}
	})
}

// FuzzDeliver delivers records of foreign messages that were stored damaged.
func FuzzDeliver(f *testing.F) {
	f.Add([]byte(`{"uuid":"u","metadata":{"a":"b"},"payload":"eA=="}`))
	f.Add([]byte(`{"uuid":7}`))
	f.Add([]byte(`null`))
	f.Fuzz(func(t *testing.T, payload []byte) {
		clock := domaintest.NewClock()
		bus := newBus(t, memlog.New(clock))
		entry := domaintest.NewEntry(domaintest.NewIDs(clock, 1), "elsewhere")
		entry.Envelope.Type = domain.ForeignMessageType
		entry.Envelope.Payload = domain.JSONPayload(payload)
		if _, err := bus.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
			return
		}
		sub := bus.Subscriber("")
		defer sub.Close()
		out, err := sub.Subscribe(t.Context(), "elsewhere")
		if err != nil {
			t.Fatal(err)
		}
		msg := <-out
		if rec, ok := watermillbus.RecordOf(msg); !ok || !rec.Envelope.Equal(entry.Envelope) {
			t.Fatalf("its record is %+v, %t", rec, ok)
		}
		msg.Metadata.Set("can", "be set")
		msg.Ack()
	})
}
