// Package baseline knows the differences of replays that are meant.
//
// A change of the code that decides makes replays of older records differ, for ever. So that a
// new difference isn't lost among those, each has a [Kind], which says what differs and is
// computed from the two envelopes alone, and a kind may be known:
//
//   - to the program, which has an [Amendment] for it, of what was written by code that hadn't. A
//     start records how many amendments the code has that writes from then on, so that nothing
//     which was recorded with an amendment is explained by it.
//   - because the person accepted it (domain.DifferencesAccepted), for as long as no more decisions
//     have it than had then. What today's own code recorded can't be accepted: nothing was changed
//     since, so the log isn't what was decided.
//
// A change that makes the replay of older records differ adds a row to [Amendments], at its end. A
// row is never moved or removed, because starts in logs count them. TestWitness fails until it is
// there.
package baseline
