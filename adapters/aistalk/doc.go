// Package aistalk is what voice programs and consoles are told: the events of the AISTALK
// contract, as JSON.
//
// Console is the dialect of the sockets at /ws/events. Its events of chat, tools, voice and
// errors are a fold of the log: each has an id, and a client that names the last one it had is
// sent what it missed. What is only true now, such as how the parts of Chalie are, has none.
//
// A Bridge is the other way round: it sends the same events to an address, with the texts and
// the sound of answers.
package aistalk
