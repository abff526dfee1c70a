package models_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/adapters/models"
	"chalie/domain"
)

// failed checks that an error is terminal, and says what a person needs.
func failed(t *testing.T, err error, code domain.Code, says ...string) {
	t.Helper()
	e, ok := errors.AsType[*domain.Error](err)
	if !ok || e.Retriable || e.Code != code || e.Category != domain.Dependency {
		t.Fatalf("the error is %+v, want a terminal %s", err, code)
	}
	contains(t, e.Message, says...)
	if strings.Contains(err.Error(), testKey) || strings.Contains(fmt.Sprintf("%+v", err), testKey) {
		t.Errorf("it tells the key: %v", err)
	}
}

func TestWhatMayPassIsTriedAgain(t *testing.T) {
	fine := spoken{text: "Here I am."}
	for _, c := range []struct {
		name  string
		first func(d dialect) answered
	}{
		{"too many questions", func(d dialect) answered { return d.refuses(429, "rate_limit_error", "slow down") }},
		{"an error of the server", func(d dialect) answered { return d.refuses(500, "api_error", "Internal server error") }},
		{"a gateway without words", func(dialect) answered {
			return func(w http.ResponseWriter, _ *http.Request) {
				http.Error(w, "<html>bad gateway</html>", http.StatusBadGateway)
			}
		}},
		{"overloaded", func(d dialect) answered { return d.refuses(529, "overloaded_error", "Overloaded") }},
		{"an error within the stream", func(d dialect) answered { return streams(d.failing()...) }},
		{"a stream cut in the middle", func(d dialect) answered { return breaks(d.stream(spoken{text: "Here you"})[:4]...) }},
		{"a stream that ends too early", func(d dialect) answered { return streams(d.stream(spoken{text: "Here you"})[:4]...) }},
		{"a stream cut within an event", func(d dialect) answered {
			return func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				write(w, d.stream(fine)[:3])
				fmt.Fprint(w, `data: {"type":"conte`)
				panic(http.ErrAbortHandler)
			}
		}},
		{"a stream of garbage", func(dialect) answered { return streams(event{"message_start", "{not json"}) }},
		{"a connection that is dropped", func(dialect) answered {
			return func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }
		}},
		{"a stream cut within a call", func(d dialect) answered {
			events := d.stream(spoken{calls: []spokenCall{{"1", "light", `{"room":"hall"}`}}})
			return breaks(events[:len(events)-4]...)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, d dialect) {
				m, server, pauses := d.model(t, c.first(d), d.says(fine))
				got, err := m.Reply(t.Context(), asks("are you there?"))
				if err != nil || plainOf(got) != fine.text || len(got.ToolCalls) > 0 {
					t.Errorf("it says %+v, %v", got, err)
				}
				asked := server.questions()
				if len(asked) != 2 || asked[0].body != asked[1].body {
					t.Errorf("it was asked %d times", len(asked))
				}
				if w := pauses.waited(); len(w) != 1 || w[0] < 250*time.Millisecond || w[0] > 500*time.Millisecond {
					t.Errorf("it waited %v", w)
				}
			})
		})
	}
}

func TestRetryAfter(t *testing.T) {
	for _, c := range []struct {
		name, value string
		least, most time.Duration
	}{
		{"Retry-After", "7", 7 * time.Second, 7 * time.Second},
		{"Retry-After", "1.5", 1500 * time.Millisecond, 1500 * time.Millisecond},
		{"Retry-After-Ms", "1200", 1200 * time.Millisecond, 1200 * time.Millisecond},
		{"Retry-After", time.Now().Add(time.Minute).UTC().Format(http.TimeFormat), 50 * time.Second, time.Minute},
		{"Retry-After", "0", 250 * time.Millisecond, 500 * time.Millisecond},
		{"Retry-After", "soon", 250 * time.Millisecond, 500 * time.Millisecond},
		{"Retry-After", "-5", 250 * time.Millisecond, 500 * time.Millisecond},
	} {
		t.Run(c.name+" "+c.value, func(t *testing.T) {
			each(t, func(t *testing.T, d dialect) {
				m, _, pauses := d.model(t, d.refuses(429, "rate_limit_error", "slow down", c.name, c.value), d.says(spoken{text: "ok"}))
				if _, err := m.Reply(t.Context(), asks("?")); err != nil {
					t.Fatal(err)
				}
				if w := pauses.waited(); len(w) != 1 || w[0] < c.least || w[0] > c.most {
					t.Errorf("it waited %v, want %s to %s", w, c.least, c.most)
				}
			})
		})
	}
}

// Who asks to wait for longer than anybody waits isn't waited for.
func TestRetryAfterTooLong(t *testing.T) {
	d := dialects()[0]
	m, server, pauses := d.model(t, d.refuses(429, "rate_limit_error", "slow down", "Retry-After", "3600"))
	_, err := m.Reply(t.Context(), asks("?"))
	failed(t, err, "model_unreachable", "takes no more questions for now: slow down; the next would have to wait 1h0m0s, which is too long")
	if len(pauses.waited()) != 0 || len(server.questions()) != 1 {
		t.Errorf("it waited %v and was asked %d times", pauses.waited(), len(server.questions()))
	}
}

func TestAttemptsEnd(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		m, server, pauses := d.model(t, d.refuses(503, "api_error", "down"))
		_, err := m.Reply(t.Context(), asks("?"))
		failed(t, err, "model_unreachable", m.Name()+" is in trouble (HTTP 503): down, 4 times")
		if n := len(server.questions()); n != 4 {
			t.Errorf("it was asked %d times", n)
		}
		w := pauses.waited()
		for i, most := range []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second} {
			if len(w) != 3 || w[i] < most/2 || w[i] > most {
				t.Fatalf("it waited %v", w)
			}
		}
	})
}

// The pause grows to its bound and no further.
func TestLongestPause(t *testing.T) {
	d := dialects()[1]
	server, pauses := newProvider(t, d.refuses(500, "x", "y")), &patience{}
	m := d.modelAt(t, server, models.Config{Choices: []models.Choice{d.at(t, server.URL)}, Wait: pauses.wait, Attempts: 8, FirstPause: time.Second, LongestWait: 3 * time.Second})
	_, err := m.Reply(t.Context(), asks("?"))
	failed(t, err, "model_unreachable", "8 times")
	if w := slices.Max(pauses.waited()); w > 3*time.Second || w < 1500*time.Millisecond {
		t.Errorf("it waited %s at most", w)
	}
}

func TestWhatWontPass(t *testing.T) {
	for _, c := range []struct {
		name    string
		status  int
		kind    string
		message string
		code    domain.Code
		says    string
		silent  string // must not be repeated
	}{
		{"a wrong key", 401, "authentication_error", "Incorrect API key provided: " + testKey, "model_key", "does not accept its key", "Incorrect"},
		{"a key without the right", 403, "permission_error", "no", "model_key", "may not be used with its key", ""},
		{"another model", 404, "not_found_error", "model: x", "model_unknown", "is not known there", ""},
		{"a bad question", 400, "invalid_request_error", "messages: at least one\nis needed", "model_refused", "does not take the question (HTTP 400): messages: at least one is needed", "\n"},
		{"a bad question with the key in it", 422, "invalid_request_error", "what is " + testKey + "?", "model_refused", "what is (secret)?", ""},
		{"too large", 413, "request_too_large", "", "model_too_long", "too large", ""},
		{"no money", 402, "billing_error", "", "model_quota", "no credit left", ""},
		{"no quota", 429, "insufficient_quota", "You exceeded your current quota", "model_quota", "no credit left", ""},
		{"a redirect", 302, "", "", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			each(t, func(t *testing.T, d dialect) {
				if c.status == 302 {
					redirected(t, d)
					return
				}
				m, server, _ := d.model(t, d.refuses(c.status, c.kind, c.message))
				_, err := m.Reply(t.Context(), asks("?"))
				failed(t, err, c.code, m.Name(), c.says)
				if c.silent != "" && strings.Contains(err.Error(), c.silent) {
					t.Errorf("it says %v", err)
				}
				if n := len(server.questions()); n != 1 {
					t.Errorf("it was asked %d times", n)
				}
			})
		})
	}
}

// A redirect is not followed: it would take the key elsewhere.
func redirected(t *testing.T, d dialect) {
	elsewhere := newProvider(t, d.says(spoken{text: "give me your key"}))
	m, _, _ := d.model(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusTemporaryRedirect)
	})
	_, err := m.Reply(t.Context(), asks("?"))
	failed(t, err, "model_unreachable")
	if n := len(elsewhere.questions()); n != 0 {
		t.Errorf("it followed %d times", n)
	}
}

func TestUnreachable(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		server := newProvider(t, d.says(spoken{}))
		server.Close()
		m := d.modelAt(t, server, models.Config{Wait: (&patience{}).wait})
		_, err := m.Reply(t.Context(), asks("?"))
		failed(t, err, "model_unreachable", "can't be reached", "connection refused, 4 times")
	})
}

func TestMalformedCallsGoBack(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		m, server, _ := d.model(t,
			d.says(spoken{calls: []spokenCall{{"1", "hall_light_on", `{"room": "hall"`}, {"2", "hall_light_on_2", `{}`}}}),
			d.says(spoken{calls: []spokenCall{{"3", "hall_light_on", `[1]`}}}),
			d.says(spoken{calls: []spokenCall{{"4", "hall_light_on", `{"room":"hall"}`}}}))
		got, err := m.Reply(t.Context(), withTools(asks("light")))
		if err != nil || len(got.ToolCalls) != 1 || string(got.ToolCalls[0].Params) != `{"room":"hall"}` {
			t.Fatalf("it calls %+v, %v", got.ToolCalls, err)
		}
		asked := server.questions()
		if len(asked) != 3 || got.Usage.OutputTokens != 90 {
			t.Fatalf("it was asked %d times, for %+v", len(asked), got.Usage)
		}
		contains(t, asked[1].body, "The parameters can't be read: they are no JSON object: unexpected end of JSON input", "another call of the same answer could not be read")
		contains(t, asked[2].body, "cannot unmarshal array")
	})
}

func TestMalformedCallsEnd(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		m, server, _ := d.model(t, d.says(spoken{calls: []spokenCall{{"1", "hall_light_on", `{"room": `}}}))
		_, err := m.Reply(t.Context(), withTools(asks("light")))
		failed(t, err, "bad_reply", "can't be used, 3 times: the parameters of a call to hall_light_on can't be read")
		if n := len(server.questions()); n != 3 {
			t.Errorf("it was asked %d times", n)
		}
	})
}

func TestTooManyCalls(t *testing.T) {
	calls := make([]spokenCall, 17)
	for i := range calls {
		calls[i] = spokenCall{fmt.Sprint(i), "hall_light_on", `{}`}
	}
	d := dialects()[0]
	m, server, _ := d.model(t, d.says(spoken{calls: calls}), d.says(spoken{calls: calls[:16]}))
	got, err := m.Reply(t.Context(), withTools(asks("light")))
	if err != nil || len(got.ToolCalls) != 16 {
		t.Fatalf("it calls %d tools, %v", len(got.ToolCalls), err)
	}
	contains(t, server.questions()[1].body, "it calls 17 tools at once, and 16 are the most")
}

func TestEmptyAnswers(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		m, server, _ := d.model(t, d.says(spoken{}), d.says(spoken{text: " \n@@ topic: x; confidence: 1; urgent: no"}), d.says(spoken{text: "Oh, yes."}))
		got, err := m.Reply(t.Context(), asks("?"))
		if err != nil || plainOf(got) != "Oh, yes." {
			t.Errorf("it says %q, %v", plainOf(got), err)
		}
		contains(t, server.questions()[1].body, "it says nothing")

		m, _, _ = d.model(t, d.says(spoken{}))
		_, err = m.Reply(t.Context(), asks("?"))
		failed(t, err, "bad_reply", "it says nothing")
	})
}

func TestRefusals(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		m, server, _ := d.model(t, d.says(spoken{text: "I", refuse: true}))
		_, err := m.Reply(t.Context(), asks("?"))
		failed(t, err, "model_refused", "will not answer this")
		if n := len(server.questions()); n != 1 {
			t.Errorf("it was asked %d times", n)
		}
	})
}

func TestOverlong(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		m, _, _ := d.model(t, d.says(spoken{text: "It all began", length: true}))
		got, err := m.Reply(t.Context(), asks("?"))
		if err != nil {
			t.Fatal(err)
		}
		contains(t, plainOf(got), "It all began\n", "cut off here")

		m, _, _ = d.model(t, d.says(spoken{calls: []spokenCall{{"1", "hall_light_on", `{"room": `}}, length: true}))
		_, err = m.Reply(t.Context(), withTools(asks("?")))
		failed(t, err, "bad_reply", "cut off at its longest")
	})
}

// A stream without an end is left once there is more than anybody wants.
func TestEndlessAnswers(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		events := d.stream(spoken{text: strings.Repeat("blah ", 200)})
		piece := slices.IndexFunc(events, func(e event) bool { return strings.Contains(e.data, "blah") })
		m, _, _ := d.model(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			write(w, events[:piece])
			for r.Context().Err() == nil {
				write(w, events[piece:piece+1])
			}
		})
		got, err := m.Reply(t.Context(), asks("?"))
		if size := len(plainOf(got)); err != nil || size < 200<<10 || size > 300<<10 {
			t.Fatalf("it says %d bytes, %v", size, err)
		}
		contains(t, plainOf(got), "cut off here")
	})
}

// Nor is there an end to what isn't an answer.
func TestEndlessNoise(t *testing.T) {
	d := dialects()[0]
	m, server, _ := d.model(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		noise := ": " + strings.Repeat("z", 1<<20) + "\n"
		for r.Context().Err() == nil {
			fmt.Fprint(w, noise)
		}
	})
	_, err := m.Reply(t.Context(), asks("?"))
	failed(t, err, "bad_reply", "larger than 16 MiB")
	if n := len(server.questions()); n != 1 {
		t.Errorf("it was asked %d times", n)
	}
}

func TestQuestionsTooLong(t *testing.T) {
	d := dialects()[1]
	server := newProvider(t, d.says(spoken{text: "ok"}))
	small := d.at(t, server.URL)
	small.Traits.Context, small.Traits.MaxOutput = 2_000, 1_000
	m := d.modelAt(t, server, models.Config{Choices: []models.Choice{small}})
	_, err := m.Reply(t.Context(), asks(strings.Repeat("long ", 2_000)))
	failed(t, err, "model_too_long", "reads 2000", "choose a model that reads more")
	if len(server.questions()) != 0 {
		t.Error("it was asked")
	}
	// A question that leaves some room gets a shorter answer.
	if _, err := m.Reply(t.Context(), asks(strings.Repeat("long ", 400))); err != nil {
		t.Fatal(err)
	}
	if n, ok := server.sent(t, 0)["max_tokens"].(float64); !ok || n >= 1_000 || n < 512 {
		t.Errorf("it may answer with %v tokens", n)
	}
}

// Where the provider counts, its count decides.
func TestCounting(t *testing.T) {
	paths := map[string]string{"anthropic": "/v1/messages/count_tokens", "responses": "/v1/responses/input_tokens"}
	each(t, func(t *testing.T, d dialect) {
		counts := func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == paths[d.name] {
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, `{"object":"response.input_tokens","input_tokens":500}`)
				return
			}
			d.says(spoken{text: "ok"})(w, r)
		}
		server := newProvider(t, counts)
		small := d.at(t, server.URL)
		small.Traits.Context = 3_000
		m := d.modelAt(t, server, models.Config{Choices: []models.Choice{small}})
		_, err := m.Reply(t.Context(), asks(strings.Repeat("long ", 1_600)))
		if d.name == "chat" {
			failed(t, err, "model_too_long")
			return
		}
		if asked := server.questions(); err != nil || len(asked) != 2 || asked[0].path != paths[d.name] {
			t.Errorf("it was asked %+v, %v", asked, err)
		}
	})
}

func TestSlowAnswers(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		server := newProvider(t, hangs(d.stream(spoken{text: "Wait for it"})[:4]...), hangs(), d.says(spoken{text: "Now."}))
		m := d.modelAt(t, server, models.Config{Choices: []models.Choice{d.at(t, server.URL)}, Wait: (&patience{}).wait, Attempt: 100 * time.Millisecond})
		got, err := m.Reply(t.Context(), asks("?"))
		if err != nil || plainOf(got) != "Now." {
			t.Errorf("it says %q, %v", plainOf(got), err)
		}

		server = newProvider(t, hangs())
		m = d.modelAt(t, server, models.Config{Choices: []models.Choice{d.at(t, server.URL)}, Wait: (&patience{}).wait, Attempts: 2, Attempt: 20 * time.Millisecond})
		_, err = m.Reply(t.Context(), asks("?"))
		failed(t, err, "model_unreachable", "took longer than 20ms, 2 times")
	})
}

func TestTheWholeHasATime(t *testing.T) {
	d := dialects()[0]
	server := newProvider(t, hangs())
	m := d.modelAt(t, server, models.Config{Choices: []models.Choice{d.at(t, server.URL)}, Whole: 50 * time.Millisecond})
	_, err := m.Reply(t.Context(), asks("?"))
	failed(t, err, "model_unreachable", "gave no answer within 50ms")
}

// Only who is given up says that it can be asked again.
func TestGivenUp(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		ctx, cancel := context.WithCancel(t.Context())
		server := newProvider(t, func(w http.ResponseWriter, r *http.Request) {
			cancel()
			<-r.Context().Done()
		})
		m := d.modelAt(t, server, models.Config{Wait: (&patience{}).wait})
		_, err := m.Reply(ctx, asks("?"))
		if !domain.IsRetriable(err) || !errors.Is(err, context.Canceled) || len(server.questions()) != 1 {
			t.Errorf("the error is %v, after %d questions", err, len(server.questions()))
		}
	})
}

func TestGivenUpBetweenAttempts(t *testing.T) {
	d := dialects()[0]
	server := newProvider(t, d.refuses(500, "x", "y"))
	ctx, cancel := context.WithCancel(t.Context())
	m := d.modelAt(t, server, models.Config{Wait: func(ctx context.Context, _ time.Duration) error {
		cancel()
		return ctx.Err()
	}})
	if _, err := m.Reply(ctx, asks("?")); !domain.IsRetriable(err) || !errors.Is(err, context.Canceled) {
		t.Errorf("the error is %v", err)
	}
}
