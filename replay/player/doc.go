// Package player has today's code decide again what was decided then.
//
// A Player replays: it walks through the log, lets the code make each recorded step
// anew with the clock, the ids and the answers of then, and compares what it appends
// with what is in the log.
//
//	p, err := player.New(player.Config{Log: log, StartRuntime: start})
//	report, err := p.Replay(ctx, player.Request{}, nil)
//
// WhatIf follows the log up to a Change, goes on from there in a memlog.Branch, which
// keeps what is appended in memory, and lists the traces that come to another end:
//
//	out, err := player.WhatIf(ctx, log, start, player.Change{Without: ids}, player.Scope{}, nil)
//
// The code that decides is not in this package: it runs in a Runtime, which
// StartRuntime makes in an Environment; package sandbox has the program's own. What the
// code asks of the world outside goes to the Effects of the environment, which answer
// from the log. Nothing here has an effect: nothing is written, no interface is called,
// and no model is asked unless the runtime has one.
//
// Begin reading with player.go and compare.go for replay, and with whatif.go for
// what if. replay.go and whatif_run.go are how each of them steps.
package player
