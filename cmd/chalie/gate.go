package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"chalie/domain"
	"chalie/projections"
)

// sealedLog is the log as the decode gate reads it.
type sealedLog interface {
	domain.Reader
	domain.Counter
	domain.Tailer
}

// passGate proves that this build can read every record of the log, before anything is
// folded or written. The error names the unreadable types, and the build that wrote last,
// which can read them.
func passGate(ctx context.Context, log sealedLog) error {
	counts, err := log.Counts(ctx)
	if err != nil {
		return err
	}
	refusal, refused := errors.AsType[*domain.Error](domain.Events().Gate(counts))
	if !refused {
		return nil
	}
	told := *refusal
	told.Message += ". " + lastWriter(ctx, log)
	return &told
}

// lastWriter names the build that wrote last. It can read all records: the later ones are
// its own, and it passed this gate for the earlier ones.
func lastWriter(ctx context.Context, log sealedLog) string {
	rec, found := lastStart(ctx, log)
	if !found {
		return "Which build wrote last isn't known"
	}
	// Its payload may be of a version that this build doesn't know; these members
	// are there in every one.
	var by struct{ Version, Revision string }
	if json.Unmarshal(rec.Envelope.Payload.Bytes, &by) != nil || by.Version == "" {
		return "Which build wrote last can't be read"
	}
	name := by.Version
	if by.Revision != "" {
		name += " (" + by.Revision + ")"
	}
	at := time.UnixMilli(int64(rec.RecordedAt)).UTC().Format(time.DateOnly)
	return oneLine(fmt.Sprintf("Chalie %s wrote to it last; it started on %s", name, at))
}

// lastStart finds the last system.started, reading back from the tail in steps
// that grow: it usually stands near the end.
func lastStart(ctx context.Context, log projections.Feed) (found domain.Record, ok bool) {
	end := log.Tail() + 1
	for step := domain.Position(1 << 12); end > 1; step *= 8 {
		from := end - min(step, end-1)
		for next := from; next < end; {
			records, err := log.Select(ctx, domain.Selector{Topic: domain.TopicSystem}, next, 256)
			if err != nil {
				return domain.Record{}, false
			}
			for _, rec := range records {
				if rec.Envelope.Type == domain.SystemStartedType && rec.Position < end {
					found, ok = rec, true
				}
			}
			if len(records) < 256 {
				break
			}
			next = records[len(records)-1].Position + 1
		}
		if ok {
			return found, true
		}
		end = from
	}
	return domain.Record{}, false
}
