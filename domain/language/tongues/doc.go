// Package tongues reads German, Spanish and French as far as a request needs it: it knows the
// language of a sentence, says its time in the English words that domain/language/when reads,
// and knows how things are asked for and answered. What is said in them stands in the catalogues
// of package speech.
//
//	t, ok := tongues.Of("Erinnere mich morgen um halb neun an den Zahnarzt")
//	t.When(...).English // "tomorrow at 8:30"
//	t.When(...).Rest    // "Erinnere mich an den Zahnarzt"
//
// # How it tells a language
//
// [Of] counts the words of a sentence that one language has and English hasn't. English
// wins whenever it is close, a mixed sentence has no language, and neither has a name.
// [Elsewhere] tells that a sentence is in a language that isn't read at all.
//
// # How it reads times
//
// Each language is a table of rules. A rule fits words, with classes such as <n> for a
// number or <dow> for a weekday, and says what they are in English. The longest rule wins,
// and parts that stand beside each other or apart are one time. Accents and capitals don't
// count, and numbers may be words. Numeric dates have the day first.
//
// # Nothing unread is swallowed
//
// Words that speak of time and weren't read, two days where one is wanted, and times that
// have no English here are in [Time.Unread]: who acts on the time asks about them first.
// Words between quotation marks are never read.
//
// # Requests
//
// [Tongue.Requests] are what can be asked for, each with its phrases. Who fits them to a
// sentence has words to fit and *names to fill.
//
// # Tables
//
// A language is a text of sections, each a line with == and a name. Words have no accents and
// no capitals. To add a way of saying something is to add a line:
//
//	== class dow        words with their English: montag=Monday
//	== rules            day: am? kommenden <dow> = the $1 after today
//	== requests         remind :: erinnere mich an *what
//	== macros           what {the} stands for in a request
//	== says             patterns of the language: lasting: %s lang
//	== picks            words that pick from what was named: das_erste=the_first
//	== correct          what begins a correction: mach es
//	== sums             words of sums: mal=times
//	== places           cities that have another name in English: Wien=Vienna
//	== articles, or …   the words of a [Role]
//
// A new language needs such a text, its numbers, and its name in [All].
//
// Everything here is a pure function of its arguments.
package tongues
