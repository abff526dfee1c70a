package api

import "chalie/domain"

// Spine is the services of the background bus, what each declares, and its state.
type Spine struct {
	Services   []SpineService              `json:"services"`
	Signals    []SignalType                `json:"signals" doc:"The table of types."`
	Consumers  []Consumer                  `json:"consumers"`
	Recorded   map[domain.SpineType]uint64 `json:"recorded" doc:"Signals by type since the start."`
	Lost       uint64                      `json:"lost" doc:"Those that weren't recorded."`
	Noteworthy []string                    `json:"noteworthy" doc:"The services that are dead."`
}

// SpineService is one service of the background bus.
type SpineService struct {
	Name      string             `json:"name"`
	Layer     domain.Layer       `json:"layer" enum:"cognitive|embodiment|capability"`
	Emits     []domain.SpineType `json:"emits"`
	Consumes  []domain.SpineType `json:"consumes"`
	Trigger   domain.Trigger     `json:"trigger" enum:"timer|signal|request|once" doc:"What sets it off."`
	CycleMS   int64              `json:"cycle_ms" doc:"A sign of life comes once in a cycle; 0 for one that has no loop of its own."`
	TTLMS     int64              `json:"ttl_ms" doc:"How long a sign of life is good for."`
	FailMode  string             `json:"fail_mode" doc:"What is missing while it is dead."`
	State     string             `json:"state" enum:"alive|dead|done|off|passive" doc:"done: it was there for one thing. off: this start doesn't run it. passive: it has no loop of its own."`
	Heartbeat *domain.Millis     `json:"heartbeat" doc:"The last sign of life; null when it never gives one."`
	Why       string             `json:"why,omitempty" doc:"Why it counts as dead."`
}

// SignalType is one registered type of background signal.
type SignalType struct {
	Type     domain.SpineType `json:"type"`
	Meaning  string           `json:"meaning"`
	Emitters []string         `json:"emitters"`
	Least    float64          `json:"least"`
	Most     float64          `json:"most"`
	Taken    string           `json:"taken" doc:"What a consumer does with it."`
}

// Consumer is a consumer of background signals with its queue.
type Consumer struct {
	Name       string     `json:"name"`
	Depth      int        `json:"depth" doc:"How many can wait."`
	Waiting    int        `json:"waiting"`
	Running    *domain.ID `json:"running" doc:"The signal it works on; null for none."`
	Taken      uint64     `json:"taken" doc:"Since the start, as are the others."`
	Yielded    uint64     `json:"yielded" doc:"To the person."`
	Dropped    uint64     `json:"dropped"`
	PassedOver uint64     `json:"passed_over"`
	Stuck      string     `json:"stuck,omitempty" doc:"Why it can't go on for now."`
}

// System is the state of the program at a glance. A moment is 0 when the event hasn't
// happened.
type System struct {
	Version   string             `json:"version"`
	Revision  string             `json:"revision" doc:"It was built from; empty when unknown."`
	Since     domain.Millis      `json:"since" doc:"It runs."`
	Now       domain.Millis      `json:"now"`
	Ready     bool               `json:"ready"`
	Reason    string             `json:"reason" doc:"Why it isn't."`
	Tail      domain.Position    `json:"tail"`
	Held      uint64             `json:"held_records" doc:"How many records the log holds: fewer than positions where some went."`
	LogBytes  uint64             `json:"log_bytes"`
	FreeBytes uint64             `json:"free_bytes" doc:"Of its disk; 0 when that can't be asked."`
	DiskBytes uint64             `json:"disk_bytes"`
	KeptFree  uint64             `json:"kept_free_bytes" doc:"Below it nothing is appended."`
	Lost      uint64             `json:"lost_records"`
	Copies    []string           `json:"damaged_copies" doc:"Folders that a repair put a damaged log into."`
	Damage    string             `json:"damage" doc:"What a request met since the start that is stored and can't be read, with what to do."`
	Models    []Model            `json:"models"`
	Audited   domain.Millis      `json:"audited_at" doc:"All projections were compared with the log."`
	NextAudit domain.Millis      `json:"next_audit_at"`
	Services  map[string]Service `json:"services"`
}

// Model is a model with its latest call, if the last steps of reasoning include one.
type Model struct {
	Name       string        `json:"name"`
	SeesImages bool          `json:"sees_images"`
	CalledAt   domain.Millis `json:"called_at,omitempty"`
	Answered   bool          `json:"answered"`
	Error      string        `json:"error,omitempty"`
}

func systemRoutes() []Route {
	return []Route{
		{Name: "spine", Method: get, Path: "/api/spine", Who: Operator, Summary: "Which services live, and what is going on by itself", Answers: ok(Spine{})},
		{Name: "system", Method: get, Path: "/api/system", Who: Operator, Summary: "How the program is, at a glance", Answers: ok(System{})},
		{Name: "metrics", Method: get, Path: "/metrics", Who: Local, Summary: "How Chalie does in numbers, for Prometheus",
			Detail: "On this machine without a login, if nothing stands between; elsewhere as other routes of the operator.", Answers: []Answer{{Status: 200, Media: []string{"text/plain"}}}},
		{Name: "openapi", Method: get, Path: "/openapi.json", Who: Anyone, Summary: "This document", Answers: ok(nil)},
	}
}
