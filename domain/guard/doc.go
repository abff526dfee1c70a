// Package guard finds secrets, which mustn't be kept, and threats, which mustn't be obeyed.
//
// Redact finds secrets in a text (keys, tokens, passwords, card numbers) and puts
// a mark in the place of each, before the text is stored or shown to a model.
// Threats finds attempts to steer the reader of a text: orders to a model, played roles,
// hidden characters. It changes nothing, because a flagged text is data like any other;
// the caller that shows it to a model says so.
// RedactJSON and ThreatsJSON do the same with the strings of a JSON text.
//
// All of it is pure: the same text gives the same answer on every machine. It
// takes time linear in the text, whatever the text is, and a text without
// anything suspicious isn't copied. Nothing fails: what isn't recognised stays.
//
// Redact prefers to leave a secret of no known shape over taking away what was
// only an id, a hash or a number: those are most of what machines say. What is
// named a password, a token or a key counts as one, whatever its shape.
//
// To test with it: Redact is idempotent, and what it returns is at most a few
// times as long as what it was given.
package guard
