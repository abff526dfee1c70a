// Command peerbench measures Chalie beside its peers, in one run on one machine,
// and prints one table with the ratios.
//
//	peerbench                       measure, about eight minutes
//	peerbench -run append           only rows whose name matches
//	peerbench -write benchmarks.md  also write the table as a document
//	peerbench -short                one short round of everything: does it run?
//
// # How it measures
//
// A machine's speed changes from one second to the next, so nothing is measured
// alone. A row runs its two sides in turn, changing who goes first, each time in a
// fresh folder after the disk has settled, and the ratio of a row is the median of
// the ratios of its rounds, not the ratio of two medians taken at different
// times. Where a row has no peer, its target is a plain number.
//
// Libraries are measured in this process. The whole program, and the WebSocket
// server beside it, run in processes of their own, where their memory is theirs
// alone; this one then holds their clients.
//
// # The rows
//
// append is the log's own append with all indexes, against raw Pebble's synced sets of
// as many bytes under one ascending key, with the same options. Records have 400 bytes.
// A batch is one append and one Pebble batch. For each record Pebble writes one key, the
// log the record, its id, its part of the topic's index, and a check that the id is new.
// With batches of one the sync is most of the work, so that row has the target; with
// batches of a thousand the ratio is the cost of the indexes.
//
// Watermill publish, subscribe and ack follow the benchmark of the Watermill project:
// messages of 256 random bytes fill a topic, then one subscription counts until all are
// acked; but publishing lasts a fixed time, by 64 publishers. JetStream is a NATS server
// in this process, over loopback, with file storage, a durable consumer and confirmed
// acks. "Sync always" syncs each message, as the log promises; "default sync" syncs
// every two minutes. gochannel keeps messages in memory and promises nothing. JetStream
// delivers without order to as many handlers as there are cores; the bus keeps the
// order, with one message in flight.
//
// Scan with decode reads the log into envelopes with every checksum verified; the peer
// steps over records of the same size.
//
// Serve ready is the program from its start on a folded log until /ready, rebuild the
// same with nothing folded.
//
// POST /api/signals has 64 connections that each send the next signal when the one
// before is answered, so is synced. The client shares the cores.
//
// Broadcast stream is the program taking messages of 300 bytes from one WebSocket that
// offers them as fast as it can, from the first until the last is synced and folded. A
// stream brings at most 100,000 a second.
//
// /ws, idle clients is the resident memory of the server's process after 35 s with two
// rounds of pings. Ours is the whole program; the peer, coderws, has the same duties
// towards clients and no others. "Above its base" is what the clients added. Buffers of
// the kernel count on neither side.
//
// /ws, one frame to all is the time from one client's chat frame until the last client
// has its status "processing", a median of seven. Ours has a synced append in between
// and is answering meanwhile; the peer keeps nothing. One epoll goroutine of this
// process serves the clients, and each checks that it gets all frames once, in order.
//
// # Why it is a module of its own
//
// The peers (an embedded NATS server among them) must not enter the
// dependencies of the program, which this module takes from the folder above.
package main
