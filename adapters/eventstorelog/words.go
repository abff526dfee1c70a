package eventstorelog

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"chalie/domain"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
)

// explained is why a call failed in words for a person, with what to do where the cluster
// keeps it to itself. What the library says is for programmers, and isn't passed on.
func (c *cluster) explained(err error) error {
	if _, known := errors.AsType[*domain.Error](err); known || err == nil {
		return err
	}
	return &domain.Error{Category: domain.Dependency, Code: domain.CodeClusterAway, Retriable: true, Message: c.words(err)}
}

func (c *cluster) words(err error) string {
	text, who := err.Error(), strings.Join(addresses(c.cfg), ", ")
	said := func(what string) bool { return strings.Contains(text, what) }
	switch {
	case errors.Is(err, errNoAnswer):
		return fmt.Sprintf("%s gave no answer within %v", who, c.patience)
	case code(err) == esdb.ErrorCodeAccessDenied:
		return "its user may not read or write the streams; let it by their $acl, or name another user in the connection string"
	case code(err) == esdb.ErrorCodeUnauthenticated:
		return "it doesn't know the user and password of the connection string"
	case said("x509: "):
		_, why, _ := strings.Cut(text, "x509: ")
		return fmt.Sprintf("the certificate of %s can't be checked (%s); name the authority's file in the connection string as tlsCaFile", who, strings.Trim(why, `"`))
	case said("does not look like a TLS handshake"), said("authentication handshake failed"):
		return fmt.Sprintf("%s doesn't speak TLS; write tls=false in the connection string, or have the cluster use it", who)
	case said("server preface") && c.cfg.DisableTLS:
		return fmt.Sprintf("%s ends a connection that isn't encrypted; write tls=true in the connection string", who)
	case code(err) == esdb.ErrorAborted && (said("imed out") || said("imeout") || said("canceled")):
		return "no majority of its machines took it in time; see that most of them run, reach each other and have space on their disks"
	case said("Server Is Not Ready"):
		return "it isn't ready: it starts, or has no leader for the moment"
	case said("produced zero addresses"):
		return "no address is known of " + who
	case said("dial tcp"):
		return "it can't be reached: " + described(text)
	}
	return fmt.Sprintf("%s: %s", who, described(text))
}

// described is what the innermost error says.
func described(text string) string {
	if i := strings.LastIndex(text, "desc = "); i >= 0 {
		text = text[i+len("desc = "):]
	}
	text = strings.Trim(text, `"`)
	for _, said := range []string{"transport: ", "Error while dialing: "} {
		text = strings.TrimPrefix(text, said)
	}
	if _, after, coded := strings.Cut(text, "] "); coded && strings.HasPrefix(text, "[") {
		text = after
	}
	return cmp.Or(text, "it failed without a word")
}

// errNoAnswer is of a call that was given up.
var errNoAnswer = errors.New("no answer")

// Warning is what is unsafe about a connection string; "" for nothing.
func Warning(url string) string {
	cfg, err := parseURL(url, nil)
	if err != nil || !cfg.DisableTLS || cfg.Username == "" {
		return ""
	}
	return "the connection string of the cluster has a user and a password, and tls=false: nothing that is sent is encrypted, whoever listens can read it, and the cluster asks nobody who they are; use tls=true, with tlsCaFile for an authority of your own"
}
