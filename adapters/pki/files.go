package pki

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"time"

	"chalie/domain"
)

// Files is a certificate with its key in files of the person's. It is safe for concurrent
// use.
type Files struct {
	cert, key string
	clock     domain.Clock
	log       *slog.Logger

	mu      sync.Mutex
	current *tls.Certificate
	seen    [2]stamp // of what was read last, whether it could be used or not
}

// stamp changes with a file's content.
type stamp struct {
	at   time.Time
	size int64
}

// OpenFiles reads a certificate, with those that lead from it to its authority behind it,
// and its key, both in PEM. The error is a validation error that says what is wrong with
// which file.
func OpenFiles(cert, key string, clock domain.Clock, log *slog.Logger) (*Files, error) {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	f := &Files{cert: cert, key: key, clock: clock, log: log}
	f.seen = f.stamps()
	var err error
	if f.current, err = f.read(); err != nil {
		return nil, err
	}
	return f, nil
}

// Certificate is what tls.Config.GetCertificate wants.
func (f *Files) Certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	now := f.stamps()
	if now == f.seen {
		return f.current, nil
	}
	f.seen = now
	fresh, err := f.read()
	if err != nil {
		f.log.Warn("the certificate's files have changed and can't be used; the one before serves on", "err", err)
		return f.current, nil
	}
	f.current = fresh
	f.log.Info("the certificate was read again", "until", fresh.Leaf.NotAfter.UTC())
	return f.current, nil
}

// stamps are those of the certificate and the key; zero of what isn't there.
func (f *Files) stamps() (out [2]stamp) {
	for i, name := range []string{f.cert, f.key} {
		if info, err := os.Stat(name); err == nil {
			out[i] = stamp{info.ModTime(), info.Size()}
		}
	}
	return out
}

func (f *Files) read() (*tls.Certificate, error) {
	cert, err := os.ReadFile(f.cert)
	if err != nil {
		return nil, wrong("tls-cert", f.cert, "can't be read: check its path and its permissions", err)
	}
	key, err := os.ReadFile(f.key)
	if err != nil {
		return nil, wrong("tls-key", f.key, "can't be read: check its path and its permissions", err)
	}
	if _, err := firstCertificate(cert); err != nil {
		return nil, wrong("tls-cert", f.cert, "holds no certificate in PEM, which begins with -----BEGIN CERTIFICATE-----: name the file of the certificate", err)
	}
	switch kind := keyKind(key); {
	case kind == "":
		return nil, wrong("tls-key", f.key, "holds no private key in PEM: name the file of the key", nil)
	case strings.Contains(kind, "ENCRYPTED") || strings.Contains(string(key), "Proc-Type: 4,ENCRYPTED"):
		return nil, wrong("tls-key", f.key, "is locked with a passphrase, which Chalie can't ask for: write it without one, as openssl pkey does, into a file of mode 0600", nil)
	}
	pair, err := tls.X509KeyPair(cert, key)
	if err != nil {
		return nil, wrong("tls-key", f.key, "isn't the key of the first certificate in "+f.cert+": name the two that belong together, with the server's own certificate first", err)
	}
	switch now := f.clock.Now(); {
	case now.After(pair.Leaf.NotAfter):
		return nil, wrong("tls-cert", f.cert, "ended on "+pair.Leaf.NotAfter.UTC().Format(time.DateOnly)+": renew it", nil)
	case now.Before(pair.Leaf.NotBefore):
		return nil, wrong("tls-cert", f.cert, "begins on "+pair.Leaf.NotBefore.UTC().Format(time.DateOnly)+": look at the machine's clock, or take another", nil)
	case len(pair.Leaf.DNSNames)+len(pair.Leaf.IPAddresses) == 0:
		return nil, wrong("tls-cert", f.cert, "names no host (subject alternative name), so no browser takes it: have it made with one", nil)
	}
	return &pair, nil
}

func firstCertificate(text []byte) (*x509.Certificate, error) {
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			return nil, errors.New("there is no certificate")
		}
		if block.Type == "CERTIFICATE" {
			return x509.ParseCertificate(block.Bytes)
		}
	}
}

// keyKind is the type of the first private key; "" when there is none.
func keyKind(text []byte) string {
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			return ""
		}
		if strings.HasSuffix(block.Type, "PRIVATE KEY") {
			return block.Type
		}
	}
}

func wrong(flag, path, what string, err error) error {
	return &domain.Error{Op: "read certificate", Category: domain.Validation, Code: "invalid", Field: flag, Err: err,
		Message: fmt.Sprintf("--%s: %s %s", flag, path, what)}
}
