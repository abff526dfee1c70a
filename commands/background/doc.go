// Package background is Chalie's unprompted work: services notice something in
// the log or in the time that passed (Watcher, Idle, Threads, Scheduler) and emit a spine
// signal; a Consumer takes signals up one at a time and gives way when a message waits for
// its answer. Heartbeats tell which service lives, and the Auditor proves at night that the
// projections know what the log says.
//
// Emitting doesn't wait and can't fail. Every queue is bounded and says in the log what it
// dropped. A service that ends or panics stays dead until the next start; the
// others go on without it.
package background
