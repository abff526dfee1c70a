package demo

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/replay/narrate"
)

const (
	voiceSession = "demo_voice"
	// spokenWish is what the person says. A voice of Flite takes their part.
	spokenWish = "Add milk and eggs to the shopping list."
)

// speech is the demo of voice, beside what all stories have.
type speech struct {
	wav     []byte // of the last that was spoken
	heard   api.Transcript
	answer  frame
	message domain.ID
}

func (s *story) voiceSteps() []step {
	return []step{
		{"Chalie hears and speaks, on this machine alone", "Chalie", s.beginsToSpeak},
		{"1. You speak", "You", s.utter(spokenWish)},
		{"", "Chalie", s.hearsWish},
		{"2. What was heard is said", "You", s.saysWish},
		{"", "Chalie", s.answersWish},
		{"3. The answer is spoken", "Chalie", s.speaksAnswer},
		{"4. What isn't understood is asked again", "You", s.mumbles},
		{"", "Chalie", s.asksAgain},
		{"5. All of it is on the log", "The log", s.tracesWish},
		{"", "You", s.whyWish},
		{"6. A recording can be forgotten", "You", s.forgets},
	}
}

func (s *story) beginsToSpeak(ctx context.Context) (told, error) {
	return told{Text: "is at " + s.base + " for this minute, in an empty folder. Flite is the voice, PocketSphinx the ears; neither uses a network. What they lack, /health names with the command that installs it."}, nil
}

// speakAloud has a text spoken, and returns how long its first byte took.
func (s *story) speakAloud(ctx context.Context, text string) (first time.Duration, err error) {
	began := time.Now()
	sound, err := s.Speak(ctx, api.SpeechRequest{Text: text, SessionID: voiceSession})
	if err != nil {
		return 0, err
	}
	defer sound.Close()
	var begin [1]byte
	if _, err := io.ReadFull(sound, begin[:]); err != nil {
		return 0, err
	}
	first = time.Since(began)
	rest, err := io.ReadAll(sound)
	s.voice.wav = append(begin[:], rest...)
	if err == nil && len(s.voice.wav) <= wavHeader {
		err = errors.New("the demo's Chalie spoke nothing")
	}
	return first, err
}

// wavHeader is the size of a WAV's header as Chalie writes it.
const wavHeader = 44

// seconds is how long a WAV of Chalie's lasts.
func seconds(wav []byte) float64 {
	return float64(len(wav)-wavHeader) / float64(binary.LittleEndian.Uint32(wav[28:]))
}

// level draws how loud a sound is, over its time.
func level(wav []byte, width int) string {
	const bars = "▁▂▃▄▅▆▇█"
	samples := wav[wavHeader:]
	var out strings.Builder
	for i := range width {
		loud := 0.0
		part := samples[i*len(samples)/width/2*2 : (i+1)*len(samples)/width/2*2]
		for at := 0; at+1 < len(part); at += 2 {
			loud = max(loud, math.Abs(float64(int16(binary.LittleEndian.Uint16(part[at:])))))
		}
		bar := int(math.Sqrt(loud/math.MaxInt16) * 7)
		out.WriteString(string([]rune(bars)[min(7, bar)]))
	}
	return out.String()
}

func (s *story) sounds(text string, detail any) told {
	wav := bytes.Clone(s.voice.wav)
	return told{Text: text, Detail: detail, draw: func(c *term.Console) error {
		return c.Printf("%s\n", c.Paint(term.Green, level(wav, min(c.Width-4, 72))))
	}}
}

func (s *story) utter(text string) func(context.Context) (told, error) {
	return func(ctx context.Context) (told, error) {
		_, err := s.speakAloud(ctx, text)
		if err != nil {
			return told{}, err
		}
		return s.sounds(fmt.Sprintf("speak for %.1f s: “%s”", seconds(s.voice.wav), text), map[string]any{"text": text, "bytes": len(s.voice.wav)}), nil
	}
}

func (s *story) hearsWish(ctx context.Context) (told, error) {
	heard, err := s.Transcribe(ctx, s.voice.wav, voiceSession)
	if err != nil {
		return told{}, err
	}
	s.voice.heard = heard
	if heard.Repeat {
		return told{}, fmt.Errorf("the demo's Chalie heard %q, and too unsurely", heard.Heard)
	}
	return told{Text: fmt.Sprintf("hears, within %d ms and sure to %.2f: “%s”", heard.ElapsedMS, heard.Confidence, heard.Text), Detail: heard}, nil
}

func (s *story) saysWish(ctx context.Context) (told, error) {
	id, err := s.SayHeard(ctx, s.voice.heard.Text, voiceSession)
	s.voice.message = id
	return told{Text: "send the words as a message of the same session: “" + s.voice.heard.Text + "”", Detail: map[string]string{"message_id": id.UUID()}}, err
}

func (s *story) answersWish(ctx context.Context) (told, error) {
	f, err := s.hears(ctx, "message")
	s.voice.answer = f
	return told{Text: "answers: “" + f.words() + "”", Detail: f.text}, err
}

func (s *story) speaksAnswer(ctx context.Context) (told, error) {
	first, err := s.speakAloud(ctx, s.voice.answer.words())
	if err != nil {
		return told{}, err
	}
	text := fmt.Sprintf("speaks it for %.1f s; the first byte came after %d ms.", seconds(s.voice.wav), first.Milliseconds())
	return s.sounds(text, map[string]any{"first_ms": first.Milliseconds(), "bytes": len(s.voice.wav)}), nil
}

// mumbles makes a noise as long as a sentence, always the same.
func (s *story) mumbles(context.Context) (told, error) {
	noise := uint32(1)
	for at := wavHeader; at+1 < len(s.voice.wav); at += 2 {
		noise = noise*1664525 + 1013904223
		swell := math.Abs(math.Sin(float64(at) / 9000))
		binary.LittleEndian.PutUint16(s.voice.wav[at:], uint16(int16(float64(int32(noise))/(1<<31)*9000*swell)))
	}
	binary.LittleEndian.PutUint32(s.voice.wav[4:], uint32(len(s.voice.wav)-8))
	binary.LittleEndian.PutUint32(s.voice.wav[40:], uint32(len(s.voice.wav)-wavHeader))
	return s.sounds("make a noise beside the microphone.", nil), nil
}

func (s *story) asksAgain(ctx context.Context) (told, error) {
	heard, err := s.Transcribe(ctx, s.voice.wav, voiceSession)
	if err == nil && !heard.Repeat {
		err = fmt.Errorf("the demo's Chalie is sure to have heard %q in a noise", heard.Text)
	}
	return told{Text: fmt.Sprintf("is sure to %.2f, takes it for nothing, and has you asked: “%s”", heard.Confidence, heard.Say), Detail: heard}, err
}

// tracesWish shows the recording's trace, and that of the message which it caused.
func (s *story) tracesWish(ctx context.Context) (told, error) {
	var rows [][]term.Cell
	var parent domain.ID
	for _, id := range []domain.ID{s.voice.heard.STTID.ID, s.voice.message} {
		trace, err := s.Trace(ctx, domain.TraceID{ID: id})
		records, err := apiclient.ReadAll(trace.Records, err)
		if err != nil {
			return told{}, err
		}
		for i, rec := range records {
			mark := "  "
			if i == 0 && rec.Envelope.Parent == parent && !parent.IsZero() {
				mark = "└ "
			}
			if rec.Envelope.Type == domain.STTCompletedType {
				parent = rec.Envelope.ID
			}
			rows = append(rows, []term.Cell{term.Faint.Of(narrate.Grouped(uint64(rec.Position))), term.Plain.Of(mark + string(rec.Envelope.Type)), term.Bold.Of(narrate.Line(rec.Envelope))})
			if id == s.voice.message && i == 0 && rec.Envelope.Parent != parent {
				return told{}, errors.New("the demo's message has not what was heard as its parent")
			}
		}
	}
	return told{Text: "has the recording's trace and the message's, which what was heard is the parent of:", draw: func(c *term.Console) error {
		return c.Table([]term.Column{{Title: c.Fitting("POSITION", "POS"), Right: true}, {Title: "ENVELOPE"}, {Title: "WHAT", Flex: true}}, rows)
	}}, nil
}

func (s *story) whyWish(ctx context.Context) (told, error) {
	object, err := s.Why(ctx, s.voice.message.String(), s.Console.Zone)
	why, err := apiclient.Read(object, err)
	if err == nil && !strings.Contains(strings.Join(why.Sentences, " "), "recording") {
		err = fmt.Errorf("the demo's Chalie doesn't explain that it heard that: %q", why.Sentences)
	}
	return told{Text: "ask why:", Detail: object, draw: func(c *term.Console) error {
		c.Width = min(c.Width, textWidth)
		return c.Sentences(why.Sentences)
	}}, err
}

func (s *story) forgets(ctx context.Context) (told, error) {
	err := s.ForgetAudio(ctx, s.voice.heard.STTID.ID)
	return told{Text: "have the first recording forgotten. Its file is gone; the words that were heard stay on the log."}, err
}
