package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// Four that pair with one key at once: one gets in. What was secret about it then
// stands nowhere on the disk.
func TestOneKeyLetsOneIn(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data)
	v.ready()
	key := v.pairingKey()
	answers := make([]string, 4)
	statuses := make([]int, len(answers))
	var racing sync.WaitGroup
	for i := range answers {
		p := startProgram(t, fmt.Sprintf("racer-%d", i))
		racing.Go(func() {
			var err error
			if statuses[i], answers[i], err = v.ask(http.MethodPost, "/api/interfaces/pair", p.pairing(key)); err != nil {
				t.Error(err)
			}
		})
	}
	racing.Wait()
	won := slices.Index(statuses, http.StatusCreated)
	sorted := slices.Sorted(slices.Values(statuses))
	if want := []int{http.StatusCreated, http.StatusBadRequest, http.StatusBadRequest, http.StatusBadRequest}; !slices.Equal(sorted, want) {
		t.Fatalf("they were answered %v: %q", statuses, answers)
	}
	for i, answer := range answers {
		if i != won && !strings.Contains(answer, "used already") {
			t.Errorf("a late one was told %s", answer)
		}
	}
	in := read[paired](t, answers[won])
	if status := v.signalled(in.Token, "I am in"); status != http.StatusAccepted {
		t.Errorf("the token was answered %d", status)
	}
	if names := v.offered(); !slices.Equal(names, []string{"count"}) {
		t.Errorf("the tools are %v", names)
	}
	secrets := []string{key, strings.TrimPrefix(key, "chalie_pair_"), in.Token, strings.TrimPrefix(in.Token, "chalie_")}
	for _, end := range []func(*victim){(*victim).end, (*victim).stop} { // with and without a chance to tidy up
		end(v)
		// That one is found shows that a secret would be.
		found := standingIn(t, data, append(secrets, fmt.Sprintf("racer-%d", won)))
		if !slices.Equal(found, []string{fmt.Sprintf("racer-%d", won)}) {
			t.Errorf("the data directory holds %q in clear", found)
		}
		v = startVictim(t, data)
		v.ready()
		if status := v.signalled(in.Token, "still"); status != http.StatusAccepted {
			t.Errorf("after a restart the token was answered %d", status)
		}
	}
}

// standingIn is which of the texts stand in the bytes of a folder's files.
func standingIn(t *testing.T, folder string, texts []string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		for _, text := range texts {
			if bytes.Contains(content, []byte(text)) && !slices.Contains(found, text) {
				found = append(found, text)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A key is good for ten minutes, and not for a moment more.
func TestKeysExpire(t *testing.T) {
	t.Parallel()
	clock := domaintest.NewClock()
	s := begin(t, filepath.Join(t.TempDir(), "data"), clock, 0)
	v := &victim{t: t, data: s.data, address: "http://" + s.app.Addr(), api: s.api}
	inTime, late := v.pairingKey(), v.pairingKey()
	clock.Advance(domain.PairingKeyLifetime - 1)
	p := startProgram(t, "punctual")
	v.wants(http.StatusCreated, http.MethodPost, "/api/interfaces/pair", p.pairing(inTime))
	clock.Advance(1)
	p = startProgram(t, "late")
	if answer := v.wants(http.StatusBadRequest, http.MethodPost, "/api/interfaces/pair", p.pairing(late)); !strings.Contains(answer, "expired") {
		t.Errorf("it is told %s", answer)
	}
	if p.times("/health") != 0 {
		t.Error("one whose key had expired was asked how it is")
	}
	s.stop()
}

// Who isn't straight on this machine can't register, nor speak through a gateway.
func TestStrangersAtTheGate(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data, "--addr", "0.0.0.0:0")
	v.ready()
	_, port, err := net.SplitHostPort(strings.TrimPrefix(v.address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	v.address = "http://127.0.0.1:" + port
	known := registered(v, `{"name":"near","port":4001,"scopes":{"signals":{"news":"what is new"}}}`)
	v.chalie("interfaces", "approve", "near")
	far := beyondLoopback4(t)

	asks := []struct{ method, path, body string }{
		{http.MethodPost, "/register", `{"name":"other","port":4002}`},
		{http.MethodPost, "/gw/" + known + "/signals", `{"signal_type":"news","content":"x"}`},
		{http.MethodPost, "/gw/" + known + "/messages", `{"text":"x"}`},
		{http.MethodGet, "/gw/" + known + "/context", ""},
		{http.MethodGet, "/gw/" + known + "/render", ""},
		{http.MethodPost, "/gw/" + known + "/execute", `{"capability":"count","params":{}}`},
	}
	before := len(v.records())
	for _, ask := range asks {
		for _, headers := range [][]string{
			{"X-Forwarded-For: 127.0.0.1"}, {"Forwarded: for=127.0.0.1"}, {"X-Real-Ip: 127.0.0.1"}, {"Via: 1.1 tunnel"}, {"Host: chalie.example"},
		} {
			v.wants(http.StatusForbidden, ask.method, ask.path, ask.body, headers...)
		}
		if far != "" {
			v.wants(http.StatusForbidden, ask.method, "http://"+net.JoinHostPort(far, port)+ask.path, ask.body)
		}
	}
	v.wants(http.StatusForbidden, http.MethodPost, "/register", `{"name":"form","port":4002}`, "Content-Type: text/plain")
	if after := len(v.records()); after != before {
		t.Errorf("strangers left %d records", after-before)
	}
	v.stop()
	if far == "" {
		without(t, "address beyond loopback", "every interface of the network is a loopback")
	}

	v = startVictim(t, data, "--addr", "0.0.0.0:"+port, "--allow-gateway", far+"/32")
	v.ready()
	v.address = "http://" + net.JoinHostPort(far, port)
	app := read[struct {
		ID string `json:"interface_id"`
		GW string `json:"gateway_url"`
	}](t, v.wants(http.StatusCreated, http.MethodPost, "/register", `{"name":"near","port":4001,"scopes":{"signals":{"news":""}}}`))
	if app.ID == known || app.GW != v.address+"/gw/"+app.ID {
		t.Errorf("one elsewhere is let in as %+v, where %s was known", app, known)
	}
	v.wants(http.StatusForbidden, http.MethodPost, "/register", `{"name":"other","port":4002}`, "X-Forwarded-For: "+far)
	v.wants(http.StatusForbidden, http.MethodPost, "/gw/"+app.ID+"/signals", `{"signal_type":"news","content":"nothing is approved yet"}`)
	v.chalie("interfaces", "approve", app.ID)
	v.wants(http.StatusAccepted, http.MethodPost, "/gw/"+app.ID+"/signals", `{"signal_type":"news","content":"from afar"}`)
	v.stop()
}

// beyondLoopback4 is an address of this machine that isn't its own business only,
// or "".
func beyondLoopback4(t *testing.T) string {
	t.Helper()
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addresses {
		if network, ok := a.(*net.IPNet); ok && network.IP.To4() != nil && network.IP.IsGlobalUnicast() {
			return network.IP.String()
		}
	}
	return ""
}

// registered is the id of a daemon that registers.
func registered(v *victim, body string) string {
	v.t.Helper()
	return read[struct {
		ID string `json:"interface_id"`
	}](v.t, v.wants(http.StatusCreated, http.MethodPost, "/register", body)).ID
}

// An interface that fails three checks in a row is away with its tools, and one
// that answers brings them back. Nothing else of it is in the log.
func TestAwayAndBack(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), "--health-every", "100ms")
	v.ready()
	p := startProgram(t, "shop")
	v.pair(p)
	for round := 1; round <= 2; round++ {
		fail, mend := p.failing()
		fail(2)
		if names := v.offered(); len(names) != 1 {
			t.Errorf("after two failures the tools are %v", names)
		}
		fail(1)
		away := decode[domain.InterfaceWentOffline](t, v.awaits("interface.went_offline", round)[round-1].Envelope)
		if away.Failures != 3 || !strings.Contains(away.Reason, "503") {
			t.Errorf("it went away as %+v", away)
		}
		if names := v.offered(); len(names) != 0 {
			t.Errorf("away its tools are %v", names)
		}
		v.wants(http.StatusNotFound, http.MethodPost, "socket:/api/tools/count/invoke", `{"params":{}}`)
		fail(5) // more of the same is no news
		if round == 1 {
			mend()
			v.awaits("interface.came_online", round)
			if names := v.offered(); len(names) != 1 {
				t.Errorf("back its tools are %v", names)
			}
			v.wants(http.StatusOK, http.MethodPost, "socket:/api/tools/count/invoke", `{"params":{"to":3}}`)
		}
	}
	v.stop()
	v = startVictim(t, v.data) // folds what was said of it
	v.ready()
	want := []domain.EventType{"pairing.key_issued", "pairing.key_used", "interface.paired",
		"interface.went_offline", "interface.came_online", "interface.went_offline"}
	if types := v.types(domain.TopicInterfaces); !slices.Equal(types, want) {
		t.Errorf("the log has %v", types)
	}
	if names := v.offered(); len(names) != 0 {
		t.Errorf("after a restart the tools of one away are %v", names)
	}
}

// failing makes its checks fail: as many as fail is asked to let go, each of which
// it waits for, until mend is called.
func (p *program) failing() (fail func(n int), mend func()) {
	gate, open := make(chan struct{}), make(chan struct{})
	well := p.answers["/health"]
	p.on("/health", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-gate:
		case <-open:
		case <-r.Context().Done():
		}
		http.Error(w, "closed", http.StatusServiceUnavailable)
	})
	fail = func(n int) {
		p.t.Helper()
		late := time.After(patience)
		for range n {
			select {
			case gate <- struct{}{}:
			case <-late:
				p.t.Fatal("nobody asks how it is")
			}
		}
	}
	return fail, func() {
		p.on("/health", well)
		close(open)
	}
}

// What is removed is shut out for the very next request.
func TestShutOut(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	one, other := startProgram(t, "one"), startProgram(t, "other")
	a, b := v.pair(one), v.pair(other)
	if names := v.offered(); !slices.Equal(names, []string{"one.count", "other.count"}) {
		t.Errorf("the tools are %v", names)
	}
	for _, token := range []string{a.Token, b.Token} {
		if status := v.signalled(token, "hello"); status != http.StatusAccepted {
			t.Errorf("a token was answered %d", status)
		}
	}
	v.wants(http.StatusForbidden, http.MethodPost, "/api/signals", `{"signal_type":"gossip","content":"x"}`, "Authorization: Bearer "+a.Token)
	if answer := v.wants(http.StatusOK, http.MethodDelete, "socket:/api/interfaces/"+a.ID.UUID(), ""); answer != `{"ok":true}` {
		t.Errorf("removing was answered %s", answer)
	}
	if status := v.signalled(a.Token, "hello?"); status != http.StatusUnauthorized {
		t.Errorf("the next request was answered %d", status)
	}
	v.wants(http.StatusUnauthorized, http.MethodPost, "/api/messages", `{"text":"hello?"}`, "Authorization: Bearer "+a.Token)
	if status := v.signalled(b.Token, "hello"); status != http.StatusAccepted {
		t.Errorf("the other one's token was answered %d", status)
	}
	if names := v.offered(); !slices.Equal(names, []string{"count"}) {
		t.Errorf("the tools are %v", names)
	}
	calls := one.times("/execute")
	v.wants(http.StatusNotFound, http.MethodPost, "socket:/api/tools/one.count/invoke", `{"params":{}}`)
	v.wants(http.StatusOK, http.MethodPost, "socket:/api/tools/count/invoke", `{"params":{}}`)
	if one.times("/execute") != calls || other.times("/execute") != 1 {
		t.Errorf("the one that was shut out was called %d times, the other %d", one.times("/execute"), other.times("/execute"))
	}
	v.wants(http.StatusNotFound, http.MethodDelete, "socket:/api/interfaces/"+a.ID.UUID(), "")
	v.wants(http.StatusNotFound, http.MethodGet, "socket:/api/interfaces/"+a.ID.UUID(), "")
	v.end()
	v = startVictim(t, v.data)
	v.ready()
	if status := v.signalled(a.Token, "hello?"); status != http.StatusUnauthorized {
		t.Errorf("after a restart it was answered %d", status)
	}
	v.stop()
}
