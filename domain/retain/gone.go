package retain

import (
	"cmp"
	"context"

	"chalie/domain"
)

// Spans are the records that say what went, the earliest first. One that was erased, or that this build can't
// read, is left out: then nobody knows what it said.
func Spans(ctx context.Context, log domain.Selecter) ([]domain.Record, []domain.SpanRetired, error) {
	var records []domain.Record
	var spans []domain.SpanRetired
	_, err := domain.Look(ctx, log, domain.Selector{Key: domain.RetiredKey}, 1, mostSpans, func(rec domain.Record) {
		if span, err := domain.Decode[domain.SpanRetired](rec.Envelope); err == nil {
			records, spans = append(records, rec), append(spans, span)
		}
	})
	return records, spans, err
}

// Last is the last record that says what went; 0 where nothing did.
func Last(ctx context.Context, log domain.Selecter) (last domain.Position, err error) {
	_, err = domain.Look(ctx, log, domain.Selector{Key: domain.RetiredKey}, 1, mostSpans, func(rec domain.Record) { last = rec.Position })
	return last, err
}

// mostSpans bounds those that are read: one a day for 27 years.
const mostSpans = 10_000

// Cited reports whether what was recorded behind a position refers to something that is to go:
// then it stays.
func Cited(ctx context.Context, log domain.Reader, went domain.Runs, after domain.Position) (cited bool, err error) {
	var ids []domain.ID
	var failed error
	_, err = domain.Look(ctx, log, domain.Selector{}, after+1, int(^uint32(0)>>1), func(rec domain.Record) {
		ids = Mentioned(append(ids[:0], rec.Envelope.Parent), rec.Envelope.Payload.Bytes)
		for _, id := range ids {
			if cited || failed != nil || id.IsZero() {
				continue
			}
			found, err := log.Find(ctx, id)
			if err != nil {
				if domain.CategoryOf(err) != domain.NotFound {
					failed = err
				}
				continue
			}
			_, cited = went.Covering(found.Position)
		}
	})
	return cited, cmp.Or(err, failed)
}

// Lacking are the spans that a look back to a position lacks: something went that stood there or
// before, and the folds are the same without it only from a later position on.
func Lacking(spans []domain.SpanRetired, pos domain.Position) (out []domain.SpanRetired) {
	for _, s := range spans {
		runs, err := s.Positions()
		if err == nil && len(runs) > 0 && runs[0].From <= pos && s.Through > pos {
			out = append(out, s)
		}
	}
	return out
}

// Holding are the spans that a position was in, or, where only an id is known, those from about the time that it
// was made at.
func Holding(spans []domain.SpanRetired, pos domain.Position, id domain.ID) (out []int) {
	const about = domain.Millis(24 * 60 * 60 * 1000)
	for i, s := range spans {
		runs, err := s.Positions()
		if err != nil {
			continue
		}
		_, held := runs.Covering(pos)
		if held || pos == 0 && id.Millis() >= s.Oldest-about && id.Millis() <= s.Newest+about {
			out = append(out, i)
		}
	}
	return out
}
