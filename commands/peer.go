package commands

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"chalie/domain"
)

// Endpoint is where an interface is called: the address at which it listens, or the id of a
// server of the Model Context Protocol.
type Endpoint struct {
	Host   string
	Port   int
	Server domain.ID // zero for what isn't one
	// Program is an interface that listens nowhere: it asks for its calls. None of any other.
	Program domain.ID
}

// EndpointOf is where an interface is called.
func EndpointOf(i *domain.Interface) Endpoint {
	if i.Server != nil {
		return Endpoint{Server: i.ID}
	}
	if i.Calls() {
		return Endpoint{Program: i.ID}
	}
	return Endpoint{Host: i.Host, Port: i.Port}
}

// ErrCancelled is the cause with which a context ends whose episode the person has cancelled.
var ErrCancelled = errors.New("the person wants something else")

// LongestCall bounds a call to a server of the Model Context Protocol as long as it tells
// of progress. Without, the usual bound holds.
const LongestCall = time.Minute

// Peers are the two ways in which interfaces are called, as one Peer.
type Peers struct {
	Interfaces Peer // those that listen at an address
	Servers    Peer // those of the Model Context Protocol
}

var _ Peer = Peers{}

func (p Peers) of(at Endpoint) Peer {
	if at.Server.IsZero() {
		return p.Interfaces
	}
	return p.Servers
}

// Health implements Peer.
func (p Peers) Health(ctx context.Context, at Endpoint) (PeerHealth, error) {
	return p.of(at).Health(ctx, at)
}

// Capabilities implements Peer.
func (p Peers) Capabilities(ctx context.Context, at Endpoint) ([]domain.Tool, error) {
	return p.of(at).Capabilities(ctx, at)
}

// Meta implements Peer.
func (p Peers) Meta(ctx context.Context, at Endpoint) (*PeerMeta, error) {
	return p.of(at).Meta(ctx, at)
}

// Execute implements Peer.
func (p Peers) Execute(ctx context.Context, at Endpoint, call Call) (Result, error) {
	return p.of(at).Execute(ctx, at, call)
}

// Render implements Peer.
func (p Peers) Render(ctx context.Context, at Endpoint) (Rendering, error) {
	return p.of(at).Render(ctx, at)
}

// Pass implements Peer.
func (p Peers) Pass(ctx context.Context, at Endpoint, body []byte, key string) (Rendering, error) {
	return p.of(at).Pass(ctx, at, body, key)
}

// Peer speaks to interfaces. Whatever one does, a call is bounded in time and in
// what it reads (an Intake bounds it further), follows no redirect, and goes to no address that only this
// machine's surroundings should reach (link-local, metadata services).
//
// It is safe for concurrent use. Errors are *domain.Error with one of the Peer
// codes below, of category dependency (policy for CodePeerForbidden); their
// messages say what the interface did. They are retriable when nothing was sent,
// and when what only asks wasn't answered. No method makes a call with an effect
// (Execute, Pass) twice.
type Peer interface {
	// Health asks GET /health; an answer whose status isn't "ok" is an error.
	Health(ctx context.Context, at Endpoint) (PeerHealth, error)
	// Capabilities asks GET /capabilities. What it returns has passed
	// domain.CheckTools.
	Capabilities(ctx context.Context, at Endpoint) ([]domain.Tool, error)
	// Meta asks GET /meta; nil when the interface has none (404).
	Meta(ctx context.Context, at Endpoint) (*PeerMeta, error)
	// Execute posts to /execute, with key as Idempotency-Key. An answer that
	// carries an error is a result, not an error. After CodePeerUnknown the call
	// may or may not have had its effect.
	Execute(ctx context.Context, at Endpoint, call Call) (Result, error)
	// Render asks GET / for the interface's page.
	Render(ctx context.Context, at Endpoint) (Rendering, error)
	// Pass posts a body to /execute, with key as Idempotency-Key, and returns the
	// answer unchanged, for a page of the interface's own.
	Pass(ctx context.Context, at Endpoint, body []byte, key string) (Rendering, error)
}

// Intake bounds what a Peer takes in of the answers to the calls made with a context.
// Where there is none, the peer's own bounds hold.
type Intake struct {
	Bytes int64 // of an answer; 0 is the peer's own bound
	Parts int   // of an answer in JSON, as domain.Parts counts them; 0 likewise
	// Take is called before so much more memory is used, while an answer comes and before
	// it is decoded. Its error ends the call with its code. nil takes everything.
	Take func(bytes int64) error
}

type intakeKey struct{}

// WithIntake is ctx with an Intake for the calls made with it.
func WithIntake(ctx context.Context, in Intake) context.Context {
	return context.WithValue(ctx, intakeKey{}, in)
}

// IntakeOf is the Intake that ctx carries, or none.
func IntakeOf(ctx context.Context) Intake {
	in, _ := ctx.Value(intakeKey{}).(Intake)
	return in
}

// Codes of what can go wrong with an interface.
const (
	CodePeerUnreachable domain.Code = "unreachable"      // nothing was sent: no connection
	CodePeerForbidden   domain.Code = "address_refused"  // at an address that isn't called
	CodePeerUnknown     domain.Code = "connection_lost"  // it went away, or took too long, after it was asked
	CodePeerStatus      domain.Code = "http_error"       // an HTTP status that isn't a success, redirects included
	CodePeerBadJSON     domain.Code = "bad_json"         // the answer is no JSON
	CodePeerBadShape    domain.Code = "bad_shape"        // JSON of another shape
	CodePeerTooLarge    domain.Code = "answer_too_large" // over the bound
	CodePeerUnhealthy   domain.Code = "unhealthy"        // answers that it isn't well
)

// PerhapsDone reports whether an interface that failed so was asked, and may have done it: what
// it answered instead of a good answer says nothing about that.
func PerhapsDone(code domain.Code) bool {
	switch code {
	case CodePeerUnknown, CodePeerStatus, CodePeerBadJSON, CodePeerBadShape, CodePeerTooLarge:
		return true
	}
	return false
}

// PeerHealth is an interface's answer to /health.
type PeerHealth struct {
	Name    string
	Version string
}

// PeerMeta is an interface's answer to /meta.
type PeerMeta struct {
	Version     string
	Description string
	Author      string
	Scopes      domain.Scopes
	Raw         json.RawMessage // all of it, as it came
}

// Call is one invocation of a tool.
type Call struct {
	Capability string
	Params     json.RawMessage
	Key        string // the invocation's id
	// Lineage is of what the call causes: a program that is called makes calls of its own in the
	// same trace. Zero of a call that no invocation is recorded for.
	Lineage domain.Lineage
}

// Result is a tool's answer. Absent members are nil.
type Result struct {
	Text    *string
	Data    json.RawMessage // any JSON, or nil; it may nest deeper than what is recorded
	Error   *string         // the tool's own failure
	Blocks  []domain.Block
	OpenURL *string
	Card    *domain.Card // as it came; it is cleaned before anybody sees it
}

// Rendering is an answer to be handed on.
type Rendering struct {
	MediaType string // application/json or text/html, without parameters
	Body      []byte
}
