package domaintest

import (
	"fmt"

	"chalie/domain"
)

// SampleType is the stored name under which NewEntry makes envelopes.
const SampleType domain.EventType = "sample.recorded"

// NewEntry makes an entry that passes Check, in a trace of its own. No two have
// the same payload. Change what matters to the test before appending it.
func NewEntry(ids domain.IDs, topic domain.Topic) domain.Entry {
	id := ids.NewID()
	return domain.Entry{Topic: topic, Envelope: domain.Envelope{
		ID: id, Trace: domain.TraceID{ID: ids.NewID()}, Timestamp: id.Millis(),
		Kind: domain.KindEvent, Source: "sampler", Principal: domain.PrincipalCore,
		Type: SampleType, Version: 1, Payload: domain.JSONPayload(fmt.Appendf(nil, `{"id":%q}`, id)),
	}}
}

// NewEntries makes n entries in one trace, each the child of the one before.
func NewEntries(ids domain.IDs, topic domain.Topic, n int) []domain.Entry {
	entries := make([]domain.Entry, n)
	for i := range entries {
		entries[i] = NewEntry(ids, topic)
		if i > 0 {
			entries[i].Envelope.Trace = entries[0].Envelope.Trace
			entries[i].Envelope.Parent = entries[i-1].Envelope.ID
		}
	}
	return entries
}
