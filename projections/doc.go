// Package projections keeps what is known: folds of the log, each of which can
// be deleted and built again.
package projections
