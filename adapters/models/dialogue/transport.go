package dialogue

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"time"
)

// maxBodyBytes bounds what is read of one response, framing included.
const maxBodyBytes = 16 << 20

// NewHTTPClient is a client of its own for one model: it follows no redirects,
// which would carry the key elsewhere, and reads no more than it has to. It has
// no timeout: that is the context's.
func NewHTTPClient() *http.Client {
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
		return 0, Fail(CodeBadReply, false, fmt.Sprintf("the model's answer is larger than %d MiB and was left there", maxBodyBytes>>20))
	}
	n, err := b.ReadCloser.Read(p[:min(len(p), b.left)])
	b.left -= n
	return n, err
}
