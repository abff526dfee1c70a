package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strconv"

	"github.com/spf13/pflag"

	"chalie/adapters/httpapi"
	"chalie/adapters/pki"
	"chalie/adapters/tcp"
	"chalie/adapters/web"
	"chalie/domain"
)

// tlsChosen is how TLS is served; the zero value is not at all.
type tlsChosen struct {
	On        bool     // by an authority of Chalie's own, unless there are files
	Cert, Key string   // files of the person's; "" for none
	Names     []string // further names and addresses of this machine
}

func (t *tlsChosen) add(flags *pflag.FlagSet) {
	flags.BoolVar(&t.On, "tls", false, "serve TLS to other machines, with a certificate of an authority of Chalie's own; /phone tells how a phone comes to trust it")
	flags.StringVar(&t.Cert, "tls-cert", "", "the file of your own certificate for TLS, in PEM, with those that lead to its authority behind it; read again when it changes")
	flags.StringVar(&t.Key, "tls-key", "", "the file of its key, in PEM")
	flags.StringSliceVar(&t.Names, "tls-name", nil, "with --tls: a further name or address by which this machine is reached, such as that of a container's host; may be given again")
}

// check returns a validation error of what doesn't go together.
func (t *tlsChosen) check() error {
	const op = "configure chalie"
	switch {
	case t.Cert != "" && t.Key == "":
		return domain.Invalid(op, "tls-key", "--tls-cert is given without --tls-key: name the file of its key, too")
	case t.Cert == "" && t.Key != "":
		return domain.Invalid(op, "tls-cert", "--tls-key is given without --tls-cert: name the file of its certificate, too")
	case t.Cert != "" && len(t.Names) > 0:
		return domain.Invalid(op, "tls-name", "--tls-name is for certificates that Chalie makes, and --tls-cert is one of yours: leave one of them out")
	case len(t.Names) > 0 && !t.On:
		return domain.Invalid(op, "tls-name", "--tls-name is given without --tls: add it")
	}
	return nil
}

// wanted reports whether TLS is served.
func (t *tlsChosen) wanted() bool { return t.On || t.Cert != "" }

// encryption is how the app serves TLS.
type encryption struct {
	config  *tls.Config
	told    web.Encryption
	vouches func(name string) bool // for a name or an address of this machine
}

// openEncryption reads the certificates; nil without TLS.
func openEncryption(a *App) (*encryption, error) {
	chosen := a.cfg.TLS
	if !chosen.wanted() {
		return nil, nil
	}
	// HTTP/1.1 alone: the bounds of connections and bodies, and the sockets, are made for it.
	e := &encryption{config: &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}, told: web.Encryption{Reached: a.reached},
		vouches: func(string) bool { return true }}
	if chosen.Cert != "" {
		files, err := pki.OpenFiles(chosen.Cert, chosen.Key, a.cfg.Clock, a.cfg.Logger)
		if err != nil {
			return nil, err
		}
		e.config.GetCertificate = files.Certificate
		return e, nil
	}
	own, err := pki.OpenAuthority(pki.Config{Dir: a.cfg.Data, Clock: a.cfg.Clock, Names: ownNames, Asked: chosen.Names, Logger: a.cfg.Logger})
	if err != nil {
		return nil, err
	}
	e.config.GetCertificate, e.vouches = own.Certificate, own.Vouches
	e.told.Root, e.told.Media, e.told.Name, e.told.Fingerprint = own.Root(), pki.MediaType, own.Name(), own.Fingerprint()
	return e, nil
}

// telling is what the pages tell of it; nil without TLS.
func (e *encryption) telling() *web.Encryption {
	if e == nil {
		return nil
	}
	return &e.told
}

// reached are the hosts and ports under which other machines may reach this one over TLS,
// the likeliest first; none on loopback.
func (a *App) reached() []string {
	at, ok := a.tcp.Addr().(*net.TCPAddr)
	if !ok || at.IP.IsLoopback() {
		return nil
	}
	names := []string{at.IP.String()}
	if at.IP.IsUnspecified() {
		names = slices.Concat(a.cfg.TLS.Names, outward(), ownNames())
	}
	var out []string
	for _, name := range names {
		addr, err := netip.ParseAddr(name)
		if err == nil && (addr.IsLoopback() || addr.IsLinkLocalUnicast()) || !a.secure.vouches(name) {
			continue
		}
		if hostport := net.JoinHostPort(name, strconv.Itoa(at.Port)); !slices.Contains(out, hostport) {
			out = append(out, hostport)
		}
	}
	return out
}

// outward is the address by which this machine reaches others, if there is one. Nothing is
// sent for it: connecting a datagram socket only looks the way up.
func outward() []string {
	c, err := net.Dial("udp", "192.0.2.1:9") //nolint:noctx // it waits for nothing
	if err != nil {
		return nil
	}
	defer c.Close()
	own, ok := c.LocalAddr().(*net.UDPAddr)
	if !ok {
		return nil
	}
	return []string{own.IP.String()}
}

// door is a server, and how it serves.
type door struct {
	*http.Server
	serve func() error
}

// doors are the servers of the TCP address: one, or with TLS two that share it.
func (a *App) doors(requests context.Context) []door {
	open := httpapi.NewServer(requests, a.site.Handler(), a.cfg.Logger)
	if a.secure == nil {
		listener := a.bounded(open)
		return []door{{open, func() error { return open.Serve(listener) }}}
	}
	plain := httpapi.NewServer(requests, a.besideTLS(), a.cfg.Logger)
	secure, unencrypted := tcp.Split(a.bounded(open, plain))
	open.TLSConfig = a.secure.config
	open.TLSNextProto = map[string]func(*http.Server, *tls.Conn, http.Handler){}
	return []door{
		{open, func() error { return open.ServeTLS(secure, "", "") }},
		{plain, func() error { return plain.Serve(unencrypted) }},
	}
}

// besideTLS serves what came without TLS. What this machine sends to itself, nobody
// overhears: interfaces and scripts here need no certificate, and neither does a proxy
// that speaks TLS itself. Others are told how to come.
func (a *App) besideTLS() http.Handler {
	full, rest := a.site.Handler(), a.site.Unencrypted()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if fromHere(r) || a.byProxy(r) {
			full.ServeHTTP(w, r)
			return
		}
		rest.ServeHTTP(w, r)
	})
}

// fromHere reports whether a request comes from this machine.
func fromHere(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return false
	}
	if peer.Addr().Unmap().IsLoopback() {
		return true
	}
	own, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return ok && own.AddrPort().Addr().Unmap() == peer.Addr().Unmap()
}

// byProxy reports whether a request comes from a trusted proxy.
func (a *App) byProxy(r *http.Request) bool {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && slices.ContainsFunc(a.cfg.Proxies, func(network netip.Prefix) bool { return network.Contains(peer.Addr().Unmap()) })
}

// URL is where Chalie is opened on its own machine.
func (a *App) URL() string {
	at, ok := a.tcp.Addr().(*net.TCPAddr)
	if a.secure == nil || !ok {
		return "http://" + a.Addr()
	}
	// Plain, because the browser here knows nothing of the authority: see besideTLS.
	host := at.IP.String()
	if at.IP.IsUnspecified() {
		host = "127.0.0.1"
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(at.Port))
}

// Elsewhere is where it is opened on other machines over TLS; "" when it isn't.
func (a *App) Elsewhere() string {
	if a.secure == nil {
		return ""
	}
	if all := a.reached(); len(all) > 0 {
		return "https://" + all[0]
	}
	return ""
}

// phoneWords is what serve prints about phones.
func phoneWords(app *App) string {
	switch elsewhere := app.Elsewhere(); {
	case app.secure == nil:
		return ""
	case elsewhere == "":
		return "\nNo other machine can reach this address over TLS. To let a phone in, add --addr 0.0.0.0:8081.\n"
	case app.secure.told.Root == nil:
		return fmt.Sprintf("\nOn a phone open %s.\n", elsewhere)
	default:
		return fmt.Sprintf("\nTo let a phone in, open %s/phone here and follow it. The authority's fingerprint, to compare:\n\n  %s\n", app.URL(), app.secure.told.Fingerprint)
	}
}
