package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// sighting is what one of testdata/clients saw.
type sighting struct {
	Frames []heard `json:"frames"`
	Pinged int     `json:"pinged"` // own pings that were answered
	Code   int     `json:"code"`   // of the closing handshake
}

type report struct {
	Chat      sighting `json:"chat"`
	Fragments sighting `json:"fragments"`
	Resumed   sighting `json:"resumed"`
	Large     int      `json:"large"`
	Binary    int      `json:"binary"`
	Stranger  int      `json:"stranger"` // status for one without a cookie
	Foreign   int      `json:"foreign"`  // status for another site's page
}

// check holds a client's report to what every client must see.
func (r report) check(t *testing.T, fragments bool) {
	t.Helper()
	chats := []sighting{r.Chat}
	if fragments {
		chats = append(chats, r.Fragments)
		if r.Fragments.Pinged != 1 {
			t.Errorf("a ping between two fragments was answered %d times", r.Fragments.Pinged)
		}
	}
	for _, s := range chats {
		var names []string
		for _, h := range s.Frames {
			names = append(names, h.name())
		}
		if !slices.Equal(names, answered) || s.Code != 1000 {
			t.Errorf("a chat saw %q and was closed with %d", names, s.Code)
		}
	}
	// It closes at the first done; what came after the chat may be there already.
	missed := slices.Concat(r.Chat.Frames[1:], r.Fragments.Frames)
	if n := len(r.Resumed.Frames); n < len(answered)-1 || n > len(missed) {
		t.Fatalf("resuming behind the first frame brought %d frames", n)
	}
	for i, h := range r.Resumed.Frames {
		if want := missed[i]; h.Seq != want.Seq || h.Type != want.Type {
			t.Errorf("resumed frame %d is %s %d, want %s %d", i, h.Type, h.Seq, want.Type, want.Seq)
		}
	}
	if r.Large != 1009 || r.Binary != 1003 {
		t.Errorf("too large a message was closed with %d, a binary one with %d", r.Large, r.Binary)
	}
}

// TestForeignClients talks to the program with other people's WebSocket stacks.
func TestForeignClients(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	cookie := register(t, v.setup)
	socket := "ws" + strings.TrimPrefix(v.address, "http") + "/ws"
	for _, c := range []struct {
		name, script, probe string
		argv                []string
	}{
		{"node", "node.js", "require('ws')", []string{"node", "-e"}},
		{"python", "python.py", "import websockets", []string{"/usr/bin/python3", "-c"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			env := append(os.Environ(), "NODE_PATH=/usr/share/nodejs")
			probe := exec.Command(c.argv[0], c.argv[1], c.probe)
			probe.Env = env
			if said, err := probe.CombinedOutput(); err != nil {
				without(t, c.name+" with a WebSocket package", string(said))
			}
			run := exec.CommandContext(t.Context(), c.argv[0], filepath.Join("testdata", "clients", c.script), socket, cookie)
			run.Env = env
			var said strings.Builder
			run.Stderr = &said
			out, err := run.Output()
			if err != nil {
				t.Fatalf("%v\n%s", err, said.String())
			}
			var r report
			if err := json.Unmarshal(out, &r); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			r.check(t, true)
			if r.Stranger != http.StatusUnauthorized || r.Foreign != http.StatusForbidden {
				t.Errorf("a stranger got %d and another site's page %d", r.Stranger, r.Foreign)
			}
		})
	}
	t.Run("browser", func(t *testing.T) { testBrowserChat(t, v.address, cookie) })
	v.stop()
}

// without skips a test that needs what this machine doesn't have. Where it must
// not be missing, CI=true says so.
func without(t *testing.T, what, said string) {
	t.Helper()
	if os.Getenv("CI") == "true" {
		t.Fatalf("there is no %s: %s", what, said)
	}
	t.Skipf("there is no %s on this machine", what)
}

// onPage opens a page and returns what a script in it resolves to.
func onPage(t *testing.T, ctx context.Context, url, script string) string { //nolint:revive // t goes first in tests
	t.Helper()
	if _, err := chromedp.Run(ctx, chromedp.Navigate(url)); err != nil {
		t.Fatal(err)
	}
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](script, chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func testBrowserChat(t *testing.T, address, cookie string) {
	ctx := browser(t, patience)
	script, err := os.ReadFile(filepath.Join("testdata", "clients", "browser.js"))
	if err != nil {
		t.Fatal(err)
	}
	name, value, _ := strings.Cut(cookie, "=")
	elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
	}))
	defer elsewhere.Close()
	_, err = chromedp.Run(ctx, func(ctx context.Context, tab *chromedp.Target) (chromedp.Void, error) {
		yes := true
		_, err := cdp.Call(ctx, tab, network.SetCookie, network.SetCookieParams{Name: name, Value: value, URL: address, HTTPOnly: &yes})
		return chromedp.Void{}, err
	})
	if err != nil {
		t.Fatal(err)
	}
	told := onPage(t, ctx, address+"/login", string(script))
	// Cookies don't know ports: this page sends the person's cookie, too.
	foreign := onPage(t, ctx, elsewhere.URL, `new Promise((resolve) => {
		const ws = new WebSocket("ws://`+strings.TrimPrefix(address, "http://")+`/ws");
		ws.onopen = () => resolve("open");
		ws.onerror = () => resolve("refused");
	})`)
	var r report
	if err := json.Unmarshal([]byte(told), &r); err != nil {
		t.Fatal(err)
	}
	r.check(t, false)
	if foreign != "refused" {
		t.Errorf("another site's page found the socket %s", foreign)
	}
}

// The client that docs/http.md shows does what it says, as it stands there.
func TestTheDocumentedClient(t *testing.T) {
	program, err := exec.LookPath("python3")
	if err != nil {
		without(t, "python3", err.Error())
	}
	page, err := os.ReadFile("../../docs/http.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```python\n")
	client, _, whole := strings.Cut(rest, "```\n")
	if !whole {
		t.Fatal("docs/http.md shows no client in Python")
	}
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	v.wants(http.StatusCreated, http.MethodPost, "socket:/auth/register", `{"username":"ada","password":"longenough1"}`)
	out, err := exec.CommandContext(t.Context(), program, "-c", client, v.address, "ada", "longenough1").CombinedOutput()
	if err != nil || !strings.HasPrefix(string(out), "pairing key: chalie_pair_") {
		t.Errorf("it says %s, %v", out, err)
	}
	v.stop()
}
