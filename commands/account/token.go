package account

import (
	"cmp"
	"context"
	"fmt"
	"slices"

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
		issued, err = s.IssueToken(name, domain.HashSecret(text), signals)
	})
	if err != nil {
		return Issued{}, err
	}
	if err := appendToken(ctx, a, c, name, issued, through); err != nil {
		return Issued{}, err
	}
	return Issued{Name: name, Text: text, Signals: issued.Signals}, nil
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
	slices.SortFunc(tokens, func(x, y domain.Token) int { return cmp.Compare(x.Name, y.Name) })
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
	return commands.TokenCaller(token), ok
}
