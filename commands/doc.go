// Package commands has the requests that Chalie takes. Each command validates its
// arguments, decides on the folds, and appends the events, in that order; it answers
// once the append is durable.
//
// This package has the parts that all commands share: the Env they work in, the Caller,
// the Request that may come twice, the Peer at the other end of a tool, and the hosts and
// addresses that may be called. The commands are in the packages below:
//
//	limit       a caller's rates and volume
//	screen      secrets and threats in input
//	signal      signals
//	message     messages, buttons, images, steers and cancels
//	account     the operator, sessions, tokens
//	pairing     interfaces
//	tool        calls of tools, the policy, approvals
//	skill       Chalie's own tools
//	reasoning   answers, and unprompted cycles
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
// effect, except with domain.CodeOutcomeUnknown: then the record may exist, and
// what the command had reserved stays charged.
//
// # Testing
//
// Commands run over any domain.Log; commandstest has benches over the one in memory.
package commands
