package commands_test

import (
	"bytes"
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/signal"
	"chalie/domain"
)

func request(key, body string) commands.Request {
	return commands.Request{Route: "POST /api/signals", Key: key, BodyHash: commands.BodyHash([]byte(body))}
}

func TestRepeatGetsTheSameAnswer(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(1)
	first, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "body"), commandstest.AnswerID)
	if err != nil || first.Repeated || first.Status != 202 {
		t.Fatalf("answered %+v, %v", first, err)
	}
	b.Clock.Advance(23*time.Hour + 59*time.Minute)
	// Over a restart too, and without a charge: the limit is one a minute.
	for _, s := range []*signal.Signals{s, b.Signals(1)} {
		for range 3 {
			again, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "body"), commandstest.AnswerID)
			if err != nil || !again.Repeated || again.Status != first.Status || !bytes.Equal(again.Body, first.Body) {
				t.Errorf("answered %+v, %v; first %+v", again, err, first)
			}
		}
	}
	b.Count(domain.TopicSignals, 1)
	b.Count(domain.TopicRequests, 1)
}

func TestRepeatWhileLimited(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(1)
	if _, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "body"), commandstest.AnswerID); err != nil {
		t.Fatal(err)
	}
	if again, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "body"), commandstest.AnswerID); err != nil || !again.Repeated {
		t.Errorf("answered %+v, %v", again, err)
	}
	_, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k2", "body"), commandstest.AnswerID)
	commandstest.Refused(t, err, "", domain.CodeRateLimited)
	// What was refused is not remembered.
	b.Clock.Advance(time.Minute)
	if a, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k2", "body"), commandstest.AnswerID); err != nil || a.Repeated {
		t.Errorf("answered %+v, %v", a, err)
	}
}

func TestKeyIsForgottenAfterADay(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(0)
	first, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "body"), commandstest.AnswerID)
	if err != nil {
		t.Fatal(err)
	}
	b.Clock.Advance(24 * time.Hour)
	if again, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "body"), commandstest.AnswerID); err != nil || !again.Repeated {
		t.Errorf("at 24 hours: answered %+v, %v", again, err)
	}
	b.Clock.Advance(time.Millisecond)
	later, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "other"), commandstest.AnswerID)
	if err != nil || later.Repeated || bytes.Equal(later.Body, first.Body) {
		t.Errorf("after 24 hours: answered %+v, %v", later, err)
	}
	again, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "other"), commandstest.AnswerID)
	if err != nil || !bytes.Equal(again.Body, later.Body) {
		t.Errorf("the new answer is not the one repeated: %+v, %v", again, err)
	}
}

func TestKeyScope(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(0)
	if _, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "body"), commandstest.AnswerID); err != nil {
		t.Fatal(err)
	}
	other := request("k", "body")
	other.Route = "POST /elsewhere"
	for name, run := range map[string]func() (commands.Answer, error){
		"another caller": func() (commands.Answer, error) {
			return s.SubmitOnce(t.Context(), commandstest.Ada, commandstest.Weather(), request("k", "body"), commandstest.AnswerID)
		},
		"another route": func() (commands.Answer, error) {
			return s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), other, commandstest.AnswerID)
		},
		"another key": func() (commands.Answer, error) {
			return s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("K", "body"), commandstest.AnswerID)
		},
	} {
		if a, err := run(); err != nil || a.Repeated {
			t.Errorf("%s: answered %+v, %v", name, a, err)
		}
	}
	_, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "body!"), commandstest.AnswerID)
	commandstest.Refused(t, err, domain.Conflict, "key_reused")
	_, err = s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request(strings.Repeat("k", 256), ""), commandstest.AnswerID)
	commandstest.Refused(t, err, domain.Validation, "invalid")
	b.Count(domain.TopicSignals, 4)
}

func TestKeyIsNotStoredInClear(t *testing.T) {
	b := commandstest.NewBench(t)
	if _, err := b.Signals(0).SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("my diary", "body"), commandstest.AnswerID); err != nil {
		t.Fatal(err)
	}
	e := b.Records(domain.TopicRequests)[0].Envelope
	if len(e.Keys) != 1 || strings.Contains(string(e.Keys[0]), "diary") || strings.Contains(string(e.Payload.Bytes), "diary") {
		t.Errorf("the envelope is %+v", e)
	}
	signal := b.Records(domain.TopicSignals)[0].Envelope
	if e.Parent != signal.ID || e.Trace != signal.Trace || e.Principal != commandstest.Station.Principal || e.Kind != domain.KindResult {
		t.Errorf("its lineage is %+v", e)
	}
}

func TestRacingRepeats(t *testing.T) {
	b := commandstest.NewBench(t)
	// Two programs over one log: the second can't see what the first has under way.
	shared := []*signal.Signals{b.Signals(0), b.Signals(0)}
	for round := range 20 {
		req := request(strings.Repeat("k", round+1), "body")
		answers := make([]string, 16)
		var wg sync.WaitGroup
		for i := range answers {
			wg.Go(func() {
				a, err := shared[i%2].SubmitOnce(context.Background(), commandstest.Station, commandstest.Weather(), req, commandstest.AnswerID)
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				answers[i] = string(a.Body)
			})
		}
		wg.Wait()
		for _, a := range answers {
			if a != answers[0] {
				t.Fatalf("two answers to one request: %v", answers)
			}
		}
	}
	b.Count(domain.TopicSignals, 20)
	b.Count(domain.TopicRequests, 20)
}

func TestRepeatWaitsForTheFirst(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(1)
	entered, goOn := make(chan struct{}), make(chan struct{})
	b.Door.Set(func(domain.Batch) error {
		close(entered)
		<-goOn
		return nil
	}, nil)
	type result struct {
		a   commands.Answer
		err error
	}
	results := make(chan result, 2)
	run := func(ctx context.Context) {
		a, err := s.SubmitOnce(ctx, commandstest.Station, commandstest.Weather(), request("k", "body"), commandstest.AnswerID)
		results <- result{a, err}
	}
	go run(context.Background())
	<-entered
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	run(gone)
	commandstest.Refused(t, (<-results).err, domain.Dependency, "cancelled")
	go run(context.Background())
	close(goOn)
	x, y := <-results, <-results
	if x.err != nil || y.err != nil || !bytes.Equal(x.a.Body, y.a.Body) || x.a.Repeated == y.a.Repeated {
		t.Errorf("answered %+v and %+v", x, y)
	}
	b.Count(domain.TopicSignals, 1)
}

// A repeat waits for a first that has no end as long as is said, and its key stays the first's.
func TestRepeatGivesUpWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		requests, began := commands.NewRequests(nil, nil, nil), time.Now()
		release, err := requests.Enter(t.Context(), commands.RequestKey(commandstest.Station, request("k", "body")))
		if err != nil {
			t.Fatal(err)
		}
		_, err = requests.Once(t.Context(), commandstest.Station, request("k", "body"), nil)
		commandstest.Refused(t, err, domain.Conflict, commands.CodeUnderWay)
		if waited := time.Since(began); waited != commands.RepeatWithin || !domain.IsRetriable(err) {
			t.Errorf("after %s the answer is %v", waited, err)
		}
		release()
		again, err := requests.EnterWithin(t.Context(), commands.RequestKey(commandstest.Station, request("k", "body")), 0)
		if err != nil {
			t.Fatal(err)
		}
		again()
	})
}

func TestLostAnswerIsRepeated(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(0)
	b.Door.Set(nil, func(domain.Receipt) error {
		return &domain.Error{Category: domain.Dependency, Code: domain.CodeOutcomeUnknown, Message: "who knows"}
	})
	_, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "body"), commandstest.AnswerID)
	commandstest.Refused(t, err, domain.Dependency, domain.CodeOutcomeUnknown)
	b.Door.Set(nil, nil)
	a, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "body"), commandstest.AnswerID)
	if err != nil || !a.Repeated {
		t.Errorf("answered %+v, %v", a, err)
	}
	if want := b.Records(domain.TopicSignals)[0].Envelope.ID.UUID(); string(a.Body) != want {
		t.Errorf("the answer names %s, the signal is %s", a.Body, want)
	}
	b.Count(domain.TopicSignals, 1)
}

func TestBatchOnce(t *testing.T) {
	b := commandstest.NewBench(t)
	s := b.Signals(3)
	bad := commandstest.Weather()
	bad.Content = ""
	items := []signal.Item{{Signal: commandstest.Weather()}, {Signal: bad}, {Signal: commandstest.Weather()}}
	answer := func(o signal.Outcome) commands.Answer {
		return commands.Answer{Status: 200, Body: []byte{byte('0' + o.Accepted), byte('0' + len(o.Rejected))}}
	}
	run := func(items []signal.Item, key string) (commands.Answer, error) {
		return s.SubmitBatchOnce(t.Context(), commandstest.Station, items, request(key, "body"), answer)
	}
	for i := range 3 {
		a, err := run(items, "k")
		if err != nil || string(a.Body) != "21" || a.Repeated != (i > 0) {
			t.Errorf("round %d: answered %+v, %v", i, a, err)
		}
	}
	// A batch of which nothing is accepted leaves nothing, and may come again.
	for range 2 {
		if a, err := run([]signal.Item{{Signal: bad}}, "bad"); err != nil || string(a.Body) != "01" || a.Repeated {
			t.Errorf("answered %+v, %v", a, err)
		}
	}
	_, err := run(make([]signal.Item, 51), "big")
	commandstest.Refused(t, err, domain.Validation, "invalid")
	b.Count(domain.TopicSignals, 2)
	b.Count(domain.TopicRequests, 1)
}

// A key that was used by a clock that was ahead is remembered for a day, from the first
// record of a clock that is right, and costs nobody else a place.
func TestAKeyOfAClockAhead(t *testing.T) {
	const year = 365 * 24 * time.Hour
	for _, off := range []time.Duration{year, time.Hour, -year} {
		t.Run(off.String(), func(t *testing.T) {
			b := commandstest.NewBench(t)
			b.Clock.Advance(off)
			first, err := b.Signals(1).SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "body"), commandstest.AnswerID)
			if err != nil {
				t.Fatal(err)
			}
			b.Clock.Advance(-off)
			if off > 0 {
				if again, err := b.Signals(1).SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "body"), commandstest.AnswerID); err != nil || !again.Repeated || !bytes.Equal(again.Body, first.Body) {
					t.Errorf("with the clock right again: answered %+v, %v", again, err)
				}
			}
			s := b.Signals(1)
			if a, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("other", "body"), commandstest.AnswerID); err != nil || a.Repeated {
				t.Errorf("another: answered %+v, %v", a, err)
			}
			if off > 0 {
				// What was an hour ahead isn't any more an hour later.
				b.Clock.Advance(24*time.Hour + off%year)
				if again, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "body"), commandstest.AnswerID); err != nil || !again.Repeated {
					t.Errorf("a day later: answered %+v, %v", again, err)
				}
			}
			b.Clock.Advance(time.Minute)
			for _, repeated := range []bool{false, true} {
				if a, err := s.SubmitOnce(t.Context(), commandstest.Station, commandstest.Weather(), request("k", "news"), commandstest.AnswerID); err != nil || a.Repeated != repeated {
					t.Errorf("after that: answered %+v, %v", a, err)
				}
			}
		})
	}
}
