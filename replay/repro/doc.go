// Package repro makes bundles to reproduce a fault in one trace: the records that its
// replay needs, with pseudonyms for all words that could identify a person.
package repro
