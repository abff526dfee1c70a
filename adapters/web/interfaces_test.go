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
	if strings.Contains(page, "It is shut out") {
		t.Errorf("nothing was unpaired:\n%s", page)
	}
	api.shows(t, "/interfaces?unpaired=01KB2V7WYQC3V8P0J6R4T5N9XE", `role="status">It is shut out`, `href="/system/log?to=pos:5"`)
	for path, log := range map[string]string{
		"/interfaces?unpaired=Luigi":                        `{"records":[{"position":5,"envelope":{"type":"interface.removed"}}]}`,
		"/interfaces?unpaired=01KB2V7WYQC3V8P0J6R4T5N9XE":   `{"records":[{"position":5,"envelope":{"type":"interface.paired"}}]}`,
		"/interfaces?unpaired=01KB2V7WYQC3V8P0J6R4T5N9XE&x": `{"records":[]}`,
	} {
		if page := interfacesOf(`[]`, log).shows(t, path, "No interface yet"); strings.Contains(page, "It is shut out") {
			t.Errorf("%s, of what is there, says\n%s", path, page)
		}
	}
}

// A tool is called at once, and says so; what was granted with the key needs no button.
func TestInterfacePage(t *testing.T) {
	const tools = `{"tools":[{"name":"luigi.cancel","interface_id":"00000000-0000-0000-0000-000000000001","tool":"cancel","manifest":{"side_effects":true,"requires_approval":true,"ask":"as_said"},"when_said":{"verdict":"approval_required","words":"Asked each time: it wants your approval"}},{"name":"luigi.list","interface_id":"00000000-0000-0000-0000-000000000001","tool":"list it","manifest":{"capability_id":"01/list it","side_effects":false,"ask":"never"},"said":{"side_effects":false,"ask":"never"},"when_said":{"verdict":"allowed","words":"Done when you say it: you said it needn't ask"}}]}`
	of := func(app string) *fakeAPI {
		return &fakeAPI{account: true, session: true, answers: map[string]string{
			"/api/apps/00000000-0000-0000-0000-000000000001": `{"id":"00000000-0000-0000-0000-000000000001","name":"Luigi's","signals":["table"],` + app + `}`, "/api/tools": tools, "/api/log": `{"records":[]}`, "/api/policy/history": `{"regimes":[{"regime_id":"r1","policy":{}}]}`,
		}}
	}
	page := of(`"requested_scopes":{"signals":{"table":"tables"}}`).shows(t, "/interfaces/00000000-0000-0000-0000-000000000001",
		"asks you first", "Call it now</button>", "you aren't asked again", `data-confirm="Call cancel of Luigi&#39;s now? It may change something`,
		"This was let in with the pairing key", `href="/traces?tool=cancel"`, `href="/traces?tool=list&#43;it"`, `data-failed="#silent"`, `data-then="/interfaces?unpaired=00000000-0000-0000-0000-000000000001"`)
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
	const marks = `data-does="PUT /api/tools/luigi.list/manifest" data-match="r1" data-body="{&#34;side_effects&#34;:false,&#34;unasked&#34;:true,&#34;ask&#34;:&#34;never&#34;}">Mark as safe`
	if strings.Count(page, marks) != 1 || strings.Count(page, "data-does=") != 1+2*2 {
		t.Errorf("what can be marked isn't the one that changes nothing:\n%s", page)
	}
	// Of the three settings the one that holds is shown, with what it comes to.
	for _, part := range []string{
		"<p>Asked each time: it wants your approval.</p>", "<p>Done when you say it: you said it needn&#39;t ask.</p>",
		`aria-pressed="true" disabled>As I say it</button>`, `aria-pressed="true" disabled>Don&#39;t ask</button>`,
		`data-does="PUT /api/tools/luigi.cancel/manifest" data-match="r1" data-body="{&#34;ask&#34;:&#34;always&#34;}">Always ask</button>`,
		`data-does="PUT /api/tools/luigi.list/manifest" data-match="r1" data-body="{&#34;side_effects&#34;:false}">As I say it</button>`,
	} {
		if strings.Count(page, part) != 1 {
			t.Errorf("there is no %s:\n%s", part, page)
		}
	}
	of(`"requested_scopes":{"signals":{"table":"tables"},"context":{"location":"where"}}`).shows(t, "/interfaces/00000000-0000-0000-0000-000000000001",
		"Approve what is ticked", "What can't be unticked was let in with the pairing key")
}

// Of an MCP server the page says how it is reached, and has what waits accepted as it is shown.
func TestMCPServerPage(t *testing.T) {
	app := `{"id":"00000000-0000-0000-0000-000000000001","name":"Notes","status":"online","origin":"mcp","paired_at":"2026-01-02T03:04:05Z",
		"server":{"command":["npx","notes"],"env":["TOKEN"]},"waiting_tools":["forget"],"capabilities":[],
		"waiting":[{"tool":{"name":"forget","description":"<b>all</b>","hints":{"destructive":true}},"pin":"p1","new":false}]}`
	api := interfacesOf(`[`+app+`]`, `{"records":[]}`)
	api.answers["/api/apps/00000000-0000-0000-0000-000000000001"], api.answers["/api/tools"], api.answers["/api/policy/history"] = app, `{"tools":[]}`, `{"regimes":[]}`
	page := api.shows(t, "/interfaces/00000000-0000-0000-0000-000000000001", "npx notes", "<code>TOKEN</code>", "Waiting for your yes", `<span class="badge warning">changed</span>`,
		"&lt;b&gt;all&lt;/b&gt;", "may destroy something", `data-does="POST /api/interfaces/00000000-0000-0000-0000-000000000001/accept" data-body="{&#34;tools&#34;:[&#34;forget&#34;],&#34;pins&#34;:{&#34;forget&#34;:&#34;p1&#34;}}"`,
		`added <time datetime="2026-01-02T03:04:05.000Z"`)
	if strings.Contains(page, "Its page") {
		t.Errorf("a server has no page of its own:\n%s", page)
	}
	api.shows(t, "/interfaces", "npx notes", "1 tool to accept")
}

// One that nobody has let in isn't paired: it can be let in or turned away, also when it
// asks for nothing, and what its tools' own words try is said before that.
func TestPendingInterfacePage(t *testing.T) {
	const tools = `"capabilities":[{"name":"steer","description":"d","flags":[{"category":"injection"}]},{"name":"tell","description":"d"}],"flagged_tools":["steer"]`
	of := func(more string) *fakeAPI {
		app := `{"id":"00000000-0000-0000-0000-000000000001","name":"Luigi's","status":"pending","origin":"registered","paired_at":"2026-01-02T03:04:05Z",` + tools + more + `}`
		api := interfacesOf(`[`+app+`]`, `{"records":[]}`)
		api.answers["/api/apps/00000000-0000-0000-0000-000000000001"], api.answers["/api/tools"], api.answers["/api/policy/history"] = app, `{"tools":[]}`, `{"regimes":[]}`
		return api
	}
	for more, wants := range map[string]string{
		"": "Let it in</button>",
		`,"requested_scopes":{"signals":{"table":"tables"}}`: "Let it in, with what is ticked</button>",
	} {
		page := of(more).shows(t, "/interfaces/00000000-0000-0000-0000-000000000001", wants, `class="standing pending">waits for your yes<`, "It waits for your yes. Until you let it in", `came by itself <time datetime="2026-01-02T03:04:05.000Z"`,
			`data-call="DELETE /api/interfaces/00000000-0000-0000-0000-000000000001"`, ">Turn away</button>")
		if strings.Contains(page, "Unpair") || strings.Contains(page, "paired <time") || strings.Count(page, "its texts try to steer a model") != 1 {
			t.Errorf("with %q the page says\n%s", more, page)
		}
	}
	of("").shows(t, "/interfaces", `class="standing pending">waits for your yes<`, "a tool's texts try to steer a model")
}

// What paired programs ask to do is one card with one answer, in words, and what they may do is
// sent back with it; without such there is none.
func TestOneCardOfRights(t *testing.T) {
	const asks = `"origin":"paired","signals":["voice"],"approved_scopes":{"context":{"location":true},"signals":{"rain":true},"messages":{}},"asked_rights":{`
	page := interfacesOf(`[{"id":"00000000-0000-0000-0000-000000000001","name":"<b>Hall</b>",`+asks+`"voice":"have Chalie hear and speak for it"}},
		{"id":"00000000-0000-0000-0000-000000000002","name":"Phone",`+asks+`"context_update":"say where and how you are"}},
		{"id":"00000000-0000-0000-0000-000000000003","name":"Quiet"}]`, `{"records":[]}`).shows(t, "/interfaces",
		"Programs ask to do more than send signals", "&lt;b&gt;Hall&lt;/b&gt;", `name="voice"> <span>may have Chalie hear and speak for it`, `name="context_update"> <span>may say where and how you are`,
		`data-asks="00000000-0000-0000-0000-000000000001" data-approved="{&#34;context&#34;:{&#34;location&#34;:true},&#34;signals&#34;:{&#34;rain&#34;:true},&#34;messages&#34;:{}}"`)
	if strings.Count(page, "data-asks=") != 2 || strings.Count(page, ">Answer</button>") != 1 {
		t.Errorf("it isn't one card of two programs:\n%s", page)
	}
	if page := interfacesOf(`[{"id":"00000000-0000-0000-0000-000000000003","name":"Quiet"}]`, `{"records":[]}`).shows(t, "/interfaces", "Quiet"); strings.Contains(page, `id="rights"`) {
		t.Errorf("a card stands there though nobody asks:\n%s", page)
	}
}

// Every page says how many things wait for approval, from what the API says beside any
// answer, and so does every part that renews itself. Nothing is asked for it.
func TestPagesSayWhatWaits(t *testing.T) {
	api := interfacesOf(`[]`, `{"records":[]}`)
	waiting := "2"
	site, err := web.New(web.Config{API: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if waiting != "" {
			w.Header().Set("Chalie-Approvals-Waiting", waiting)
			w.Header().Set("Chalie-Rights-Asked", waiting)
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
	if n := strings.Count(w.Body.String(), `data-asking><span class="number">2</span>`); n != 1 || w.Header().Get("Chalie-Rights-Asked") != "2" {
		t.Errorf("rights that are asked are said %d times, want once", n)
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
