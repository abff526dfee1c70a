// Package pebblestore keeps the derived state of a projection in a Pebble
// database of its own: one folder per projection and version, such as world-1.
//
// A rebuild folds into a folder beside it, such as world-1.g1: its generation. The
// small file world.serving names the edition (version and generation) that serves,
// and the one before, which is kept to go back to. It is written anew and synced
// before it takes the old one's place, so a crash leaves one or the other. Without
// it the newest version's first generation serves.
//
// Nothing in it is precious. There is no write-ahead log and an Update is not
// synced: Pebble writes its memtable out when it is full, every FlushEvery
// positions and on Close. A crash loses the updates since then, whole ones and
// the latest first, and the projection folds those records again. State and
// checkpoint are one write, so they never disagree.
//
// # Layout
//
// Key 0x00 holds the checkpoint, eight bytes, big endian. The projection's own
// keys follow, each behind a 0x01.
//
// # Failure
//
// While the disk refuses a flush, Update fails with a retriable error with
// CodeDiskFailed, and succeeds again when Pebble's own retries do; reads go on.
// When Pebble itself gives up, or bytes on the disk turn out to be damaged,
// the store fails for good with CodeCorrupt (not for want of file descriptors, which
// says nothing of what is stored), and Close deletes the folder, so
// that the next start folds again, and Reset begins an empty store in its
// place. Open refuses a damaged folder; Recover
// deletes it, begins an empty one and tells why.
//
// Close stops new calls, waits for those under way, and flushes.
//
// # Tests
//
// Give Config.FS an in-memory file system. The suite of package projectionstest
// runs here.
package pebblestore
