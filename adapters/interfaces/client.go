package interfaces

import (
	"net"
	"net/http"
	"time"

	"chalie/commands"
)

// Bounds of what is kept open between calls. An interface is asked again within
// seconds when it pairs, and then every half minute, for which a new connection
// is cheap.
const (
	maxConnsPerHost = 32
	maxIdleConns    = 64
	maxIdlePerHost  = 2
	idleTimeout     = 10 * time.Second
)

// Client calls interfaces. Make one with New. It is safe for concurrent use.
type Client struct {
	cfg   Config
	reads *http.Transport // may keep connections
	posts *http.Transport // a connection for each call
}

var _ commands.Peer = (*Client)(nil)

// New checks the configuration. Close the client when it is no longer needed.
func New(cfg Config) (*Client, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	posts := newTransport(cfg)
	posts.DisableKeepAlives = true
	return &Client{cfg: cfg, reads: newTransport(cfg), posts: posts}, nil
}

func newTransport(cfg Config) *http.Transport {
	dialer := &net.Dialer{
		Timeout:        cfg.Timeout,
		Resolver:       cfg.Resolver,
		ControlContext: placeRules{allow: cfg.Allow, deny: cfg.Deny}.control,
	}
	only1 := new(http.Protocols)
	only1.SetHTTP1(true)
	return &http.Transport{
		Proxy:                  nil, // calls go where they say
		DialContext:            dialer.DialContext,
		Protocols:              only1,
		DisableCompression:     true, // or a small answer could become a large one
		MaxConnsPerHost:        maxConnsPerHost,
		MaxIdleConns:           maxIdleConns,
		MaxIdleConnsPerHost:    maxIdlePerHost,
		IdleConnTimeout:        idleTimeout,
		MaxResponseHeaderBytes: cfg.MaxHeaderBytes,
		ReadBufferSize:         4 << 10,
		WriteBufferSize:        4 << 10,
	}
}

// Close closes the connections that are kept open. Calls under way go on.
func (c *Client) Close() {
	c.reads.CloseIdleConnections()
	c.posts.CloseIdleConnections()
}
