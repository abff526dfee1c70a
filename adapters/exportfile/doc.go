// Package exportfile writes a log, or a part of one, to a file that outlives
// the program, and reads it back.
//
// A file is lines of JSON: a header, one line for each record in the order of
// the log, and a trailer. Two formats hold the same: JSON Lines, which is the
// shape the API gives records in, and CloudEvents 1.0, each line an event in its
// structured JSON form.
//
// # What is kept
//
// Everything that is stored of a record: position, time, topic, the whole
// header of the envelope, and the payload byte for byte. A payload that is JSON
// and fits on a line is written as it is, white space included, so that it can
// be read and searched. One that doesn't fit, or is no JSON in clear, stands as
// base64.
//
// # CloudEvents
//
// An event's id and type are the envelope's, its source is /chalie/emitters/ and the
// envelope's source. Control characters and % in a name are written as % with two
// digits. time and emittedat are the envelope's timestamp, as a date where there is one,
// and in milliseconds. position, topic, recordedat and clock are the record's, numbers as
// text, because they may be greater than CloudEvents allows. traceid, parentid, kind,
// principal and typeversion are the envelope's; keys, subjects and errors are JSON in a
// text. data or data_base64 is the payload, with encoding, keyid and nonce. Header and
// trailer are of the types chalie.export.begun and chalie.export.ended.
//
// # The sums
//
// Every line ends with a sum: the first 128 bits of SHA-256 over the sum of the
// line before and the bytes of this line up to its own sum. A line that was
// changed doesn't fit its sum, one that is missing or was moved doesn't fit the
// one before, and a file that was cut short has no trailer. Whoever changes a
// line and every sum after it makes another file: the sums find accidents and
// careless hands, and are no signature. The trailer's sum stands for the whole
// file.
//
// # Failure
//
// A Reader stops at the first line that isn't as it was written and names it.
// Unverified, it takes what was changed and keeps a list; a line that can't be
// a record at all is refused all the same.
package exportfile
