// Package dialogue is the form of dialogues: what a person says in turn, and what has to be so
// after each turn. cmd/understand/testdata/dialogues/README.md tells it to people.
//
// Read reads them. Who plays one notes what came of each turn (Happened) and what is planned
// then (Planned), and Missing holds both against the turn's check.
package dialogue
