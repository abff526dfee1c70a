//go:build !linux

package voices

func bound(int) {}
