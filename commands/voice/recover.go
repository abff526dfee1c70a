package voice

import (
	"context"
	"time"

	"chalie/domain"
)

// How far back Recover looks for what a killed process left open.
const (
	openFor  = time.Hour
	openMost = 10_000
)

// Recover ends what an earlier process began and had no time to end: clients wait for that.
// Call it once, before anything is heard or spoken. Errors are the log's.
func (v *Voices) Recover(ctx context.Context) error {
	from, err := v.cfg.Reader.Since(ctx, v.cfg.Now().Add(-openFor))
	if err != nil {
		return err
	}
	records, err := v.cfg.Reader.Select(ctx, domain.Selector{Topic: domain.TopicVoice}, from, openMost)
	if err != nil {
		return err
	}
	ended := map[domain.ID]bool{}
	for _, rec := range records {
		if t := rec.Envelope.Type; t != domain.AudioForgottenType {
			ended[rec.Envelope.Parent] = true
		}
	}
	for _, rec := range records {
		if e := rec.Envelope; !ended[e.ID] {
			if err := v.interrupted(ctx, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// interrupted appends the end of what has none. What is no start, or can't be read, has none.
func (v *Voices) interrupted(ctx context.Context, e domain.Envelope) error {
	const code, reason = domain.Code("interrupted"), "Chalie ended before it was done: send it again"
	elapsed := max(0, v.cfg.Now().Sub(e.Timestamp).Milliseconds())
	id, now := v.cfg.IDs.NewID(), v.cfg.Now()
	switch e.Type {
	case domain.STTStartedType:
		if p, err := domain.Decode[domain.STTStarted](e); err == nil {
			end, err := domain.New(domain.Continue(e), id, now, e.Source, domain.STTFailed{SessionID: p.SessionID, ProjectID: p.ProjectID, Code: code, Reason: reason, ElapsedMS: elapsed})
			return v.recorded(ctx, end, err)
		}
	case domain.TTSStartedType:
		if p, err := domain.Decode[domain.TTSStarted](e); err == nil {
			end, err := domain.New(domain.Continue(e), id, now, e.Source, domain.TTSFailed{SessionID: p.SessionID, ProjectID: p.ProjectID, Voice: p.Voice, Code: code, Reason: reason, ElapsedMS: elapsed})
			end.Envelope.Keys = e.Keys
			return v.recorded(ctx, end, err)
		}
	}
	return nil
}
