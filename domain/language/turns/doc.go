// Package turns hears what is said in turn: what a message means that answers, corrects, follows, points at or
// takes back what was said and done before.
package turns
