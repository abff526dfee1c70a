package main

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/adapters/sysclock"
	"chalie/adapters/voices"
	"chalie/commands/voice"
)

// hasEngines skips where speech can't be tried; on CI it can.
func hasEngines(t testing.TB) {
	t.Helper()
	for _, e := range []voice.Engine{voices.Flite{}.Engine(), voices.Espeak{}.Engine(), (&voices.PocketSphinx{}).Engine(), voices.FFmpeg{}.Engine()} {
		switch {
		case e.Missing == "":
		case os.Getenv("CI") != "":
			t.Fatalf("on CI every engine is there: %s", e.Missing)
		default:
			t.Skipf("not without every engine: %s", e.Missing)
		}
	}
}

// TestDemoVoice speaks, hears, answers and shows the trace. What is kept of it is decided
// again as it was.
func TestDemoVoice(t *testing.T) {
	hasEngines(t)
	tempFolder(t)
	c, out, errOut := testConsole()
	show := shown(t, c, filepath.Join(t.TempDir(), "data"))
	show.Voice = true
	if err := show.Run(t.Context()); err != nil || errOut.String() != "" {
		t.Fatalf("%v\n%s", err, errOut)
	}
	for _, want := range []string{"add milk and eggs to the shopping list", "On the list shopping: milk, eggs", "voice.stt_completed", "└ message.received", "That came by voice", "Please say it again", "forgotten"} {
		if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want) {
			t.Errorf("it doesn't tell %q:\n%s", want, out)
		}
	}
	log, err := pebblelog.Open(pebblelog.Config{Dir: logFolder(show.Data), Clock: sysclock.Clock{}, ReadOnly: true, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	if err := diverging(replayed(t, log)); err != nil {
		t.Error(err)
	}
}

// TestWithoutEngines: speech alone is missed, and /health says how it comes.
func TestWithoutEngines(t *testing.T) {
	program, err := exec.LookPath("chalie")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(program))
	data := filepath.Join(t.TempDir(), "data")
	left := filepath.Join(data, "voice", "chalie-voice-1")
	if err := os.MkdirAll(left, 0o700); err != nil {
		t.Fatal(err)
	}
	v := startVictim(t, data)
	v.ready()
	if _, err := os.Stat(left); !os.IsNotExist(err) {
		t.Errorf("what an engine of a killed process left is still there: %v", err)
	}
	own := registerKeyed(t, v.setup)
	health := v.wants(http.StatusOK, "GET", "/health", "", own...)
	for _, want := range []string{"apt-get install flite ", "apt-get install espeak-ng ", "apt-get install pocketsphinx pocketsphinx-en-us ", "apt-get install ffmpeg "} {
		if !strings.Contains(health, want) {
			t.Errorf("/health doesn't say %q: %s", want, health)
		}
	}
	if said := v.wants(http.StatusServiceUnavailable, "POST", "/api/voice/tts", `{"text":"Hello."}`, own...); !strings.Contains(said, "no_engine") || !strings.Contains(said, "apt-get install flite") {
		t.Errorf("it answers %s", said)
	}
	v.wants(http.StatusAccepted, "POST", "/api/messages", `{"text":"hello"}`, own...)
	v.stop()
}

// TestSpeechOfAServer asks servers of one's own before this machine's programs.
func TestSpeechOfAServer(t *testing.T) {
	sound := voice.Sound{Rate: 16_000, PCM: make([]byte, 32_000)}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/audio/speech":
			_, _ = w.Write(sound.WAV())
		case "/v1/audio/transcriptions":
			_, _ = w.Write([]byte(`{"text":"Доброго ранку","language":"ukrainian"}`))
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	v := startVictim(t, filepath.Join(t.TempDir(), "data"), "--tts", "openai:kokoro@"+server.URL, "--stt", "openai:whisper@"+server.URL)
	v.ready()
	if said := v.wants(http.StatusOK, "POST", "socket:/api/voice/tts", `{"text":"Привіт."}`); len(said) < 32_000 {
		t.Errorf("it speaks %d bytes", len(said))
	}
	heard := v.wants(http.StatusOK, "POST", "socket:/api/voice/stt?session_id=s", string(sound.WAV()), "Content-Type: audio/wav")
	if !strings.Contains(heard, `"text":"Доброго ранку","language":"uk"`) {
		t.Errorf("it heard %s", heard)
	}
	if log := v.chalie("log", "--topic", "voice"); !strings.Contains(log, "openai/kokoro") || !strings.Contains(log, "openai/whisper") {
		t.Errorf("the log says\n%s", log)
	}
	v.stop()
}
