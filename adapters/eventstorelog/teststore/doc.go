// Package teststore is a server for tests that speaks EventStoreDB's gRPC protocol and does
// what real servers were seen to do, also where that is inconvenient: an append at an exact
// revision may be repeated and one at any revision hardly, what was cut off a stream is
// missing without a word, a slow subscriber is dropped.
//
//	func TestMain(m *testing.M) {
//		teststore.Main() // where this process is to be a node
//		os.Exit(m.Run())
//	}
//
//	node := teststore.Start(t, teststore.Config{})
//	client, err := esdb.NewClient(…ParseConnectionString(node.URL()))
//	node.Kill()
//
// A node is a process of its own, which can be killed and frozen; or Serve runs it in this
// process. What it was told is synced to the disk before it answers, and held in memory
// besides.
//
// # What it doesn't do
//
// It is one node, which always leads: there is no replication and no election. It has no
// $all, no links, no batches, no persistent subscriptions, no projections, no users, no
// access control lists and no TLS. $maxAge is ignored. It takes no more than fits in memory.
package teststore
