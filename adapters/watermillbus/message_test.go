package watermillbus_test

import (
	"context"
	"math"
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
		msg := watermillbus.MessageOf(context.Background(), want)
		for _, msg := range []*message.Message{msg, msg.CopyWithContext()} {
			if got, ok := watermillbus.EnvelopeOf(msg); !ok || !got.Equal(want) || len(msg.Metadata) > 0 {
				t.Fatalf("got\n%+v\nwant\n%+v", got, want)
			}
		}
		if _, ok := watermillbus.EnvelopeOf(msg.Copy()); ok {
			t.Fatal("a copy without the context can't carry an envelope")
		}
	})
}

func TestRefusedMessages(t *testing.T) {
	clock := domaintest.NewClock()
	log := memlog.New(clock)
	pub := newBus(t, log).Publisher()
	good := domaintest.NewEntry(domaintest.NewIDs(clock, 1), "signals").Envelope
	wrong := func(change func(*domain.Envelope)) func(*message.Message) {
		return func(msg *message.Message) {
			e := good
			change(&e)
			*msg = *watermillbus.MessageOf(t.Context(), e)
		}
	}
	for name, change := range map[string]func(*message.Message){
		"no id":     wrong(func(e *domain.Envelope) { e.ID = domain.ID{} }),
		"no trace":  wrong(func(e *domain.Envelope) { e.Trace = domain.TraceID{} }),
		"version 0": wrong(func(e *domain.Envelope) { e.Version = 0 }),
		"kind":      wrong(func(e *domain.Envelope) { e.Kind = "wish" }),
		"errors": wrong(func(e *domain.Envelope) {
			e.Errors = []domain.Fault{{Code: "odd", Metadata: map[string]any{"n": math.NaN()}}}
		}),
		"metadata beside":     func(msg *message.Message) { msg.Metadata.Set("correlation_id", "1") },
		"payload":             func(msg *message.Message) { msg.Payload = []byte("{") },
		"foreign, odd uuid":   func(msg *message.Message) { *msg = *message.NewMessage("\xff", nil) },
		"foreign, odd name":   func(msg *message.Message) { *msg = *message.NewMessage("u", nil); msg.Metadata.Set("\xff", "") },
		"foreign, odd value":  func(msg *message.Message) { *msg = *message.NewMessage("u", nil); msg.Metadata.Set("a", "\xff") },
		"foreign and too big": func(msg *message.Message) { *msg = *message.NewMessage("u", make([]byte, domain.MaxPayloadBytes)) },
	} {
		msg := watermillbus.MessageOf(t.Context(), good)
		change(msg)
		err := pub.Publish("signals", watermillbus.MessageOf(t.Context(), good), msg)
		if domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%s: got %v, want a validation error", name, err)
		}
	}
	if tail := log.Tail(); tail != 0 {
		t.Errorf("refused messages left %d records", tail)
	}
	if err := pub.Publish("signals", watermillbus.MessageOf(t.Context(), good)); err != nil {
		t.Errorf("the message they were made from is refused too: %v", err)
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
