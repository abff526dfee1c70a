package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The address of a cluster comes from a file, too; a password on the command line is warned
// of without being repeated.
func TestClusterAddress(t *testing.T) {
	const address = "esdb://admin:changeit@one:2113?tls=true"
	file := filepath.Join(t.TempDir(), "address")
	if err := os.WriteFile(file, []byte(address+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for given, warned := range map[string]bool{address: true, "@" + file: false, "esdb://one:2113?tls=true": false, "esdb://admin@one:2113": false} {
		var said bytes.Buffer
		got, err := clusterAddress(given, &said)
		if want := strings.Replace(given, "@"+file, address, 1); err != nil || got != want {
			t.Errorf("%s is %q, %v", given, got, err)
		}
		if warned != strings.Contains(said.String(), clusterVariable) || strings.Contains(said.String(), "changeit") {
			t.Errorf("%s is warned of with %q", given, said.String())
		}
	}
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	if _, err := clusterAddress("@"+file, &said); err != nil || !strings.Contains(said.String(), "chmod 600 "+file) {
		t.Errorf("a file that others may read is warned of with %q, %v", said.String(), err)
	}
	for _, text := range []string{"", "one\ntwo"} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := clusterAddress("@"+file, &bytes.Buffer{}); err == nil {
			t.Errorf("%q is taken for an address", text)
		}
	}
	if _, err := clusterAddress("@"+file+"x", &bytes.Buffer{}); err == nil {
		t.Error("a file that isn't there is taken for an address")
	}
}
