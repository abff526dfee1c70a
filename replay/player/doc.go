// Package player replays recorded decisions with today's code.
//
// A Player walks through the log, has the code make each recorded step again with the
// recorded clock, ids and answers, and compares what it appends with the log.
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
// Begin reading with player.go and compare.go for replay, and with whatif.go for
// what if. replay.go and whatif_run.go are how each of them steps.
package player
