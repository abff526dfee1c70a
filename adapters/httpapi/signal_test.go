package httpapi_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/domain"
)

func TestBadSignals(t *testing.T) {
	for _, c := range []struct {
		name, body string
		status     int
		says       string
	}{
		{"nothing", "", 400, "the body is empty"},
		{"blanks", "  \n ", 400, "the body is empty"},
		{"broken", `{"signal_type":`, 400, "not JSON"},
		{"a trailing comma", `{"signal_type":"a","content":"b",}`, 400, "at byte 34"},
		{"something after it", rain + rain, 400, "after top-level value"},
		{"garbage after it", rain + " x", 400, "not JSON"},
		{"an array", `[` + rain + `]`, 400, "a signal must be an object; what came is an array"},
		{"a string", `"rain"`, 400, "what came is a string"},
		{"null", `null`, 400, "what came is null"},
		{"not UTF-8", "{\"signal_type\":\"a\",\"content\":\"\xff\"}", 400, "not UTF-8"},
		{"endless depth", strings.Repeat("[", 20_000), 400, "more than 100"},
		{"depth that closes", strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), 400, "more than 100"},
		{"no type", `{"content":"b"}`, 400, "signal_type is required"},
		{"an empty type", `{"signal_type":"","content":"b"}`, 400, "signal_type is required"},
		{"a null type", `{"signal_type":null,"content":"b"}`, 400, "signal_type is required"},
		{"a number for the type", `{"signal_type":7,"content":"b"}`, 400, "signal_type must be a string; what came is a number"},
		{"no content", `{"signal_type":"a"}`, 400, "content is required"},
		{"another case", `{"Signal_Type":"a","CONTENT":"b"}`, 400, "signal_type is required"},
		{"an object for the content", `{"signal_type":"a","content":{"x":1}}`, 400, "content must be a string; what came is an object"},
		{"a boolean for the source", `{"signal_type":"a","content":"b","source":true}`, 400, "source must be a string; what came is a boolean"},
		{"an array for the topic", `{"signal_type":"a","content":"b","topic":["x"]}`, 400, "topic must be a string; what came is an array"},
		{"a string for the energy", `{"signal_type":"a","content":"b","activation_energy":"0.5"}`, 400, "activation_energy must be a number; what came is a string"},
		{"too much energy", `{"signal_type":"a","content":"b","activation_energy":1.5}`, 400, "activation_energy is 1.5"},
		{"negative energy", `{"signal_type":"a","content":"b","activation_energy":-0.1}`, 400, "from 0 to 1"},
		{"endless energy", `{"signal_type":"a","content":"b","activation_energy":1e999}`, 400, "too large"},
		{"a string for the metadata", `{"signal_type":"a","content":"b","metadata":"x"}`, 400, "metadata must be an object; what came is a string"},
		{"an array for the metadata", `{"signal_type":"a","content":"b","metadata":[]}`, 400, "metadata must be an object; what came is an array"},
		{"long content", `{"signal_type":"a","content":"` + strings.Repeat("x", domain.MaxContentBytes+1) + `"}`, 400, "shorten it"},
		{"5 MB", `{"signal_type":"a","content":"` + strings.Repeat("x", 5<<20) + `"}`, 413, "1048576 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{perMinute: 1})
			b.socket("POST", "/api/signals", c.body).wants(c.status, c.says)
			b.holds(domain.TopicAll, 0)
			// And none of it was charged.
			b.socket("POST", "/api/signals", rain).wants(202)
		})
	}
}

func TestGoodSignals(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       domain.SignalReceived
	}{
		{"the least", `{"signal_type":"a","content":"b"}`, domain.SignalReceived{SignalType: "a", Content: "b", Source: "operator", ActivationEnergy: 0.5}},
		{"nulls", `{"signal_type":"a","content":"b","source":null,"topic":null,"activation_energy":null,"metadata":null}`,
			domain.SignalReceived{SignalType: "a", Content: "b", Source: "operator", ActivationEnergy: 0.5}},
		{"everything", ` {"signal_type":"a","content":"b","source":"s","topic":"t","activation_energy":1,"metadata":{"x":[1,{"y":"}"}]}} `,
			domain.SignalReceived{SignalType: "a", Content: "b", Source: "s", Topic: new("t"), ActivationEnergy: 1, Metadata: json.RawMessage(`{"x":[1,{"y":"}"}]}`)}},
		{"unknown fields", `{"signal_type":"a","content":"b","Content":7,"extra":{"content":"c"},"":[]}`,
			domain.SignalReceived{SignalType: "a", Content: "b", Source: "operator", ActivationEnergy: 0.5}},
		{"the last of two", `{"signal_type":7,"signal_type":"a","content":"b","content":"c","topic":"t","topic":null}`,
			domain.SignalReceived{SignalType: "a", Content: "c", Source: "operator", ActivationEnergy: 0.5}},
		{"escapes", `{"signal\u005ftype":"a\"\\","content":"\u00e4\n\ud83d\ude00\ud800"}`,
			domain.SignalReceived{SignalType: `a"\`, Content: "\u00e4\n\U0001F600\ufffd", Source: "operator", ActivationEnergy: 0.5}},
		{"no energy", `{"signal_type":"a","content":"b","activation_energy":0}`, domain.SignalReceived{SignalType: "a", Content: "b", Source: "operator"}},
		{"a small energy", `{"signal_type":"a","content":"b","activation_energy":1e-3}`, domain.SignalReceived{SignalType: "a", Content: "b", Source: "operator", ActivationEnergy: 0.001}},
		{"an empty topic", `{"signal_type":"a","content":"b","topic":""}`, domain.SignalReceived{SignalType: "a", Content: "b", Source: "operator", Topic: new(""), ActivationEnergy: 0.5}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, settings{})
			b.socket("POST", "/api/signals", c.body).wants(202)
			got, err := domain.Decode[domain.SignalReceived](b.records(domain.TopicSignals)[0].Envelope)
			b.must(err)
			want, err := json.Marshal(c.want)
			b.must(err)
			if have, err := json.Marshal(got); err != nil || !bytes.Equal(have, want) {
				t.Errorf("stored %s, %v\nwant   %s", have, err, want)
			}
		})
	}
}

func TestWhoMaySendSignals(t *testing.T) {
	b := newBench(t, settings{})
	session, token, picky := b.settled(), b.token("station", "[]"), b.token("picky", `["price"]`)
	revoked := b.token("gone", "[]")
	b.socket("DELETE", "/api/tokens/gone", "").wants(200)
	for _, c := range []struct {
		name   string
		opts   []with
		status int
	}{
		{"nobody", nil, 401},
		{"a token", []with{bearer(token)}, 202},
		{"a token, scheme in lower case", []with{header("Authorization", "bearer "+token)}, 202},
		{"a session", []with{cookie(session)}, 202},
		{"a forged token", []with{bearer(token + "x")}, 401},
		{"an empty token", []with{bearer("")}, 401},
		{"a revoked token", []with{bearer(revoked)}, 401},
		{"another scheme", []with{header("Authorization", "Basic "+token)}, 401},
		{"a forged token beside a good session", []with{bearer("forged"), cookie(session)}, 401},
		{"a forged session", []with{cookie("x" + session)}, 401},
		{"an empty session", []with{cookie("")}, 401},
		{"a token as a session", []with{cookie(token)}, 401},
		{"a type not permitted", []with{bearer(picky)}, 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := len(b.records(domain.TopicSignals))
			b := *b
			b.t = t
			answer := b.call("POST", "/api/signals", rain, c.opts...).wants(c.status)
			grown := len(b.records(domain.TopicSignals)) - before
			if grown != map[bool]int{true: 1, false: 0}[c.status == 202] {
				t.Errorf("the log grew by %d", grown)
			}
			if c.status == 401 && (!strings.Contains(answer.body, `"error":"Authentication required"`) ||
				!strings.Contains(answer.body, "as Authorization: Bearer") || answer.header.Get("WWW-Authenticate") != "Bearer") {
				t.Errorf("the answer is %s, %v", answer.body, answer.header)
			}
		})
	}
}

func TestBatch(t *testing.T) {
	b := newBench(t, settings{perMinute: 3})
	token := b.token("station", `["weather_forecast"]`)
	body := `[` + strings.Join([]string{rain, `7`, rain, `{"signal_type":"price","content":"up"}`, `{"signal_type":"a"}`, rain, rain}, ",") + `]`
	var out struct {
		Accepted, Rejected int
		Errors             []struct {
			Index int
			Error string
		}
	}
	b.call("POST", "/api/signals/batch", body, bearer(token)).wants(200).read(&out)
	if out.Accepted != 3 || out.Rejected != 4 || len(out.Errors) != 4 {
		t.Fatalf("the answer is %+v", out)
	}
	for i, want := range []struct {
		index int
		says  string
	}{{1, "a signal must be an object"}, {3, "may not send"}, {4, "content is required"}, {6, "limit"}} {
		if got := out.Errors[i]; got.Index != want.index || !strings.Contains(got.Error, want.says) {
			t.Errorf("error %d is %+v, want %+v", i, got, want)
		}
	}
	b.holds(domain.TopicSignals, 3)
	b.socket("POST", "/api/signals/batch", `[]`).wants(200, `{"accepted":0,"rejected":0,"errors":[]}`)
	b.socket("POST", "/api/signals/batch", rain).wants(400, "the body must be an array; what came is an object")
	b.socket("POST", "/api/signals/batch", `[`+strings.Repeat(rain+",", 50)+rain+`]`).wants(400, "51 signals", "50")
	b.call("POST", "/api/signals/batch", `[]`).wants(401)
	b.holds(domain.TopicSignals, 3)
}

func TestFiftyInABatch(t *testing.T) {
	b := newBench(t, settings{})
	b.socket("POST", "/api/signals/batch", `[`+strings.Repeat(rain+",", 49)+rain+`]`).wants(200, `"accepted":50`)
	b.holds(domain.TopicSignals, 50)
}

func TestTheHundredAndFirst(t *testing.T) {
	b := newBench(t, settings{perMinute: 100})
	token := b.token("station", "[]")
	for range 100 {
		b.call("POST", "/api/signals", rain, bearer(token)).wants(202)
		b.clock.Advance(100 * time.Millisecond)
	}
	answer := b.call("POST", "/api/signals", rain, bearer(token)).wants(429, "100 signals", `"code":"rate_limited"`)
	if after := answer.header.Get("Retry-After"); after != "50" {
		t.Errorf("Retry-After is %q, want 50", after)
	}
	b.clock.Advance(50 * time.Second)
	b.call("POST", "/api/signals", rain, bearer(token)).wants(202)
	b.call("POST", "/api/signals", rain, bearer(token)).wants(429)
	b.holds(domain.TopicSignals, 101)
}

func TestIdempotencyKey(t *testing.T) {
	b := newBench(t, settings{perMinute: 1})
	token := b.token("station", "[]")
	send := func(key, body string) told {
		return b.call("POST", "/api/signals", body, bearer(token), header("Idempotency-Key", key))
	}
	first := send("k", rain).wants(202)
	again := send("k", rain).wants(202)
	if first.body != again.body || again.header.Get("Idempotent-Replayed") != "true" || first.header.Get("Idempotent-Replayed") != "" {
		t.Errorf("answered %q, then %q, %v", first.body, again.body, again.header)
	}
	send("k", rain+" ").wants(409, "another body", "Idempotency-Key")
	send("k2", rain).wants(429)
	send(strings.Repeat("k", 256), rain).wants(400, "Idempotency-Key")
	b.holds(domain.TopicSignals, 1)

	batch := func() told {
		return b.socket("POST", "/api/signals/batch", `[`+rain+`,{}]`, header("Idempotency-Key", "k"))
	}
	if first, again := batch().wants(200, `"accepted":1`), batch().wants(200); first.body != again.body {
		t.Errorf("answered %q, then %q", first.body, again.body)
	}
	b.holds(domain.TopicSignals, 2)
	b.holds(domain.TopicRequests, 2)
}

func TestRacingRequestsWithOneKey(t *testing.T) {
	b := newBench(t, settings{})
	answers := make([]told, 16)
	var wg sync.WaitGroup
	for i := range answers {
		wg.Go(func() { answers[i] = b.socket("POST", "/api/signals", rain, header("Idempotency-Key", "k")) })
	}
	wg.Wait()
	for _, a := range answers {
		if a.status != 202 || a.body != answers[0].body {
			t.Errorf("answered %d %s and %s", a.status, a.body, answers[0].body)
		}
	}
	b.holds(domain.TopicSignals, 1)
}

// counted is a body that says how much of it was read.
type counted struct {
	rest int64
	read int64
}

func (c *counted) Read(p []byte) (int, error) {
	if c.rest == 0 {
		return 0, io.EOF
	}
	n := min(int64(len(p)), c.rest)
	for i := range p[:n] {
		p[i] = ' '
	}
	c.rest -= n
	c.read += n
	return int(n), nil
}

func TestBodyBound(t *testing.T) {
	for path, bound := range map[string]int64{
		"/api/signals": 1 << 20, "/api/signals/batch": 1 << 20, "/api/messages": 1 << 20, "/auth/register": 16 << 10, "/auth/login": 16 << 10,
		"/api/tokens": 128 << 10, "/register": 64 << 10, "/api/interfaces/pair": 64 << 10, "/api/tools/x/invoke": 512 << 10, "/api/streams": 16 << 10,
	} {
		for name, length := range map[string]int64{"announced": 5 << 20, "chunked": -1} {
			t.Run(path+" "+name, func(t *testing.T) {
				b := newBench(t, settings{})
				body := &counted{rest: 5 << 20}
				r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, body)
				r.ContentLength = length
				w := httptest.NewRecorder()
				b.api.TrustedHandler().ServeHTTP(w, r)
				told{t, w.Code, w.Header(), w.Body.String()}.wants(413, fmt.Sprint(bound))
				if limit := map[string]int64{"announced": 0, "chunked": bound + 1}[name]; body.read > limit {
					t.Errorf("%d bytes were read, %d are allowed", body.read, limit)
				}
				b.holds(domain.TopicAll, 0)
			})
		}
	}
}

func TestBodyThatBreaksOff(t *testing.T) {
	b := newBench(t, settings{})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/signals", io.MultiReader(strings.NewReader(rain), broken{}))
	w := httptest.NewRecorder()
	b.api.TrustedHandler().ServeHTTP(w, r)
	told{t, w.Code, w.Header(), w.Body.String()}.wants(400, "ended early")
	b.holds(domain.TopicAll, 0)
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestDiskTrouble(t *testing.T) {
	b := newBench(t, settings{})
	session := b.settled()
	for _, code := range []domain.Code{domain.CodeDiskLow, domain.CodeDiskFailed, domain.CodeOutcomeUnknown, domain.CodeClosed} {
		b.door.shut(&domain.Error{Op: "append", Category: domain.Dependency, Code: code, Message: "the disk is unwell", Err: io.ErrShortWrite})
		for _, path := range []string{"/api/signals", "/api/messages", "/auth/login", "/api/tokens"} {
			body := map[string]string{"/api/signals": rain, "/api/messages": moved, "/auth/login": `{"username":"ada","password":"` + password + `"}`, "/api/tokens": `{"name":"x"}`}[path]
			answer := b.call("POST", path, body, cookie(session)).wants(503, "the disk is unwell", string(code))
			if strings.Contains(answer.body, io.ErrShortWrite.Error()) {
				t.Errorf("the answer tells the cause: %s", answer.body)
			}
		}
		b.call("GET", "/api/world", "", cookie(session)).wants(200)
	}
	if !strings.Contains(b.trail.String(), io.ErrShortWrite.Error()) {
		t.Error("the cause was not logged")
	}
	b.door.shut(nil)
	b.call("POST", "/api/signals", rain, cookie(session)).wants(202)
}
