// Package transcript is the projection of the conversations: the person's messages and
// buttons with their answers, and Chalie's unprompted words, in order. What isn't said in a
// conversation of its own, and what Chalie says unasked, is in the default one.
//
// A message of the person opens an exchange, and so does an action, which is a
// button that they pressed; the conclusion of its trace ends it. A conclusion that
// reached the person as a notification or an escalation and that ends no exchange
// adds one with neither prompt nor action. What an interface says opens none: the
// person gets to see what Chalie makes of it. A trace holds one opening and one
// conclusion. Working memory has only exchanges with words: an action asks no model.
//
// # Erased payloads
//
// Exchanges are references, so an erased text is erased here too. An erased
// message or action still opens an exchange. An erased conclusion still ends one, or adds
// one, by its key; which reply it showed is then unknown, so there is none, and
// so is the outcome unless the key tells that it failed.
//
// # Layout
//
// Exchanges grow for ever, so none but those changed since the last save are in
// memory:
//
//   - "e", a conversation's id and an exchange's number, eight bytes, big endian: the
//     exchange, as JSON. Numbers count from 1 in the order of positions, so that a page
//     from far back is found as fast as the last.
//   - "o" and a trace's id: where the exchange under way in it stands.
//   - "f" and a conversation's id: how many exchanges it has, the first one's id, when the
//     latest began, and working memory.
package transcript
