package models_test

import (
	"net/http"
	"testing"
	"time"

	"chalie/adapters/models"
	"chalie/domain"
	"chalie/domain/language"
)

// FuzzStream lets a provider say anything at all. An answer has to keep to the
// port, and an error has to be a terminal one with words.
func FuzzStream(f *testing.F) {
	for n, d := range dialects() {
		for _, s := range []spoken{{text: "Hello [#1], [#99].\n@@ topic: x; confidence: 3; urgent: yes"}, {calls: []spokenCall{{"1", "hall_light_on", `{"room":"hall"}`}}},
			{text: found}, {text: "half", length: true}, {refuse: true}} {
			var raw []byte
			for _, e := range d.stream(s) {
				if e.name != "" {
					raw = append(raw, "event: "+e.name+"\n"...)
				}
				raw = append(raw, "data: "+e.data+"\n\n"...)
			}
			f.Add(uint8(n), false, raw)
			f.Add(uint8(n), true, raw)
		}
		f.Add(uint8(n), false, []byte("data: {\"type\":\"message_delta\",\"usage\":{\"output_tokens\":9000000000000000000}}\n\n"+
			"data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1,\"prompt_tokens_details\":{\"cached_tokens\":5}}}\n\n"+
			"data: {\"type\":\"content_block_start\",\"content_block\":{\"type\":\"text\",\"text\":\"x\"}}\n\ndata: {\"type\":\"message_stop\"}\n\n"+
			"data: {\"type\":\"response.completed\",\"response\":{\"output\":[{\"type\":\"message\",\"content\":[{\"text\":\"x\"}]}],\"usage\":{\"output_tokens\":-7}}}\n\n"))
		f.Add(uint8(n), false, []byte("event: message_delta\ndata: null\n\ndata: []\n\ndata: {\"choices\":[{}]}\n\nevent: error\ndata: 7\n\n"))
	}
	f.Fuzz(func(t *testing.T, n uint8, cycle bool, raw []byte) {
		d := dialects()[int(n)%len(dialects())]
		server := newProvider(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write(raw) // who asks may have gone
		})
		m := d.modelAt(t, server, models.Config{Choices: []models.Choice{d.at(t, server.URL)}, Wait: (&patience{}).wait, Attempts: 2, Whole: 10 * time.Second})
		p := withTools(asks("?"))
		if cycle {
			p.Kind = language.AskedCycle
		}
		p.World = []language.ContextItem{item(11, domain.ItemSignal, "x", 1)}
		got, err := m.Reply(t.Context(), p)
		if err != nil {
			if domain.IsRetriable(err) || domain.CodeOf(err) == "" || err.Error() == "" {
				t.Fatalf("the error is %v", err)
			}
			return
		}
		kept(t, p, got)
	})
}

// kept checks what the port asks of a reply.
func kept(t *testing.T, p language.Prompt, r language.Reply) {
	t.Helper()
	if p.Kind == language.AskedMessage && len(r.Blocks) == 0 && len(r.ToolCalls) == 0 || r.Topic == "" || r.Confidence < 0 || r.Confidence > domain.One {
		t.Errorf("it says %+v", r)
	}
	if u := r.Usage; min(u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens) < 0 || u.CostMicros < 0 {
		t.Errorf("it takes %+v", u)
	}
	lists := [][]domain.Evidence{r.Used}
	for _, f := range r.Findings {
		if len(f.Evidence) == 0 || len(f.Blocks) == 0 || f.Topic == "" {
			t.Errorf("it finds %+v", f)
		}
		lists = append(lists, f.Evidence)
	}
	for _, list := range lists {
		for _, e := range list {
			if e.EnvelopeID != id(11) || e.Weight < 0 || e.Weight > domain.One {
				t.Errorf("it rests on %+v", e)
			}
		}
	}
	seen := map[string]bool{}
	for _, c := range r.ToolCalls {
		if objectOf(c.Params) == nil || seen[c.ID] || c.ID == "" {
			t.Errorf("it calls %+v", c)
		}
		seen[c.ID] = true
	}
}
