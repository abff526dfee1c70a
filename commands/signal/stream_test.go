package signal_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"chalie/commands/commandstest"
	"chalie/commands/signal"
	"chalie/domain"
)

// radio is the stream commands over a log in memory.
type radio struct {
	*commandstest.Bench
	roll    *commandstest.Roll
	streams *signal.Streams
	changed int
}

func newRadio(t *testing.T) *radio {
	t.Helper()
	r := &radio{Bench: commandstest.NewBench(t)}
	r.roll = &commandstest.Roll{Log: r.Log}
	var err error
	r.streams, err = signal.NewStreams(signal.StreamsConfig{
		Env: r.Env(), Book: r.roll, Applied: r.roll, Changed: func() { r.changed++ },
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func quotes(n int) domain.StreamAdded {
	return domain.StreamAdded{URL: fmt.Sprintf("ws://quotes.example:%d/stream", 9000+n)}
}

func (r *radio) add(s domain.StreamAdded) domain.ID {
	r.T.Helper()
	id, err := r.streams.Add(r.T.Context(), commandstest.Ada, s)
	if err != nil {
		r.T.Fatal(err)
	}
	return id
}

func TestStreams(t *testing.T) {
	r := newRadio(t)
	first, second := r.add(quotes(1)), r.add(domain.StreamAdded{URL: "wss://news.example/all?key=secret", Source: " news "})
	if _, err := r.streams.Add(t.Context(), commandstest.Ada, quotes(1)); domain.CodeOf(err) != "stream_exists" {
		t.Errorf("adding it twice: %v", err)
	}
	list := r.streams.List()
	if len(list) != 2 || list[0].ID != first || list[0].Source != "quotes.example:9001" || list[1].ID != second || list[1].Source != "news" {
		t.Errorf("the list is %+v", list)
	}
	if err := r.streams.Remove(t.Context(), commandstest.Ada, first); err != nil {
		t.Fatal(err)
	}
	if err := r.streams.Remove(t.Context(), commandstest.Ada, first); domain.CodeOf(err) != "no_stream" || domain.CategoryOf(err) != domain.NotFound {
		t.Errorf("removing it twice: %v", err)
	}
	if list := r.streams.List(); len(list) != 1 || list[0].ID != second {
		t.Errorf("the list is %+v", list)
	}
	again := r.add(quotes(1))
	if again == first || r.changed != 4 {
		t.Errorf("added again as %v; changes were told %d times", again, r.changed)
	}
	for i, rec := range r.Records(domain.TopicInterfaces) {
		if e := rec.Envelope; e.Principal != domain.PrincipalOperator || e.Source != commandstest.Ada.Source || len(e.Keys) != 2 {
			t.Errorf("envelope %d is %+v", i, e)
		}
	}
}

func TestStreamsRefuse(t *testing.T) {
	r := newRadio(t)
	for _, url := range []string{"", "http://x/", "ws://", "ws:///path", "ws://user:secret@x/", "ws://x/ y", "ws://x/é", "WS://x/"} {
		_, err := r.streams.Add(t.Context(), commandstest.Ada, domain.StreamAdded{URL: url})
		commandstest.Refused(t, err, domain.Validation, "invalid")
	}
	_, err := r.streams.Add(t.Context(), commandstest.Ada, domain.StreamAdded{URL: "ws://x", Source: "a\x1b[2J"})
	commandstest.Refused(t, err, domain.Validation, "invalid")
	r.Count(domain.TopicAll, 0)
	for n := range domain.MaxStreams {
		r.add(quotes(n))
	}
	_, err = r.streams.Add(t.Context(), commandstest.Ada, quotes(domain.MaxStreams))
	commandstest.Refused(t, err, domain.Conflict, "too_many_streams")
	r.Count(domain.TopicAll, domain.MaxStreams)
}

// TestStreamsRace adds one URL from many sides: one wins, whatever the fold knew.
// What would be refused at every attempt to connect is refused at once.
func TestStreamsToForbiddenAddresses(t *testing.T) {
	for _, url := range []string{"ws://169.254.169.254/s", "wss://[fe80::1]:9/s", "ws://0.0.0.0:9/s"} {
		r := newRadio(t)
		_, err := r.streams.Add(t.Context(), commandstest.Ada, domain.StreamAdded{URL: url})
		commandstest.Refused(t, err, domain.Validation, "invalid")
		r.Count(domain.TopicAll, 0)
	}
}

func TestStreamsRace(t *testing.T) {
	r := newRadio(t)
	var all sync.WaitGroup
	failures := make([]error, 8)
	for i := range failures {
		all.Go(func() { _, failures[i] = r.streams.Add(context.Background(), commandstest.Ada, quotes(i%2)) })
	}
	all.Wait()
	won := 0
	for _, err := range failures {
		if err == nil {
			won++
			continue
		}
		commandstest.Refused(t, err, domain.Conflict, "stream_exists")
	}
	if won != 2 {
		t.Errorf("%d of 8 were added", won)
	}
	r.Count(domain.TopicInterfaces, 2)
}

// TestStreamsChangedElsewhere lets another process write what the fold doesn't
// know yet.
func TestStreamsChangedElsewhere(t *testing.T) {
	r := newRadio(t)
	r.roll.Hold()
	id := r.IDs.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 1, "elsewhere", quotes(5))
	if err != nil {
		t.Fatal(err)
	}
	entry.Envelope.Keys = quotes(5).Keys()
	if _, err := r.Log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		t.Fatal(err)
	}
	_, err = r.streams.Add(t.Context(), commandstest.Ada, quotes(5))
	commandstest.Refused(t, err, domain.Conflict, "streams_changed")
	if !domain.IsRetriable(err) {
		t.Error("it can't be tried again")
	}
	r.Count(domain.TopicInterfaces, 1)
}

func TestStreamsUnwritten(t *testing.T) {
	r := newRadio(t)
	r.Door.Set(func(domain.Batch) error { return commandstest.LogFailed(domain.CodeDiskLow) }, nil)
	if _, err := r.streams.Add(t.Context(), commandstest.Ada, quotes(1)); domain.CodeOf(err) != domain.CodeDiskLow {
		t.Errorf("adding: %v", err)
	}
	if len(r.streams.List()) != 0 || r.changed != 0 {
		t.Errorf("there are %v, and changes were told %d times", r.streams.List(), r.changed)
	}
}
