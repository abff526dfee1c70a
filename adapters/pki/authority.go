package pki

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math/big"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/renameio/v2"

	"chalie/domain"
)

// FileName is that of the authority in the data directory.
const FileName = "TLS-AUTHORITY"

// MediaType is that of a certificate which phones offer to install.
const MediaType = "application/x-x509-ca-cert"

const (
	authorityLife = 10 * 365 * 24 * time.Hour
	serverLife    = 90 * 24 * time.Hour
	renewBefore   = 30 * 24 * time.Hour // of a server's certificate, and of the authority
	skew          = 24 * time.Hour      // a phone's clock may be this far behind
	namesFor      = 10 * time.Second    // for which the machine's names are remembered
)

// permittedNames and permittedNetworks are what the authority may vouch for, beside the
// machine's own full name: nothing that the internet's name servers or routers lead to.
var (
	permittedNames    = []string{"localhost", "local", "home.arpa", "internal"}
	permittedNetworks = []string{"127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "fc00::/7"}
)

// Config is what an authority needs. Dir, Clock and Names are required.
type Config struct {
	Dir    string          // the data directory
	Clock  domain.Clock    //
	Names  func() []string // the machine's names and addresses, as they are now; some may be none
	Asked  []string        // names and addresses that have to be vouched for
	Logger *slog.Logger    // nil: nothing is logged
}

// Authority issues this machine's certificates. It is safe for concurrent use.
type Authority struct {
	cfg     Config
	root    *x509.Certificate
	issuing *x509.Certificate
	key     crypto.Signer // of the issuing certificate

	mu      sync.Mutex
	current *tls.Certificate
	names   []string // that current is for
	looked  time.Time
}

// OpenAuthority reads the authority of a data directory that is there, and makes one when
// there is none, or when its ten years are nearly over. Errors: validation, of a name in
// Asked that it can't vouch for; dependency, when the file can't be used.
func OpenAuthority(cfg Config) (*Authority, error) {
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	path := filepath.Join(cfg.Dir, FileName)
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return makeAuthority(cfg, path)
	}
	if err != nil {
		return nil, unusable(path, "can't be read", "check its permissions", err)
	}
	a := &Authority{cfg: cfg}
	if err := a.read(text); err != nil {
		return nil, unusable(path, "is damaged", "bring it back from a backup; or move it away, and install a new authority on your phones", err)
	}
	if now := cfg.Clock.Now(); now.After(a.issuing.NotAfter.Add(-renewBefore)) {
		cfg.Logger.Warn("the authority's ten years are over, and a new one was made: install its certificate on your phones", "until", a.issuing.NotAfter)
		return makeAuthority(cfg, path)
	}
	return a, a.issueNow()
}

func makeAuthority(cfg Config, path string) (*Authority, error) {
	a := &Authority{cfg: cfg}
	text, err := a.create()
	if err == nil {
		err = renameio.WriteFile(path, text, 0o600)
	}
	if err != nil {
		return nil, unusable(path, "can't be made", "check the permissions of its folder", err)
	}
	return a, a.issueNow()
}

// create makes the root, which signs the issuing certificate and is forgotten, and
// returns what is kept.
func (a *Authority) create() ([]byte, error) {
	rootKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := newSerial()
	if err != nil {
		return nil, err
	}
	// Two authorities of one machine can be told apart where phones list them.
	name := fmt.Sprintf("Chalie %s %x", a.machine(), serial.Bytes()[:2])
	root, err := a.ca(name, 1, serial)
	if err != nil {
		return nil, err
	}
	if a.root, err = sign(root, root, rootKey.Public(), rootKey); err != nil {
		return nil, err
	}
	if serial, err = newSerial(); err != nil {
		return nil, err
	}
	issuing, err := a.ca(name+" issuing", 0, serial)
	if err != nil {
		return nil, err
	}
	if a.issuing, err = sign(issuing, a.root, key.Public(), rootKey); err != nil {
		return nil, err
	}
	a.key = key
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, b := range []pem.Block{{Type: "CERTIFICATE", Bytes: a.root.Raw}, {Type: "CERTIFICATE", Bytes: a.issuing.Raw}, {Type: "PRIVATE KEY", Bytes: der}} {
		if err := pem.Encode(&out, &b); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// machine is the machine's shortest name, for people.
func (a *Authority) machine() string {
	for _, name := range a.cfg.Names() {
		if _, err := netip.ParseAddr(name); err != nil {
			first, _, _ := strings.Cut(name, ".")
			return first
		}
	}
	return "server"
}

// ca is the template of a certificate that may sign others, so many levels below it.
func (a *Authority) ca(name string, levels int, serial *big.Int) (*x509.Certificate, error) {
	now := a.cfg.Clock.Now()
	c := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name, Organization: []string{"Chalie"}},
		NotBefore: now.Add(-skew), NotAfter: now.Add(authorityLife),
		IsCA: true, BasicConstraintsValid: true, MaxPathLen: levels, MaxPathLenZero: levels == 0,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageCRLSign, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		PermittedDNSDomainsCritical: true, PermittedDNSDomains: slices.Clone(permittedNames),
	}
	for _, name := range a.cfg.Names() {
		// A name of one label would let in all names below what may be a domain of the
		// internet.
		if _, err := netip.ParseAddr(name); err != nil && strings.Contains(name, ".") && !permittedName(c, name) {
			c.PermittedDNSDomains = append(c.PermittedDNSDomains, strings.ToLower(name))
		}
	}
	for _, text := range permittedNetworks {
		_, network, err := net.ParseCIDR(text)
		if err != nil {
			return nil, err
		}
		c.PermittedIPRanges = append(c.PermittedIPRanges, network)
	}
	return c, nil
}

// read takes what create returned.
func (a *Authority) read(text []byte) error {
	var certs []*x509.Certificate
	for {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			break
		}
		switch block.Type {
		case "CERTIFICATE":
			c, err := x509.ParseCertificate(block.Bytes)
			if err != nil {
				return err
			}
			certs = append(certs, c)
		case "PRIVATE KEY":
			key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
			if err != nil {
				return err
			}
			a.key, _ = key.(crypto.Signer)
		}
	}
	if len(certs) != 2 || a.key == nil {
		return errors.New("it doesn't hold two certificates and a key")
	}
	a.root, a.issuing = certs[0], certs[1]
	if err := a.issuing.CheckSignatureFrom(a.root); err != nil {
		return err
	}
	if public, ok := a.issuing.PublicKey.(*ecdsa.PublicKey); !ok || !public.Equal(a.key.Public()) {
		return errors.New("its key isn't that of its certificate")
	}
	return nil
}

// Root is the certificate to install, in DER.
func (a *Authority) Root() []byte { return slices.Clone(a.root.Raw) }

// Name is what phones call the root.
func (a *Authority) Name() string { return a.root.Subject.CommonName }

// Fingerprint is the root's SHA-256, as phones show it.
func (a *Authority) Fingerprint() string { return FingerprintOf(a.root.Raw) }

// FingerprintOf is the SHA-256 of a certificate in DER: 32 pairs of hex digits.
func FingerprintOf(der []byte) string {
	sum := sha256.Sum256(der)
	return strings.ReplaceAll(fmt.Sprintf("% X", sum[:]), " ", ":")
}

// Certificate is what tls.Config.GetCertificate wants.
func (a *Authority) Certificate(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	err := a.renew()
	if err != nil && a.current != nil && a.cfg.Clock.Now().Before(a.current.Leaf.NotAfter) {
		return a.current, nil // it was logged, and what there is holds yet
	}
	return a.current, err
}

// issueNow makes the first certificate of a run.
func (a *Authority) issueNow() error {
	for _, name := range a.cfg.Asked {
		if !a.Vouches(name) {
			return domain.Invalid("open authority", "tls-name", fmt.Sprintf("an authority of Chalie's own vouches for names that end in .local, .home.arpa or .internal, for private addresses and for this machine's full name, and %q is none of them: give a certificate for it with --tls-cert and --tls-key", name))
		}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.renew()
}

// renew makes a new certificate when it is time; the caller holds the mutex.
func (a *Authority) renew() error {
	now := a.cfg.Clock.Now()
	due := a.current == nil || now.After(a.current.Leaf.NotAfter.Add(-renewBefore)) || now.Before(a.current.Leaf.NotBefore)
	if !due && now.Sub(a.looked).Abs() < namesFor {
		return nil
	}
	a.looked = now
	names := a.vouched()
	if !due && slices.Equal(names, a.names) {
		return nil
	}
	made, err := a.issue(now, names)
	if err != nil {
		a.cfg.Logger.Error("a certificate for this machine can't be made", "err", err)
		return err
	}
	a.current, a.names = made, names
	a.cfg.Logger.Info("a certificate for this machine was made", "names", strings.Join(names, " "), "until", made.Leaf.NotAfter.UTC())
	return nil
}

// vouched are the names and addresses of a certificate, in order.
func (a *Authority) vouched() (out []string) {
	for _, name := range slices.Concat([]string{"localhost", "127.0.0.1", "::1"}, a.cfg.Names(), a.cfg.Asked) {
		if addr, err := netip.ParseAddr(name); err == nil {
			name = addr.Unmap().String()
		}
		if name = strings.ToLower(name); a.Vouches(name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Vouches reports whether the issuing certificate permits a name or an address.
func (a *Authority) Vouches(name string) bool {
	addr, err := netip.ParseAddr(name)
	if err != nil {
		return permittedName(a.issuing, name)
	}
	return slices.ContainsFunc(a.issuing.PermittedIPRanges, func(n *net.IPNet) bool { return n.Contains(addr.Unmap().AsSlice()) })
}

// permittedName reports whether a certificate may be followed by one for a name.
func permittedName(c *x509.Certificate, name string) bool {
	if !validName(name) {
		return false
	}
	name = strings.ToLower(name)
	return slices.ContainsFunc(c.PermittedDNSDomains, func(domain string) bool {
		return name == domain || strings.HasSuffix(name, "."+domain)
	})
}

// validName reports whether a name is one of letters, digits and hyphens, in labels.
func validName(name string) bool {
	const longest = 253
	if name == "" || len(name) > longest {
		return false
	}
	for label := range strings.SplitSeq(strings.ToLower(name), ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
	}
	return true
}

// issue makes a certificate for names and addresses, with a key that is in memory alone.
func (a *Authority) issue(now time.Time, names []string) (*tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	serial, err := newSerial()
	if err != nil {
		return nil, err
	}
	c := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Chalie", Organization: []string{"Chalie"}},
		NotBefore: now.Add(-skew), NotAfter: now.Add(serverLife), BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	if c.NotAfter.After(a.issuing.NotAfter) {
		c.NotAfter = a.issuing.NotAfter
	}
	if !c.NotAfter.After(now) {
		return nil, fmt.Errorf("the authority ended on %s: restart Chalie, which makes a new one", a.issuing.NotAfter.Format(time.DateOnly))
	}
	for _, name := range names {
		if addr, err := netip.ParseAddr(name); err == nil {
			c.IPAddresses = append(c.IPAddresses, addr.AsSlice())
		} else {
			c.DNSNames = append(c.DNSNames, name)
		}
	}
	leaf, err := sign(c, a.issuing, key.Public(), a.key)
	if err != nil {
		return nil, err
	}
	return &tls.Certificate{Certificate: [][]byte{leaf.Raw, a.issuing.Raw}, PrivateKey: key, Leaf: leaf}, nil
}

func sign(c, parent *x509.Certificate, public crypto.PublicKey, by crypto.Signer) (*x509.Certificate, error) {
	der, err := x509.CreateCertificate(rand.Reader, c, parent, public, by)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

// newSerial is a random number of 127 bits and not less than 2^126, so that it has as many
// bytes as it should.
func newSerial() (*big.Int, error) {
	const bits = 126
	n, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), bits))
	if err != nil {
		return nil, err
	}
	return n.SetBit(n, bits, 1), nil
}

func unusable(path, what, todo string, err error) error {
	return &domain.Error{Op: "open authority", Category: domain.Dependency, Code: "tls_unusable", Err: err,
		Message: fmt.Sprintf("%s %s: %s", path, what, todo)}
}
