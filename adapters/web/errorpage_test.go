package web_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// What the API refuses is told in a person's words, with the API's for who wants
// them.
func TestTrouble(t *testing.T) {
	for _, c := range []struct {
		status      int
		title, does string
	}{
		{http.StatusBadRequest, "That link can&#39;t be read", "check it"},
		{http.StatusForbidden, "That isn&#39;t allowed", "may not be done"},
		{http.StatusNotFound, "That isn&#39;t here", "removed or erased"},
		{http.StatusGone, "That is gone", "erased"},
		{http.StatusConflict, "That can&#39;t be done now", "It can&#39;t be had: try later."},
		{http.StatusRequestEntityTooLarge, "That is too much at once", "10 MiB"},
		{http.StatusTooManyRequests, "That was too often", "Wait a minute"},
		{http.StatusInternalServerError, "Something went wrong inside Chalie", "Try again"},
		{http.StatusBadGateway, "An interface doesn&#39;t answer", "try again"},
		{http.StatusServiceUnavailable, "Chalie can&#39;t answer now", "Try again in a moment"},
	} {
		api := &fakeAPI{account: true, session: true, refusals: map[string]int{"/api/traces/x": c.status, "/api/traces/x/steps": c.status}}
		w := get(t, newSite(t, api), "/traces/x")
		body := w.Body.String()
		for _, want := range []string{"<h1>" + c.title + "</h1>", c.does, `href="/traces"`} {
			if w.Code != c.status || !strings.Contains(body, want) {
				t.Errorf("%d: no %q in %d %s", c.status, want, w.Code, body)
			}
		}
	}
}

// Damage is not taken for a server that is busy, and what to type stands apart.
func TestTroubleOfDamage(t *testing.T) {
	api := &fakeAPI{account: true, session: true, refusals: map[string]int{"/api/log": http.StatusServiceUnavailable},
		refused: `{"error":"the record at position 4 is damaged; stop Chalie and run ` + "`./chalie repair --data '<d>'`" + `, or restore it from a backup","code":"corrupt_record"}`}
	w := get(t, newSite(t, api), "/system/log")
	wantsAll(t, w, "<h1>Something that is stored is damaged</h1>", "The record at position 4 is damaged.",
		"Stop Chalie and run <code>./chalie repair --data &#39;&lt;d&gt;&#39;</code>, or restore it from a backup.")
	if w.Code != http.StatusServiceUnavailable || strings.Contains(w.Body.String(), "busy") {
		t.Errorf("it answers %d with %s", w.Code, w.Body)
	}
}

// Another site's page can do nothing here, and is told so as a page.
func TestFormsOfOtherSites(t *testing.T) {
	for _, path := range []string{"/login", "/logout", "/setup"} {
		api := &fakeAPI{account: true}
		w := post(t, newSite(t, api), path, url.Values{}, "cross-site")
		if w.Code != http.StatusForbidden || len(api.asked) != 0 || !strings.Contains(w.Body.String(), "That came from another site") {
			t.Errorf("%s: %d, the API was asked %d times: %s", path, w.Code, len(api.asked), w.Body)
		}
	}
}
