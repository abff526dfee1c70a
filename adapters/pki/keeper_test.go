package pki_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/adapters/pki"
	"chalie/domain"
	"chalie/domain/domaintest"
)

const day = 24 * time.Hour

// machine is one whose names change.
type machine struct{ names []string }

func (m *machine) ask() []string { return slices.Clone(m.names) }

func open(t *testing.T, dir string, clock domain.Clock, m *machine, asked ...string) *pki.Authority {
	t.Helper()
	a, err := pki.OpenAuthority(pki.Config{Dir: dir, Clock: clock, Names: m.ask, Asked: asked})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// shakes is a handshake by a client that trusts a root, at a time; it returns the
// certificate that it was shown.
func shakes(t *testing.T, get func(*tls.ClientHelloInfo) (*tls.Certificate, error), root []byte, host string, now time.Time) (*x509.Certificate, error) {
	t.Helper()
	trusted, err := x509.ParseCertificate(root)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(trusted)
	at := func() time.Time { return now }
	here, there := net.Pipe()
	defer here.Close()
	served := make(chan error, 1)
	go func() {
		defer there.Close()
		served <- tls.Server(there, &tls.Config{GetCertificate: get, MinVersion: tls.VersionTLS12}).HandshakeContext(t.Context())
	}()
	client := tls.Client(here, &tls.Config{RootCAs: pool, ServerName: host, Time: at, MinVersion: tls.VersionTLS12})
	if err := client.HandshakeContext(t.Context()); err != nil {
		return nil, err
	}
	if err := <-served; err != nil {
		t.Fatal(err)
	}
	return client.ConnectionState().PeerCertificates[0], nil
}

func TestAuthority(t *testing.T) {
	dir, clock := t.TempDir(), domaintest.NewClock()
	m := &machine{names: []string{"ada", "ada.local", "192.168.1.5", "2001:db8::1", "127.0.0.1", "fe80::1"}}
	a := open(t, dir, clock, m)
	info, err := os.Stat(filepath.Join(dir, pki.FileName))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info, err)
	}
	var first *x509.Certificate
	for _, host := range []string{"localhost", "127.0.0.1", "::1", "ada.local", "192.168.1.5"} {
		if first, err = shakes(t, a.Certificate, a.Root(), host, clock.Now()); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
	// What it may not vouch for isn't in it: a whole certificate would be refused for that.
	for _, host := range []string{"ada", "2001:db8::1", "bank.example", "192.168.1.6"} {
		if _, err := shakes(t, a.Certificate, a.Root(), host, clock.Now()); err == nil {
			t.Errorf("%s is vouched for", host)
		}
	}
	if life := first.NotAfter.Sub(first.NotBefore); life > 397*day {
		t.Errorf("it lasts %s, and phones take 397 days", life)
	}
	if !slices.Equal(first.ExtKeyUsage, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}) || first.IsCA {
		t.Errorf("it is for %v, an authority: %v", first.ExtKeyUsage, first.IsCA)
	}

	again := open(t, dir, clock, m)
	if !bytes.Equal(again.Root(), a.Root()) || again.Fingerprint() != a.Fingerprint() || again.Name() != a.Name() {
		t.Error("another authority after a restart")
	}
	if _, err := shakes(t, again.Certificate, a.Root(), "ada.local", clock.Now()); err != nil {
		t.Errorf("after a restart: %v", err)
	}
	if len(a.Fingerprint()) != 32*3-1 || !strings.HasPrefix(a.Name(), "Chalie ada ") {
		t.Errorf("it is called %s, %s", a.Name(), a.Fingerprint())
	}
}

func TestRenewal(t *testing.T) {
	dir, clock := t.TempDir(), domaintest.NewClock()
	m := &machine{names: []string{"ada.local", "192.168.1.5"}}
	a := open(t, dir, clock, m)
	serial := func(host string) *big.Int {
		t.Helper()
		c, err := shakes(t, a.Certificate, a.Root(), host, clock.Now())
		if err != nil {
			t.Fatal(err)
		}
		return c.SerialNumber
	}
	first := serial("ada.local")
	clock.Advance(59 * day)
	if serial("ada.local").Cmp(first) != 0 {
		t.Error("another certificate after 59 days")
	}
	clock.Advance(2 * day)
	second := serial("ada.local")
	if second.Cmp(first) == 0 {
		t.Error("no new certificate before the end")
	}
	m.names = append(m.names, "10.0.0.7")
	clock.Advance(time.Minute)
	third := serial("10.0.0.7")
	if third.Cmp(second) == 0 {
		t.Error("no new certificate for a new address")
	}
	// Over all the authority's years, and when they are over.
	clock.Advance(3500 * day)
	if serial("ada.local").Cmp(third) == 0 {
		t.Error("no new certificate after years")
	}
	before := a.Root()
	clock.Advance(130 * day)
	if a = open(t, dir, clock, m); bytes.Equal(a.Root(), before) {
		t.Error("the authority was kept beyond its years")
	}
	serial("ada.local")
}

// TestStolenKey signs for a bank with the key that is on the disk: a client that trusts
// the root refuses that, also one that looks for constraints at no root.
func TestStolenKey(t *testing.T) {
	dir, clock := t.TempDir(), domaintest.NewClock()
	open(t, dir, clock, &machine{names: []string{"ada.local"}})
	text, err := os.ReadFile(filepath.Join(dir, pki.FileName))
	if err != nil {
		t.Fatal(err)
	}
	var certs []*x509.Certificate
	var stolen *ecdsa.PrivateKey
	for block, rest := pem.Decode(text); block != nil; block, rest = pem.Decode(rest) {
		if block.Type == "CERTIFICATE" {
			c, err := x509.ParseCertificate(block.Bytes)
			if err != nil {
				t.Fatal(err)
			}
			certs = append(certs, c)
			continue
		}
		key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		stolen = key.(*ecdsa.PrivateKey)
	}
	if len(certs) != 2 || stolen == nil || stolen.PublicKey.Equal(certs[0].PublicKey) {
		t.Fatalf("on the disk are %d certificates and the key %v, which may be the root's", len(certs), stolen)
	}
	own, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	verify := func(parent *x509.Certificate, names []string, addresses ...net.IP) error {
		t.Helper()
		c := &x509.Certificate{SerialNumber: big.NewInt(7), NotBefore: clock.Now().Add(-day), NotAfter: clock.Now().Add(day),
			DNSNames: names, IPAddresses: addresses, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}}
		der, err := x509.CreateCertificate(rand.Reader, c, parent, own.Public(), stolen)
		if err != nil {
			t.Fatal(err)
		}
		forged, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		lenient := *certs[0]
		lenient.PermittedDNSDomains, lenient.PermittedIPRanges, lenient.PermittedDNSDomainsCritical = nil, nil, false
		roots, between := x509.NewCertPool(), x509.NewCertPool()
		roots.AddCert(&lenient)
		between.AddCert(certs[1])
		_, err = forged.Verify(x509.VerifyOptions{Roots: roots, Intermediates: between, CurrentTime: clock.Now()})
		return err
	}
	if err := verify(certs[1], []string{"printer.local"}); err != nil {
		t.Errorf("a name that it may vouch for: %v", err)
	}
	if err := verify(certs[1], []string{"bank.example"}); err == nil {
		t.Error("it vouches for a bank")
	}
	if err := verify(certs[1], nil, net.IPv4(93, 184, 216, 34)); err == nil {
		t.Error("it vouches for an address of the internet")
	}
}

func TestAskedNames(t *testing.T) {
	m := &machine{names: []string{"c0ffee"}}
	clock := domaintest.NewClock()
	a := open(t, t.TempDir(), clock, m, "192.168.1.9", "Kitchen.home.arpa")
	for _, host := range []string{"192.168.1.9", "kitchen.home.arpa"} {
		if _, err := shakes(t, a.Certificate, a.Root(), host, clock.Now()); err != nil {
			t.Errorf("%s: %v", host, err)
		}
	}
	for _, bad := range []string{"chalie.example", "8.8.8.8", "2001:db8::1", "bad name.local", "-.local", "kitchen"} {
		_, err := pki.OpenAuthority(pki.Config{Dir: t.TempDir(), Clock: clock, Names: m.ask, Asked: []string{bad}})
		if domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), "--tls-cert") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestDamagedAuthority(t *testing.T) {
	dir, clock, m := t.TempDir(), domaintest.NewClock(), &machine{}
	open(t, dir, clock, m)
	path := filepath.Join(dir, pki.FileName)
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	open(t, other, clock, m)
	foreign, err := os.ReadFile(filepath.Join(other, pki.FileName))
	if err != nil {
		t.Fatal(err)
	}
	keyAt := bytes.Index(sound, []byte("-----BEGIN PRIVATE"))
	foreignKeyAt := bytes.Index(foreign, []byte("-----BEGIN PRIVATE"))
	for name, text := range map[string][]byte{
		"empty": {}, "cut off": sound[:keyAt], "no certificates": sound[keyAt:], "another's key": slices.Concat(sound[:keyAt], foreign[foreignKeyAt:]), "noise": []byte("\x00\x01"),
	} {
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := pki.OpenAuthority(pki.Config{Dir: dir, Clock: clock, Names: m.ask})
		if domain.CategoryOf(err) != domain.Dependency || !strings.Contains(err.Error(), "is damaged") {
			t.Errorf("%s: %v", name, err)
		}
		if kept, _ := os.ReadFile(path); !bytes.Equal(kept, text) {
			t.Errorf("%s: the file was replaced", name)
		}
	}
}

// pair writes a certificate that signed itself, and its key, and returns the certificate.
func pair(t *testing.T, dir string, serial int64, change func(*x509.Certificate)) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := domaintest.NewClock().Now()
	c := &x509.Certificate{SerialNumber: big.NewInt(serial), NotBefore: now.Add(-day), NotAfter: now.Add(90 * day), DNSNames: []string{"chalie.example"}, IsCA: true, BasicConstraintsValid: true}
	if change != nil {
		change(c)
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "cert.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	write(t, filepath.Join(dir, "key.pem"), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private}))
	return der
}

func write(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestFiles(t *testing.T) {
	dir, clock := t.TempDir(), domaintest.NewClock()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	var log bytes.Buffer
	root := pair(t, dir, 1, nil)
	files, err := pki.OpenFiles(cert, key, clock, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	serves := func(root []byte, want int64) {
		t.Helper()
		c, err := shakes(t, files.Certificate, root, "chalie.example", clock.Now())
		if err != nil || c.SerialNumber.Int64() != want {
			t.Fatalf("it serves %v: %v", c, err)
		}
	}
	serves(root, 1)
	// In the middle of a change, the one before serves on, and that is told once.
	write(t, cert, []byte("half of it"))
	serves(root, 1)
	serves(root, 1)
	if n := strings.Count(log.String(), "can't be used"); n != 1 {
		t.Errorf("it was told %d times:\n%s", n, log.String())
	}
	fresh := pair(t, dir, 2, func(c *x509.Certificate) { c.DNSNames = append(c.DNSNames, "further.example") })
	serves(fresh, 2)
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	serves(fresh, 2)
}

func TestWrongFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	pair(t, dir, 1, nil)
	for _, name := range []string{"cert.pem", "key.pem"} {
		if err := os.Rename(at(name), at("good-"+name)); err != nil {
			t.Fatal(err)
		}
	}
	write(t, at("text"), []byte("no PEM"))
	write(t, at("locked"), pem.EncodeToMemory(&pem.Block{Type: "ENCRYPTED PRIVATE KEY", Bytes: []byte("x")}))
	for _, c := range []struct {
		name, cert, key, flag, says string
		change                      func(*x509.Certificate)
	}{
		{"no certificate", "nowhere", "good-key.pem", "tls-cert", "can't be read", nil},
		{"no key", "good-cert.pem", "nowhere", "tls-key", "can't be read", nil},
		{"text", "text", "good-key.pem", "tls-cert", "no certificate in PEM", nil},
		{"a key as the certificate", "good-key.pem", "good-key.pem", "tls-cert", "no certificate in PEM", nil},
		{"a certificate as the key", "good-cert.pem", "good-cert.pem", "tls-key", "no private key in PEM", nil},
		{"locked", "good-cert.pem", "locked", "tls-key", "passphrase", nil},
		{"another's key", "good-cert.pem", "key.pem", "tls-key", "isn't the key", func(*x509.Certificate) {}},
		{"over", "cert.pem", "key.pem", "tls-cert", "renew it", func(c *x509.Certificate) { c.NotAfter = c.NotBefore.Add(time.Hour) }},
		{"ahead", "cert.pem", "key.pem", "tls-cert", "clock", func(c *x509.Certificate) { c.NotBefore = c.NotAfter.Add(-time.Hour) }},
		{"no host", "cert.pem", "key.pem", "tls-cert", "names no host", func(c *x509.Certificate) { c.DNSNames = nil }},
	} {
		if c.change != nil {
			pair(t, dir, 2, c.change)
		}
		_, err := pki.OpenFiles(at(c.cert), at(c.key), domaintest.NewClock(), nil)
		if domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), "--"+c.flag) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
