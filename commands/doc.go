// Package commands is what may be asked of Chalie. Each command validates what
// it was given, decides against what is known, and appends what follows, in
// that order; it answers once the append is durable.
//
// This package is what all commands share: the Env they work in, the Caller who asks, the
// Request that may come twice, the Peer at the other end of a tool, and the hosts and
// addresses that may be spoken with. The commands are in the packages below:
//
//	limit       what a caller may have in a minute
//	screen      secrets and threats in what comes in
//	signal      what happens around the person
//	message     what is said to Chalie
//	account     the operator, sessions, tokens
//	pairing     the programs of the outside world
//	tool        calls of tools, the policy, approvals
//	skill       what Chalie itself can do
//	reasoning   answers, and thoughts
//	background  the services, and the spine between them
//
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
// Commands run over any domain.Log; commandstest has benches over the one in memory.
package commands
