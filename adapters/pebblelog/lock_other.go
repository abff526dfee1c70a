//go:build !unix

package pebblelog

import "os"

// readOnlyDisk can't be told here.
func readOnlyDisk(error) bool { return false }

func shareLock(*os.File) error { return nil }
