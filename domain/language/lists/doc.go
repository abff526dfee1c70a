// Package lists hears what is to happen to lists, and to what is to be done.
package lists
