// Package blobfiles keeps contents as files in a folder, each named by a keyed
// hash of itself.
//
// # Layout
//
//	KEY              the key of this folder, mode 0600
//	ab/ab12…         a content, under the two first digits of its hash
//	incoming-*       a content that is being written
//
// A content's hash is HMAC-SHA-256 under the folder's key, as 64 hex digits. So
// the same content twice is one file, and whoever reads a hash elsewhere, in a
// log that was exported, can't tell whether it is that of a picture they have.
// KEY is one line: 32 random bytes in hex, a space, and the first 8 bytes of
// their SHA-256 in hex, by which damage is seen. It is made once, and never
// replaced while there is a content whose name depends on it.
//
// # Durability
//
// Put answers once the content is synced, has its name, and the folders on the
// way to it are synced. A crash before that leaves at most an incoming file,
// which the next Open removes. One process at a time may have a folder open to
// write: whoever opens it holds the data directory's lock already.
//
// # Failure
//
// Get compares what it read with the hash and tells a file that is gone from one
// that is damaged. Putting the same content again mends a damaged file. A folder
// with contents whose KEY is gone or damaged doesn't open: a new key would cut
// all of them off. Losing KEY on purpose, together with the contents, forgets
// them all.
//
// To test with it: Open on t.TempDir().
package blobfiles
