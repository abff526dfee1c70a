// Package gauge reads what signals say of something that has a name: its values, such as
// "$231.40" or "moisture 31 %", or else its state, such as "out for delivery".
//
// Of reads what one text says of a name; All reads what it says of whatever it names. Both
// read words and JSON. Change tells how a value differs from an earlier one.
//
// Numbers are read with care. Dates, times of day, years, ids, ordinals, ranges and lengths of
// time until something are no values; nor is by how much something changed ("up 2 %"), or what
// it was before ("from 229"). A comma with three digits behind it marks thousands, and so does
// a full stop where two of them, or a comma behind it, leave no other reading. What can't be
// read as a value is left out: a text never makes anything fail, and no value is made up.
//
// Everything here is a pure function of its arguments, in exact decimals, and takes time about
// linear in the text.
package gauge
