package main

import (
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"
)

// clusterVariable has the cluster's address where no flag gives it: a password on a command
// line is read by every program of the machine.
const clusterVariable = "CHALIE_LOG"

// clusterAddress is the address that a flag gives: itself, or after @ what stands in a file.
// A password that everybody may read is warned of.
func clusterAddress(given string, warn io.Writer) (string, error) {
	name, inFile := strings.CutPrefix(given, "@")
	if !inFile {
		if at, err := url.Parse(given); err == nil && at.User != nil {
			if _, secret := at.User.Password(); secret {
				_, _ = fmt.Fprintf(warn, "chalie: the cluster's password stands on the command line, where every program of this machine may read it: put the address into a file that only you may read and give @FILE, or set %s\n", clusterVariable)
			}
		}
		return given, nil
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return "", fmt.Errorf("the file with the cluster's address can't be read: %w", err)
	}
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		_, _ = fmt.Fprintf(warn, "chalie: other users may read %s, which may hold a password: chmod 600 %s\n", name, name)
	}
	address := strings.TrimSpace(string(text))
	if address == "" || strings.ContainsAny(address, "\r\n") {
		return "", fmt.Errorf("%s has to hold the cluster's address, such as esdb://one:2113?tls=true, and nothing else", name)
	}
	return address, nil
}
