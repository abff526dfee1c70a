package voice

import (
	"context"
	"fmt"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// Recording is audio that came in.
type Recording struct {
	Session, Project string
	Content          []byte
}

// Transcript is what was heard, with the id of its recording.
type Transcript struct {
	ID domain.ID // the stt_id
	domain.STTCompleted
}

const opHear = "hear"

// Transcribe hears a recording. What is no audio, is too much of it, or comes when no engine
// is there or all are busy is refused, and nothing is recorded. After that the recording is
// kept, and what comes of it is recorded, whatever it is.
//
// Errors: validation (CodeUnsupportedMedia and CodeTooLarge included), dependency (CodeNoEngine,
// CodeBusy, CodeEngineFailed, CodeEngineSlow), and what Recordings and domain.Appender return.
func (v *Voices) Transcribe(ctx context.Context, c commands.Caller, r Recording) (Transcript, error) {
	started := domain.STTStarted{SessionID: r.Session, ProjectID: r.Project, Bytes: int64(len(r.Content))}
	if err := started.Check(); err != nil {
		return Transcript{}, err
	}
	if err := v.judge(r, &started); err != nil {
		return Transcript{}, err
	}
	leave, err := v.hearing.enter(opHear)
	if err != nil {
		return Transcript{}, err
	}
	defer leave()
	if started.Hash, err = v.cfg.Recordings.Put(ctx, r.Content); err != nil {
		return Transcript{}, err
	}
	id := v.cfg.IDs.NewID()
	began := v.cfg.Now()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, c.Principal), id, began, c.Source, started)
	if err != nil {
		return Transcript{}, err
	}
	if _, err := v.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		return Transcript{}, err
	}
	done, err := v.heard(ctx, c, r, started.MediaType)
	if err != nil {
		code, reason := failure(ctx, err)
		end, endErr := domain.New(domain.Continue(entry.Envelope), v.cfg.IDs.NewID(), v.cfg.Now(), c.Source, domain.STTFailed{
			SessionID: r.Session, ProjectID: r.Project, Code: code, Reason: reason, ElapsedMS: v.since(began)})
		if endErr := v.recorded(ctx, end, endErr); endErr != nil {
			return Transcript{}, endErr
		}
		return Transcript{}, err
	}
	done.ElapsedMS = v.since(began)
	end, err := domain.New(domain.Continue(entry.Envelope), v.cfg.IDs.NewID(), v.cfg.Now(), c.Source, done)
	end.Envelope.Keys = []domain.Key{domain.VoiceKey(c.Principal, r.Session)}
	return Transcript{id, done}, v.recorded(ctx, end, err)
}

func (v *Voices) since(began domain.Millis) int64 {
	return max(0, v.cfg.Now().Sub(began).Milliseconds())
}

// judge looks at a recording as far as no engine is needed.
func (v *Voices) judge(r Recording, started *domain.STTStarted) (err error) {
	if started.MediaType, err = mediaOf(r.Content); err != nil {
		return err
	}
	if started.MediaType == mediaWAV {
		if _, _, err := judgedWAV(r.Content); err != nil {
			return err
		}
	} else if d := v.cfg.Decoder; d == nil || d.Engine().Missing != "" {
		_, _, decoders := v.Engines()
		return noEngine(opHear, "read WebM; send a WAV instead", decoders)
	}
	if len(v.hearers()) == 0 {
		_, hearers, _ := v.Engines()
		return noEngine(opHear, "hear", hearers)
	}
	return nil
}

// hearers are those that can be used.
func (v *Voices) hearers() (out []Hearer) {
	for _, h := range v.cfg.Hearers {
		if h.Engine().Missing == "" {
			out = append(out, h)
		}
	}
	return out
}

// heard has engines decode and hear a recording.
func (v *Voices) heard(ctx context.Context, c commands.Caller, r Recording, media string) (domain.STTCompleted, error) {
	free, err := v.hearing.turn(ctx, opHear)
	if err != nil {
		return domain.STTCompleted{}, err
	}
	defer free()
	sound, err := v.decoded(ctx, r.Content, media)
	if err != nil {
		return domain.STTCompleted{}, err
	}
	known := v.cfg.Knowledge.Vocabulary(ctx, c.ReadsMind())
	var failed error
	for _, h := range v.hearers() {
		heard, err := v.oneHears(ctx, h, sound, known)
		if err != nil {
			failed = err
			if ctx.Err() != nil {
				break
			}
			continue
		}
		if heard.Segments == nil {
			heard.Segments = []domain.VoiceSpan{}
		}
		return domain.STTCompleted{SessionID: r.Session, ProjectID: r.Project, Text: heard.Text, Language: heard.Language, Segments: heard.Segments,
			Confidence: heard.Confidence, Repeat: heard.Text == "" || heard.Confidence < v.cfg.Confident,
			Engine: h.Engine().Name, AudioMS: sound.Millis()}, nil
	}
	return domain.STTCompleted{}, failed
}

func (v *Voices) oneHears(ctx context.Context, h Hearer, s Sound, known Vocabulary) (Heard, error) {
	ctx, cancel := context.WithTimeout(ctx, v.cfg.Patience)
	defer cancel()
	return h.Hear(ctx, s, known)
}

// decoded reads a second more than is allowed, to tell what is too long from what just fits.
func (v *Voices) decoded(ctx context.Context, content []byte, media string) (Sound, error) {
	if media == mediaWAV {
		return ReadWAV(content)
	}
	ctx, cancel := context.WithTimeout(ctx, v.cfg.Patience)
	defer cancel()
	sound, err := v.cfg.Decoder.Decode(ctx, content, domain.MaxAudioMillis*time.Millisecond+time.Second)
	if err != nil {
		return Sound{}, err
	}
	if len(sound.PCM) == 0 {
		return Sound{}, domain.Invalid(opHear, "audio", "there is no sound in the audio: record it again")
	}
	return sound, domain.CheckAudioLength(sound.Millis())
}

// Audio is a recording as it came, and its media type. Errors: not found, CodeNoRecording and
// CodeForgotten; and what Recordings returns.
func (v *Voices) Audio(ctx context.Context, id domain.ID) (content []byte, mediaType string, err error) {
	started, _, err := v.recording(ctx, id)
	if err != nil {
		return nil, "", err
	}
	content, err = v.cfg.Recordings.Get(ctx, started.Hash)
	if domain.CategoryOf(err) == domain.NotFound {
		return nil, "", &domain.Error{Op: "open audio", Category: domain.NotFound, Code: CodeForgotten, Field: "id", Err: err,
			Message: fmt.Sprintf("the audio of %s was forgotten or is lost: what was heard in it is still in the log", id.UUID())}
	}
	return content, started.MediaType, err
}

// Forget removes a recording, and records that; what was heard in it stays in the log. The
// same recording sent at another time goes with it. Forgetting again does nothing more.
// Errors: not found, CodeNoRecording; and what Recordings and domain.Appender return.
func (v *Voices) Forget(ctx context.Context, c commands.Caller, id domain.ID) error {
	started, rec, err := v.recording(ctx, id)
	if err != nil {
		return err
	}
	_, err = v.cfg.Recordings.Get(ctx, started.Hash)
	if domain.CategoryOf(err) == domain.NotFound {
		return nil
	}
	// The file goes first: a record of what is still there would be a promise broken.
	if err := v.cfg.Recordings.Remove(ctx, started.Hash); err != nil {
		return err
	}
	forgotten := v.cfg.IDs.NewID()
	lineage := domain.Begin(domain.TraceID{ID: forgotten}, c.Principal)
	lineage.Parent = rec.ID
	entry, err := domain.New(lineage, forgotten, v.cfg.Now(), c.Source, domain.AudioForgotten{STTID: id})
	return v.recorded(ctx, entry, err)
}

func (v *Voices) recording(ctx context.Context, id domain.ID) (domain.STTStarted, domain.Envelope, error) {
	rec, err := v.cfg.Reader.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound || err == nil && rec.Envelope.Type != domain.STTStartedType {
		return domain.STTStarted{}, domain.Envelope{}, &domain.Error{Op: "find audio", Category: domain.NotFound, Code: CodeNoRecording, Field: "id",
			Message: fmt.Sprintf("no recording %s came in: use the stt_id that POST /api/voice/stt answered", id.UUID())}
	}
	if err != nil {
		return domain.STTStarted{}, domain.Envelope{}, err
	}
	started, err := domain.Decode[domain.STTStarted](rec.Envelope)
	return started, rec.Envelope, err
}
