package httpapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"chalie/domain"
)

// found is what a search of the traces answers.
type found struct {
	Traces []struct {
		TraceID    string `json:"trace_id"`
		Concluded  string
		Tools      []string
		Tokens     int
		CostMicros int `json:"cost_micros"`
		First      domain.Position
		CameIn     *string `json:"came_in"`
		CameTo     *string `json:"came_to"`
		Matched    *struct {
			Records int
			Gist    string
		}
	}
	Next domain.Position
	Back domain.Millis
}

func (b *bench) finds(query string) (out found) {
	b.t.Helper()
	b.socket("GET", "/api/traces?"+query, "").wants(200).read(&out)
	return out
}

// texts are what was found, as what came in.
func (f found) texts() string {
	var out []string
	for _, one := range f.Traces {
		out = append(out, strings.TrimPrefix(*one.CameIn, "weather_forecast: "))
	}
	return strings.Join(out, "; ")
}

// threeEpisodes are an answered message with a tool, one that failed, and a signal.
func threeEpisodes(t *testing.T) (b *bench, asked, failed domain.Envelope, noon domain.Millis) {
	t.Helper()
	b = newBench(t, settings{})
	asked = b.says("How is the weather?")
	call := next(b, asked, domain.ModelReplied{Model: "m", Mode: domain.ModeRespond, Usage: domain.Usage{InputTokens: 900, OutputTokens: 100, CostMicros: 4200},
		ToolCalls: []domain.ToolCall{{ID: "1", Tool: "forecast", Params: json.RawMessage(`{}`)}}})
	used := next(b, call, domain.ToolInvoked{Tool: "forecast", Params: json.RawMessage(`{"place":"the Zürichsee"}`)})
	b.append(domain.TopicReasoning, call)
	b.append(domain.TopicTools, used)
	b.answers(used, domain.ShownMessage, "Take an umbrella.", "weather")
	b.clock.Advance(time.Hour)
	noon = domain.MillisOf(b.clock.Now())
	failed = b.says("Tell me a joke about rain")
	b.ends(failed, domain.ReasoningConcluded{Outcome: domain.OutcomeFailed}, domain.Fault{Code: "model_failed", Message: "the model is out of reach"})
	b.clock.Advance(time.Hour)
	b.socket("POST", "/api/signals", rain).wants(202)
	return b, asked, failed, noon
}

func TestSearchTraces(t *testing.T) {
	b, _, _, noon := threeEpisodes(t)
	const weather, joke, heard = "How is the weather?", "Tell me a joke about rain", "Heavy rain expected"
	at := noon.Time().UTC().Format(time.RFC3339)
	for query, want := range map[string]string{
		"":                                  heard + "; " + joke + "; " + weather,
		"outcome=done":                      heard + "; " + weather,
		"outcome=failed":                    joke,
		"outcome=responded":                 weather,
		"outcome=open":                      "",
		"root=message":                      joke + "; " + weather,
		"root=signal.received":              heard,
		"root=sign":                         "",
		"source=weather-service":            "",
		"mattered=true":                     joke + "; " + weather,
		"source=operator":                   heard + "; " + joke + "; " + weather,
		"tool=forecast":                     weather,
		"errors=true":                       joke,
		"since=" + at:                       heard + "; " + joke,
		"until=" + at:                       weather,
		"since=90m&until=30m":               joke,
		"words=rain":                        heard + "; " + joke,
		"words=RAIN+joke":                   joke,
		"words=umbrella":                    weather, // in the reply
		"words=z%C3%BCrich":                 weather, // in what the tool was asked
		"words=rain&root=message":           joke,
		"words=signal_type":                 "", // the name of a field
		"words=nowhere":                     "",
		"outcome=failed&tool=forecast":      "",
		"words=rain&since=" + at + "&tool=": heard + "; " + joke,
	} {
		if got := b.finds("texts=true&" + query); got.texts() != want || got.Next != 0 || got.Back != 0 {
			t.Errorf("%s: %q, next %d, want %q", query, got.texts(), got.Next, want)
		}
	}
	for query, says := range map[string]string{
		"outcome=fine": "responded", "errors=maybe": "true or false", "since=then": "since", "until=then": "until", "texts=2": "true or false",
	} {
		b.socket("GET", "/api/traces?"+query, "").wants(400, says)
	}
}

// A sender is found by the name that people see, in any case, and by its id.
func TestSenderByName(t *testing.T) {
	b := newBench(t, settings{})
	id, token := b.paired("City Exchange", 9001, "[]")
	b.call("POST", "/api/signals", `{"signal_type":"emergency","content":"The market is closed","activation_energy":0.4}`, bearer(token)).wants(202)
	b.socket("POST", "/api/signals", rain).wants(202)
	for _, name := range []string{"City+Exchange", "city+exchange", id} {
		if got := b.finds("texts=true&root=signal&source=" + name); len(got.Traces) != 1 {
			t.Errorf("%s began %d traces, want the one signal", name, len(got.Traces))
		}
		var log struct{ Records []json.RawMessage }
		if b.socket("GET", "/api/log?type=signal.received&source="+name, "").wants(200).read(&log); len(log.Records) != 1 {
			t.Errorf("%s sent %d signals, want 1", name, len(log.Records))
		}
	}
	if got := b.finds("source=exchange"); len(got.Traces) != 0 {
		t.Errorf("a part of a name found %+v", got)
	}
}

// What was found by words says where they stand.
func TestSearchSaysWhere(t *testing.T) {
	b, _, _, _ := threeEpisodes(t)
	for words, want := range map[string]string{"umbrella": "1 Take an umbrella.", "weather": "2 How is the weather?"} {
		got := b.finds("texts=true&root=message&words=" + words)
		if len(got.Traces) != 1 || got.Traces[0].Matched == nil {
			t.Fatalf("%s: %+v", words, got)
		}
		if m := got.Traces[0].Matched; fmt.Sprint(m.Records, " ", m.Gist) != want {
			t.Errorf("%s: %d, %q, want %s", words, m.Records, m.Gist, want)
		}
	}
}

// A page ends where it says, with words and without.
func TestSearchGoesOn(t *testing.T) {
	b, asked, _, _ := threeEpisodes(t)
	for _, query := range []string{"texts=true&limit=1&root=message", "texts=true&limit=1&words=e&root=message"} {
		first := b.finds(query)
		rest := b.finds(query + fmt.Sprintf("&before=%d", first.Next))
		if first.texts() != "Tell me a joke about rain" || first.Back == 0 || rest.texts() != "How is the weather?" || rest.Traces[0].TraceID != asked.Trace.String() {
			t.Errorf("%s: %+v, then %+v", query, first, rest)
		}
	}
}

// Of what a look of Chalie's own found, a line tells that which was shown.
func TestALineTellsWhatWasFound(t *testing.T) {
	b := newBench(t, settings{})
	asked := b.says("Anything new?")
	finding := func(text string) domain.Finding {
		return domain.Finding{Blocks: []domain.Block{domain.TextBlock(text, domain.FormatPlain)}, Topic: "dinner", Confidence: 900_000}
	}
	reply := next(b, asked, domain.ModelReplied{Model: "m", Findings: []domain.Finding{finding("It rains"), finding("**Luigi's** is closed tonight")}})
	b.append(domain.TopicReasoning, reply)
	b.ends(reply, domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification, Reply: reply.ID, Findings: []int{1}})
	got := b.finds("texts=true&mattered=true&outcome=surfaced")
	if len(got.Traces) != 1 || *got.Traces[0].CameTo != "Luigi's is closed tonight" {
		t.Errorf("%+v", got)
	}
}

func TestWhatALineTells(t *testing.T) {
	b, asked, failed, _ := threeEpisodes(t)
	got := b.finds("texts=true")
	if len(got.Traces) != 3 {
		t.Fatalf("%+v", got)
	}
	heard, broken, answered := got.Traces[0], got.Traces[1], got.Traces[2]
	if *heard.CameTo != "" || heard.Concluded != "" || heard.Tokens != 0 || heard.Tools == nil {
		t.Errorf("a signal: %+v", heard)
	}
	if broken.TraceID != failed.Trace.String() || broken.Concluded != "failed" || !strings.Contains(*broken.CameTo, "the model is out of reach") {
		t.Errorf("what failed: %+v, %s", broken, *broken.CameTo)
	}
	if answered.TraceID != asked.Trace.String() || answered.Concluded != "responded" || answered.Tokens != 1000 || answered.CostMicros != 4200 ||
		strings.Join(answered.Tools, " ") != "forecast" || *answered.CameTo != "Take an umbrella." {
		t.Errorf("what was answered: %+v, %s", answered, *answered.CameTo)
	}
	if plain := b.finds(""); plain.Traces[0].CameIn != nil || plain.Traces[0].CameTo != nil {
		t.Error("texts are told without being asked for")
	}
}
