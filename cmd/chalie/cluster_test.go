package main

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/adapters/eventstorelog/teststore"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// joined is a `chalie serve` on a cluster.
func joined(t *testing.T, node *teststore.Cluster, data string, flags ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command("chalie", append(serving(data), append(flags, "--log", node.URL(), "--idle-after", "1h")...)...)
	cmd.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	return cmd
}

// TestClusterTakeover: a second machine stands by, takes over when the first is killed,
// and knows all that was acknowledged; the past is decided there as it was.
func TestClusterTakeover(t *testing.T) {
	t.Parallel()
	node := teststore.Start(t, teststore.Config{})
	here := filepath.Join(t.TempDir(), "first")
	first := begun(t, here, joined(t, node, here))
	first.ready()
	token := first.issueToken()
	if status := first.signalled(token, "Luigi's is closed tonight"); status != http.StatusCreated && status != http.StatusAccepted {
		t.Fatalf("a signal got %d", status)
	}
	first.chalie("say", "remind me: dinner reservation at Luigi's in 2 hours")

	// The other one answers that it stands by.
	data, address := filepath.Join(t.TempDir(), "second"), freeAddress(t)
	standby := exec.Command("chalie", "serve", "--addr", address, "--data", data, "--json", "--log", node.URL(), "--idle-after", "1h")
	standby.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0")
	took := make(chan *victim, 1)
	go func() { took <- begun(t, data, standby) }()
	if says := standsBy(t, address); !strings.Contains(says, "the log is written by") {
		t.Errorf("it says %q", says)
	}
	if says := standsBy(t, address); !strings.Contains(says, "CLUSTER-KEY is missing") {
		t.Errorf("without the key it says %q", says)
	}
	if out, err := exec.Command("chalie", "say", "hello", "--data", data).CombinedOutput(); err == nil || !strings.Contains(string(out), "stands by here") {
		t.Errorf("spoken to it says %s, %v", out, err)
	}
	if saved, err := savedCluster(data); err != nil || saved != (Cluster{URL: node.URL(), Stream: defaultStream}) {
		t.Errorf("it finds its log at %+v, %v", saved, err)
	}
	before := first.records()
	first.kill()
	if says := first.chalie("plans"); !strings.Contains(says, "the cluster may have more") {
		t.Errorf("its copy is read as if it were the log: %s", says)
	}
	second := <-took
	second.ready()
	after := second.records()
	if len(after) < len(before) || !slices.EqualFunc(before, after[:len(before)], func(a, b domain.Record) bool {
		return a.Position == b.Position && a.Envelope.ID == b.Envelope.ID && a.RecordedAt == b.RecordedAt
	}) {
		t.Errorf("%d records became %d, or others", len(before), len(after))
	}
	if says := second.chalie("plans"); !strings.Contains(says, "dinner reservation") {
		t.Errorf("the plans are %q", says)
	}
	if says := second.chalie("replay", "--all"); !strings.Contains(says, "All is decided as it was") {
		t.Errorf("the replay says %q", says)
	}
	if says := second.chalie("log", "--type", "epoch.begun"); strings.Count(says, "because of a takeover") != 1 {
		t.Errorf("the takeover began the epochs\n%s", says)
	}
	health := second.wants(http.StatusOK, "GET", "/health", "")
	if !strings.Contains(health, "writes the log, since takeover 2") {
		t.Errorf("health says %s", health)
	}
}

// freeAddress is an address that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// standsBy waits until a program says that it waits to take over, and returns how.
func standsBy(t *testing.T, address string) (says string) {
	t.Helper()
	domaintest.Until(t, address+" stands by", func() bool {
		resp, err := http.Get("http://" + address + "/health")
		if err != nil {
			return false
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		var said struct{ Error string }
		if err == nil && json.Unmarshal(body, &said) == nil {
			says = said.Error
		}
		return resp.StatusCode == http.StatusServiceUnavailable && strings.Contains(says, "stands by")
	})
	return says
}

// TestClusterAway: while the cluster is away what is asked is answered and what is told is
// refused; when it is back all goes on.
func TestClusterAway(t *testing.T) {
	t.Parallel()
	node := teststore.Start(t, teststore.Config{})
	data := filepath.Join(t.TempDir(), "data")
	v := begun(t, data, joined(t, node, data))
	v.ready()
	token := v.issueToken()
	node.Do("kill", 1)
	// The first learns that nobody knows; the next that the cluster is away.
	v.signalled(token, "a first one")
	if status := v.signalled(token, "a second one"); status != http.StatusServiceUnavailable {
		t.Errorf("told while the cluster is away: %d", status)
	}
	for range 20 {
		v.signalled(token, "and others")
	}
	v.wants(http.StatusOK, "GET", "socket:/api/world", "")
	// An upload waits for a moment, and nothing waits for it.
	uploaded := make(chan int, 1)
	go func() {
		status, _, _ := v.ask("POST", "socket:/chat/image", picturePNG(t), "Content-Type: image/png")
		uploaded <- status
	}()
	for done := false; !done; {
		select {
		case status := <-uploaded:
			if done = true; status != http.StatusServiceUnavailable {
				t.Errorf("an image while the cluster is away: %d", status)
			}
		default:
			began := time.Now()
			if health := v.wants(http.StatusOK, "GET", "/health", ""); !strings.Contains(health, "the cluster takes nothing") {
				t.Errorf("health says %s", health)
			}
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("/health took %v", took)
			}
		}
	}
	node.Do("start", 1)
	domaintest.Until(t, "it takes something again", func() bool { return v.signalled(token, "a third one") < http.StatusInternalServerError })
	// That it was away is told once, and its end once.
	domaintest.Until(t, "its end is told", func() bool { return strings.Contains(v.said.String(), "what was away is there again") })
	said := v.said.String()
	if n := strings.Count(said, "level=ERROR") + strings.Count(said, "level=WARN"); n != 1 || !regexp.MustCompile(`can't be reached|gave no answer`).MatchString(said) || strings.Contains(said, "[Error") || strings.Contains(said, "append: append") {
		t.Errorf("it is told in %d lines:\n%s", n, said)
	}
	if refused := regexp.MustCompile(`refused=(\d+)`).FindStringSubmatch(said); len(refused) != 2 || len(refused[1]) < 2 {
		t.Errorf("its end is told as %q", refused)
	}
}

// TestCopyNeedsItsCluster: a copy isn't written without what it is a copy of.
func TestCopyNeedsItsCluster(t *testing.T) {
	t.Parallel()
	node := teststore.Start(t, teststore.Config{})
	data := filepath.Join(t.TempDir(), "data")
	v := begun(t, data, joined(t, node, data))
	v.ready()
	v.stop()
	// It finds its cluster again by itself.
	v = begun(t, data, alone(data))
	v.ready()
	v.stop()
	if err := forgetCluster(data); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("chalie", serving(data)...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "is a copy of the stream chalie of a cluster") {
		t.Errorf("without its cluster: %v\n%s", err, out)
	}
	// What only reads needs no cluster.
	if says := v.chalie("log", "--type", "log.taken_over"); !strings.Contains(says, "took over") && !strings.Contains(says, "from here on") {
		t.Errorf("the log says %q", says)
	}
}

// TestClusterImages: what lies beside the log comes to the machine that takes over when it
// has the key; without it the rest is served, and it is said what is missing.
func TestClusterImages(t *testing.T) {
	t.Parallel()
	node := teststore.Start(t, teststore.Config{})
	here := filepath.Join(t.TempDir(), "first")
	first := begun(t, here, joined(t, node, here))
	first.ready()
	picture := picturePNG(t)
	var uploaded struct {
		ID string `json:"image_id"`
	}
	if err := json.Unmarshal([]byte(first.wants(http.StatusCreated, "POST", "socket:/chat/image", picture, "Content-Type: image/png")), &uploaded); err != nil {
		t.Fatal(err)
	}
	if numbers := first.wants(http.StatusOK, "GET", "/metrics", ""); !strings.Contains(numbers, "chalie_cluster_leading 1") {
		t.Error("its metrics have nothing of the cluster")
	}
	first.stop()

	there := filepath.Join(t.TempDir(), "second")
	second := begun(t, there, joined(t, node, there))
	second.ready()
	if health := second.wants(http.StatusOK, "GET", "/health", ""); !strings.Contains(health, "CLUSTER-KEY is missing") {
		t.Errorf("without the key: %s", health)
	}
	second.wants(http.StatusGone, "GET", "socket:/chat/image/"+uploaded.ID, "")
	if says := second.wants(http.StatusServiceUnavailable, "POST", "socket:/chat/image", picture, "Content-Type: image/png"); !strings.Contains(says, "CLUSTER-KEY is missing") {
		t.Errorf("an image is refused with %s", says)
	}
	second.chalie("say", "hello")
	second.stop()

	key, err := os.ReadFile(filepath.Join(here, "CLUSTER-KEY"))
	if err == nil {
		err = os.WriteFile(filepath.Join(there, "CLUSTER-KEY"), key, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	third := begun(t, there, joined(t, node, there))
	third.ready()
	if got := third.wants(http.StatusOK, "GET", "socket:/chat/image/"+uploaded.ID, ""); got != strings.TrimSpace(picture) {
		t.Errorf("the image has %d bytes, want %d", len(got), len(picture))
	}
}

// picturePNG is a small image.
func picturePNG(t *testing.T) string {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, image.NewGray(image.Rect(0, 0, 8, 8))); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
