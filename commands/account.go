package commands

import (
	"context"
	"sync"

	"chalie/domain"
)

// Applied waits until the accounts projection has applied a position. It
// returns ctx's error, or why the projection stopped.
type Applied interface {
	WaitFor(ctx context.Context, pos domain.Position) error
}

// Passwords hashes passwords slowly, on purpose.
type Passwords interface {
	// Hash returns a text that Verify understands, salt and parameters included.
	Hash(ctx context.Context, password string) (string, error)
	// Verify reports whether password made hash. An empty or unreadable hash
	// never matches and costs as much as any other. A full queue is a retriable
	// error.
	Verify(ctx context.Context, hash, password string) (bool, error)
}

// AccountsConfig is what the account commands need. All fields are required.
type AccountsConfig struct {
	Env
	Book      View[domain.Accounts]
	Applied   Applied
	Passwords Passwords
}

// Accounts lets the operator in, and programs on their behalf.
type Accounts struct {
	cfg      AccountsConfig
	refusals refusals

	mu        sync.Mutex
	extending map[domain.SecretHash]struct{}
	shown     map[domain.SecretHash][]domain.Client // that have shown their session's key lately, the latest last
}

// NewAccounts checks the configuration.
func NewAccounts(cfg AccountsConfig) (*Accounts, error) {
	if err := Complete("configure accounts", cfg); err != nil {
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

// Door is how somebody comes in.
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
	hash, err := a.cfg.Passwords.Hash(ctx, password)
	if err != nil {
		return Login{}, err
	}
	registered, through, err := a.decideRegister(username, hash, via)
	if err != nil {
		return Login{}, err
	}
	lineage := a.cfg.Begin(domain.PrincipalOperator)
	first, err := EntryOf(a.cfg.Env, lineage, "api", registered)
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
	exact := SameSecret(known, given)
	return SameSecret(domain.Username(known), domain.Username(given)) || exact
}

// operator is the account, nobody's before it was made, and as of which record.
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
	login := Login{Secret: NewSecret()}
	var key domain.SecretHash
	if door.Keyed {
		login.Key = NewSecret()
		key = domain.HashSecret(login.Key)
	}
	var opened domain.OperatorLoggedIn
	a.cfg.Book.Read(func(s *domain.Accounts) {
		opened = s.LogIn(domain.HashSecret(login.Secret), key, door.Visitor, a.cfg.Now())
	})
	login.ExpiresAt = opened.ExpiresAt
	entry, err := EntryOf(a.cfg.Env, lineage, "api", opened)
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
	entry, err := EntryOf(a.cfg.Env, a.cfg.Begin(domain.PrincipalOperator), "api", out)
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
