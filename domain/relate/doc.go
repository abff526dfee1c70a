// Package relate finds out what of the things that were heard bears on what is
// planned, without a model: by names, codes, rare words, topics and days that
// both sides share.
//
// Read turns a text into its Terms. That is the slow part, and its result can be
// kept as long as the text and the zone stay the same. Whoever keeps Terms keeps
// words of the text: when a text is erased they must go with it. Relate compares
// everything that was heard with everything that is planned and returns the pairs
// that may belong together, each with its score and its evidence.
//
// How a pair is scored: a name that both carry is worth the most, more with every
// further word of it; then a code (a flight, an order's number); then rare words.
// Words of every day count little and words that only say of what kind something
// is (clinic, dinner) or hold a sentence together nothing. A word that many
// commitments carry is worth less. Names that share a word and differ in another
// (Marco Bellini, Marco Rossi), and codes of one series with other digits (LH454,
// LH455), speak against a pair, and so does another day. The same day strengthens
// a pair that shares something else; alone it is nothing.
//
// Everything here is a pure function in whole numbers: the same texts give the
// same relations in every order, on every machine. No text makes it fail. The
// word tables and the weights are the rules: whatever changes a score changes
// Version.
package relate

// Version names the rules. It belongs into the hash of what a decision rests on.
const Version = "relate/1"
