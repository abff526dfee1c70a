package httpapi

import (
	"unicode/utf8"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/projections/traces"
	"chalie/replay/narrate"
)

// longestText bounds what a list repeats of an envelope, in bytes.
const longestText = 300

// textsOf reads the first envelope of a trace, and that which ended it: what
// its reasoning told the person, or else its last.
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
	if last.Envelope.Type == domain.RequestAnsweredType { // says nothing of what came of it
		return out, nil
	}
	out.CameTo, err = x.cameTo(last)
	return out, err
}

// cameTo is what a conclusion told the person, in the words of the reply that it names;
// of any other envelope, what it says.
func (x *exchange) cameTo(rec domain.Record) (string, error) {
	end, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope)
	switch {
	case err != nil, len(rec.Envelope.Errors) > 0:
		return shortGist(rec), nil //nolint:nilerr // what can't be decoded is told by its gist
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

// matchedIn finds out where a trace says words.
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

// short bounds a text, and says so.
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
