package httpapi_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"chalie/adapters/httpapi"
	"chalie/commands/background"
	"chalie/domain"
)

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
