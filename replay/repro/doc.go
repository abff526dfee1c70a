// Package repro makes what somebody needs to look for a mistake in one trace: the
// records that its replay rests on, without the words that could name anybody.
package repro
