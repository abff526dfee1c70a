// Package language is the room in which people are understood: it is pure, and imports domain and its own
// parts alone. What goes in is a [Prompt]: the text, the moment, the zone, what is in mind, what was said and
// done, and what is offered. What comes out is a [Reply]: what is asked for, as calls with the spans of the text
// that they rest on, or a question, or what is told. Both are values, and the same for every model
// that answers: commands/reasoning makes the one and carries out the other.
//
// # Its parts
//
//   - hearing reads what a person says, and makes the reply of the built-in model
//   - when reads times, in English; gauge reads values, and reckon works out sums, days and the time elsewhere
//   - tongues says requests in German, Spanish and French in English, and answers in them
//   - deed has the words that name what a tool does
//   - bynames finds the thing that a person means by its words, and concern the plan that a message means
//
// No part knows commands, and nothing beside these parts reads a sentence. What follows of what was heard for a
// plan is judged by domain/relate, and told on the cards of domain/cards.
//
// # Testing with it
//
// Everything here is a function of its arguments. What is understood is measured by cmd/understand, which stands
// outside, as a caller does.
package language
