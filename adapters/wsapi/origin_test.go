package wsapi

import (
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"testing"
)

// TestOriginsUnderTLS: a page that came without TLS may be anybody's on the way.
func TestOriginsUnderTLS(t *testing.T) {
	for origin, want := range map[string]bool{"https://192.168.1.5:8081": true, "http://192.168.1.5:8081": false, "https://192.168.1.6:8081": false, "": true} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "https://192.168.1.5:8081/ws", http.NoBody)
		r.TLS = &tls.ConnectionState{}
		if origin != "" {
			r.Header.Set("Origin", origin)
		}
		if err := checkOrigin(r); (err == nil) != want {
			t.Errorf("%q: %v", origin, err)
		}
	}
}
