package wiring

import (
	"context"

	"github.com/tidwall/gjson"

	"chalie/domain"
	"chalie/domain/retain"
	"chalie/projections"
)

// Keyframes says what is kept of a log's past: what decisions read, and the Recorder.
func Keyframes(feed projections.Feed) projections.KeyframesConfig {
	retired, err := retain.Last(context.Background(), feed)
	if err != nil {
		retired = 0 // then those that were made since aren't used, either
	}
	return projections.KeyframesConfig{
		Feed: feed, Retired: retired,
		Anew: func() []projections.Projection { return append(NewProjections().All(), NewRecorder()) },
	}
}

// Recorder is the machine and the process that wrote, for a replay that begins later.
type Recorder struct {
	Zone       *string `json:"zone"`       // of the latest episode; nil before the first
	Build      string  `json:"build"`      // of the latest start; "" where it isn't known
	Amendments int     `json:"amendments"` // that the latest start had
}

// NewRecorder knows nothing yet.
func NewRecorder() *projections.InMemory[Recorder] {
	wants := func(rec *domain.Record) bool {
		return rec.Envelope.Type == domain.ReasoningStartedType || rec.Envelope.Type == domain.SystemStartedType || domain.IsSilent(rec.Envelope)
	}
	return projections.NewInMemory("recorder", 3, wants, (*Recorder).evolve)
}

// evolve folds one record. What can't be read says nothing.
func (r *Recorder) evolve(rec domain.Record) error {
	if zone, ok := ZoneOf(rec); ok {
		r.Zone = &zone
		return nil
	}
	if started, err := domain.Decode[domain.SystemStarted](rec.Envelope); err == nil && rec.Envelope.Type == domain.SystemStartedType {
		r.Build, r.Amendments = started.Version, started.Amendments
	}
	return nil
}

// ZoneOf is the machine's zone that the start of an episode names; false of anything else.
// Decoding the whole payload would cost too much for this one text.
func ZoneOf(rec domain.Record) (string, bool) {
	at := "zone"
	switch {
	case domain.IsSilent(rec.Envelope):
		at = "silent.rules.zone" // of a full one
	case rec.Envelope.Type != domain.ReasoningStartedType:
		return "", false
	}
	env, err := domain.Lift(rec.Envelope)
	if err != nil || env.Payload.Encoding != domain.EncodingJSON {
		return "", false
	}
	zone := gjson.GetBytes(env.Payload.Bytes, at)
	return zone.String(), zone.Exists() || rec.Envelope.Type == domain.ReasoningStartedType
}
