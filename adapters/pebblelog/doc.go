// Package pebblelog keeps the log in one Pebble store on this machine.
//
// # Ordering and durability
//
// Append answers once its batch is synced. One writer gives every batch its
// positions, judges its conditions and puts as many waiting batches as there
// are into one Pebble batch (a group commit); a second goroutine waits for the
// sync, moves the durable position forward and answers. The next group is built
// while the last one syncs. Pebble shows a write before its sync ends, so every
// read is cut at the durable position: nothing is ever seen that a power loss
// could take back.
//
// # Stored keys
//
// All integers in keys are big-endian, so that keys sort by position.
//
//	r position                      the record
//	i envelope_id                   → position
//	t len topic   first-position    → postings
//	c trace_id    first-position    → postings
//	p parent_id   first-position    → postings
//	k len key     first-position    → postings
//	n type 00 version               → count of records
//	g name                          → consumer position
//	m format                        → store format, now 1
//	d type 00 version               → count of records that were retired
//
// Postings are the positions of one group commit under one index entry: the
// first in the key, each further one as a uvarint distance to the one before.
// An envelope that has its trace's own id, as the first of a trace should, gets
// no entry under c: i finds it.
//
// So 500 envelopes to one topic in one group cost one topic key, not 500. Keys
// of a group are written index by index and envelope ids begin with their
// milliseconds, so nearly all keys are written in ascending order; random ones
// would cost several times the throughput.
//
// # Record formats 1 and 2
//
//	byte      format
//	header    envelope_id[16] trace_id[16] flags
//	          parent_id[16] when flag 1 is set
//	          timestamp(varint) kind(byte) version(uvarint)
//	          topic type source principal (uvarint length, bytes)
//	          keys subjects (uvarint count, then each with its length)
//	payload   encoding(byte) key id, nonce, bytes (uvarint length, bytes)
//	          errors as JSON, same encoding (uvarint length, bytes; when flag 2 is set)
//	trailer   clock(int64), in format 2 alone
//	          recorded_at(int64) CRC-32C(uint32) over position(uint64) and all bytes before
//
// Format 2 is written while the writer's clock is behind the last record, because it was
// put back: recorded_at never decreases, and the clock's time is kept beside it. In
// format 1 both are the same.
//
// The header is in clear and holds no personal text; the payload section names
// how it is encoded, so that payloads can be sealed per subject and a lost key
// erases them without touching a byte. The checksum is over the stored bytes:
// an erased record still verifies.
//
// # Records that went
//
// Retire deletes records, with what the indexes say of them. Their positions stay taken: a
// run of them has a marker under the key of its first, whose format is 3. Readers pass over
// it, and only what no marker covers is missing.
//
//	byte      format
//	span      through(uint64) recorded_at(int64) of the last that went
//	trailer   CRC-32C(uint32) over the first position(uint64) and all bytes before
//
// # When the disk fails
//
// Below Config.MinFreeBytes appends are refused and nothing is written. When
// Pebble meets a failing write or sync it wants to end the process; instead the
// store it wrote to is fenced off (it can write nothing more), the waiting
// appends fail with CodeOutcomeUnknown, and the store is opened anew, again and
// again until that works. Reads go on from the old store meanwhile, appends are
// refused with CodeDiskFailed. Then the tail is read again, and appends are
// accepted.
//
// A failed store is closed if possible. If it failed while changing its WAL or its
// manifest that isn't possible, and its goroutines and memory (some tens of MiB) stay
// until the process ends: the price of going on.
//
// # When the files are damaged
//
// Opening for writing moves what the write-ahead files hold to tables and deletes them,
// so Open first reads the folder without changing it, and compares its end with the mark
// beside the log, with Config.Known, and with the log's own tail when it reopens the
// store. Missing records are CodeRecordsLost; a read-only log opens all the same, and
// Loss and Verify say which positions it lacks. Repair writes a new store from the
// records that can still be read; see there.
//
// # A copy of a log elsewhere
//
// With Config.Upstream the log is a copy of one that other machines keep. What Follow
// brings is added byte for byte; what is appended is judged here, since everything that
// is upstream is here, committed upstream as one call for each group, and only then
// written here. While nothing is heard from there appends are refused and reads go on.
// A copy is synced once a second: what a loss of power took is followed again, and a
// damaged one is made anew instead of repaired. SetUpstream makes a copy of a log, or a
// log of a copy.
//
// # Testing
//
// Config.FS takes any vfs.FS: Pebble's crashable memory file system for power
// loss, errorfs for failing operations.
package pebblelog
