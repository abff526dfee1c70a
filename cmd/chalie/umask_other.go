//go:build !unix

package main

// keepToOwner does nothing where files have no modes.
func keepToOwner() {}
