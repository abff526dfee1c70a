// Package memlog is the log in memory, for tests and for what-if runs. It keeps to the
// ports of domain in full: order, atomic batches, conditions, duplicates, checkpoints,
// closing. It doesn't show how a log behaves when its disk fails or its process dies.
package memlog
