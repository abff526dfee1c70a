package pairing

import (
	"context"
	"errors"
	"maps"
	"slices"

	"chalie/commands"
	"chalie/commands/limit"
	"chalie/domain"
)

// pairingKeyPrefix tells a pairing key from a token, for people and scanners.
const pairingKeyPrefix = "chalie_pair_"

// IssuedKey is a new pairing key. Text is what its interface sends, told only
// here.
type IssuedKey struct {
	Text      string
	ExpiresAt domain.Millis
}

// IssueKey lets one interface pair, once, until the key expires. Errors are what
// domain.Appender returns.
func (i *Interfaces) IssueKey(ctx context.Context, c commands.Caller) (IssuedKey, error) {
	text := pairingKeyPrefix + commands.NewSecret()
	var issued domain.PairingKeyIssued
	i.cfg.Book.Read(func(r *domain.Registry) { issued = r.IssuePairingKey(domain.HashSecret(text), i.cfg.Now()) })
	entry, err := commands.EntryOf(i.cfg.Env, i.cfg.Begin(c.Principal), c.Source, issued)
	if err != nil {
		return IssuedKey{}, err
	}
	receipt, err := i.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
	if err != nil {
		return IssuedKey{}, err
	}
	return IssuedKey{Text: text, ExpiresAt: issued.ExpiresAt}, i.cfg.Applied.WaitFor(ctx, receipt.Positions[0])
}

// useKey burns the key of an attempt to pair, and returns the record of that. Its
// trace is an episode of its own, which the issue of the key caused.
func (i *Interfaces) useKey(ctx context.Context, req PairRequest) (domain.Record, error) {
	hash := domain.HashSecret(req.Key)
	var used domain.PairingKeyUsed
	var key domain.PairingKey
	var err error
	i.cfg.Book.Read(func(r *domain.Registry) {
		// The key is judged first: without one a caller learns no names.
		if used, key, err = r.UsePairingKey(hash, req.Name, req.Host, req.Port, i.cfg.Now()); err == nil {
			err = i.checkName(r, req.Name, req.Host, req.Port)
		}
	})
	if err != nil {
		return domain.Record{}, err
	}
	trace := domain.TraceID{ID: i.cfg.IDs.NewID()}
	issue := domain.Envelope{ID: key.Issued, Principal: domain.PrincipalOperator}
	entry, err := commands.EntryWith(i.cfg.Env, domain.Resume(issue, trace), trace.ID, sourceAPI, used)
	if err != nil {
		return domain.Record{}, err
	}
	receipt, err := i.cfg.Log.Append(ctx, domain.Batch{
		Entries:    []domain.Entry{entry},
		Conditions: []domain.Condition{{Key: domain.PairingKeyKey(hash), After: key.Position}},
	})
	if domain.CodeOf(err) == domain.CodeConditionFailed {
		return domain.Record{}, domain.NoPairingKey(domain.CodeUsedKey)
	}
	if err != nil {
		return domain.Record{}, err
	}
	return domain.Record{Position: receipt.Positions[0], Topic: entry.Topic, RecordedAt: receipt.RecordedAt, Ahead: receipt.Ahead, Envelope: entry.Envelope}, nil
}

// sourceAPI is the emitter of what came in over the REST API.
const sourceAPI domain.Source = "api"

// refusedPairings are the reasons for which attempts are counted, because their
// senders have shown no right to write to the log, and what is recorded of each.
var refusedPairings = map[domain.Code]string{
	domain.CodeWrongKey:   "the pairing key is not known",
	domain.CodeUsedKey:    "the pairing key was used already",
	domain.CodeExpiredKey: "the pairing key has expired",
	"invalid":             "the request could not be understood",
}

// countRefused counts a refusal without a valid key under its reason, and returns
// it.
func (i *Interfaces) countRefused(ctx context.Context, refusal error) error {
	if counter := i.refused[domain.CodeOf(refusal)]; counter != nil {
		// A failure keeps the count; the stranger is refused all the same.
		_ = i.record(ctx, domain.CodeOf(refusal), 1, false)
	}
	return refusal
}

// recordRefused records the counts that are due.
func (i *Interfaces) recordRefused(ctx context.Context, always bool) error {
	var failures []error
	for _, code := range slices.Sorted(maps.Keys(i.refused)) {
		failures = append(failures, i.record(ctx, code, 0, always))
	}
	return errors.Join(failures...)
}

func (i *Interfaces) record(ctx context.Context, code domain.Code, n int, always bool) error {
	return i.refused[code].Record(n, i.cfg.Now(), always, func(r limit.Refused) error {
		entry, err := commands.EntryOf(i.cfg.Env, i.cfg.Begin(domain.PrincipalCore), sourceAPI, domain.PairingRefused{
			Reason: string(code), Detail: refusedPairings[code], Count: r.Count, Since: r.Since,
		})
		if err != nil {
			return err
		}
		_, err = i.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}})
		return err
	})
}
