// Package inmemory is Chalie on a log in memory, by a clock that is set: the code that decides as
// the program wires it, without a port to the outside. What measures Chalie drives it.
//
// What waits in the program for a time (the idle service, the consumer of the spine, the
// scheduler) is done at that time, one after the other, so that the same happenings give the same
// log. The clock stands while something is done.
//
//	c, err := inmemory.New(ctx, inmemory.Config{At: monday, Zone: "Europe/London"})
//	id, err := c.Say(ctx, inmemory.Person(), domain.MessageReceived{Text: "remind me at 8 to call Anna"})
//	err = c.Until(ctx, monday.Add(time.Hour))
//
// Begin reading with New and Until. folding.go is the log and what follows from a record,
// hearing.go what comes in, and outside.go what there would be outside.
package inmemory
