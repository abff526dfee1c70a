package teststore

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
)

// The users of a secure cluster, and their passwords. ops may everything, as $admins do;
// whoever shows the user certificate is ops.
var passwords = map[string]string{"admin": "changeit", "ops": "changeit", "guest": "changeit"}

// action is what somebody wants to do with a stream.
type action int

const (
	reading action = iota
	writing
	deleting
)

// access is the list of a stream's metadata of who may what. A role is a user's name,
// $admins or $all.
type access struct {
	Read   roles `json:"$r"`
	Write  roles `json:"$w"`
	Delete roles `json:"$d"`
}

// roles are one role or several.
type roles []string

// UnmarshalJSON implements json.Unmarshaler.
func (r *roles) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*r = roles{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(r))
}

func (a *access) of(do action) roles {
	switch {
	case a == nil:
		return nil
	case do == reading:
		return a.Read
	case do == writing:
		return a.Write
	}
	return a.Delete
}

// allowed refuses who may not.
func (s *Server) allowed(ctx context.Context, set func(metadata.MD), stream string, do action) error {
	if !s.cfg.Secure {
		return nil
	}
	user, err := userOf(ctx)
	if err != nil {
		return err
	}
	denied := refused(set, codes.PermissionDenied, "access-denied", "Access Denied")
	if user == "" {
		return denied
	}
	may := s.replica.state.access(strings.TrimPrefix(stream, "$$")).of(do)
	if user == "admin" || user == "ops" || len(may) == 0 || slices.Contains(may, user) || slices.Contains(may, "$all") {
		return nil
	}
	return denied
}

func (s *state) access(stream string) *access {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if st := s.streams[stream]; st != nil {
		return st.access
	}
	return nil
}

// userOf is who calls; "" for nobody.
func userOf(ctx context.Context) (string, error) {
	said, _ := metadata.FromIncomingContext(ctx)
	if basic := strings.Join(said.Get("authorization"), ""); basic != "" {
		plain, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(basic, "Basic "))
		name, password, _ := strings.Cut(string(plain), ":")
		if want, known := passwords[name]; err != nil || !known || want != password {
			return "", status.Error(codes.Unauthenticated, "Unauthenticated")
		}
		return name, nil
	}
	if from, ok := peer.FromContext(ctx); ok {
		if info, ok := from.AuthInfo.(credentials.TLSInfo); ok && len(info.State.VerifiedChains) > 0 {
			return info.State.VerifiedChains[0][0].Subject.CommonName, nil
		}
	}
	return "", nil
}

// Names of the files that makeKeys makes.
const (
	authorityFile = "ca.crt"
	nodeFile      = "node" // and user: .crt and .key
	userFile      = "user"
)

// makeKeys makes an authority of its own in a folder, a certificate for the nodes and one
// for the user ops.
func makeKeys(dir string) error {
	authority, key, err := certificate(nil, nil, &x509.Certificate{Subject: pkix.Name{CommonName: "teststore"}, IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign})
	if err != nil {
		return err
	}
	if err := writePEM(filepath.Join(dir, authorityFile), "CERTIFICATE", authority.Raw); err != nil {
		return err
	}
	for name, template := range map[string]*x509.Certificate{
		nodeFile: {Subject: pkix.Name{CommonName: "eventstoredb-node"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, DNSNames: []string{"localhost"},
			KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}},
		userFile: {Subject: pkix.Name{CommonName: "ops"}, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}},
	} {
		signed, own, err := certificate(authority, key, template)
		if err != nil {
			return err
		}
		secret, err := x509.MarshalPKCS8PrivateKey(own)
		if err != nil {
			return err
		}
		if err := errors.Join(writePEM(filepath.Join(dir, name+".crt"), "CERTIFICATE", signed.Raw), writePEM(filepath.Join(dir, name+".key"), "PRIVATE KEY", secret)); err != nil {
			return err
		}
	}
	return nil
}

// certificate makes one, signed by a parent or by itself.
func certificate(parent *x509.Certificate, signer *ecdsa.PrivateKey, template *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, nil, err
	}
	if template.SerialNumber, err = rand.Int(rand.Reader, big.NewInt(1<<62)); err != nil {
		return nil, nil, err
	}
	template.NotBefore, template.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
	if parent == nil {
		parent, signer = template, key
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		return nil, nil, err
	}
	made, err := x509.ParseCertificate(raw)
	return made, key, err
}

func writePEM(file, kind string, raw []byte) error {
	return os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: raw}), 0o600)
}

// keysOf reads a certificate and the authority that the nodes trust.
func keysOf(dir string) (tls.Certificate, *x509.CertPool, error) {
	authority, err := os.ReadFile(filepath.Join(dir, authorityFile))
	if err != nil {
		return tls.Certificate{}, nil, err
	}
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	own, err := tls.LoadX509KeyPair(filepath.Join(dir, nodeFile+".crt"), filepath.Join(dir, nodeFile+".key"))
	return own, pool, err
}

func serverKeys(dir string) (credentials.TransportCredentials, error) {
	own, pool, err := keysOf(dir)
	if err != nil {
		return nil, err
	}
	return credentials.NewTLS(&tls.Config{Certificates: []tls.Certificate{own}, ClientCAs: pool, ClientAuth: tls.VerifyClientCertIfGiven, MinVersion: tls.VersionTLS12}), nil
}

func clientKeys(dir string) (credentials.TransportCredentials, error) {
	_, pool, err := keysOf(dir)
	if err != nil {
		return nil, err
	}
	return credentials.NewTLS(&tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}), nil
}
