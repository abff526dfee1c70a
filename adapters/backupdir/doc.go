// Package backupdir keeps the backup of a data directory in a folder: the log, and the files
// that stand beside it.
//
//	BACKUP                       the manifest: what the backup consists of
//	BACKUP.copy                  the same once more, for when the disk damages the first
//	records/1-1204.jsonl.gz      an export of positions 1 through 1204, as gzip
//	records/1205-1290.jsonl.gz   what came until the next backup
//	files/SHA256                 a file that stood beside the log, named by its hash
//	LOCK                         one writer at a time
//
// What the manifest names is the backup, and nothing else. It names each piece and file with
// its SHA-256, who the log is (the envelopes at its ends), and how every projection stood
// after the last record that it had folded (its digest). The digests are taken first and the
// records exported after, so that every fold can be made again from what the backup has.
//
// # Writing
//
// Write adds what is new and never changes a piece that is there. It reads back everything,
// also what earlier runs wrote, and then puts the manifest in place by one rename: a run that
// is killed leaves the backup before, and files that nothing names, which the next run removes.
// A disk may answer the reading from memory; what it has lost by then the next run finds.
//
// # Reading
//
// Open reads the manifest. Records and Files pass on what it names and refuse by its name
// what isn't as it was written.
//
// # How to test with it
//
// Config.FS takes vfs.NewCrashableMem, and the ports are functions of a log in memory: see the
// package's own tests, which lose power and let the disk fail at each step.
package backupdir
