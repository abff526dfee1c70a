// Package reasoning answers what is said to Chalie, and thinks when nobody speaks.
//
// Reasoner makes the moves that domain.Episode asks for: it folds the trace, asks for the
// next move, makes it, appends the result under a key, and folds again. Nothing is
// kept between two moves, so it goes on where another process stopped. Loop gives it what is
// said, one message at a time and again until it is done with. WorldMind is what
// may matter at a moment, Model what answers, and NoticePolicy judges what Chalie would say
// without being asked.
//
// The world, the models and the tools are ports; so a replay runs the same code over a log
// of the past.
//
// # Testing
//
// commandstest has a Stage: a reasoner over a log in memory, with a model that says what a
// test wants.
package reasoning
