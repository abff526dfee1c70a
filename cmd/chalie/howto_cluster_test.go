package main

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"chalie/adapters/eventstorelog/teststore"
)

// The commands of the page on clusters do what it says, in its order, with the address of a
// cluster of the test's; the numbers and files that it names are there.
func TestHowToCluster(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/how-to/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	node := teststore.Start(t, teststore.Config{})
	// commanded is a command of the page, as its reader types it, and more flags.
	commanded := func(begins string, more ...string) *exec.Cmd {
		t.Helper()
		line := regexp.MustCompile(`(?m)^` + begins + ` .*$`).FindString(page)
		address := regexp.MustCompile(`'esdb://[^']+'`)
		if !address.MatchString(line) {
			t.Fatalf("the page has no command %q with an address: %q", begins, line)
		}
		line = strings.TrimPrefix(address.ReplaceAllLiteralString(line, "'"+node.URL()+"'"), "chalie ")
		cmd := exec.Command("sh", append([]string{"-c", "exec chalie " + line + ` "$@"`, "sh"}, more...)...)
		cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
		return cmd
	}

	// Run it on a cluster.
	data := filepath.Join(t.TempDir(), "data")
	v := begun(t, data, commanded("chalie serve --log", serving(data)[1:]...))
	v.ready()
	v.chalie("say", "remind me: dinner reservation at Luigi's in 2 hours")
	numbers := v.wants(http.StatusOK, "GET", "/metrics", "")
	for _, name := range regexp.MustCompile("`(?:chalie_cluster)?(_[a-z_]+)`").FindAllStringSubmatch(page, -1) {
		if !strings.Contains(numbers, "\nchalie_cluster"+name[1]+" ") {
			t.Errorf("/metrics has no chalie_cluster%s", name[1])
		}
	}
	for _, name := range []string{"CLUSTER", "CLUSTER-KEY"} {
		if _, err := os.Stat(filepath.Join(data, name)); err != nil || !strings.Contains(page, "`"+name+"`") {
			t.Errorf("of %s: %v", name, err)
		}
	}
	v.stop()
	v = begun(t, data, alone(data)) // the next needs no flags
	v.ready()
	if says := v.chalie("plans"); !strings.Contains(says, "dinner reservation") {
		t.Errorf("the plans are %q", says)
	}
	v.stop()

	// Move to it, and back, with the address in a file.
	file := filepath.Join(t.TempDir(), "address")
	if err := os.WriteFile(file, []byte(node.URL()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	here := filepath.Join(t.TempDir(), "here")
	v = begun(t, here, alone(here))
	v.ready()
	if out, err := commanded("chalie move --to", "--data", here, "--log-stream", "moved").CombinedOutput(); err != nil || !strings.Contains(string(out), "are in the stream moved") {
		t.Errorf("moved there: %v\n%s", err, out)
	}
	if !strings.Contains(page, "`chalie move --from …`") || !strings.Contains(page, "`--from @FILE`") {
		t.Error("the page doesn't say how to bring it back")
	}
	if says := v.chalie("move", "--from", "@"+file); !strings.Contains(says, "are here, each as it was in the stream moved") {
		t.Errorf("moved back: %s", says)
	}
	if says := v.chalie("log", "--type", "epoch.begun"); strings.Count(says, "because of a move") != 2 {
		t.Errorf("the moves began the epochs\n%s", says)
	}
	v.stop()

	// And by the environment.
	other := filepath.Join(t.TempDir(), "other")
	cmd := exec.Command("chalie", serving(other)...)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0", clusterVariable+"="+node.URL())
	v = begun(t, other, cmd)
	v.ready()
	if says := v.chalie("plans"); !strings.Contains(says, "dinner reservation") {
		t.Errorf("the plans there are %q", says)
	}
	v.stop()
	if says := v.fails(2, "serve", "--addr", "127.0.0.1:0", "--log", "@"+filepath.Join(other, "none")); !strings.Contains(says, "can't be read") {
		t.Errorf("with a file that isn't there: %s", says)
	}
}
