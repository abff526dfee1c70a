package web_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// Sentences of the API have the times of the zone that the browser is in.
func TestZone(t *testing.T) {
	for _, c := range []struct{ name, cookie, zone string }{
		{"a zone", "Europe%2FMalta", "Europe/Malta"},
		{"none yet", "", ""},
		{"one that isn't", "Europe%2FAtlantis", ""},
		{"that of the server", "Local", ""},
		{"a file", "..%2F..%2Fetc%2Fpasswd", ""},
		{"no escape", "%zz", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := &fakeAPI{account: true, session: true, answers: map[string]string{"/api/why-not/last": `{}`}}
			r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/why-not/last?try=false", nil)
			if c.cookie != "" {
				r.Header.Set("Cookie", "chalie_zone="+c.cookie)
			}
			newSite(t, api).ServeHTTP(httptest.NewRecorder(), r)
			if zone := api.asked[0].URL.Query().Get("zone"); zone != c.zone {
				t.Errorf("the API was asked for %q, not %q", zone, c.zone)
			}
		})
	}
}
