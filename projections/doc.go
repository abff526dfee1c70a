// Package projections keeps Chalie's knowledge: folds of the log, each of which can
// be deleted and built again.
//
// A [Projection] has a name, a version, an Apply for one record, and queries of
// its own. A [Runner] drives one of them: it loads what was saved, applies what
// came since, follows the tail and saves now and then. A [Group] runs several.
// The projections themselves live in the folders beside this file.
//
// # Ordering
//
// A projection sees every record, one at a time, in order of position, and each
// exactly once in its state: state and checkpoint are stored together, so a
// crash folds the records after the checkpoint again from the state before
// them. Projections don't wait for each other, but for one thing: those of a
// Group share what they read from the log, and the first of them gives the
// others up to two milliseconds a batch to keep up. One that is stuck or has
// stopped costs no more than that.
//
// # Looking back
//
// [Fold] applies the log up to a position to fresh projections, without a store or
// a runner. [Past] answers for any position with it, and remembers enough to be
// quick about the next one nearby.
//
// # Lag
//
// A query may be behind the log. Status reports by how many records and since
// when; WaitFor returns once a position has been applied, so that what was
// appended can be answered for. There is no queue between log and projection:
// one that is slow falls behind in the log, which holds everything anyway.
//
// # Failure
//
// A record that can't be applied, a panic included, stops its projection at
// that position. The error names the position, the cause and what to do; it is
// logged, is in Status and fails WaitFor. Queries go on answering from the
// records before. The other projections go on.
//
// A read that may succeed later is tried again, and so is a refused save if the
// projection is a [Committer]; Status says what is being waited for. Stored
// state that is of another log, or damaged, is thrown away and folded again: it costs
// time, never data. So is state that is ahead of the log, here; but it proves that the
// log has lost its end, so a program checks that before it opens a log for
// writing. The record that the state was folded through, which every save stores beside
// it, says which log it belongs to.
//
// # Shutdown
//
// End the context of Run, or close the log. Run finishes the batch in hand,
// saves and returns. Close the store after that, and the log last.
//
// # Tests
//
// NewMemStore is a store in memory. Package projectionstest holds the
// conformance suite that every Store passes.
package projections
