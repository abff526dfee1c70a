package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/httpapi"
	"chalie/commands/background"
	"chalie/domain"
)

// What is decided is listed from its end, whatever stands between: few proposals in
// a long log, and many in a row.
func TestDecidedApprovals(t *testing.T) {
	b := newBench(t, settings{})
	b.paired("Hospital", 9001, "[]")
	b.socket("GET", "/api/approvals/decided", "").wants(200, `{"approvals":[],"next":0}`)
	b.socket("PUT", "/api/policy", asks).wants(200)
	for n := range 7 {
		b.socket("POST", cancel, fmt.Sprintf(`{"params":{"id":"%d"}}`, n)).wants(202)
		if n == 3 {
			for range 300 {
				b.socket("POST", "/api/signals", rain).wants(202)
			}
		}
	}
	pending := b.pending().Approvals
	for n, decision := range []string{"grant", "refuse", "grant"} {
		b.socket("POST", "/api/approvals/"+pending[n].ProposalToken, `{"decision":"`+decision+`"}`).wants(200)
	}
	type page struct {
		Approvals []struct {
			Summary, Decision string
			CameTo            string `json:"came_to"`
			DecidedBy         string `json:"decided_by"`
			DecidedAt         int64  `json:"decided_at"`
		}
		Next uint64
	}
	// Those that wait are passed over, and so a page may have less than its limit.
	var seen []string
	for before, pages := "", 0; ; pages++ {
		var got page
		b.socket("GET", "/api/approvals/decided?limit=2"+before, "").wants(200).read(&got)
		for _, a := range got.Approvals {
			seen = append(seen, a.Summary[len(a.Summary)-2:len(a.Summary)-1]+" "+a.Decision+" "+a.CameTo+" "+a.DecidedBy)
		}
		if got.Next == 0 || pages > 5 {
			break
		}
		before = fmt.Sprintf("&before=%d", got.Next)
	}
	if want := `["2 granted under_way operator" "1 refused not_done operator" "0 granted under_way operator"]`; fmt.Sprintf("%q", seen) != want {
		t.Errorf("decided were %q, want %s", seen, want)
	}
	b.clock.Advance(20 * 60 * 1e9)
	b.socket("GET", "/api/approvals/decided?limit=1", "").wants(200, `"decision":"expired"`, `"came_to":"not_done"`)
	b.socket("GET", "/api/approvals/decided?limit=101", "").wants(400, "limit")
	b.call("GET", "/api/approvals/decided", "").wants(401)
}

func TestPolicyHistory(t *testing.T) {
	b := newBench(t, settings{})
	b.paired("Hospital", 9001, "[]")
	type page struct {
		Regimes []struct {
			RegimeID     string `json:"regime_id"`
			Since, Until int64
			Change       string
			Principal    string
			Policy       domain.PolicyRules
			Manifests    map[string]json.RawMessage
		}
		Next uint64
	}
	history := func(query string) (out page) {
		t.Helper()
		b.socket("GET", "/api/policy/history"+query, "").wants(200).read(&out)
		return out
	}
	if h := history(""); len(h.Regimes) != 1 || h.Regimes[0].Change != "default" || h.Regimes[0].Since != 0 || len(h.Regimes[0].Policy.Rules) != 6 {
		t.Errorf("at first %+v", h)
	}
	began := history("").Regimes[0].RegimeID
	for n := range 5 {
		b.clock.Advance(1e9)
		b.socket("PUT", "/api/policy", fmt.Sprintf(`{"autonomy":"readonly","max_depth":%d,"approval_minutes":5,"rules":[{"name":"nothing","verdict":"denied"}]}`, n)).wants(200)
	}
	b.clock.Advance(1e9)
	b.socket("PUT", "/api/tools/cancel_appointment/manifest", `{"side_effects":false}`).wants(200)
	var now struct {
		RegimeID string `json:"regime_id"`
	}
	b.socket("GET", "/api/policy", "").read(&now)
	var depths []int
	var until int64
	for query := "?limit=2"; ; {
		h := history(query)
		for i, r := range h.Regimes {
			switch {
			case len(depths) == 0 && (r.RegimeID != now.RegimeID || r.Change != "capability" || len(r.Manifests) != 1 || r.Principal != "operator"):
				t.Errorf("in force is %+v, and %s decides", r, now.RegimeID)
			case r.Until != until:
				t.Errorf("%d of %s ends at %d, want %d", i, query, r.Until, until)
			}
			until = r.Since
			depths = append(depths, r.Policy.MaxDepth)
		}
		if h.Next == 0 {
			if last := h.Regimes[len(h.Regimes)-1]; last.RegimeID != began || last.Change != "default" {
				t.Errorf("the first was %+v", last)
			}
			break
		}
		query = fmt.Sprintf("?limit=2&before=%d", h.Next)
	}
	if fmt.Sprint(depths) != "[4 4 3 2 1 0 4]" {
		t.Errorf("depths %v", depths)
	}
}

func TestCheckPolicy(t *testing.T) {
	b := newBench(t, settings{})
	b.paired("Hospital", 9001, "[]")
	check := func(text string, want ...string) {
		t.Helper()
		b.socket("POST", "/api/policy/check", text).wants(200, want...)
	}
	const fine = `{"autonomy":"readonly","max_depth":0,"approval_minutes":5,"rules":[{"name":"ask","capabilities":["nobody/*"],"verdict":"denied"}]}`
	check(fine, `"ok":true,"in_force":false`, `"warnings":["rule ask names`)
	b.socket("GET", "/api/policy", "").wants(200, `"asked_in_words"`)
	b.socket("PUT", "/api/policy", fine).wants(200)
	check(fine, `"in_force":true`)
	check("{\n \"autonomy\": \"readonly\",\n \"max_depth\": 1,, \n}", `"ok":false`, `"line":3,"column":17`)
	check("{\n \"autonomy\": \"readonly\"", `"ok":false`, "too early", `"line":2`)
	check("", `"ok":false`, "too early")
	check("{\n \"autonomy\": \"most\"}", `"field":"autonomy","line":2,"column":14`)
	check(fine+"\n{}", "There is more", `"line":2`)
	check("{\n \"autonomy\": 7}", `"field":"autonomy","line":2`, "can't be a number")
	const rules = "{\"autonomy\":\"full\",\"max_depth\":0,\"approval_minutes\":5,\"rules\":[\n{\"name\":\"a\",\"verdict\":\"denied\"},\n"
	check(rules+"  {\"name\":\"a\",\"verdict\":\"denied\"}]}", `"field":"rules[1]","line":3,"column":3`, "two rules are named")
	check(rules+"{\"name\":\"b\",\"verdict\":\"perhaps\"}]}", `"field":"rules[1]","line":3`, "verdict")
	check(rules+"{\"name\":\"b\", \"actor\":[\"operator\"],\"verdict\":\"denied\"}]}", `"field":"rules[1].actor","line":3,"column":14`, "actors")
	check(rules+"{\"name\":\"b\"}],\"pay\":1}", `"field":"pay"`)
	check(`{"rules":[{"name":[[[[[[["too deep"]]]]]]]}],"x":1}`, `"ok":false`)
	b.call("POST", "/api/policy/check", fine).wants(401)
}

func TestSystem(t *testing.T) {
	b := newBench(t, settings{})
	b.socket("GET", "/api/system", "").wants(503, "not_running")
	b = newBench(t, settings{change: func(b *bench, cfg *httpapi.Config) {
		cfg.System = func() httpapi.SystemView {
			return httpapi.SystemView{Since: 7, LogBytes: 8, FreeBytes: 9, DiskBytes: 10, KeptFreeBytes: 11, Models: []httpapi.ModelView{{Name: "oracle", SeesImages: true}, {Name: "mute"}, {Name: "new"}}}
		}
	}})
	b.socket("POST", "/api/signals", rain).wants(202)
	for _, said := range []struct {
		payload any
		faults  []domain.Fault
	}{{domain.ModelReplied{Model: "oracle"}, nil}, {domain.ModelFailed{Model: "mute"}, []domain.Fault{{Code: "x", Message: "It is asleep."}}}} {
		b.appends(said.payload, said.faults)
	}
	b.socket("GET", "/api/system", "").wants(200, `"since":7`, `"log_bytes":8,"free_bytes":9,"disk_bytes":10,"kept_free_bytes":11`, `"ready":true`,
		`{"name":"oracle","sees_images":true,"called_at":`, `"answered":true},{"name":"mute","sees_images":false,"called_at":`, `"answered":false,"error":"It is asleep."},{"name":"new","sees_images":false,"answered":false}]`)
	b.call("GET", "/api/system", "").wants(401)
}

// What one request meets of damage is told to all, with the command as it is typed here,
// until a walk over the log finds nothing.
func TestDamageIsTold(t *testing.T) {
	var found httpapi.Verification
	var log unreadable
	b := newBench(t, settings{change: func(b *bench, cfg *httpapi.Config) {
		elsewhere(b, cfg)
		log.Log = cfg.Log
		cfg.Log = &log
		cfg.System = func() httpapi.SystemView { return httpapi.SystemView{Copies: []string{"/srv/damaged-1"}} }
		cfg.Health = func(context.Context) httpapi.Health {
			return httpapi.Health{Ready: true, Lost: 3, Services: map[string]api.Service{"log": {Detail: "run `chalie verify`"}}}
		}
		cfg.Verify = func(context.Context, func(done, total domain.Position)) (httpapi.Verification, error) {
			return found, nil
		}
	}})
	session := b.settled()
	system := func(wants ...string) {
		t.Helper()
		log.damaged = false
		b.call("GET", "/api/system", "", cookie(session), fromHere).wants(200, wants...)
	}
	system(`"damage":""`, `"lost_records":3,"damaged_copies":["/srv/damaged-1"]`)
	b.call("GET", "/health", "", fromHere).wants(200, `"lost_records":3`, "run `./chalie verify --data /srv/mind`")
	b.call("GET", "/health", "").wants(200, "run `chalie verify`")
	log.damaged = true
	b.call("GET", "/api/log", "", cookie(session), fromHere).wants(503, "record 4 is damaged; run `./chalie repair --data /srv/mind`")
	b.socket("GET", "/api/log", "").wants(503, "record 4 is damaged; run `chalie repair`")
	system(`"damage":"record 4 is damaged; run ` + "`./chalie repair --data /srv/mind`")
	b.socket("GET", "/api/verify", "").wants(200, `"ok":true`)
	system(`"damage":""`)
	found = httpapi.Verification{Problems: []api.Problem{{Position: 4, Through: 9, Error: "damaged"}}, More: 1}
	b.socket("GET", "/api/verify", "").wants(200, `{"position":4,"through":9,"error":"damaged"}`)
	system(`"damage":"the log is damaged: a walk over it found 2 problems; stop Chalie and run ` + "`./chalie repair --data /srv/mind`")
}

// unreadable is a log of which nothing can be read as long as it is damaged.
type unreadable struct {
	httpapi.Log
	damaged bool
}

func (u *unreadable) Select(ctx context.Context, sel domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	if u.damaged {
		return nil, &domain.Error{Op: "read log", Category: domain.Dependency, Code: domain.CodeCorrupt, Message: "record 4 is damaged; run `chalie repair`"}
	}
	return u.Log.Select(ctx, sel, from, limit)
}

// appends records what a model said.
func (b *bench) appends(payload any, faults []domain.Fault) {
	b.t.Helper()
	id := b.ids.NewID()
	var entry domain.Entry
	var err error
	lin := domain.Begin(domain.TraceID{ID: id}, domain.PrincipalCore)
	switch p := payload.(type) {
	case domain.ModelReplied:
		entry, err = domain.New(lin, id, domain.MillisOf(b.clock.Now()), "reasoning", p)
	case domain.ModelFailed:
		entry, err = domain.New(lin, id, domain.MillisOf(b.clock.Now()), "reasoning", p)
	}
	b.must(err)
	entry.Envelope.Errors = faults
	_, err = b.log.Append(b.t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	b.must(err)
}

func TestSpine(t *testing.T) {
	at := time.UnixMilli(1_800_000_000_000)
	idle, _ := domain.ServiceNamed(domain.ServiceIdle)
	plans, _ := domain.ServiceNamed(domain.ServicePlans)
	recovery, _ := domain.ServiceNamed(domain.ServiceRecovery)
	work := domain.ID{15: 1}
	b := newBench(t, settings{change: func(_ *bench, cfg *httpapi.Config) {
		cfg.Spine = func() background.View {
			return background.View{
				Pulses: []background.Pulse{
					{Service: idle, Last: at}, {Service: plans, Last: at, Dead: true, Why: "has ended: it broke off"}, {Service: recovery, Last: at, Over: true},
				},
				Consumers: []background.ConsumerView{{Name: "background", Depth: 50, ConsumerState: background.ConsumerState{
					Waiting: 3, Running: work, Taken: 7, Yielded: 1, Dropped: 2, PassedOver: 4, Stuck: errors.New("no model"),
				}}},
				Emitted: background.EmitterCounts{Recorded: map[domain.SpineType]uint64{domain.IdleDiscovery: 9}, Lost: 5},
			}
		}
	}})
	var got struct {
		Services []struct {
			Name      string         `json:"name"`
			State     string         `json:"state"`
			TTL       int64          `json:"ttl_ms"`
			Heartbeat *domain.Millis `json:"heartbeat"`
			Why       string         `json:"why"`
			Missing   string         `json:"fail_mode"`
		} `json:"services"`
		Signals    []map[string]any `json:"signals"`
		Consumers  []map[string]any `json:"consumers"`
		Recorded   map[string]int   `json:"recorded"`
		Lost       int              `json:"lost"`
		Noteworthy []string         `json:"noteworthy"`
	}
	if err := json.Unmarshal([]byte(b.socket("GET", "/api/spine", "").wants(200).body), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Services) != len(domain.Services()) || len(got.Signals) != len(domain.SpineKinds()) {
		t.Errorf("%d services and %d types", len(got.Services), len(got.Signals))
	}
	for _, s := range got.Services {
		want := map[string]string{idle.Name: "alive", plans.Name: "dead", recovery.Name: "done"}[s.Name]
		if declared, _ := domain.ServiceNamed(s.Name); want == "" && declared.Trigger == domain.TriggerRequest {
			want = "passive"
		} else if want == "" {
			want = "off" // it has a loop of its own that this start doesn't run
		}
		if s.State != want || (s.Heartbeat != nil) != (want != "passive" && want != "off") || (s.Why != "") != (want == "dead") {
			t.Errorf("%+v, want it %s", s, want)
		}
		if s.Name == idle.Name && s.TTL != 2*idle.Cycle.Milliseconds() {
			t.Errorf("a sign of life of %s is good for %d ms", s.Name, s.TTL)
		}
	}
	if len(got.Noteworthy) != 1 || got.Noteworthy[0] != plans.Name || got.Lost != 5 || got.Recorded["idle_discovery"] != 9 {
		t.Errorf("noteworthy %v, lost %d, recorded %v", got.Noteworthy, got.Lost, got.Recorded)
	}
	want := map[string]any{"name": "background", "depth": 50., "waiting": 3., "running": work.String(), "taken": 7., "yielded": 1., "dropped": 2., "passed_over": 4., "stuck": "no model"}
	for name, value := range want {
		if got.Consumers[0][name] != value {
			t.Errorf("%s of the consumer is %v, want %v", name, got.Consumers[0][name], value)
		}
	}
}

func TestSpineWhereNothingRuns(t *testing.T) {
	newBench(t, settings{}).socket("GET", "/api/spine", "").wants(503, "start it with chalie serve")
}
