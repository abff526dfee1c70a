package voice

import (
	"cmp"
	"context"
	"strings"
	"sync"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/language/tongues"
)

// Text is what is to be spoken.
type Text struct {
	Session, Project string
	Text             string
	Voice            string     // "" for the usual one
	Speed            domain.PPM // 0 for 1
}

// Part is the sound of one sentence.
type Part struct {
	Sound
	Index, Of int
}

const opSpeak = "speak"

// Speak speaks a text, without the marks of its Markdown, a sentence at a time, and hands each over before it makes the next. All
// parts have the same rate. What can't be spoken is refused, and nothing is recorded; after
// that a start and an end are. An error of deliver ends it, and is returned.
//
// Errors: validation (domain.CodeTextTooLong included), dependency (CodeNoEngine, CodeBusy,
// CodeEngineFailed, CodeEngineSlow), and what domain.Appender returns.
func (v *Voices) Speak(ctx context.Context, c commands.Caller, t Text, deliver func(Part) error) error {
	voice, err := voiceNamed(t.Voice)
	if err != nil {
		return err
	}
	if t.Speed == 0 {
		t.Speed = domain.One
	}
	aloud := tongues.Aloud(t.Text)
	sentences := tongues.Sentences(aloud)
	started := domain.TTSStarted{SessionID: t.Session, ProjectID: t.Project, Text: t.Text, Voice: voice.Name, Speed: t.Speed,
		Language: tongues.Language(aloud), Sentences: len(sentences)}
	if err := started.Check(); err != nil {
		return err
	}
	speakers := v.speakers(started.Language, aloud)
	if len(speakers) == 0 {
		all, _, _ := v.Engines()
		return noEngine(opSpeak, "speak the language "+started.Language, all)
	}
	leave, err := v.speaking.enter(opSpeak)
	if err != nil {
		return err
	}
	defer leave()
	id := v.cfg.IDs.NewID()
	began := v.cfg.Now()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, c.Principal), id, began, c.Source, started)
	if err != nil {
		return err
	}
	var keys []domain.Key
	if v.said.again(saying{t.Session, t.Project, strings.Join(strings.Fields(aloud), " "), c.Source, began}) {
		keys = []domain.Key{domain.SpokenAgain}
	}
	entry.Envelope.Keys = keys
	if _, err := v.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
		return err
	}
	s := speech{v: v, speakers: speakers, sentences: sentences, u: Utterance{Language: started.Language, Voice: voice, Speed: t.Speed}, began: began, deliver: deliver}
	if err := s.run(ctx); err != nil {
		code, reason := failure(ctx, err)
		end, endErr := domain.New(domain.Continue(entry.Envelope), v.cfg.IDs.NewID(), v.cfg.Now(), c.Source, domain.TTSFailed{
			SessionID: t.Session, ProjectID: t.Project, Voice: voice.Name, Code: code, Reason: reason, Spoken: s.spoken, ElapsedMS: v.since(began)})
		end.Envelope.Keys = keys
		if endErr := v.recorded(ctx, end, endErr); endErr != nil {
			return endErr
		}
		return err
	}
	end, err := domain.New(domain.Continue(entry.Envelope), v.cfg.IDs.NewID(), v.cfg.Now(), c.Source, domain.TTSCompleted{
		SessionID: t.Session, ProjectID: t.Project, Voice: voice.Name, Engine: s.engine.Engine().Name, AudioMS: s.audio, FirstMS: s.first, ElapsedMS: v.since(began)})
	end.Envelope.Keys = keys
	return v.recorded(ctx, end, err)
}

// speakers are those that can be used for a text of a language: those first that leave nothing
// out of it.
func (v *Voices) speakers(language, text string) []Speaker {
	var whole, partly []Speaker
	for _, s := range v.cfg.Speakers {
		if s.Engine().Missing != "" {
			continue
		}
		switch knows, all := s.Speaks(language, text); {
		case knows && all:
			whole = append(whole, s)
		case knows:
			partly = append(partly, s)
		}
	}
	return append(whole, partly...)
}

// saying is a text that somebody had spoken in a session.
type saying struct {
	session, project, text string
	by                     domain.Source
	at                     domain.Millis
}

// sayings are the latest, to tell who speaks what another speaks already: the bridge speaks each
// answer, and so may a client that was told of it. It is safe for concurrent use.
type sayings struct {
	mu     sync.Mutex
	latest []saying
}

// again notes a saying, and reports whether another caller had it spoken, or a text that it is
// part of, in the same session a moment before.
func (s *sayings) again(now saying) bool {
	const most = 64
	named := func(name string) string { return cmp.Or(name, domain.DefaultConversation) }
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, before := range s.latest {
		same := named(before.session) == named(now.session) && named(before.project) == named(now.project)
		if same && before.by != now.by && now.at-before.at <= domain.SpokenFor && (strings.Contains(before.text, now.text) || strings.Contains(now.text, before.text)) {
			return true
		}
	}
	s.latest = append(s.latest[max(0, len(s.latest)+1-most):], now)
	return false
}

// speech is one text being spoken.
type speech struct {
	v         *Voices
	speakers  []Speaker
	sentences []string
	u         Utterance
	began     domain.Millis
	deliver   func(Part) error

	engine Speaker // that spoke the first sentence
	rate   int
	spoken int
	audio  int64
	first  int64
}

func (s *speech) run(ctx context.Context) error {
	for i, text := range s.sentences {
		s.u.Text = text
		sound, err := s.next(ctx)
		if err != nil {
			return err
		}
		if i == 0 {
			s.rate, s.first = sound.Rate, s.v.since(s.began)
		}
		sound = sound.At(s.rate)
		if err := s.deliver(Part{Sound: sound, Index: i, Of: len(s.sentences)}); err != nil {
			return err
		}
		s.spoken, s.audio = i+1, s.audio+sound.Millis()
	}
	return nil
}

// next has the engine of the sentence before speak one; the first may be any that succeeds.
// Between two sentences others may have the engine's place: a slow reader holds up nobody.
func (s *speech) next(ctx context.Context) (Sound, error) {
	free, err := s.v.speaking.turn(ctx, opSpeak)
	if err != nil {
		return Sound{}, err
	}
	defer free()
	if s.engine != nil {
		return s.v.oneSpeaks(ctx, s.engine, s.u)
	}
	var failed error
	for _, one := range s.speakers {
		sound, err := s.v.oneSpeaks(ctx, one, s.u)
		if err == nil {
			s.engine = one
			return sound, nil
		}
		if failed = err; ctx.Err() != nil {
			break
		}
	}
	return Sound{}, failed
}

func (v *Voices) oneSpeaks(ctx context.Context, s Speaker, u Utterance) (Sound, error) {
	ctx, cancel := context.WithTimeout(ctx, v.cfg.Patience)
	defer cancel()
	sound, err := s.Speak(ctx, u)
	if err == nil && (sound.Rate <= 0 || len(sound.PCM) == 0) {
		return Sound{}, &domain.Error{Op: opSpeak, Category: domain.Dependency, Code: CodeEngineFailed, Retriable: true,
			Message: s.Engine().Name + " made no sound of the text: try again, or with other words"}
	}
	return sound, err
}
