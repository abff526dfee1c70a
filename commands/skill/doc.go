// Package skill is what Chalie itself can do: remind, keep lists and tasks, remember, say
// how things are and why. Each skill is a tool.Skill, so it is asked for, decided and
// recorded as any other tool.
//
// A skill returns entries and conditions and appends nothing. What it lacks it asks for in
// words. It reads folds that have caught up with the log as it was when the skill was asked.
package skill
