package web_test

import (
	"net/http"
	"strings"
	"testing"

	"chalie/adapters/web"
)

func interfacesOf(apps, more string) *fakeAPI {
	return &fakeAPI{account: true, session: true, answers: map[string]string{
		"/api/apps": apps, "/api/streams": `{"streams":[]}`, "/auth/setup": `{"state":"done","command":"chalie --data '/srv/a b' {}"}`, "/api/log": more,
	}}
}

// Commands are named as this program was started, and that something was unpaired is told
// when the log says so.
func TestInterfacesPage(t *testing.T) {
	api := interfacesOf(`[]`, `{"records":[{"position":5,"envelope":{"type":"interface.removed"}}]}`)
	const command = `chalie --data &#39;/srv/a b&#39; `
	page := api.shows(t, "/interfaces", command+"demo restaurant</code>", `data-run="`+command+`{}"`)
	if strings.Contains(page, "It is unpaired") {
		t.Errorf("nothing was unpaired:\n%s", page)
	}
	api.shows(t, "/interfaces?unpaired=01KB2V7WYQC3V8P0J6R4T5N9XE", `role="status">It is unpaired`, `href="/system/log?to=pos:5"`)
	for path, log := range map[string]string{
		"/interfaces?unpaired=Luigi":                        `{"records":[{"position":5,"envelope":{"type":"interface.removed"}}]}`,
		"/interfaces?unpaired=01KB2V7WYQC3V8P0J6R4T5N9XE":   `{"records":[{"position":5,"envelope":{"type":"interface.paired"}}]}`,
		"/interfaces?unpaired=01KB2V7WYQC3V8P0J6R4T5N9XE&x": `{"records":[]}`,
	} {
		if page := interfacesOf(`[]`, log).shows(t, path, "No interface yet"); strings.Contains(page, "It is unpaired") {
			t.Errorf("%s, of what is there, says\n%s", path, page)
		}
	}
}

// A tool is called at once, and says so; what was granted with the key needs no button.
func TestInterfacePage(t *testing.T) {
	const tools = `{"tools":[{"name":"luigi.cancel","interface_id":"01","tool":"cancel","manifest":{"side_effects":true,"requires_approval":true}},{"name":"luigi.list","interface_id":"01","tool":"list it","manifest":{"capability_id":"01/list it","side_effects":false}}]}`
	of := func(app string) *fakeAPI {
		return &fakeAPI{account: true, session: true, answers: map[string]string{
			"/api/apps/01": `{"id":"01","name":"Luigi's","signals":["table"],` + app + `}`, "/api/tools": tools, "/api/log": `{"records":[]}`, "/api/policy/history": `{"regimes":[{"regime_id":"r1","policy":{},"manifests":{"01/list it":{"side_effects":false}}}]}`,
		}}
	}
	page := of(`"requested_scopes":{"signals":{"table":"tables"}}`).shows(t, "/interfaces/01",
		"asks you first", "Call it now</button>", "you aren't asked again", `data-confirm="Call cancel of Luigi&#39;s now? It may change something`,
		"This was let in with the pairing key", `href="/traces?tool=cancel"`, `href="/traces?tool=list&#43;it"`, `data-failed="#silent"`, `data-then="/interfaces?unpaired=01"`)
	if strings.Contains(page, "Approve what is ticked") || strings.Contains(page, "Try it") {
		t.Errorf("it offers what has no effect, or a rehearsal:\n%s", page)
	}
	if n := strings.Count(page, `data-confirm="Call`); n != 1 {
		t.Errorf("%d tools have to be confirmed, want the one that may change something", n)
	}
	if n := strings.Count(page, "This is the real thing"); n != 1 {
		t.Errorf("%d tools are said to change something, want one", n)
	}
	// Only what changes nothing can be marked, and what the person says otherwise is sent along.
	const marks = `data-does="PUT /api/tools/luigi.list/manifest" data-match="r1" data-body="{&#34;side_effects&#34;:false,&#34;requires_approval&#34;:null,&#34;autonomy&#34;:null,&#34;unasked&#34;:true}">Mark as safe`
	if strings.Count(page, marks) != 1 || strings.Count(page, "data-does=") != 1 {
		t.Errorf("what can be marked isn't the one that changes nothing:\n%s", page)
	}
	of(`"requested_scopes":{"signals":{"table":"tables"},"context":{"location":"where"}}`).shows(t, "/interfaces/01",
		"Approve what is ticked", "What can't be unticked was let in with the pairing key")
}

// Every page says how many things wait for approval, from what the API says beside any
// answer, and so does every part that renews itself. Nothing is asked for it.
func TestPagesSayWhatWaits(t *testing.T) {
	api := interfacesOf(`[]`, `{"records":[]}`)
	waiting := "2"
	site, err := web.New(web.Config{API: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if waiting != "" {
			w.Header().Set("Chalie-Approvals-Waiting", waiting)
		}
		api.ServeHTTP(w, r)
	})})
	if err != nil {
		t.Fatal(err)
	}
	const shown, hidden = `data-waiting><span class="number">2</span><span class="heard"> to approve`, `data-waiting hidden>`
	w := get(t, site.Handler(), "/interfaces")
	if n := strings.Count(w.Body.String(), shown); n != 2 || w.Header().Get("Chalie-Approvals-Waiting") != "2" {
		t.Errorf("it is said %d times, want at System and at More; the header is %q:\n%s", n, w.Header().Get("Chalie-Approvals-Waiting"), w.Body)
	}
	for _, r := range api.asked {
		if r.URL.Path == "/api/approvals" {
			t.Error("it is asked for by itself")
		}
	}
	for _, waiting = range []string{"0", ""} {
		w := get(t, site.Handler(), "/interfaces")
		if strings.Count(w.Body.String(), hidden) != 2 || w.Header().Get("Chalie-Approvals-Waiting") != waiting {
			t.Errorf("with %q waiting the page is\n%s", waiting, w.Body)
		}
	}
}
