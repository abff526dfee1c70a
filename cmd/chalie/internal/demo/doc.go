// Package demo shows within a minute what Chalie is for: it starts a Chalie of its own
// with three programs around it, and tells what comes of it as a list of steps.
//
// Chalie and the programs share this process and nothing else: what they have to do with
// each other goes over the network and the public protocol, with an account, a session
// and the tokens that pairing gives. So the demo is an end-to-end test, too: a step whose
// outcome isn't what it says fails the demo.
//
// A [Demo] is told what it can't know: how a Chalie is started, how its world is drawn,
// and how this program is called. [Demo.Run] takes everything down again, whatever
// happens, in order: the person leaves, Chalie stops, then the programs, so that Chalie
// misses none of them. Why one of them failed goes before what that made the story fail
// with. Being interrupted is no error, and neither is an audience that leaves early.
package demo
