package pairing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/screen"
	"chalie/domain"
)

// PairRequest is an interface's request to pair.
type PairRequest struct {
	Key     string // as it was issued
	Name    string
	Host    string // where it listens: a name or an address, without brackets
	Port    int
	Signals []string // types it will send, beside those its /meta names; may be empty
}

// Paired is an interface after it paired. Token is its bearer token, told only
// here.
type Paired struct {
	ID           domain.ID
	Token        string
	Status       domain.InterfaceStatus
	Capabilities []string // its tools, in its own order
}

// CodePairingFailed is the code of an attempt that used its key and failed.
const CodePairingFailed domain.Code = "pairing_failed"

// Bounds of the work after the caller went away, and of how often an
// append whose outcome is unknown is made again to find out.
const (
	pairingEndsWithin = 10 * time.Second
	unknownAttempts   = 3
)

// Pair lets an interface in: it burns the key, asks the interface how it is and
// what it can do, and makes it known with all of it in one append. Killed at any
// point, the interface is there whole or isn't there.
//
// A place where an interface is known already gets the new one in its stead, with
// an id and a token of its own; the one before ends with its token and tools in the
// same append.
//
// Errors: validation when the request is wrong or its key is no good, which burns
// nothing; validation with CodePairingFailed when the attempt used its key and
// failed, for whatever reason; and, while the key isn't burnt, what domain.Appender
// returns. Every refusal is in the log, those without a valid key as counts.
func (i *Interfaces) Pair(ctx context.Context, req PairRequest) (Paired, error) {
	req.Host = strings.ToLower(req.Host)
	if err := req.check(); err != nil {
		return Paired{}, i.countRefused(ctx, err)
	}
	used, err := i.useKey(ctx, req)
	if err != nil {
		return Paired{}, i.countRefused(ctx, err)
	}
	token := commands.TokenPrefix + commands.NewSecret()
	paired, err := i.meet(ctx, req, domain.HashSecret(token))
	if err != nil {
		return Paired{}, i.fail(ctx, used, req, err)
	}
	return i.let(ctx, used, req, token, paired)
}

// let makes an interface known that has used its key.
func (i *Interfaces) let(ctx context.Context, used domain.Record, req PairRequest, token string, paired domain.InterfacePaired) (Paired, error) {
	entry, err := i.pairedEntry(used, paired)
	if err != nil {
		return Paired{}, i.fail(ctx, used, req, err)
	}
	at, err := i.appendPaired(ctx, used, entry)
	if err != nil {
		return Paired{}, i.fail(ctx, used, req, err)
	}
	if err := i.cfg.Applied.WaitFor(ctx, at); err != nil {
		return Paired{}, &domain.Error{Op: "pair", Category: domain.Dependency, Code: "not_applied", Err: err,
			Message: "the interface was paired, but Chalie's registry doesn't know it yet, so its token can't be handed out: look at the registry's state, and pair it again with a new key"}
	}
	out := Paired{ID: entry.Envelope.ID, Token: token, Status: domain.StatusOnline, Capabilities: namesOf(paired.Tools)}
	return out, nil
}

// Program is what a program that listens nowhere says of itself: it asks for its calls.
type Program struct {
	Name, Version, Description string
	Tools                      []domain.Tool
}

// Check returns a validation error.
func (p Program) Check() error {
	if err := domain.CheckProgram(p.Name, p.Version, p.Description); err != nil {
		return err
	}
	return domain.CheckTools(p.Tools)
}

// PairProgram is Pair for a program that listens nowhere, and so isn't asked: it says what it
// offers. One of the same name is replaced. Errors: as Pair's.
func (i *Interfaces) PairProgram(ctx context.Context, key string, p Program) (Paired, error) {
	req := PairRequest{Key: key, Name: p.Name}
	if err := p.Check(); err != nil {
		return Paired{}, i.countRefused(ctx, err)
	}
	used, err := i.useKey(ctx, req)
	if err != nil {
		return Paired{}, i.countRefused(ctx, err)
	}
	token := commands.TokenPrefix + commands.NewSecret()
	return i.let(ctx, used, req, token, domain.InterfacePaired{
		Name: p.Name, Version: p.Version, Description: p.Description, TokenHash: domain.HashSecret(token).String(),
		Signals: []string{}, Tools: screen.Tools(p.Tools),
	})
}

// Offer takes over what a program offers now. Nothing is recorded when it is what was known.
// Errors: validation; not found; and what domain.Appender returns.
func (i *Interfaces) Offer(ctx context.Context, c commands.Caller, id domain.ID, p Program) error {
	known, err := i.Get(id)
	if err != nil {
		return err
	}
	p.Name = known.Name
	if err := p.Check(); err != nil {
		return err
	}
	return i.changeOffer(ctx, c, id, offered{version: p.Version, tools: screen.Tools(p.Tools)})
}

func (r PairRequest) check() error {
	if err := domain.CheckInterface(r.Name, r.Host, r.Port); err != nil {
		return err
	}
	_, err := domain.DeclareSignals(r.Signals, domain.Scopes{})
	return err
}

// meet asks the interface everything that pairing needs to know.
func (i *Interfaces) meet(ctx context.Context, req PairRequest, token domain.SecretHash) (domain.InterfacePaired, error) {
	o, err := i.ask(ctx, commands.Endpoint{Host: req.Host, Port: req.Port})
	if err != nil {
		return domain.InterfacePaired{}, err
	}
	if err := o.meta.Scopes.Check(); err != nil {
		return domain.InterfacePaired{}, err
	}
	if err := domain.CheckInterface(req.Name, req.Host, req.Port, o.version, o.meta.Description, o.meta.Author); err != nil {
		return domain.InterfacePaired{}, err
	}
	signals, err := domain.DeclareSignals(req.Signals, o.meta.Scopes)
	if err != nil {
		return domain.InterfacePaired{}, err
	}
	return domain.InterfacePaired{
		Name: req.Name, Host: req.Host, Port: req.Port,
		Version: o.version, Description: o.meta.Description, Author: o.meta.Author,
		TokenHash: token.String(), Signals: signals, Tools: o.tools, Scopes: o.meta.Scopes, Meta: o.meta.Raw,
	}, nil
}

func (i *Interfaces) pairedEntry(used domain.Record, paired domain.InterfacePaired) (domain.Entry, error) {
	entry, err := commands.EntryOf(i.cfg.Env, domain.Continue(used.Envelope), sourceAPI, paired)
	if err != nil {
		return domain.Entry{}, err
	}
	entry.Envelope.Keys = append(entry.Envelope.Keys, domain.InterfaceKey(entry.Envelope.ID))
	return entry, fits(entry)
}

// appendPaired makes the interface known, on the condition that nothing else came
// to its place since the attempt began. The caller may go away meanwhile:
// half of a yes is worse than either answer.
func (i *Interfaces) appendPaired(ctx context.Context, used domain.Record, entry domain.Entry) (domain.Position, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pairingEndsWithin)
	defer cancel()
	batch := domain.Batch{
		Entries:    []domain.Entry{entry},
		Conditions: []domain.Condition{{Key: entry.Envelope.Keys[0], After: used.Position}},
	}
	var receipt domain.Receipt
	var err error
	for range unknownAttempts {
		// The same ids again find out whether it is in the log.
		if receipt, err = i.cfg.Log.Append(ctx, batch); domain.CodeOf(err) != domain.CodeOutcomeUnknown {
			break
		}
	}
	switch {
	case domain.CodeOf(err) == domain.CodeConditionFailed:
		return 0, &domain.Error{Op: "pair", Category: domain.Conflict, Code: "place_taken", Err: err,
			Message: "something else was paired or registered there at the same moment"}
	case err != nil:
		return 0, err
	}
	return receipt.Positions[0], nil
}

// fail records why an attempt that used its key came to nothing, as far as the log
// lets it, and returns the answer. The cause is in the answer's message; it is not
// wrapped, since whatever went wrong the key is what has to be got anew.
func (i *Interfaces) fail(ctx context.Context, used domain.Record, req PairRequest, cause error) error {
	reason, detail := causeOf(cause)
	what := "could not be paired: " + detail
	switch {
	case reason == domain.CodeOutcomeUnknown:
		// It may be paired: the log says so then, and nothing here may deny it.
		what = "was paired or wasn't, which nobody knows before the log can be read again: " + detail
	case i.recordFailure(ctx, used, reason, detail) != nil:
		what += " (and the log could not take a note of that)"
	}
	return &domain.Error{Op: "pair", Category: domain.Validation, Code: CodePairingFailed,
		Message: fmt.Sprintf("%s %s. The pairing key is used up: put that right, generate a new key and pair again", req.named(), what)}
}

// named is the interface with its place, if it has one.
func (r PairRequest) named() string {
	if r.Host == "" {
		return r.Name
	}
	return fmt.Sprintf("%s at %s:%d", r.Name, r.Host, r.Port)
}

func (i *Interfaces) recordFailure(ctx context.Context, used domain.Record, reason domain.Code, detail string) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pairingEndsWithin)
	defer cancel()
	entry, err := commands.EntryOf(i.cfg.Env, domain.Continue(used.Envelope), sourceAPI, domain.PairingRefused{
		Reason: string(reason), Detail: detail, Count: 1, Since: i.cfg.Now(),
	})
	if err != nil {
		return err
	}
	_, err = i.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	return err
}

// offered is an interface's own description, when it is asked.
type offered struct {
	version string // "" when it says none
	tools   []domain.Tool
	meta    commands.PeerMeta // zero without one
}

// ask asks an interface how it is, what it can do and who it is. Errors are those
// of Peer.
func (i *Interfaces) ask(ctx context.Context, at commands.Endpoint) (offered, error) {
	health, err := i.cfg.Peer.Health(ctx, at)
	if err != nil {
		return offered{}, err
	}
	tools, err := i.cfg.Peer.Capabilities(ctx, at)
	if err != nil {
		return offered{}, err
	}
	meta, err := i.cfg.Peer.Meta(ctx, at)
	if err != nil {
		return offered{}, err
	}
	if tools == nil {
		tools = []domain.Tool{}
	}
	if meta == nil {
		meta = &commands.PeerMeta{}
	}
	return offered{version: cmp.Or(meta.Version, health.Version), tools: screen.Tools(tools), meta: *meta}, nil
}

// fits judges what an interface offers by what an envelope takes.
func fits(entry domain.Entry) error {
	size := len(entry.Envelope.Payload.Bytes)
	if size <= domain.MaxPayloadBytes {
		return nil
	}
	return &domain.Error{Op: "store capabilities", Category: domain.Dependency, Code: commands.CodePeerTooLarge,
		Message: fmt.Sprintf("what it offers takes %d bytes when stored, the bound is %d: it must describe itself more briefly", size, domain.MaxPayloadBytes)}
}

// causeOf is the code and the text of what went wrong, fit for the log.
func causeOf(err error) (domain.Code, string) {
	var e *domain.Error
	switch {
	case errors.Is(err, context.Canceled):
		return "given_up", "the interface hung up before it was paired"
	case errors.As(err, &e) && e.Message != "": // that it didn't answer in time, too
		return cmp.Or(e.Code, "failed"), e.Message
	case errors.Is(err, context.DeadlineExceeded):
		return "given_up", "it took too long"
	}
	return "failed", "something went wrong inside Chalie"
}

func namesOf(tools []domain.Tool) []string {
	names := make([]string, len(tools))
	for n, t := range tools {
		names[n] = t.Name
	}
	return names
}
