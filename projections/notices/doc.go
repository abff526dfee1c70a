// Package notices is the projection of past notices: for each conclusion that was shown
// unasked its source, time, topic and evidence. The rules for the next notice rest on it.
//
// It keeps references and numbers: a topic as its hash, a text as its length, and
// evidence by id. To compare texts a caller reads the earlier one from the log, so an
// erased one is equal to none.
//
// The notices within domain.ToldKept are in memory, at most MostKept of them, and the
// last LeastKept however old they are. The pairs of evidence are kept for ever, in the
// store, so that nothing is told twice.
//
// A finding's topic and evidence are in the reply that a conclusion names, so of
// each trace that isn't concluded the last reply is remembered, by the same
// numbers. Where the reply is erased, the conclusion still tells the evidence of
// all it showed; where that is erased, all findings of the reply count as told.
package notices
