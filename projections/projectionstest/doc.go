// Package projectionstest holds the conformance suite of projections.Store.
package projectionstest
