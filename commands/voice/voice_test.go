package voice_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/message"
	"chalie/commands/voice"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// shelf is recordings in memory.
type shelf struct {
	mu   sync.Mutex
	held map[string][]byte
	fail error
}

func (s *shelf) Put(_ context.Context, content []byte) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fail != nil {
		return "", s.fail
	}
	hash := commands.BodyHash(content)
	s.held[hash] = bytes.Clone(content)
	return hash, nil
}

func (s *shelf) Get(_ context.Context, hash string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if content, ok := s.held[hash]; ok {
		return content, s.fail
	}
	return nil, &domain.Error{Category: domain.NotFound, Code: "no_blob", Message: "nothing is there"}
}

func (s *shelf) Remove(_ context.Context, hash string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.held, hash)
	return s.fail
}

// engine is one of each kind, as a test has it behave.
type engine struct {
	name, missing string
	speaks        string
	ascii         bool // it has words for nothing else
	speak         func(context.Context, voice.Utterance) (voice.Sound, error)
	hear          func(context.Context, voice.Sound) (voice.Heard, error)
}

func (e *engine) Engine() voice.Engine { return voice.Engine{Name: e.name, Missing: e.missing} }

func (e *engine) Speaks(language, text string) (knows, all bool) {
	return e.speaks == "" || e.speaks == language, !e.ascii || !strings.ContainsFunc(text, func(r rune) bool { return r > 127 })
}

func (e *engine) Speak(ctx context.Context, u voice.Utterance) (voice.Sound, error) {
	if e.speak != nil {
		return e.speak(ctx, u)
	}
	return tone(100), nil
}

func (e *engine) Hear(ctx context.Context, s voice.Sound, _ voice.Vocabulary) (voice.Heard, error) {
	if e.hear != nil {
		return e.hear(ctx, s)
	}
	return voice.Heard{Text: "add milk", Language: "en", Confidence: 900_000}, nil
}

func (e *engine) Decode(ctx context.Context, content []byte, most time.Duration) (voice.Sound, error) {
	if bytes.Contains(content, []byte("an hour")) {
		return tone(int(most.Milliseconds())), nil
	}
	return tone(1000), nil
}

func (e *engine) Vocabulary(context.Context, bool) voice.Vocabulary { return voice.Vocabulary{} }

func tone(ms int) voice.Sound {
	s := voice.Sound{Rate: 16_000}
	for i := range 16 * ms {
		s.PCM = binary.LittleEndian.AppendUint16(s.PCM, uint16(int16(i%64*100)))
	}
	return s
}

var broken = &domain.Error{Op: "run", Category: domain.Dependency, Code: voice.CodeEngineFailed, Retriable: true, Message: "it died"}

func newVoices(b *commandstest.Bench, change func(*voice.Config)) (*voice.Voices, *shelf) {
	b.T.Helper()
	kept := &shelf{held: map[string][]byte{}}
	e := &engine{name: "one"}
	cfg := voice.Config{Env: b.Env(), Recordings: kept, Knowledge: e, Speakers: []voice.Speaker{e}, Hearers: []voice.Hearer{e}, Decoder: e, AtOnce: 2}
	if change != nil {
		change(&cfg)
	}
	v, err := voice.New(cfg)
	if err != nil {
		b.T.Fatal(err)
	}
	return v, kept
}

var speaker = commandstest.Ada

func recording() voice.Recording {
	return voice.Recording{Session: "s", Project: "p", Content: tone(1000).WAV()}
}

// types are those of the records of voice.
func types(b *commandstest.Bench) (out []string) {
	for _, rec := range b.Records(domain.TopicVoice) {
		out = append(out, strings.TrimPrefix(string(rec.Envelope.Type), "voice."))
	}
	return out
}

func happened(b *commandstest.Bench, want string) {
	b.T.Helper()
	if got := strings.Join(types(b), " "); got != want {
		b.T.Errorf("recorded is %q, want %q", got, want)
	}
}

func TestTranscribe(t *testing.T) {
	b := commandstest.NewBench(t)
	v, kept := newVoices(b, nil)
	got, err := v.Transcribe(t.Context(), speaker, recording())
	if err != nil || got.Text != "add milk" || got.Repeat || got.Engine != "one" || got.AudioMS != 1000 || got.SessionID != "s" || got.ProjectID != "p" {
		t.Fatalf("heard %+v, %v", got, err)
	}
	happened(b, "stt_started stt_completed")
	recs := b.Records(domain.TopicVoice)
	start, end := recs[0].Envelope, recs[1].Envelope
	if start.ID != got.ID || start.Trace.ID != got.ID || !start.Parent.IsZero() || end.Parent != got.ID || end.Trace != start.Trace || start.Kind != domain.KindCommand || end.Kind != domain.KindResult {
		t.Errorf("recorded %+v and %+v", start, end)
	}
	if len(kept.held) != 1 || bytes.Contains(start.Payload.Bytes, []byte("RIFF")) {
		t.Errorf("kept %d, and the record has %s", len(kept.held), start.Payload.Bytes)
	}
	content, media, err := v.Audio(t.Context(), got.ID)
	if err != nil || media != "audio/wav" || !bytes.Equal(content, recording().Content) {
		t.Errorf("it comes back as %d bytes of %s, %v", len(content), media, err)
	}
}

func TestForget(t *testing.T) {
	b := commandstest.NewBench(t)
	v, kept := newVoices(b, nil)
	got, err := v.Transcribe(t.Context(), speaker, recording())
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := v.Forget(t.Context(), speaker, got.ID); err != nil {
			t.Fatal(err)
		}
	}
	happened(b, "stt_started stt_completed audio_forgotten")
	if len(kept.held) != 0 {
		t.Error("it is still there")
	}
	_, _, err = v.Audio(t.Context(), got.ID)
	commandstest.Refused(t, err, domain.NotFound, voice.CodeForgotten)
	err = v.Forget(t.Context(), speaker, b.IDs.NewID())
	commandstest.Refused(t, err, domain.NotFound, voice.CodeNoRecording)
}

func TestUnsure(t *testing.T) {
	for name, heard := range map[string]voice.Heard{"unsure": {Text: "at milk", Language: "en", Confidence: 400_000}, "nothing": {Language: "en", Confidence: domain.One}} {
		b := commandstest.NewBench(t)
		v, _ := newVoices(b, func(c *voice.Config) {
			c.Hearers = []voice.Hearer{&engine{name: "deaf", hear: func(context.Context, voice.Sound) (voice.Heard, error) { return heard, nil }}}
		})
		if got, err := v.Transcribe(t.Context(), speaker, recording()); err != nil || !got.Repeat || got.Text != heard.Text {
			t.Errorf("%s: heard %+v, %v", name, got, err)
		}
	}
	if voice.AskToRepeat("uk") == voice.AskToRepeat("xx") || voice.AskToRepeat("xx") == "" {
		t.Error("it asks the same in every language")
	}
}

func TestWebMIsDecoded(t *testing.T) {
	b := commandstest.NewBench(t)
	v, _ := newVoices(b, nil)
	content := []byte("\x1a\x45\xdf\xa3....webm....")
	if got, err := v.Transcribe(t.Context(), speaker, voice.Recording{Content: content}); err != nil || got.AudioMS != 1000 {
		t.Errorf("heard %+v, %v", got, err)
	}
	_, err := v.Transcribe(t.Context(), speaker, voice.Recording{Content: append(content, "an hour"...)})
	commandstest.Refused(t, err, domain.Validation, domain.CodeTooLarge)
	happened(b, "stt_started stt_completed stt_started stt_failed")
}

// wav is one whose header a test may make lie.
func wav(change func([]byte)) []byte {
	content := tone(100).WAV()
	change(content)
	return content
}

func TestRefusedRecordings(t *testing.T) {
	put32 := func(at int, v uint32) []byte {
		return wav(func(c []byte) { binary.LittleEndian.PutUint32(c[at:], v) })
	}
	put16 := func(at int, v uint16) []byte {
		return wav(func(c []byte) { binary.LittleEndian.PutUint16(c[at:], v) })
	}
	for name, c := range map[string]struct {
		content []byte
		code    domain.Code
		says    string
	}{
		"nothing":                 {nil, "invalid", "empty"},
		"a text":                  {[]byte("hello, this is no audio at all"), voice.CodeUnsupportedMedia, "WAV or WebM"},
		"an MP3":                  {[]byte("ID3\x04\x00\x00\x00\x00\x00\x00"), voice.CodeUnsupportedMedia, "WAV or WebM"},
		"an image in a RIFF":      {[]byte("RIFF\x24\x00\x00\x00WEBPVP8 "), voice.CodeUnsupportedMedia, "WAV or WebM"},
		"a Matroska film":         {[]byte("\x1a\x45\xdf\xa3....matroska........"), voice.CodeUnsupportedMedia, "WAV or WebM"},
		"a header alone":          {tone(0).WAV(), "invalid", "no samples"},
		"half a header":           {tone(100).WAV()[:30], "invalid", "not true"},
		"cut off":                 {tone(100).WAV()[:1000], "invalid", "not true"},
		"a file of another size":  {put32(4, 10), "invalid", "not true"},
		"more samples than came":  {put32(40, 1<<20), "invalid", "not true"},
		"another number of bytes": {put32(28, 7), "invalid", "not true"},
		"another frame":           {put16(32, 8), "invalid", "not true"},
		"a rate of nothing":       {put32(24, 0), "invalid", "samples a second"},
		"a rate of everything":    {put32(24, 1<<31), "invalid", "samples a second"},
		"no channels":             {put16(22, 0), "invalid", "channels"},
		"an unknown format":       {put16(20, 85), "invalid", "format 85"},
		"too long":                {tone(60_001).WAV(), domain.CodeTooLarge, "60 s"},
		"too large":               {make([]byte, domain.MaxAudioBytes+1), domain.CodeTooLarge, "10485760"},
		"an hour of slow silence": {hour(), domain.CodeTooLarge, "60 s"},
		"a session of any length": {nil, "invalid", "session_id"},
		"samples before a format": {[]byte("RIFF\x18\x00\x00\x00WAVEdata\x04\x00\x00\x00abcdfmt \x00\x00\x00\x00"), "invalid", "come before"},
		"a part that never ends":  {[]byte("RIFF\x14\x00\x00\x00WAVELIST\xf0\xff\xff\xffabcd"), "invalid", "not true"},
	} {
		t.Run(name, func(t *testing.T) {
			b := commandstest.NewBench(t)
			v, kept := newVoices(b, nil)
			r := voice.Recording{Content: c.content}
			if c.says == "session_id" {
				r = voice.Recording{Session: strings.Repeat("s", 300), Content: tone(1).WAV()}
			}
			_, err := v.Transcribe(t.Context(), speaker, r)
			commandstest.Refused(t, err, domain.Validation, c.code)
			if err != nil && !strings.Contains(err.Error(), c.says) {
				t.Errorf("the error doesn't say %q: %v", c.says, err)
			}
			if b.Count(domain.TopicAll, 0); len(kept.held) > 0 {
				t.Error("it was kept")
			}
		})
	}
}

// Sizes that nobody knew when a header was written don't matter: what came is all there is. One
// that could be true and isn't tells of a recording that was cut off.
func TestOddSizes(t *testing.T) {
	const whole, data = 4, 40
	true4, true40 := uint32(len(tone(100).WAV())-8), uint32(len(tone(100).PCM))
	for _, c := range []struct {
		name        string
		whole, data uint32
		ok          bool
	}{
		{"true", true4, true40, true},
		{"0xFFFFFFFF", 0xFFFFFFFF, 0xFFFFFFFF, true},
		{"0x7FFFFFFF", 0x7FFFFFFF, 0x7FFFFFFF, true},
		{"0x7FFFF000", 0x7FFFF024, 0x7FFFF000, true},
		{"0x80000000", 0x80000024, 0x80000000, true},
		{"0xFFFFFFFF less its header", 0xFFFFFFFF, 0xFFFFFFDB, true},
		{"0x7FFFFFFF less its header", 0x7FFFFFFF, 0x7FFFFFDB, true},
		{"none", 0, 0, true},
		{"none of the file", 0, true40, true},
		{"none of the samples", true4, 0, true},
		{"a header alone", 36, 0, true},
		{"a header alone, and true samples", 36, true40, true},
		{"unknown of the file", 0x7FFFFFFF, true40, true},
		{"unknown of the samples", true4, 0x7FFFFFFF, true},
		{"a byte too many of the file", true4 + 1, true40, false},
		{"twice the samples", 0xFFFFFFFF, 2 * true40, false},
		{"10 MB of samples", 0, 10 << 20, false},
		{"another size of the file", true4 / 2, true40, false},
	} {
		got, err := voice.ReadWAV(wav(func(b []byte) {
			binary.LittleEndian.PutUint32(b[whole:], c.whole)
			binary.LittleEndian.PutUint32(b[data:], c.data)
		}))
		if (err == nil) != c.ok || c.ok && !bytes.Equal(got.PCM, tone(100).PCM) {
			t.Errorf("%s: %d bytes, %v", c.name, len(got.PCM), err)
		}
	}
	for _, id := range []string{"RF64", "BW64"} {
		got, err := voice.ReadWAV(wav(func(b []byte) {
			copy(b, id)
			binary.LittleEndian.PutUint32(b[whole:], 0xFFFFFFFF)
			binary.LittleEndian.PutUint32(b[data:], 0xFFFFFFFF)
		}))
		if err != nil || len(got.PCM) != len(tone(100).PCM) {
			t.Errorf("%s: %d bytes, %v", id, len(got.PCM), err)
		}
	}
}

// A WebM says what it is within its header, which may be filled up. Its sizes are the decoder's.
func TestOddWebM(t *testing.T) {
	for name, content := range map[string]string{
		"an unknown size of its header": "\x1a\x45\xdf\xa3\x01\xff\xff\xff\xff\xff\xff\xff\x42\x82\x84webm\x18\x53\x80\x67\x01\xff\xff\xff\xff\xff\xff\xff",
		"a header that is filled up":    "\x1a\x45\xdf\xa3\x40\xc0\xec\x40\x80" + strings.Repeat("\x00", 150) + "\x42\x82\x84webm",
	} {
		b := commandstest.NewBench(t)
		v, _ := newVoices(b, nil)
		if got, err := v.Transcribe(t.Context(), speaker, voice.Recording{Content: []byte(content)}); err != nil || got.AudioMS != 1000 {
			t.Errorf("%s: heard %+v, %v", name, got, err)
		}
	}
}

// hour is as much silence as fits into the bytes that are taken.
func hour() []byte { return voice.Sound{Rate: 4000, PCM: make([]byte, 2*4000*1300)}.WAV() }

// TestFormats reads what recorders write, and mixes it.
func TestFormats(t *testing.T) {
	for name, c := range map[string]struct {
		kind, channels, bits uint16
		frame                []byte
		want                 int
	}{
		"8 bits":           {1, 1, 8, []byte{192}, 16384},
		"16 bits, stereo":  {1, 2, 16, []byte{0, 64, 0, 0}, 8192},
		"24 bits":          {1, 1, 24, []byte{0, 0, 64}, 16384},
		"32 bits":          {1, 1, 32, []byte{0, 0, 0, 64}, 16384},
		"floats":           {3, 1, 32, []byte{0, 0, 0, 63}, 16384},
		"floats, too loud": {3, 1, 32, []byte{0, 0, 0, 65}, 32767},
		"no numbers":       {3, 1, 32, []byte{0, 0, 192, 127}, 0},
	} {
		data := bytes.Repeat(c.frame, 8)
		content := voice.Sound{Rate: 8000, PCM: data}.WAV()
		align := c.channels * c.bits / 8
		for at, v := range map[int]uint16{20: c.kind, 22: c.channels, 32: align, 34: c.bits} {
			binary.LittleEndian.PutUint16(content[at:], v)
		}
		binary.LittleEndian.PutUint32(content[28:], 8000*uint32(align))
		got, err := voice.ReadWAV(content)
		if err != nil || got.Rate != 8000 || len(got.PCM) != 16 {
			t.Errorf("%s: %d bytes, %v", name, len(got.PCM), err)
			continue
		}
		if v := int(int16(binary.LittleEndian.Uint16(got.PCM))); v < c.want-2 || v > c.want+2 {
			t.Errorf("%s: a sample is %d, want %d", name, v, c.want)
		}
	}
}

// TestAnotherRate keeps a tone's pitch and length, and takes out what the rate can't hold.
func TestAnotherRate(t *testing.T) {
	s := tone(500)
	for _, rate := range []int{8_000, 16_000, 22_050, 48_000} {
		got := s.At(rate)
		if d := got.Millis() - s.Millis(); got.Rate != rate || d < -2 || d > 2 {
			t.Errorf("at %d it lasts %d ms", rate, got.Millis())
		}
		if back := got.At(16_000); back.Rate != 16_000 {
			t.Errorf("back from %d it has %d", rate, back.Rate)
		}
	}
}

func TestEnginesFollowEachOther(t *testing.T) {
	b := commandstest.NewBench(t)
	fails := &engine{name: "broken", speak: func(context.Context, voice.Utterance) (voice.Sound, error) { return voice.Sound{}, broken },
		hear: func(context.Context, voice.Sound) (voice.Heard, error) { return voice.Heard{}, broken }}
	absent, works := &engine{name: "absent", missing: "install it"}, &engine{name: "works"}
	v, _ := newVoices(b, func(c *voice.Config) {
		c.Speakers, c.Hearers = []voice.Speaker{absent, fails, works}, []voice.Hearer{absent, fails, works}
	})
	if got, err := v.Transcribe(t.Context(), speaker, recording()); err != nil || got.Engine != "works" {
		t.Errorf("heard %+v, %v", got, err)
	}
	if err := v.Speak(t.Context(), speaker, voice.Text{Text: "Hello."}, func(voice.Part) error { return nil }); err != nil {
		t.Error(err)
	}
	happened(b, "stt_started stt_completed tts_started tts_completed")
}

// TestMarkdownIsSpokenAsWords has an engine speak what is shown, and not how it is written.
func TestMarkdownIsSpokenAsWords(t *testing.T) {
	b := commandstest.NewBench(t)
	var spoken []string
	e := &engine{name: "one", speak: func(_ context.Context, u voice.Utterance) (voice.Sound, error) {
		spoken = append(spoken, u.Text)
		return tone(10), nil
	}}
	v, _ := newVoices(b, func(c *voice.Config) { c.Speakers = []voice.Speaker{e} })
	if err := v.Speak(t.Context(), speaker, voice.Text{Text: "## Today\n\n- **Rain** at [noon](https://example.org)\n- _Sun_"}, func(voice.Part) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(spoken, "|"); got != "Today|Rain at noon|Sun" {
		t.Errorf("spoken was %q", got)
	}
}

// TestNoSignIsLeftOut asks the engine first that has words for all of a text.
func TestNoSignIsLeftOut(t *testing.T) {
	for text, want := range map[string]string{"Half a cup.": "plain", "⊕ cups.": "other", "Yes. It is ⊕ now.": "other, other"} {
		b := commandstest.NewBench(t)
		var by []string
		named := func(name string, ascii bool) *engine {
			return &engine{name: name, ascii: ascii, speak: func(context.Context, voice.Utterance) (voice.Sound, error) {
				by = append(by, name)
				return tone(10), nil
			}}
		}
		v, _ := newVoices(b, func(c *voice.Config) { c.Speakers = []voice.Speaker{named("plain", true), named("other", false)} })
		if err := v.Speak(t.Context(), speaker, voice.Text{Text: text}, func(voice.Part) error { return nil }); err != nil || strings.Join(by, ", ") != want {
			t.Errorf("%q was spoken by %q, %v, want %s", text, by, err, want)
		}
	}
}

// TestOneStartAndOneEnd tells a console of an answer once, whoever has it spoken, too.
func TestOneStartAndOneEnd(t *testing.T) {
	bridge := commands.OperatorCaller("bridge")
	for _, c := range []struct {
		name  string
		calls []voice.Text
		by    []commands.Caller
		want  int // starts and ends that are told
	}{
		{"the bridge and a client", []voice.Text{{Text: "It **rains**."}, {Text: "It rains."}}, []commands.Caller{bridge, speaker}, 2},
		{"a client and the bridge", []voice.Text{{Text: "It rains.", Session: "s", Project: "p"}, {Text: "It rains.", Session: "s", Project: "p"}}, []commands.Caller{speaker, bridge}, 2},
		{"a client in parts", []voice.Text{{Text: "It rains. It snows."}, {Text: "It rains."}, {Text: "It snows."}}, []commands.Caller{bridge, speaker, speaker}, 2},
		{"a client that plays it again", []voice.Text{{Text: "It rains."}, {Text: "It rains."}}, []commands.Caller{speaker, speaker}, 4},
		{"another text", []voice.Text{{Text: "It rains."}, {Text: "It snows."}}, []commands.Caller{bridge, speaker}, 4},
		{"another session", []voice.Text{{Text: "It rains.", Session: "a"}, {Text: "It rains.", Session: "b"}}, []commands.Caller{bridge, speaker}, 4},
	} {
		b := commandstest.NewBench(t)
		v, _ := newVoices(b, nil)
		for i, text := range c.calls {
			if err := v.Speak(t.Context(), c.by[i], text, func(voice.Part) error { return nil }); err != nil {
				t.Fatal(err)
			}
		}
		told := 0
		for _, rec := range b.Records(domain.TopicVoice) {
			types, err := domain.ConsoleTypes(rec.Envelope)
			if err != nil {
				t.Fatal(err)
			}
			told += len(types)
		}
		if told != c.want {
			t.Errorf("%s: %d starts and ends are told, want %d", c.name, told, c.want)
		}
	}
}

func TestEnginesThatFail(t *testing.T) {
	b := commandstest.NewBench(t)
	fails := &engine{name: "broken", speak: func(context.Context, voice.Utterance) (voice.Sound, error) { return voice.Sound{}, nil },
		hear: func(context.Context, voice.Sound) (voice.Heard, error) { return voice.Heard{}, broken }}
	v, kept := newVoices(b, func(c *voice.Config) { c.Speakers, c.Hearers = []voice.Speaker{fails}, []voice.Hearer{fails} })
	_, err := v.Transcribe(t.Context(), speaker, recording())
	commandstest.Refused(t, err, domain.Dependency, voice.CodeEngineFailed)
	err = v.Speak(t.Context(), speaker, voice.Text{Text: "Hello."}, func(voice.Part) error { return nil })
	commandstest.Refused(t, err, domain.Dependency, voice.CodeEngineFailed)
	happened(b, "stt_started stt_failed tts_started tts_failed")
	if len(kept.held) != 1 {
		t.Error("the recording is lost")
	}
	end, err := domain.Decode[domain.STTFailed](b.Records(domain.TopicVoice)[1].Envelope)
	if err != nil || end.Code != voice.CodeEngineFailed || end.Reason != "it died" {
		t.Errorf("recorded %+v, %v", end, err)
	}
}

func TestWithoutEngines(t *testing.T) {
	b := commandstest.NewBench(t)
	absent := &engine{name: "absent", missing: "apt-get install absent brings it", speaks: "en"}
	v, _ := newVoices(b, func(c *voice.Config) {
		c.Speakers, c.Hearers, c.Decoder = []voice.Speaker{absent}, []voice.Hearer{absent}, absent
	})
	_, err := v.Transcribe(t.Context(), speaker, recording())
	commandstest.Refused(t, err, domain.Dependency, voice.CodeNoEngine)
	if !strings.Contains(err.Error(), "apt-get install absent") {
		t.Error(err)
	}
	_, err = v.Transcribe(t.Context(), speaker, voice.Recording{Content: []byte("\x1a\x45\xdf\xa3....webm....")})
	commandstest.Refused(t, err, domain.Dependency, voice.CodeNoEngine)
	err = v.Speak(t.Context(), speaker, voice.Text{Text: "Привіт усім."}, func(voice.Part) error { return nil })
	commandstest.Refused(t, err, domain.Dependency, voice.CodeNoEngine)
	b.Count(domain.TopicAll, 0)
}

func TestSpeak(t *testing.T) {
	b := commandstest.NewBench(t)
	var said []voice.Utterance
	e := &engine{name: "one", speak: func(_ context.Context, u voice.Utterance) (voice.Sound, error) {
		said = append(said, u)
		return tone(100 * len(said)), nil
	}}
	v, _ := newVoices(b, func(c *voice.Config) { c.Speakers = []voice.Speaker{e} })
	var parts []voice.Part
	err := v.Speak(t.Context(), speaker, voice.Text{Session: "s", Text: "Hello there. How are you?", Voice: "ostap", Speed: 1_500_000}, func(p voice.Part) error {
		parts = append(parts, p)
		return nil
	})
	if err != nil || len(parts) != 2 || parts[1].Index != 1 || parts[1].Of != 2 || said[0].Text != "Hello there." || said[1].Voice.Name != "Ostap" || said[0].Language != "en" || said[0].Speed != 1_500_000 {
		t.Fatalf("it spoke %+v, %v", said, err)
	}
	happened(b, "tts_started tts_completed")
	end, err := domain.Decode[domain.TTSCompleted](b.Records(domain.TopicVoice)[1].Envelope)
	if err != nil || end.AudioMS != 300 || end.Voice != "Ostap" || end.SessionID != "s" {
		t.Errorf("recorded %+v, %v", end, err)
	}
}

func TestRefusedTexts(t *testing.T) {
	for name, c := range map[string]struct {
		text voice.Text
		code domain.Code
		says string
	}{
		"nothing":    {voice.Text{}, "invalid", "text is required"},
		"marks":      {voice.Text{Text: "?! …"}, "invalid", "nothing to pronounce"},
		"too long":   {voice.Text{Text: strings.Repeat("я", 501)}, domain.CodeTextTooLong, "501 characters, the bound is 500"},
		"no UTF-8":   {voice.Text{Text: "a\xff"}, "invalid", "UTF-8"},
		"no voice":   {voice.Text{Text: "a", Voice: "Bob"}, "invalid", "Polina"},
		"too slow":   {voice.Text{Text: "a", Speed: 1}, "invalid", "speed"},
		"too fast":   {voice.Text{Text: "a", Speed: 3 * domain.One}, "invalid", "speed"},
		"no session": {voice.Text{Text: "a", Session: strings.Repeat("s", 300)}, "invalid", "session_id"},
	} {
		b := commandstest.NewBench(t)
		v, _ := newVoices(b, nil)
		err := v.Speak(t.Context(), speaker, c.text, func(voice.Part) error { return errors.New("it was spoken") })
		if commandstest.Refused(t, err, domain.Validation, c.code); err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the error is %v", name, err)
		}
		b.Count(domain.TopicAll, 0)
	}
	b := commandstest.NewBench(t)
	v, _ := newVoices(b, nil)
	if err := v.Speak(t.Context(), speaker, voice.Text{Text: strings.Repeat("я", 500)}, func(voice.Part) error { return nil }); err != nil {
		t.Error(err)
	}
}

// TestTheCallerLeaves in the middle: what was begun has an end.
func TestTheCallerLeaves(t *testing.T) {
	b := commandstest.NewBench(t)
	ctx, leave := context.WithCancel(t.Context())
	e := &engine{name: "slow", hear: func(ctx context.Context, _ voice.Sound) (voice.Heard, error) {
		leave()
		<-ctx.Done()
		return voice.Heard{}, broken
	}}
	v, _ := newVoices(b, func(c *voice.Config) { c.Hearers = []voice.Hearer{e, e} })
	if _, err := v.Transcribe(ctx, speaker, recording()); err == nil {
		t.Error("it was heard")
	}
	gone := errors.New("gone")
	if err := v.Speak(t.Context(), speaker, voice.Text{Text: "One. Two."}, func(voice.Part) error { return gone }); !errors.Is(err, gone) {
		t.Errorf("the error is %v", err)
	}
	happened(b, "stt_started stt_failed tts_started tts_failed")
	if end, err := domain.Decode[domain.STTFailed](b.Records(domain.TopicVoice)[1].Envelope); err != nil || end.Code != "cancelled" {
		t.Errorf("recorded %+v, %v", end, err)
	}
}

// TestAHundredAtOnce: few are at work, some wait, the rest are told to come again, and every
// one that was taken in has an end.
func TestAHundredAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := commandstest.NewBench(t)
		var mu sync.Mutex
		working, most := 0, 0
		e := &engine{name: "one", hear: func(context.Context, voice.Sound) (voice.Heard, error) {
			mu.Lock()
			working++
			most = max(most, working)
			mu.Unlock()
			domaintest.Pass(time.Second)
			mu.Lock()
			working--
			mu.Unlock()
			return voice.Heard{Text: "yes", Language: "en", Confidence: domain.One}, nil
		}}
		v, _ := newVoices(b, func(c *voice.Config) { c.Hearers, c.AtOnce, c.Waiting = []voice.Hearer{e}, 2, 8 })
		var all sync.WaitGroup
		heard, busy := 0, 0
		for range 100 {
			all.Go(func() {
				_, err := v.Transcribe(t.Context(), speaker, recording())
				mu.Lock()
				defer mu.Unlock()
				switch {
				case err == nil:
					heard++
				case domain.CodeOf(err) == voice.CodeBusy && domain.IsRetriable(err):
					busy++
				default:
					t.Error(err)
				}
			})
		}
		all.Wait()
		if heard != 10 || busy != 90 || most != 2 {
			t.Errorf("%d were heard, %d refused, %d at once", heard, busy, most)
		}
		b.Count(domain.TopicVoice, 20)
	})
}

// TestPatience: what has no end is ended, and who waits too long is told.
func TestPatience(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := commandstest.NewBench(t)
		slow := &domain.Error{Category: domain.Dependency, Code: voice.CodeEngineSlow, Retriable: true, Message: "killed"}
		e := &engine{name: "hangs", hear: func(ctx context.Context, _ voice.Sound) (voice.Heard, error) {
			<-ctx.Done()
			return voice.Heard{}, slow
		}}
		v, _ := newVoices(b, func(c *voice.Config) {
			c.Hearers, c.AtOnce, c.Patience, c.QueueFor = []voice.Hearer{e}, 1, time.Minute, time.Second
		})
		var all sync.WaitGroup
		codes := map[domain.Code]int{}
		var mu sync.Mutex
		for range 2 {
			all.Go(func() {
				_, err := v.Transcribe(t.Context(), speaker, recording())
				mu.Lock()
				defer mu.Unlock()
				codes[domain.CodeOf(err)]++
			})
		}
		all.Wait()
		if codes[voice.CodeEngineSlow] != 1 || codes[voice.CodeBusy] != 1 {
			t.Errorf("they ended as %v", codes)
		}
		b.Count(domain.TopicVoice, 4)
	})
}

// TestRecover ends what a killed process left open, and nothing else, once.
func TestRecover(t *testing.T) {
	b := commandstest.NewBench(t)
	v, _ := newVoices(b, nil)
	if _, err := v.Transcribe(t.Context(), speaker, recording()); err != nil {
		t.Fatal(err)
	}
	for _, started := range []func(id domain.ID) (domain.Entry, error){
		func(id domain.ID) (domain.Entry, error) {
			return domain.New(domain.Begin(domain.TraceID{ID: id}, "ada"), id, 1, "api", domain.STTStarted{SessionID: "s", MediaType: "audio/wav"})
		},
		func(id domain.ID) (domain.Entry, error) {
			return domain.New(domain.Begin(domain.TraceID{ID: id}, "ada"), id, 1, "api", domain.TTSStarted{Text: "Hello", Voice: "default"})
		},
	} {
		entry, err := started(b.IDs.NewID())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := b.Log.Append(t.Context(), domain.Batch{Entries: []domain.Entry{entry}}); err != nil {
			t.Fatal(err)
		}
	}
	for range 2 {
		if err := v.Recover(t.Context()); err != nil {
			t.Fatal(err)
		}
		happened(b, "stt_started stt_completed stt_started tts_started stt_failed tts_failed")
	}
}

// TestMessageAfterSpeech: a message that says what was heard has it as its parent.
func TestMessageAfterSpeech(t *testing.T) {
	s := commandstest.NewStage(t)
	b := s.Bench
	v, _ := newVoices(b, nil)
	heard, err := v.Transcribe(t.Context(), speaker, recording())
	if err != nil {
		t.Fatal(err)
	}
	transcript := b.Records(domain.TopicVoice)[1].Envelope.ID
	say := func(text string, h message.Heard) domain.Envelope {
		t.Helper()
		id, err := s.Messages.SayHeard(t.Context(), speaker, domain.MessageReceived{Text: text}, h)
		if err != nil {
			t.Fatal(err)
		}
		rec, err := b.Log.Find(t.Context(), id)
		if err != nil || rec.Envelope.Trace.ID != id {
			t.Fatalf("it opens the trace %v, %v", rec.Envelope.Trace, err)
		}
		return rec.Envelope
	}
	if e := say("Add milk.", message.Heard{Session: "s"}); e.Parent != transcript {
		t.Errorf("its parent is %v", e.Parent)
	}
	if e := say("Add  milk", message.Heard{Session: "s"}); e.Parent != transcript {
		t.Errorf("said again its parent is %v", e.Parent)
	}
	if e := say("Add oat milk.", message.Heard{Session: "s"}); !e.Parent.IsZero() {
		t.Errorf("of other words the parent is %v", e.Parent)
	}
	if e := say("Add milk.", message.Heard{}); !e.Parent.IsZero() {
		t.Errorf("in another session the parent is %v", e.Parent)
	}
	if e := say("Something else.", message.Heard{STT: heard.ID}); e.Parent != transcript {
		t.Errorf("named exactly it is %v", e.Parent)
	}
	id, err := s.Messages.Say(t.Context(), speaker, domain.MessageReceived{Text: "Add milk.", Conversation: domain.ConversationName{Session: "s"}})
	if err != nil {
		t.Fatal(err)
	}
	if rec, err := b.Log.Find(t.Context(), id); err != nil || rec.Envelope.Parent != transcript {
		t.Errorf("in the conversation of that session its parent is %v, %v", rec.Envelope.Parent, err)
	}
	b.Clock.Advance(61 * time.Second)
	if e := say("Add milk.", message.Heard{Session: "s"}); !e.Parent.IsZero() {
		t.Errorf("after a minute the parent is %v", e.Parent)
	}
	for _, id := range []domain.ID{transcript, b.IDs.NewID()} {
		_, err := s.Messages.SayHeard(t.Context(), speaker, domain.MessageReceived{Text: "a"}, message.Heard{STT: id})
		commandstest.Refused(t, err, domain.Validation, "invalid")
	}
	_, err = s.Messages.SayHeard(t.Context(), commands.Caller{Name: "other", Source: "other", Principal: "other"}, domain.MessageReceived{Text: "a"}, message.Heard{STT: heard.ID})
	commandstest.Refused(t, err, domain.Validation, "invalid")
}

// FuzzWAV holds whatever comes to being refused, or to being as long as it says.
func FuzzWAV(f *testing.F) {
	f.Add(tone(10).WAV())
	f.Add(tone(10).WAV()[:60])
	f.Add(voice.StreamHeader(8000))
	f.Add([]byte("RIFF\x14\x00\x00\x00WAVELIST\xf0\xff\xff\xffabcd"))
	f.Fuzz(func(t *testing.T, content []byte) {
		s, err := voice.ReadWAV(content)
		if err != nil {
			if domain.CategoryOf(err) != domain.Validation {
				t.Fatalf("the error is %v", err)
			}
			return
		}
		if s.Millis() > domain.MaxAudioMillis || len(s.PCM) == 0 || s.At(16_000).Millis() > s.Millis()+1 {
			t.Fatalf("%d bytes became %d ms", len(content), s.Millis())
		}
		if again, err := voice.ReadWAV(s.WAV()); err != nil || !bytes.Equal(again.PCM, s.PCM) {
			t.Fatalf("written it is not read again: %v", err)
		}
	})
}
