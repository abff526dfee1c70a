package web_test

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/replay/explain"
	"chalie/replay/narrate"
	"chalie/replay/player"
)

// about is a sentence whose second part speaks of a record.
func about(text, part string, at domain.Position) [][]narrate.Part {
	id := domain.ID{15: 9}
	return [][]narrate.Part{{{Text: text}, {Text: part, About: &narrate.Reference{ID: id, Trace: domain.TraceID{ID: id}, Position: at}}}}
}

func TestReasons(t *testing.T) {
	id := domain.ID{15: 9}
	explained := explain.Explanation{
		Target: explain.Focus{ID: id, Trace: domain.TraceID{ID: id}}, Sentences: []string{"Because of " + hostile}, Parts: about("Because of ", hostile, 3),
		Nodes: []explain.Node{{ID: id, Type: "signal.received", Label: hostile, Trace: domain.TraceID{ID: id}, Position: 3, Numbers: explain.Numbers{"salience": .82, "age_ms": 1500}, Gate: domain.GateNotInFive, Codes: []string{"harmless"}}},
	}
	why, err := json.Marshal(explained)
	if err != nil {
		t.Fatal(err)
	}
	explained.Direction = explain.Forward
	forward, err := json.Marshal(explained)
	if err != nil {
		t.Fatal(err)
	}
	silence, err := json.Marshal(explain.NotTold{Sentences: []string{"It bears on nothing."}, Parts: about("It bears on ", "nothing.", 4), Surfaced: id,
		Considered: []explain.Decision{{Trace: domain.TraceID{ID: id}, Gate: domain.GatePolicy, Codes: []string{"no_rule_matches"}, Words: hostile, Parts: about("", hostile, 5)[0], Numbers: explain.Numbers{"threshold": .15}}}})
	if err != nil {
		t.Fatal(err)
	}
	site := newSite(t, &fakeAPI{session: true, answers: map[string]string{"/api/why/x": string(why), "/api/why/x?direction=forward": string(forward), "/api/why-not/x": string(silence)}})
	for path, wants := range map[string][]string{
		"/why/x":                   {"<h1>Why</h1>", `Because of <a href="/traces/` + id.String() + `?at=3#at-3">&lt;/script&gt;`, `<br><code>harmless</code>`, `title="not_in_five">others weigh more<`, "salience <strong>0.82</strong>", "age <strong>1.5 s</strong>", "how much it mattered", `<svg class="graph"`, `href="/traces/` + id.String() + `?at=3#at-3"`, `href="/why/x?direction=forward"`, `href="/traces/` + id.String()},
		"/why/x?direction=forward": {"<h1>What came of it</h1>", `aria-label="What it led to`, `href="/why/x"`},
		"/why-not/x?try=false":     {`It bears on <a href="/traces/` + id.String() + `?at=4#at-4">nothing.</a>`, `title="policy no_rule_matches"><a href="/traces/` + id.String() + `?at=5#at-5">&lt;/script&gt;`, "lowest salience <strong>0.15</strong>", `href="/why/` + id.String(), "&lt;/script&gt;"},
	} {
		w := get(t, site, path)
		for _, want := range wants {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %q is missing in\n%s", path, want, w.Body)
			}
		}
		if strings.Contains(w.Body.String(), "<img src=x") {
			t.Errorf("%s: a text became HTML", path)
		}
	}
}

// What can be asked about is offered, and what can't be asked is told beside the field.
func TestAsking(t *testing.T) {
	id := domain.ID{15: 9}
	latest, err := json.Marshal(explain.Latest{Told: []explain.Told{{ID: id, Said: hostile, Unasked: true}}, Kept: []explain.Kept{{ID: id, Label: "a comet", Words: "it bears on nothing"}}})
	if err != nil {
		t.Fatal(err)
	}
	site := newSite(t, &fakeAPI{session: true, answers: map[string]string{"/api/why": string(latest)}, refusals: map[string]int{"/api/why/nope": http.StatusBadRequest, "/api/why/broken": http.StatusServiceUnavailable}})
	for path, c := range map[string]struct {
		status int
		wants  []string
	}{
		"/why":                    {http.StatusOK, []string{`href="/why/` + id.String(), "&lt;/script&gt;", "of its own accord"}},
		"/why-not":                {http.StatusOK, []string{`href="/why-not/` + id.String(), "a comet", "it bears on nothing"}},
		"/why/nope":               {http.StatusBadRequest, []string{`value="nope"`, "It can&#39;t be had: try later.", `aria-invalid="true"`}},
		"/why-not/none?try=false": {http.StatusNotFound, []string{`value="none"`, `action="/why-not"`, `role="alert"`}},
		"/why/broken":             {http.StatusServiceUnavailable, []string{"it can&#39;t be had"}},
	} {
		w := get(t, site, path)
		if w.Code != c.status {
			t.Errorf("%s: %d", path, w.Code)
		}
		for _, want := range c.wants {
			if !strings.Contains(w.Body.String(), want) {
				t.Errorf("%s: %q is missing in\n%s", path, want, w.Body)
			}
		}
	}
	for path, to := range map[string]string{"/why?of=pos%3A7": "/why/pos:7", "/why-not?of=a%2Fb": "/why-not/a%2Fb"} {
		if w := get(t, site, path); w.Code != http.StatusSeeOther || w.Header().Get("Location") != to {
			t.Errorf("%s: %d to %q", path, w.Code, w.Header().Get("Location"))
		}
	}
}

// lines are the objects that an answer came as.
func lines(t *testing.T, text string) (out []map[string]any) {
	t.Helper()
	for line := range strings.Lines(text) {
		var one map[string]any
		if err := json.Unmarshal([]byte(line), &one); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		out = append(out, one)
	}
	return out
}

// What takes long goes on as it comes, and the answer is a part of the page. A change
// that would have helped leads to where it can be supposed.
func TestWhyNotInTime(t *testing.T) {
	id := domain.ID{15: 9}
	for _, c := range []struct {
		name string
		by   explain.Counterfactual
		to   url.Values // nil: nowhere
	}{
		{"a parameter", explain.Counterfactual{Set: map[string]string{"half_life": "12h", "cooldown": "0s"}, Verified: true}, url.Values{"set": {"cooldown=0s", "half_life=12h"}, "since": {"pos:7"}}},
		{"itself otherwise", explain.Counterfactual{Edit: &player.Edit{ID: id, Field: "activation_energy", Value: "0.9"}}, url.Values{"edit": {id.String() + " activation_energy=0.9"}, "since": {"pos:7"}}},
		{"another left out", explain.Counterfactual{Without: id}, url.Values{"without": {id.String()}}},
		{"a policy", explain.Counterfactual{Policy: &domain.PolicyRules{}}, nil},
		{"nothing that can be supposed", explain.Counterfactual{Words: "you had asked"}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			answer, err := json.Marshal(explain.NotTold{Target: explain.Subject{ID: id, Position: 7}, Parts: about("", hostile, 7), Change: &c.by})
			if err != nil {
				t.Fatal(err)
			}
			site := newSite(t, &fakeAPI{session: true, answers: map[string]string{"/api/why-not/x?progress=true": `{"trying":"it had come later"}` + "\n" + string(answer) + "\n"}})
			got := lines(t, get(t, site, "/why-not/x?part=answer").Body.String())
			if len(got) != 2 || got[0]["trying"] != "it had come later" {
				t.Fatalf("%v", got)
			}
			text, _ := got[1]["html"].(string)
			if !strings.Contains(text, "&lt;/script&gt;") || strings.Contains(text, "<img src=x") {
				t.Errorf("the answer is %s", text)
			}
			_, rest, leads := strings.Cut(text, `href="/what-if?`)
			query, _, _ := strings.Cut(rest, `"`)
			values, err := url.ParseQuery(html.UnescapeString(query))
			if c.by.Policy != nil {
				var rules domain.PolicyRules
				if json.Unmarshal([]byte(values.Get("policy")), &rules) != nil {
					t.Errorf("the policy is %q", values.Get("policy"))
				}
				return
			}
			const setting = `href="/system/settings?cooldown=0s&amp;half_life=12h#cooldown"`
			if len(c.by.Set) > 0 != strings.Contains(text, setting) || len(c.by.Set) == 0 && strings.Contains(text, "/system/settings") {
				t.Errorf("%s isn't in %s", setting, text)
			}
			if err != nil || leads != (c.to != nil) || leads && values.Encode() != c.to.Encode() {
				t.Errorf("it leads to %v, %v", values, err)
			}
		})
	}
}

// differing is a report of two new differences, and of one that is known and a deed.
func differing(id domain.ID) player.Report {
	first := player.Divergence{
		Trace: domain.TraceID{ID: id}, Position: 12, Type: "reasoning.started", Field: "payload.world.items[0].salience", Recorded: []byte("820000"), Replayed: []byte("787412"),
	}
	return player.Report{Traces: 3, Diverged: 2, Steps: 5, Differ: 3, New: 2, Known: 1, Deeds: 1, Open: 1, Divergence: &first, Kinds: []player.Kind{
		{Kind: "reasoning.started world.items", Count: 2, First: first},
		{Kind: "model.replied call of list -> nothing", Count: 1, Deed: true, Known: true, Amendment: 3, Code: "the built-in model", Why: "it asks first", First: first},
	}, Differing: []player.Differing{{Trace: domain.TraceID{ID: id}, Position: 12, Field: "next", Kind: "reasoning.started world.items"}, {Position: 14, Field: "payload.outcome"}}}
}

// TestReplayKinds: the page counts differences by kind, and offers to accept those of the whole log
// that can be.
func TestReplayKinds(t *testing.T) {
	report := differing(domain.ID{15: 9})
	page := func(query string) string {
		t.Helper()
		text, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		site := newSite(t, &fakeAPI{session: true, answers: map[string]string{"/api/replay": string(text)}})
		html, _ := lines(t, get(t, site, "/replay?part=report&"+query).Body.String())[0]["html"].(string)
		return html
	}
	accepts := `data-accepts="{&#34;kinds&#34;:[{&#34;kind&#34;:&#34;reasoning.started world.items&#34;,&#34;count&#34;:2}]}"`
	whole := page("what=all")
	for _, want := range []string{
		"2 of 5 decisions are as they were. New differences: 2. Known differences: 1. By 1 of all something would be done otherwise", "<mark>0.82</mark>", accepts,
		"<code>model.replied call of list -&gt; nothing</code>", "Since a change of the built-in model: it asks first.", "No change of Chalie that is known explains it.",
	} {
		if !strings.Contains(whole, want) {
			t.Errorf("%q is missing in\n%s", want, whole)
		}
	}
	if part := page("what=since&since=7d"); strings.Contains(part, "data-accepts") {
		t.Errorf("of a part it offers to accept:\n%s", part)
	}
	report.Kinds[0].SameCode = true
	if same := page("what=all"); strings.Contains(same, "data-accepts") || !strings.Contains(same, "it was edited, or this is a fault") {
		t.Errorf("what today's code recorded is\n%s", same)
	}
	report.Kinds, report.New = report.Kinds[1:], 0
	if known := page("what=all"); !strings.Contains(known, "in 2 of 3 traces, as is known") || strings.Contains(known, "<mark>") || strings.Contains(known, "data-accepts") {
		t.Errorf("what is known is\n%s", known)
	}
}

func TestReplay(t *testing.T) {
	id := domain.ID{15: 9}
	report, err := json.Marshal(differing(id))
	if err != nil {
		t.Fatal(err)
	}
	for body, answer := range map[string]string{
		`{"trace":"last"}`: `{"position":5,"tail":10,"rate":5}` + "\n" + string(report),
		`{"since":"7d"}`:   `{"identical":true,"traces":1,"steps":1}`,
		`{}`:               `{"identical":true}`,
	} {
		api := &fakeAPI{session: true, answers: map[string]string{"/api/replay": answer}}
		site := newSite(t, api)
		path := map[string]string{`{"trace":"last"}`: "what=last", `{"since":"7d"}`: "what=since&since=7d", `{}`: "what=all&trace=x"}[body]
		got := lines(t, get(t, site, "/replay?part=report&"+path).Body.String())
		if len(got) != strings.Count(answer, "\n")+1 || strings.TrimSpace(api.sent[0]) != body {
			t.Fatalf("%s: %v, sent was %q", path, got, api.sent)
		}
		html, _ := got[len(got)-1]["html"].(string)
		for _, want := range map[string][]string{
			"what=last":           {"differently in 2 of 3 traces", "<mark>0.82</mark>", "<mark>0.787412</mark>", "at position 12", "1 not ended yet", `href="/why/last"`, "/traces/pos:14", "Side by side", "what comes next, behind"},
			"what=since&since=7d": {"Identical", "1 decision in 1 trace compared"},
			"what=all&trace=x":    {"Nothing was decided there"},
		}[path] {
			if !strings.Contains(html, want) {
				t.Errorf("%s: %q is missing in\n%s", path, want, html)
			}
		}
	}
	site := newSite(t, &fakeAPI{session: true, answers: map[string]string{"/api/replay": `{"position":5,"tail":10,"rate":5}` + "\n" + `{"error":"the log can't be read","code":"disk_failed"}`}})
	if got := lines(t, get(t, site, "/replay?part=report&what=all").Body.String()); len(got) != 2 || got[1]["error"] != "The log can't be read." || got[1]["html"] != nil {
		t.Errorf("what fails on its way: %v", got)
	}
	site = newSite(t, &fakeAPI{session: true, refusals: map[string]int{"/api/replay": http.StatusNotFound}})
	w := get(t, site, "/replay?part=report&trace=none")
	if got := lines(t, w.Body.String()); w.Code != http.StatusNotFound || len(got) != 1 || got[0]["error"] != "It can't be had: try later." {
		t.Errorf("a refusal: %d %v", w.Code, got)
	}
	w = get(t, site, "/replay?what=trace&trace=+")
	if text := w.Body.String(); w.Code != http.StatusBadRequest || !strings.Contains(text, "Say which trace") || strings.Contains(text, "data-asked") || !strings.Contains(text, `value="trace" checked`) {
		t.Errorf("no trace: %d\n%s", w.Code, text)
	}
	for path, want := range map[string]string{
		"/replay":            `value="last" checked`,
		"/replay?trace=a%22": `value="a&#34;" autocomplete`,
		"/replay?since=90d":  `value="90d" selected`,
	} {
		if text := get(t, site, path).Body.String(); !strings.Contains(text, want) || strings.Contains(text, "data-asked") != (path != "/replay") {
			t.Errorf("%s: %q is missing in\n%s", path, want, text)
		}
	}
}

// A value is marked where it differs, and never inside a letter.
func TestMarks(t *testing.T) {
	for _, c := range []struct{ recorded, replayed, then, now string }{
		{`"told you at once"`, `"told you later"`, "told you <mark>at once</mark>", "told you <mark>later</mark>"},
		{`"it is said twice"`, `"it was said twice"`, "it <mark>is</mark> said twice", "it <mark>was</mark> said twice"},
		{`"é"`, `"è"`, "<mark>é</mark>", "<mark>è</mark>"},
		{`"aaa"`, `"aa"`, "<mark>aaa</mark>", "<mark>aa</mark>"},
		{`null`, `{"a":[1]}`, "<mark>nothing</mark>", "<mark>{\n"},
		{`"日"`, `"日本"`, "<mark>日</mark>", "<mark>日本</mark>"},
	} {
		report := `{"traces":1,"diverged":1,"divergence":{"trace_id":"01KB2V7WYQC3V8P0J6R4T5N9XE","envelope_id":"01KB2V7WYQC3V8P0J6R4T5N9XE","field":"payload.x","recorded":` + c.recorded + `,"replayed":` + c.replayed + `}}`
		site := newSite(t, &fakeAPI{session: true, answers: map[string]string{"/api/replay": report}})
		html, _ := lines(t, get(t, site, "/replay?part=report&what=all").Body.String())[0]["html"].(string)
		if !strings.Contains(html, c.then) || !strings.Contains(html, c.now) {
			t.Errorf("%s and %s are\n%s", c.recorded, c.replayed, html)
		}
	}
}
