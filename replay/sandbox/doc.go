// Package sandbox runs today's code over a log as it stood, without any effect: the
// replay runtime that package player steps through.
//
// A Sandbox is the program's own wiring over folds in memory. It is given its records one
// by one, the clock, the ids and the log of a player.Environment, and recorded external
// answers: interfaces aren't called, and of the models only the built-in one is called,
// and one given as Config.Live.
//
//	start := sandbox.Config{Program: program}.Open
//	report, err := player.New(player.Config{Log: log, StartRuntime: start})
//
// It is apart from player because it needs commands and projections, and player needs
// neither: how records are stepped through doesn't depend on what decides.
//
// Begin reading with New. interfaces.go and models.go are the recorded answers, mind.go
// the world as it stood when an episode began, lag.go the folds that were behind.
package sandbox
