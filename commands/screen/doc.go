// Package screen removes secrets from input before it is stored, and flags attempts to
// steer a model. Package domain/guard finds them; this package says in which fields, so
// that every way in treats a field alike.
//
// It is pure: the same input gives the same output, and there is no failure.
package screen
