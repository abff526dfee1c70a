package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"chalie/adapters/unixsocket"
	"chalie/domain"
)

// senders send at once, every other one over the network.
const senders = 4

// post is one request with signals, and what is known of its fate.
type post struct {
	path     string
	body     string
	key      string   // Idempotency-Key; "" for none
	contents []string // of the signals that must be accepted
	sender   int      // a key is its sender's own
	answer   string   // "" when none came
}

// load sends until the program is dead, which it is soon after a random answer.
func load(v *victim, token string, known *ledger, round int, rng *rand.Rand) {
	var left atomic.Int64
	left.Store(1 + rng.Int64N(160))
	var sending sync.WaitGroup
	for i := range senders {
		own := rand.New(rand.NewPCG(rng.Uint64(), rng.Uint64()))
		sending.Go(func() {
			s := newSender(v, token, i)
			defer s.close()
			var before *post
			for n := 0; ; n++ {
				p := anyPost(fmt.Sprintf("round %d sender %d request %d", round, i, n), own)
				p.sender = i
				if before != nil && own.IntN(4) == 0 {
					s.again(before)
				}
				alive := s.send(p)
				known.add(p)
				if !alive {
					return
				}
				if before = nil; p.key != "" {
					before = p
				}
				if left.Add(-1) == 0 {
					v.kill() // the others are somewhere in the middle
				}
			}
		})
	}
	sending.Wait()
}

// repeat sends every request with a key again: also those that were not
// answered, which happen now unless they already have.
func repeat(v *victim, token string, known *ledger) {
	var all [senders]*sender
	for i := range all {
		all[i] = newSender(v, token, i)
	}
	defer func() {
		for _, s := range all {
			s.close()
		}
	}()
	for _, p := range known.posts {
		if p.key == "" {
			continue
		}
		s := all[p.sender]
		if p.answer != "" {
			s.again(p)
		} else if !s.send(p) {
			v.t.Errorf("%s was not answered by a program that runs", p.key)
		}
	}
}

// anyPost is a signal or a batch of them, some of whose items are no signals,
// and some with an Idempotency-Key.
func anyPost(name string, rng *rand.Rand) *post {
	p := &post{path: "/api/signals"}
	if rng.IntN(2) == 0 {
		p.key = name
	}
	if rng.IntN(3) > 0 {
		p.contents = []string{name}
		p.body = signalText(name, 0.5)
		return p
	}
	p.path += "/batch"
	var items []string
	for i := range 1 + rng.IntN(domain.MaxSignalsPerBatch) {
		content, energy := fmt.Sprintf("%s item %d", name, i), 0.4
		if i > 0 && rng.IntN(5) == 0 {
			energy = 1.5 // out of bounds: rejected, and the others are not
		} else {
			p.contents = append(p.contents, content)
		}
		items = append(items, signalText(content, energy))
	}
	p.body = "[" + strings.Join(items, ",") + "]"
	return p
}

func signalText(content string, energy float64) string {
	return fmt.Sprintf(`{"signal_type":"count","content":%q,"activation_energy":%g,"metadata":{"n":1}}`, content, energy)
}

// sender is one connection.
type sender struct {
	v      *victim
	client *http.Client
	base   string
	token  string // "" over the socket, which needs none
}

func newSender(v *victim, token string, i int) *sender {
	if i%2 == 0 {
		return &sender{v, &http.Client{Transport: &http.Transport{}}, v.address, token}
	}
	return &sender{v, unixsocket.Client(v.data), unixsocket.BaseURL, ""}
}

func (s *sender) close() { s.client.CloseIdleConnections() }

// send sends a request and keeps its answer; false when none came, because the
// program is dead. What it answers must be that everything was accepted.
func (s *sender) send(p *post) bool {
	answer, _, ok := s.exchange(p)
	if !ok {
		return false
	}
	p.answer = answer
	var told struct {
		Accepted int       `json:"accepted"`
		SignalID domain.ID `json:"signal_id"`
	}
	if err := json.Unmarshal([]byte(answer), &told); err != nil {
		s.v.t.Errorf("answered %s: %v", answer, err)
	}
	if accepted := told.Accepted; accepted != len(p.contents) && (p.path != "/api/signals" || told.SignalID.IsZero()) {
		s.v.t.Errorf("%d signals were accepted of %d: %s", accepted, len(p.contents), answer)
	}
	return true
}

// again repeats a request that was answered: the same answer, and no effect.
func (s *sender) again(p *post) {
	if answer, repeated, ok := s.exchange(p); ok && (answer != p.answer || !repeated) {
		s.v.t.Errorf("%s was answered %s, and then (repeated: %t) %s", p.key, p.answer, repeated, answer)
	}
}

func (s *sender) exchange(p *post) (answer string, repeated, ok bool) {
	req, err := http.NewRequestWithContext(s.v.t.Context(), http.MethodPost, s.base+p.path, strings.NewReader(p.body))
	if err != nil {
		s.v.t.Error(err)
		return "", false, false
	}
	// Without a way to read the body again the client does not repeat by itself.
	req.GetBody = nil
	req.Header.Set("Content-Type", "application/json")
	if p.key != "" {
		req.Header.Set("Idempotency-Key", p.key)
	}
	if s.token != "" {
		req.Header.Set("Authorization", "Bearer "+s.token)
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return "", false, false
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return "", false, false
	}
	if resp.StatusCode/100 != 2 {
		s.v.t.Errorf("answered %s: %s", resp.Status, text)
		return "", false, false
	}
	return string(text), resp.Header.Get("Idempotent-Replayed") == "true", true
}
