package httpapi_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chalie/adapters/httpapi"
	"chalie/domain"
)

func apiKey(token string) with { return header("X-API-Key", token) }

// consoles is a bench with sockets of events.
func consoles(t *testing.T, unkeyed bool) (*bench, *plug) {
	p := &plug{}
	return newBench(t, settings{change: func(_ *bench, c *httpapi.Config) {
		c.Console, c.Unkeyed, c.Tokens = p, unkeyed, sealed{}
		c.Models = []string{"anthropic/claude-opus-5-5", "builtin/9"}
	}}), p
}

// answering answers each message of the person until the test ends.
func (b *bench) answering(t *testing.T, answer func(said domain.Record)) {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		var from domain.Position = 1
		for {
			records, err := b.log.Select(ctx, domain.Selector{Topic: domain.TopicMessages}, from, 1)
			if err != nil {
				return
			}
			if len(records) == 1 {
				from = records[0].Position + 1
				answer(records[0])
				continue
			}
			if _, err := b.log.Wait(ctx, b.log.Tail()); err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { stop(); <-done })
}

const hello = `{"message":"hello","model":"ollama:glm","project_id":"aistalk","session_id":"s","user_id":"u"}`

// TestWhoMayBeAConsole holds the three ways in to what each opens.
func TestWhoMayBeAConsole(t *testing.T) {
	near := []with{from("127.0.0.1:5000"), to("localhost:8081"), header("Content-Type", "application/json")}
	for _, unkeyed := range []bool{false, true} {
		b, sockets := consoles(t, unkeyed)
		b.answering(t, func(said domain.Record) { b.answers(said.Envelope, domain.ShownMessage, "Hello.", "greeting") })
		session := b.settled()
		console, voice, other := b.token("console-token", `["console"]`), b.token("voice-token", `["voice"]`), b.token("any", `[]`)
		keyless := 401
		if unkeyed {
			keyless = 200
		}
		for name, c := range map[string]struct {
			opts   []with
			status int
		}{
			"a console's token":                  {[]with{apiKey(console)}, 200},
			"the same as a bearer":               {[]with{bearer(console)}, 200},
			"a token of voice":                   {[]with{apiKey(voice)}, 403},
			"a token of anything":                {[]with{apiKey(other)}, 403},
			"a forged token":                     {append([]with{apiKey("forged")}, near...), 401},
			"a session with its key":             {[]with{cookie(session)}, 200},
			"nobody on this machine":             {near, keyless},
			"nobody from elsewhere":              {[]with{from("192.0.2.7:5000"), to("localhost:8081")}, 401},
			"nobody by another name":             {[]with{from("127.0.0.1:5000"), to("chalie.example")}, 401},
			"nobody behind a proxy":              {append([]with{header("X-Forwarded-For", "127.0.0.1")}, near...), 401},
			"a page of this machine":             {append([]with{header("Origin", "http://localhost:8081")}, near...), 401},
			"a session's cookie without its key": {append([]with{alone(session)}, near...), 401},
		} {
			for _, route := range []struct{ method, path, body string }{{"POST", "/api/chat/send", hello}, {"GET", "/ws/events", ""}} {
				want := c.status
				if want == 200 && route.method == "GET" {
					want = 426 // it was let in, and asked for no upgrade
				}
				if got := b.call(route.method, route.path, route.body, c.opts...); got.status != want {
					t.Errorf("unkeyed %v: %s %s by %s: %d, want %d: %s", unkeyed, route.method, route.path, name, got.status, want, got.body)
				}
			}
		}
		for _, who := range sockets.who {
			if who.Principal != domain.PrincipalOperator {
				t.Errorf("a console is %+v", who)
			}
		}
		for _, rec := range b.records(domain.TopicMessages) {
			if rec.Envelope.Type == domain.MessageReceivedType && rec.Envelope.Principal != domain.PrincipalOperator {
				t.Errorf("what a console says is %s's", rec.Envelope.Principal)
			}
		}
		b.call("GET", "/api/conversations", "", apiKey(console)).wants(403)
	}
}

func TestRevokedConsole(t *testing.T) {
	b, sockets := consoles(t, true)
	token := b.token("console-token", `["console"]`)
	b.call("GET", "/ws/events", "", apiKey(token)).wants(426)
	if !sockets.alive[0]() {
		t.Error("a socket of a good token isn't alive")
	}
	b.socket("DELETE", "/api/tokens/console-token", "").wants(200)
	if sockets.alive[0]() {
		t.Error("a socket of a revoked token is alive")
	}
}

func TestConsoleIsAnswered(t *testing.T) {
	b, _ := consoles(t, false)
	key := apiKey(b.token("console-token", `["console"]`))
	b.answering(t, func(said domain.Record) {
		b.answers(said.Envelope, domain.ShownMessage, "Hello <you> & all.", "greeting")
	})
	b.call("POST", "/api/chat/send", hello, key).wants(200, `"ok":true`, `"project_id":"aistalk"`, `"session_id":"s"`, `"user_id":"u"`,
		`"response":"Hello <you> & all."`, `"backend":"router"`, `"latency_ms":`, `"tokens_est":5`, `"instead_of":"ollama:glm"`)
	b.call("POST", "/api/chat/send", `{"message":"hello","model":"builtin","session_id":"default"}`, key).wants(200)
	once := header("Idempotency-Key", "seven")
	first := b.call("POST", "/api/chat/send", hello, key, once).wants(200)
	again := b.call("POST", "/api/chat/send", hello, key, once).wants(200)
	if again.header.Get("Idempotent-Replayed") != "true" || !strings.Contains(again.body, `"response":"Hello`) {
		t.Errorf("the same request is answered %s, and then %v %s", first.body, again.header, again.body)
	}
	said := b.messages(t)
	if len(said) != 3 {
		t.Fatalf("%d messages were recorded", len(said))
	}
	if got := said[0]; got.Conversation != (domain.ConversationName{Project: "aistalk", Session: "s", User: "u"}) || got.Model != "" || got.Source != domain.SaidInText {
		t.Errorf("the first is recorded as %+v", got)
	}
	if got := said[1]; !got.Conversation.IsZero() || got.Model != "builtin/9" {
		t.Errorf("the second is recorded as %+v", got)
	}
	// What was left out is told by its name, and means the same when it is sent back.
	b.call("POST", "/api/chat/send", `{"message":"hello","session_id":"nine"}`, key).wants(200, `"project_id":"default"`, `"session_id":"nine"`, `"user_id":"operator"`)
	b.call("POST", "/api/chat/send", `{"message":"hello","project_id":"default","session_id":"nine","user_id":"operator"}`, key).wants(200, `"user_id":"operator"`)
	b.call("POST", "/api/chat/send", `{"message":"hello"}`, key).wants(200, `"project_id":"default"`, `"session_id":"default"`, `"user_id":"operator"`)
	said = b.messages(t)
	if nine, again, none := said[3].Conversation, said[4].Conversation, said[5].Conversation; nine != (domain.ConversationName{Session: "nine"}) || again != nine || !none.IsZero() {
		t.Errorf("the conversations are %+v, %+v and %+v", nine, again, none)
	}
	for body, field := range map[string]string{
		`{"message":" "}`: "message", `{}`: "message", `{"message":7}`: "message", `{"message":"hi","project_id":"p"}`: "session_id",
		`{"message":"hi","session_id":"s","stt_id":"x"}`:              "stt_id",
		`{"message":"hi","model":"` + strings.Repeat("x", 129) + `"}`: "model",
	} {
		b.call("POST", "/api/chat/send", body, key).wants(400, `"field":"`+field+`"`)
	}
}

// messages are what was said.
func (b *bench) messages(t *testing.T) (out []domain.MessageReceived) {
	t.Helper()
	for _, rec := range b.records(domain.TopicMessages) {
		if rec.Envelope.Type == domain.MessageReceivedType {
			said, err := domain.Decode[domain.MessageReceived](rec.Envelope)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, said)
		}
	}
	return out
}

func TestConsoleIsToldWhatIsOpen(t *testing.T) {
	b, _ := consoles(t, false)
	key := apiKey(b.token("console-token", `["console"]`))
	b.answering(t, func(said domain.Record) {
		text, err := domain.Decode[domain.MessageReceived](said.Envelope)
		b.must(err)
		if strings.HasPrefix(text.Text, "fail") {
			b.ends(said.Envelope, domain.ReasoningConcluded{Outcome: domain.OutcomeFailed}, domain.Fault{Code: "model_failed", Message: "the model is out of reach"})
			return
		}
		invoked, err := domain.New(domain.Continue(said.Envelope), b.ids.NewID(), domain.MillisOf(b.clock.Now()), "test", domain.ToolInvoked{Tool: "door"})
		b.must(err)
		proposed, err := domain.New(domain.Continue(invoked.Envelope), b.ids.NewID(), domain.MillisOf(b.clock.Now()), "test",
			domain.ApprovalProposed{InvocationID: invoked.Envelope.ID, Summary: "open the door", ExpiresAt: 99})
		b.must(err)
		proposed.Envelope.Keys = []domain.Key{domain.InvocationKey(invoked.Envelope.ID)}
		_, err = b.log.Append(context.Background(), domain.Batch{Entries: []domain.Entry{invoked, proposed}})
		b.must(err)
	})
	b.call("POST", "/api/chat/send", `{"message":"open up"}`, key).wants(200,
		`"response":"open the door. This waits for your approval: say yes or no."`, `"reason":"approval"`, `"summary":"open the door"`, `"proposal_token":`, `"expires_at":99`)
	b.call("POST", "/api/chat/send", `{"message":"fail"}`, key).wants(503, `"code":"not_answered"`, "the model is out of reach")
}

// TestConsoleWaits: an answer that takes longer than 30 s is told of as open.
func TestConsoleWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := consoles(t, false)
		key := apiKey(b.token("console-token", `["console"]`))
		began := time.Now()
		b.call("POST", "/api/chat/send", hello, key).wants(200, `"response":""`, `"open":{"reason":"time","approvals":[]}`, `"model":"chalie"`)
		if took := time.Since(began); took != 30*time.Second {
			t.Errorf("it took %s", took)
		}
	})
}

func TestConsolesPerMinute(t *testing.T) {
	b, _ := consoles(t, false)
	b.answering(t, func(said domain.Record) { b.answers(said.Envelope, domain.ShownMessage, "Hello.", "greeting") })
	key := apiKey(b.token("console-token", `["console"]`))
	for n := range 30 {
		b.call("POST", "/api/chat/send", fmt.Sprintf(`{"message":"hello %d"}`, n), key).wants(200)
	}
	b.call("POST", "/api/chat/send", hello, key).wants(429, `"code":"rate_limited"`)
	b.call("POST", "/api/chat/send", hello, key, from("192.0.2.7:5000")).wants(200)
}
