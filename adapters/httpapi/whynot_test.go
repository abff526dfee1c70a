package httpapi_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"chalie/adapters/httpapi"
	"chalie/domain"
	"chalie/domain/domaintest"
	"chalie/replay/explain"
)

// whyNot is an answer of GET /api/why-not/{id} as it is documented.
type whyNot struct {
	Target struct {
		ID       domain.ID `json:"envelope_id"`
		Trace    domain.ID `json:"trace_id"`
		Position domain.Position
		At       domain.Millis
		Type     string
		Label    string
	}
	Sentences  []string
	Considered []struct {
		Decision   domain.ID
		Trace      domain.ID `json:"trace_id"`
		Position   domain.Position
		At         domain.Millis
		Kind, Gate string
		Numbers    map[string]float64
		Words      string
	}
	Never string
	Cut   *bool
}

func TestWhyNot(t *testing.T) {
	b := newBench(t, settings{})
	b.socket("GET", "/api/why-not/last", "").wants(404, `"code":"nothing_kept"`, "the name of a tool")
	var accepted struct {
		SignalID domain.ID `json:"signal_id"`
	}
	b.call("POST", "/api/signals", rain, bearer(b.token("station", "[]"))).wants(202).read(&accepted)
	var got whyNot
	b.socket("GET", "/api/why-not/"+accepted.SignalID.UUID()+"?zone=Europe/Berlin", "").wants(200, `"considered":[]`, `"tried_in_vain":[]`).read(&got)
	if got.Target.ID != accepted.SignalID || got.Never != "no_cycle" || len(got.Sentences) < 2 || got.Cut == nil || *got.Cut {
		t.Errorf("before anything was decided: %+v", got)
	}
	asked := b.says("will it rain?")
	started := next(b, asked, domain.ReasoningStarted{AsOf: 1, World: domain.WorldSeen{Position: 100, Items: []domain.SeenItem{{EnvelopeID: accepted.SignalID, Kind: domain.ItemSignal, Salience: 800_000}}}})
	b.append(domain.TopicReasoning, started)
	end := b.ends(started, domain.ReasoningConcluded{Outcome: domain.OutcomeResponded, Shown: domain.ShownMessage})
	b.append(domain.TopicReasoning, end)
	b.socket("GET", "/api/why-not/"+accepted.SignalID.String(), "").wants(200).read(&got)
	if n := len(got.Considered); n != 1 || got.Considered[0].Decision != end.ID || got.Considered[0].Gate != "not_used" || got.Considered[0].Kind != "answer" || got.Considered[0].Numbers["salience"] != 0.8 {
		t.Errorf("after an answer: %+v", got)
	}
	b.socket("GET", "/api/why-not/"+b.ids.NewID().UUID(), "").wants(404, `"code":"no_envelope"`, "the id of a signal")
	b.socket("GET", "/api/why-not/no%2Fsuch", "").wants(404, `"code":"no_tool"`)
	b.socket("GET", "/api/why-not/pos:1", "").wants(400, `"code":"nothing_to_tell"`)
	b.socket("GET", "/api/why-not/pos:2?try=perhaps", "").wants(400, "give true or false")
	b.socket("POST", "/api/why-not/last", "").wants(405)
	b.call("GET", "/api/why-not/last", "").wants(401)
}

// slow is a trial that takes as long as it is let.
type slow struct{ asked chan explain.Attempt }

func (s slow) Try(ctx context.Context, a explain.Attempt) (explain.Tried, error) {
	s.asked <- a
	<-ctx.Done()
	return explain.Tried{}, ctx.Err()
}

// paced is a trial of so many positions, each of which takes that long.
type paced struct {
	each  time.Duration
	total domain.Position
}

func (p paced) Try(ctx context.Context, a explain.Attempt) (explain.Tried, error) {
	for pos := range p.total {
		a.Told(pos+1, p.total)
		domaintest.Pass(p.each)
		if ctx.Err() != nil {
			return explain.Tried{}, ctx.Err()
		}
	}
	return explain.Tried{Helps: true}, nil
}

// What takes too long is told as not tried, and holds nobody up.
func TestWhyNotInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		trial := slow{make(chan explain.Attempt, 1)}
		_, err := httpapi.Impatient(trial).Try(t.Context(), explain.Attempt{Through: 7})
		if a := <-trial.asked; a.Through != 7 || domain.CodeOf(err) != "too_long" || domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), "has to be folded first") {
			t.Errorf("%+v: %v", a, err)
		}
		began := time.Now()
		left := explain.Counterfactual{Without: domain.ID{15: 7}}
		_, err = httpapi.Impatient(paced{time.Second, 10_000}).Try(t.Context(), explain.Attempt{Remedy: left})
		if took := time.Since(began); domain.CodeOf(err) != "too_long" || took > 10*time.Second || !strings.Contains(err.Error(), "`chalie replay --all --without "+left.Without.String()+"`") {
			t.Errorf("of what takes hours it says %v, after %s", err, took)
		}
		if tried, err := httpapi.Impatient(paced{100 * time.Millisecond, 400}).Try(t.Context(), explain.Attempt{}); err != nil || !tried.Helps {
			t.Errorf("of what takes 40 s: %+v, %v", tried, err)
		}
		gone, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := httpapi.Impatient(trial).Try(gone, explain.Attempt{}); !errors.Is(err, context.Canceled) {
			t.Errorf("when who asked has gone: %v", err)
		}
	})
}
