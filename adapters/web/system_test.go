package web_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"chalie/domain"
)

// wantsAll fails for each text that a page lacks, and for hostile HTML in it.
func wantsAll(t *testing.T, w *httptest.ResponseRecorder, texts ...string) {
	t.Helper()
	for _, want := range texts {
		if !strings.Contains(w.Body.String(), want) {
			t.Errorf("%q is missing in\n%s", want, w.Body)
		}
	}
	if strings.Contains(w.Body.String(), "<img src=x") {
		t.Error("a text became HTML")
	}
}

func TestConversations(t *testing.T) {
	list := `{"conversations":[{"id":"34f1e1f5-9cef-ace5-6ab7-d160feafb8e0","default":false,"project_id":"p","session_id":` + quoted(t, hostile) + `,"user_id":"","exchanges":1,"last":"2026-11-26T22:59:07Z"},
		{"id":null,"default":true,"project_id":"","session_id":"","user_id":"","exchanges":3,"last":"2026-11-26T22:58:07Z"}],"total":2}`
	site := newSite(t, &fakeAPI{session: true, answers: map[string]string{
		"/api/conversations": list,
		"/conversation/recent": `{"thread_id":null,"exchanges":[{"id":"01a21a00-d53f-7031-a97f-312dbe1acd91","prompt":` + quoted(t, hostile) + `,"action":null,"blocks":[{"type":"text","content":"All is well","format":"plain"}],
			"topic":"","timestamp":"2026-11-26T22:59:07Z","in_working_memory":true,"image_ids":[],"kind":"message"}],"total":1,"has_more":false}`,
	}})
	wantsAll(t, get(t, site, "/system/conversations"), "<h1>Conversations</h1>", "The default one", "1 turn,", "onerror=alert", `aria-current="page">Conversations`)
	wantsAll(t, get(t, site, "/system/conversations?in=34f1e1f5-9cef-ace5-6ab7-d160feafb8e0"), "All is well", `aria-current="true"`, "its trace")
}

func TestSystemOverview(t *testing.T) {
	const well = `{"version":"1.2.3","since":1000,"now":90061000,"ready":true,"tail":7654321,"held_records":1234567,"log_bytes":5300000,"free_bytes":9000000000,"disk_bytes":20000000000,"kept_free_bytes":1000,"next_audit_at":95000000,` +
		`"models":[{"name":"oracle","called_at":5,"answered":false,"error":` + "%" + `},{"name":"builtin","called_at":6,"answered":true}],"services":{"log":{"ready":true,"detail":"durable"}}}`
	answers := map[string]string{
		"/api/system":      strings.Replace(well, "%", quoted(t, hostile), 1),
		"/api/projections": `[{"name":"world","state":"live"}]`, "/api/approvals": `{"approvals":[{},{}]}`,
		"/api/interfaces": `[{"name":"Hospital","status":"online"}]`, "/api/streams": `{"streams":[{"source":"Exchange","state":"live"}]}`,
	}
	site := newSite(t, &fakeAPI{session: true, answers: answers})
	wantsAll(t, get(t, site, "/system"), "All is well.", "running for 1 day 1 hour", "1,234,567 records", "5.3 MB", "9.0 GB of 20.0 GB",
		"All 1 have applied", "failed last", "If that can't answer", "2 wait", `aria-current="page">Overview`)
	if w := get(t, site, "/system?part=state"); strings.Contains(w.Body.String(), "<html") || !strings.Contains(w.Body.String(), `data-key="verdict"`) {
		t.Errorf("the part is\n%s", w.Body)
	}

	// So is what is lost, and where to look for it.
	whole := answers["/api/system"]
	answers["/api/system"] = strings.Replace(whole, `"ready":true`, `"ready":true,"lost_records":1200,"damaged_copies":["/srv/<damaged>-1"]`, 1)
	w := get(t, site, "/system")
	wantsAll(t, w, "1,200 records are lost.", "1,200 records are lost</strong> since a repair or an import", `href="/system/log?type=record.lost"`, "<code>/srv/&lt;damaged&gt;-1</code>")
	if strings.Contains(w.Body.String(), "All is well") {
		t.Errorf("with records lost the overview says\n%s", w.Body)
	}
	answers["/api/system"] = whole

	// Who is away is said, and then not all is well.
	answers["/api/interfaces"] = `[{"name":"Hospital","status":"offline"},{"name":"Luigi","status":"online"}]`
	answers["/api/streams"] = `{"streams":[{"source":` + quoted(t, hostile) + `,"state":"connecting"}]}`
	w = get(t, site, "/system")
	wantsAll(t, w, "Chalie itself is well.", "the interface", "Hospital", "the stream", "Nothing is heard of them")
	if strings.Contains(w.Body.String(), "All is well") || strings.Contains(w.Body.String(), "Luigi") {
		t.Errorf("the overview says\n%s", w.Body)
	}

	answers["/api/system"] = `{"ready":true,"free_bytes":1500,"disk_bytes":5000,"kept_free_bytes":1000,"services":{"projection.world":{"ready":false,"detail":` + quoted(t, hostile) + `}}}`
	answers["/api/projections"] = `[{"name":"world","state":"live","lag":700,"lag_seconds":75,"diverged":{"position":3,"differing":2},"rebuild":{"state":"running"}}]`
	answers["/api/approvals"] = `{"approvals":[]}`
	wantsAll(t, get(t, site, "/system"), "Chalie works, but not all of it does.", "Projection world", "That is little", "world is 700 records and 1 minute behind",
		"Folded again now: world", "Not what the log says: world", "Nothing waits for you", "it was switched off")
	answers["/api/system"] = `{"ready":true,"damage":"record 4 is damaged; run ` + "`chalie repair`" + `","services":{"log":{"ready":false}}}`
	wantsAll(t, get(t, site, "/system"), "Something that is stored is damaged.", "Record 4 is damaged; run <code>chalie repair</code>.")
	answers["/api/system"] = `{"ready":false,"reason":"it is starting","services":{}}`
	wantsAll(t, get(t, site, "/system"), "Chalie isn't ready.", "it is starting")
}

func TestProjectionsPage(t *testing.T) {
	api := &fakeAPI{session: true, answers: map[string]string{
		"/api/system": `{"audited_at":5}`,
		"/api/projections": `[
		{"name":"accounts","version":1,"state":"stopped","error":` + quoted(t, hostile) + `},
		{"name":"plans","version":3,"generation":1,"state":"live","previous":{"version":2,"generation":0},"held":true,"rebuild":{"kind":"rebuild","state":"failed","error":"the disk is full"}},
		{"name":"traces","version":1,"state":"live","rebuild":{"kind":"check","state":"running","phase":"folding","position":2500,"tail":10000,"rate":100,"seconds_left":75}},
		{"name":"world","version":2,"state":"live","diverged":{"position":9,"differing":1},"rebuild":{"kind":"check","state":"done","started_at":1000,"ended_at":3500,
			"difference":{"count":12,"compared":40,"missing":1,"added":2,"changed":9,"first":[{"entity":"state","field":"a.b","was":1,"is":` + quoted(t, hostile) + `},{"entity":"e:1","field":"","was":null,"is":{"x":2}}]}}}]`,
	}}
	site := newSite(t, api)
	w := get(t, site, "/system/projections")
	wantsAll(t, w, "has stopped", "It stopped:", "Version 3.1", "Go back to version 2", "You went back to this version", "The rebuild failed", "the disk is full",
		"Folding the log again", `max="10000" value="2500"`, "position 2,500 of 10,000, 100 a second, about 1 minute left", `data-does="DELETE /api/projections/traces/rebuild"`,
		"One is folded again, 25 % is done.", "data-cancel-all", "found 1 thing otherwise", "40 things were compared: 9 are different, 1 is only in what served, 2 are only in what the log gives now.",
		"<del>1</del>", "<del>not there</del>", "all of it", "These are the first 2 of 12", "after 2.5 s", `aria-label="Check world"`)
	if strings.Contains(w.Body.String(), "ask-traces-rebuild") {
		t.Error("what is folded again already can be asked to be")
	}
	api.answers["/api/projections"] = `[{"name":"world","version":2,"state":"live"}]`
	wantsAll(t, get(t, site, "/system/projections?part=folds"), "Check all", "is up to date", "All were last checked")
}

func TestPolicyPage(t *testing.T) {
	policy, err := json.Marshal(domain.DefaultPolicy())
	if err != nil {
		t.Fatal(err)
	}
	const closed = `{"autonomy":"readonly","max_depth":0,"approval_minutes":60,"rules":[{"name":"own_hand","actors":["operator"],"verdict":"denied"},{"name":"ask","actors":["program:x","reasoning"],"channels":["socket","<img src=x>"],"capabilities":["a/*","b"],"side_effects":true,"verdict":"approval_required"}]}`
	changed := `{"regime_id":"sha256:b","since":7200000,"position":9,"principal":"operator","source":"api","change":"policy","policy":` + closed + `,"manifests":{"a/b":{"capability_id":"a/b","side_effects":false}}}`
	first := `{"regime_id":"sha256:a","until":7200000,"change":"default","policy":` + string(policy) + `,"manifests":{}}`
	api := &fakeAPI{session: true, answers: map[string]string{
		"/api/policy":                  `{"regime_id":"sha256:b","policy":` + closed + `,"warnings":[` + quoted(t, hostile) + `]}`,
		"/api/policy/history?limit=2":  `{"regimes":[` + changed + `,` + first + `]}`,
		"/api/policy/history?limit=11": `{"regimes":[` + changed + `,` + first + `]}`,
		"/api/policy/check":            `{"ok":true,"in_force":false,"warnings":[],"policy":{"autonomy":"readonly","max_depth":0,"approval_minutes":60,"rules":[{"name":"new","verdict":"allowed"},{"name":"ask","verdict":"denied"},{"name":"own_hand","actors":["operator"],"verdict":"denied"}]}}`,
	}}
	site := newSite(t, api)
	w := get(t, site, "/system/policy")
	wantsAll(t, w, "Ceiling: readonly.", "You may not use any tool.", "the program x or Chalie of its own accord may use a/* or b that may change something once you approved it, each time.",
		"You say of a/b: it changes nothing.", "The ceiling is readonly; it was supervised.", "A question waits 1 hour for you; it was 15 minutes.", "The rule asked_in_words is gone",
		"The rule own_hand says: You may not use any tool. It was: You may use any tool", "The rule ask is new, as number 2", "until now", "At the beginning until", "Put these rules in force")
	if strings.Count(w.Body.String(), `data-does="PUT /api/policy"`) != 1 {
		t.Error("only what isn't in force can be gone back to")
	}
	sent := httptest.NewRequest(http.MethodPost, "/system/policy", strings.NewReader("{}"))
	sent.Header.Set("Content-Type", "application/json")
	considered := httptest.NewRecorder()
	site.ServeHTTP(considered, sent)
	wantsAll(t, considered, "This would change", "data-good", "The rule new is new, as number 1: Anybody may use any tool, as far as the ceiling above goes.", "The rule ask says: Nobody may use any tool.", "The order is another: new, ask, own_hand.")
}

// TestSettingsPage fills in what its address suggests, and changes nothing by that.
func TestSettingsPage(t *testing.T) {
	change := `{"envelope_id":"01KDWPVNG0E00R000000000001","at":7200000,"by":"operator","via":"socket","name":"surfaces","from":` + quoted(t, hostile) + `,"to":"0.4","default":false,"undoes":"","undone":false}`
	site := newSite(t, &fakeAPI{session: true, answers: map[string]string{"/api/settings": `{"settings":[
		{"name":"surfaces","value":"0.4","default":"0.5","is_default":false,"unit":"a score","least":"0.000001","most":"1","meaning":"is told","changed":` + change + `,"undo":` + change + `},
		{"name":"memory","value":"4","default":"4","is_default":true,"unit":"a number","least":"1","most":"100","meaning":"looks back"},
		{"name":"keep_signals","value":"0s","default":"0s","is_default":true,"unit":"a duration","least":"7d","most":"3650d","bounds":"7d to 3650d, or 0s","meaning":"goes"}],"changes":[` + change + `]}`,
		"/api/retention?keep_signals=30d": `{"topics":[],"next":{"records":1204,"bytes":2100000,"disk_bytes":700000,"counts":[{"topic":"signals","type":"signal.received","records":1204}],"oldest":1,"newest":2},"gone":{"spans":1,"records":7,"last":3},"stays":"3 records stay; run ` + "`chalie set keep_signals 0s`" + `"}`}})
	if text := get(t, site, "/system/settings").Body.String(); strings.Contains(text, "What would go") {
		t.Error("without a time to keep it says what would go")
	}
	wantsAll(t, get(t, site, "/system/settings?keep_signals=30d"), "What would go", "1,204 records, 2.1 MB before they are compressed; about 700 KB of the disk, by their share", "3 records stay; run <code>chalie set keep_signals 0s</code>", "1,204 records of <code>signal.received</code>", "So far 7 records went")
	wantsAll(t, get(t, site, "/system/settings"), `aria-current="page">Settings`, `value="0.4"`, "not 0.5", "What Chalie comes with", `data-call="POST /api/settings/surfaces/undo"`,
		`name="change" value="01KDWPVNG0E00R000000000001"`, "goes · 7d to 3650d, or 0s", "onerror=alert", `/why/01KDWPVNG0E00R000000000001`)
	w := get(t, site, "/system/settings?surfaces=0.37&memory=4&nothing=1")
	wantsAll(t, w, `value="0.37" required`, "It is not <span dir=\"auto\">0.37</span> yet", `value="4" required`)
	if n := strings.Count(w.Body.String(), " autofocus"); n != 1 {
		t.Errorf("%d fields have the focus", n)
	}
	wantsAll(t, get(t, site, "/system/settings?memory="+url.QueryEscape(hostile)), "onerror=alert")
}

func TestApprovalsPage(t *testing.T) {
	api := &fakeAPI{session: true, answers: map[string]string{
		"/api/approvals": `{"approvals":[{"proposal_token":"apr_1","summary":` + quoted(t, hostile) + `,"actor":"interface:7","channel":"token","invocation_id":"00000000-0000-0000-0000-000000000069","trace_id":"00000000-0000-0000-0000-000000000074","expires_at":5,"params":{"b":[1],"a":` + quoted(t, hostile) + `}}]}`,
		"/api/approvals/decided": `{"approvals":[
			{"summary":"one","decision":"granted","decided_by":"operator","decided_through":"api","correlator":"approval_token","came_to":"failed","detail":` + quoted(t, hostile) + `},
			{"summary":"two","decision":"refused","decided_by":"operator","correlator":"cancel","came_to":"not_done"},
			{"summary":"","decision":"expired","came_to":"not_done"},{"summary":"four","decision":"granted","decided_by":"operator","correlator":"plain_text","came_to":"unknown"}],"next":44}`,
		"/api/approvals/decided?before=44": `{"approvals":[],"next":0}`,
	}}
	site := newSite(t, api)
	wantsAll(t, get(t, site, "/system/approvals"), "One waits for you", "the interface 7 by a request with a token", `data-does="POST /api/approvals/apr_1"`, "Approved", "by you, on these pages or over the API", "It failed.",
		"Cancelled", "Nobody answered in time", "(erased)", "by a yes or no in the conversation", "Nobody knows what came of it.", `href="/system/approvals?before=44#decided"`)
	wantsAll(t, get(t, site, "/system/approvals?before=44"), "Nothing was decided yet.", "Newest")
}

func TestSystemWithoutASession(t *testing.T) {
	site := newSite(t, &fakeAPI{account: true, refusals: map[string]int{"/api/system": 401, "/api/projections": 401, "/api/policy": 401, "/api/approvals": 401}})
	for _, path := range []string{"/system", "/system/projections", "/system/policy", "/system/approvals", "/system/verify"} {
		if w := get(t, site, path); w.Code != http.StatusSeeOther || !strings.HasPrefix(w.Header().Get("Location"), "/login?next=") {
			t.Errorf("%s: %d to %s", path, w.Code, w.Header().Get("Location"))
		}
	}
}
