// Package silence packs what a cycle considered, when it told nothing, into one record
// ([domain.SilentCycle]), and works it out again: every item with its salience and its gate, what
// was related, and what was kept back. It gives the same as the steps of a cycle would have.
package silence
