// Package rebuild runs the projections that serve, folds them again beside those, and
// puts the new ones in their places.
//
// A projection has several stores: the one that serves, the one before it to go back to,
// and while it is rebuilt the one that it is folded into. Choose says at a start which of
// them serves, Stores keeps them, Serving folds into them, and a Rebuilder starts
// rebuilds, tells how far they are, switches, goes back and cancels. Its Audit compares
// without anything being changed:
//
//	serving, err := rebuild.Serve(kinds, log, clock, logger, stores.Serve)
//	serving.Run()
//	r := rebuild.New(cfg)
//	err := r.Start([]string{"world"}, false)
//	status := r.Status("world")
//
// How one fold takes the place of another without a query noticing is
// projections.Rebuild, which a Rebuilder runs.
//
// A rebuild that fails, is cancelled or is cut off by a crash leaves what served before:
// Stores.Activate is the one step that counts, and it is durable or not made.
//
// Begin reading with Serve and Rebuilder.Start.
package rebuild
