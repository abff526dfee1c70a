package catchup_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/domain/memlog"
	"chalie/projections"
	"chalie/projections/catchup"
)

// record is one at a position, with the keys it is appended with.
func record[P any](t testing.TB, pos domain.Position, who domain.Principal, payload P) domain.Record {
	t.Helper()
	id := domain.ID{0: 1, 14: byte(pos >> 8), 15: byte(pos)}
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, who), id, 1, "test", payload)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := any(payload).(domain.ReasoningConcluded); ok {
		entry.Envelope.Keys = []domain.Key{c.ShownKey()}
	}
	return domain.Record{Position: pos, Topic: entry.Topic, RecordedAt: domain.Millis(pos), Envelope: entry.Envelope}
}

func erased(rec domain.Record) domain.Record {
	rec.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
	return rec
}

var answered = domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage, Reply: domain.ID{9}}

// messages are n records of one frame each, at positions 1 to n.
func messages(t testing.TB, n int) (log []domain.Record) {
	for i := range n {
		log = append(log, record(t, domain.Position(i+1), domain.PrincipalOperator, domain.MessageReceived{Text: "hi"}))
	}
	return log
}

func apply(t testing.TB, p *catchup.Projection, recs ...domain.Record) {
	t.Helper()
	for _, rec := range recs {
		if err := p.Apply(rec); err != nil {
			t.Fatal(err)
		}
	}
}

func expect(t testing.TB, p *catchup.Projection, after domain.Seq, want []domain.Seq, wantDropped domain.Seq) {
	t.Helper()
	got, dropped := p.After(after)
	if !slices.Equal(got, want) || dropped != wantDropped {
		t.Errorf("after %d: %v and %d dropped, want %v and %d", after, got, dropped, want, wantDropped)
	}
}

func TestKeepsWhatAnAnswerShows(t *testing.T) {
	const who = domain.PrincipalOperator
	log := []domain.Record{
		record(t, 1, "station", domain.SignalReceived{SignalType: "a", Content: "b"}),
		record(t, 2, who, domain.MessageReceived{Text: "hi"}),
		record(t, 3, "portal", domain.MessageReceived{Text: "hi"}),
		erased(record(t, 4, who, domain.ReasoningStarted{})),
		record(t, 5, who, domain.ModelCalled{}),
		record(t, 6, who, answered),
		erased(record(t, 7, who, answered)),
	}
	p := catchup.New(catchup.Frames, catchup.Size)
	expect(t, p, 0, nil, 0)
	apply(t, p, log...)
	expect(t, p, 0, []domain.Seq{32, 64, 65, 80, 96, 97, 112, 113}, 0)
	expect(t, p, 64, []domain.Seq{65, 80, 96, 97, 112, 113}, 0)
	expect(t, p, 96, []domain.Seq{97, 112, 113}, 0)
	expect(t, p, 100, []domain.Seq{112, 113}, 0)
	expect(t, p, 113, nil, 0)
	expect(t, p, 1<<60, nil, 0)
}

// TestThreeHundredMissed is a client that was away for longer than the buffer.
func TestThreeHundredMissed(t *testing.T) {
	p := catchup.New(catchup.Frames, catchup.Size)
	apply(t, p, messages(t, 310)...)
	got, dropped := p.After(domain.SeqOf(10, 0))
	if len(got) != 200 || got[0] != domain.SeqOf(111, 0) || got[199] != domain.SeqOf(310, 0) || dropped != domain.SeqOf(110, 0) {
		t.Errorf("%d frames from %d, dropped through %d", len(got), got[0], dropped)
	}
}

// The buffer may end in the middle of a record's frames.
func TestDropsFramesNotRecords(t *testing.T) {
	p := catchup.New(catchup.Frames, 1)
	apply(t, p, record(t, 1, domain.PrincipalOperator, answered))
	expect(t, p, 0, []domain.Seq{17}, 16)
	none := catchup.New(catchup.Frames, 0)
	apply(t, none, record(t, 1, domain.PrincipalOperator, answered))
	expect(t, none, 0, nil, 17)
	if err := none.Wait(t.Context(), 16); err != nil {
		t.Errorf("waiting for what came and was not kept: %v", err)
	}
}

func TestAnswersAreTheCallers(t *testing.T) {
	p := catchup.New(catchup.Frames, catchup.Size)
	apply(t, p, messages(t, 2)...)
	got, _ := p.After(0)
	got[0] = 7
	expect(t, p, 0, []domain.Seq{16, 32}, 0)
}

func TestUndecodableChangesNothing(t *testing.T) {
	p := catchup.New(catchup.Frames, catchup.Size)
	apply(t, p, messages(t, 1)...)
	bad := record(t, 2, domain.PrincipalOperator, answered)
	bad.Envelope.Payload = domain.JSONPayload([]byte(`7`))
	if err := p.Apply(bad); domain.CodeOf(err) != domain.CodeUndecodable {
		t.Errorf("the error is %v", err)
	}
	expect(t, p, 0, []domain.Seq{16}, 0)
}

// A build may keep fewer frames than the one before it, or more.
func TestAnotherSize(t *testing.T) {
	store := projections.NewMemStore()
	for _, c := range []struct {
		size    int
		want    []domain.Seq
		dropped domain.Seq
	}{
		{4, []domain.Seq{32, 48, 64, 80}, 16},
		{2, []domain.Seq{64, 80}, 48},
		{9, []domain.Seq{32, 48, 64, 80}, 16},
	} {
		if c.size == 4 {
			p := catchup.New(catchup.Frames, c.size)
			apply(t, p, messages(t, 5)...)
			if err := store.Update(5, p.Save); err != nil {
				t.Fatal(err)
			}
		}
		p := catchup.New(catchup.Frames, c.size)
		if err := p.Load(store); err != nil {
			t.Fatal(err)
		}
		expect(t, p, 0, c.want, c.dropped)
	}
}

type writes struct{ n int }

func (w *writes) Set(_, _ []byte) error { w.n++; return nil }
func (w *writes) Delete([]byte) error   { return nil }

// TestSavesOnlyChanges holds that signals don't make the numbers be written
// again and again, and that a refused save is made up for.
func TestSavesOnlyChanges(t *testing.T) {
	p := catchup.New(catchup.Frames, catchup.Size)
	var w writes
	save := func(want int, kept bool) {
		t.Helper()
		w.n = 0
		if err := p.Save(&w); err != nil || w.n != want {
			t.Errorf("%d writes, %v; want %d", w.n, err, want)
		}
		if kept {
			p.Saved()
		}
	}
	apply(t, p, messages(t, 1)...)
	save(1, false)
	save(1, true)
	save(0, true)
	apply(t, p, record(t, 2, "station", domain.SignalReceived{SignalType: "a", Content: "b"}))
	save(0, true)
	apply(t, p, record(t, 3, domain.PrincipalOperator, answered))
	save(1, true)
}

func TestDamagedState(t *testing.T) {
	store := projections.NewMemStore()
	if err := store.Update(1, func(b projections.Batch) error { return b.Set([]byte("state"), []byte("{")) }); err != nil {
		t.Fatal(err)
	}
	if err := catchup.New(catchup.Frames, catchup.Size).Load(store); err == nil {
		t.Error("damaged state was loaded")
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := catchup.New(catchup.Frames, catchup.Size).Load(store); domain.CodeOf(err) != domain.CodeClosed {
		t.Errorf("loading from a closed store: %v", err)
	}
}

func TestRefusedWrites(t *testing.T) {
	refused := errors.New("refused")
	if err := catchup.New(catchup.Frames, catchup.Size).Save(refusing{refused}); !errors.Is(err, refused) {
		t.Errorf("Save: %v", err)
	}
}

type refusing struct{ err error }

func (r refusing) Set(_, _ []byte) error { return r.err }
func (r refusing) Delete([]byte) error   { return r.err }

func TestInARunner(t *testing.T) {
	clock := domaintest.NewClock()
	log, ids := memlog.New(clock), domaintest.NewIDs(clock, 1)
	p := catchup.New(catchup.Frames, catchup.Size)
	runner, err := projections.NewRunner(p, log, projections.NewMemStore(), clock, projections.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- runner.Run(ctx) }()
	entry, err := domain.New(domain.Begin(ids.NewTrace(), domain.PrincipalOperator), ids.NewID(), 1, "ws", domain.MessageReceived{Text: "hi"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(ctx, 0); err != nil {
		t.Error(err)
	}
	expect(t, p, 0, []domain.Seq{16}, 0)
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if p.Name() != "catchup" || p.Version() != 4 {
		t.Errorf("it is %s v%d", p.Name(), p.Version())
	}
}
