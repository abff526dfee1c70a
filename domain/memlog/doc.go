// Package memlog is the log in memory: what tests append to, and what a what-if goes on
// in. It keeps to the ports of domain in full: order, atomic batches, conditions,
// duplicates, checkpoints, closing. What can't be learnt from it is how a log behaves when
// its disk fails or its process dies.
package memlog
