package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// hostility is one way an interface can be bad.
type hostility struct {
	name   string
	answer http.HandlerFunc
	says   string // a part of every error
	slow   bool   // Chalie's patience ends it, and not the interface
}

// megabytes is how much those send that send too much.
const megabytes = 100

func hostilities(canary string) []hostility {
	hang, _ := hanging()
	return []hostility{
		{"silent", hang, "longer than", true},
		{"dripping", dripping, "longer than", true},
		{"endless", endless, "more than", false},
		{"large", large, "more than", false},
		{"large header", longHeaded, "header over the bound", false},
		{"redirecting", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, canary, http.StatusTemporaryRedirect)
		}, "redirects aren't followed", false},
		{"a web page", func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = io.WriteString(w, "<html><body>Welcome</body></html>")
		}, "HTML page instead of JSON", false},
		{"broken", saying(`{"status":"ok"`), "broken JSON", false},
		{"failing", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "oh no", http.StatusInternalServerError) }, "500 Internal Server Error", false},
		{"hanging up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "connection ended", false},
	}
}

// dripping sends a byte now and then, without end.
func dripping(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.Copy(io.Discard, r.Body)
	drop := time.NewTicker(50 * time.Millisecond)
	defer drop.Stop()
	for r.Context().Err() == nil {
		if _, err := io.WriteString(w, " "); err != nil {
			return
		}
		// Whoever went away shows with the next one.
		_ = http.NewResponseController(w).Flush()
		<-drop.C
	}
}

// endless sends as fast as it is read, until nobody reads.
func endless(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	some := strings.Repeat(" ", 64<<10)
	for {
		if _, err := io.WriteString(w, some); err != nil {
			return
		}
	}
}

// large announces and sends one text of JSON, which is in order but for its size.
func large(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(megabytes<<20+2))
	_, _ = io.WriteString(w, `"`)
	some := strings.Repeat("x", 1<<20)
	for range megabytes {
		if _, err := io.WriteString(w, some); err != nil {
			return
		}
	}
	_, _ = io.WriteString(w, `"`)
}

func longHeaded(w http.ResponseWriter, _ *http.Request) {
	for i := range 64 {
		w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 16<<10))
	}
	_, _ = io.WriteString(w, "{}")
}

// However bad interfaces are: whoever asked gets a clear error in bounded time,
// Chalie's memory stays bounded, and it serves everyone else meanwhile.
func TestHostileInterfaces(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), "--health-every", "1h")
	v.ready()
	visited := startProgram(t, "canary")
	own := registerKeyed(t, v.setup)
	good := startProgram(t, "good")
	in := v.pair(good)
	all := hostilities(fmt.Sprintf("http://127.0.0.1:%d/", visited.port))
	bad := make([]*program, len(all))
	ids := make([]string, len(all))
	keys := make([]string, len(all))
	for i, h := range all {
		bad[i] = startProgram(t, h.name)
		ids[i], keys[i] = v.pair(bad[i]).ID.UUID(), v.pairingKey()
		for path := range bad[i].answers {
			bad[i].on(path, h.answer)
		}
	}
	before := v.memory("VmRSS")

	var trying sync.WaitGroup
	for i, h := range all {
		slow := http.StatusBadGateway
		if h.slow || h.name == "hanging up" {
			slow = http.StatusGatewayTimeout
		}
		for _, ask := range []struct {
			method, path, body string
			status             int
		}{
			{http.MethodPost, "/api/interfaces/pair", bad[i].pairing(keys[i]), http.StatusBadRequest},
			{http.MethodPost, "/api/interfaces/" + ids[i] + "/refresh", "", http.StatusBadGateway},
			{http.MethodPost, "/api/tools/" + ids[i] + ".count/invoke", `{"params":{}}`, slow},
			{http.MethodGet, "/gw/" + ids[i] + "/render", "", http.StatusBadGateway},
			{http.MethodPost, "/gw/" + ids[i] + "/execute", `{"capability":"count","params":{}}`, http.StatusBadGateway},
		} {
			if h.name == "a web page" && strings.HasSuffix(ask.path, "/render") {
				ask.status = http.StatusOK // that is what a page is for
			}
			trying.Go(func() {
				status, answer, err := v.ask(ask.method, ask.path, ask.body, own...)
				if err != nil || status != ask.status || status != http.StatusOK && !strings.Contains(answer, h.says) {
					t.Errorf("%s: %s was answered %d %s, %v; want %d and %q", h.name, ask.path, status, answer, err, ask.status, h.says)
				}
			})
		}
	}
	done := make(chan struct{})
	go func() {
		trying.Wait()
		close(done)
	}()
	v.servesUntil(done, in.Token)
	grown := v.memory("VmHWM") - before
	t.Logf("%d MiB more at the most", grown>>20)
	// Forty answers may be under way at once, of 4 MiB at most, and each is read
	// into a buffer that grows.
	if grown > 256<<20 {
		t.Errorf("its memory grew by %d MiB", grown>>20)
	}
	if n := visited.times("/"); n != 0 {
		t.Errorf("%d redirects were followed", n)
	}
	if text := v.wants(http.StatusOK, http.MethodGet, "/health", "", own...); !strings.Contains(text, `"status":"ok"`) {
		t.Errorf("it says of itself %s", text)
	}
	v.stop()
	if strings.Contains(v.said.String(), "level=ERROR") || strings.Contains(v.said.String(), "panic") {
		t.Errorf("it complained:\n%s", v.said.String())
	}
}

// servesUntil goes on with what others want of Chalie.
func (v *victim) servesUntil(done <-chan struct{}, token string) {
	v.t.Helper()
	next := time.NewTicker(100 * time.Millisecond)
	defer next.Stop()
	for {
		if status := v.signalled(token, "all is well"); status != http.StatusAccepted {
			v.t.Errorf("a signal was answered %d", status)
		}
		select {
		case <-done:
			v.wants(http.StatusOK, http.MethodGet, "/ready", "")
			return
		case <-next.C:
		}
	}
}

// memory is a line of what the system says of the process, in bytes. Where it
// says nothing it is 0.
func (v *victim) memory(line string) int {
	v.t.Helper()
	if runtime.GOOS != "linux" {
		return 0
	}
	file, err := os.Open(fmt.Sprintf("/proc/%d/status", v.cmd.Process.Pid))
	if err != nil {
		v.t.Fatal(err)
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) == 3 && fields[0] == line+":" {
			kib, err := strconv.Atoi(fields[1])
			if err != nil {
				v.t.Fatal(err)
			}
			return kib << 10
		}
	}
	v.t.Fatalf("there is no %s", line)
	return 0
}

// Places where no interface is: nobody, and addresses that only the surroundings
// of a machine should be asked by it.
func TestHostilePlaces(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	closed, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := closed.Addr().(*net.TCPAddr).Port
	closed.Close()
	for _, c := range []struct {
		host string
		port int
		says string
	}{
		{"127.0.0.1", nobody, "gives no connection"},
		{"169.254.169.254", 80, "link-local"},
		{"fe80::1", 80, "link-local"},
		{"::ffff:169.254.169.254", 80, "link-local"},
		{"0.0.0.0", nobody, "not the address of a machine"},
		{"224.0.0.1", 80, "not the address of a machine"},
		{"http://127.0.0.1/", nobody, "host"},
		{"127.0.0.1", 65536, "port"},
		{"127.0.0.1", 0, "port"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		key := v.pairingKey()
		body := fmt.Sprintf(`{"pairing_key":%q,"name":"nowhere","host":%q,"port":%d}`, key, c.host, c.port)
		answer := v.wants(http.StatusBadRequest, http.MethodPost, "/api/interfaces/pair", body)
		if !strings.Contains(answer, c.says) || ctx.Err() != nil {
			t.Errorf("%s:%d was answered %s", c.host, c.port, answer)
		}
		cancel()
	}
	// One that was there and is gone: what it was asked is refused.
	p := startProgram(t, "gone")
	in := v.pair(p)
	p.close()
	v.wants(http.StatusBadGateway, http.MethodPost, "socket:/api/interfaces/"+in.ID.UUID()+"/refresh", "")
	if answer := v.wants(http.StatusBadGateway, http.MethodPost, "socket:/api/tools/count/invoke", `{"params":{}}`); !strings.Contains(answer, "gives no connection") || !strings.Contains(answer, `"invocation_id"`) {
		t.Errorf("a dead one's tool is answered %s", answer)
	}
	v.wants(http.StatusBadGateway, http.MethodGet, "/gw/"+in.ID.UUID()+"/render", "")
	if names := v.known(); len(names) != 1 {
		t.Errorf("known are %v", names)
	}
	v.stop()
}
