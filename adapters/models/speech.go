package models

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"

	"chalie/adapters/models/dialogue"
	"chalie/adapters/models/openai"
	"chalie/adapters/models/wire"
	"chalie/commands/voice"
	"chalie/domain"
)

// Speech is a model of OpenAI's, or of a server that speaks like it, that speaks or hears. It
// asks once: whoever waits for a voice has another engine behind it.
type Speech struct {
	choice Choice
	client *wire.Client
}

var (
	_ voice.Speaker = (*Speech)(nil)
	_ voice.Hearer  = (*Speech)(nil)
)

// NewSpeech makes a client. Nothing is sent. The error is a validation error.
func NewSpeech(c Choice) (*Speech, error) {
	const op = "choose voice"
	if c.Provider == Anthropic {
		return nil, domain.Invalid(op, "model", string(c.Provider)+" neither speaks nor hears: choose openai:MODEL, or openai:MODEL@URL for a server of your own")
	}
	if c.NeedsKey() && c.Key.IsZero() {
		return nil, domain.Invalid(op, "model", fmt.Sprintf("%s has no key: set %s, or write the key into the file of models", c.Name(), keyVariable(c.Provider)))
	}
	header := http.Header{}
	if !c.Key.IsZero() {
		header.Set("Authorization", "Bearer "+c.Key.Expose())
	}
	return &Speech{c, wire.New(wire.Config{Name: c.Name(), BaseURL: cmp.Or(c.BaseURL, openai.DefaultBaseURL), Header: header})}, nil
}

// Close lets go of idle connections.
func (s *Speech) Close() { s.client.Close() }

// Engine implements voice.Speaker and voice.Hearer. Whether somebody answers shows when it is
// asked.
func (s *Speech) Engine() voice.Engine { return voice.Engine{Name: s.choice.Name()} }

// Speaks implements voice.Speaker: such models read the language from the text.
func (s *Speech) Speaks(_, _ string) (knows, all bool) { return true, true }

// spokenBy are OpenAI's voices with the contract's timbres.
func spokenBy(v voice.Voice) string {
	switch {
	case v.Female && v.Second:
		return "shimmer"
	case v.Female:
		return "nova"
	case v.Second:
		return "echo"
	}
	return "onyx"
}

// spokenQuestion is the body of audio/speech.
type spokenQuestion struct {
	Model  string  `json:"model"`
	Input  string  `json:"input"`
	Voice  string  `json:"voice"`
	Speed  float64 `json:"speed"`
	Format string  `json:"response_format"`
}

// Speak implements voice.Speaker.
func (s *Speech) Speak(ctx context.Context, u voice.Utterance) (voice.Sound, error) {
	res, err := s.client.Post(ctx, "audio/speech", "audio/wav", spokenQuestion{s.choice.Model, u.Text, spokenBy(u.Voice), u.Speed.Float(), "wav"})
	if err != nil {
		return voice.Sound{}, s.failed(ctx, err)
	}
	defer func() { _ = res.Body.Close() }()
	content, err := io.ReadAll(res.Body)
	if err != nil {
		return voice.Sound{}, s.failed(ctx, dialogue.Broken(s.choice.Name(), err))
	}
	sound, err := voice.ReadStreamed(content)
	if err != nil {
		return voice.Sound{}, s.failed(ctx, dialogue.Fail(dialogue.CodeBadReply, true, s.choice.Name()+" answers with something that is no WAV: choose a model that speaks"))
	}
	return sound, nil
}

// transcription is the answer of audio/transcriptions, as verbose as it is given.
type transcription struct {
	Text     string `json:"text"`
	Language string `json:"language"`
	Segments []struct {
		Start    float64  `json:"start"`
		End      float64  `json:"end"`
		Text     string   `json:"text"`
		LogProb  *float64 `json:"avg_logprob"`
		NoSpeech float64  `json:"no_speech_prob"`
	} `json:"segments"`
}

// Hear implements voice.Hearer. What Chalie knows goes with it as names to be expected, and
// with them to the provider.
func (s *Speech) Hear(ctx context.Context, sound voice.Sound, known voice.Vocabulary) (voice.Heard, error) {
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	header := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="file"; filename="audio.wav"`}, "Content-Type": {"audio/wav"}}
	part, err := form.CreatePart(header)
	if err == nil {
		_, err = part.Write(sound.WAV())
	}
	fields := [][2]string{{"model", s.choice.Model}, {"response_format", "verbose_json"}}
	if strings.HasPrefix(s.choice.Model, "gpt-") {
		fields[1][1] = "json" // they have no other
	}
	if names := expected(known); names != "" {
		fields = append(fields, [2]string{"prompt", names})
	}
	for _, f := range fields {
		err = errors.Join(err, form.WriteField(f[0], f[1]))
	}
	if err = errors.Join(err, form.Close()); err != nil {
		return voice.Heard{}, s.failed(ctx, dialogue.Broken(s.choice.Name(), err))
	}
	res, err := s.client.Send(ctx, "audio/transcriptions", form.FormDataContentType(), "application/json", &body)
	if err != nil {
		return voice.Heard{}, s.failed(ctx, err)
	}
	defer func() { _ = res.Body.Close() }()
	var t transcription
	if err := s.client.Read(res, &t); err != nil {
		return voice.Heard{}, s.failed(ctx, err)
	}
	return t.heard(sound.Millis()), nil
}

// expected are names that are hard to guess, as a prompt. It bounds them as servers do.
func expected(known voice.Vocabulary) string {
	const most = 600
	var out strings.Builder
	for _, name := range known.Names {
		if name == "" || out.Len()+len(name) > most {
			continue
		}
		if out.Len() > 0 {
			out.WriteString(", ")
		}
		out.WriteString(name)
	}
	return out.String()
}

// heard is a transcription as Chalie has it. A server that says nothing of how sure it is, is
// believed.
func (t transcription) heard(length int64) voice.Heard {
	out := voice.Heard{Text: strings.TrimSpace(t.Text), Language: languageCode(t.Language), Confidence: domain.One}
	var sum, weight float64
	for _, seg := range t.Segments {
		sure := 1.0
		if seg.LogProb != nil {
			sure = math.Exp(min(0, *seg.LogProb)) * (1 - max(0, min(1, seg.NoSpeech)))
		}
		long := max(0.01, seg.End-seg.Start)
		sum, weight = sum+sure*long, weight+long
		span := domain.VoiceSpan{Text: strings.TrimSpace(seg.Text), StartMS: within(seg.Start, length), EndMS: within(seg.End, length), Confidence: domain.PPMOf(sure)}
		out.Segments = append(out.Segments, span)
	}
	switch {
	case out.Text == "":
		out.Confidence = 0
	case weight > 0:
		out.Confidence = domain.PPMOf(sum / weight)
	}
	return out
}

func within(seconds float64, length int64) int64 {
	if math.IsNaN(seconds) {
		return 0
	}
	const second = 1000
	return int64(max(0, min(float64(length), seconds*second)))
}

// languageCode is a language as ISO 639-1 names it; servers say its English name, too.
func languageCode(name string) string {
	codes := map[string]string{"english": "en", "ukrainian": "uk", "russian": "ru", "german": "de", "french": "fr", "spanish": "es", "italian": "it",
		"polish": "pl", "dutch": "nl", "portuguese": "pt", "czech": "cs", "turkish": "tr", "japanese": "ja", "chinese": "zh", "korean": "ko"}
	name = strings.ToLower(strings.TrimSpace(name))
	const most = 16
	return cmp.Or(codes[name], name[:min(most, len(name))])
}

// failed is an error of the service as one of an engine, without the key.
func (s *Speech) failed(ctx context.Context, err error) error {
	code := voice.CodeEngineFailed
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		code = voice.CodeEngineSlow
	}
	text := err.Error()
	if e, ok := errors.AsType[*domain.Error](err); ok {
		text = e.Message
	}
	return &domain.Error{Op: "ask " + s.choice.Name(), Category: domain.Dependency, Code: code, Retriable: domain.IsRetriable(err), Message: s.choice.Key.scrubbed(text)}
}
