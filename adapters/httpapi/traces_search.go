package httpapi

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"chalie/domain"
	"chalie/projections/traces"
)

// How much one request looks at. No index knows what the filters ask for: what is
// further back is for the next request.
const (
	mostLines   = 50_000 // of the projection
	mostRecords = 20_000 // of the log, for words
	wordsBatch  = 200    // lines whose records are looked through together
	mostOfOne   = 5000   // records of one trace, beside those that others' stand among
)

// traceSearch goes from the newest trace back to those that pass its filters.
type traceSearch struct {
	api    *API
	before domain.Position // where to go on; 0 is the end of the log, and then the beginning
	limit  int

	outcome traces.Outcome
	ended   domain.Outcome
	root    string // a type, or what types begin with before their dot
	senders senders
	tool    string
	errors  bool
	// mattered leaves out what came alone, and looks that told the person nothing.
	mattered bool

	since domain.Millis
	words words

	back domain.Millis // when the line looked at last began
	past bool          // it was before since
}

func (s *traceSearch) read(ctx context.Context, q query) (err error) {
	if err := s.readOutcome(q.values.Get("outcome")); err != nil {
		return err
	}
	s.root, s.senders, s.tool = q.values.Get("root"), s.api.senders(q.values.Get("source")), q.values.Get("tool")
	s.words = wordsOf(q.values.Get("words"))
	if s.errors, err = q.flag("errors"); err != nil {
		return err
	}
	if s.mattered, err = q.flag("mattered"); err != nil {
		return err
	}
	if q.values.Get("since") != "" {
		if s.since, err = q.moment("since", ago); err != nil {
			return err
		}
	}
	if q.values.Get("until") == "" {
		return nil
	}
	until, err := q.moment("until", ago)
	if err != nil {
		return err
	}
	first, err := s.api.cfg.Log.Since(ctx, until)
	if s.before == 0 || first < s.before {
		s.before = first
	}
	return err
}

// readOutcome takes how a trace stands, or what its reasoning came to.
func (s *traceSearch) readOutcome(text string) error {
	known := []string{string(traces.Open), string(traces.Done), string(traces.Failed), string(domain.OutcomeResponded), string(domain.OutcomeSurfaced),
		string(domain.OutcomeHeld), string(domain.OutcomeYielded), string(domain.OutcomeCancelled)}
	switch i := slices.Index(known, text); {
	case text == "":
	case i < 0:
		return domain.Invalid("read query", "outcome", fmt.Sprintf("outcome is %q: give one of %s", clip(text), strings.Join(known, ", ")))
	case i < 3:
		s.outcome = traces.Outcome(text)
	default:
		s.ended = domain.Outcome(text)
	}
	return nil
}

// run finds up to limit lines, and leaves in before where to go on.
func (s *traceSearch) run(ctx context.Context) ([]traces.Line, error) {
	if len(s.words) > 0 {
		return s.runWords(ctx)
	}
	return s.lines(s.limit, mostLines)
}

// lines are those that pass what a line alone can tell.
func (s *traceSearch) lines(limit, most int) ([]traces.Line, error) {
	lines, reached, err := s.api.cfg.Traces.Search(s.before, limit, most, s.keeps)
	if s.before = reached; s.past {
		s.before = 0
	}
	return lines, err
}

func (s *traceSearch) keeps(l *traces.Line) bool {
	s.back = l.StartedAt
	if l.StartedAt < s.since {
		s.past = true
		return false
	}
	return (s.outcome == "" || l.Outcome() == s.outcome) && (s.ended == "" || l.Ended == s.ended) &&
		(!s.errors || l.Errors > 0) && (s.tool == "" || l.Tools.Has(s.tool)) &&
		s.senders.sent(l.Root.Source, l.Root.Principal) && (!s.mattered || mattered(l)) && s.beganWith(string(l.Root.Type))
}

// mattered reports whether a person would look for a trace: it is no signal or passing
// thought of Chalie's that led to nothing. What went wrong mattered.
func mattered(l *traces.Line) bool {
	if l.Errors > 0 || l.Ended == domain.OutcomeResponded || l.Ended == domain.OutcomeSurfaced || len(l.Tools.List()) > 0 {
		return true
	}
	kind, _, _ := strings.Cut(string(l.Root.Type), ".")
	return kind != "signal" && kind != "spine"
}

func (s *traceSearch) beganWith(root string) bool {
	return s.root == "" || root == s.root || strings.HasPrefix(root, s.root+".")
}

// runWords looks through the records of one batch of lines after the other.
func (s *traceSearch) runWords(ctx context.Context) (found []traces.Line, err error) {
	for read := 0; read < mostRecords && len(found) < s.limit; {
		lines, err := s.lines(wordsBatch, mostLines)
		if err != nil || len(lines) == 0 {
			return found, err
		}
		batch := wordsIn{search: s, lines: lines, said: map[domain.TraceID]bool{}}
		if err := batch.read(ctx); err != nil {
			return nil, err
		}
		read += batch.records
		for _, line := range lines {
			if !batch.said[line.Trace] {
				continue
			}
			found = append(found, line)
			if len(found) == s.limit {
				s.before, s.back = line.First, line.StartedAt
				return found, nil
			}
		}
		if s.before == 0 {
			return found, nil
		}
	}
	return found, nil
}
