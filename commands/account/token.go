package account

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/guard"
)

// Issued is a new token. Text is what its program sends, told only here.
type Issued struct {
	Name    string
	Text    string
	Signals []string // sorted; none means any
}

// IssueToken lets a program in under a name. Errors: validation, a conflict
// when an active token has the name, and what domain.Appender returns.
func (a *Accounts) IssueToken(ctx context.Context, c commands.Caller, name string, signals []string) (Issued, error) {
	if guard.HasSecret(name) { // who says something is named with it everywhere
		return Issued{}, domain.Invalid("issue token", "name", "that name looks like a secret, and names are kept in clear: choose another")
	}
	text := commands.TokenPrefix + commands.NewSecret()
	var issued domain.TokenIssued
	var through domain.Position
	var err error
	a.cfg.Book.Read(func(s *domain.Accounts) {
		through = s.Through
		issued, err = s.IssueToken(name, domain.HashSecret(text), signals, a.interfaceNames()...)
	})
	if err != nil {
		return Issued{}, err
	}
	if err := appendToken(ctx, a, c, name, issued, through); err != nil {
		return Issued{}, err
	}
	return Issued{Name: name, Text: text, Signals: issued.Signals}, nil
}

// interfaceNames are those that interfaces are known by.
func (a *Accounts) interfaceNames() (names []string) {
	if a.cfg.Interfaces == nil {
		return nil
	}
	a.cfg.Interfaces.Read(func(r *domain.Registry) {
		for _, i := range r.Interfaces {
			names = append(names, i.Name)
		}
	})
	return names
}

// RevokeToken ends a token: the next request with it is refused. Errors: not
// found, and what domain.Appender returns.
func (a *Accounts) RevokeToken(ctx context.Context, c commands.Caller, name string) error {
	var revoked domain.TokenRevoked
	var through domain.Position
	var err error
	a.cfg.Book.Read(func(s *domain.Accounts) {
		through = s.Through
		revoked, err = s.RevokeToken(name)
	})
	if err != nil {
		return err
	}
	return appendToken(ctx, a, c, name, revoked, through)
}

func appendToken[P commands.Keyed](ctx context.Context, a *Accounts, c commands.Caller, name string, payload P, through domain.Position) error {
	entry, err := commands.EntryOf(a.cfg.Env, a.cfg.Begin(c.Principal), c.Source, payload)
	if err != nil {
		return err
	}
	err = a.append(ctx, domain.Batch{
		Entries:    []domain.Entry{entry},
		Conditions: []domain.Condition{{Key: payload.Keys()[0], After: through}},
	})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return &domain.Error{Op: "change token", Category: domain.Conflict, Code: "token_changed", Retriable: true, Err: err,
			Message: fmt.Sprintf("token %q was changed at the same moment: list the tokens and try again", name)}
	}
	return err
}

// Tokens lists the active tokens by name.
func (a *Accounts) Tokens() []domain.Token {
	var tokens []domain.Token
	a.cfg.Book.Read(func(s *domain.Accounts) {
		for _, t := range s.Tokens {
			tokens = append(tokens, t)
		}
	})
	domain.SortFunc(tokens, func(x, y domain.Token) int { return cmp.Compare(x.Name, y.Name) })
	return tokens
}

// Token is the caller of a token, by its text; false when the token isn't valid.
func (a *Accounts) Token(text string) (commands.Caller, bool) {
	hash := domain.HashSecret(text)
	var token domain.Token
	var ok bool
	// Finding it by hash tells nothing of the text: to use the lookup's
	// timing an attacker would have to invert SHA-256 first.
	a.cfg.Book.Read(func(s *domain.Accounts) { token, ok = s.Tokens[hash] })
	if ok {
		a.Seen(token.Principal())
	}
	return commands.TokenCaller(token), ok
}

// Program is the caller of an active token, by its principal, for a program that was let in
// before and is still connected. False once the token is revoked.
func (a *Accounts) Program(who domain.Principal) (commands.Caller, bool) {
	var token domain.Token
	var ok bool
	a.cfg.Book.Read(func(s *domain.Accounts) { token, ok = s.Program(who) })
	return commands.TokenCaller(token), ok
}

// Names are those of all programs that ever had a token, by the envelopes that issued it.
func (a *Accounts) Names() (names map[domain.ID]string) {
	a.cfg.Book.Read(func(s *domain.Accounts) { names = maps.Clone(s.Names) })
	return names
}

// NameOf is the name of a program, also of one that was shut out; "" of any other principal.
func (a *Accounts) NameOf(who domain.Principal) (name string) {
	if issued, ok := who.Program(); ok {
		a.cfg.Book.Read(func(s *domain.Accounts) { name = s.Names[issued] })
	}
	return name
}

// named is the caller of the active token of a name.
func (a *Accounts) named(name string) (commands.Caller, bool) {
	var token domain.Token
	var ok bool
	a.cfg.Book.Read(func(s *domain.Accounts) {
		var hash domain.SecretHash
		if hash, ok = s.TokenNamed(name); ok {
			token = s.Tokens[hash]
		}
	})
	return commands.TokenCaller(token), ok
}

// Admit lets a program in that the operator started on this machine, under a name that they
// gave it, and returns its caller. What the program calls itself is no such name. One that is
// new gets a token of that name which permits the scopes, with
// a text that nobody knows: so it is listed, and shut out, like every program. Errors: those
// of IssueToken; policy, for a name whose token doesn't permit them, or was revoked.
func (a *Accounts) Admit(ctx context.Context, c commands.Caller, name string, scopes ...string) (commands.Caller, error) {
	if err := a.cfg.Applied.WaitFor(ctx, a.cfg.Tail.Tail()); err != nil {
		return commands.Caller{}, err
	}
	permits := func(c commands.Caller) bool {
		return !slices.ContainsFunc(scopes, func(scope string) bool { return !c.Has(scope) })
	}
	scope := strings.Join(scopes, ",")
	if known, ok := a.named(name); ok {
		if permits(known) {
			return known, nil
		}
		return commands.Caller{}, notAdmitted(fmt.Sprintf("the token of %s doesn't permit it: take another name, or revoke the token and issue one with --signals %s", name, scope))
	}
	before, err := a.cfg.Reader.Select(ctx, domain.Selector{Key: domain.TokenRevoked{Name: name}.Keys()[0]}, 1, 1)
	if err != nil {
		return commands.Caller{}, err
	}
	if len(before) > 0 {
		return commands.Caller{}, notAdmitted(fmt.Sprintf("%s was shut out: let it in again with `chalie token issue %s --signals %s`", name, name, scope))
	}
	if _, err := a.IssueToken(ctx, c, name, scopes); err != nil && domain.CodeOf(err) != "token_changed" {
		return commands.Caller{}, err
	}
	known, ok := a.named(name)
	if !ok || !permits(known) {
		return commands.Caller{}, notAdmitted(name + " was changed at the same moment: connect again")
	}
	return known, nil
}

// CheckUnnamed refuses a program without a name of its person's that calls itself what one is, or
// was, known by: what was decided about that one, such as that it was shut out, may have been meant
// for this. The error is a policy error.
func (a *Accounts) CheckUnnamed(ctx context.Context, calls string) error {
	if err := a.cfg.Applied.WaitFor(ctx, a.cfg.Tail.Tail()); err != nil {
		return err
	}
	var known bool
	a.cfg.Book.Read(func(s *domain.Accounts) {
		for _, name := range s.Names {
			known = known || name == calls
		}
	})
	if !known {
		return nil
	}
	return notAdmitted(fmt.Sprintf("it calls itself %s, and a program is or was known by that name: start it as `chalie mcp --name %s` if it is that one, or give it another name", calls, calls))
}

func notAdmitted(why string) error {
	return &domain.Error{Op: "let program in", Category: domain.Policy, Code: "not_admitted", Message: why}
}

// Seen notes that the program of a token was heard now.
func (a *Accounts) Seen(who domain.Principal) { a.seen.Store(who, a.cfg.Now()) }

// LastSeen is when the program of a token was last heard; 0 when it wasn't since this
// process began.
func (a *Accounts) LastSeen(who domain.Principal) domain.Millis {
	at, _ := a.seen.Load(who)
	last, _ := at.(domain.Millis)
	return last
}
