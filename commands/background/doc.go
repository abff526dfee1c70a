// Package background is what Chalie does while nobody asks: services notice something in
// the log or in the time that passed (Watcher, Idle, Threads, Scheduler) and emit a spine
// signal; a Consumer takes signals up one at a time and gives way when somebody waits for
// an answer. Heartbeats tell which service lives, and the Auditor proves at night that the
// projections know what the log says.
//
// Emitting doesn't wait and can't fail. Every queue is bounded and says in the log what it
// dropped. A service that fails or panics is started again by its keeper.
package background
