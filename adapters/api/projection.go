package api

import (
	stdjson "encoding/json"
	"fmt"
	"strconv"

	"chalie/domain"
)

// Projection is the state of a projection.
type Projection struct {
	Name       string          `json:"name"`
	Version    int             `json:"version"`
	Generation int             `json:"generation" doc:"Which store of that version, from 0."`
	State      string          `json:"state"`
	Position   domain.Position `json:"position" doc:"Through which it is folded."`
	Checkpoint domain.Position `json:"checkpoint" doc:"Through which that is stored."`
	Lag        uint64          `json:"lag" doc:"How many records it is behind."`
	LagSeconds float64         `json:"lag_seconds"`
	For        string          `json:"for" doc:"What it is for, in a sentence."`
	Error      string          `json:"error,omitempty" doc:"What stopped it."`
	Previous   *Edition        `json:"previous,omitempty" doc:"What can be gone back to."`
	Held       bool            `json:"held,omitempty" doc:"A newer version waits to be asked for."`
	Rebuild    *Rebuild        `json:"rebuild,omitempty" doc:"The latest since the program started."`
	Diverged   *Diverged       `json:"diverged,omitempty" doc:"It was found not to be what the log says."`
}

// Diverged says where a projection differs from a fold of the log.
type Diverged struct {
	Position  domain.Position `json:"position" doc:"Through which it was found so."`
	Differing uint64          `json:"differing" doc:"How many things."`
}

// Edition is one store of a projection.
type Edition struct {
	Version    int `json:"version"`
	Generation int `json:"generation" doc:"Which one of that version, from 0."`
}

// String is VERSION.GENERATION: the third store of version 2 is 2.2.
func (e Edition) String() string {
	if e.Generation == 0 {
		return strconv.Itoa(e.Version)
	}
	return fmt.Sprintf("%d.%d", e.Version, e.Generation)
}

// Rebuild is the progress or the result of a rebuild.
type Rebuild struct {
	Kind        string          `json:"kind" enum:"rebuild|check|upgrade|rollback" doc:"check only compares; upgrade is because the program has a newer version."`
	State       string          `json:"state" enum:"running|done|failed|cancelled"`
	Phase       string          `json:"phase"`
	Version     int             `json:"version"`
	Generation  int             `json:"generation"`
	Position    domain.Position `json:"position"`
	Tail        domain.Position `json:"tail"`
	Records     uint64          `json:"records"`
	Rate        uint64          `json:"rate" doc:"Records a second."`
	SecondsLeft float64         `json:"seconds_left"`
	StartedAt   domain.Millis   `json:"started_at"`
	EndedAt     domain.Millis   `json:"ended_at,omitempty"`
	Switched    bool            `json:"switched"`
	Difference  *Difference     `json:"difference,omitempty" doc:"Missing while, or where, nothing was compared."`
	Error       string          `json:"error,omitempty"`
}

// Difference is an entry in which the old and the new fold differ.
type Difference struct {
	Count    uint64   `json:"count"`
	Compared uint64   `json:"compared"`
	Missing  uint64   `json:"missing"`
	Added    uint64   `json:"added"`
	Changed  uint64   `json:"changed"`
	First    []Change `json:"first"`
}

// Change is one field that differs.
type Change struct {
	Entity string             `json:"entity"`
	Field  string             `json:"field"`
	Was    stdjson.RawMessage `json:"was" doc:"Null when only the new one has it."`
	Is     stdjson.RawMessage `json:"is" doc:"Null when only the old one has it."`
}

// RebuildRequest names the projections to rebuild.
type RebuildRequest struct {
	Names []string `json:"names,omitempty" nullable:"true" most:"64" doc:"Of projections, 64 at most; all of them when it is missing or empty."`
	Check bool     `json:"check,omitempty" doc:"Only compare."`
}

// RebuildOne are the options for rebuilding one projection.
type RebuildOne struct {
	Check bool `json:"check,omitempty" doc:"Only compare."`
}

func projectionRoutes() []Route {
	const which = "The projection's name."
	return []Route{
		{Name: "projections", Method: get, Path: "/api/projections", Who: Operator, Summary: "How far each fold is", Answers: ok([]Projection{})},
		{Name: "rebuildAll", Method: post, Path: "/api/projections/rebuild", Who: Operator, Summary: "Fold projections again",
			Detail: "It answers at once; how it goes stands in GET /api/projections as rebuild.",
			Body:   Body{Most: 16 * kib, Shape: RebuildRequest{}, Optional: true}, Answers: withStatus(202, OK{}), Refuses: []int{404, 409}},
		{Name: "rebuildOne", Method: post, Path: "/api/projections/{name}/rebuild", Who: Operator, Summary: "Fold one projection again", ID: which,
			Body: Body{Most: 16 * kib, Shape: RebuildOne{}, Optional: true}, Answers: withStatus(202, OK{}), Refuses: []int{409}},
		{Name: "cancelRebuild", Method: remove, Path: "/api/projections/{name}/rebuild", Who: Operator, Summary: "End a rebuild", Detail: "It answers once nothing is left of it.", ID: which,
			Answers: ok(OK{}), Refuses: []int{409}},
		{Name: "rollbackProjection", Method: post, Path: "/api/projections/{name}/rollback", Who: Operator, Summary: "Go back to the store that served before", ID: which,
			Answers: withStatus(202, OK{}), Refuses: []int{409}},
	}
}
