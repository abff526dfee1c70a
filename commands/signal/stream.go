package signal

import (
	"context"
	"errors"
	"net/netip"
	"net/url"

	"chalie/commands"
	"chalie/domain"
)

// StreamState is the state of listening to a broadcast.
type StreamState string

// The values of a StreamState.
const (
	StreamConnecting StreamState = "connecting"
	StreamLive       StreamState = "live"
	StreamWaiting    StreamState = "waiting" // for the next attempt to connect
)

// StreamStatus is the state of one broadcast and its counts since this process started.
// Received is the sum of accepted, malformed and ignored messages and of those not
// durable yet.
type StreamStatus struct {
	State     StreamState    `json:"state"`
	Reason    string         `json:"reason"`     // why it waits; "" otherwise
	Until     *domain.Millis `json:"until"`      // when it reconnects; null unless it waits
	Received  uint64         `json:"received"`   // messages, including those too large to read
	Accepted  uint64         `json:"accepted"`   // signals that are durable in the log
	Malformed uint64         `json:"malformed"`  // unreadable messages and invalid signals, skipped
	Ignored   uint64         `json:"ignored"`    // messages of other types, skipped
	Lost      uint64         `json:"lost"`       // signals not yet in the log when the stream or Chalie ended
	Rate      float64        `json:"rate"`       // accepted per second, over the last five seconds
	LagMillis int64          `json:"lag_ms"`     // age of the oldest signal that was read and isn't durable; 0 for none
	LastError string         `json:"last_error"` // of the connection or the log; "" when there was none
	LastFault string         `json:"last_fault"` // what was wrong with the last malformed message
}

// StreamsConfig is what the stream commands need. All fields but Changed are
// required.
type StreamsConfig struct {
	commands.Env
	Book    commands.View[domain.Registry]
	Applied commands.Barrier // of the registry
	Changed func()           `optional:"yes"` // called after the fold knows of an added or removed stream
}

// Streams adds and removes the broadcasts that Chalie listens to.
type Streams struct {
	cfg  StreamsConfig
	turn chan struct{} // holds one while a change is under way
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

// Add makes Chalie listen to a broadcast, and returns the stream's id once the fold knows
// it. Errors: validation; a conflict when there is a stream of that URL, the maximum is
// reached or another change came first; and what domain.Appender returns.
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

// checkStreamHost refuses an IP address that every attempt to connect would refuse. Names
// are resolved and checked when connecting.
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

// Remove ends listening. Signals that were already read are still stored. Errors: not
// found, a conflict as in Add, and what domain.Appender returns.
func (s *Streams) Remove(ctx context.Context, c commands.Caller, id domain.ID) error {
	return changeStreams(ctx, s, c, s.cfg.IDs.NewID(), func(r *domain.Registry) (domain.StreamRemoved, error) { return r.RemoveStream(id) })
}

// List is the streams, in the order they were added.
func (s *Streams) List() (out []domain.Stream) {
	s.cfg.Book.Read(func(r *domain.Registry) { out = r.ListedStreams() })
	return out
}

// changeStreams decides by the fold, appends under the condition that the fold was up to
// date, and waits until the fold has the change. Changes take turns, so only another
// process can make the condition fail.
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
	// The listener reads the fold itself, so it is called even when the wait ends early.
	defer s.cfg.Changed()
	return s.cfg.Applied.WaitFor(ctx, receipt.Positions[0])
}
