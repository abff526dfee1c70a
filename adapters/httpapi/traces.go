package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/projections/traces"
	"chalie/replay/narrate"
)

// Traces is the projection of traces. Its methods are those of
// *traces.Projection.
type Traces interface {
	Get(trace domain.TraceID) (traces.Line, bool, error)
	Search(before domain.Position, limit, most int, keep func(*traces.Line) bool) (lines []traces.Line, reached domain.Position, err error)
}

var _ Traces = (*traces.Projection)(nil)

func traceHandlers() handlers {
	return handlers{"traces": (*exchange).traces, "trace": (*exchange).trace, "steps": (*exchange).steps}
}

// traces is GET /api/traces?limit=&before=&outcome=&root=&source=&tool=&errors=
// &mattered=&since=&until=&words=&texts=.
func (x *exchange) traces() error {
	q := x.query()
	limit, before, texts := q.count("limit"), q.count("before"), q.flag("texts")
	if q.err != nil {
		return q.err
	}
	x.catchUp()
	search := traceSearch{api: x.api, before: domain.Position(before), limit: int(limit)}
	if err := search.read(x.r.Context(), q); err != nil {
		return err
	}
	lines, err := search.run(x.r.Context())
	if err != nil {
		return err
	}
	out := api.TracePage{Traces: make([]api.Trace, 0, len(lines)), Next: search.before}
	if out.Next != 0 {
		out.Back = search.back
	}
	for _, line := range lines {
		body := bodyOf(line)
		if texts {
			if body.TraceTexts, err = x.textsOf(line); err != nil {
				return err
			}
			if len(search.words) > 0 {
				if body.Matched, err = x.matchedIn(line, search.words); err != nil {
					return err
				}
			}
		}
		out.Traces = append(out.Traces, body)
	}
	return x.answer(http.StatusOK, out)
}

func bodyOf(l traces.Line) api.Trace {
	out := api.Trace{
		TraceID: l.Trace.ID, Kind: narrate.Kind(l.Root.Type), Standing: l.Ending().Brief(), Envelopes: l.Envelopes(), Commands: l.Commands, Events: l.Events, Results: l.Results,
		Streams: l.Streams, Errors: l.Errors, First: l.First, Last: l.Last, StartedAt: l.StartedAt, UpdatedAt: l.UpdatedAt,
		Outcome: string(l.Outcome()), Concluded: l.Ended, Tools: l.Tools.List(), Tokens: l.Tokens, CostMicros: l.CostMicros,
		Root: api.TraceRoot{EnvelopeID: l.Root.EnvelopeID, Type: l.Root.Type, Source: l.Root.Source, Principal: l.Root.Principal},
	}
	if out.Tools == nil {
		out.Tools = []string{}
	}
	if !l.Root.Parent.IsZero() {
		out.Root.ParentID = &l.Root.Parent
	}
	return out
}

// Bounds of one request. There is no index for the filters, so the next request continues
// further back.
const (
	mostLines   = 50_000 // of the projection
	mostRecords = 20_000 // of the log, for words
	wordsBatch  = 200    // lines whose records are searched together
	mostOfOne   = 5000   // records of one trace that is read by itself
)

// traceSearch goes from the newest trace back to those that pass its filters.
type traceSearch struct {
	api    *API
	before domain.Position // where to continue; 0 means the end of the log at first, and afterwards that nothing is left
	limit  int

	outcome traces.Outcome
	ended   domain.Outcome
	root    string // a type, or the part of types before the dot
	senders senders
	tool    string
	errors  bool
	// mattered leaves out signals without effect, and cycles that told the person
	// nothing.
	mattered bool

	since domain.Millis
	words words

	back domain.Millis // start of the last line that was examined
	past bool          // back is before since
}

func (s *traceSearch) read(ctx context.Context, q *query) error {
	if err := s.readOutcome(q.values.Get("outcome")); err != nil {
		return err
	}
	s.root, s.senders, s.tool = q.values.Get("root"), s.api.senders(q.values.Get("source")), q.values.Get("tool")
	s.words = wordsOf(q.values.Get("words"))
	s.errors, s.mattered = q.flag("errors"), q.flag("mattered")
	if q.values.Get("since") != "" {
		s.since = q.moment("since", ago)
	}
	until := q.moment("until", ago)
	if q.err != nil || q.values.Get("until") == "" {
		return q.err
	}
	first, err := s.api.cfg.Log.Since(ctx, until)
	if s.before == 0 || first < s.before {
		s.before = first
	}
	return err
}

// readOutcome reads a trace's state or an outcome of reasoning.
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

// run finds up to limit lines, and sets before for the next page.
func (s *traceSearch) run(ctx context.Context) ([]traces.Line, error) {
	if len(s.words) > 0 {
		return s.runWords(ctx)
	}
	return s.lines(s.limit, mostLines)
}

// lines are the lines that pass the filters on lines.
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

// mattered reports whether a person may look for a trace: it is not a signal or a cycle
// that led to nothing. A failed one mattered.
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

// runWords searches the records of lines for words, batch by batch.
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

// longestText bounds the text of an envelope in a list, in bytes.
const longestText = 300

// textsOf reads the text of a trace's first envelope and of its end: what its reasoning
// told the person, or else its last envelope.
func (x *exchange) textsOf(line traces.Line) (*api.TraceTexts, error) {
	first, err := x.recordAt(line.First)
	if err != nil {
		return nil, err
	}
	out := &api.TraceTexts{CameIn: shortGist(first)}
	end := max(line.Concluded, line.Last)
	if line.Concluded != 0 {
		end = line.Concluded
	}
	if end == line.First {
		return out, nil
	}
	last, err := x.recordAt(end)
	if err != nil {
		return nil, err
	}
	if last.Envelope.Type == domain.RequestAnsweredType { // has no text of the result
		return out, nil
	}
	out.CameTo, err = x.cameTo(last)
	return out, err
}

// cameTo is the text that a conclusion told the person, read from its reply; of any other
// envelope, its own text.
func (x *exchange) cameTo(rec domain.Record) (string, error) {
	end, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope)
	switch {
	case err != nil, len(rec.Envelope.Errors) > 0:
		return shortGist(rec), nil //nolint:nilerr // the gist needs no decoding
	case len(end.Blocks) > 0:
		return short(narrate.OneLine(narrate.Plain(domain.PlainText(end.Blocks)))), nil
	case end.Reply.IsZero():
		return "", nil
	}
	reply, err := x.api.cfg.Log.Find(x.r.Context(), end.Reply)
	switch domain.CategoryOf(err) {
	case domain.NotFound:
		return "", nil
	case "":
		if said, err := domain.Decode[domain.ModelReplied](reply.Envelope); err == nil && len(end.Findings) > 0 {
			return short(narrate.OneLine(narrate.Findings(said, end.Findings))), nil
		}
		return shortGist(reply), nil
	}
	return "", err
}

// matchedIn finds the place where a trace contains the words.
func (x *exchange) matchedIn(line traces.Line, said words) (*api.Matched, error) {
	out := &api.Matched{}
	_, err := domain.Look(x.r.Context(), x.api.cfg.Log, domain.Selector{Trace: line.Trace}, line.First, mostOfOne, func(rec domain.Record) {
		if !said.in(rec.Envelope.Payload) {
			return
		}
		if out.Records++; out.Gist == "" {
			out.Gist = shortGist(rec)
		}
	})
	return out, err
}

// recordAt is the record at a position; without an envelope when it is no longer kept.
func (x *exchange) recordAt(at domain.Position) (domain.Record, error) {
	records, err := x.api.cfg.Log.Select(x.r.Context(), domain.Selector{}, at, 1)
	if len(records) == 0 || records[0].Position != at {
		return domain.Record{}, err
	}
	return records[0], nil
}

func shortGist(rec domain.Record) string {
	if rec.Position == 0 {
		return ""
	}
	return short(narrate.Line(rec.Envelope))
}

// short cuts a text, and marks the cut.
func short(text string) string {
	if len(text) <= longestText {
		return text
	}
	text = text[:longestText]
	for !utf8.ValidString(text) {
		text = text[:len(text)-1]
	}
	return text + "…"
}

// words are the words of a search, in lower case. An envelope matches when its texts
// contain each.
type words []string

// maxWords bounds the words of a search.
const maxWords = 8

func wordsOf(text string) words {
	out := strings.Fields(strings.ToLower(text))
	return out[:min(maxWords, len(out))]
}

// in reports whether a payload's texts contain all words. Names of fields don't count.
func (w words) in(p domain.Payload) bool {
	if p.Encoding != domain.EncodingJSON || !w.maybeIn(p.Bytes) {
		return false
	}
	var value any
	if json.Unmarshal(p.Bytes, &value) != nil {
		return false
	}
	var all strings.Builder
	texts(value, &all)
	text := strings.ToLower(all.String())
	for _, word := range w {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// maybeIn rules out most payloads without decoding them. Words with characters that JSON
// may escape are skipped.
func (w words) maybeIn(payload []byte) bool {
	small := bytes.ToLower(payload)
	for _, word := range w {
		if !strings.ContainsFunc(word, func(r rune) bool { return r > '~' || strings.ContainsRune(`"\/<>&`, r) }) && !bytes.Contains(small, []byte(word)) {
			return false
		}
	}
	return true
}

// texts writes all texts of a JSON value, one per line.
func texts(value any, out *strings.Builder) {
	switch v := value.(type) {
	case string:
		out.WriteString(v)
		out.WriteByte('\n')
	case []any:
		for _, element := range v {
			texts(element, out)
		}
	case map[string]any:
		for _, field := range v {
			texts(field, out)
		}
	}
}

// wordsIn finds the traces of a batch that contain the words.
type wordsIn struct {
	search  *traceSearch
	lines   []traces.Line // latest first
	said    map[domain.TraceID]bool
	records int // that were read
}

// read reads the stretch of the log in which the batch's traces began, which contains
// most of them completely, and then the rest of longer ones. When they lie far apart it
// reads each by itself.
func (b *wordsIn) read(ctx context.Context) error {
	first, last := b.lines[len(b.lines)-1].First, b.lines[0].First
	behind := last + 1
	if together := int(last-first) + 1; together <= 16*len(b.lines) {
		if err := b.look(ctx, domain.Selector{}, first, together); err != nil {
			return err
		}
	} else {
		behind = first
	}
	for _, line := range b.lines {
		if b.said[line.Trace] || line.Last < behind {
			continue
		}
		if err := b.look(ctx, domain.Selector{Trace: line.Trace}, max(behind, line.First), mostOfOne); err != nil {
			return err
		}
	}
	return nil
}

func (b *wordsIn) look(ctx context.Context, which domain.Selector, from domain.Position, limit int) error {
	looked, err := domain.Look(ctx, b.search.api.cfg.Log, which, from, limit, func(rec domain.Record) {
		if trace := rec.Envelope.Trace; !b.said[trace] && b.search.words.in(rec.Envelope.Payload) {
			b.said[trace] = true
		}
	})
	b.records += looked + 1
	return err
}
