// Package player has today's code decide again what was decided.
//
// It walks through the log, folds every record, and has the code make each recorded step
// again where that had read the log, with the recorded clock, ids and external answers.
// There are two courses of that walk. A replay changes nothing and compares each step with
// the recorded one:
//
//	p, err := player.New(player.Config{Log: log, Staging: start})
//	report, err := p.Replay(ctx, player.Request{}, nil)
//
// WhatIf follows the log up to a Change, continues in a memlog.Branch, which keeps
// appends in memory, and lists the traces with a different outcome:
//
//	out, err := player.WhatIf(ctx, log, start, player.Change{Without: ids}, player.Scope{}, nil)
//
// The deciding code is not in this package: it runs in a Runtime, which StartRuntime
// makes in an Environment; package sandbox has the program's own. Its calls to the
// outside go to the Effects of the environment, which answer from the log. Nothing is
// written, no interface is called, and no model is called unless the runtime has one.
//
// Begin reading with walk.go, then replay.go, compare.go and kinds.go for a replay, and branching.go
// and input.go for a what-if. unread.go is the rule for steps that don't say how far they
// had read.
package player
