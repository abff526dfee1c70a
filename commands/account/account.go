package account

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"sync"

	"chalie/commands"
	"chalie/commands/limit"
	"chalie/domain"
)

// Passwords hashes passwords slowly, on purpose.
type Passwords interface {
	// Hash returns a text that Verify understands, salt and parameters included.
	Hash(ctx context.Context, password string) (string, error)
	// Verify reports whether password made hash. An empty or unreadable hash
	// never matches and costs as much as any other. A full queue is a retriable
	// error.
	Verify(ctx context.Context, hash, password string) (bool, error)
}

// Config has the dependencies of the account commands. All but Interfaces are required.
type Config struct {
	commands.Env
	Book       commands.View[domain.Accounts]
	Applied    commands.Barrier
	Passwords  Passwords
	Interfaces commands.View[domain.Registry] `optional:"yes"` // nil: no interface has a name that a program mustn't have
}

// Accounts lets the operator in, and programs on their behalf.
type Accounts struct {
	cfg      Config
	refusals limit.Refusals

	seen sync.Map // when the program of a token was last heard, since this process began: domain.Principal to domain.Millis

	mu        sync.Mutex
	extending map[domain.SecretHash]struct{}
	shown     map[domain.SecretHash][]domain.Client // that have shown their session's key lately, the latest last
}

// New checks the configuration.
func New(cfg Config) (*Accounts, error) {
	if err := commands.Complete("configure accounts", cfg); err != nil {
		return nil, err
	}
	return &Accounts{cfg: cfg, extending: map[domain.SecretHash]struct{}{}, shown: map[domain.SecretHash][]domain.Client{}}, nil
}

// HasOperator reports whether the account was made.
func (a *Accounts) HasOperator() bool {
	var has bool
	a.cfg.Book.Read(func(s *domain.Accounts) { has = s.Operator != nil })
	return has
}

// Door is the way in which a session was opened.
type Door struct {
	Visitor domain.Visitor
	Keyed   bool // the session is to have a key
}

// Login is an opened session. Secret is its cookie's value, and Key what has to be shown
// beside it; both are told only here.
type Login struct {
	Secret    string
	Key       string // "" when none was asked for
	ExpiresAt domain.Millis
}

// Register makes the one account and logs it in. via says how the right to do
// so was shown: setup_link or socket.
//
// Errors: validation, a conflict when there is an account, and what
// domain.Appender returns.
func (a *Accounts) Register(ctx context.Context, username, password, via string, door Door) (Login, error) {
	// Asked first because hashing is slow, and decided again when it is done.
	if _, _, err := a.decideRegister(username, "", via); err != nil {
		return Login{}, err
	}
	if err := domain.CheckCredentials(username, password); err != nil {
		return Login{}, err
	}
	if err := CheckPassword(password); err != nil {
		return Login{}, err
	}
	hash, err := a.cfg.Passwords.Hash(ctx, password)
	if err != nil {
		return Login{}, err
	}
	registered, through, err := a.decideRegister(username, hash, via)
	if err != nil {
		return Login{}, err
	}
	lineage := a.cfg.Begin(domain.PrincipalOperator)
	first, err := commands.EntryOf(a.cfg.Env, lineage, "api", registered)
	if err != nil {
		return Login{}, err
	}
	login, second, err := a.open(domain.Continue(first.Envelope), door)
	if err != nil {
		return Login{}, err
	}
	err = a.append(ctx, domain.Batch{
		Entries:    []domain.Entry{first, second},
		Conditions: []domain.Condition{{Key: registered.Keys()[0], After: through}},
	})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return Login{}, &domain.Error{Op: "register", Category: domain.Conflict, Code: "account_exists", Err: err,
			Message: "somebody made the account at the same moment: log in instead"}
	}
	if err != nil {
		return Login{}, err
	}
	return login, nil
}

func (a *Accounts) decideRegister(username, hash, via string) (e domain.OperatorRegistered, through domain.Position, err error) {
	a.cfg.Book.Read(func(s *domain.Accounts) {
		through = s.Through
		e, err = s.Register(username, hash, via)
	})
	return e, through, err
}

// LogIn opens a session. A wrong name and a wrong password get the same answer
// after the same work: CodeUnauthenticated.
func (a *Accounts) LogIn(ctx context.Context, username, password string, door Door) (Login, error) {
	operator, through := a.operator()
	hash := operator.PasswordHash
	if !sameName(operator.Username, username) {
		hash = ""
	}
	ok, err := a.verify(ctx, hash, password)
	if err != nil {
		return Login{}, err
	}
	if !ok {
		return Login{}, a.refuse(ctx)
	}
	login, entry, err := a.open(a.cfg.Begin(domain.PrincipalOperator), door)
	if err != nil {
		return Login{}, err
	}
	err = a.append(ctx, domain.Batch{
		Entries:    []domain.Entry{entry},
		Conditions: []domain.Condition{samePassword(through)},
	})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return Login{}, a.refuse(ctx)
	}
	if err != nil {
		return Login{}, err
	}
	return login, nil
}

// sameName compares names without the spaces around them, in constant time. Accounts of
// before may have a name of spaces alone.
func sameName(known, given string) bool {
	exact := commands.SameSecret(known, given)
	return commands.SameSecret(domain.Username(known), domain.Username(given)) || exact
}

// operator is the account, the zero one before it was made, and as of which record.
func (a *Accounts) operator() (known domain.Operator, through domain.Position) {
	a.cfg.Book.Read(func(s *domain.Accounts) {
		if s.Operator != nil {
			known = *s.Operator
		}
		through = s.Through
	})
	return known, through
}

// verify reports whether a password made a hash. It takes as long for one that can't
// have.
func (a *Accounts) verify(ctx context.Context, hash, password string) (bool, error) {
	if len(password) > domain.MaxPasswordBytes {
		hash, password = "", ""
	}
	return a.cfg.Passwords.Verify(ctx, hash, password)
}

// open makes a session and the entry that records it.
func (a *Accounts) open(lineage domain.Lineage, door Door) (Login, domain.Entry, error) {
	login := Login{Secret: commands.NewSecret()}
	var key domain.SecretHash
	if door.Keyed {
		login.Key = commands.NewSecret()
		key = domain.HashSecret(login.Key)
	}
	var opened domain.OperatorLoggedIn
	a.cfg.Book.Read(func(s *domain.Accounts) {
		opened = s.LogIn(domain.HashSecret(login.Secret), key, door.Visitor, a.cfg.Now())
	})
	login.ExpiresAt = opened.ExpiresAt
	entry, err := commands.EntryOf(a.cfg.Env, lineage, "api", opened)
	return login, entry, err
}

// LogOut ends the session of a cookie. Without one there is nothing to do.
func (a *Accounts) LogOut(ctx context.Context, secret string) error {
	var out domain.OperatorLoggedOut
	var ok bool
	a.cfg.Book.Read(func(s *domain.Accounts) { out, ok = s.LogOut(domain.HashSecret(secret)) })
	if !ok {
		return nil
	}
	entry, err := commands.EntryOf(a.cfg.Env, a.cfg.Begin(domain.PrincipalOperator), "api", out)
	if err != nil {
		return err
	}
	return a.append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
}

// append writes and waits until the fold knows it: what a caller was told must
// hold for its very next request.
func (a *Accounts) append(ctx context.Context, b domain.Batch) error {
	receipt, err := a.cfg.Log.Append(ctx, b)
	if err != nil {
		return err
	}
	return a.cfg.Applied.WaitFor(ctx, receipt.Positions[len(receipt.Positions)-1])
}

// NewDevice is a text by which a client shows from now on that it was logged in once; "" before there is a password. It is signed with the stored hash of the
// password: nothing has to be kept of it, a restart forgets none, and another password
// ends them all.
func (a *Accounts) NewDevice() string {
	id := commands.NewSecret()
	sum := a.deviceSum(id)
	if sum == "" {
		return ""
	}
	return id + "." + sum
}

// Device is the name of a known device by its text; false for any other.
func (a *Accounts) Device(text string) (id string, known bool) {
	id, sum, _ := strings.Cut(text, ".")
	want := a.deviceSum(id)
	return id, want != "" && commands.SameSecret(want, sum)
}

func (a *Accounts) deviceSum(id string) string {
	operator, _ := a.operator()
	if operator.PasswordHash == "" {
		return ""
	}
	mac := hmac.New(sha256.New, []byte(operator.PasswordHash))
	mac.Write([]byte("device " + id))
	return hex.EncodeToString(mac.Sum(nil))
}

// maxShown bounds the clients of a session that are remembered to have shown its key.
// They are not recorded: after a start a page shows it again before it loads anything.
const maxShown = 16

// Used takes note of how a valid session's cookie came, and from whom. Where the person
// is to be told of it, that is recorded when this returns; after an error the next use
// records it.
func (a *Accounts) Used(ctx context.Context, secret string, use domain.Use, who domain.Visitor) error {
	hash := domain.HashSecret(secret)
	if use == domain.Keyed {
		a.shows(hash, who.Client())
		return nil
	}
	var found domain.SessionUsedElsewhere
	var told bool
	var through domain.Position
	known := a.shownBy(hash)
	a.cfg.Book.Read(func(s *domain.Accounts) {
		found, told = s.Elsewhere(hash, use, who, known)
		through = s.Through
	})
	if !told {
		return nil
	}
	entry, err := commands.EntryOf(a.cfg.Env, a.cfg.Begin(domain.PrincipalCore), "api", found)
	if err != nil {
		return err
	}
	err = a.append(ctx, domain.Batch{
		Entries:    []domain.Entry{entry},
		Conditions: []domain.Condition{{Key: found.Keys()[0], After: through}},
	})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return nil // at the same moment something else was recorded of it; the next use finds out
	}
	return err
}

// shows remembers that a client showed the key of a session.
func (a *Accounts) shows(session domain.SecretHash, who domain.Client) {
	a.mu.Lock()
	defer a.mu.Unlock()
	known := a.shown[session]
	if len(known) > 0 && known[len(known)-1] == who {
		return
	}
	if known == nil {
		a.forgetEnded()
	}
	known = append(slices.DeleteFunc(slices.Clone(known), func(c domain.Client) bool { return c == who }), who)
	a.shown[session] = known[max(0, len(known)-maxShown):]
}

// forgetEnded drops what was remembered of sessions that are over.
func (a *Accounts) forgetEnded() {
	a.cfg.Book.Read(func(s *domain.Accounts) {
		for session := range a.shown {
			if _, open := s.Sessions[session]; !open {
				delete(a.shown, session)
			}
		}
	})
}

func (a *Accounts) shownBy(session domain.SecretHash) []domain.Client {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.shown[session]
}

// Unseen are the uses of sessions elsewhere that the person hasn't seen, the oldest first.
func (a *Accounts) Unseen() (unseen []domain.UsedElsewhere) {
	a.cfg.Book.Read(func(s *domain.Accounts) { unseen = slices.Clone(s.Unseen) })
	return unseen
}

// EndElsewhere shuts out the session that was used so, if it is still open, and notes
// that the person knows of every such use of it. Errors as of SeeElsewhere.
func (a *Accounts) EndElsewhere(ctx context.Context, id domain.ID) error {
	unseen := a.Unseen()
	i := slices.IndexFunc(unseen, func(u domain.UsedElsewhere) bool { return u.EnvelopeID == id })
	if i < 0 {
		return a.SeeElsewhere(ctx, id) // which says so
	}
	session := unseen[i].Session
	if a.SessionOpen(session) {
		// If something ended it meanwhile, the request is fulfilled.
		err := a.EndSession(ctx, domain.OpenSession{Hash: session}.ID())
		if err != nil && domain.CategoryOf(err) != domain.NotFound {
			return err
		}
	}
	for _, u := range unseen {
		if u.Session != session {
			continue
		}
		if err := a.SeeElsewhere(ctx, u.EnvelopeID); err != nil && domain.CategoryOf(err) != domain.NotFound {
			return err
		}
	}
	return nil
}

// SeeElsewhere notes that the person knows of one. Errors: not found when it doesn't
// wait, and what domain.Appender returns.
func (a *Accounts) SeeElsewhere(ctx context.Context, id domain.ID) error {
	var seen domain.SessionElsewhereSeen
	var err error
	a.cfg.Book.Read(func(s *domain.Accounts) { seen, err = s.SeeElsewhere(id) })
	if err != nil {
		return err
	}
	entry, err := commands.EntryOf(a.cfg.Env, a.cfg.Begin(domain.PrincipalOperator), "api", seen)
	if err != nil {
		return err
	}
	return a.append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
}

// refuse records a failed login, at once or in the next minute's count, and
// returns the answer to it.
func (a *Accounts) refuse(ctx context.Context) error {
	// A failure keeps the count; the stranger is refused all the same.
	_ = a.countRefused(ctx, 1, false)
	return &domain.Error{Op: "log in", Code: domain.CodeUnauthenticated, Message: "Invalid credentials"}
}

func (a *Accounts) countRefused(ctx context.Context, n int, always bool) error {
	return a.refusals.Record(n, a.cfg.Now(), always, func(r limit.Refused) error {
		entry, err := commands.EntryOf(a.cfg.Env, a.cfg.Begin(domain.PrincipalCore), "api", domain.OperatorLoginRefused{Count: r.Count, Since: r.Since})
		if err != nil {
			return err
		}
		_, err = a.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
		return err
	})
}

// Run records once a minute how many logins were refused, until ctx ends, and
// then what is left. It returns the error of that last record. Run it before
// the log closes, and wait for it to return.
func (a *Accounts) Run(ctx context.Context) error {
	return limit.EveryMinute(ctx, func(ctx context.Context, always bool) error { return a.countRefused(ctx, 0, always) })
}
