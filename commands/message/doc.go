// Package message takes in the words of the person and of programs: messages, pressed
// buttons, images, and changes to an answer under way (Steer, Cancel). Taking a message in
// is an append and nothing else; package reasoning follows the log and answers.
//
// A steer or a cancel is appended on the condition that the answer hasn't ended, so a late
// one is refused and not lost.
package message
