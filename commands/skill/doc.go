// Package skill has Chalie's own tools: reminders, appointments, tasks, lists, memories, status and why.
// Each is a tool.Skill, so it is called, decided and recorded like any other tool.
//
// A skill returns entries and conditions and appends nothing. If a parameter is missing
// its answer asks for it. It reads folds that have caught up with the log's end at the
// call.
//
// The skills that change plans are one procedure, in procedure.go: a request is read from the parameters, and its
// plans are found, asked about, changed and told by the table of kinds and verbs of package domain.
package skill
