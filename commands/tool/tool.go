package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"chalie/commands"
	"chalie/commands/limit"
	"chalie/domain"
)

// toolsSource emits what happens to an invocation, policySource the decisions.
const (
	toolsSource  domain.Source = "tools"
	policySource domain.Source = "policy"
)

// DefaultWithin bounds the time of a call.
const DefaultWithin = 15 * time.Second

// MaxPassedPerMinute bounds the calls that one interface's pages make to it while
// nobody is logged in, together with the invocations that it, or a program, asks
// for with its token. Of a process: nothing is lost when it begins anew.
const MaxPassedPerMinute = 100

// MaxPressedPerMinute bounds the calls that one interface's page makes to it in a
// person's browser. A page asks by itself, too, and each call is four records.
const MaxPressedPerMinute = 120

// Config has the dependencies of the tool commands. All fields but Within, Governed,
// Volume, Until, Skills, Formats, Zone and Params are required.
type Config struct {
	commands.Env
	Book        commands.View[domain.Registry]
	Invocations commands.View[domain.Invocations]
	Applied     commands.Barrier // of Invocations; only Recover waits for it
	Peer        commands.Peer
	Regime      domain.Regime
	Tokens      Tokens
	Governed    commands.Barrier `optional:"yes"` // of Regime, which must have caught up before it decides; nil when it is never behind
	Cards       CardCleaner      `optional:"yes"` // nil: cards are left out
	Within      time.Duration    // for one call; 0 is DefaultWithin
	Volume      *limit.Volume    `optional:"yes"` // bounds what the calls of programs and of pages take in the log; nil doesn't
	Until       context.Context  `optional:"yes"` // no call is waited for after its end; nil doesn't end

	// Skills are what Chalie itself can do; they are offered beside the interfaces'
	// tools. Zone is the person's, for them: nil, or nil of it, is UTC.
	Skills []Skill
	// Formats checks answers; nil checks none.
	Formats Formats               `optional:"yes"`
	Zone    func() *time.Location `optional:"yes"`
	// Params are those in force; nil: domain.DefaultParams.
	Params func(context.Context) domain.Params `optional:"yes"`
}

// Validate returns a validation error about the first field that is wrong.
func (c Config) Validate() error {
	const op = "configure tools"
	if err := commands.Complete(op, c); err != nil {
		return err
	}
	if c.Within < 0 {
		return domain.Invalid(op, "Within", fmt.Sprintf("Within is %s: give 0 for %s, or more", c.Within, DefaultWithin))
	}
	return nil
}

// Tools invokes what interfaces offer and what Chalie itself can do. It is safe for
// concurrent use.
//
// An invocation is a trace of its own, or a part of the one that caused it:
//
//	tool.invoked ← policy.decided ← tool.dispatched ← its end
//
// with the end tool.completed, tool.failed or tool.outcome_unknown. Each step
// is in the log before what it announces happens, and is appended on the
// condition that the step before was the last, so no invocation ends twice. A
// call is made once and never again, whatever its result.
type Tools struct {
	cfg     Config
	own     ownSkills
	passed  *limit.Limiter // calls of interfaces' own pages, and of programs
	pressed *limit.Limiter // calls of interfaces' pages in a person's browser

	requests *commands.Requests // invocations with a Key, one at a time for each

	governed atomic.Bool // the regime has caught up with what an earlier process recorded

	unstored unstored // the secrets in what waits for the person

	mu      sync.Mutex
	running map[domain.ID]struct{}                // invocations that Invoke will end
	calls   map[domain.ID]context.CancelCauseFunc // those under way that can be ended
	slow    map[string]bool                       // by capability: the last call took a moment
}

// New checks the configuration. At the start Recover ends what an earlier
// process left open.
func New(cfg Config) (*Tools, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Within == 0 {
		cfg.Within = DefaultWithin
	}
	if cfg.Until == nil {
		cfg.Until = context.Background()
	}
	if cfg.Params == nil {
		cfg.Params = func(context.Context) domain.Params { return domain.DefaultParams() }
	}
	own, err := newOwn(cfg.Skills)
	if err != nil {
		return nil, err
	}
	return &Tools{
		cfg: cfg, own: own, running: map[domain.ID]struct{}{}, calls: map[domain.ID]context.CancelCauseFunc{}, slow: map[string]bool{}, passed: limit.NewLimiter(MaxPassedPerMinute), pressed: limit.NewLimiter(MaxPressedPerMinute),
		requests: commands.NewRequests(cfg.Reader, cfg.Clock, cfg.IDs),
	}, nil
}

// Offers are the tools that can be invoked now, by name.
func (t *Tools) Offers() (offers []domain.Offer) {
	t.cfg.Book.Read(func(r *domain.Registry) { offers = r.OffersBeside(t.own.face) })
	return offers
}

// Offer finds a tool by a name. Errors: domain.ResolveOffer's.
func (t *Tools) Offer(name string) (offer domain.Offer, err error) {
	t.cfg.Book.Read(func(r *domain.Registry) { offer, err = r.ResolveOfferBeside(t.own.face, name) })
	return offer, err
}

// capabilities are the ids of all that is known, what is offline or waits for the
// person's approval included.
func (t *Tools) capabilities() (ids []string) {
	faces := []*domain.Interface{}
	if t.own.face != nil {
		faces = append(faces, t.own.face)
	}
	t.cfg.Book.Read(func(r *domain.Registry) {
		for _, face := range append(faces, r.Listed()...) {
			for _, tool := range face.Tools {
				ids = append(ids, domain.Offer{Tool: tool, Interface: face}.CapabilityID())
			}
		}
	})
	return ids
}

// Manifest is the manifest of a tool under the policy in force.
func (t *Tools) Manifest(o domain.Offer) domain.Manifest { return t.cfg.Regime.Manifest(o) }

// Said is what the person says of a tool, in place of what it says of itself, as far as it counts.
func (t *Tools) Said(o domain.Offer) domain.CapabilityChanged {
	said, _ := t.cfg.Regime.SaidOf(o)
	return said
}

// WhenSaid is what the policy in force answers when the person's own sentence asks for a
// tool.
func (t *Tools) WhenSaid(o domain.Offer) domain.PolicyDecided {
	return domain.AskedInWords(t.cfg.Regime, t.Manifest(o))
}

// Invocation is a request to invoke a tool.
type Invocation struct {
	Tool    string          // a name as Offers gives it, or a qualified one
	Params  json.RawMessage // a JSON object; none is an empty one
	Channel string          // through what it was asked for; "" is the caller's source
	Parent  domain.ID       // the envelope that caused it, whose trace it joins; none opens one
	// Key is the Idempotency-Key that the caller chose, at most MaxRequestKeyBytes;
	// "" for none. With one, the same caller's invocation of the same tool happens
	// once in the time that requests are Remembered.
	Key string
	// Command is the request that asks for it under ids of its sender's own, as it was recorded:
	// its parent, in its trace. ID is then the invocation's. Zero of anything else.
	Command domain.Envelope
	ID      domain.ID
	// Unconfirmed says that the person was not asked, so that no rule takes the request for an
	// approval.
	Unconfirmed bool
	// CallKey is the key of an episode's tool call, for Call alone.
	CallKey domain.Key
	// Withheld are the kinds of secrets that were taken out of Params before they came
	// here, of a tool call of an episode.
	Withheld []string
	// Footing is that of an episode's tool call; nil for anything else.
	Footing *domain.Footing
	// FromNowOn says that the person's yes to this call is for the future, too: the tool
	// is then done without a question.
	FromNowOn bool
	// Along says that another call of the same reply waits for the person, so that this one is only
	// asked about with it: unless it has to be approved nothing of it is recorded or done, and Call
	// returns the zero Invoked.
	Along bool
	// Cancelled says that the person cancelled the episode of the tool call: a call that
	// has not left is then not made.
	Cancelled bool
	// GivenUp says that the episode of the tool call couldn't be read: nothing more is done
	// for it, and what is under way is ended as it is.
	GivenUp bool
}

// Invoked is the result of an invocation.
type Invoked struct {
	ID domain.ID // the invocation's; the call's Idempotency-Key is its UUID
	// Outcome is the type of its end: tool.completed, tool.failed or
	// tool.outcome_unknown. It is approval.proposed of one that waits for the person.
	Outcome domain.EventType
	// Result is the tool's answer. Its Error is never nil when there is no good
	// one: it then says why, in words for a person.
	Result commands.Result
	// Fault is the same for a machine; nil when the tool did what it was asked.
	// Its category is policy when the invocation was denied.
	Fault *domain.Fault
	// ExpiresAt is until when it waits for the person; 0 for one that doesn't.
	ExpiresAt domain.Millis
	// Issues are the ways in which the answer doesn't fit the tool's declaration.
	Issues []string
	// Replayed says that an earlier invocation with the same Key ended like this,
	// and nothing happened now.
	Replayed bool
}

// Invoke judges an invocation, makes the call and returns the result. It
// returns when the end is recorded. An invocation that fails, is denied or whose
// unknown outcome is no error: its Fault says so.
//
// Once it is recorded it gets an end even if ctx ends: one that was not
// dispatched by then isn't, and a call that left is waited for, within the bound and Until.
//
// Errors, before anything was recorded: domain.ResolveOffer's; validation, which
// names the parameters that are wrong; not found, of a parent that isn't there; policy,
// of a parent with another principal. Of the log: what
// domain.Appender returns, and then nothing was sent. If the call was made and its
// end can't be recorded, CodeOutcomeUnknown, terminal: the next start will
// record the outcome as unknown, and repeating it may do things twice. The ID is set
// in the errors of the log.
//
// With a Key that came before, also before a restart, it returns the result of the
// first invocation, whatever that was; one that was left without an end gets it
// now, and while it is under way it is waited for, within the bound. Further
// errors then: validation of a Key that is too long; conflict, when the key came
// with other parameters ("key_reused"), or, retriable, when the bound was reached
// ("under_way").
func (t *Tools) Invoke(ctx context.Context, c commands.Caller, in Invocation) (Invoked, error) {
	if in.Key != "" {
		return t.invokeOnce(ctx, c, in)
	}
	return t.invoke(ctx, c, in, nil)
}

// invoke makes an invocation; with use not nil, only if its key wasn't used yet:
// otherwise the error is CodeConditionFailed, and nothing happened.
func (t *Tools) invoke(ctx context.Context, c commands.Caller, in Invocation, use *once) (Invoked, error) {
	ctx = t.cfg.Act(ctx)
	inv, err := t.judge(ctx, c, in)
	if err != nil {
		return Invoked{}, err
	}
	if err := t.bound(c, in); err != nil {
		return Invoked{}, err
	}
	inv.once, inv.callKey, inv.along = use, in.CallKey, in.Along
	if !c.Operator && in.CallKey == "" {
		inv.bill = t.bill(c)
		defer inv.bill.close()
	}
	// What is replayed from before words were marked had no bound.
	inv.bounded = in.CallKey == "" || in.Footing != nil
	if err := ctx.Err(); err != nil {
		return Invoked{}, notBegun(err)
	}
	defer t.hold(inv.id)()
	if err := t.begin(context.WithoutCancel(ctx), inv); err != nil {
		switch domain.CodeOf(err) {
		case codeTooManyProposals, domain.CodeRateLimited:
			return Invoked{}, err // nothing was recorded
		}
		return Invoked{ID: inv.id}, err
	}
	if inv.last.IsZero() {
		return Invoked{}, nil // its turn hasn't come
	}
	return t.carry(ctx, inv)
}

// bound refuses the calls of a token beyond its rate.
func (t *Tools) bound(c commands.Caller, in Invocation) error {
	if c.Operator || in.CallKey != "" {
		return nil
	}
	return t.count(t.passed, c.Principal)
}

// count takes one call of a caller's rate.
func (t *Tools) count(of *limit.Limiter, who domain.Principal) error {
	if granted, wait := of.Reserve(who, 1, t.cfg.Now()); granted < 1 {
		return of.TooMany("invoke tool", "calls", wait)
	}
	of.Settle(who, 1, t.cfg.Now())
	return nil
}

// hold keeps an invocation from being recovered until what it returns is called.
func (t *Tools) hold(id domain.ID) (release func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.running[id] = struct{}{}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.running, id)
	}
}

func (t *Tools) held(id domain.ID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.running[id]
	return ok
}

func notBegun(cause error) error {
	return &domain.Error{Op: "invoke tool", Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: cause,
		Message: "the invocation was given up before it began; nothing was sent"}
}
