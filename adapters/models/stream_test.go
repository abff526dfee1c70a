package models_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"

	"chalie/adapters/models"
	"chalie/domain"
	"chalie/domain/language"
)

// ear is a follower that notes what it hears.
type ear struct {
	mu    sync.Mutex
	text  string
	calls []domain.ToolCall
	args  []string
	again []string
	order []domain.StreamEventType

	once  sync.Once
	heard chan struct{} // closed with the first text; nil for nobody
}

func (e *ear) Heard(ev domain.StreamEvent) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.order = append(e.order, ev.Type)
	at := -1
	for i, c := range e.calls {
		if c.ID == ev.ID {
			at = i
		}
	}
	switch ev.Type {
	case domain.StreamText:
		e.text += ev.Delta
		if e.heard != nil {
			e.once.Do(func() { close(e.heard) })
		}
	case domain.StreamCallStart:
		e.calls, e.args = append(e.calls, domain.ToolCall{ID: ev.ID, Tool: ev.Name}), append(e.args, "")
	case domain.StreamCallDelta:
		e.args[at] += ev.ArgsDelta
	case domain.StreamCallEnd:
		e.calls[at].Params = ev.Args
	}
}

func (e *ear) Again(why string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.again = append(e.again, why)
	e.text, e.calls, e.args = "", nil, nil
}

// What is told comes to what is answered: the text without what is only for Chalie, and the
// calls by our own names.
func TestAnAnswerIsToldAsItComes(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		m, _, _ := d.model(t, d.says(spoken{text: "  It is closed [#1], so go elsewhere. Let me [see].\n\n> quoted\n@@ topic: dinner; confidence: 85\n", calls: []spokenCall{
			{"toolu_1", "hall_light_on", `{"room": "hall", "on": true, "level__": 7}`},
			{"toolu_2", "hall_light_on_2", ``},
			{"toolu_2", "no_such_tool", `{"a": {"b": [1, "<x>"]}}`},
		}}))
		var e ear
		got, err := m.Stream(t.Context(), withTools(asks("light please")), &e)
		if err != nil {
			t.Fatal(err)
		}
		if e.text != plainOf(got) || e.text != "It is closed, so go elsewhere. Let me [see].\n\n> quoted" {
			t.Errorf("told was %q, and it said %q", e.text, plainOf(got))
		}
		if !reflect.DeepEqual(e.calls, got.ToolCalls) {
			t.Errorf("told were\n%+v\nand it called\n%+v", e.calls, got.ToolCalls)
		}
		for i, args := range e.args {
			var a, b any
			if json.Unmarshal([]byte(args), &a) != nil || json.Unmarshal(got.ToolCalls[i].Params, &b) != nil || !reflect.DeepEqual(a, b) {
				t.Errorf("the parameters came as %s and were %s", args, got.ToolCalls[i].Params)
			}
		}
		if got.Finish != domain.FinishToolUse || len(e.again) > 0 {
			t.Errorf("it finished with %q, and began anew %q", got.Finish, e.again)
		}
	})
}

// A provider that goes on only when what it said was heard is heard at once.
func TestNothingWaitsForTheEnd(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		events := d.stream(spoken{text: "One two. Three four. Five six. "})
		e := ear{heard: make(chan struct{})}
		m, _, _ := d.model(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for _, ev := range events {
				write(w, []event{ev})
				if !strings.Contains(ev.data, "One two") {
					continue
				}
				select {
				case <-e.heard:
				case <-r.Context().Done():
					return
				}
			}
		})
		if _, err := m.Stream(t.Context(), asks("?"), &e); err != nil || e.text != "One two. Three four. Five six." {
			t.Errorf("heard was %q, %v", e.text, err)
		}
	})
}

// begun are the events of an answer that has begun to say something.
func begun(d dialect, text string) []event {
	events := d.stream(spoken{text: text})
	return events[:len(events)-3]
}

// Giving up reaches the provider while it speaks.
func TestGivingUpEndsTheRequest(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		gone := make(chan struct{})
		m, _, _ := d.model(t, func(w http.ResponseWriter, r *http.Request) {
			defer close(gone)
			hangs(begun(d, "One two three. ")...)(w, r)
		})
		ctx, giveUp := context.WithCancel(t.Context())
		e := ear{heard: make(chan struct{})}
		done := make(chan error, 1)
		go func() {
			_, err := m.Stream(ctx, asks("?"), &e)
			done <- err
		}()
		<-e.heard
		giveUp()
		<-gone
		if err := <-done; !domain.IsRetriable(err) {
			t.Errorf("it says %v", err)
		}
	})
}

// What an attempt said that fails, and an answer that can't be used, is taken back.
func TestAnotherAttemptBeginsAnew(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		m, _, _ := d.model(t,
			breaks(begun(d, "It is at seven. ")...),
			d.says(spoken{text: "Let me look. ", calls: []spokenCall{{"1", "hall_light_on", `{"room":`}}}),
			d.says(spoken{text: "It is at eight."}))
		var e ear
		got, err := m.Stream(t.Context(), withTools(asks("when?")), &e)
		if err != nil || e.text != "It is at eight." || plainOf(got) != e.text || len(e.calls) > 0 {
			t.Errorf("heard was %q with %v, %v", e.text, e.calls, err)
		}
		if len(e.again) != 2 || !strings.Contains(e.again[0], "broke off") || !strings.Contains(e.again[1], "can't be read") {
			t.Errorf("it began anew: %q", e.again)
		}
	})
}

func TestFinishReasons(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		for want, s := range map[domain.FinishReason]spoken{
			domain.FinishStop:      {text: "done"},
			domain.FinishMaxTokens: {text: "and so on", length: true},
			domain.FinishToolUse:   {calls: []spokenCall{{"1", "hall_light_on", `{"room":"hall","on":true}`}}},
		} {
			m, _, _ := d.model(t, d.says(s))
			got, err := m.Reply(t.Context(), withTools(asks("?")))
			if err != nil || got.Finish != want {
				t.Errorf("it finished with %q, %v, want %s", got.Finish, err, want)
			}
		}
	})
}

// Temperature and stop sequences go to the provider, or are kept here where its API has none.
func TestStyle(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		gone := make(chan struct{}, 1)
		server := newProvider(t, func(w http.ResponseWriter, r *http.Request) {
			if d.name != "responses" {
				d.says(spoken{text: "One two"})(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			write(w, d.stream(spoken{text: "One two" + "END three fo" + "ur five six"})[:4])
			<-r.Context().Done()
			gone <- struct{}{}
		})
		choice := d.at(t, server.URL)
		warm := 0.25
		choice.Style = models.Style{Temperature: &warm, Stop: []string{"###", "END"}}
		m := d.modelAt(t, server, models.Config{Choices: []models.Choice{choice}})
		var e ear
		got, err := m.Stream(t.Context(), asks("?"), &e)
		if err != nil || plainOf(got) != "One two" || e.text != "One two" || got.Finish != domain.FinishStop {
			t.Errorf("it says %q and told %q, %q, %v", plainOf(got), e.text, got.Finish, err)
		}
		sent := server.sent(t, 0)
		if sent["temperature"] != 0.25 {
			t.Errorf("the temperature is %v", sent["temperature"])
		}
		stops := fmt.Sprint(map[string]any{"anthropic": sent["stop_sequences"], "chat": sent["stop"], "responses": "[### END]"}[d.name])
		if stops != "[### END]" {
			t.Errorf("the stop sequences are %s", stops)
		}
		if d.name == "responses" {
			<-gone // the provider learnt that the rest isn't wanted
		}
	})
}

// Without a style nothing of it is sent, and findings have no stop sequences.
func TestNoStyle(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		m, server, _ := d.model(t, d.says(spoken{text: "ok"}))
		if _, err := m.Reply(t.Context(), asks("?")); err != nil {
			t.Fatal(err)
		}
		for _, field := range []string{"temperature", "stop", "stop_sequences"} {
			if v, ok := server.sent(t, 0)[field]; ok {
				t.Errorf("%s is %v", field, v)
			}
		}
		choice := d.at(t, server.URL)
		choice.Style.Stop = []string{"}"}
		cycle := d.modelAt(t, newProvider(t, d.says(spoken{text: `{"findings":[]}`})), models.Config{Choices: []models.Choice{d.at(t, newProvider(t, d.says(spoken{text: `{"findings":[]}`})).URL)}})
		p := asks("")
		p.Kind = language.AskedCycle
		if _, err := cycle.Reply(t.Context(), p); err != nil {
			t.Error(err)
		}
	})
}

func TestListing(t *testing.T) {
	const anthropicList = `{"data":[{"type":"model","id":"claude-sonnet-5-5","display_name":"Claude Sonnet 5.5","max_input_tokens":200000,"max_tokens":64000}],"has_more":true,"last_id":"claude-sonnet-5-5"}`
	each(t, func(t *testing.T, d dialect) {
		server := newProvider(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			switch {
			case r.Method != http.MethodGet:
				http.Error(w, "{}", http.StatusMethodNotAllowed)
			case d.name != "anthropic":
				fmt.Fprint(w, `{"object":"list","data":[{"id":"zeta","object":"model"},{"id":"alpha","object":"model"},{"id":"not one, to choose"},{"id":""}]}`)
			case r.URL.Query().Get("after_id") == "":
				fmt.Fprint(w, anthropicList)
			default:
				fmt.Fprint(w, `{"data":[{"id":"claude-opus-5-5"}],"has_more":false}`)
			}
		})
		got, err := models.List(t.Context(), d.at(t, server.URL))
		if err != nil {
			t.Fatal(err)
		}
		var lines []string
		for _, m := range got {
			lines = append(lines, fmt.Sprintf("%s %q %d", strings.Replace(m.Choice.String(), server.URL, "URL", 1), m.Name, m.Choice.Traits.Context))
		}
		want := `openai:alpha@URL/v1 "alpha" 0; openai:zeta@URL/v1 "zeta" 0`
		if d.name == "anthropic" {
			want = `anthropic:claude-opus-5-5@URL "claude-opus-5-5" 0; anthropic:claude-sonnet-5-5@URL "Claude Sonnet 5.5" 200000`
		}
		if s := strings.Join(lines, "; "); s != want {
			t.Errorf("they are\n%s\nwant\n%s", s, want)
		}
		for _, asked := range server.questions() {
			if asked.path != map[string]string{"anthropic": "/v1/models", "chat": "/v1/models", "responses": "/v1/models"}[d.name] || d.keyed(asked.header.Get) != testKey {
				t.Errorf("it was asked at %s with %v", asked.path, asked.header)
			}
		}
	})
}

func TestListingThatFails(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		for _, c := range []struct {
			answer answered
			says   string
		}{
			{d.refuses(401, "authentication_error", "who is "+testKey), "does not accept its key: check the key"},
			{d.refuses(404, "not_found_error", "no"), "lists no models at this address: check it"},
			{d.refuses(500, "api_error", "oh"), "check the address and the connection"},
			{func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html>") }, "no JSON"},
		} {
			_, err := models.List(t.Context(), d.at(t, newProvider(t, c.answer).URL))
			if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), testKey) {
				t.Errorf("it says %v, want %q", err, c.says)
			}
		}
	})
	if _, err := models.List(t.Context(), models.Choice{Provider: models.Anthropic}); err == nil || !strings.Contains(err.Error(), "set ANTHROPIC_API_KEY") {
		t.Errorf("without a key it says %v", err)
	}
}

func TestEndpoints(t *testing.T) {
	s := settings(t, `{"models":[{"model":"openai:a@http://box:1/v1","key":"k1"},{"model":"ollama:b"},{"model":"ollama:c"}]}`, 0o600, map[string]string{"ANTHROPIC_API_KEY": "k2"})
	got, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range got.Endpoints() {
		names = append(names, c.String())
	}
	if strings.Join(names, " ") != "openai:@http://box:1/v1 ollama:" {
		t.Errorf("they are %q", names)
	}
	for text, key := range map[string]string{"anthropic": "k2", "openai@http://box:1/v1": "k1", "ollama": "", "openai": ""} {
		c, err := s.Endpoint(text)
		if err != nil || c.Key.Expose() != key || c.Model != "" {
			t.Errorf("%s is %v with %q, %v", text, c, c.Key.Expose(), err)
		}
	}
	for _, text := range []string{"", "acme", "openai:gpt", "openai@ftp://x"} {
		if _, err := s.Endpoint(text); err == nil || !strings.Contains(err.Error(), "names no provider") {
			t.Errorf("%q says %v", text, err)
		}
	}
}

func TestStylesOfTheFile(t *testing.T) {
	s := settings(t, `{"models":[{"model":"ollama:x","temperature":0,"stop":["###"]},{"model":"ollama:y"}]}`, 0o600, nil)
	got, err := s.Read()
	if err != nil {
		t.Fatal(err)
	}
	if style := got.Models[0].Style; style.Temperature == nil || *style.Temperature != 0 || len(style.Stop) != 1 || got.Models[1].Style.Temperature != nil {
		t.Errorf("they are %+v", got.Models)
	}
	for file, says := range map[string]string{
		`{"models":[{"model":"anthropic:x","temperature":1.5}]}`:                  "give one from 0 to 1",
		`{"models":[{"model":"openai:x","temperature":2.5}]}`:                     "give one from 0 to 2",
		`{"models":[{"model":"openai:x","temperature":-1}]}`:                      "give one from 0 to 2",
		`{"models":[{"model":"openai:x","stop":["1","2","3","4","5"]}]}`:          "give 4 at most",
		`{"models":[{"model":"openai:x","stop":["\n"]}]}`:                         "aren't blank",
		`{"models":[{"model":"o:x","stop":["` + strings.Repeat("x", 65) + `"]}]}`: "no provider",
	} {
		if _, err := settings(t, file, 0o600, nil).Read(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s says %v, want %q", file, err, says)
		}
	}
}

// Thoughts that come without their begin are told until their end shows what they are, and taken
// back. From then on the model's words wait for their end.
func TestThoughtsWithoutABeginAreTakenBack(t *testing.T) {
	each(t, func(t *testing.T, d dialect) {
		m, _, _ := d.model(t, d.says(spoken{text: "I should greet. </think>Hello there."}))
		var first, second ear
		for _, e := range []*ear{&first, &second} {
			got, err := m.Stream(t.Context(), asks("?"), e)
			if err != nil || plainOf(got) != "Hello there." || e.text != "Hello there." {
				t.Errorf("it says %q and told %q, %v", plainOf(got), e.text, err)
			}
		}
		if len(first.again) != 1 || !strings.Contains(first.again[0], "how it thinks") || len(second.again) != 0 {
			t.Errorf("taken back was %q, and then %q", first.again, second.again)
		}
	})
}

// An end that nobody understands is told.
func TestAnEndThatIsNotUnderstood(t *testing.T) {
	d := dialects()[1]
	m, _, _ := d.model(t, streams(event{"", `{"choices":[{"delta":{"content":"Hello."},"finish_reason":"zeta"}]}`}))
	got, err := m.Reply(t.Context(), asks("?"))
	if err != nil || !strings.Contains(plainOf(got), "Hello.\nSomething may be missing here: the model ended the answer with “zeta”") {
		t.Errorf("it says %q, %v", plainOf(got), err)
	}
}

// A call in a form that isn't read goes back to the model, and no other call is made.
func TestUnreadCallsGoBack(t *testing.T) {
	d := dialects()[1]
	m, server, _ := d.model(t,
		streams(event{"", `{"choices":[{"delta":{"tool_calls":[{"id":"1","function":{"name":"hall_light_on","arguments":{"room":"hall","on":true}}},"hall_light_on"]},"finish_reason":"stop"}]}`}),
		d.says(spoken{text: "I see."}))
	got, err := m.Reply(t.Context(), withTools(asks("?")))
	if err != nil || len(got.ToolCalls) != 0 || plainOf(got) != "I see." {
		t.Errorf("it calls %+v and says %q, %v", got.ToolCalls, plainOf(got), err)
	}
	contains(t, server.questions()[1].body, "in a form that can't be read, and none of its calls was made")
}
