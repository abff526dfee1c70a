// Package message takes in the person's and programs' words: messages, presses of buttons, pictures,
// and what changes an answer under way (Steer, Cancel). Taking a message in is an append and
// nothing else; package reasoning follows the log and answers.
//
// A steer or a cancel is appended on the condition that the answer hasn't ended, so one that
// came too late is refused and not lost.
package message
