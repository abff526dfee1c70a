package eventstorelog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"chalie/domain"

	"github.com/EventStore/EventStore-Client-Go/v4/esdb"
	"google.golang.org/grpc/metadata"
)

// cluster makes calls through clients of the library, which it replaces when they fail.
type cluster struct {
	cfg      *esdb.Configuration
	patience time.Duration // for one call

	mu     sync.Mutex
	client *shared // nil when there is none
}

// shared is a client and those who use it.
type shared struct {
	*esdb.Client
	users int // and one for being the cluster's
}

// parseURL reads a connection string. Without a logger nothing is logged. The error continues the words "the connection string".
func parseURL(url string, logger *slog.Logger) (*esdb.Configuration, error) {
	// The library is older than the product's new name. The protocol is the same.
	for _, scheme := range []string{"://", "+discover://"} {
		if rest, ok := strings.CutPrefix(url, "kurrentdb"+scheme); ok {
			url = "esdb" + scheme + rest
		}
	}
	cfg, err := esdb.ParseConnectionString(url)
	if err != nil {
		return nil, err
	}
	// While the library looks for a node every call waits, so it looks for a short time
	// unless somebody wants otherwise.
	defaults, err := esdb.ParseConnectionString("esdb://localhost")
	if err != nil {
		return nil, err
	}
	if cfg.MaxDiscoverAttempts == defaults.MaxDiscoverAttempts {
		cfg.MaxDiscoverAttempts = 3
	}
	if cfg.GossipTimeout == defaults.GossipTimeout {
		cfg.GossipTimeout = 1
	}
	if logger == nil {
		logger = slog.New(slog.DiscardHandler)
	}
	cfg.Logger = func(level esdb.LogLevel, format string, args ...any) {
		logger.Debug("the cluster's client: "+fmt.Sprintf(format, args...), "level", level)
	}
	return cfg, nil
}

// unread says why a connection string can't be read, without any part of what may be a password.
func unread(url string, err error) string {
	_, rest, _ := strings.Cut(url, "://")
	at := strings.LastIndexByte(rest, '@')
	if at < 0 {
		return err.Error()
	}
	letters := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	said := strings.FieldsFunc(err.Error(), letters)
	for _, part := range strings.FieldsFunc(rest[:at], letters) {
		if slices.Contains(said, part) {
			return "its user or password, or the host behind them, has a sign that isn't read as it stands; " +
				"in a user and a password write % as %25, / as %2F, # as %23, ? as %3F, @ as %40, : as %3A and a space as %20"
		}
	}
	return err.Error()
}

// SameCluster reports whether two connection strings name the same machines, with whatever
// user and settings.
func SameCluster(one, other string) bool {
	a, err := parseURL(one, nil)
	if err != nil {
		return false
	}
	b, err := parseURL(other, nil)
	return err == nil && slices.Equal(addresses(a), addresses(b))
}

// addresses are the machines that a connection string names, sorted.
func addresses(cfg *esdb.Configuration) []string {
	var out []string
	if cfg.Address != "" {
		out = append(out, cfg.Address)
	}
	for _, e := range cfg.GossipSeeds {
		out = append(out, net.JoinHostPort(e.Host, strconv.Itoa(int(e.Port))))
	}
	slices.Sort(out)
	return out
}

func (c *cluster) take() (*shared, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.client == nil {
		client, err := esdb.NewClient(c.cfg)
		if err != nil {
			return nil, err
		}
		c.client = &shared{client, 1}
	}
	c.client.users++
	return c.client, nil
}

// leave ends a use. The last one closes the client: beside a call that could panic.
func (c *cluster) leave(s *shared) {
	c.mu.Lock()
	s.users--
	last := s.users == 0
	c.mu.Unlock()
	if last {
		_ = s.Close() // it never fails
	}
}

// drop replaces a client at the next call.
func (c *cluster) drop(s *shared) {
	c.mu.Lock()
	mine := c.client == s
	if mine {
		c.client = nil
	}
	c.mu.Unlock()
	if mine {
		c.leave(s)
	}
}

func (c *cluster) close() {
	c.mu.Lock()
	s := c.client
	c.mu.Unlock()
	if s != nil {
		c.drop(s)
	}
}

// call has do made with a client, on a goroutine that is given up when the context or the
// patience ends.
func call[T any](ctx context.Context, c *cluster, do func(context.Context, *esdb.Client) (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	var none T
	s, err := c.take()
	if err != nil {
		return none, err
	}
	ctx, cancel := context.WithTimeout(metadata.AppendToOutgoingContext(ctx, "requires-leader", "true"), c.patience)
	done := make(chan result, 1)
	go func() {
		defer cancel()
		defer c.leave(s)
		value, err := do(ctx, s.Client)
		if isBroken(err) {
			c.drop(s)
		}
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
	}
	select { // it may have ended for the same reason, and know more
	case r := <-done:
		return r.value, r.err
	case <-time.After(grace):
	}
	c.drop(s)
	return none, fmt.Errorf("%w: %w", errNoAnswer, ctx.Err())
}

// grace is how long a call may outlive its context before it is given up.
const grace = 50 * time.Millisecond

// isBroken reports whether a client may be of no use any more.
func isBroken(err error) bool {
	switch code(err) {
	case esdb.ErrorCodeWrongExpectedVersion, esdb.ErrorCodeResourceNotFound, esdb.ErrorCodeStreamDeleted,
		esdb.ErrorCodeAccessDenied, esdb.ErrorCodeUnauthenticated, esdb.ErrorCodeNotLeader:
		return false
	}
	return err != nil
}

// code is the library's code of an error; -1 for none.
func code(err error) esdb.ErrorCode {
	if err == nil {
		return -1
	}
	if known, ok := errors.AsType[*esdb.Error](err); ok {
		return known.Code()
	}
	return esdb.ErrorCodeUnknown
}

// append appends events at an exact revision: next is the one that the first gets. It
// returns an error with ErrorCodeWrongExpectedVersion when other events stand there.
func (c *cluster) append(ctx context.Context, stream string, next uint64, events []esdb.EventData) error {
	options := esdb.AppendToStreamOptions{ExpectedRevision: esdb.NoStream{}, Deadline: &c.patience}
	if next > 0 {
		options.ExpectedRevision = esdb.Revision(next - 1)
	}
	result, err := call(ctx, c, func(ctx context.Context, client *esdb.Client) (*esdb.WriteResult, error) {
		return client.AppendToStream(ctx, stream, options, events...)
	})
	if err != nil {
		return err
	}
	// A stream that was deleted counts as absent, and goes on at its old revisions.
	if last := next + uint64(len(events)) - 1; result.NextExpectedVersion != last {
		return fmt.Errorf("%w: its events stand through revision %d and should through %d", errNumbering, result.NextExpectedVersion, last)
	}
	return nil
}

var errNumbering = errors.New("the stream was deleted and written again")

// stored is an event as it was read.
type stored struct {
	revision uint64
	id       domain.ID
	data     []byte
}

// read is up to count events from a revision on; none when there are none, or no stream.
func (c *cluster) read(ctx context.Context, stream string, from esdb.StreamPosition, direction esdb.Direction, count uint64) ([]stored, error) {
	return call(ctx, c, func(ctx context.Context, client *esdb.Client) ([]stored, error) {
		in, err := client.ReadStream(ctx, stream, esdb.ReadStreamOptions{From: from, Direction: direction, Deadline: &c.patience}, count)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		var out []stored
		for {
			e, err := in.Recv()
			switch {
			case errors.Is(err, io.EOF) || code(err) == esdb.ErrorCodeResourceNotFound:
				return out, nil
			case err != nil:
				return nil, err
			}
			out = append(out, stored{e.Event.EventNumber, domain.ID(e.Event.EventID), e.Event.Data})
		}
	})
}

// last is the last event of a stream; nil when there is none.
func (c *cluster) last(ctx context.Context, stream string) (*stored, error) {
	found, err := c.read(ctx, stream, esdb.End{}, esdb.Backwards, 1)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return &found[0], nil
}

// bound keeps a stream short.
func (c *cluster) bound(ctx context.Context, stream string, count uint64) error {
	meta := esdb.StreamMetadata{}
	meta.SetMaxCount(count)
	_, err := call(ctx, c, func(ctx context.Context, client *esdb.Client) (*esdb.WriteResult, error) {
		return client.SetStreamMetadata(ctx, stream, esdb.AppendToStreamOptions{ExpectedRevision: esdb.Any{}, Deadline: &c.patience}, meta)
	})
	return err
}
