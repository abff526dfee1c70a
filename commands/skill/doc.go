// Package skill has Chalie's own tools: reminders, appointments, tasks, lists, memories, status and why.
// Each is a tool.Skill, so it is called, decided and recorded like any other tool.
//
// A skill returns entries and conditions and appends nothing. If a parameter is missing
// its answer asks for it. It reads folds that have caught up with the log's end at the
// call.
package skill
