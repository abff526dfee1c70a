package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The commands of the page on backups do what it says, in its order, with folders of the
// test's; what it says one sees is what Chalie says.
func TestHowToBackup(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/how-to/backup.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	dir := t.TempDir()
	data, folder := filepath.Join(dir, "data"), filepath.Join(dir, "disk", "chalie")
	blocks := regexp.MustCompile("(?s)\n *```sh\n(.*?)\n *```").FindAllStringSubmatch(page, -1)
	var steps []string
	for _, block := range blocks {
		for line := range strings.SplitSeq(strings.TrimSpace(block[1]), "\n") {
			steps = append(steps, strings.ReplaceAll(strings.TrimSpace(line), "/mnt/disk/chalie", folder))
		}
	}
	if len(steps) != 6 {
		t.Fatalf("the page has the commands %q", steps)
	}
	run := func(line string) string {
		t.Helper()
		cmd := exec.Command("sh", "-c", line)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		return string(out)
	}

	v := startVictim(t, data)
	v.ready()
	v.chalie("say", "remind me: dinner reservation at Luigi's in 2 hours")
	run(steps[0])
	if says := run(steps[1]); !strings.Contains(says, "came out as they were") {
		t.Errorf("the trial says %s", says)
	}
	if says := run(steps[2]); !strings.Contains(says, "Luigi's") {
		t.Errorf("the conversation is %s", says)
	}
	run(steps[3])
	v.stop()
	if err := os.RemoveAll(data); err != nil {
		t.Fatal(err)
	}
	run(steps[4])
	v = startVictim(t, data)
	v.ready()
	if says := v.chalie("plans"); !strings.Contains(says, "dinner reservation") {
		t.Errorf("the plans are %s", says)
	}
	if says := run(steps[5]); !strings.Contains(says, "all of it was read back") {
		t.Errorf("going on says %s", says)
	}
	v.stop()
}
