package main

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
)

// TestCrashPairing kills the program at every step of a pairing, and then at
// random moments of one. After the restart the interface is there whole, or isn't
// there; its key is burnt if the attempt had begun, and only then; and another
// attempt with a new key works.
func TestCrashPairing(t *testing.T) {
	t.Parallel()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"))
	v.ready()
	for _, step := range []string{"/health", "/capabilities", "/meta"} {
		v = crashAt(t, v, step)
	}

	key := v.pairingKey()
	v = v.crashes() // before the attempt
	p := startProgram(t, "eager")
	in := read[paired](t, v.wants(http.StatusCreated, http.MethodPost, "/api/interfaces/pair", p.pairing(key)))
	v = v.crashes() // just after its answer
	v.whole(p, in)

	seed := domaintest.Seed(t)
	for round := range crashRounds(t) {
		v = crashWhilePairing(t, v, round, rand.New(rand.NewPCG(seed, uint64(round))))
	}
	v.stop()
}

// crashAt kills the program while it waits for an interface's answer.
func crashAt(t *testing.T, v *victim, step string) *victim {
	t.Helper()
	p := startProgram(t, "cut at "+step)
	usual := p.answers[step]
	hang, asked := hanging()
	p.on(step, hang)
	key := v.pairingKey()
	answered := v.begins(p, key)
	hear(t, asked)
	v = v.crashes()
	if a := <-answered; a.err == nil {
		t.Errorf("%s: it was answered %d %s", step, a.status, a.text)
	}
	if apps := v.known(); slices.Contains(apps, p.name) {
		t.Errorf("%s: there are %v", step, apps)
	}
	p.on(step, usual)
	asks := p.times("/health")
	if answer := v.wants(http.StatusBadRequest, http.MethodPost, "/api/interfaces/pair", p.pairing(key)); !strings.Contains(answer, "used already") || p.times("/health") != asks {
		t.Errorf("%s: the key again was answered %s", step, answer)
	}
	v.whole(p, v.pair(p))
	return v
}

func crashWhilePairing(t *testing.T, v *victim, round int, rng *rand.Rand) *victim {
	t.Helper()
	p := startProgram(t, fmt.Sprintf("round-%d", round))
	key := v.pairingKey()
	before := len(v.records())
	answered := v.begins(p, key)
	// A pairing takes two or three milliseconds, where nothing else goes on.
	killed := time.AfterFunc(time.Duration(rng.IntN(5000))*time.Microsecond, v.kill)
	a := <-answered
	defer killed.Stop()
	v = v.crashes()

	var used, in bool
	for _, rec := range v.records()[before:] {
		switch rec.Envelope.Type {
		case "pairing.key_used":
			used = true
		case "interface.paired":
			in = true
		}
	}
	switch {
	case a.err == nil && (a.status != http.StatusCreated || !in):
		t.Errorf("it was answered %d %s, and the interface is there: %t", a.status, a.text, in)
	case in != slices.Contains(v.known(), p.name):
		t.Errorf("paired %t, and known are %v", in, v.known())
	case a.err == nil:
		v.whole(p, read[paired](t, a.text))
	}
	status, answer, err := v.ask(http.MethodPost, "/api/interfaces/pair", p.pairing(key))
	want := http.StatusCreated
	if used {
		want = http.StatusBadRequest
	}
	if err != nil || status != want {
		t.Errorf("used %t: the key again was answered %d %s, %v", used, status, answer, err)
	}
	if used { // one that nobody was told the token of gives way to the next attempt
		v.whole(p, v.pair(p))
	}
	return v
}

// reply is the answer to a request, or why there is none.
type reply struct {
	status int
	text   string
	err    error
}

// begins asks to pair, in the background.
func (v *victim) begins(p *program, key string) <-chan reply {
	answered := make(chan reply, 1)
	go func() {
		var r reply
		r.status, r.text, r.err = v.ask(http.MethodPost, "/api/interfaces/pair", p.pairing(key))
		answered <- r
	}()
	return answered
}

// crashes kills the program and starts it again.
func (v *victim) crashes() *victim {
	v.t.Helper()
	v.end()
	next := startVictim(v.t, v.data)
	next.ready()
	return next
}

// known are the names of the interfaces.
func (v *victim) known() (names []string) {
	v.t.Helper()
	apps, err := v.api.Apps(v.t.Context())
	if err != nil {
		v.t.Fatal(err)
	}
	for _, object := range apps {
		app, err := object.Value()
		if err != nil {
			v.t.Fatal(err)
		}
		names = append(names, app.Name)
	}
	return names
}

// whole checks that an interface has all that its pairing promised.
func (v *victim) whole(p *program, in paired) {
	v.t.Helper()
	object, err := v.api.App(v.t.Context(), in.ID)
	if err != nil {
		v.t.Fatalf("%s: %v", p.name, err)
	}
	app, err := object.Value()
	if err != nil {
		v.t.Fatal(err)
	}
	if app.Name != p.name || app.Port != p.port || app.Status != domain.StatusOnline || len(app.Capabilities) != 1 || app.Capabilities[0].Name != "count" {
		v.t.Errorf("%s is known as %+v", p.name, app)
	}
	if status := v.signalled(in.Token, p.name); status != http.StatusAccepted {
		v.t.Errorf("the token of %s was answered %d", p.name, status)
	}
	calls := p.times("/execute")
	v.wants(http.StatusOK, http.MethodPost, "socket:/api/tools/"+in.ID.UUID()+".count/invoke", `{"params":{"to":1}}`)
	if n := p.times("/execute"); n != calls+1 {
		v.t.Errorf("%s was called %d times for one invocation", p.name, n-calls)
	}
	if names := v.known(); len(slices.DeleteFunc(names, func(n string) bool { return n != p.name })) != 1 {
		v.t.Errorf("%s is there twice", p.name)
	}
}
