// Package guest says what a program's words may do in a page that a person looks
// at with their session: be read, and lead away from this machine.
//
// A cookie knows no ports. Whatever listens at another port of the host that a
// browser knows Chalie by is sent the session with the first link that is followed
// there, so nothing that came from elsewhere may lead there: no link, button,
// picture or openUrl. Host is that rule. Follow judges one address; Blocks, Answer,
// Card and Pending are what a person's client is sent of blocks, of a tool's answer,
// of a card, and of the page of a program that waits for the person's decision.
// What isn't followed is still shown, as text with the reason, so that a person
// can copy it.
//
// An address is followed only where it is certain how every browser reads it.
// Browsers pass over tabs and newlines, take backslashes for slashes, 2130706433
// and full-width digits for 127.0.0.1, and what stands before an @ for a name; what
// is written in such ways is text. An address that leads elsewhere may be answered
// with a redirect to this machine. Nothing here can know that.
//
// All of it is pure. What is given is never changed, and what needs no change
// comes back as it is. It takes time linear in what it is given. Nothing fails.
package guest
