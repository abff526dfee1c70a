package signal

import (
	"context"
	"errors"
	"net/netip"
	"net/url"

	"chalie/commands"
	"chalie/domain"
)

// StreamState is how listening to a broadcast stands.
type StreamState string

// The states of listening.
const (
	StreamConnecting StreamState = "connecting"
	StreamLive       StreamState = "live"
	StreamWaiting    StreamState = "waiting" // for the next attempt to connect
)

// StreamStatus is what listening to one broadcast has come to since this process
// began. Received is the sum of the three counts beside it and of what is not
// durable yet.
type StreamStatus struct {
	State     StreamState    `json:"state"`
	Reason    string         `json:"reason"`     // why it waits; "" otherwise
	Until     *domain.Millis `json:"until"`      // when it tries again; null unless it waits
	Received  uint64         `json:"received"`   // messages that came whole, and those too large to
	Accepted  uint64         `json:"accepted"`   // signals in the log, durable
	Malformed uint64         `json:"malformed"`  // messages that can't be read, and signals that aren't sound: skipped
	Ignored   uint64         `json:"ignored"`    // messages of other types: passed over
	Lost      uint64         `json:"lost"`       // signals that the log didn't take before the stream or Chalie ended
	Rate      float64        `json:"rate"`       // accepted a second, over the last five
	LagMillis int64          `json:"lag_ms"`     // age of the oldest signal that is read and not durable; 0 without any
	LastError string         `json:"last_error"` // of the connection or the log; "" when there was none
	LastFault string         `json:"last_fault"` // what was wrong with the last malformed message
}

// StreamsConfig is what the stream commands need. All fields but Changed are
// required.
type StreamsConfig struct {
	commands.Env
	Book    commands.View[domain.Registry]
	Applied commands.Barrier // of the registry
	Changed func()           `optional:"yes"` // told when a stream was added or removed, after the fold knows it
}

// Streams says which broadcasts Chalie listens to.
type Streams struct {
	cfg  StreamsConfig
	turn chan struct{} // holds one while somebody changes something
}

// NewStreams checks the configuration.
func NewStreams(cfg StreamsConfig) (*Streams, error) {
	if err := commands.Complete("configure streams", cfg); err != nil {
		return nil, err
	}
	if cfg.Changed == nil {
		cfg.Changed = func() {}
	}
	return &Streams{cfg: cfg, turn: make(chan struct{}, 1)}, nil
}

// Add makes Chalie listen to a broadcast, and returns the stream's id once that
// is known to everyone. Errors: validation, a conflict when it listens to that
// URL already, has no room for one more or the streams were changed at the same
// moment, and what domain.Appender returns.
func (s *Streams) Add(ctx context.Context, c commands.Caller, stream domain.StreamAdded) (domain.ID, error) {
	if err := checkStreamHost(stream.URL); err != nil {
		return domain.ID{}, err
	}
	id := s.cfg.IDs.NewID()
	err := changeStreams(ctx, s, c, id, func(r *domain.Registry) (domain.StreamAdded, error) { return r.AddStream(stream) })
	if err != nil {
		return domain.ID{}, err
	}
	return id, nil
}

// checkStreamHost refuses at once an address that would be refused at every
// attempt to connect. What a name leads to is found out then.
func checkStreamHost(text string) error {
	u, err := url.Parse(text)
	if err != nil {
		return nil //nolint:nilerr // domain says what is wrong with it
	}
	addr, err := netip.ParseAddr(u.Hostname())
	if err != nil {
		return nil //nolint:nilerr // a name
	}
	if err := commands.CheckDialled(addr); err != nil {
		e, _ := errors.AsType[*domain.Error](err)
		return domain.Invalid("add stream", "url", "url can't be listened to: "+e.Message)
	}
	return nil
}

// Remove ends listening. What was read before is still taken in. Errors: not
// found, a conflict as in Add, and what domain.Appender returns.
func (s *Streams) Remove(ctx context.Context, c commands.Caller, id domain.ID) error {
	return changeStreams(ctx, s, c, s.cfg.IDs.NewID(), func(r *domain.Registry) (domain.StreamRemoved, error) { return r.RemoveStream(id) })
}

// List is the streams, in the order they were added.
func (s *Streams) List() (out []domain.Stream) {
	s.cfg.Book.Read(func(r *domain.Registry) { out = r.ListedStreams() })
	return out
}

// changeStreams decides on what the fold knows, appends under the condition that
// it knew everything, and waits until it knows this, too. Changes take turns, so
// only another process can make the condition fail.
func changeStreams[P commands.Keyed](ctx context.Context, s *Streams, c commands.Caller, id domain.ID, decide func(*domain.Registry) (P, error)) error {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return &domain.Error{Op: "change streams", Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: ctx.Err(),
			Message: "the wait for another change of the streams ended; nothing was changed"}
	}
	defer func() { <-s.turn }()
	var payload P
	var through domain.Position
	var err error
	s.cfg.Book.Read(func(r *domain.Registry) {
		through = r.Through
		payload, err = decide(r)
	})
	if err != nil {
		return err
	}
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, c.Principal), id, s.cfg.Now(), c.Source, payload)
	if err != nil {
		return err
	}
	entry.Envelope.Keys = payload.Keys()
	receipt, err := s.cfg.Log.Append(ctx, domain.Batch{
		Entries:    []domain.Entry{entry},
		Conditions: []domain.Condition{{Key: payload.Keys()[0], After: through}},
	})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return &domain.Error{Op: "change streams", Category: domain.Conflict, Code: "streams_changed", Retriable: true, Err: err,
			Message: "the streams were changed at the same moment: list them and try again"}
	}
	if err != nil {
		return err
	}
	// The listener looks at the fold itself, so it is told even when the wait ends early.
	defer s.cfg.Changed()
	return s.cfg.Applied.WaitFor(ctx, receipt.Positions[0])
}
