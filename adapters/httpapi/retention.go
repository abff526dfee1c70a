package httpapi

import (
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"chalie/adapters/api"
	"chalie/domain"
	"chalie/domain/retain"
	"chalie/replay/narrate"
)

// retention is GET /api/retention?keep_signals=&keep_reasoning=.
func (x *exchange) retention() error {
	x.catchUp()
	q := x.query()
	var params domain.Params
	viewOf[domain.SettingsBook](x).Read(func(b *domain.SettingsBook) { params = b.Params() })
	for _, p := range x.route.Query {
		if _, asked := q.param(p.Name, api.KindText); asked != "" {
			if err := params.Set(p.Name, asked); err != nil {
				return err
			}
		}
	}
	if q.err != nil {
		return q.err
	}
	kept := params.Keep.Topics()
	body := api.Retention{Topics: topicsIn(params.Keep), Next: api.RetentionNext{Counts: []api.RetentionCount{}}}
	records, spans, err := retain.Spans(x.r.Context(), x.api.cfg.Log)
	if err != nil {
		return err
	}
	for i, s := range spans {
		body.Gone.Spans++
		body.Gone.Records += s.Records
		body.Gone.Last = records[i].RecordedAt
	}
	if body.Refused = x.reason(x.api.cfg.MayRetire); body.Refused != "" {
		return x.answer(http.StatusOK, body)
	}
	body.Stays = x.reason(x.api.cfg.Stays)
	rule := retain.Rule{Kept: kept, Now: domain.MillisOf(x.api.cfg.Clock.Now())}
	if world := viewOf[domain.World](x); world != nil {
		var now domain.World
		world.Read(func(w *domain.World) { now = w.Clone() })
		rule.Needs = now.Rests
	}
	found, err := retain.Next(x.r.Context(), x.api.cfg.Log, rule)
	if err != nil {
		return err
	}
	next := found.Span
	body.Next.Records, body.Next.Bytes, body.Next.Oldest, body.Next.Newest = next.Records, next.Bytes, next.Oldest, next.Newest
	if body.Next.OnDisk, err = x.onDisk(found); err != nil {
		return err
	}
	for _, c := range next.Counts {
		body.Next.Counts = append(body.Next.Counts, api.RetentionCount(c))
	}
	return x.answer(http.StatusOK, body)
}

// onDisk is about how many bytes of the disk come back when something goes: of the records its share
// of their bytes, of the indexes its share of all records; 0 where that can't be told.
func (x *exchange) onDisk(f retain.Found) (uint64, error) {
	held, err := x.held()
	if err != nil || x.api.cfg.OnDisk == nil || f.Old.Bytes == 0 || held == 0 {
		return 0, err
	}
	records, indexes := x.api.cfg.OnDisk(f.Old.Through)
	if records == 0 {
		return 0, nil // they aren't in its tables yet
	}
	share := func(of, part, all uint64) uint64 { return uint64(float64(of) * float64(part) / float64(all)) }
	return share(records, f.Span.Bytes, f.Old.Bytes) + share(indexes, f.Span.Records, held), nil
}

// reason is what an error says, with what to do here; "" for none, or nobody to ask.
func (x *exchange) reason(ask func() error) string {
	if ask == nil {
		return ""
	}
	err := ask()
	if known, ok := errors.AsType[*domain.Error](err); ok {
		return x.advice(known.Message)
	}
	if err != nil {
		return err.Error()
	}
	return ""
}

// topicsIn are all topics with their times to keep, those that have one first.
func topicsIn(keep domain.Keep) []api.RetentionTopic {
	out := []api.RetentionTopic{
		{Topic: domain.TopicSignals, Setting: "keep_signals", For: domain.Millis(keep.Signals.Milliseconds())},
		{Topic: domain.TopicReasoning, Setting: "keep_reasoning", For: domain.Millis(keep.Reasoning.Milliseconds())},
		{Topic: domain.TopicSpine, Setting: "keep_reasoning", For: domain.Millis(keep.Reasoning.Milliseconds())},
	}
	for _, t := range domain.TopicsKeptForEver() {
		if t != domain.TopicSpine {
			out = append(out, api.RetentionTopic{Topic: t, Reason: domain.KeptForEver(t)})
		}
	}
	return out
}

// went adds to the refusal of what isn't in the log that it may have gone, and why.
func (x *exchange) went(refused error) error {
	if !slices.Contains([]domain.Code{"no_envelope", "no_trace", "unknown_envelope", domain.CodeRetired}, domain.CodeOf(refused)) {
		return refused
	}
	return x.wentWith(refused, x.params.ByName("id"))
}

// wentWith is went of what a text names.
func (x *exchange) wentWith(refused error, text string) error {
	e, ok := errors.AsType[*domain.Error](refused)
	if !ok || e.Category != domain.NotFound {
		return refused
	}
	var id domain.ID
	var pos domain.Position
	if digits, ok := strings.CutPrefix(text, "pos:"); ok {
		n, err := strconv.ParseUint(digits, 10, 64)
		if err != nil {
			return refused
		}
		pos = domain.Position(n)
	} else if known, err := domain.ParseID(text); err == nil {
		id = known
	} else {
		return refused
	}
	records, spans, err := retain.Spans(x.r.Context(), x.api.cfg.Log)
	if err != nil {
		return refused
	}
	held := retain.Holding(spans, pos, id)
	if len(held) == 0 {
		return refused
	}
	last := held[len(held)-1]
	said := *e
	said.Message = narrate.WentFrom(spans[last], records[last].RecordedAt, pos) + "; otherwise " + e.Message
	if pos > 0 {
		said.Message = narrate.WentFrom(spans[last], records[last].RecordedAt, pos)
	}
	return &said
}
