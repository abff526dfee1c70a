//go:build !linux

package cgroup

import "errors"

// Group is a control group, which Linux alone has.
type Group struct{}

// New fails: there are none here.
func New(string, int64, int) (*Group, error) {
	return nil, errors.New("control groups are Linux's")
}

// FD is none.
func (*Group) FD() int { return -1 }

// Kill does nothing.
func (*Group) Kill() error { return nil }

// Remove does nothing.
func (*Group) Remove() error { return nil }
