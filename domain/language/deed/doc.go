// Package deed finds which of a person's words name what a tool does, or ask for the contrary.
//
//	words := deed.Of("unlock_door", "Unlocks a door: front or back.", parameters, params).In("open the front door")
//	words.Named   // the places of "open"
//	words.Against // none
//
// # What a tool does
//
// A tool does what its description, its name and the values of the call say together, the
// description first: Home Assistant locks a door by HassTurnOn. Of a description the first
// sentence counts, and of the others what they quote, as in "use for requests like 'lock'". A value
// such as off, unlocked or false says which of two contrary deeds a call is.
//
// # Which words name it
//
// A verb of the tool's in any form that asks for it, or another for the same deed, in English,
// German, French and Spanish ([words.go], [alike.go]). A thing, a place, or a value that the tool lists
// names no deed. Nor does a verb that is only spoken of: in a question that wants to know something, in
// what somebody tells, in quotation marks, or in what is to be remembered.
//
// Contrary deeds ([opposite.go]) are never each other's: to lock asks for the contrary of what
// unlock_door does, and so does "don't unlock", though that has its verb.
//
// # What it isn't
//
// It is no grammar: it doesn't tell what is to be locked, nor which of two tools is meant. A language
// that isn't read names a tool only by the tool's own words.
//
// Everything here is a pure function, and takes any text.
package deed
