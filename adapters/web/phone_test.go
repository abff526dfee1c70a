package web_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chalie/adapters/web"
)

// encrypted is a site that serves TLS, and its handlers with and without.
func encrypted(t *testing.T, told *web.Encryption) *web.Site {
	t.Helper()
	site, err := web.New(web.Config{API: &fakeAPI{account: true, answers: map[string]string{"/auth/setup": `{"state":"done","command":"chalie {}"}`}}, TLS: told})
	if err != nil {
		t.Fatal(err)
	}
	return site
}

func authority(reached ...string) *web.Encryption {
	return &web.Encryption{Root: []byte("DER"), Media: "application/x-x509-ca-cert", Name: "Chalie ada 1234", Fingerprint: "AB:CD", Reached: func() []string { return reached }}
}

func visits(t *testing.T, h http.Handler, method, target string, headers ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, target, http.NoBody)
	for _, line := range headers {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func TestPhone(t *testing.T) {
	const here, there = "http://127.0.0.1:8081/phone", "http://192.168.1.5:8081/phone"
	for _, c := range []struct {
		name, target string
		told         *web.Encryption
		has, lacks   []string
	}{
		{"without TLS", here, nil, []string{"chalie serve --tls --addr 0.0.0.0:8081"}, []string{"Settings", "<svg"}},
		{"on loopback alone", here, authority(), []string{"chalie serve --tls --addr 0.0.0.0:8081"}, []string{"<svg", "Settings"}},
		{"on the machine", here, authority("192.168.1.5:8081", "ada.local:8081"), []string{`<svg class="code" role="img" aria-label=&#39;A QR code that leads to http://192.168.1.5:8081/phone&#39;`, "http://ada.local:8081/phone", "Chalie ada 1234", "AB:CD", "The phone has to show the same", `href="https://192.168.1.5:8081/chat"`}, []string{"Get the certificate"}},
		// The addresses of the machine are told to nobody else.
		{"on the phone", there, authority("10.9.8.7:8081"), []string{"Get the certificate", "Profile Downloaded", "Trusted credentials", "on Chalie&#39;s own machine", `href="https://192.168.1.5:8081/chat"`}, []string{"<svg", "10.9.8.7", "The phone has to show the same"}},
		{"with a certificate of the person's", here, &web.Encryption{Reached: func() []string { return []string{"chalie.example:443"} }}, []string{"<svg", `href="https://chalie.example:443/chat"`}, []string{"Profile", "chalie.crt"}},
	} {
		w := visits(t, encrypted(t, c.told).Handler(), http.MethodGet, c.target)
		if w.Code != http.StatusOK {
			t.Errorf("%s: %d", c.name, w.Code)
		}
		body := strings.ReplaceAll(w.Body.String(), "'", "&#39;")
		for _, want := range c.has {
			if !strings.Contains(body, want) {
				t.Errorf("%s: there is no %q in\n%s", c.name, want, body)
			}
		}
		for _, not := range c.lacks {
			if strings.Contains(body, not) {
				t.Errorf("%s: there is %q", c.name, not)
			}
		}
	}
}

func TestPhoneOfAHostileHost(t *testing.T) {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/phone", http.NoBody)
	r.Host = `a"><script>x</script>`
	w := httptest.NewRecorder()
	encrypted(t, authority()).Handler().ServeHTTP(w, r)
	if strings.Contains(w.Body.String(), "<script>x") {
		t.Error("the host became HTML")
	}
}

func TestCertificateOfTheAuthority(t *testing.T) {
	for name, h := range map[string]http.Handler{"with TLS": encrypted(t, authority()).Handler(), "without": encrypted(t, authority()).Unencrypted()} {
		w := visits(t, h, http.MethodGet, "/phone/chalie.crt")
		if w.Body.String() != "DER" || w.Header().Get("Content-Type") != "application/x-x509-ca-cert" || w.Header().Get("Content-Disposition") != "" {
			t.Errorf("%s: %v, %q", name, w.Header(), w.Body)
		}
	}
	if w := visits(t, encrypted(t, nil).Handler(), http.MethodGet, "/phone/chalie.crt"); w.Code != http.StatusNotFound {
		t.Errorf("without an authority it is %d", w.Code)
	}
}

// TestUnencrypted: beside the steps nothing is served without TLS to another machine.
func TestUnencrypted(t *testing.T) {
	const browser = "Accept: text/html"
	for _, c := range []struct {
		name, method, path, header string
		status                     int
		to                         string
	}{
		{"the steps", http.MethodGet, "/phone", browser, http.StatusOK, ""},
		{"their sheet", http.MethodGet, "/assets/chalie.css", "", http.StatusOK, ""},
		{"the address as it is typed", http.MethodGet, "/", browser, http.StatusSeeOther, "/phone"},
		{"a link", http.MethodGet, "/chat?at=pos%3A3", browser, http.StatusTemporaryRedirect, "https://192.168.1.5:8081/chat?at=pos%3A3"},
		{"the login", http.MethodGet, "/login", browser, http.StatusTemporaryRedirect, "https://192.168.1.5:8081/login"},
		{"a password", http.MethodPost, "/login", browser, http.StatusForbidden, ""},
		{"a program", http.MethodGet, "/api/account", "Authorization: Bearer x", http.StatusForbidden, ""},
		{"a program that writes", http.MethodPost, "/api/signals", "Content-Type: application/json", http.StatusForbidden, ""},
		{"a program that registers", http.MethodPost, "/register", "Content-Type: application/json", http.StatusForbidden, ""},
		{"a socket", http.MethodGet, "/ws", "Upgrade: websocket", http.StatusForbidden, ""},
		{"a health check", http.MethodGet, "/health", "", http.StatusForbidden, ""},
		{"more than the steps", http.MethodPost, "/phone", browser, http.StatusForbidden, ""},
	} {
		w := visits(t, encrypted(t, authority()).Unencrypted(), c.method, "http://192.168.1.5:8081"+c.path, c.header)
		if w.Code != c.status || w.Header().Get("Location") != c.to {
			t.Errorf("%s: %d to %q", c.name, w.Code, w.Header().Get("Location"))
		}
		if c.status == http.StatusForbidden && (!strings.Contains(w.Body.String(), `"code":"tls_needed"`) || w.Header().Get("Content-Type") != "application/json") {
			t.Errorf("%s: %s", c.name, w.Body)
		}
	}
}
