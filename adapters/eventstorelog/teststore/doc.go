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
//	cluster := teststore.Start(t, teststore.Config{Nodes: 3})
//	client, err := esdb.NewClient(…ParseConnectionString(cluster.URL()))
//	cluster.Do("kill", cluster.Leader())
//
// A node is a process of its own, which can be killed and frozen; or Serve runs one in this
// process. Three agree by etcd's raft library, over a hub in the test's process that can
// cut them off from each other. What was acknowledged is on the disks of most. A node holds
// everything in memory besides.
//
// # What it doesn't do
//
// It has no $all, no links, no batches, no persistent subscriptions, no projections. $maxAge
// is ignored, and users are the three that users.go names. A leader whose connections are
// given up is replaced within one to two seconds, where real ones took up to seven. A node
// that finds that it holds what was never agreed ends, as real ones do, and is to be started
// again. It takes no more than fits in memory.
package teststore
