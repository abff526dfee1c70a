// Package eventstorelog keeps the log on an EventStoreDB or KurrentDB cluster. One Chalie
// is one stream there: the event at revision n is the record at position n+1, its data are
// the record's bytes.
//
//	node, err := eventstorelog.New(eventstorelog.Config{URL: "esdb://…", …})
//	log, err := pebblelog.Open(pebblelog.Config{Upstream: node, …})
//	err = node.Lead(ctx, log) // waits until this node is the one that writes
//	…
//	<-node.Lost()             // another node has taken over
//
// # A node is a follower
//
// The log on this machine is a copy: it has the indexes, judges appends and answers reads.
// The cluster has each record before the copy has it. A node that doesn't write reads what
// is new a few times a second, always of the cluster's leader. It doesn't subscribe: a
// subscription may be open and dead, dropped, or silent behind the end of a stream that was
// cut, and whoever reads notices all of these.
//
// # One writer
//
// The stream NAME-lease says who writes: its latest event names a node, which adds another
// one every [RenewEvery]. Who sees no new one for [LeaseFor], by its own clock and while the
// cluster answers, adds an event of its own at exactly the next revision, and one of all who
// try succeeds. Then it appends log.taken_over to the log at exactly the next position. So
// whoever wrote before is refused at its next append, whatever it believes of time: only one
// record can stand at a position. Times of different machines are never compared.
//
// # Moves
//
// [Node.Bring] appends a log of this machine to a stream, and a log that was followed to its
// end may become this machine's own. Meanwhile, and after it has left, the lease names the
// [Move], which closes the stream for every machine but the one that ends it.
//
// # Beside the log
//
// The stream NAME-beside has the files that the log doesn't: see [Beside].
//
// # Tests
//
// The suite runs against the server in teststore, or against real ones:
//
//	CHALIE_EVENTSTORE=esdb://… go test ./adapters/eventstorelog
//
// Tests that kill, freeze, cut off or fill servers call the program that
// CHALIE_EVENTSTORE_CTL names, as in `program kill 2`; without one they are listed as not
// run. `go test -c` makes one file of the suite that needs nothing else.
//
// # Outcomes
//
// Every append is at an exact revision. When nothing is heard of one, or the answer doesn't
// say what came of it, the same events are appended again at the same revision, until that
// succeeds or other events stand there. Meanwhile appends are refused and reads go on.
//
// # The client library
//
// It may hang, past the context of a call, and a client that was closed beside a call may
// panic. So calls are made on goroutines that can be given up, and a client that failed is
// replaced, and closed once nobody uses it. It doesn't send requires-leader: this package
// does.
package eventstorelog
