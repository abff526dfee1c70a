package commands_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/domain"
)

func TestCallErrors(t *testing.T) {
	const looking = "; it may have been done: look before you ask for it again"
	for _, c := range []struct {
		name       string
		err        error
		end        domain.EventType
		reason     domain.Code
		detail     string
		dispatched bool
		again      bool
	}{
		{"unreachable", peerFails(commands.CodePeerUnreachable, "127.0.0.1:9001 refuses the connection."), "tool.failed", "unreachable", "127.0.0.1:9001 refuses the connection", false, true},
		{"forbidden", peerFails(commands.CodePeerForbidden, "it isn't called"), "tool.failed", "address_refused", "it isn't called", false, false},
		{"a status", peerFails(commands.CodePeerStatus, "it answered 500"), "tool.failed", "http_error", "it answered 500" + looking, true, false},
		{"no JSON", peerFails(commands.CodePeerBadJSON, "HTML"), "tool.failed", "bad_json", "HTML" + looking, true, false},
		{"another shape", peerFails(commands.CodePeerBadShape, "a list"), "tool.failed", "bad_shape", "a list" + looking, true, false},
		{"too large", peerFails(commands.CodePeerTooLarge, "over 1 MiB"), "tool.failed", "answer_too_large", "over 1 MiB" + looking, true, false},
		{"lost", peerFails(commands.CodePeerUnknown, "it went away"), "tool.outcome_unknown", "connection_lost", "it went away" + looking, true, false},
		{"of a code that nobody foresaw", peerFails("odd", "odd"), "tool.outcome_unknown", "odd", "odd" + looking, true, false},
		{"of a foreign kind", errors.New("boom"), "tool.outcome_unknown", "connection_lost", "boom" + looking, true, false},
		{"without a message", &domain.Error{Op: "execute", Code: commands.CodePeerStatus, Err: errors.New("cause")}, "tool.failed", "http_error", "execute: cause" + looking, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorkshop(t)
			w.peer.do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
				w.clock.Advance(millis(30))
				return answered("not to be believed"), c.err
			}
			got, err := w.tools().Invoke(t.Context(), ada, cancels())
			if err != nil {
				t.Fatal(err)
			}
			records := w.happened("tool.invoked", "policy.decided", "tool.dispatched", c.end)
			lawfulTools(t, records, true)
			fault := domain.Fault{Code: c.reason, Category: domain.Dependency, Message: c.detail, Retryable: c.again}
			want := commands.Invoked{ID: got.ID, Outcome: c.end, Result: commands.Result{Error: &c.detail}, Fault: &fault}
			if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(records[3].Envelope.Errors, []domain.Fault{fault}) {
				t.Errorf("told\n%+v %s\nwant\n%+v\nwith errors %+v", got, orNone(got.Result.Error), want, records[3].Envelope.Errors)
			}
			if c.end == "tool.failed" {
				if end, want := decoded[domain.ToolFailed](t, records[3]), (domain.ToolFailed{InvocationID: got.ID, Reason: c.reason, Detail: c.detail, Dispatched: c.dispatched, DurationMS: 30}); end != want {
					t.Errorf("failed %+v, want %+v", end, want)
				}
			} else if end, want := decoded[domain.ToolOutcomeUnknown](t, records[3]), (domain.ToolOutcomeUnknown{InvocationID: got.ID, Reason: c.reason, Detail: c.detail, DurationMS: 30}); end != want {
				t.Errorf("unknown %+v, want %+v", end, want)
			}
			if w.peer.times() != 1 {
				t.Errorf("%d calls", w.peer.times())
			}
		})
	}
}

// A tool whose answer nests too deep has run: what it answered is kept as a text, without
// the secrets in it.
func TestAnswersThatNestTooDeep(t *testing.T) {
	for _, deep := range []int{domain.MaxNesting, domain.MaxNesting + 1, 5_000, 20_000} {
		w := newWorkshop(t)
		said := "two were found"
		data := strings.Repeat("[", deep-1) + `{"password":"correct horse","id":"apt_1"}` + strings.Repeat("]", deep-1)
		w.peer.do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
			return commands.Result{Text: &said, Data: []byte(data)}, nil
		}
		got, err := w.tools().Invoke(t.Context(), ada, cancels())
		if err != nil || got.Outcome != "tool.completed" || got.Fault != nil {
			t.Fatalf("%d deep: told %+v, %v", deep, got.Outcome, err)
		}
		end := decoded[domain.ToolCompleted](t, w.happened(wholeCall...)[3])
		kept := string(end.Data)
		if deep > domain.MaxNesting {
			if kept = *end.Text; string(end.Data) != "null" || !strings.HasPrefix(kept, said+"\nThe answer nests more than 100 objects and arrays deep, so it is kept as a text: [[") {
				t.Errorf("%d deep: recorded %.200s, %.80s", deep, kept, end.Data)
			}
		}
		if !strings.Contains(kept, `"id":"apt_1"`) || strings.Contains(kept, "horse") {
			t.Errorf("%d deep: recorded %s", deep, kept[max(0, len(kept)-300):])
		}
	}
}

// What a tool says of its own failure is an answer, kept whole.
func TestToolErrors(t *testing.T) {
	w := newWorkshop(t)
	why, said := "no such appointment", "I looked everywhere"
	answer := commands.Result{Text: &said, Data: []byte(`{"looked":3}`), Error: &why}
	w.peer.do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) { return answer, nil }
	got, err := w.tools().Invoke(t.Context(), ada, cancels())
	if err != nil {
		t.Fatal(err)
	}
	records := w.happened(wholeCall...)
	fault := domain.Fault{Code: domain.CodeToolError, Category: domain.Dependency, Message: why}
	if want := (commands.Invoked{ID: got.ID, Outcome: "tool.completed", Result: answer, Fault: &fault}); !reflect.DeepEqual(got, want) {
		t.Errorf("told %+v, want %+v", got, want)
	}
	if end := decoded[domain.ToolCompleted](t, records[3]); orNone(end.Error) != why || orNone(end.Text) != said || string(end.Data) != `{"looked":3}` {
		t.Errorf("completed %+v", end)
	}
	if errs := records[3].Envelope.Errors; !reflect.DeepEqual(errs, []domain.Fault{fault}) {
		t.Errorf("the envelope's errors are %+v", errs)
	}
}

func TestAnEmptyToolErrorIsNone(t *testing.T) {
	w := newWorkshop(t)
	w.peer.do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		return commands.Result{Error: new(string)}, nil
	}
	got, err := w.tools().Invoke(t.Context(), ada, cancels())
	if err != nil || got.Fault != nil || got.Result.Error != nil || w.happened(wholeCall...)[3].Envelope.Errors != nil {
		t.Errorf("told %+v, %v", got, err)
	}
}

func TestAnswersThatDontFit(t *testing.T) {
	long := strings.Repeat("x", domain.MaxPayloadBytes-300)
	tooLong := long + strings.Repeat("x", 300)
	broken := "broken \xff words"
	for _, c := range []struct {
		name   string
		answer commands.Result
		reason domain.Code // "" when it fits
		says   string
	}{
		{"as long as it may be", commands.Result{Text: &long}, "", ""},
		{"too long", commands.Result{Text: &tooLong}, commands.CodePeerTooLarge, "the bound is 524288"},
		{"a long error", commands.Result{Error: &tooLong}, commands.CodePeerTooLarge, "the bound is 524288"},
		{"data that is no JSON", commands.Result{Data: []byte("{")}, commands.CodePeerBadShape, "can't be stored"},
		{"data in no UTF-8", commands.Result{Data: []byte(`{"a":"` + broken + `"}`)}, commands.CodePeerBadShape, "can't be stored"},
		{"a block that is no JSON", commands.Result{Blocks: []domain.Block{{"type": make(chan int)}}}, commands.CodePeerBadShape, "can't be stored"},
		{"an error in no UTF-8", commands.Result{Error: &broken}, "", "broken \uFFFD words"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorkshop(t)
			w.peer.do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) { return c.answer, nil }
			got, err := w.tools().Invoke(t.Context(), ada, cancels())
			if err != nil {
				t.Fatal(err)
			}
			if c.reason == "" {
				w.happened(wholeCall...)
				if c.says != "" && got.Fault.Message != c.says {
					t.Errorf("it says %q", got.Fault.Message)
				}
				return
			}
			records := w.happened("tool.invoked", "policy.decided", "tool.dispatched", "tool.failed")
			if end := decoded[domain.ToolFailed](t, records[3]); end.Reason != c.reason || !end.Dispatched || !strings.Contains(end.Detail, c.says) || orNone(got.Result.Error) != end.Detail {
				t.Errorf("failed %+v, told %+v", end, got)
			}
		})
	}
}

func TestALongReasonIsCut(t *testing.T) {
	w := newWorkshop(t)
	w.peer.do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		return commands.Result{}, peerFails(commands.CodePeerStatus, strings.Repeat("é", 1<<20))
	}
	got, err := w.tools().Invoke(t.Context(), ada, cancels())
	if err != nil || len(*got.Result.Error) > 2<<10 || !strings.HasSuffix(*got.Result.Error, "é…; it may have been done: look before you ask for it again") {
		t.Errorf("%d bytes, %v", len(*got.Result.Error), err)
	}
}

// A clock that goes back makes nothing take less than no time.
func TestTheClockGoesBack(t *testing.T) {
	w := newWorkshop(t)
	w.peer.do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		w.clock.Advance(-time.Hour)
		return answered("ok"), nil
	}
	if _, err := w.tools().Invoke(t.Context(), ada, cancels()); err != nil {
		t.Fatal(err)
	}
	if end := decoded[domain.ToolCompleted](t, w.happened(wholeCall...)[3]); end.DurationMS != 0 {
		t.Errorf("it took %d ms", end.DurationMS)
	}
}

// Whoever asked goes away while the call is under way: it goes on to its end.
func TestCancelledWhileItIsCalled(t *testing.T) {
	w := newWorkshop(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.peer.do = func(ctx context.Context, _ commands.Endpoint, _ commands.Call) (commands.Result, error) {
		cancel()
		if ctx.Err() != nil {
			t.Error("the call was given up, too")
		}
		return answered("ok"), nil
	}
	got, err := w.tools().Invoke(ctx, ada, cancels())
	if err != nil || orNone(got.Result.Text) != "ok" {
		t.Errorf("told %+v, %v", got, err)
	}
	w.happened(wholeCall...)
}

// Whoever asked goes away before the call: it isn't made, and the log says so.
func TestCancelledBeforeItIsCalled(t *testing.T) {
	w := newWorkshop(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.door.set(nil, func(domain.Receipt) error { cancel(); return nil })
	got, err := w.tools().Invoke(ctx, ada, cancels())
	if err != nil || got.Fault.Code != domain.CodeNotDispatched || !got.Fault.Retryable || w.peer.times() != 0 {
		t.Errorf("told %+v, %v, after %d calls", got, err, w.peer.times())
	}
	records := w.happened("tool.invoked", "policy.decided", "tool.failed")
	if end := decoded[domain.ToolFailed](t, records[2]); end.Reason != domain.CodeNotDispatched || end.Dispatched {
		t.Errorf("failed %+v", end)
	}
}

// A call is bounded, by 15 s unless something else is configured.
func TestAToolThatHangs(t *testing.T) {
	for _, within := range []time.Duration{0, 2 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorkshop(t)
			w.peer.do = func(ctx context.Context, _ commands.Endpoint, _ commands.Call) (commands.Result, error) {
				<-ctx.Done()
				return commands.Result{}, peerFails(commands.CodePeerUnknown, "it took too long")
			}
			cfg := w.config()
			cfg.Within = within
			tools, err := commands.NewTools(cfg)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			got, err := tools.Invoke(t.Context(), ada, cancels())
			want := within
			if want == 0 {
				want = 15 * time.Second
			}
			if took := time.Since(began); err != nil || took != want || got.Outcome != "tool.outcome_unknown" {
				t.Errorf("after %s: %+v, %v", took, got, err)
			}
		})
	}
}
