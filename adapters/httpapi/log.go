package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/domain"
)

// logQuery is a filter of records.
type logQuery struct {
	selector  domain.Selector
	topic     domain.Topic     // "" for any
	eventType domain.EventType // "" for any
	senders   senders          // nil for any
	from      domain.Position
	before    domain.Position // only positions before it; 0 for no bound
	newest    bool            // the newest first
	limit     int
	look      int // bound of the records read; 0 for none
	wait      time.Duration
	gists     bool // add each record's gist
}

// answerPage answers with a page of a log that ended at a position.
func (x *exchange) answerPage(q logQuery, p page, tail domain.Position) error {
	held, err := x.held()
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.LogPage{Records: entries(p.records, q.gists), Next: p.next, Tail: tail, Held: held, Cut: p.cut})
}

// held is how many records the log holds.
func (x *exchange) held() (held uint64, err error) {
	counts, err := x.api.cfg.Counts.Counts(x.r.Context())
	for _, n := range counts {
		held += n
	}
	return held, err
}

func logHandlers() handlers {
	return handlers{"log": (*exchange).log, "entry": (*exchange).entry, "export": (*exchange).export, "verify": (*exchange).verify}
}

// log is GET /api/log?from=&before=&order=&limit=&look=&topic=&type=&source=&trace=&interface=&since=&until=&wait=&gist=.
// With wait it answers as soon as there is a match, or when the time is up.
func (x *exchange) log() error {
	q, err := x.logQuery()
	if err != nil {
		return err
	}
	tail := x.api.cfg.Log.Tail()
	if q.newest {
		found, err := newest(x.r.Context(), x.api.cfg.Log, q)
		if err != nil {
			return err
		}
		return x.answerPage(q, found, tail)
	}
	ctx, cancel := context.WithTimeout(x.r.Context(), q.wait)
	defer cancel()
	for {
		tail = x.api.cfg.Log.Tail()
		found, err := x.api.matching(x.r.Context(), q)
		if err != nil {
			return err
		}
		if len(found.records) > 0 || q.wait == 0 {
			return x.answerPage(q, found, tail)
		}
		if _, err := x.api.cfg.Log.Wait(ctx, found.next-1); err != nil {
			if ctx.Err() == nil {
				return err
			}
			return x.answerPage(q, found, tail)
		}
		q.from = found.next
	}
}

// entry is GET /api/log/:id?gist=: one record, by the id of its envelope or by its
// position.
func (x *exchange) entry() error {
	q := x.query()
	gists := q.flag("gist")
	if q.err != nil {
		return q.err
	}
	rec, err := x.recordNamed(x.params.ByName("id"))
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, entries([]domain.Record{rec}, gists)[0])
}

func (x *exchange) recordNamed(text string) (domain.Record, error) {
	const op = "show envelope"
	if digits, ok := strings.CutPrefix(text, "pos:"); ok {
		pos, err := strconv.ParseUint(digits, 10, 63)
		if err != nil || pos == 0 {
			return domain.Record{}, domain.Invalid(op, "id", fmt.Sprintf("id is %q: a position is a whole number from 1, such as pos:1234", clip(text)))
		}
		found, err := x.api.cfg.Log.Select(x.r.Context(), domain.Selector{}, domain.Position(pos), 1)
		switch {
		case err != nil:
			return domain.Record{}, err
		case len(found) == 0 || found[0].Position != domain.Position(pos):
			return domain.Record{}, &domain.Error{Op: op, Category: domain.NotFound, Code: "no_envelope", Field: "id",
				Message: fmt.Sprintf("there is nothing at position %d: the log ends at %d", pos, x.api.cfg.Log.Tail())}
		}
		return found[0], nil
	}
	id, err := parseID("id", text)
	if err != nil {
		return domain.Record{}, err
	}
	rec, err := x.api.cfg.Log.Find(x.r.Context(), id)
	if domain.CategoryOf(err) == domain.NotFound {
		return domain.Record{}, &domain.Error{Op: op, Category: domain.NotFound, Code: "no_envelope", Field: "id", Err: err,
			Message: fmt.Sprintf("there is no envelope %s in the log", id)}
	}
	return rec, err
}

func (x *exchange) logQuery() (logQuery, error) {
	in := x.query()
	q := logQuery{from: max(1, domain.Position(in.count("from"))), before: domain.Position(in.count("before")), limit: int(in.count("limit")), look: int(in.count("look"))}
	trace, of := in.id("trace"), in.id("interface")
	q.topic, q.eventType, q.senders = domain.Topic(in.values.Get("topic")), domain.EventType(in.values.Get("type")), x.api.senders(in.values.Get("source"))
	q.selector = selectorOf(q.topic, q.eventType, trace)
	if !of.IsZero() {
		if !trace.IsZero() {
			in.refuse("interface", "give a trace or an interface, not both")
		}
		q.selector = domain.Selector{Key: domain.InterfaceKey(of)}
	}
	q.wait, q.gists = in.span("wait", x.api.cfg.MaxWait), in.flag("gist")
	q.order(in)
	if in.err != nil {
		return q, in.err
	}
	return q, x.period(in, &q)
}

func (q *logQuery) order(in *query) {
	text := in.values.Get("order")
	switch {
	case text != "" && text != "oldest" && text != "newest":
		in.refuse("order", fmt.Sprintf("order is %q: give oldest or newest, which is what comes first", clip(text)))
	case text == "newest" && q.wait > 0:
		in.refuse("wait", "what is waited for comes the oldest first: leave out wait, or order=newest")
	}
	q.newest = text == "newest"
}

// period bounds the positions by the times of recording.
func (x *exchange) period(in *query, q *logQuery) error {
	since, until := in.moment("since", ago), in.moment("until", ago)
	if in.err != nil {
		return in.err
	}
	if in.values.Get("since") != "" {
		first, err := x.api.cfg.Log.Since(x.r.Context(), since)
		if err != nil {
			return err
		}
		q.from = max(q.from, first)
	}
	if in.values.Get("until") == "" {
		return nil
	}
	tail := x.api.cfg.Log.Tail()
	end, err := x.api.cfg.Log.Since(x.r.Context(), until)
	if err != nil {
		return err
	}
	// Future records may be recorded before until, too.
	if end <= tail && (q.before == 0 || end < q.before) {
		q.before = end
	}
	return nil
}

// selectorOf picks the narrowest index. A type of the catalogue is found by its topic;
// any other may be in every topic.
func selectorOf(topic domain.Topic, eventType domain.EventType, trace domain.ID) domain.Selector {
	switch {
	case !trace.IsZero():
		return domain.Selector{Trace: domain.TraceID{ID: trace}}
	case topic != "":
		return domain.Selector{Topic: topic}
	}
	if d, ok := domain.Events().Lookup(eventType); ok && eventType != domain.ForeignMessageType {
		return domain.Selector{Topic: d.Topic}
	}
	return domain.Selector{}
}

func (q logQuery) matches(rec domain.Record) bool {
	return (q.topic == "" || q.topic == domain.TopicAll || rec.Topic == q.topic) &&
		(q.eventType == "" || rec.Envelope.Type == q.eventType) &&
		q.senders.sent(rec.Envelope.Source, rec.Envelope.Principal)
}

// batchSize is how many records are read at once to find matches: more than the limit when
// the filter may reject many.
func (q logQuery) batchSize() int {
	if q.eventType == "" && q.senders == nil {
		return q.limit
	}
	return max(q.limit, 256)
}

// page is some records and the position of the next page. cut says that it has fewer than
// limit because they are large.
type page struct {
	records []domain.Record
	next    domain.Position
	cut     bool
	size    int
}

// add appends a record, and reports whether the page is full.
func (p *page) add(rec domain.Record) (full bool) {
	p.records = append(p.records, rec)
	p.size += rec.Size()
	return p.size >= domain.PageBytes
}

// ends is the page where the next one begins at a position.
func (p page) ends(next domain.Position, cut bool) page {
	p.next, p.cut = next, cut
	return p
}

// matching reads up to limit records that pass every filter.
func (a *API) matching(ctx context.Context, q logQuery) (page, error) {
	out := page{records: make([]domain.Record, 0, min(q.limit, 128))}
	for looked := 0; ; {
		// The tail is read before the select: records up to it that the select didn't
		// return don't match, and need not be read again.
		tail := a.cfg.Log.Tail()
		records, cut, err := domain.SelectWithin(ctx, a.cfg.Log, q.selector, q.from, q.batchSize(), domain.PageBytes)
		if err != nil {
			return page{}, err
		}
		for _, rec := range records {
			if q.before > 0 && rec.Position >= q.before {
				return out.ends(max(q.from, q.before), false), nil
			}
			q.from = rec.Position + 1
			full := q.matches(rec) && out.add(rec)
			if looked++; len(out.records) == q.limit || looked == q.look {
				return out.ends(q.from, false), nil
			}
			if full {
				return out.ends(q.from, true), nil
			}
		}
		if !cut && len(records) < q.batchSize() {
			end := tail + 1
			if q.before > 0 {
				end = min(end, q.before)
			}
			return out.ends(max(q.from, end), false), nil
		}
	}
}

// stretch is how many positions are read back at once, and windowful how many of
// them may match an index. A stretch of a rare topic, or from which records went, grows
// fourfold each time that little is found in it.
const (
	stretch   = 512
	windowful = 512
)

// newest reads up to limit records that pass every filter, the newest first. Next is
// what to give as before to go on: 0 at the beginning.
//
// The log is read forward, so it is searched in stretches from the end. They grow, so
// even a rare match is found in a few of them.
func newest(ctx context.Context, log Log, q logQuery) (page, error) {
	out := page{records: make([]domain.Record, 0, min(q.limit, 128))}
	end := log.Tail() + 1
	if q.before > 0 {
		end = min(end, q.before)
	}
	looked := 0
	for width := domain.Position(stretch); end > q.from; {
		begin := q.from
		if end-q.from > width {
			begin = end - width
		}
		records, cut, err := domain.SelectWithin(ctx, log, q.selector, begin, windowful, domain.PageBytes)
		if err != nil {
			return page{}, err
		}
		// The stretch may have more matches than were read.
		if n := len(records); n > 0 && records[n-1].Position < end-1 {
			switch {
			case cut:
				width = max(min(width, end-begin)/4, 1)
				continue
			case n == windowful:
				width = max(width/4, windowful)
				continue
			}
		}
		records = through(records, end)
		for _, rec := range slices.Backward(records) {
			full := q.matches(rec) && out.add(rec)
			if looked++; len(out.records) == q.limit || looked == q.look {
				return out.ends(onwards(rec.Position, q.from), false), nil
			}
			if next := onwards(rec.Position, q.from); full && next > 0 {
				return out.ends(next, true), nil
			}
		}
		end = begin
		if width < stretch {
			width = min(2*width, stretch) // it was narrow for large records
		} else if len(records) < windowful/4 {
			width *= 4
		}
	}
	return out, nil
}

// through drops the records at end or later.
func through(records []domain.Record, end domain.Position) []domain.Record {
	for len(records) > 0 && records[len(records)-1].Position >= end {
		records = records[:len(records)-1]
	}
	return records
}

// onwards is the position for the next page backwards: 0 when nothing is left.
func onwards(pos, first domain.Position) domain.Position {
	if pos <= first {
		return 0
	}
	return pos
}
