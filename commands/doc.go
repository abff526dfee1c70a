// Package commands is what may be asked of Chalie. Each command validates what
// it was given, decides against what is known, and appends what follows, in
// that order; it answers once the append is durable.
//
// A file is one noun: signals, accounts, tokens, interfaces, requests that may come
// twice.
// Nothing here knows HTTP; adapters turn what they receive into a Caller and
// arguments, and errors into statuses.
//
// # Ordering and races
//
// Decisions are made on a fold that may be a moment behind the log. What must be
// unique (the account, a token's name, the answer to a repeated request)
// therefore travels with a condition on a key, and the log judges it: two racing
// commands can't both win. Commands whose effect the caller may rely on at once
// (a login, a token, its revocation, a pairing) wait until the fold has applied it.
//
// # Failure
//
// Every error is a *domain.Error. When an append fails the command has had no
// effect, except with domain.CodeOutcomeUnknown: then nobody knows, and what the
// command had reserved stays charged.
//
// # Testing
//
// Commands run over any domain.Log; the in-memory one of domaintest will do.
package commands
