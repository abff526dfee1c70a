package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"chalie/domain"
)

// mindOf is what pages about the mind ask for, with items in it and left out of it.
func mindOf(t *testing.T, items, leftOut []map[string]any) map[string]string {
	t.Helper()
	expected := make([]float64, 49)
	for i := range expected {
		expected[i] = 1 - float64(i)/64
	}
	for i, item := range append(append([]map[string]any{}, items...), leftOut...) {
		base := map[string]any{
			"envelope_id": domain.ID{15: byte(i + 1)}, "trace_id": domain.ID{15: byte(i + 1)}, "kind": "signal",
			"salience": 1, "age_seconds": 120, "activation_energy": .7, "expected": expected,
		}
		maps.Copy(base, item)
		maps.Copy(item, base)
	}
	text := func(v any) string {
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	world := text(map[string]any{"as_of": 1_000_000, "position": 40, "ahead_step_ms": 900_000, "items": items, "left_out": leftOut})
	return map[string]string{
		"/api/world": world,
		"/api/plans": `{"appointments":[{"id":"00000000-0000-0000-0000-000000000077","kind":"appointment","text":"meeting with Joe","place":"the office","due":"2027-01-01T16:00:00Z","ends":"2027-01-01T17:00:00Z"}],"reminders":[{"id":"00000000-0000-0000-0000-000000007031","text":"call mum","due":"2027-01-02T10:00:00Z"}],"tasks":[{"id":"00000000-0000-0000-0000-000000007032","text":"tax return","due":null},{"id":"00000000-0000-0000-0000-000000007033","text":"the vote","due":"2027-01-01T10:00:00Z","overdue":true}]}`,
		"/api/spine": `{"services":[{"name":"idle","state":"alive","cycle_ms":600000}],"consumers":[{"running":null,"waiting":2}]}`,
		"/api/what-if": `{"parameters":[{"name":"half_life","value":"6h","unit":"a duration","least":"1s","most":"3650d","bounds":"1s to 3650d","meaning":"what was heard has half its weight after this"},
			{"name":"threshold","value":"0.15"},{"name":"context","value":"5"},{"name":"fired_for","value":"24h"},{"name":"due_half_life","value":"12h"}],
			"inputs":[{"type":"signal.received","fields":["content","recorded_at"]}],"models":["builtin/9"]}`,
		"/health":  `{"resources":{"log_tail":{"position":40}}}`,
		"/api/log": `{"records":[{"position":1,"recorded_at":500000}],"next":2}`,
	}
}

// worldOf has one item in mind, all of whose texts are label.
func worldOf(t *testing.T, label string) map[string]string {
	return mindOf(t, []map[string]any{{"label": label, "source": label}}, []map[string]any{})
}

func (a *fakeAPI) shows(t *testing.T, path string, wants ...string) string {
	t.Helper()
	w := get(t, newSite(t, a), path)
	for _, want := range wants {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %q is missing in\n%s", path, want, w.Body)
		}
	}
	return w.Body.String()
}

func TestNow(t *testing.T) {
	answers := mindOf(t,
		[]map[string]any{{"label": "Luigi's is closed", "source": "house", "turns_at": 1_000_000 + 6*3_600_000, "bonus": .5}, {"label": "dinner", "kind": "reminder", "phase": "pending", "moment": 9_000_000, "bonus": .5}},
		[]map[string]any{{"label": "bus late", "gate": "not_in_five"}, {"label": "old news", "gate": "below_threshold"}, {"label": "next year", "kind": "reminder", "phase": "pending", "moment": 9_000_000, "gate": "below_threshold"}})
	answers["/api/world"] = strings.Replace(answers["/api/world"], `"items"`, `"relations":[{"signal":"`+domain.ID{15: 1}.String()+`","commitment":"`+domain.ID{15: 2}.String()+`","score":0.5}],"items"`, 1)
	api := &fakeAPI{account: true, session: true, answers: answers}
	page := api.shows(t, "/now", "<h1>Now</h1>", "Luigi&#39;s is closed", "100 % now, 25 % in 12 hours", "Heard from <span dir=\"auto\">house</span> 2 min ago.",
		`Fades out of mind <time datetime="1970-01-01T06:16:40Z">`, `<circle class="plot-turn"`, "It bears on <q dir=\"auto\">dinner</q>", "Half of that is gone every 6 hours",
		"Other things matter more", "Only five go into an answer", "Faded", "Its time isn&#39;t near yet", `href="/what-if?without=`,
		"call mum", "overdue", "for 10 minutes", "2 things wait", `min="1" max="40"`)
	for _, wants := range []string{"Was I told, and if not, why?", "What the numbers mean", `data-began="500000"`} {
		if !strings.Contains(page, wants) {
			t.Errorf("%q is missing in\n%s", wants, page)
		}
	}
	// Of three things that were heard and two that are the person's own.
	if n := strings.Count(page, `href="/why-not/`); n != 3 {
		t.Errorf("%d things lead to why they weren't told, want 3", n)
	}
	if strings.Index(page, "the vote") > strings.Index(page, "call mum") {
		t.Error("what comes first isn't first")
	}
	part := api.shows(t, "/now?part=view", "Luigi&#39;s is closed", `<div id="view">`)
	if strings.Contains(part, "<html") || strings.Contains(part, "timeline") {
		t.Errorf("the part is\n%s", part)
	}
}

func TestNothingInMind(t *testing.T) {
	api := &fakeAPI{account: true, session: true, answers: mindOf(t, []map[string]any{}, []map[string]any{})}
	api.refusals = map[string]int{"/api/plans": http.StatusServiceUnavailable, "/api/spine": http.StatusServiceUnavailable} // nothing runs
	api.shows(t, "/now", "Nothing is in mind", "Nothing with a time is planned")
}

// A long list is folded by gate, and the rest of a gate once more.
func TestLongLists(t *testing.T) {
	var out []map[string]any
	for range 30 {
		out = append(out, map[string]any{"label": "noise", "gate": "over_capacity"})
	}
	api := &fakeAPI{account: true, session: true, answers: mindOf(t, []map[string]any{}, out)}
	api.shows(t, "/now", `Pushed out by newer things <span class="badge info number">30</span>`, "The other 22")
}

// The past is asked for by position, by time, and by what a form sends.
func TestThen(t *testing.T) {
	api := &fakeAPI{account: true, session: true, answers: worldOf(t, "Luigi's is closed")}
	for path, at := range map[string]string{"/now?at=pos:7": "pos:7", "/now?pos=7": "pos:7", "/now?at=-2h": "-2h", "/now?time=2026-11-20T18:00": "1795197600000"} {
		api.asked = nil
		page := api.shows(t, path, "<title>As it was", "You are looking at the past: what Chalie knew after record 40", "What was in mind", `href="/now" data-now`, "Who Chalie spoke with")
		if strings.Contains(page, "What comes next") {
			t.Errorf("%s knows what comes next", path)
		}
		if got := api.asked[0].URL.Query().Get("at"); got != at {
			t.Errorf("%s asks for %q", path, got)
		}
	}
	said := `{"exchanges":[{"prompt":"hello <b>","blocks":[{"type":"text","content":"Hi.","format":"plain"}],"timestamp":"2027-01-01T10:00:00Z"}],"total":12}`
	api.answers["/conversation/recent"] = said
	api.shows(t, "/now?at=pos:7&part=conversation", "hello &lt;b&gt;", "Hi.", "The last 1 of 12.")
	api.shows(t, "/now?at=pos:7&show=conversation", "<details class=\"group section\" data-section=\"conversation\" data-key=\"section-conversation\" open>", "Hi.")
	api.answers["/api/approvals"] = `{"approvals":[{"summary":"cancel it","actor":"reasoning","trace_id":"00000000-0000-0000-0000-000000000074","expires_at":1}]}`
	api.answers["/api/apps"] = `{"apps":[{"name":"stocks","status":"online","approved_scopes":{"signals":{"quote":true}}}]}`
	api.answers["/api/policy"] = `{"regime_id":"r1","policy":{"autonomy":"readonly","approval_minutes":5,"rules":[{"name":"never","verdict":"denied"}]}}`
	for part, want := range map[string]string{"approvals": "cancel it", "interfaces": "quote", "policy": "nothing that changes something", "plans": "meeting with Joe</a> <span class=\"soft\" dir=\"auto\">the office</span>"} {
		api.shows(t, "/now?at=pos:7&part="+part, want)
	}
	if w := get(t, newSite(t, api), "/now?at=pos:7&part=secrets"); w.Code != http.StatusNotFound {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}

// What is over stands under what was done today, or before.
func TestNowListsWhatWasDone(t *testing.T) {
	answers := mindOf(t, []map[string]any{}, []map[string]any{
		{"label": "wash the car", "kind": "task", "phase": "done", "moment": -1_000, "gate": "over"},
		{"label": "feed the cat", "kind": "task", "phase": "done", "moment": 900_000, "gate": "over"},
		{"label": "Your scan moved", "kind": "message", "source": "Hospital", "gate": "over"}})
	answers["/api/world"] = strings.Replace(answers["/api/world"], `"items"`, `"over":"over/3","zone":"UTC","items"`, 1)
	page := (&fakeAPI{account: true, session: true, answers: answers}).shows(t, "/now", "Done today", "It was done, or you were told and have seen it.", "It was done or seen before today")
	order := []string{"Done today", "feed the cat", "Seen", "Your scan moved", "Heard from", "Hospital", "Over", "wash the car"}
	for i, at := 0, 0; i < len(order); i++ {
		next := strings.Index(page[at:], order[i])
		if next < 0 {
			t.Fatalf("%q doesn't come next in\n%s", order[i], page)
		}
		at += next
	}
}

// A program's message says what it counts as, and by what it goes.
func TestNowExplainsMessages(t *testing.T) {
	answers := mindOf(t, []map[string]any{{"label": "Your scan moved", "kind": "message", "source": "Hospital", "salience": 1, "activation_energy": 0.7}}, []map[string]any{})
	page := (&fakeAPI{account: true, session: true, answers: answers}).shows(t, "/now", `Heard from <span dir="auto">Hospital</span>`,
		"counts as much as something heard with an activation energy of 0.7", "out once you have seen it", "What if it hadn’t come?")
	if strings.Contains(page, "<dt>Type</dt>") || strings.Contains(page, "A plan has a salience") {
		t.Errorf("the page shows\n%s", page)
	}
}

// What can't be looked at is told beside the slider, over what is now.
func TestNoSuchMoment(t *testing.T) {
	api := &fakeAPI{account: true, session: true, answers: worldOf(t, "Luigi's is closed")}
	answers := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("at") {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error":"the log ends at position 40"}`))
			return
		}
		api.ServeHTTP(w, r)
	})
	w := get(t, newSiteOver(t, answers), "/now?at=pos:99")
	for _, want := range []string{`role="alert">the log ends at position 40</p>`, "<h1>Now</h1>", "Luigi&#39;s is closed"} {
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%d: %q is missing in\n%s", w.Code, want, w.Body)
		}
	}
}

// What takes long is left to the page's module, or waited for when it was asked to.
func TestTheFarPast(t *testing.T) {
	api := &fakeAPI{account: true, session: true, answers: worldOf(t, "Luigi's is closed")}
	slow := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, hurried := r.Context().Deadline(); hurried && r.URL.Query().Has("at") {
			<-r.Context().Done()
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		api.ServeHTTP(w, r)
	})
	site := newSiteOver(t, slow)
	if w := get(t, site, "/now?at=pos:7"); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), `data-wants="pos:7"`) || !strings.Contains(w.Body.String(), `max="40" step="1" value="7"`) || !strings.Contains(w.Body.String(), `href="/now?at=pos%3a7&amp;wait=yes"`) {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
	if w := get(t, site, "/now?at=pos:7&wait=yes"); !strings.Contains(w.Body.String(), "Luigi&#39;s is closed") {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
}

// A moment to come isn't the past: what is known now is shown as it will weigh then.
func TestNowToCome(t *testing.T) {
	answers := worldOf(t, "bus late")
	later := time.Now().Add(6 * time.Hour).UnixMilli()
	answers["/api/world"] = strings.Replace(answers["/api/world"], `"as_of":1000000`, fmt.Sprintf(`"as_of":%d`, later), 1)
	api := &fakeAPI{account: true, session: true, answers: answers}
	for _, path := range []string{"/now?at=%2B6h", "/now?at=+6h&part=view"} {
		page := api.shows(t, path, "As it will be", "You are looking ahead", "What will be in mind", "data-ahead", ">then</text>", "100 % then")
		for _, wrong := range []string{"looking at the past", "As it was", "was in mind", "What else was known", ">now</text>"} {
			if strings.Contains(page, wrong) {
				t.Errorf("%s says %q in\n%s", path, wrong, page)
			}
		}
	}
}

// Lists were planned, too, and the whole conversation of then is one step away.
func TestWhatElseWasKnown(t *testing.T) {
	answers := worldOf(t, "bus late")
	answers["/api/plans"] = `{"reminders":[],"tasks":[],"lists":[{"id":"00000000-0000-0000-0000-000000006c31","name":"shopping","items":[{"id":"00000000-0000-0000-0000-000000006931","text":"milk"},{"id":"00000000-0000-0000-0000-000000006932","text":"<b>"}]},{"id":"00000000-0000-0000-0000-000000006c32","name":"films","items":[]}]}`
	answers["/conversation/recent"] = `{"exchanges":[{"id":"00000000-0000-0000-0000-000000000078","prompt":"hello","blocks":[]}],"total":23}`
	api := &fakeAPI{account: true, session: true, answers: answers}
	page := api.shows(t, "/now?at=pos:7&part=plans", `<a href="/why/00000000-0000-0000-0000-000000006c31" dir="auto">shopping</a>: <bdi>milk</bdi>, <bdi>&lt;b&gt;</bdi>`, `films</a> <span class="soft">with nothing on it`)
	if strings.Contains(page, "Nothing was planned") {
		t.Errorf("with lists it says\n%s", page)
	}
	api.shows(t, "/now?at=pos:7&part=conversation", `The last 1 of 23. <a href="/chat?at=pos%3A7">`)
	answers["/api/plans"] = `{"reminders":[],"tasks":[],"lists":[]}`
	api.shows(t, "/now?at=pos:7&part=plans", "Nothing was planned")
}
