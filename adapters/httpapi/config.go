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

// World answers what matters at a moment, with what bears on what.
type World interface {
	Ground(ctx context.Context, now domain.Millis) (reasoning.ContextSnapshot, error)
}

var _ World = (*reasoning.WorldMind)(nil)

// Transcript is the conversation, by reference.
type Transcript interface {
	// Recent returns up to limit exchanges after skipping the offset latest ones,
	// oldest first, and how many there are in all.
	Recent(limit, offset int) (exchanges []domain.Exchange, total int, err error)
	// Thread is the id of the conversation; false before anything was said.
	Thread() (domain.ID, bool)
}

// Sockets takes over requests that become WebSockets.
type Sockets interface {
	// Upgrade turns the request into a socket of who, and returns once it is one:
	// from then on the connection is no concern of the caller's. alive reports, at
	// little cost and without prolonging anything, whether who may still be there;
	// it is safe for concurrent use and stays so after Upgrade has returned.
	//
	// An error came before the upgrade: nothing was written to w, and the caller
	// answers with it. A Set-Cookie header in w belongs into the answer that
	// upgrades. Errors: CodeUpgradeRequired when the request asks for no socket, or
	// for one of another version; validation; policy for a page of another site; a
	// dependency error when there is no room or the program is stopping.
	Upgrade(w http.ResponseWriter, r *http.Request, who commands.Caller, alive func() bool) error

	// Recheck asks alive of every socket, and begins to close those of which it is no
	// longer true. It waits for no peer.
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
	Lost     uint64        // positions that were named lost; no problem any more
	LostAt   []api.LostRun // the first runs of them
}

// Config is what the API speaks for. All fields are required but those that say
// otherwise.
type Config struct {
	Signals  *signal.Signals
	Accounts *account.Accounts
	Log      Log
	World    World
	Traces   Traces
	Clock    domain.Clock

	Messages   *message.Messages
	Transcript Transcript

	// Past is what was known earlier; nil where nobody can look back.
	Past *replay.Past

	// Replay lets today's code decide again; nil where nobody can.
	Replay Replayer
	WhatIf WhatIf // tells what would have come otherwise; nil where nobody can

	// Trial decides again what was decided, with a change; nil where that can't be done.
	Trial explain.Trial

	// Views are projections that are read as what they hold; viewOf finds one.
	Views []projections.Projection

	// Images and Sockets are nil where Chalie doesn't run and its log is only read:
	// their routes then say so.
	Images  *message.Images
	Sockets Sockets

	// What follows is nil where Chalie doesn't run; its routes then say so, and
	// nothing is known of the person's surroundings or of when who was heard.
	Interfaces   Interfaces
	Tools        Tools
	Policies     Policies
	Approvals    Approvals
	Peer         Peer
	Streams      Streams
	StreamStatus func(domain.ID) (signal.StreamStatus, bool) // false when nothing is known of it
	Surroundings Surroundings
	Presence     Presence
	Spine        func() background.View
	System       func() SystemView

	// Metrics counts requests and answers scrapes; nil where nothing is counted.
	Metrics Metrics

	// Cards cleans the HTML in answers to interfaces' pages; nil: it is left out.
	Cards tool.CardCleaner

	// Hosts learns by which names a person's browser comes, and says which addresses
	// lead to this machine; nil: loopback alone does.
	Hosts *commands.Hosts

	// Gateways are the networks besides this machine from which interfaces may
	// register and speak through /gw.
	Gateways []netip.Prefix
	// Proxies are the networks of proxies whose word counts for where a request comes
	// from. They have to say it in X-Forwarded-For, or in Forwarded alone.
	Proxies []netip.Prefix
	// Address is host:port where the network reaches Chalie, for callers that came
	// another way; nil or "" when nobody knows.
	Address func() string

	// Models are the names of the models that answer; none when nobody does.
	Models []string
	// Vision says that the model sees images.
	Vision bool

	// Applied waits for all projections, so that a reader finds what it was just
	// told was accepted.
	Applied commands.Barrier

	// Health is asked on every /health and /ready, so it must be quick.
	Health func(ctx context.Context) Health
	// Projections tells where each projection stands.
	Projections func(ctx context.Context) []projections.Status
	// Rebuilt tells of a projection what belongs to its stores; nil when that is
	// nothing.
	Rebuilt func(name string) rebuild.Status
	// Rebuilds folds projections again; nil where nothing is written.
	Rebuilds Rebuilds
	// Diverged are the projections that were found not to be what the log says, by
	// name. Nil where nobody looks.
	Diverged func(ctx context.Context) map[string]domain.ProjectionDiverged
	// Verify walks the log. It calls progress every now and then, from the
	// calling goroutine, with how far it is and how far it has to go.
	Verify func(ctx context.Context, progress func(done, total domain.Position)) (Verification, error)

	// Export writes a part of the log, or all of it, as a file.
	Export Export

	// SetupKey is the one-time secret of the set-up link, "" when there is an
	// account already.
	SetupKey string

	// Command is the command line that runs this program with some arguments,
	// for the pages to show to whoever is at this machine; default: the program's
	// name before them.
	Command func(args string) string

	Version      string
	MaxBodyBytes int64         // whatever a route allows; default 1 MiB
	BodyBytes    int64         // what all bodies under way may take together; default 64 MiB
	MaxWait      time.Duration // the longest poll of /api/log; default 30 s
	// Pause holds up who guesses passwords, and returns ctx's error when that ends
	// first; default: a timer.
	Pause  func(ctx context.Context, d time.Duration) error
	Logger *slog.Logger // default: nothing is logged
}

// Validate returns a validation error when something is missing.
func (c Config) Validate() error {
	const op = "configure http api"
	switch {
	case c.Signals == nil || c.Messages == nil || c.Accounts == nil:
		return domain.Invalid(op, "Signals", "Signals, Messages and Accounts are required")
	case c.Log == nil || c.World == nil || c.Traces == nil || c.Transcript == nil || c.Clock == nil || c.Applied == nil:
		return domain.Invalid(op, "Log", "Log, World, Traces, Transcript, Clock and Applied are required")
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

// viewOf is what is known of something, found by what it holds; nil where nothing holds it.
func viewOf[S any](x *exchange) commands.View[S] {
	for _, p := range x.api.cfg.Views {
		if v, ok := p.(commands.View[S]); ok {
			return v
		}
	}
	return nil
}
