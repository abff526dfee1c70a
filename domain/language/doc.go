// Package language is the room in which people are understood: it is pure, and imports domain and its own
// parts alone. What goes in is a [Prompt]: the text, the moment, the zone, what is in mind, what was said and
// done, and what is offered. What comes out is a [Reply]: what is asked for, as calls with the spans of the text
// that they rest on, or a question, or what is told. Both are values, and the same for every model
// that answers: commands/reasoning makes the one and carries out the other.
//
// # Its parts
//
//   - sentences splits a text into words, and reads it for one person at one moment
//   - tools finds the tool that a sentence asks for, and fills its parameters
//   - abroad hears German, Spanish and French, plans what is to happen to plans, lists to lists and tasks
//   - hearing tries all of these for one sentence, turns hears what follows from what was said before, and answers
//     makes the reply of the built-in model
//   - when reads times, in English; timing those of plans, with what they leave open; gauge reads values, and reckon works
//     out sums, days and the time elsewhere
//   - tongues has the words of the other languages; deed those that name what a tool does
//   - speech has what Chalie says, as values, and the catalogues that make words of it in each language
//   - bynames finds the thing that a person means by its words or its place, also where they say yes or no to one,
//     and concern the plan that a message means
//
// The hearing parts stand above each other in this order, each with a type that has the one beneath within: what knows
// turns knows sentences, and never the other way round.
//
// No part knows commands, and commands take no words apart, which a test of package domain holds: skills have timing and
// bynames read what they are called with. What follows of what was heard for a plan is judged by domain/relate, and told
// on the cards of domain/cards.
//
// # Testing with it
//
// Everything here is a function of its arguments. What is understood is measured by cmd/understand, which stands
// outside, as a caller does.
package language
