package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/security"
	"github.com/chromedp/chromedp"
	"github.com/gobwas/ws"
	"github.com/gobwas/ws/wsutil"

	"chalie/adapters/pki"
	"chalie/adapters/sysclock"
)

// secured is a program's address under TLS.
func secured(v *victim) string { return strings.Replace(v.address, "http://", "https://", 1) }

// trusts is a client that has installed an authority's certificate, as a phone gets it.
func trusts(t *testing.T, v *victim) (*http.Client, *tls.Config) {
	t.Helper()
	resp, err := http.Get(v.address + "/phone/chalie.crt")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	der, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	root, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(root)
	config := &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
	t.Cleanup(client.CloseIdleConnections)
	return client, config
}

// TestTLS goes through a session, a page and a socket under TLS, and through a kill: the
// authority that was installed once is trusted afterwards.
func TestTLS(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data, "--tls")
	v.ready() // without TLS: what this machine sends to itself goes on as ever
	client, config := trusts(t, v)
	_, key, _ := strings.Cut(v.setup, "?key=")
	resp, err := client.Post(secured(v)+"/auth/register", "application/json", strings.NewReader(`{"username":"ada","password":"a long sentence nobody guesses","key":true,"setup_key":"`+key+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.Body.Close() != nil || resp.StatusCode != http.StatusCreated {
		t.Fatalf("%d %s %v", resp.StatusCode, body, err)
	}
	cookies := resp.Cookies()
	for _, c := range cookies {
		if !c.Secure || !c.HttpOnly {
			t.Errorf("the cookie %s isn't for TLS alone", c)
		}
	}
	if resp.Header.Get("Strict-Transport-Security") != "" {
		t.Error("an address of this machine is pinned to TLS")
	}
	session := cookies[0].Name + "=" + cookies[0].Value
	asks := func(path string) (int, string) {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, secured(v)+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Cookie", session)
		req.Header.Set("Sec-Fetch-Mode", "navigate")
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(body)
	}
	if status, body := asks("/chat"); status != http.StatusOK || !strings.Contains(body, "opening.js") {
		t.Errorf("the page is %d %s", status, body)
	}

	dial := func(origin string) error {
		dialer := ws.Dialer{TLSConfig: config, Timeout: patience, Header: ws.HandshakeHeaderHTTP(http.Header{"Cookie": {session}, "Origin": {origin}})}
		conn, _, _, err := dialer.Dial(t.Context(), "wss"+strings.TrimPrefix(v.address, "http")+"/ws")
		if err != nil {
			return err
		}
		defer conn.Close()
		if err := wsutil.WriteClientText(conn, []byte(`{"type":"chat","text":"hello"}`)); err != nil {
			return err
		}
		for {
			frame, err := wsutil.ReadServerText(conn)
			if err != nil || strings.Contains(string(frame), "Hello") {
				return err
			}
		}
	}
	if err := dial(secured(v)); err != nil {
		t.Errorf("a socket of its own pages: %v", err)
	}
	var refused ws.StatusError
	if err := dial(v.address); !errors.As(err, &refused) || int(refused) != http.StatusForbidden {
		t.Errorf("a socket of a page without TLS: %v", err)
	}
	if got := v.chalie("conversation"); !strings.Contains(got, "hello") {
		t.Errorf("the command line shows %s", got)
	}

	// A stranger's certificate is no reason to go on, for whoever trusts nobody.
	if resp, err := http.Get(secured(v) + "/health"); err == nil {
		resp.Body.Close()
		t.Error("a client that trusts no authority of ours was served")
	}
	v.end()
	again := startVictim(t, data, "--tls", "--addr", strings.TrimPrefix(v.address, "http://"))
	again.ready()
	if status, body := asks("/health"); status != http.StatusOK {
		t.Errorf("after a kill: %d %s", status, body)
	}
	again.stop()
}

// TestTLSFiles serves a certificate of the person's, and says what is wrong with others.
func TestTLSFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	own, err := pki.OpenAuthority(pki.Config{Dir: dir, Clock: sysclock.Clock{}, Names: func() []string { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	made, err := own.Certificate(nil)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(made.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	var chain []byte
	for _, der := range made.Certificate {
		chain = append(chain, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...)
	}
	for path, text := range map[string][]byte{cert: chain, key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), "--tls-cert", cert, "--tls-key", key)
	v.ready()
	root, err := x509.ParseCertificate(own.Root())
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(root)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}}
	defer client.CloseIdleConnections()
	resp, err := client.Get(secured(v) + "/ready")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if _, err := os.Stat(filepath.Join(v.data, pki.FileName)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("beside the person's certificate there is an authority: %v", err)
	}
	v.stop()

	for _, c := range []struct {
		flags []string
		code  int
		says  string
	}{
		{[]string{"--tls-cert", cert}, exitUsage, "--tls-cert is given without --tls-key"},
		{[]string{"--tls-key", key}, exitUsage, "--tls-key is given without --tls-cert"},
		{[]string{"--tls-name", "ada.local"}, exitUsage, "--tls-name is given without --tls"},
		{[]string{"--tls-cert", key, "--tls-key", key}, exitUsage, "holds no certificate in PEM"},
		{[]string{"--tls", "--tls-name", "chalie.example"}, exitUsage, "--tls-cert and --tls-key"},
	} {
		data := filepath.Join(t.TempDir(), "data")
		out, err := exec.CommandContext(t.Context(), "chalie", append([]string{"serve", "--addr", "127.0.0.1:0", "--data", data}, c.flags...)...).CombinedOutput()
		if exit, ok := errors.AsType[*exec.ExitError](err); !ok || exit.ExitCode() != c.code || !strings.Contains(string(out), c.says) {
			t.Errorf("%v: %v\n%s", c.flags, err, out)
		}
	}
}

// TestTLSInABrowser reads the steps for a phone, and then talks under TLS.
func TestTLSInABrowser(t *testing.T) {
	r := newReader(t)
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), "--tls", "--addr", "0.0.0.0:0")
	v.ready()
	r.does(chromedp.Navigate(v.address + "/phone"))
	r.sees("h1", "Chalie on a phone")
	r.sees(".code", "")
	r.checks("phone-here")
	// This browser has installed nothing; that certificates are right is tried by clients
	// that have.
	if _, err := chromedp.Call(r.ctx, security.SetIgnoreCertificateErrors, security.SetIgnoreCertificateErrorsParams{Ignore: true}); err != nil {
		t.Fatal(err)
	}
	at := secured(v)
	r.does(chromedp.Navigate(strings.Replace(v.setup, "http://", "https://", 1)), chromedp.SendKeys(chromedp.CSS("#username"), "ada"), chromedp.SendKeys(chromedp.CSS("#password"), "longenough1"))
	r.presses("main button")
	r.sees("h1", "Welcome, ada")
	r.does(chromedp.Navigate(at + "/chat"))
	r.sees("#line", "Connected")
	r.says("hello")
	r.sees(".answer", "Hello.")
	if got := r.inPage(`() => String(isSecureContext && Boolean(navigator.mediaDevices))`); got != "true" {
		t.Errorf("a page under TLS may use a microphone: %s", got)
	}
	r.checks("chat-tls")
	r.complaints()
	v.stop()
}
