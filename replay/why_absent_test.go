package replay_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/replay"
)

// begun is a log whose oldest records were dropped.
type begun struct {
	*domaintest.Log
	at domain.Position // the first that is left
}

func (b begun) Select(ctx context.Context, s domain.Selector, from domain.Position, limit int) ([]domain.Record, error) {
	return b.Log.Select(ctx, s, max(from, b.at), limit)
}

func (b begun) Find(ctx context.Context, id domain.ID) (domain.Record, error) {
	rec, err := b.Log.Find(ctx, id)
	if err == nil && rec.Position < b.at {
		return domain.Record{}, &domain.Error{Op: "find envelope", Category: domain.NotFound, Code: "not_found", Message: "there is none"}
	}
	return rec, err
}

// What came before the beginning of a log is no longer kept; what a whole log doesn't
// hold never was in it, and so is what is younger than a log's beginning.
func TestAbsence(t *testing.T) {
	p := newPast(t)
	first := p.message("What is planned?")
	p.clock.Advance(time.Hour)
	kept := then(p, first, domain.SteerReceived{Text: "only today"})
	p.clock.Advance(time.Hour)
	younger := p.ids.NewID()
	lost := domain.Envelope{ID: younger, Trace: domain.TraceID{ID: younger}, Principal: domain.PrincipalOperator}
	orphan := then(p, domain.Record{Envelope: lost}, domain.SteerReceived{Text: "and tomorrow"})

	for name, c := range map[string]struct {
		begins  domain.Position
		of      domain.Record
		label   string
		dropped bool
		told    []string
	}{
		"dropped": {2, kept, "(no longer kept)", true,
			[]string{"It began with this: something happened that is no longer kept.", "1 cause is no longer kept: the log begins after it."}},
		"never there": {1, orphan, "(not in this log)", false,
			[]string{"It began with this: something happened that is not in this log.", "1 cause is not in this log: it may have been left behind when a part of another log was imported."}},
		"never there, and the oldest dropped": {2, orphan, "(not in this log)", false,
			[]string{"something happened that is not in this log"}},
	} {
		t.Run(name, func(t *testing.T) {
			target, err := replay.ParseTarget(c.of.Envelope.ID.String())
			if err != nil {
				t.Fatal(err)
			}
			why, err := replay.Explain(t.Context(), begun{p.log, c.begins}, target, nil)
			if err != nil {
				t.Fatal(err)
			}
			told := strings.Join(why.Sentences, "\n")
			for _, want := range c.told {
				if !strings.Contains(told, want) {
					t.Errorf("%q isn't in\n%s", want, told)
				}
			}
			if n := why.Nodes[1]; !n.Missing || n.Dropped != c.dropped || n.Label != c.label {
				t.Errorf("the cause is %+v", n)
			}
		})
	}
}
