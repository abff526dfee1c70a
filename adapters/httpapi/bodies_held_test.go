package httpapi_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chalie/adapters/httpapi"
)

// Bodies that come but for their last bytes hold room, and what a login takes is there
// all the same; when they end it is given back.
func TestBodiesWithoutAnEnd(t *testing.T) {
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) { cfg.BodyBytes = 16 << 10 }})
	session := b.settled()
	var ends []func()
	for range 4 {
		body, feed := io.Pipe()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/auth/login", body)
		done := make(chan struct{})
		go func() {
			defer close(done)
			b.api.Handler().ServeHTTP(httptest.NewRecorder(), r)
		}()
		// What was read is counted by the time that more is asked for.
		for _, text := range []string{strings.Repeat(" ", 4<<10+500), " "} {
			if _, err := feed.Write([]byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		ends = append(ends, func() { _ = feed.Close(); <-done })
	}
	b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`).wants(200)
	b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`+strings.Repeat(" ", 5000)).wants(503, "busy", "16 KiB", "try again")
	b.call("POST", "/api/signals", strings.Replace(rain, "{", "{"+strings.Repeat(" ", 8<<10), 1), cookie(session)).wants(202)
	for _, end := range ends {
		end()
	}
	b.call("POST", "/auth/login", `{"username":"ada","password":"`+password+`"}`+strings.Repeat(" ", 5000)).wants(200)
}
