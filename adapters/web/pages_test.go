package web_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chalie/domain"
)

const hostile = `</script><img src=x onerror=alert(1)><script>alert(2)</script>`

func recent(t *testing.T, text string) map[string]string {
	t.Helper()
	said, err := json.Marshal(map[string]any{"exchanges": []any{map[string]any{"id": "1", "prompt": text, "blocks": []any{map[string]any{"type": "text", "content": text}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return map[string]string{"/conversation/recent": string(said), "/chat/vision-capable": `{"available":true}`}
}

// The conversation stands in the page as data that ends nothing and runs nothing.
func TestChatHoldsTheConversation(t *testing.T) {
	w := get(t, newSite(t, &fakeAPI{account: true, session: true, answers: recent(t, hostile)}), "/chat")
	data := regexp.MustCompile(`(?s)<script type="application/json" id="recent">(.*?)</script>`).FindStringSubmatch(w.Body.String())
	if data == nil {
		t.Fatalf("no data in\n%s", w.Body)
	}
	var got struct {
		Exchanges []struct{ Prompt string } `json:"exchanges"`
	}
	if err := json.Unmarshal([]byte(data[1]), &got); err != nil || len(got.Exchanges) != 1 || got.Exchanges[0].Prompt != hostile {
		t.Errorf("%v: %s", err, data[1])
	}
	if most := fmt.Sprintf(`data-most="%d"`, domain.MaxTextBytes); !strings.Contains(w.Body.String(), most) {
		t.Errorf("there is no %s: nobody is told before it is sent that a message is too long", most)
	}
}

// Moments are told one way, in 24 hours: no module writes them but dom.js.
func TestMomentsAreWrittenInOnePlace(t *testing.T) {
	modules, err := filepath.Glob("assets/*.js")
	if err != nil || len(modules) == 0 {
		t.Fatal(modules, err)
	}
	for _, module := range modules {
		text, err := os.ReadFile(module)
		if err != nil {
			t.Fatal(err)
		}
		times := regexp.MustCompile(`toLocaleTimeString.*|Date\(.*toLocaleString.*`).FindAllString(string(text), -1)
		for _, call := range times {
			if filepath.Base(module) != "dom.js" || !strings.Contains(call, `hourCycle: "h23"`) {
				t.Errorf("%s writes a time by itself: %s", module, call)
			}
		}
	}
}

// No page has an inline script or style, an event handler, or anything of another
// site, whatever it shows; and its policy would stop them.
func TestPagesAreHarmless(t *testing.T) {
	answers := worldOf(t, hostile)
	maps.Copy(answers, recent(t, hostile))
	site := newSite(t, &fakeAPI{account: true, session: true, answers: answers})
	bad := regexp.MustCompile(`(?i)<script(?: type="module" src="/assets/[a-z]+\.js"| type="application/json" id="recent")?>|<style|\sstyle=|\son[a-z]+=|javascript:|(?:src|href|action)="(?:[a-z]+:|//)`)
	for _, path := range []string{"/chat", "/now", "/now?part=view", "/now?at=pos:3", "/what-if?without=01KB2V7WYQC3V8P0J6R4T5N9XE", "/login"} {
		w := get(t, site, path)
		text := regexp.MustCompile(`(?s)(<script type="application/json" id="recent">).*?(</script>)`).ReplaceAllString(w.Body.String(), "")
		text = strings.ReplaceAll(text, "&lt;img src=x onerror=alert(1)&gt;", "") // told as text
		for _, found := range bad.FindAllString(text, -1) {
			if !strings.HasPrefix(found, `<script type="module" src="/assets/`) {
				t.Errorf("%s has %q", path, found)
			}
		}
		policy := w.Header().Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'") || strings.Contains(policy, "unsafe") || w.Header().Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", path, w.Header())
		}
	}
}

func TestCard(t *testing.T) {
	api := &fakeAPI{account: true, session: true, answers: map[string]string{
		"/api/cards/81": `{"html":"<p>Table for two</p>","css":"p { color: red }"}`,
	}}
	site := newSite(t, api)
	w := byLink(t, site, "/cards/81") // 5 × 16 + 1
	policy := w.Header().Get("Content-Security-Policy")
	if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "<p>Table for two</p>") || !strings.Contains(w.Body.String(), "p { color: red }") {
		t.Errorf("%d: %s", w.Code, w.Body)
	}
	for _, want := range []string{"sandbox;", "default-src 'none'", "frame-ancestors 'self'"} {
		if !strings.Contains(policy, want) || strings.Contains(policy, "allow-") {
			t.Errorf("the policy is %q", policy)
		}
	}
	for _, path := range []string{"/cards/97", "/cards/x", "/cards/-1"} {
		if w := get(t, site, path); w.Code != http.StatusNotFound || strings.Contains(w.Body.String(), "Table") {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}
