// Package reasoning answers messages, and thinks unprompted.
//
// Reasoner makes the moves that domain.Episode asks for: it folds the trace, asks for the
// next move, makes it, appends the result under a key, and folds again. Nothing is
// kept between two moves, so it goes on where another process stopped. Loop delivers the
// messages, one at a time and again until each is answered. WorldMind builds the context,
// Model answers, and NoticePolicy judges what may be told unasked.
//
// A model that is a Streamer is recorded while it answers, part by part. Parts are no moves:
// the reply decides, and what follows doesn't depend on them.
//
// The world, the models and the tools are ports; so a replay runs the same code over a log
// of the past.
//
// # Testing
//
// commandstest has a Stage: a reasoner over a log in memory, with a model that says what a
// test wants.
package reasoning
