// Package speech is what Chalie says, as values, and the words of it in each language.
//
//	m := speech.Message{ID: "task.made", Args: speech.Args{"what": speech.Text{Words: "call Anna"}, "until": until}}
//	speech.English().Say(m, speech.Voice{Now: now, Zone: zone}) // Task: call Anna, due tomorrow, Friday 27 November at 09:00
//
// # Messages
//
// A [Message] is an id and arguments by type. What there are stands in the tables of folder messages, one
// for each subject, with the arguments of each message and its words in every language: texts of the person and
// of others, times, spans, periods, lengths, numbers, kinds, lists of these, and messages that are a part of
// another. No argument is a sentence, and no template is only its argument.
// [Message.Check] holds a message to that. Its JSON says of each value what it is, so that it is
// understood without the tables, also when its id isn't known any more.
//
// # Catalogues
//
// A [Catalogue] has the words of a language: the templates of the messages, and what english.txt and the
// tables of the others have, in sections that begin with a line == and a name.
//
//	== times        how moments, spans, lengths and recurrences are written
//	== KIND         the forms of a kind: a line "= one | other | which", and a line for each of its words
//	== says         templates of messages, of a language that the tables of messages haven't
//
// In a template {name} is an argument, [...] is said only when all arguments in it are given, and
//
//	{until, full}                                a style of its type: full, day, clock, date, calendar, ago, exact,
//	                                             plain, capital, month, year, stated, since; short; quoted, named, place
//	{list, list}  {list, titled}                 the name of a list behind what it is, and alone
//	{what, plan}  {place, place}                 the text of a plan, where what rings has a word; where something takes place
//	{all, and}  {all, apart quoted}              lists: with commas, "and" or semicolons between, and the style of each
//	{kind, titled}  {kind, of n}                 a form of a kind; the one for so many
//	{n, plural, one {# entry} other {# entries}} by the language's own plurals
//	{how, select, set {it} add {them}}           by a kind
//
// Plurals are those of golang.org/x/text, dates and times those of the section times.
//
// # Answers
//
// An answer is a row of [Said]: messages, each with how it is shown. [Catalogue.Blocks] and
// [Catalogue.Plain] make words of it.
//
// A [Refusal] is an error that has a message: why a time is none, and what is asked instead.
//
// # When it is stored
//
// What was said is recorded as it was said: [domain.Spoken] has the values, and the language and the
// version of the catalogue of the words beside them. The words of a message may change, and what was
// recorded doesn't. A message that goes leaves its values readable and without words.
//
// Everything here is a pure function of its arguments.
package speech
