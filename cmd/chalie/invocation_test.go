package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestProgramName(t *testing.T) {
	for in, want := range map[string]string{
		"chalie":                           "chalie",
		"./chalie":                         "./chalie",
		"bin/chalie":                       "bin/chalie",
		"/nowhere on the path/chalie":      "'/nowhere on the path/chalie'",
		"/tmp/go-build123/b001/exe/chalie": "go run ./cmd/chalie",
		"/var/x/go-build9/b001/exe/chalie": "go run ./cmd/chalie",
		"/home/a/.cache/go-build/x/chalie": "go run ./cmd/chalie",
	} {
		if got := programName(in); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestProgramNameOnPath(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "chalie")
	if err := os.WriteFile(program, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if got := programName(program); got != quoted(program) {
		t.Errorf("off the path it is %q", got)
	}
	t.Setenv("PATH", dir)
	if got := programName(program); got != "chalie" {
		t.Errorf("on the path it is %q", got)
	}
}

func TestAgain(t *testing.T) {
	c, _, _ := testConsole()
	for data, want := range map[string]string{
		"./data":      "chalie world",
		"data":        "chalie world",
		"/srv/chalie": "chalie world --data /srv/chalie",
		"my data":     "chalie world --data 'my data'",
		"it's":        `chalie world --data 'it'\''s'`,
		"~/x":         "chalie world --data '~/x'",
	} {
		if got := c.over(data).again("world"); got != want {
			t.Errorf("%s: %q, want %q", data, got, want)
		}
	}
}
