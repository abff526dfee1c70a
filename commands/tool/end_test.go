package tool_test

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/tool"
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
		{"unreachable", commandstest.PeerFails(commands.CodePeerUnreachable, "127.0.0.1:9001 refuses the connection."), "tool.failed", "unreachable", "127.0.0.1:9001 refuses the connection", false, true},
		{"forbidden", commandstest.PeerFails(commands.CodePeerForbidden, "it isn't called"), "tool.failed", "address_refused", "it isn't called", false, false},
		{"a status", commandstest.PeerFails(commands.CodePeerStatus, "it answered 500"), "tool.failed", "http_error", "it answered 500" + looking, true, false},
		{"no JSON", commandstest.PeerFails(commands.CodePeerBadJSON, "HTML"), "tool.failed", "bad_json", "HTML" + looking, true, false},
		{"another shape", commandstest.PeerFails(commands.CodePeerBadShape, "a list"), "tool.failed", "bad_shape", "a list" + looking, true, false},
		{"too large", commandstest.PeerFails(commands.CodePeerTooLarge, "over 1 MiB"), "tool.failed", "answer_too_large", "over 1 MiB" + looking, true, false},
		{"lost", commandstest.PeerFails(commands.CodePeerUnknown, "it went away"), "tool.outcome_unknown", "connection_lost", "it went away" + looking, true, false},
		{"of a code that nobody foresaw", commandstest.PeerFails("odd", "odd"), "tool.outcome_unknown", "odd", "odd" + looking, true, false},
		{"of a foreign kind", errors.New("boom"), "tool.outcome_unknown", "connection_lost", "boom" + looking, true, false},
		{"without a message", &domain.Error{Op: "execute", Code: commands.CodePeerStatus, Err: errors.New("cause")}, "tool.failed", "http_error", "execute: cause" + looking, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := commandstest.NewWorkshop(t)
			w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
				w.Clock.Advance(millis(30))
				return commandstest.Answered("not to be believed"), c.err
			}
			got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
			if err != nil {
				t.Fatal(err)
			}
			records := w.Happened("tool.invoked", "policy.decided", "tool.dispatched", c.end)
			lawfulTools(t, records, true)
			fault := domain.Fault{Code: c.reason, Category: domain.Dependency, Message: c.detail, Retryable: c.again}
			want := tool.Invoked{ID: got.ID, Outcome: c.end, Result: commands.Result{Error: &c.detail}, Fault: &fault}
			if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(records[3].Envelope.Errors, []domain.Fault{fault}) {
				t.Errorf("told\n%+v %s\nwant\n%+v\nwith errors %+v", got, orNone(got.Result.Error), want, records[3].Envelope.Errors)
			}
			if c.end == "tool.failed" {
				if end, want := commandstest.Decoded[domain.ToolFailed](t, records[3]), (domain.ToolFailed{InvocationID: got.ID, Reason: c.reason, Detail: c.detail, Dispatched: c.dispatched, DurationMS: 30}); end != want {
					t.Errorf("failed %+v, want %+v", end, want)
				}
			} else if end, want := commandstest.Decoded[domain.ToolOutcomeUnknown](t, records[3]), (domain.ToolOutcomeUnknown{InvocationID: got.ID, Reason: c.reason, Detail: c.detail, DurationMS: 30}); end != want {
				t.Errorf("unknown %+v, want %+v", end, want)
			}
			if w.Peer.Times() != 1 {
				t.Errorf("%d calls", w.Peer.Times())
			}
		})
	}
}

// A tool whose answer nests too deep has run: what it answered is kept as a text, without
// the secrets in it.
func TestAnswersThatNestTooDeep(t *testing.T) {
	for _, deep := range []int{domain.MaxNesting, domain.MaxNesting + 1, 5_000, 20_000} {
		w := commandstest.NewWorkshop(t)
		said := "two were found"
		data := strings.Repeat("[", deep-1) + `{"password":"correct horse","id":"apt_1"}` + strings.Repeat("]", deep-1)
		w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
			return commands.Result{Text: &said, Data: []byte(data)}, nil
		}
		got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
		if err != nil || got.Outcome != "tool.completed" || got.Fault != nil {
			t.Fatalf("%d deep: told %+v, %v", deep, got.Outcome, err)
		}
		end := commandstest.Decoded[domain.ToolCompleted](t, w.Happened(wholeCall...)[3])
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
	w := commandstest.NewWorkshop(t)
	why, said := "no such appointment", "I looked everywhere"
	answer := commands.Result{Text: &said, Data: []byte(`{"looked":3}`), Error: &why}
	w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) { return answer, nil }
	got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
	if err != nil {
		t.Fatal(err)
	}
	records := w.Happened(wholeCall...)
	fault := domain.Fault{Code: domain.CodeToolError, Category: domain.Dependency, Message: why}
	if want := (tool.Invoked{ID: got.ID, Outcome: "tool.completed", Result: answer, Fault: &fault}); !reflect.DeepEqual(got, want) {
		t.Errorf("told %+v, want %+v", got, want)
	}
	if end := commandstest.Decoded[domain.ToolCompleted](t, records[3]); orNone(end.Error) != why || orNone(end.Text) != said || string(end.Data) != `{"looked":3}` {
		t.Errorf("completed %+v", end)
	}
	if errs := records[3].Envelope.Errors; !reflect.DeepEqual(errs, []domain.Fault{fault}) {
		t.Errorf("the envelope's errors are %+v", errs)
	}
}

func TestAnEmptyToolErrorIsNone(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		return commands.Result{Error: new(string)}, nil
	}
	got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
	if err != nil || got.Fault != nil || got.Result.Error != nil || w.Happened(wholeCall...)[3].Envelope.Errors != nil {
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
			w := commandstest.NewWorkshop(t)
			w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) { return c.answer, nil }
			got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
			if err != nil {
				t.Fatal(err)
			}
			if c.reason == "" {
				w.Happened(wholeCall...)
				if c.says != "" && got.Fault.Message != c.says {
					t.Errorf("it says %q", got.Fault.Message)
				}
				return
			}
			records := w.Happened("tool.invoked", "policy.decided", "tool.dispatched", "tool.failed")
			if end := commandstest.Decoded[domain.ToolFailed](t, records[3]); end.Reason != c.reason || !end.Dispatched || !strings.Contains(end.Detail, c.says) || orNone(got.Result.Error) != end.Detail {
				t.Errorf("failed %+v, told %+v", end, got)
			}
		})
	}
}

func TestALongReasonIsCut(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		return commands.Result{}, commandstest.PeerFails(commands.CodePeerStatus, strings.Repeat("é", 1<<20))
	}
	got, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
	if err != nil || len(*got.Result.Error) > 2<<10 || !strings.HasSuffix(*got.Result.Error, "é…; it may have been done: look before you ask for it again") {
		t.Errorf("%d bytes, %v", len(*got.Result.Error), err)
	}
}

// A clock that goes back makes nothing take less than no time.
func TestTheClockGoesBack(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	w.Peer.Do = func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		w.Clock.Advance(-time.Hour)
		return commandstest.Answered("ok"), nil
	}
	if _, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels()); err != nil {
		t.Fatal(err)
	}
	if end := commandstest.Decoded[domain.ToolCompleted](t, w.Happened(wholeCall...)[3]); end.DurationMS != 0 {
		t.Errorf("it took %d ms", end.DurationMS)
	}
}

// Whoever asked goes away while the call is under way: it goes on to its end.
func TestCancelledWhileItIsCalled(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.Peer.Do = func(ctx context.Context, _ commands.Endpoint, _ commands.Call) (commands.Result, error) {
		cancel()
		if ctx.Err() != nil {
			t.Error("the call was given up, too")
		}
		return commandstest.Answered("ok"), nil
	}
	got, err := w.Tools().Invoke(ctx, commandstest.Ada, commandstest.Cancels())
	if err != nil || orNone(got.Result.Text) != "ok" {
		t.Errorf("told %+v, %v", got, err)
	}
	w.Happened(wholeCall...)
}

// Whoever asked goes away before the call: it isn't made, and the log says so.
func TestCancelledBeforeItIsCalled(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	ctx, cancel := context.WithCancel(t.Context())
	w.Door.Set(nil, func(domain.Receipt) error { cancel(); return nil })
	got, err := w.Tools().Invoke(ctx, commandstest.Ada, commandstest.Cancels())
	if err != nil || got.Fault.Code != domain.CodeNotDispatched || !got.Fault.Retryable || w.Peer.Times() != 0 {
		t.Errorf("told %+v, %v, after %d calls", got, err, w.Peer.Times())
	}
	records := w.Happened("tool.invoked", "policy.decided", "tool.failed")
	if end := commandstest.Decoded[domain.ToolFailed](t, records[2]); end.Reason != domain.CodeNotDispatched || end.Dispatched {
		t.Errorf("failed %+v", end)
	}
}

// hangs is a tool that gives no answer.
func hangs(ctx context.Context, _ commands.Endpoint, _ commands.Call) (commands.Result, error) {
	<-ctx.Done()
	return commands.Result{}, commandstest.PeerFails(commands.CodePeerUnknown, "nobody waits any more")
}

// A call is bounded, by 15 s unless something else is configured.
func TestAToolThatHangs(t *testing.T) {
	for _, within := range []time.Duration{0, 2 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			w := commandstest.NewWorkshop(t)
			w.Peer.Do = hangs
			cfg := w.Config()
			cfg.Within = within
			tools, err := tool.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			got, err := tools.Invoke(t.Context(), commandstest.Ada, commandstest.Cancels())
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

// What is under way when the program waits no longer is broken off. What an episode asked for
// stays as it is: the next start asks again what changes nothing, and ends anything else.
func TestAStopBreaksOffACall(t *testing.T) {
	for _, c := range []struct {
		name      string
		tool      string
		episode   bool
		recovered domain.EventType // by the next start
		calls     int
	}{
		{"of a program", "cancel", false, "", 1},
		{"of an episode", "cancel", true, "tool.outcome_unknown", 1},
		{"of an episode that looks", "look", true, "tool.completed", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := commandstest.NewWorkshop(t)
				w.Pair("window", 9006, domain.Tool{Name: "look", Parameters: []domain.Parameter{}, SideEffects: new(bool)})
				w.Peer.Do = hangs
				tools, stop := untilStopped(t, w)
				in, call := commandstest.Cancels(), tools.Invoke
				if c.episode {
					in, call = inAnEpisode(t, w), tools.Call
				}
				if in.Tool = c.tool; c.tool == "look" {
					in.Params = nil
				}
				time.AfterFunc(time.Second, stop)
				began := time.Now()
				got, err := call(t.Context(), commandstest.Ada, in)
				if took := time.Since(began); took != time.Second || w.Peer.Times() != 1 {
					t.Fatalf("after %s and %d calls: %+v, %v", took, w.Peer.Times(), got, err)
				}
				if !c.episode {
					w.Happened("tool.invoked", "policy.decided", "tool.dispatched", "tool.outcome_unknown")
					if err != nil || got.Fault.Code != domain.CodeInterrupted || !strings.Contains(got.Fault.Message, "look before you ask") {
						t.Errorf("told %+v, %v", got, err)
					}
					return
				}
				w.Happened("tool.invoked", "policy.decided", "tool.dispatched")
				if !domain.IsRetriable(err) {
					t.Errorf("told %+v, %v", got, err)
				}
				w.Peer.Do = nil
				if got = until(t, w, in); got.Outcome != c.recovered || w.Peer.Times() != c.calls {
					t.Errorf("in the end told %+v after %d calls", got, w.Peer.Times())
				}
			})
		})
	}
}

// untilStopped are tools of which no call is waited for once stop is called.
func untilStopped(t *testing.T, w *commandstest.Workshop) (tools *tool.Tools, stop context.CancelFunc) {
	t.Helper()
	cfg := w.Config()
	cfg.Until, stop = context.WithCancel(t.Context())
	tools, err := tool.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return tools, stop
}

// A call whose state is still being asked for when nobody asks for it any more doesn't leave.
func TestACallThatWaitsForAStateDoesNotLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := commandstest.Booking(t, "", "look")
		w.Peer.Do = hangs
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		began := time.Now()
		got, err := w.Tools().Invoke(ctx, commandstest.Ada, tool.Invocation{Tool: "book"})
		if took := time.Since(began); err != nil || got.Fault.Code != domain.CodeNotDispatched || took != time.Second || w.Peer.Times() != 1 {
			t.Errorf("after %s and %d calls: %+v, %v", took, w.Peer.Times(), got, err)
		}
	})
}

// knife cleans a card by cutting scripts off.
type knife struct{}

func (knife) Clean(html, css string) (string, string, string) {
	clean, _, _ := strings.Cut(html, "<script")
	return clean, css, "c1"
}

// A card is recorded clean, or not at all, and shown to who waits for an answer.
func TestCards(t *testing.T) {
	title, color := "Valletta", "#0af"
	answer := func(html string) func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
		return func(context.Context, commands.Endpoint, commands.Call) (commands.Result, error) {
			r := commandstest.Answered("done")
			r.Card = &domain.Card{HTML: html, CSS: "p{}", Title: &title, AccentColor: &color}
			return r, nil
		}
	}
	end := func(w *commandstest.Workshop) (domain.Record, domain.ToolCompleted) {
		records := w.Records(domain.TopicTools)
		last := records[len(records)-1]
		return last, commandstest.Decoded[domain.ToolCompleted](w.T, last)
	}
	find := func(w *commandstest.Workshop) func(domain.ID) (domain.Envelope, error) {
		return func(id domain.ID) (domain.Envelope, error) {
			rec, err := w.Log.Find(t.Context(), id)
			return rec.Envelope, err
		}
	}
	w := commandstest.NewWorkshop(t)
	w.Cards = knife{}
	w.Peer.Do = answer("<p>21°</p><script>")
	if _, err := w.Tools().Call(t.Context(), commandstest.Ada, inAnEpisode(t, w)); err != nil {
		t.Fatal(err)
	}
	rec, done := end(w)
	if done.Card == nil || done.Card.HTML != "<p>21°</p>" || done.Card.ScopeID != "c1" || *done.Card.Title != title {
		t.Fatalf("recorded %+v", done.Card)
	}
	frames, err := domain.Frames(rec, find(w))
	if err != nil || len(frames) != 1 || frames[0].Type != domain.FrameCard || frames[0].Card.HTML != "<p>21°</p>" || frames[0].Tool != "cancel" || frames[0].OutputID != rec.Envelope.ID {
		t.Errorf("the person gets %+v, %v", frames, err)
	}
	rec.Envelope.Payload = domain.Payload{Encoding: domain.EncodingErased}
	if frames, err := domain.Frames(rec, find(w)); err != nil || len(frames) != 1 || !strings.Contains(frames[0].Card.HTML, "erased") {
		t.Errorf("erased, the person gets %+v, %v", frames, err)
	}

	// Nothing of it may be shown.
	w.Peer.Do = answer("<script>")
	if _, err := w.Tools().Call(t.Context(), commandstest.Ada, inAnEpisode(t, w)); err != nil {
		t.Fatal(err)
	}
	if rec, done := end(w); done.Card != nil || slices.Contains(rec.Envelope.Keys, domain.CardKey) {
		t.Errorf("recorded %+v", done.Card)
	}
	// Whoever invoked it by hand has the answer.
	w.Peer.Do = answer("<p>21°</p>")
	if _, err := w.Tools().Invoke(t.Context(), commandstest.Ada, commandstest.Cancels()); err != nil {
		t.Fatal(err)
	}
	if rec, done := end(w); done.Card == nil || slices.Contains(rec.Envelope.Keys, domain.CardKey) {
		t.Errorf("recorded %+v with %v", done.Card, rec.Envelope.Keys)
	}
}
