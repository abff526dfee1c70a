// Package demo is three small interfaces to show Chalie with: a restaurant that
// broadcasts, a hospital portal that sends signals and messages and offers tools,
// and a stock exchange that broadcasts prices by the thousand.
//
// They know Chalie only by its public protocol, HTTP, WebSocket and the token that
// pairing gave them, and import nothing of its program. Each could run anywhere.
//
// NewRestaurant, NewHospital and NewExchange take an address at once, so that Addr
// is known; Run serves until its context ends. What they do in the world, such as
// Restaurant.CloseTonight, is called by whoever tells the story.
//
// # What they serve
//
// What each says of itself and offers is a file of its own, served as it is.
//
//	GET  /health        {status, name, version}
//	GET  /capabilities  the tools, with their typed parameters
//	GET  /meta          {name, version, description, author, scopes}
//	GET  /              {blocks}, what they show of themselves
//	POST /execute       {capability, params} → {text?, data?, error?}; an
//	                    Idempotency-Key that came before gets the same answer
//	GET  /stream        a WebSocket with what is broadcast; not of the hospital
//
// # Ordering
//
// A listener hears what is broadcast after its handshake was answered, in order.
// An interface doesn't know how many listen, or who.
//
// # Failure
//
// A listener that takes nothing for WriteWithin is let go; it may connect again.
// What Chalie refuses is a *Refusal with its status and words. Ending the context
// of Run lets go of all listeners, gives requests under way a moment, and is no
// error. After Run or Close nothing listens and no goroutine is left.
//
// # Tests
//
// With the same Seed and clock an exchange says the same.
package demo
