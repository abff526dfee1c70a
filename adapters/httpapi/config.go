package httpapi

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"time"

	"chalie/adapters/api"
	"chalie/commands"
	"chalie/commands/account"
	"chalie/commands/background"
	"chalie/commands/message"
	"chalie/commands/reasoning"
	"chalie/commands/signal"
	"chalie/commands/tool"
	"chalie/commands/voice"
	"chalie/domain"
	"chalie/projections"
	"chalie/projections/rebuild"
	"chalie/replay"
	"chalie/replay/explain"
)

// Log is what may be read of the log.
type Log interface {
	domain.Reader
	domain.Tailer
}

// World answers which items matter at a moment, and how they are related.
type World interface {
	Ground(ctx context.Context, now domain.Millis, opening domain.ID) (reasoning.ContextSnapshot, error)
}

var _ World = (*reasoning.WorldMind)(nil)

// Transcript is the conversations, by reference.
type Transcript interface {
	// Recent returns up to limit exchanges of a conversation after skipping the offset
	// latest ones, oldest first, and how many there are in all.
	Recent(of domain.ConversationID, limit, offset int) (exchanges []domain.Exchange, total int, err error)
	// Thread is the id of a conversation's thread; false before anything was said in it.
	Thread(of domain.ConversationID) (domain.ID, bool)
	// Conversations are those in which anything was said, the latest first.
	Conversations() ([]domain.Conversation, error)
}

// Sockets takes over requests that become WebSockets.
type Sockets interface {
	// Upgrade turns the request into a socket of who, and returns once it is one: from
	// then on the connection is no concern of the caller's. alive reports cheaply whether
	// the session is still valid, without extending it; it is safe for concurrent use,
	// also after Upgrade has returned.
	//
	// An error means that no upgrade took place: nothing was written to w, and the caller
	// answers with it. A Set-Cookie header in w goes into the answer that upgrades.
	// Errors: CodeUpgradeRequired when the request asks for no socket, or for one of
	// another version; validation; policy for a page of another site; a dependency error
	// when there is no room or the program is stopping.
	Upgrade(w http.ResponseWriter, r *http.Request, who commands.Caller, alive func() bool) error

	// Recheck calls alive for every socket, and begins to close those for which it is
	// false. It waits for no peer.
	Recheck()
}

// CodeUpgradeRequired says that a request which should have become a WebSocket
// did not ask for that.
const CodeUpgradeRequired domain.Code = "upgrade_required"

// Health is what everyone may know of how Chalie is.
type Health struct {
	Ready     bool                   // serves everything it is meant to
	Reason    string                 // why it is not ready
	Services  map[string]api.Service // by name
	Resources map[string]api.Resource
	Lost      uint64 // records that the log says are lost, since a repair or an import
}

// Verification is the outcome of a walk over the whole log.
type Verification struct {
	Records  uint64 // readable ones
	Problems []api.Problem
	More     uint64        // problems beyond those listed
	Lost     uint64        // records of type record.lost; no problem of this log
	LostAt   []api.LostRun // the first runs of them
	Retired  uint64        // positions whose records went when their time to be kept was over
}

// Config is what the API serves. All fields are required unless they say otherwise.
type Config struct {
	Signals  *signal.Signals
	Accounts *account.Accounts
	Log      Log
	Counts   domain.Counter // of the same log
	World    World
	Traces   Traces
	Clock    domain.Clock

	Messages   *message.Messages
	Transcript Transcript

	// Past answers as of an earlier moment; nil where that isn't offered.
	Past *replay.Past

	// Replay replays decisions with today's code; nil where that isn't offered.
	Replay Replayer
	WhatIf WhatIf // replays decisions with a change; nil where that isn't offered

	// Trial replays one decision with a change, for why-not; nil where that isn't
	// offered.
	Trial explain.Trial

	// Views are the projections that routes read; viewOf finds one by its state's type.
	Views []projections.Projection

	// Images, Voices and the Sockets are nil when the log is only read; their routes then say so.
	Images  *message.Images
	Voices  *voice.Voices
	Sockets Sockets
	Console Sockets // of consoles
	MCP     MCP     // nil when the log is only read
	// Unkeyed lets a program on this machine be a console without a token.
	Unkeyed bool
	// Tokens finds the token of a proposal that waits for the person's approval.
	Tokens interface {
		Token(proposal domain.ID) string
	}

	// The following are nil when the log is only read; their routes then say so, and the
	// person's context and the times interfaces were last heard are unknown.
	Interfaces   Interfaces
	Tools        Tools
	Policies     Policies
	Settings     Settings
	Approvals    Approvals
	Peer         Peer
	Streams      Streams
	StreamStatus func(domain.ID) (signal.StreamStatus, bool) // false for an unknown stream
	Surroundings Surroundings
	Presence     Presence
	Spine        func() background.View
	System       func() SystemView
	Chosen       ChosenModels

	// Metrics counts requests and answers scrapes; nil where nothing is counted.
	Metrics Metrics

	// Cards cleans the HTML in answers to interfaces' pages; nil: it is left out.
	Cards tool.CardCleaner

	// Hosts learns the host names by which the person's browser reaches Chalie, and says
	// which addresses lead to this machine; nil: loopback alone does.
	Hosts *commands.Hosts

	// Gateways are the networks besides this machine from which interfaces may
	// register and speak through /gw.
	Gateways []netip.Prefix
	// Proxies are the networks of trusted proxies: their X-Forwarded-For header, or
	// Forwarded if that is the only one, names the client's address.
	Proxies []netip.Prefix
	// Address is the host:port at which the network reaches Chalie, for callers on the
	// Unix socket; nil or "" when unknown.
	Address func() string

	// Models are the names of the models that answer.
	Models []string
	// Vision says that the model sees images.
	Vision bool

	// Applied waits for all projections, so that a client can read what it has just
	// written.
	Applied commands.Barrier

	// Health is called on every /health and /ready, so it must be quick.
	Health func(ctx context.Context) Health
	// Projections is the status of each projection.
	Projections func(ctx context.Context) []projections.Status
	// Rebuilt is the status of a projection's stores and rebuild; nil when it has none.
	Rebuilt func(name string) rebuild.Status
	// Rebuilds folds projections again; nil where nothing is written.
	Rebuilds Rebuilds
	// Moves moves the log to a cluster and back; nil where nothing is written.
	Moves Moves
	// Diverged are the projections that an audit found to differ from the log, by name.
	// Nil without audits.
	Diverged func(ctx context.Context) map[string]domain.ProjectionDiverged
	// Verify walks the log. It calls progress every now and then, from the
	// calling goroutine, with how far it is and how far it has to go.
	Verify func(ctx context.Context, progress func(done, total domain.Position)) (Verification, error)

	// Export writes a part of the log, or all of it, as a file.
	Export Export

	// MayRetire says why nothing can go from the log; nil where something can.
	MayRetire func() error
	// Stays says why what is over stays all the same; nil where nothing does, or nothing runs.
	Stays func() error
	// OnDisk is what the log's records through a position take of the disk, and its indexes; 0 of
	// what can't be told. Nil where nothing can.
	OnDisk func(through domain.Position) (records, indexes uint64)

	// BackUp backs up what is new into a folder; nil where that isn't offered.
	BackUp BackUp

	// SetupKey is the one-time secret of the set-up link, "" when there is an
	// account already.
	SetupKey string

	// Command is the command line that runs this program with some arguments, for the
	// pages to show to a person at this machine; default: the program's name before them.
	Command func(args string) string

	Version      string
	MaxBodyBytes int64         // for routes without a bound of their own; default 1 MiB
	BodyBytes    int64         // for all bodies under way together; default 64 MiB
	MaxWait      time.Duration // the longest poll of /api/log; default 30 s
	// Pause delays guesses of passwords, and returns ctx's error when that ends first;
	// default: a timer.
	Pause  func(ctx context.Context, d time.Duration) error
	Logger *slog.Logger // default: nothing is logged
}

// Validate returns a validation error when something is missing.
func (c Config) Validate() error {
	const op = "configure http api"
	switch {
	case c.Signals == nil || c.Messages == nil || c.Accounts == nil:
		return domain.Invalid(op, "Signals", "Signals, Messages and Accounts are required")
	case c.Log == nil || c.Counts == nil || c.World == nil || c.Traces == nil || c.Transcript == nil || c.Clock == nil || c.Applied == nil:
		return domain.Invalid(op, "Log", "Log, Counts, World, Traces, Transcript, Clock and Applied are required")
	case c.Health == nil || c.Projections == nil || c.Verify == nil || c.Export == nil:
		return domain.Invalid(op, "Health", "Health, Projections, Verify and Export are required")
	case c.MaxBodyBytes < 0 || c.BodyBytes < 0 || c.MaxWait < 0:
		return domain.Invalid(op, "MaxBodyBytes", "MaxBodyBytes, BodyBytes and MaxWait can't be negative")
	}
	for _, network := range slices.Concat(c.Gateways, c.Proxies) {
		if !network.IsValid() {
			return domain.Invalid(op, "Gateways and Proxies", fmt.Sprintf("%s is no network: give one such as 192.168.1.0/24", network))
		}
	}
	return nil
}

func (c Config) withDefaults() Config {
	if c.MaxBodyBytes == 0 {
		c.MaxBodyBytes = 1 << 20
	}
	if c.BodyBytes == 0 {
		c.BodyBytes = 64 << 20
	}
	if c.MaxWait == 0 {
		c.MaxWait = 30 * time.Second
	}
	if c.Pause == nil {
		c.Pause = pause
	}
	if c.Command == nil {
		c.Command = func(args string) string { return "chalie " + args }
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c
}

// viewOf is the view whose state has the type S; nil when there is none.
func viewOf[S any](x *exchange) commands.View[S] {
	for _, p := range x.api.cfg.Views {
		if v, ok := p.(commands.View[S]); ok {
			return v
		}
	}
	return nil
}
