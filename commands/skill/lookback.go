package skill

import (
	"context"
	"time"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language/speech"
)

// Bounds of how far the log is read back for signals.
const (
	lookBackDays = 30
	maxLookBack  = 5_000 // signals

	firstWindow = 4_096 // positions of the log
	windowPage  = 64    // records
)

// lookedBack says how far signals were read back.
type lookedBack struct {
	bounded bool          // there were more than are read
	oldest  domain.Millis // when the oldest of those was heard
}

// says tells it, when there were more than are read.
func (b lookedBack) says(call tool.SkillCall) []speech.Message {
	if !b.bounded {
		return nil
	}
	return []speech.Message{say("heard.bounded", args{"n": speech.Count(maxLookBack), "to": moment(b.oldest, call)})}
}

// lookBack calls fn for the signals of the last thirty days before a moment, the latest five
// thousand of them at most, in no order. They are read by the log's index in windows of
// positions, from the end on, each twice as large as the one behind it: so a log of other records
// costs a few reads, and one of many signals no more than are told of. What was erased says
// nothing any more.
func (s *skills) lookBack(ctx context.Context, before domain.Millis, fn func(signal)) (lookedBack, error) {
	if err := s.caughtUp(ctx); err != nil {
		return lookedBack{}, err
	}
	end, err := s.cfg.Reader.Since(ctx, before)
	if err != nil {
		return lookedBack{}, err
	}
	floor, err := s.cfg.Reader.Since(ctx, before.Add(-lookBackDays*24*time.Hour))
	if err != nil {
		return lookedBack{}, err
	}
	floor = max(floor, 1)
	left, size := maxLookBack, domain.Position(firstWindow)
	out := lookedBack{oldest: before}
	for end > floor && left > 0 {
		from := floor
		if end-floor > size {
			from = end - size
		}
		found, fits, err := s.window(ctx, from, end, left)
		if err != nil {
			return lookedBack{}, err
		}
		if !fits { // so many of them are too many: a window of as many positions can't be
			size = domain.Position(left)
			continue
		}
		for _, one := range found {
			out.oldest = min(out.oldest, one.at)
			fn(one)
		}
		left -= len(found)
		end, size = from, size*2
	}
	out.bounded = left == 0 && end > floor
	return out, nil
}

// window are the signals between two positions; fits is false when there are more than most.
func (s *skills) window(ctx context.Context, from, end domain.Position, most int) (found []signal, fits bool, err error) {
	for from < end {
		records, err := s.cfg.Reader.Select(ctx, domain.Selector{Topic: domain.TopicSignals}, from, windowPage)
		if err != nil {
			return nil, false, err
		}
		for _, rec := range records {
			if from = rec.Position + 1; rec.Position >= end {
				return found, true, nil
			}
			if rec.Envelope.Type != domain.SignalReceivedType {
				continue
			}
			if len(found) == most {
				return nil, false, nil
			}
			heard, err := domain.Decode[domain.SignalReceived](rec.Envelope)
			if domain.CodeOf(err) == domain.CodeErased {
				continue
			}
			if err != nil {
				return nil, false, err
			}
			found = append(found, signal{heard, rec.Envelope.ID, rec.RecordedAt})
		}
		if len(records) < windowPage {
			break
		}
	}
	return found, true, nil
}
