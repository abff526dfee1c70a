package httpapi

import (
	"fmt"

	"chalie/domain"
)

func (x *exchange) logQuery() (logQuery, error) {
	var q logQuery
	in, err := x.query()
	if err != nil {
		return q, err
	}
	counts := map[string]uint64{}
	for _, name := range []string{"from", "before", "limit", "look"} {
		if counts[name], err = in.count(name); err != nil {
			return q, err
		}
	}
	q.from, q.before = max(1, domain.Position(counts["from"])), domain.Position(counts["before"])
	q.limit, q.look = int(counts["limit"]), int(counts["look"])
	trace, err := in.id("trace")
	if err != nil {
		return q, err
	}
	q.topic, q.eventType, q.senders = domain.Topic(in.values.Get("topic")), domain.EventType(in.values.Get("type")), x.api.senders(in.values.Get("source"))
	q.selector = selectorOf(q.topic, q.eventType, trace)
	of, err := in.id("interface")
	if err != nil {
		return q, err
	}
	if !of.IsZero() {
		if !trace.IsZero() {
			return q, domain.Invalid("read query", "interface", "give a trace or an interface, not both")
		}
		q.selector = domain.Selector{Key: domain.InterfaceKey(of)}
	}
	if q.wait, err = in.span("wait", x.api.cfg.MaxWait); err != nil {
		return q, err
	}
	if q.gists, err = in.flag("gist"); err != nil {
		return q, err
	}
	if err := q.order(in.values.Get("order")); err != nil {
		return q, err
	}
	return q, x.period(in, &q)
}

func (q *logQuery) order(text string) error {
	switch {
	case text != "" && text != "oldest" && text != "newest":
		return domain.Invalid("read query", "order", fmt.Sprintf("order is %q: give oldest or newest, which is what comes first", clip(text)))
	case text == "newest" && q.wait > 0:
		return domain.Invalid("read query", "wait", "what is waited for comes the oldest first: leave out wait, or order=newest")
	}
	q.newest = text == "newest"
	return nil
}

// period bounds the positions by when records were recorded.
func (x *exchange) period(in query, q *logQuery) error {
	if in.values.Get("since") != "" {
		since, err := in.moment("since", ago)
		if err != nil {
			return err
		}
		first, err := x.api.cfg.Log.Since(x.r.Context(), since)
		if err != nil {
			return err
		}
		q.from = max(q.from, first)
	}
	if in.values.Get("until") == "" {
		return nil
	}
	until, err := in.moment("until", ago)
	if err != nil {
		return err
	}
	tail := x.api.cfg.Log.Tail()
	end, err := x.api.cfg.Log.Since(x.r.Context(), until)
	if err != nil {
		return err
	}
	// What is still to come may be recorded before then, too.
	if end <= tail && (q.before == 0 || end < q.before) {
		q.before = end
	}
	return nil
}

// selectorOf picks the narrowest index. A type that is in the catalogue lives in
// its topic's; any other may stand anywhere.
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

// whole is how many records are read at once to find those that match: a few more
// than are wanted, where most may not match.
func (q logQuery) whole() int {
	if q.eventType == "" && q.senders == nil {
		return q.limit
	}
	return max(q.limit, 256)
}
