// Package narrate says in plain words what the log holds: it has one entry for each type
// of event.
//
//	narrate.Line(e)              // "book with people 2, time 19:30", a line of a list
//	narrate.Label(e, "Luigi's")  // "asked for the tool book of Luigi's", a label in a picture
//	narrate.Clause(scene)        // what somebody did, as a part of a sentence
//	narrate.Lead(t, "Ada")       // "Ada used a tool", which a trace began with
//	narrate.OriginOf(t)          // whether a replay decides it again, and why
//
// To add a type, add its entry to the list of its noun; a test holds the entries to the
// catalogue. The words of codes (gates, outcomes, verdicts, reasons) are in package domain,
// beside the codes; Reasons and Decision here put those of a policy's decision together.
//
// Lines and labels depend on the envelope alone, so they read nothing from the log and
// are always the same. An erased payload is told as erased, and a type unknown to this
// version by its name and texts. A clause may refer to other records, which its Scene
// knows: it comes in parts, so that a page can link to the records.
//
// Whatever an envelope holds, Line and Label are one line of valid text, without control
// characters and those that turn the writing direction around. They may contain HTML as
// text, which must be escaped for a page. A label is bounded, a line is not.
package narrate
