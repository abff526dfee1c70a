package main

import (
	"context"
	"io"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// anotherDevice logs in as a second browser would, and is its session's secret.
func anotherDevice(t *testing.T, v *victim, client string) string {
	t.Helper()
	status, cookies := sends(t, v, http.MethodPost, "/auth/login", "", client, `{"username":"ada","password":"longenough1"}`)
	for _, c := range cookies {
		if c.Name == "chalie_session" && status == http.StatusOK {
			return c.Value
		}
	}
	t.Fatalf("logging in answered %d", status)
	return ""
}

func sends(t *testing.T, v *victim, method, path, session, client, body string) (int, []*http.Cookie) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, v.address+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", client)
	if session != "" {
		r.AddCookie(&http.Cookie{Name: "chalie_session", Value: session})
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	_, _ = io.Copy(io.Discard, answer.Body)
	return answer.StatusCode, answer.Cookies()
}

// types clears a field and writes into it.
func (r *reader) types(selector, text string) {
	r.t.Helper()
	r.does(chromedp.Evaluate[chromedp.Void](`document.querySelector(`+strconv.Quote(selector)+`).value = ""; undefined`),
		chromedp.SendKeys(chromedp.CSS(selector), text))
}

// agrees to every question that a page asks.
func (r *reader) agrees() {
	r.t.Helper()
	r.does(chromedp.Evaluate[chromedp.Void](`window.confirm = (question) => { window.asked = question; return true; }; undefined`))
}

// TestDoor walks from the first start to a second device that is shut out.
func TestDoor(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()

	r.does(chromedp.Navigate(v.address))
	r.sees("h1", "Chalie waits for its account")
	r.checks("door-waits")
	r.does(chromedp.Navigate(v.address + "/setup?key=guess"))
	r.sees("h1", "This link is not current")
	r.does(chromedp.Navigate(v.setup))
	r.sees("#rule", "At least 8 characters")
	r.checks("door-setup")
	r.presses("[data-reveals]")
	r.sees(`form:has(#password[type="text"])`, "Show the password")
	r.types("#username", "ada")
	r.types("#password", "short")
	r.sees("#rule", "At least 3 more.")
	r.does(chromedp.SendKeys(chromedp.CSS("#password"), "\r")) // the browser says what is wrong
	r.sees("h1", "Set up Chalie")
	r.does(chromedp.SendKeys(chromedp.CSS("#password"), "er1"))
	r.sees("#rule", "Long enough")
	r.types("#password", "longenough1\r")
	r.sees("h1", "Welcome, ada")
	r.checks("door-welcome")
	r.does(chromedp.Navigate(v.setup))
	r.sees("h1", "Already set up")

	r.does(chromedp.Navigate(v.address + "/account"))
	r.presses(".rail form button")
	r.sees("[role=status]", "You are logged out on this device.")
	r.checks("door-login")
	r.does(chromedp.Navigate(v.address + "/account"))
	r.sees("h1", "Log in")
	r.types("#username", "ada")
	r.types("#password", "not this one\r")
	r.sees("[role=alert]", "Name or password is not right.")
	r.types("#password", "longenough1\r")
	r.sees("h1", "Account") // where they wanted to go
	r.sees(".entry", "this device")

	// Nothing that is pressed before its module has run does anything wrong.
	r.beforeModules(chromedp.Navigate(v.address+"/account"), chromedp.SendKeys(chromedp.CSS("#present"), "longenough1\r"))
	at, err := chromedp.Run(r.ctx, chromedp.Location())
	if err != nil || at != v.address+"/account" {
		t.Errorf("a form that was sent too early led to %s, %v", at, err)
	}
	r.does(chromedp.Reload())

	phone := anotherDevice(t, v, "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) Safari/604.1")
	tablet := anotherDevice(t, v, "Mozilla/5.0 (iPad) Safari/604.1")
	r.does(chromedp.Reload())
	r.sees(".entry", "Safari on iPhone")
	r.sees(".entry .facts", "from this machine")
	r.checks("door-account")
	r.agrees()
	r.pressesAndWaits(`.entry:nth-child(2) [data-call]`)
	r.sees("#sessions", "Safari on iPhone")
	if status, _ := sends(t, v, http.MethodGet, "/api/world", tablet, "", ""); status != http.StatusUnauthorized {
		t.Errorf("the device that was logged out gets %d", status)
	}
	r.agrees()
	r.pressesAndWaits(`[data-call="DELETE /api/sessions"]`)
	r.sees("#sessions", "this device")
	if status, _ := sends(t, v, http.MethodGet, "/api/world", phone, "", ""); status != http.StatusUnauthorized {
		t.Errorf("another device gets %d", status)
	}
	r.does(chromedp.Navigate(v.address + "/traces/nothing"))
	r.sees("h1", "That link can't be read")
	r.checks("door-trouble")
	r.changesPassword(v)
	r.isShutOut(v)
	r.complaints()
	v.stop()
}

// changesPassword changes it on the account page: the present one is asked for, and
// whoever else is logged in is out.
func (r *reader) changesPassword(v *victim) {
	r.t.Helper()
	tablet := anotherDevice(r.t, v, "Mozilla/5.0 (iPad) Safari/604.1")
	r.does(chromedp.Navigate(v.address + "/account"))
	r.sees("#sessions", "Safari on iPad")
	r.types("#present", "not this one")
	r.types("#password", "another one 2")
	r.sees("#rule", "Long enough")
	r.presses("#change button")
	r.sees("#present[aria-invalid] + .fault[role=alert]", "That is not the present password")
	r.presses("#change [data-reveals]")
	r.sees(`#change:has(#present[type="text"]):has(#password[type="text"])`, "")
	r.types("#present", "longenough1")
	r.types("#password", "another one 2\r")
	r.sees("#changed", "Your password is changed. One other device was logged out.")
	r.sees(`#change:has(#present[type="password"]):has(#password[type="password"])`, "At least 8 characters.")
	r.sees("#sessions", "this device")
	r.lacks("#sessions", "iPad")
	if status, _ := sends(r.t, v, http.MethodGet, "/api/world", tablet, "", ""); status != http.StatusUnauthorized {
		r.t.Errorf("who was logged in with the password before gets %d", status)
	}
	r.checks("door-password")
}

// isShutOut is in a conversation when it is logged out elsewhere: that shows at once.
func (r *reader) isShutOut(v *victim) {
	r.t.Helper()
	r.does(chromedp.Navigate(v.address + "/chat"))
	r.sees("#line.open, #standing", "Connected")
	r.forgives("/ws")
	v.chalie("sessions", "revoke", "--all")
	r.sees("h1", "Log in")
	r.types("#username", "ada")
	r.types("#password", "another one 2\r")
	r.sees("#composer", "")
}

// TestTokensInABrowser issues a token, sees it once, and shuts the program out.
func TestTokensInABrowser(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	r.setsUp(v)
	r.does(chromedp.Navigate(v.address + "/account"))
	r.sees(".empty-box", "No program has a token yet")
	r.types("#token-name", "operator")
	r.presses("#issue button")
	r.sees("#token-name[aria-invalid] + .fault[role=alert]", "is reserved")
	r.types("#token-name", "station")
	r.types("#token-signals", "rain, wind")
	r.presses("#issue button")
	r.sees("#issued", "The token of station")
	r.sees("#tokens", "may send rain, wind")
	r.checks("door-token")
	secret, err := chromedp.Run(r.ctx, chromedp.Evaluate[string](`document.querySelector("#secret").textContent`))
	if err != nil {
		t.Fatal(err)
	}
	signal := func() int { return signalsAs(t.Context(), v, secret) }
	if status := signal(); status != http.StatusAccepted {
		t.Errorf("the token's signal is answered %d", status)
	}
	r.presses("#stored")
	r.agrees()
	r.pressesAndWaits("#tokens [data-call]")
	r.sees(".empty-box", "No program has a token yet")
	if status := signal(); status != http.StatusUnauthorized {
		t.Errorf("the revoked token's signal is answered %d", status)
	}

	// A session of an earlier login is asked for the password, and what was typed goes on.
	r.does(chromedp.Evaluate[chromedp.Void](`{ const real = fetch; window.fetch = async (path, options) => {
  if (path !== "/api/tokens" || options.method !== "POST") return real(path, options);
  window.fetch = real;
  return new Response(JSON.stringify({ error: "this takes a login", code: "login_needed" }), { status: 401 });
} }; undefined`))
	r.types("#token-name", "lamp")
	r.presses("#issue button")
	r.sees("#fresh", "Your password, once more")
	r.checks("door-fresh")
	r.forgives("/auth/login was answered 401")
	r.types("#fresh-password", "wrong one\r")
	r.sees("#fresh [role=alert]", "not your password")
	r.types("#fresh-password", "longenough1\r")
	r.sees("#issued", "The token of lamp")
	r.presses("#stored")
	r.sees("#tokens", "lamp")

	// What fails is said beside what was pressed.
	r.forgives("/api/tokens/nobody was answered 404")
	r.does(chromedp.Evaluate[chromedp.Void](`document.querySelector("#tokens").innerHTML = '<button type="button" data-call="DELETE /api/tokens/nobody">Revoke</button>'; undefined`))
	r.presses("#tokens button")
	r.sees("#tokens button + .fault[role=alert]", `No active token is named "nobody"`)
	focus, err := chromedp.Run(r.ctx, chromedp.Evaluate[bool](`document.activeElement.matches("#tokens button")`))
	if err != nil || !focus {
		t.Errorf("the focus is elsewhere: %v", err)
	}
	r.complaints()
	v.stop()
}

// signalsAs sends a signal with a token, and is the status that answers it.
func signalsAs(ctx context.Context, v *victim, token string) int {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, v.address+"/api/signals", strings.NewReader(`{"signal_type":"rain","content":"It rains"}`))
	if err != nil {
		return 0
	}
	r.Header.Set("Authorization", "Bearer "+token)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0
	}
	answer.Body.Close()
	return answer.StatusCode
}
