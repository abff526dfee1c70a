package replay

import (
	"context"

	"chalie/domain"
)

// Labels of envelopes that the log doesn't hold.
const (
	absentLabel  = "(not in this log)"
	droppedLabel = "(no longer kept)"
)

func isAbsent(label string) bool { return label == absentLabel || label == droppedLabel }

// absence is what is known of envelopes that the log doesn't hold.
type absence struct {
	first   *domain.Record // that the log holds; nil until it was asked
	dropped map[domain.ID]bool
}

// lookFor finds out whether an envelope that the log doesn't hold was once in it: a log
// from which the oldest records were dropped begins at a later position than the first,
// and what came before its beginning went with them. Anything else was never there.
func (w *walk) lookFor(ctx context.Context, id domain.ID) error {
	if w.absent.first == nil {
		found, err := w.log.Select(ctx, domain.Selector{}, 1, 1)
		if err != nil {
			return err
		}
		w.absent.first = &domain.Record{}
		if len(found) > 0 {
			w.absent.first = &found[0]
		}
		w.absent.dropped = map[domain.ID]bool{}
	}
	first := w.absent.first
	w.absent.dropped[id] = first.Position > 1 && id.Millis() < first.RecordedAt
	return nil
}

// absentLabelOf stands for an envelope that was looked for.
func (w *walk) absentLabelOf(id domain.ID) string {
	if w.absent.dropped[id] {
		return droppedLabel
	}
	return absentLabel
}

// somethingAbsent is an envelope that was looked for, in a sentence.
func (w *walk) somethingAbsent(id domain.ID) string {
	if w.absent.dropped[id] {
		return "something that is no longer kept"
	}
	return "something that is not in this log"
}
