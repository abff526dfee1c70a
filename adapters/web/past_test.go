package web_test

import (
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// asItWas are answers as of a moment, and what each page makes of them.
var asItWas = map[string]struct {
	answers map[string]string
	says    []string
}{
	"/interfaces": {map[string]string{
		"/api/apps":    `{"as_of":{"position":7,"time":9000},"apps":[{"id":"00000000-0000-0000-0000-000000000001","name":"stocks","status":"online","requested_scopes":{"signals":{"quote":"prices"}}}]}`,
		"/api/streams": `{"as_of":{"position":7,"time":9000},"streams":[{"id":"00000000-0000-0000-0000-000000000002","url":"ws://x/feed","source":"nasdaq","since":5,"state":""}]}`,
	}, []string{"stocks", `href="/interfaces/00000000-0000-0000-0000-000000000001?at=pos%3A7"`, "1 not approved", "nasdaq", "Interfaces as of", "<title>Interfaces as of then"}},
	"/interfaces/00000000-0000-0000-0000-000000000001": {map[string]string{
		"/api/apps/00000000-0000-0000-0000-000000000001":                                                   `{"as_of":{"position":7,"time":9000},"id":"00000000-0000-0000-0000-000000000001","name":"stocks","status":"offline","offline_reason":"gone","requested_scopes":{"signals":{"quote":"prices"}},"capabilities":[{"name":"price","description":"A price"}]}`,
		"/api/log?before=8&gist=true&interface=00000000-0000-0000-0000-000000000001&limit=12&order=newest": `{"records":[{"position":5,"envelope":{"type":"interface.paired"},"gist":"stocks"}],"next":5}`,
	}, []string{"stocks as of", "not approved", "A price", "It did not answer: gone.", "interface paired", `href="/interfaces/00000000-0000-0000-0000-000000000001?at=pos%3A7&amp;before=5#history"`}},
	"/chat": {map[string]string{
		"/conversation/recent": `{"as_of":{"position":7,"time":9000},"exchanges":[{"id":"00000000-0000-0000-0000-000000000078","prompt":"</script><b>","blocks":[]}],"has_more":true}`,
	}, []string{"Conversation as of", `id="recent">{"as_of"`, `\u003c/script`, "What was said before"}},
	"/system/policy": {map[string]string{
		"/api/policy":         `{"as_of":{"position":7,"time":9000},"regime_id":"r1","policy":{"autonomy":"readonly","approval_minutes":5,"rules":[{"name":"never","verdict":"denied"}]}}`,
		"/api/policy/history": `{"as_of":{"position":7,"time":9000},"regimes":[{"regime_id":"r1","since":5,"position":3,"change":"policy","policy":{"autonomy":"readonly","approval_minutes":5,"rules":[{"name":"never","verdict":"denied"}]}},{"regime_id":"r0","until":5,"change":"default","policy":{"autonomy":"full"}}]}`,
	}, []string{"Policy as of", "Ceiling: readonly.", "Nobody may use any tool.", "until then", "What had been in force before", "The ceiling is readonly; it was full."}},
	"/system/approvals": {map[string]string{
		"/api/approvals":         `{"as_of":{"position":7,"time":9000},"approvals":[{"proposal_token":"","summary":"cancel it","actor":"reasoning","trace_id":"00000000-0000-0000-0000-000000000074","expires_at":1}]}`,
		"/api/approvals/decided": `{"as_of":{"position":7,"time":9000},"approvals":[{"summary":"one","decision":"granted","decided_by":"operator","came_to":"under_way"}],"next":44}`,
	}, []string{"Approvals as of", "One waited for you", "cancel it", "It is under way.", `href="/system/approvals?at=pos%3A7&amp;before=44#decided"`}},
}

// acting is what would change something when it is pressed.
var acting = regexp.MustCompile(`data-(call|does|confirm)|<textarea|method="?post|act\.js|does\.js|chat\.js|pairing\.js|system_\w+\.js|type="submit"`)

// Every page that can be shown as it was says so, leads back, and has nothing that acts.
func TestPagesOfThePast(t *testing.T) {
	for path, page := range asItWas {
		answers := map[string]string{"/health": `{"resources":{"log_tail":{"position":40}}}`, "/api/log": `{"records":[{"position":1,"recorded_at":500000}],"next":2}`}
		maps.Copy(answers, page.answers)
		api := &fakeAPI{account: true, session: true, answers: answers}
		body := api.shows(t, path+"?at=pos:7", append(page.says, "You are looking at the past: what Chalie knew after record 7 of its log", `href="`+path+`" data-now`,
			`max="40" step="1" value="7"`, `<time datetime="1970-01-01T00:00:09Z">`, `data-at="pos:7"`)...)
		head, _, _ := strings.Cut(body, "<body")
		_, main, _ := strings.Cut(body, "<main")
		if found := acting.FindString(head + main); found != "" {
			t.Errorf("%s has %s:\n%s", path, found, main)
		}
		for _, asked := range api.asked {
			if _, then := page.answers[asked.URL.Path]; then && asked.URL.Query().Get("at") != "pos:7" {
				t.Errorf("%s asks for %s", path, asked.URL)
			}
		}
		// A span back is asked for once: what follows is about the same moment.
		api.asked = nil
		api.shows(t, path+"?at=-2h", `data-at="9000"`)
		spans := 0
		for _, asked := range api.asked {
			if asked.URL.Query().Get("at") == "-2h" {
				spans++
			}
		}
		if spans != 1 {
			t.Errorf("%s asks %d times for two hours ago", path, spans)
		}
		if part := api.shows(t, path+"?at=pos:7&part=view", `<div id="title">`, `data-position="7"`); strings.Contains(part, "<html") || strings.Contains(part, "timeline") {
			t.Errorf("the part of %s is\n%s", path, part)
		}
	}
}

// A moment that there isn't is told over what is now, and what takes long is left to
// the page's module.
func TestPagesOfNoOrAFarPast(t *testing.T) {
	now := map[string]string{
		"/auth/setup": `{"command":"chalie {}"}`, "/api/apps": `[]`, "/api/streams": `{"streams":[]}`, "/api/tokens": `{"tokens":[]}`, "/api/apps/00000000-0000-0000-0000-000000000001": `{"id":"00000000-0000-0000-0000-000000000001","name":"stocks"}`, "/api/tools": `{}`, "/api/log": `{"records":[{"position":1,"recorded_at":5}]}`,
		"/conversation/recent": `{"exchanges":[]}`, "/chat/vision-capable": `{}`, "/api/policy": `{}`, "/api/policy/history": `{}`, "/api/approvals": `{}`, "/api/approvals/decided": `{}`,
		"/health": `{"resources":{"log_tail":{"position":40}}}`,
	}
	api := &fakeAPI{account: true, session: true, answers: now}
	slow := false
	site := newSiteOver(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch _, hurried := r.Context().Deadline(); {
		case !r.URL.Query().Has("at"):
			api.ServeHTTP(w, r)
		case slow && hurried:
			<-r.Context().Done()
			w.WriteHeader(http.StatusServiceUnavailable)
		default:
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error":"the log ends at position 40"}`))
		}
	}))
	for path := range asItWas {
		slow = false
		w := get(t, site, path+"?at=pos:99")
		if body := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(body, `role="alert">the log ends at position 40</p>`) || !strings.Contains(body, `popovertarget="look-back"`) || strings.Contains(body, "looking at the past") {
			t.Errorf("%s: %d\n%s", path, w.Code, body)
		}
		slow = true
		if body := get(t, site, path+"?at=pos:7").Body.String(); !strings.Contains(body, `data-wants="pos:7"`) || !strings.Contains(body, `href="`+path+`?at=pos%3a7&amp;wait=yes"`) || !strings.Contains(body, "data-of=") {
			t.Errorf("%s in the far past is\n%s", path, body)
		}
	}
}
