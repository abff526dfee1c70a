package voice

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/message"
	"chalie/domain"
)

// Scope is what a token has to name among its types to hear and speak for its program.
const Scope = commands.ScopeVoice

// Engine is a program or a service that speaks, hears or decodes.
type Engine struct {
	Name    string // as the log has it: flite, openai/whisper-1
	Missing string // what is missing and what to do about it; "" when it can be used
}

// Utterance is one sentence to be spoken.
type Utterance struct {
	Text     string
	Language string // ISO 639-1
	Voice    Voice
	Speed    domain.PPM // 1 is as usual
}

// Speaker is an engine that speaks. It is safe for concurrent use.
type Speaker interface {
	Engine() Engine
	// Speaks reports whether it knows a language, and whether it has words for all of a text
	// in it: what it hasn't, it leaves out.
	Speaks(language, text string) (knows, all bool)
	// Speak is the sound of one sentence. It ends soon after ctx does, with whatever it
	// started. Errors: dependency, CodeEngineFailed and CodeEngineSlow; asking again is safe.
	Speak(ctx context.Context, u Utterance) (Sound, error)
}

// Heard is what an engine heard.
type Heard struct {
	Text       string
	Language   string // ISO 639-1
	Segments   []domain.VoiceSpan
	Confidence domain.PPM
}

// Hearer is an engine that hears. It is safe for concurrent use.
type Hearer interface {
	Engine() Engine
	// Hear is what is said in a recording; empty when nothing is. known is what it may be
	// about. It ends soon after ctx does. Errors are those of Speaker.Speak.
	Hear(ctx context.Context, s Sound, known Vocabulary) (Heard, error)
}

// Decoder makes sound of a compressed recording. It is safe for concurrent use.
type Decoder interface {
	Engine() Engine
	// Decode reads at most that much of it, so a result as long may be cut off. Errors:
	// validation, when it isn't what it says; and those of Speaker.Speak.
	Decode(ctx context.Context, content []byte, most time.Duration) (Sound, error)
}

// Vocabulary is what Chalie knows and people speak with it about.
type Vocabulary struct {
	Phrases []string // plans, lists and their entries, skills, tools and what they do
	Names   []string // interfaces, and what was remembered of
}

// Knowledge tells the vocabulary of the moment. Errors of the log leave it empty: hearing goes
// on without it.
type Knowledge interface {
	Vocabulary(ctx context.Context, mind bool) Vocabulary
}

// Recordings keeps audio beside the log.
type Recordings interface {
	message.Blobs
	// Remove forgets what was put under the hash, durably. What isn't there is forgotten
	// already. Errors: dependency.
	Remove(ctx context.Context, hash string) error
}

// Config is what Voices need. Ports are required but for the engines.
type Config struct {
	commands.Env
	Recordings Recordings
	Knowledge  Knowledge
	Speakers   []Speaker // in the order they are asked
	Hearers    []Hearer
	Decoder    Decoder `optional:"yes"` // of WebM

	Confident domain.PPM    // below it the speaker is asked to repeat; default 0.45
	AtOnce    int           // engines at work, for each direction; default: as many as processors, at most 4
	Waiting   int           // calls that wait for one; default 16
	Patience  time.Duration // for one task of an engine; default 45 s
	QueueFor  time.Duration // a call's longest wait for an engine; default 30 s
}

// DefaultConfident is the confidence below which what was heard is asked to be repeated. It was
// chosen with PocketSphinx: of commands that it hears rightly few are below, of what it mishears,
// noise, other subjects and poor voices, most is.
const DefaultConfident domain.PPM = 450_000

func (c Config) withDefaults() Config {
	if c.Confident == 0 {
		c.Confident = DefaultConfident
	}
	if c.AtOnce == 0 {
		c.AtOnce = min(4, runtime.NumCPU())
	}
	if c.Waiting == 0 {
		c.Waiting = 16
	}
	if c.Patience == 0 {
		c.Patience = 45 * time.Second
	}
	if c.QueueFor == 0 {
		c.QueueFor = 30 * time.Second
	}
	return c
}

// Validate returns a validation error about the first field that is wrong.
func (c Config) Validate() error {
	if err := commands.Complete("configure voice", c); err != nil {
		return err
	}
	if c.Confident < 0 || c.Confident > domain.One || c.AtOnce < 0 || c.Waiting < 0 || c.Patience < 0 || c.QueueFor < 0 {
		return domain.Invalid("configure voice", "", "Confident is between 0 and 1, and numbers and times can't be negative")
	}
	return nil
}

// Voices hear and speak. They are safe for concurrent use.
type Voices struct {
	cfg               Config
	hearing, speaking *queue
	said              sayings
}

// New checks the configuration.
func New(cfg Config) (*Voices, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	return &Voices{cfg: cfg,
		hearing:  newQueue("recordings to be heard", cfg.AtOnce, cfg.Waiting, cfg.QueueFor),
		speaking: newQueue("texts to be spoken", cfg.AtOnce, cfg.Waiting, cfg.QueueFor)}, nil
}

// Engines are all engines, by what they are for.
func (v *Voices) Engines() (speakers, hearers, decoders []Engine) {
	for _, s := range v.cfg.Speakers {
		speakers = append(speakers, s.Engine())
	}
	for _, h := range v.cfg.Hearers {
		hearers = append(hearers, h.Engine())
	}
	if v.cfg.Decoder != nil {
		decoders = append(decoders, v.cfg.Decoder.Engine())
	}
	return speakers, hearers, decoders
}

// IsReady reports whether something can be heard, and something spoken.
func (v *Voices) IsReady() bool {
	return len(v.hearers()) > 0 && slices.ContainsFunc(v.cfg.Speakers, func(s Speaker) bool { return s.Engine().Missing == "" })
}

// Voice is one of the contract's, by its timbre.
type Voice struct {
	Name   string
	Female bool
	Second bool // of its kind, to be told from the first
}

// Timbres are the voices that can be asked for, the usual one first.
func Timbres() []Voice {
	return []Voice{{"default", true, false}, {"Polina", true, false}, {"Ostap", false, false}, {"Milena", true, true}, {"Yuri", false, true}}
}

// voiceNamed finds a voice whatever its capitals; "" is the usual one.
func voiceNamed(name string) (Voice, error) {
	var names []string
	for _, t := range Timbres() {
		if strings.EqualFold(t.Name, name) || name == "" {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return Voice{}, domain.Invalid("speak", "voice", fmt.Sprintf("there is no voice %.40q: use one of %s", name, strings.Join(names, ", ")))
}

// AskToRepeat are words to speak when something wasn't heard surely enough.
func AskToRepeat(language string) string {
	if words := askToRepeat[language]; words != "" {
		return words
	}
	return askToRepeat["en"]
}

var askToRepeat = map[string]string{
	"en": "I didn't catch that. Please say it again.",
	"uk": "Я не розчула. Будь ласка, повторіть.",
	"de": "Das habe ich nicht verstanden. Bitte wiederhole es.",
	"fr": "Je n'ai pas compris. Répète, s'il te plaît.",
	"es": "No te he entendido. Repítelo, por favor.",
}

// Codes of what engines may do.
const (
	CodeUnsupportedMedia domain.Code = message.CodeUnsupportedMedia
	CodeNoEngine         domain.Code = "no_engine"     // none is there for this
	CodeEngineFailed     domain.Code = "engine_failed" // it died, or what it made is of no use
	CodeEngineSlow       domain.Code = "engine_slow"   // it had no end within its time
	CodeBusy             domain.Code = "busy"          // too many wait for one
	CodeNoRecording      domain.Code = "no_recording"  // never uploaded
	CodeForgotten        domain.Code = "audio_gone"    // uploaded, and forgotten or lost
)

// noEngine is the error where none can be used: it says what would bring one.
func noEngine(op, what string, all []Engine) error {
	var missing []string
	for _, e := range all {
		if e.Missing != "" {
			missing = append(missing, e.Missing)
		}
	}
	text := "nothing here can " + what
	if len(missing) > 0 {
		text += ": " + strings.Join(missing, "; ")
	}
	return &domain.Error{Op: op, Category: domain.Dependency, Code: CodeNoEngine, Message: text}
}

// recorded appends the end of a task. It goes on when the caller has left: a start without an
// end would leave a microphone closed for ever.
func (v *Voices) recorded(ctx context.Context, e domain.Entry, err error) error {
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), endWithin)
	defer cancel()
	_, err = v.cfg.Log.Append(ctx, domain.Batch{Entries: []domain.Entry{e}})
	return err
}

// endWithin bounds the append of an end.
const endWithin = 10 * time.Second

// failure is how an error stands in the record of its task.
func failure(ctx context.Context, err error) (domain.Code, string) {
	if ctx.Err() != nil {
		return "cancelled", "the caller left, or Chalie stopped, before it was done"
	}
	if e, ok := asError(err); ok {
		return e.Code, e.Message
	}
	return CodeEngineFailed, "it failed in a way that was not foreseen"
}
