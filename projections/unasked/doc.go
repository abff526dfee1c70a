// Package unasked is the projection of what Chalie told the person of its own
// accord: for each conclusion that was shown unasked, whose it was, when, on which
// topic and on what evidence. The rules of what may be told next rest on it.
//
// It keeps references and numbers: a topic as its hash, a text as its length, and
// evidence by id. Whoever wants to compare texts reads the earlier one from the
// log, so an erased one is equal to none.
//
// What was told within domain.ToldKept is in memory, at most MostKept of it, and
// the last LeastKept however old they are. The
// pairs of evidence are kept for ever, in the store: nothing is told twice because
// it was long ago.
//
// A finding's topic and evidence are in the reply that a conclusion names, so of
// each trace that isn't concluded the last reply is remembered, by the same
// numbers. Where the reply is erased, the conclusion still tells the evidence of
// all it showed; where that is erased, all findings of the reply count as told.
package unasked
