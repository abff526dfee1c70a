package unixsocket

import (
	"context"
	"net"
	"net/http"
)

// BaseURL is what a Client's requests begin with. Its host names nobody: every
// request goes to the socket.
const BaseURL = "http://chalie"

// Client speaks HTTP to the server of a data directory. Errors of Dial are found
// in the errors of its requests with errors.As.
func Client(dataDir string) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) { return Dial(ctx, dataDir) },
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
