// Package apiclient speaks to Chalie's operator API: to a running program
// through an HTTP client, or to the very same handler inside this process, so
// that whoever uses it has one way to ask and one shape to read.
//
// Answers are [Object]s: text that can be passed on as it came, with fields that
// this version doesn't know yet, and that is read when its value is asked for.
//
// # Ordering
//
// Records come in order of position, traces and tokens in the order the API
// lists them. A [Client] is safe for concurrent use.
//
// # Failure
//
// Every error is a *domain.Error. An answer that refuses becomes one with the
// API's own words and the category of its status. When nobody answers the code
// is [CodeUnreachable]. Ending the context ends the call with its error as the
// cause.
//
// # Tests
//
// [InProcess] takes any http.Handler.
package apiclient
