package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"chalie/adapters/apiclient"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// kitchenTools are what the program of TestCrashActing offers: what a person asks for
// takes all three, one after the other.
const kitchenTools = `[
	{"name":"weigh","description":"Weighs","parameters":[{"name":"what","type":"string","required":true,"description":"what"}]},
	{"name":"mix","description":"Mixes","parameters":[{"name":"what","type":"string","required":true,"description":"what"}]},
	{"name":"bake","description":"Bakes","parameters":[{"name":"what","type":"string","required":true,"description":"what"}]}]`

var kitchenOrder = []string{"weigh", "mix", "bake"}

// TestCrashActing kills the program in the middle of conversations that take three
// tools each, again and again. What comes after a tool's answer the person is asked about,
// and says yes to. After the restart they go on: each gets one answer, no tool is called
// twice for one invocation, none again that was done, and both devices get every frame
// once.
func TestCrashActing(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t)
	model := startMind(t, bakeInOrder)
	k := startKitchen(t)
	data := filepath.Join(t.TempDir(), "data")
	v := startVictim(t, data, model.flags()...)
	v.ready()
	v.pair(k.program)
	devices := v.listening(register(t, v.setup), 2)
	for _, d := range devices {
		d.asked = v.grantsAll // the next one, too: it listens at the same place
	}
	for round := range min(domaintest.Rounds(t, domaintest.CrashRounds, 2), 10) {
		rng := rand.New(rand.NewPCG(seed, uint64(round)))
		for i, d := range devices {
			if err := d.connect(v.address); err != nil {
				t.Fatalf("device %d: %v", i, err)
			}
		}
		k.killAfter(v, 1+rng.IntN(9), time.Duration(rng.IntN(4000))*time.Microsecond)
		talkUntilKilled(t, devices, round)
		k.killAfter(nil, 0, 0)
		v.end()
		v = startVictim(t, data, model.flags()...)
		v.ready()
		for i, d := range devices {
			if err := settle(d, v.address); err != nil {
				t.Fatalf("round %d, device %d: %v", round, i, err)
			}
		}
		compare(t, devices)
		v.answersAll()
		k.check(v)
		if t.Failed() {
			t.Fatalf("in round %d of seed %d", round, seed)
		}
	}
	v.stop()
}

// bakeInOrder is a model that calls one tool after the other, and then answers.
func bakeInOrder(q question) thought {
	if q.cycle {
		return thought{text: nothingFound}
	}
	if done := len(q.results); done < len(kitchenOrder) {
		params, err := json.Marshal(map[string]string{"what": q.message})
		if err != nil {
			panic(err) // it is a text
		}
		return thought{calls: []calling{{kitchenOrder[done], string(params)}}}
	}
	return thought{text: "It is baked: " + q.message}
}

// talkUntilKilled asks for cakes on the first device while both listen, until the
// program dies.
func talkUntilKilled(t *testing.T, devices []*device, round int) {
	var talking sync.WaitGroup
	for i, d := range devices {
		talking.Go(func() {
			for n := 0; ; n++ {
				if i == 0 {
					if err := d.say(fmt.Sprintf("cake %d of round %d", n, round)); err != nil {
						return
					}
				}
				if _, err := d.until(isDone); err != nil {
					if !hungUp(err) {
						t.Errorf("device %d: %v", i, err)
					}
					return
				}
			}
		})
	}
	talking.Wait()
}

// grantsAll says yes to whatever waits for it. What can't be granted was decided, or
// nobody is there any more.
func (v *victim) grantsAll() {
	_, text, err := v.ask(http.MethodGet, "socket:/api/approvals", "")
	var waiting struct{ Approvals []proposed }
	if err != nil || json.Unmarshal([]byte(text), &waiting) != nil {
		return
	}
	for _, p := range waiting.Approvals {
		_, _, _ = v.ask(http.MethodPost, "socket:/api/approvals/"+p.Token, `{"decision":"grant"}`)
	}
}

// answersAll waits until each message of the log is answered, also one of whose
// receipt its device never heard.
func (v *victim) answersAll() {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), patience)
	defer cancel()
	for _, said := range v.records() {
		if said.Envelope.Type != "message.received" {
			continue
		}
		err := follow(ctx, v.api, said.Envelope.ID, func(object apiclient.Object[domain.Record]) (end bool, err error) {
			rec, err := object.Value()
			if rec.Envelope.Type == "approval.proposed" {
				v.grantsAll()
			}
			return rec.Envelope.Type == "reasoning.concluded", err
		}, nil)
		if err != nil {
			v.t.Fatalf("%s is not answered: %v", said.Envelope.ID, err)
		}
	}
}

// kitchen is a program whose tools count.
type kitchen struct {
	*program

	mu    sync.Mutex
	made  map[string]string // by Idempotency-Key: the tool and its parameters
	twice []string          // calls that came again

	left   atomic.Int64 // calls until the kill; 0 for none
	victim *victim
	pause  time.Duration // between the last of them and the kill
}

func startKitchen(t *testing.T) *kitchen {
	t.Helper()
	k := &kitchen{program: newProgram(t, "kitchen"), made: map[string]string{}}
	k.on("/capabilities", saying(kitchenTools))
	k.on("/execute", k.execute)
	k.listen("127.0.0.1:0")
	return k
}

// killAfter has a victim killed a moment after so many calls came in.
func (k *kitchen) killAfter(v *victim, calls int, pause time.Duration) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.victim, k.pause = v, pause
	k.left.Store(int64(calls))
}

func (k *kitchen) execute(w http.ResponseWriter, r *http.Request) {
	var call struct {
		Capability string          `json:"capability"`
		Params     json.RawMessage `json:"params"`
	}
	if err := json.NewDecoder(r.Body).Decode(&call); err != nil {
		return // its sender was killed
	}
	key, what := r.Header.Get("Idempotency-Key"), call.Capability+" "+string(call.Params)
	k.mu.Lock()
	if before, again := k.made[key]; again {
		k.twice = append(k.twice, key+": "+before+", then "+what)
	}
	k.made[key] = what
	if k.left.Add(-1) == 0 {
		time.AfterFunc(k.pause, k.victim.kill)
	}
	k.mu.Unlock()
	saying(fmt.Sprintf(`{"text":%q}`, call.Capability+" done"))(w, r)
}

// check holds the calls that came in to the log: each belongs to one invocation, each
// invocation has one end, and what was done wasn't asked for again.
func (k *kitchen) check(v *victim) {
	t := k.t
	t.Helper()
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.twice) > 0 {
		t.Errorf("called twice: %q", k.twice)
	}
	dispatched, ends, answers := map[string]bool{}, map[string]int{}, map[domain.ID]int{}
	done := map[string]int{}     // by what was done
	asked := map[string]string{} // by invocation
	var perhaps []string         // what may have left, and nobody knows
	for _, rec := range v.records() {
		e := rec.Envelope
		id, _ := domain.InvocationOf(e)
		switch e.Type {
		case "tool.dispatched":
			if dispatched[id.UUID()] {
				t.Errorf("invocation %s was dispatched twice", id.UUID())
			}
			dispatched[id.UUID()] = true
		case "tool.completed":
			done[k.made[id.UUID()]]++
			ends[id.UUID()]++
		case "tool.invoked":
			call := decode[domain.ToolInvoked](t, e)
			asked[id.UUID()] = call.Tool + " " + string(call.Params)
		case "tool.outcome_unknown":
			ends[id.UUID()]++
			perhaps = append(perhaps, asked[id.UUID()])
		case "tool.failed":
			ends[id.UUID()]++
		case "call.rejected":
			t.Errorf("a call was rejected: %+v", e.Errors)
		case "reasoning.concluded":
			if answers[e.Trace.ID]++; e.Principal == domain.PrincipalOperator && len(e.Errors) > 0 {
				t.Errorf("a conversation ends with %+v", e.Errors)
			}
		}
	}
	for key, what := range k.made {
		if !dispatched[key] {
			t.Errorf("%s was called as %s, and the log knows nothing of it", what, key)
		}
	}
	for id := range dispatched {
		if ends[id] != 1 {
			t.Errorf("invocation %s, %s, has %d ends", id, k.made[id], ends[id])
		}
	}
	for what, n := range done {
		if n != 1 {
			t.Errorf("%s was done %d times", what, n)
		}
	}
	for trace, n := range answers {
		if n != 1 {
			t.Errorf("%s was concluded %d times", trace, n)
		}
	}
	k.checkOrder(perhaps)
}

// checkOrder looks at what was called by its content: whatever became of a call, the
// same is not asked for a second time, and a cake takes its steps in order. A call that
// was cut short of leaving isn't made up for: nobody knows that it didn't leave.
func (k *kitchen) checkOrder(perhaps []string) {
	k.t.Helper()
	steps := map[string][]string{} // by cake
	for _, what := range k.made {
		tool, cake, _ := strings.Cut(what, " ")
		steps[cake] = append(steps[cake], tool)
	}
	for _, what := range perhaps {
		if tool, cake, _ := strings.Cut(what, " "); !slices.Contains(steps[cake], tool) {
			steps[cake] = append(steps[cake], tool)
		}
	}
	for cake, tools := range steps {
		slices.SortFunc(tools, func(a, b string) int { return slices.Index(kitchenOrder, a) - slices.Index(kitchenOrder, b) })
		if len(tools) > len(kitchenOrder) || !slices.Equal(tools, kitchenOrder[:len(tools)]) {
			k.t.Errorf("for %s there were called %q", cake, tools)
		}
	}
}
