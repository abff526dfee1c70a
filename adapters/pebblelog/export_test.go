package pebblelog

import "chalie/domain"

// RecordKey is the stored key of a record, for tests that damage one.
func RecordKey(pos domain.Position) []byte { return recordKey(nil, pos) }
