package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"chalie/domain"
)

func TestBridgeFromTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		on, to string
		want   Bridge
		fails  bool
	}{
		{"", "http://a", Bridge{}, false},
		{"false", "http://a", Bridge{}, false},
		{"true", "http://a", Bridge{"http://a", "k"}, false},
		{"1", "http://a", Bridge{"http://a", "k"}, false},
		{"true", "", Bridge{}, true},
		{"maybe", "http://a", Bridge{}, true},
	} {
		t.Setenv("AISTALK_ENABLED", c.on)
		t.Setenv("AISTALK_URL", c.to)
		t.Setenv("AISTALK_API_KEY", "k")
		if got, err := bridgeFromEnv(); got != c.want || (err != nil) != c.fails {
			t.Errorf("%q and %q give %v: %v", c.on, c.to, got, err)
		}
	}
}

func TestSpeakableParts(t *testing.T) {
	long := strings.Repeat("This is a sentence of Chalie's. ", 40) + strings.Repeat("x", 1200) + "\nЩе одне речення."
	parts := slices.Collect(speakable(long))
	for _, p := range parts {
		if n := utf8.RuneCountInString(p); n == 0 || n > domain.MaxSpokenRunes {
			t.Errorf("a part has %d characters", n)
		}
	}
	plain := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if plain(strings.Join(parts, "")) != plain(long) || !strings.HasSuffix(parts[0], "Chalie's.") {
		t.Errorf("the parts are %q", parts)
	}
	if got := slices.Collect(speakable("  ")); len(got) > 0 {
		t.Errorf("of nothing there are the parts %q", got)
	}
}

// TestBridgeIsTold runs the program with a small bridge on the other side: it gets events, the
// text of an answer, and the sound of one to what was said by voice.
func TestBridgeIsTold(t *testing.T) {
	hasEngines(t)
	got := make(chan string, 100)
	srv := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil && r.Header.Get("X-API-Key") == "secret" {
			got <- r.URL.Path + " " + string(body[:min(len(body), 300)])
		}
	}))
	t.Cleanup(srv.Close)
	t.Setenv("AISTALK_ENABLED", "true")
	t.Setenv("AISTALK_URL", srv.URL)
	t.Setenv("AISTALK_API_KEY", "secret")
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), "--aistalk")
	v.ready()
	v.wants(http.StatusAccepted, "POST", "socket:/api/messages", `{"text":"add milk to the shopping list","source":"voice"}`)
	var all []string
	for _, want := range []string{`/events {"v":1,"type":"chat.message"`, `/events {"v":1,"type":"tool.called"`, `/events {"v":1,"type":"chat.reply"`, `/text {"project_id":"default","session_id":"default","text":"`, "/audio RIFF"} {
		for {
			one := <-got
			all = append(all, one)
			if strings.HasPrefix(one, want) {
				break
			}
			if len(all) > 50 {
				t.Fatalf("there is no %s in %q", want, all)
			}
		}
	}
	if health := v.wants(http.StatusOK, "GET", "/health", ""); !strings.Contains(health, `"bridge":{"ready":true,"detail":"`) {
		t.Errorf("/health says %s", health)
	}
	v.stop()
}
