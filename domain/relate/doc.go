// Package relate finds the signals that bear on plans, without a model.
//
// Read turns a text into its Terms. That is the slow part, and its result can be
// kept as long as the text and the zone stay the same. Terms hold words of the text:
// when a text is erased they must go with it. Relate compares all signals with all
// plans and returns the pairs that are related, or may be, each with its score and its
// evidence.
//
// A pair is scored in steps.
//
//   - What ties them: names, codes (a flight, an order's number) and rare words
//     that both carry, the sender's name, and, for little, words of every day. A
//     word that several commitments carry ties less. Names that share a word and
//     differ in another (Marco Bellini, Marco Rossi), and codes of one series with
//     other digits (LH454, LH455), speak against a pair. A number or an id is one in
//     whatever groups it is written (4 111 222, AB 12 34), and so is what goes by a
//     letter or a name (wing B, room Kauri). A name that is also a word (May, ICE) is
//     one where it stands as one. A day, a time or a topic is never a tie by itself.
//   - What belongs together in other words: hail and a barbecue, a power cut and the
//     oven. belongs.txt has it. It is a tie where day, hour and place fit the plan.
//   - Whether it bears on a plan: what says that something changes (closed, late,
//     instead), gives a time, sets a limit, or speaks to somebody. A name that is
//     merely mentioned never surfaces, and news of others hardly. It counts when
//     the commitment is due soon and for the same day; what was due before is over. What
//     speaks of most of a question answers it, whatever changes.
//   - What else it fits: a signal that another commitment has more in common with
//     bears on that one.
//
// The weights were set on half of the scenes in testdata/corpus, and the other
// half tells how well they hold: go test ./domain/relate -run TestCorpus -v.
//
// Everything here is a pure function in whole numbers: the same texts give the
// same relations in every order, on every machine. No text makes it fail. The
// word tables and the weights are the rules: whatever changes a score changes
// Version.
package relate

// Version names the rules. It belongs into the hash of what a decision rests on.
const Version = "relate/4"
