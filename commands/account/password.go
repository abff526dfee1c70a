package account

import (
	"context"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/guessable"
)

// CodeWrongPassword is the refusal of a caller that didn't show the present password.
const CodeWrongPassword domain.Code = "wrong_password"

// CheckPassword judges a new password, before any hashing: a validation error for one that is
// too short, too long, or tried first by whoever guesses.
func CheckPassword(password string) error {
	if err := domain.CheckPassword(password); err != nil {
		return err
	}
	if guessable.Is(password) {
		return domain.Invalid("check password", "password",
			"password is one of those that are tried first by whoever guesses: choose another, such as a few words that don't belong together")
	}
	return nil
}

// ChangePassword puts another password in the place of the present one, which has to be
// shown, and ends every session but the one of a cookie's secret. It tells how many
// ended. A wrong present password is a policy error, and counted like a failed login.
func (a *Accounts) ChangePassword(ctx context.Context, secret, present, password string) (ended int, err error) {
	if err := CheckPassword(password); err != nil {
		return 0, err
	}
	operator, through := a.operator()
	ok, err := a.verify(ctx, operator.PasswordHash, present)
	if err != nil {
		return 0, err
	}
	if !ok {
		// A failure keeps the count; a guess is refused all the same.
		_ = a.countRefused(ctx, 1, false)
		return 0, &domain.Error{Op: "change password", Category: domain.Policy, Code: CodeWrongPassword, Field: "present",
			Message: "that is not the present password: type it again; nothing was changed"}
	}
	return a.putPassword(ctx, password, "session", domain.HashSecret(secret), through)
}

// SetPassword is ChangePassword for the owner of the machine: it asks for no password,
// and ends every session.
func (a *Accounts) SetPassword(ctx context.Context, password string) (ended int, err error) {
	if err := CheckPassword(password); err != nil {
		return 0, err
	}
	_, through := a.operator()
	return a.putPassword(ctx, password, "socket", domain.SecretHash{}, through)
}

func (a *Accounts) putPassword(ctx context.Context, password, via string, spared domain.SecretHash, through domain.Position) (int, error) {
	// Asked first because hashing is slow.
	if !a.HasOperator() {
		return 0, domain.NoAccount("change password")
	}
	hash, err := a.cfg.Passwords.Hash(ctx, password)
	if err != nil {
		return 0, err
	}
	var changed domain.PasswordChanged
	var ends int
	a.cfg.Book.Read(func(s *domain.Accounts) {
		changed, err = s.ChangePassword(hash, via, spared)
		ends = len(s.EndOtherSessions(spared, a.cfg.Now()))
	})
	if err != nil {
		return 0, err
	}
	entry, err := commands.EntryOf(a.cfg.Env, a.cfg.Begin(domain.PrincipalOperator), "api", changed)
	if err != nil {
		return 0, err
	}
	err = a.append(ctx, domain.Batch{
		Entries:    []domain.Entry{entry},
		Conditions: []domain.Condition{samePassword(through)},
	})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return 0, &domain.Error{Op: "change password", Category: domain.Conflict, Code: "password_changed", Err: err,
			Message: "somebody changed the password at the same moment: if it was you, use the new one; otherwise set another with chalie password"}
	}
	if err != nil {
		return 0, err
	}
	return ends, nil
}

// samePassword holds while the password is the one that was known at a position: one
// that was verified may be changed before what it lets in is recorded.
func samePassword(through domain.Position) domain.Condition {
	return domain.Condition{Key: domain.OperatorRegistered{}.Keys()[0], After: through}
}
