package wire

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"chalie/adapters/models/dialogue"
)

// Bounds of what is read.
const (
	maxBodyBytes    = 16 << 20 // of one response, framing included
	maxEventBytes   = 4 << 20  // of one event: the last one of an answer may repeat all of it
	maxRefusalBytes = 64 << 10
)

// tooLarge is the error of what is left because there is too much of it.
func tooLarge(what string, most int) error {
	return dialogue.Fail(dialogue.CodeBadReply, false, fmt.Sprintf("%s of the model is larger than %d MiB and was left there", what, most>>20))
}

// newHTTPClient is a client of its own for one model: it follows no redirects,
// which would carry the key elsewhere, and reads no more than it has to. It has
// no timeout: that is the context's.
func newHTTPClient() *http.Client {
	dialer := &net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Client{
		Transport: bounded{&http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, ForceAttemptHTTP2: true,
			MaxIdleConns: 4, IdleConnTimeout: 90 * time.Second, TLSHandshakeTimeout: 10 * time.Second,
		}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// bounded cuts bodies that don't end.
type bounded struct{ *http.Transport }

func (b bounded) RoundTrip(req *http.Request) (*http.Response, error) {
	res, err := b.Transport.RoundTrip(req)
	if err == nil {
		res.Body = &boundedBody{res.Body, maxBodyBytes}
	}
	return res, err
}

type boundedBody struct {
	io.ReadCloser
	left int
}

func (b *boundedBody) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, tooLarge("an answer", maxBodyBytes)
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
