// Package message takes in what is said to Chalie: messages, presses of buttons, pictures,
// and what changes an answer under way (Steer, Cancel). Saying something is an append and
// nothing else; package reasoning hears of it and answers.
//
// A steer or a cancel is appended on the condition that the answer hasn't ended, so one that
// came too late is refused and not lost.
package message
