// Package pairing lets programs of the outside world in: with a key that the operator
// gives them, or registered by themselves and approved. Monitor looks whether they are
// there. What they are asked to do is package tool's.
//
// A pairing is recorded as a key that was used and then as the result, so a process
// that dies in between leaves no half-known program behind. Changes to one interface are
// made on the condition that nobody else made one, and tried again when somebody did.
package pairing
