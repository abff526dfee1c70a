package models_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"chalie/adapters/models"
	"chalie/commands/voice"
	"chalie/domain"
)

const speechKey = "sk-a-secret-of-some-length"

// speech is a client of a local server.
func speech(t *testing.T, model string, answers ...answered) (*models.Speech, *provider) {
	t.Helper()
	p := newProvider(t, answers...)
	choice, err := models.ParseChoice("openai:" + model + "@" + p.URL)
	if err != nil {
		t.Fatal(err)
	}
	choice.Key = models.NewSecret(speechKey)
	s, err := models.NewSpeech(choice)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s, p
}

func saysText(status int, text string) answered {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		fmt.Fprint(w, text)
	}
}

var beep = voice.Sound{Rate: 24_000, PCM: make([]byte, 48_000)}

func TestSpeechSpeaks(t *testing.T) {
	streamed := string(voice.StreamHeader(24_000)) + string(beep.PCM)
	s, p := speech(t, "tts-1", saysText(200, string(beep.WAV())), saysText(200, streamed))
	for _, v := range voice.Timbres()[1:3] {
		sound, err := s.Speak(t.Context(), voice.Utterance{Text: "Привіт.", Language: "uk", Voice: v, Speed: 1_500_000})
		if err != nil || sound.Rate != 24_000 || len(sound.PCM) != len(beep.PCM) {
			t.Fatalf("%d bytes at %d, %v", len(sound.PCM), sound.Rate, err)
		}
	}
	asked := p.questions()
	var q map[string]any
	if err := json.Unmarshal([]byte(asked[0].body), &q); err != nil {
		t.Fatal(err)
	}
	if asked[0].path != "/v1/audio/speech" || asked[0].header.Get("Authorization") != "Bearer "+speechKey ||
		q["model"] != "tts-1" || q["input"] != "Привіт." || q["voice"] != "nova" || q["speed"] != 1.5 || q["response_format"] != "wav" {
		t.Errorf("it was asked %+v", asked[0])
	}
	if !strings.Contains(asked[1].body, `"onyx"`) {
		t.Errorf("it was asked %s", asked[1].body)
	}
	if knows, all := s.Speaks("uk", "Привіт ½"); !knows || !all || s.Engine().Name != "openai/tts-1" || s.Engine().Missing != "" {
		t.Errorf("it is %+v", s.Engine())
	}
}

func TestSpeechHears(t *testing.T) {
	verbose := `{"text":" Add milk. ","language":"english","segments":[{"start":0.5,"end":99,"text":" Add milk.","avg_logprob":-0.105,"no_speech_prob":0.0}]}`
	s, p := speech(t, "whisper-1", saysText(200, verbose), saysText(200, `{"text":"","language":"uk","segments":[]}`))
	heard, err := s.Hear(t.Context(), beep, voice.Vocabulary{Names: []string{"Luigi's", "Chalie"}})
	if err != nil || heard.Text != "Add milk." || heard.Language != "en" || len(heard.Segments) != 1 || heard.Segments[0].StartMS != 500 || heard.Segments[0].EndMS != 1000 || heard.Confidence.String() != "0.90" {
		t.Errorf("heard %+v, %v", heard, err)
	}
	q := p.questions()[0]
	_, params, err := mime.ParseMediaType(q.header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	form, err := multipart.NewReader(strings.NewReader(q.body), params["boundary"]).ReadForm(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	file, err := form.File["file"][0].Open()
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(file)
	if err != nil || !bytes.Equal(content, beep.WAV()) || q.path != "/v1/audio/transcriptions" {
		t.Errorf("it was sent %d bytes to %s, %v", len(content), q.path, err)
	}
	if v := form.Value; v["model"][0] != "whisper-1" || v["response_format"][0] != "verbose_json" || v["prompt"][0] != "Luigi's, Chalie" {
		t.Errorf("the fields are %v", v)
	}
	if nothing, err := s.Hear(t.Context(), beep, voice.Vocabulary{}); err != nil || nothing.Text != "" || nothing.Confidence != 0 || nothing.Language != "uk" {
		t.Errorf("heard %+v, %v", nothing, err)
	}
	plain, _ := speech(t, "gpt-4o-transcribe", saysText(200, `{"text":"Yes."}`))
	if heard, err := plain.Hear(t.Context(), beep, voice.Vocabulary{}); err != nil || heard.Text != "Yes." || heard.Confidence != domain.One {
		t.Errorf("heard %+v, %v", heard, err)
	}
}

func TestSpeechFails(t *testing.T) {
	for name, c := range map[string]struct {
		answer    answered
		retriable bool
		says      string
	}{
		"it is busy":      {saysText(503, `{"error":{"message":"later"}}`), true, "later"},
		"a wrong key":     {saysText(401, `{"error":{"message":"bad key `+speechKey+`"}}`), false, "check the key"},
		"a key told":      {saysText(400, `{"error":{"message":"bad key `+speechKey+`"}}`), false, "(secret)"},
		"no WAV, no JSON": {saysText(200, "<html>"), true, "no "},
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := speech(t, "x", c.answer)
			_, spoke := s.Speak(t.Context(), voice.Utterance{Text: "a", Speed: domain.One})
			_, heard := s.Hear(t.Context(), beep, voice.Vocabulary{})
			for _, err := range []error{spoke, heard} {
				if domain.CodeOf(err) != voice.CodeEngineFailed || domain.CategoryOf(err) != domain.Dependency || domain.IsRetriable(err) != c.retriable || strings.Contains(err.Error(), speechKey) || !strings.Contains(err.Error(), c.says) {
					t.Errorf("the error is %v", err)
				}
			}
		})
	}
	for _, choice := range []string{"anthropic:claude", "openai:whisper-1"} {
		c, err := models.ParseChoice(choice)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := models.NewSpeech(c); domain.CategoryOf(err) != domain.Validation {
			t.Errorf("%s: the error is %v", choice, err)
		}
	}
}
