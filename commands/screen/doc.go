// Package screen takes secrets out of what comes in before anything is stored, and flags
// what tries to steer a model. Finding them is domain/guard's; which fields of what are
// looked at is this package's, so that every door treats a field alike.
//
// It is pure: the same input gives the same output, and there is no failure.
package screen
