package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/projections"
)

// gatedFeed is a log of which no more than one batch can be read until it is opened.
type gatedFeed struct {
	projections.Feed
	open chan struct{}

	mu    sync.Mutex
	given bool
}

func (f *gatedFeed) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	f.mu.Lock()
	first := !f.given
	f.given = true
	f.mu.Unlock()
	if !first {
		select {
		case <-f.open:
			return f.Feed.Select(ctx, s, from, limit)
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return f.Feed.Select(ctx, s, from, min(limit, 3))
}

// gates is what rebuilds read: the log, or a gatedFeed over it.
type gates struct {
	projections.Feed
	mu    sync.Mutex
	gated *gatedFeed // nil while none is held
}

func (g *gates) over(log projections.Feed) projections.Feed {
	g.Feed = log
	return g
}

func (g *gates) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	g.mu.Lock()
	gated := g.gated
	g.mu.Unlock()
	if gated != nil {
		return gated.Select(ctx, s, from, limit)
	}
	return g.Feed.Select(ctx, s, from, limit)
}

// gate holds rebuilds after their first three records, until release is called.
func (s *story) gate() (release func()) {
	s.gates.mu.Lock()
	defer s.gates.mu.Unlock()
	gated := &gatedFeed{Feed: s.gates.Feed, open: make(chan struct{})}
	s.gates.gated = gated
	return func() {
		close(gated.open)
		s.gates.mu.Lock()
		defer s.gates.mu.Unlock()
		s.gates.gated = nil
	}
}

// enters opens a page of the program as its person, whose account is made by it.
func (r *reader) enters(s *story) {
	r.t.Helper()
	r.opensSetup(s.app.SetupLink())
}

// opens goes to a page of a program that may have come back at another address. To a
// browser that is somebody else, who isn't told the session's key; the walk has it told.
func (r *reader) opens(s *story, path string) {
	r.t.Helper()
	if at := "http://" + s.app.Addr(); at != r.from {
		r.from = at
		r.does(chromedp.Navigate(at+"/login"), chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`localStorage.setItem("chalie-key", %q)`, r.key)))
	}
	r.does(chromedp.Navigate(r.from + path))
}

// nowadays begins a program whose clock is the machine's, as a browser's is.
func nowadays(t *testing.T, data string) *story {
	t.Helper()
	return beginWith(t, data, domaintest.NewClock(), func(c *Config) { c.Clock = nil })
}

// TestProjectionPages rebuilds with progress, cancels, and looks at what differs once
// a store was changed behind Chalie's back; goes on from the folded one, and back.
func TestProjectionPages(t *testing.T) {
	r := newReader(t)
	data := t.TempDir()
	s := nowadays(t, data)
	for _, content := range []string{"rain", "sun", "snow"} {
		s.hear(content, 0.5)
	}
	s.stop()
	doctor(t, data, `"energy":500000`, `"energy":900000`)
	s = nowadays(t, data)
	r.enters(s)

	r.opens(s, "/system")
	r.sees("#state", "All is well.")
	r.sees(".glance", "builtin")
	r.presses("#parts summary")
	r.sees("#parts", "Projection world")
	r.checks("system")

	release := s.gate()
	r.presses(`.rooms a[href="/system/projections"]`)
	r.sees("#fold-world", "is up to date")
	r.presses("#ask-world-rebuild summary")
	r.sees("#ask-world-rebuild", "put in its place")
	r.presses("#ask-world-rebuild button")
	r.sees("#fold-world .work", "Folding the log again")
	r.sees("#fold-world .work", "3 of ")
	r.checks("system-rebuild")
	r.presses("#fold-world .work button")
	r.sees("#fold-world .outcome", "was cancelled")
	r.sees(".heard", "was cancelled")
	release()

	r.presses("#check-world")
	r.sees("#fold-world .outcome", "1 is different")
	r.sees("#fold-world .diff", "900000")
	r.sees("#fold-world .outcome", "nothing was changed")
	r.checks("system-difference")

	r.presses("#ask-world-rebuild summary")
	r.presses("#ask-world-rebuild button")
	r.sees("#fold-world .outcome", "version 8.1 serves now")
	r.presses("#check-world")
	r.sees("#fold-world .outcome", "all the same")
	r.presses("#ask-world-back summary")
	r.sees("#ask-world-back", "Version 8, which served before")
	r.presses("#ask-world-back button")
	r.sees("#fold-world .outcome", "version 8 serves again")

	r.presses("#check-all")
	for _, k := range s.app.folds.all {
		if r.sees("#fold-"+k.Name+" .outcome", "The check"); !r.has("#fold-" + k.Name + " > p:not(.facts)") {
			t.Errorf("nobody says what %s is for", k.Name)
		}
	}
	r.keeps("system-checked")
	r.sees("[data-key=all]", "All were last checked against the log")

	r.presses(`.rooms a[href="/system/verify"]`)
	r.presses("#verify")
	r.sees("#result", "The log is sound.")
	r.checks("system-verify")

	const damaged = `{"position":2,"tail":4,"rate":2}\n{"ok":false,"records":3,"problems":[{"position":2,"through":1700,"error":"<img src=x>"},{"position":0,"error":"an index"}],"more":4}\n`
	r.does(chromedp.Evaluate[chromedp.Void](`window.fetch = async () => new Response('` + damaged + `'); undefined`))
	r.presses("#verify")
	r.sees("#result", "6 things are not as they were written; 3 records are.")
	r.sees("#result td", "2 to 1,700")
	r.sees("#result tbody", "<img src=x>")
	r.sees("#result ol", "chalie repair. It saves")
	r.checks("system-damage")
	s.stop()
}

// has reports whether there is an element.
func (r *reader) has(selector string) bool {
	r.t.Helper()
	text, err := json.Marshal(selector)
	if err != nil {
		r.t.Fatal(err)
	}
	found, err := chromedp.Run(r.ctx, chromedp.Evaluate[bool](`document.querySelector(`+string(text)+`) !== null`))
	if err != nil {
		r.t.Fatal(err)
	}
	return found
}

// writes puts a text in a field, in place of what it has.
func (r *reader) writes(selector, text string) {
	r.t.Helper()
	args, err := json.Marshal([]string{selector, text})
	if err != nil {
		r.t.Fatal(err)
	}
	r.does(chromedp.Evaluate[chromedp.Void](`(([selector, text]) => {
		const field = document.querySelector(selector);
		field.value = text;
		field.dispatchEvent(new Event("input", { bubbles: true }));
	})(` + string(args) + `)`))
}

// TestPolicyAndApprovalPages changes the policy, with a mistake at first, answers what
// it then asks about, and goes back to the policy before.
func TestPolicyAndApprovalPages(t *testing.T) {
	r := newReader(t)
	s := nowadays(t, t.TempDir())
	r.enters(s)
	r.opens(s, "/system/policy")
	r.sees(".rules", "In the conversation, you may use any tool")
	r.sees(".regimes", "what Chalie comes with")

	const rules = `{"autonomy": "supervised", "max_depth": 4, "approval_minutes": 15,` + "\n" + ` "rules": [` + "\n"
	r.writes("#text", rules+`  {"name": "ask_first", "verdict": "perhaps"}]}`)
	r.presses("#edit [type=submit]")
	r.sees("#considered", "Line 3, column 3")
	r.sees("#text[aria-invalid]", "")
	if r.has("#put:not([hidden])") {
		t.Error("a policy with a mistake can be put in force")
	}
	r.checks("system-policy-mistake")

	r.writes("#text", rules+`  {"name": "ask_first", "verdict": "approval_required"}]}`)
	r.writes(`#edit [name="approval_minutes"]`, "30")
	r.presses("#edit [type=submit]")
	r.sees("#considered", "A question waits 30 minutes for you; it was 15 minutes.")
	r.sees("#considered", "The rule ask_first is new, as number 1: Anybody may use any tool once you approved it, each time.")
	r.checks("system-policy")
	// In another window somebody is quicker.
	other := domain.DefaultPolicy()
	other.MaxDepth = 7
	if _, err := s.app.outside.policies.Change(t.Context(), commands.OperatorCaller("api"), other, ""); err != nil {
		t.Fatal(err)
	}
	r.presses("#put")
	r.sees("#considered", "The policy was changed meanwhile")
	r.sees("#considered", "it was 7.")
	r.checks("system-policy-meanwhile")
	r.pressesAndWaits("#put")
	r.sees(".rules", "once you approved it")
	r.sees(".regimes .badge", "in force")

	for _, what := range []string{"buy bread", "sell the house"} {
		if status, text := s.post("/api/tools/remember/invoke", `{"params":{"what":"`+what+`"}}`); status != http.StatusAccepted {
			t.Fatalf("%d %s", status, text)
		}
	}
	asked := s.app.log.Tail()
	r.presses(`.rooms a[href="/system/approvals"]`)
	r.sees("#list", "2 wait for you")
	r.sees(`.rail a[href="/system"] [data-waiting]:not([hidden])`, "2")
	r.sees("#list .pairs", "sell the house")
	r.checks("system-approvals")
	r.presses(`[data-key]:has(.pairs) [data-tells="Approved"]`)
	r.sees(".regimes", "It was done.")
	r.sees("#list", "One waits for you")
	r.sees(`.rail a[href="/system"] [data-waiting]:not([hidden])`, "1")
	r.presses(`[data-tells^="Refused"]`)
	r.sees(".regimes", "Nothing was done.")
	r.sees(".empty-box", "Nothing waits for you")
	r.shows(".rail [data-waiting]:not([hidden])", 0)
	r.checks("system-approvals-decided")

	// As it was: before anything was decided, and before there was anything to decide.
	r.opens(s, fmt.Sprintf("/system/approvals?at=pos:%d", asked))
	r.sees("#view", "2 waited for you")
	r.sees("#view", "Nothing had been decided yet.")
	r.shows("#view button", 0)
	r.checks("system-approvals-past")
	r.does(chromedp.SendKeys(chromedp.CSS("#pos"), kb.Home))
	r.sees("#past", "after record 1 of")
	r.sees("#view", "Nothing waited for you.")
	r.presses(`.rooms a[href="/system/policy"]`)
	r.sees("h1", "Policy")
	r.presses(".head [popovertarget]")
	r.keeps("system-policy-look-back")
	r.writes("#time", "2001-01-01T00:00")
	r.presses("#look-back form button")
	r.sees("#wrong", "is before the first record")
	r.opens(s, "/system/policy?at=pos:1")
	r.sees("h1", "Policy as of")
	r.sees(".rules", "In the conversation, you may use any tool")
	r.lacks("#view", "ask_first")
	r.shows("#view [data-does]", 0)
	r.presses("[data-now]")
	r.sees("#edit", "The whole policy")

	r.sees(".regimes", "At the beginning until")
	r.presses("#ask-regime-0 summary")
	r.sees("#ask-regime-0", "Put these rules in force")
	r.pressesAndWaits("#ask-regime-0 button")
	r.sees(".regimes", "The rule ask_first is gone")
	r.sees(".badge", "the same rules as now")
	r.keeps("system-policy-back")
	if _, now := s.app.outside.policies.InForce(); !strings.Contains(now.Rules[0].Name, "asked_in_words") {
		t.Errorf("in force is %+v", now)
	}
	s.stop()
}
