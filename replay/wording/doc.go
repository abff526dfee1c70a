// Package wording says in plain words what the log holds as codes and as JSON.
//
//	wording.Gate(domain.GateCooldown)            // "you had been told something like it a short time before"
//	wording.Reasons(decision)                    // `the rule "harmless"`
//	wording.Values(invoked.Params)               // "people 2, time 19:30"
//
// Sentences, pictures, pages and the terminal take their words from here, so that a
// code is told alike wherever a person meets it. The code itself stays in JSON, and
// where a page shows the details. A code that this version doesn't know is spelt out:
// it may be a newer version's, or the name of a rule of the person's own.
//
// What comes from outside is bounded here and not cleaned: whoever shows it takes out
// what steers a terminal, and escapes it.
package wording
