// Package intake takes in commands of programs that name their envelopes themselves: with an
// envelope_id, a trace_id and a parent_id of their own, a source and a principal.
//
// Each is recorded as command.received, under an id of Chalie's, in the trace and under the
// parent that its sender named; what the sender calls it by is an alias, which means something for
// that sender alone. What it asks for is
// recorded beneath it, or, where that opens an episode, above it. A command that comes again
// is found by its alias, and answered with what the log has of the first; one with another body
// is a conflict.
//
// A sender's commands with one envelope_id wait for each other. Since one process writes a log, that and the
// alias are enough for a command to happen once: no condition in the log is needed, and no
// random key. After a crash what a command had begun is found beneath it.
package intake

import (
	"context"
	"fmt"
	"strings"

	"chalie/commands"
	"chalie/commands/limit"
	"chalie/domain"
)

// Aliases finds what a program calls things by. Errors are those of its store.
type Aliases interface {
	Envelope(sender domain.Principal, foreign string) (domain.ID, bool, error)
	Trace(sender domain.Principal, foreign string) (domain.ID, bool, error)
	Invocation(sender domain.Principal, foreign string) (domain.ID, bool, error)
}

// Config has the dependencies. All are required.
type Config struct {
	commands.Env
	Aliases Aliases
	Applied commands.Barrier // of Aliases
}

// Intake takes in commands. It is safe for concurrent use.
type Intake struct {
	cfg      Config
	requests *commands.Requests
	rate     *limit.Limiter
}

// MaxPerMinute bounds the commands of one program: each is recorded.
const MaxPerMinute = 600

// New checks the configuration.
func New(cfg Config) (*Intake, error) {
	if err := commands.Complete("configure intake", cfg); err != nil {
		return nil, err
	}
	return &Intake{cfg, commands.NewRequests(cfg.Reader, cfg.Clock, cfg.IDs), limit.NewLimiter(MaxPerMinute)}, nil
}

// Command is one that was let in.
type Command struct {
	domain.CommandReceived

	ID      domain.ID      // of its envelope
	Lineage domain.Lineage // of its envelope; without a parent it opens its trace
	Within  domain.ID      // the invocation that it is a part of; none otherwise

	Envelope domain.Envelope // as it is recorded; zero before
	Repeated bool            // it was recorded before
}

// Fresh reports whether nothing is known yet of the trace that the sender named.
func (c *Command) Fresh() bool { return c.Lineage.Trace.ID == c.ID }

// Principal returns a policy error when a caller names another principal than itself.
func Principal(c commands.Caller, named string) error {
	id, err := domain.ParseID(named)
	own, ownErr := domain.ParseID(string(c.Principal))
	switch {
	case named == "" || named == string(c.Principal):
		return nil
	case !c.Operator && (named == c.Name || err == nil && ownErr == nil && id == own):
		return nil
	}
	return &domain.Error{Op: "receive command", Category: domain.Policy, Code: "other_principal", Field: "principal",
		Message: fmt.Sprintf("%s may not speak as %.64q: name %s, or show the token of whom you name", c.Name, named, c.Principal)}
}

// Reads lets a request in that changes nothing, and isn't recorded. Errors: validation; policy, of
// another's principal or trace; and those of the log. A program that was let in reads in the trace of
// the call that it carries out, whoever made that.
func (i *Intake) Reads(ctx context.Context, c commands.Caller, asked domain.CommandReceived) error {
	if err := asked.Check(); err != nil {
		return err
	}
	if err := Principal(c, asked.Principal); err != nil {
		return err
	}
	if _, err := domain.ParseID(string(c.Principal)); err == nil {
		return nil
	}
	trace, known, err := i.trace(ctx, c, asked.TraceID)
	if err == nil && known && !c.Owns(trace) {
		err = otherPrincipals("trace_id", c)
	}
	return err
}

// Enter lets a command in, and waits until no other with its envelope_id is under way, for
// commands.RepeatWithin: so release must be called, and may be as soon as a repeat can tell what there is to tell.
// Nothing is recorded yet. Of a command that an earlier build recorded, former is the hash that it would
// have made of this request.
//
// Errors: commands.CodeUnderWay; validation; policy, of another's principal, trace or parent; not found, of a parent or a
// parent invocation that isn't there; CodeRateLimited; conflict, of an envelope_id that came with another body or
// from somebody else, or an invocation_id that is known; and those of the log.
func (i *Intake) Enter(ctx context.Context, c commands.Caller, asked domain.CommandReceived, former func(was domain.CommandReceived) string) (_ *Command, release func(), err error) {
	release = func() {}
	if err := asked.Check(); err != nil {
		return nil, release, err
	}
	if err := Principal(c, asked.Principal); err != nil {
		return nil, release, err
	}
	if strings.HasPrefix(asked.Source, "interface/") && asked.Source != string(c.Source) {
		return nil, release, domain.Invalid("receive command", "source", "a source that begins with interface/ is an interface's: give another")
	}
	if !c.Operator {
		now := i.cfg.Now()
		if granted, wait := i.rate.Reserve(c.Principal, 1, now); granted < 1 {
			return nil, release, i.rate.TooMany("receive command", "commands", wait)
		}
		i.rate.Settle(c.Principal, 1, now)
	}
	asked.Sender = c.Principal
	if asked.EnvelopeID != "" {
		if release, err = i.requests.EnterWithin(ctx, commandKey(c, asked), commands.RepeatWithin); err != nil {
			return nil, func() {}, err
		}
	}
	out, err := i.enter(ctx, c, asked, former)
	if err != nil {
		release()
		return nil, func() {}, err
	}
	return out, release, nil
}

func commandKey(c commands.Caller, asked domain.CommandReceived) domain.Key {
	return domain.Key("command/" + string(c.Principal) + "/" + domain.ForeignID(asked.EnvelopeID).String())
}

func (i *Intake) enter(ctx context.Context, c commands.Caller, asked domain.CommandReceived, former func(domain.CommandReceived) string) (*Command, error) {
	if err := i.cfg.Applied.WaitFor(ctx, i.cfg.Tail.Tail()); err != nil {
		return nil, err
	}
	if before, err := i.before(ctx, c, asked, former); before != nil || err != nil {
		return before, err
	}
	if asked.InvocationID != "" {
		if _, known, err := i.alias(ctx, c, i.cfg.Aliases.Invocation, asked.InvocationID); known || err != nil {
			return nil, orConflict(err, "invocation_id", "invocation_id names an invocation that was asked for before: give a new one")
		}
	}
	out := &Command{CommandReceived: asked, ID: i.cfg.IDs.NewID()}
	return out, i.place(ctx, c, out)
}

func orConflict(err error, field, message string) error {
	if err != nil {
		return err
	}
	return &domain.Error{Op: "receive command", Category: domain.Conflict, Code: domain.Code(field) + "_reused", Field: field, Message: message}
}

// alias is what a caller calls something by, as it does now, or as it did under an earlier build,
// which knew it otherwise.
func (i *Intake) alias(ctx context.Context, c commands.Caller, find func(domain.Principal, string) (domain.ID, bool, error), foreign string) (domain.ID, bool, error) {
	id, known, err := find(c.Principal, foreign)
	was, after, formerly := c.Former()
	if known || err != nil || !formerly {
		return id, known, err
	}
	if id, known, err = find(was.Principal, foreign); !known || err != nil {
		return id, known, err
	}
	rec, err := i.cfg.Reader.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		return domain.ID{}, false, nil
	}
	// Another may have had the name before.
	return id, rec.Position > after, err
}

// before is the command as it came before; nil when it didn't.
func (i *Intake) before(ctx context.Context, c commands.Caller, asked domain.CommandReceived, former func(domain.CommandReceived) string) (*Command, error) {
	if asked.EnvelopeID == "" {
		return nil, nil
	}
	id, known, err := i.alias(ctx, c, i.cfg.Aliases.Envelope, asked.EnvelopeID)
	if err != nil || !known {
		return nil, err
	}
	rec, err := i.cfg.Reader.Find(ctx, id)
	if err != nil {
		return nil, err
	}
	was, err := domain.Decode[domain.CommandReceived](rec.Envelope)
	if err != nil || !c.Is(was.Sender, rec.Position) || was.Route != asked.Route || was.BodyHash != asked.BodyHash && was.BodyHash != former(was) {
		return nil, orConflict(nil, "envelope_id", "this envelope_id came with another request: give a new request a new one")
	}
	e := rec.Envelope
	out := &Command{CommandReceived: was, ID: e.ID, Envelope: e, Repeated: true, Lineage: domain.Lineage{Trace: e.Trace, Parent: e.Parent, Principal: e.Principal}}
	if was.ParentInvocationID != "" {
		out.Within, _, err = i.invocation(ctx, c, was.ParentInvocationID)
	}
	return out, err
}

// place finds the trace and the parent of a command.
func (i *Intake) place(ctx context.Context, c commands.Caller, out *Command) error {
	trace, known, err := i.trace(ctx, c, out.TraceID)
	if err != nil {
		return err
	}
	if known && !c.Owns(trace) && !c.Operator {
		known = false // of what isn't theirs no program learns that it is there
	}
	nested := out.ParentInvocationID != ""
	if nested {
		within, outer, err := i.invocation(ctx, c, out.ParentInvocationID)
		if err != nil {
			return err
		}
		if err := mayNest(c, outer); err != nil {
			return err
		}
		if known && trace.Envelope.Trace != outer.Envelope.Trace {
			return domain.Invalid("receive command", "trace_id", "trace_id is not that of the parent invocation: give the one that came with the call")
		}
		out.Within, trace, known = within, outer, true
	}
	out.Lineage = domain.Lineage{Trace: domain.TraceID{ID: out.ID}, Principal: c.Principal}
	if known {
		if !nested && !c.Owns(trace) {
			return otherPrincipals("trace_id", c)
		}
		out.Lineage = domain.Continue(trace.Envelope)
	}
	if out.ParentID == "" {
		return nil
	}
	parent, err := i.envelope(ctx, c, out.ParentID)
	if err != nil {
		return err
	}
	if !c.Owns(parent) && (!nested || parent.Envelope.Principal != out.Lineage.Principal) {
		return notTheirs(c, "parent_id", noParent)
	}
	out.Lineage.Parent = parent.Envelope.ID
	return nil
}

// notTheirs refuses what belongs to somebody else. A program is told as if it weren't there.
func notTheirs(c commands.Caller, field, unknown string) error {
	if c.Operator {
		return otherPrincipals(field, c)
	}
	return missing(&domain.Error{Category: domain.NotFound}, field, unknown)
}

func otherPrincipals(field string, c commands.Caller) error {
	return &domain.Error{Op: "receive command", Category: domain.Policy, Code: "other_principal", Field: field,
		Message: fmt.Sprintf("%s belongs to an episode of somebody else, and %s may not go on with it: begin one of your own with a new trace_id", field, c.Name)}
}

// mayNest lets a caller ask for something within an invocation of its own, or one that its
// tool carries out.
func mayNest(c commands.Caller, outer domain.Record) error {
	if c.Owns(outer) {
		return nil
	}
	asked, err := domain.Decode[domain.ToolInvoked](outer.Envelope)
	own, idErr := domain.ParseID(string(c.Principal))
	if err != nil || idErr != nil || asked.InterfaceID != own {
		return notTheirs(c, "parent_invocation_id", noInvocation)
	}
	return nil
}

// trace is the record that opened the trace that a sender names; false of one that nothing
// is known of.
func (i *Intake) trace(ctx context.Context, c commands.Caller, named string) (domain.Record, bool, error) {
	if named == "" {
		return domain.Record{}, false, nil
	}
	id, known, err := i.alias(ctx, c, i.cfg.Aliases.Trace, named)
	if err != nil {
		return domain.Record{}, false, err
	}
	if !known {
		id = domain.ForeignID(named)
	}
	records, err := i.cfg.Reader.Select(ctx, domain.Selector{Trace: domain.TraceID{ID: id}}, 1, 1)
	if err != nil || len(records) == 0 {
		return domain.Record{}, false, err
	}
	return records[0], true, nil
}

const (
	noParent     = "parent_id names no envelope that Chalie knows: give one that it was sent or that it sent, or none"
	noInvocation = "parent_invocation_id names no invocation that Chalie knows: give the one that you are carrying out, or none"
)

// envelope is the one that a sender names.
func (i *Intake) envelope(ctx context.Context, c commands.Caller, named string) (domain.Record, error) {
	id, known, err := i.alias(ctx, c, i.cfg.Aliases.Envelope, named)
	if err != nil {
		return domain.Record{}, err
	}
	if !known {
		id = domain.ForeignID(named)
	}
	rec, err := i.cfg.Reader.Find(ctx, id)
	return rec, missing(err, "parent_id", noParent)
}

// invocation is the one that a sender names, with its tool.invoked.
func (i *Intake) invocation(ctx context.Context, c commands.Caller, named string) (domain.ID, domain.Record, error) {
	id, known, err := i.alias(ctx, c, i.cfg.Aliases.Invocation, named)
	if err != nil {
		return id, domain.Record{}, err
	}
	if !known {
		id = domain.ForeignID(named)
	}
	rec, err := i.cfg.Reader.Find(ctx, id)
	if err == nil && rec.Envelope.Type != domain.ToolInvokedType {
		err = &domain.Error{Category: domain.NotFound}
	}
	return id, rec, missing(err, "parent_invocation_id", noInvocation)
}

func missing(err error, field, message string) error {
	if domain.CategoryOf(err) != domain.NotFound {
		return err
	}
	return &domain.Error{Op: "receive command", Category: domain.NotFound, Code: domain.Code("no_such_" + strings.TrimSuffix(field, "_id")), Field: field, Message: message}
}

// Entry is the envelope of a command, at the place that lineage says.
func (i *Intake) Entry(c commands.Caller, cmd *Command, lineage domain.Lineage) (domain.Entry, error) {
	source := c.Source
	if c.Operator && cmd.Source != "" {
		source = domain.Source(cmd.Source)
	}
	entry, err := domain.New(lineage, cmd.ID, i.cfg.Now(), source, cmd.CommandReceived)
	cmd.Envelope = entry.Envelope
	return entry, err
}

// Record records a command that wasn't, with what goes with it. Errors are those of the log.
func (i *Intake) Record(ctx context.Context, c commands.Caller, cmd *Command, with func(command domain.Envelope) ([]domain.Entry, []domain.Condition, error)) error {
	entry, err := i.Entry(c, cmd, cmd.Lineage)
	if err != nil {
		return err
	}
	batch := domain.Batch{Entries: []domain.Entry{entry}}
	if with != nil {
		more, conditions, err := with(entry.Envelope)
		if err != nil {
			cmd.Envelope = domain.Envelope{}
			return err
		}
		batch.Entries, batch.Conditions = append(batch.Entries, more...), conditions
	}
	if _, err = i.cfg.Log.Append(ctx, batch); err != nil {
		cmd.Envelope = domain.Envelope{}
	}
	return err
}

// Refused keeps what a recorded command was refused with, so that a repeat is answered the same.
func (i *Intake) Refused(ctx context.Context, cmd *Command, body string) error {
	entry, err := domain.New(domain.Continue(cmd.Envelope), i.cfg.IDs.NewID(), i.cfg.Now(), cmd.Envelope.Source, domain.RequestAnswered{
		Route: cmd.Route, BodyHash: cmd.BodyHash, Status: 200, Body: body,
	})
	if err != nil {
		return err
	}
	_, err = i.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	return err
}

// Beneath is what was recorded directly because of a command, of one type; false without any.
func (i *Intake) Beneath(ctx context.Context, cmd *Command, of domain.EventType) (domain.Envelope, bool, error) {
	const few = 16
	records, err := i.cfg.Reader.Select(ctx, domain.Selector{Parent: cmd.ID}, 1, few)
	for _, rec := range records {
		if rec.Envelope.Type == of {
			return rec.Envelope, true, err
		}
	}
	return domain.Envelope{}, false, err
}

// NewID is an id for what a command asks for.
func (i *Intake) NewID() domain.ID { return i.cfg.IDs.NewID() }
