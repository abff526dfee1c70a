// Package pairing lets interfaces in: with a key that the operator gives them, or
// registered by themselves and approved. Monitor checks their health. Package tool calls
// their tools.
//
// A pairing is recorded as a used key and then as the result, so a process that dies in
// between leaves no half-known interface. A change to an interface is made on the
// condition that no other came first, and tried again when one did.
package pairing
