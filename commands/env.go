package commands

import (
	"context"
	"log/slog"
	"reflect"
	"strings"
	"time"

	"chalie/domain"
)

// Env is where commands work: the log they append to, read and follow, and what tells
// the time, mints ids and hears of trouble. All of it is required.
type Env struct {
	Log    domain.Appender
	Reader domain.Reader
	Tail   domain.Tailer
	Clock  domain.Clock
	IDs    domain.IDs
	Logger *slog.Logger

	footing *footing `optional:"yes"` // of deciding code; see Deciding
}

// Now is the present as it is stored.
func (e Env) Now() domain.Millis { return domain.MillisOf(e.Clock.Now()) }

// Begin opens a trace that nothing in the log caused.
func (e Env) Begin(who domain.Principal) domain.Lineage {
	return domain.Begin(domain.TraceID{ID: e.IDs.NewID()}, who)
}

// Keyed is an event that says which keys its envelope carries.
type Keyed interface{ Keys() []domain.Key }

// EntryOf makes an event's envelope with its keys. One that opens a trace without
// a cause has the trace's id.
func EntryOf[P Keyed](e Env, lineage domain.Lineage, source domain.Source, payload P) (domain.Entry, error) {
	id := lineage.Trace.ID
	if !lineage.Parent.IsZero() {
		id = e.IDs.NewID()
	}
	return EntryWith(e, lineage, id, source, payload)
}

// EntryWith is EntryOf with an id of the caller's.
func EntryWith[P Keyed](e Env, lineage domain.Lineage, id domain.ID, source domain.Source, payload P) (domain.Entry, error) {
	entry, err := domain.New(lineage, id, e.Now(), source, payload)
	entry.Envelope.Keys = payload.Keys()
	return entry, err
}

// View is a fold as its projection keeps it.
type View[S any] interface {
	// Read calls fn with what is known now. fn must not change or keep it, but for what
	// S's own doc says never changes.
	Read(fn func(*S))
}

// Copy is what a view shows now, to keep.
func Copy[S any, P interface {
	*S
	Clone() S
}](v View[S]) (out S) {
	v.Read(func(known *S) { out = P(known).Clone() })
	return out
}

// Complete returns a validation error that names the ports missing from cfg, a struct.
// A port is a field that can be nil, slices apart, of cfg itself or of what it embeds; one
// with the tag optional may be.
func Complete(op string, cfg any) error {
	if missing := missingPorts(reflect.ValueOf(cfg)); len(missing) > 0 {
		verb := " is"
		if len(missing) > 1 {
			verb = " are"
		}
		return domain.Invalid(op, "", strings.Join(missing, ", ")+verb+" missing: give every port that isn't optional")
	}
	return nil
}

func missingPorts(cfg reflect.Value) (missing []string) {
	for field, value := range cfg.Fields() {
		switch value.Kind() {
		case reflect.Struct:
			if field.Anonymous {
				missing = append(missing, missingPorts(value)...)
			}
		case reflect.Interface, reflect.Pointer, reflect.Func:
			if _, optional := field.Tag.Lookup("optional"); value.IsNil() && !optional {
				missing = append(missing, field.Name)
			}
		}
	}
	return missing
}

// Sleep reports false when ctx ended first.
func Sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
