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
// Lines and labels are read from the one envelope alone, so they cost no look at the log and
// are the same every time. What was erased is told as erased, and what this version can't
// read by its type and its texts. A clause speaks of other records, which its Scene knows:
// it comes in parts, so that whoever shows it can lead to the records.
//
// Whatever an envelope holds, Line and Label are one line of valid text, without control
// characters and those that turn the writing direction around. They may hold HTML as text:
// whoever shows it escapes it. A label is bounded, a line is not.
package narrate
