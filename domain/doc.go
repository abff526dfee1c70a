// Package domain says what Chalie's words mean: envelopes and their lineage,
// the catalogue of event types, errors, signals, the world state and accounts.
//
// The package is pure. It reads no clock, does no I/O, starts no goroutine and
// imports no other package of this module, so the same arguments give the same
// answer on every machine and in every year. Time and ids come in as arguments;
// what reaches outside (the log, the clock, the id mint) is declared here as a
// port and implemented by an adapter. TestArchitecture holds all of this.
//
// A file is one noun, and a file about an event-sourced noun reads in the order
// events, state, evolve, decide.
//
// To test code that uses the ports, take the log of package memlog; the conformance
// suite of package domaintest tests a new implementation.
package domain
