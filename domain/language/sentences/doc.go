// Package sentences splits what is said into words, and reads it for one person at one moment.
//
// [Read] makes words of a text, [Phrase] fits the form of a request to them, and a [Reader] looks for the times in
// it. What a sentence asks for is found in the rooms above: tools, abroad, plans, lists and hearing, each with a
// type that has the one beneath it within.
package sentences
