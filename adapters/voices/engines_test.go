package voices

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"chalie/commands/voice"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// playsEngine is the variable that has this test's program play an engine.
const playsEngine = "CHALIE_PLAYS_ENGINE"

func TestMain(m *testing.M) {
	switch how := os.Getenv(playsEngine); {
	case how == "":
		os.Exit(m.Run())
	case how == "die":
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	case how == "complain":
		fmt.Fprintln(os.Stderr, "first\nno such voice")
		os.Exit(3)
	case strings.HasPrefix(how, "hang"):
		hangs(how)
	case how == "flood":
		block := []byte(strings.Repeat("x", 1<<16))
		for {
			if _, err := os.Stdout.Write(block); err != nil {
				os.Exit(1)
			}
		}
	case strings.HasPrefix(how, "leave"):
		leaves(how)
	case how == "pipe":
		if err := syscall.Mkfifo("out.wav", 0o600); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	case how == "silent":
		os.Exit(0)
	case how == "environment":
		fmt.Fprintln(os.Stdout, strings.Join(append(os.Environ(), os.Args...), "\n"))
		os.Exit(0)
	}
}

// hangs leaves its process id and that of a child that hangs, too, in a file, and goes on for
// ever, whatever it is told.
func hangs(how string) {
	_, note, _ := strings.Cut(how, "=")
	child := exec.Command("sleep", "3600")
	child.Stdout = os.Stdout // held open
	if err := child.Start(); err != nil {
		os.Exit(1)
	}
	if err := os.WriteFile(note+".part", fmt.Appendf(nil, "%d %d", os.Getpid(), child.Process.Pid), 0o600); err != nil {
		os.Exit(1)
	}
	if err := os.Rename(note+".part", note); err != nil {
		os.Exit(1)
	}
	select {}
}

// leaves ends well, but for a child in a session of its own that holds its output open.
func leaves(how string) {
	_, note, _ := strings.Cut(how, "=")
	child := exec.Command("sleep", "3600")
	child.Stdout, child.SysProcAttr = os.Stdout, &syscall.SysProcAttr{Setsid: true}
	if child.Start() != nil || os.WriteFile(note, []byte(strconv.Itoa(child.Process.Pid)), 0o600) != nil {
		os.Exit(1)
	}
	os.Exit(0)
}

// played is a program that behaves in a way, with a folder to work in.
func played(t *testing.T, how string) Program {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Program{Path: self, Dir: t.TempDir(), Env: []string{playsEngine + "=" + how}}
}

// leftNothing holds a program to having removed its folder.
func (p Program) leftNothing(t *testing.T) {
	t.Helper()
	left, err := os.ReadDir(p.Dir)
	if err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}

func hello() voice.Utterance {
	return voice.Utterance{Text: "Hello.", Language: "en", Voice: voice.Timbres()[0], Speed: domain.One}
}

func TestEnginesThatFail(t *testing.T) {
	for how, c := range map[string]struct {
		code domain.Code
		says string
	}{
		"die":      {voice.CodeEngineFailed, "espeak-ng died"},
		"complain": {voice.CodeEngineFailed, "espeak-ng ended with 3 (no such voice)"},
		"flood":    {voice.CodeEngineFailed, "espeak-ng wrote more than 32 MiB"},
		"silent":   {voice.CodeEngineFailed, "espeak-ng wrote no WAV"},
	} {
		t.Run(how, func(t *testing.T) {
			p := played(t, how)
			_, err := Espeak{p}.Speak(t.Context(), hello())
			if domain.CodeOf(err) != c.code || !domain.IsRetriable(err) || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "apt-get install") {
				t.Errorf("the error is %v", err)
			}
			p.leftNothing(t)
		})
	}
}

// TestAnEngineThatHangs is killed with its whole group, and waited for.
func TestAnEngineThatHangs(t *testing.T) {
	for name, end := range map[string]struct {
		code domain.Code
		how  func(context.Context) (context.Context, context.CancelFunc)
	}{
		"its time is over":    {voice.CodeEngineSlow, late},
		"nobody waits for it": {"cancelled", context.WithCancel},
	} {
		t.Run(name, func(t *testing.T) {
			note := filepath.Join(t.TempDir(), "note")
			p := played(t, "hang="+note)
			ctx, cancel := end.how(t.Context())
			ended := make(chan error, 1)
			go func() {
				_, err := Flite{p}.Speak(ctx, hello())
				ended <- err
			}()
			domaintest.Until(t, "it hangs", func() bool { _, err := os.Stat(note); return err == nil })
			cancel()
			err := <-ended
			if domain.CodeOf(err) != end.code || !domain.IsRetriable(err) {
				t.Errorf("the error is %v", err)
			}
			text, err := os.ReadFile(note)
			if err != nil {
				t.Fatal(err)
			}
			for field := range strings.FieldsSeq(string(text)) {
				pid, err := strconv.Atoi(field)
				if err != nil {
					t.Fatal(err)
				}
				domaintest.Until(t, "the process has ended", func() bool { return isGone(pid) })
			}
			p.leftNothing(t)
		})
	}
}

// What an engine leaves open is waited for no longer than the engine.
func TestWhatAnEngineLeavesOpen(t *testing.T) {
	t.Run("its output", func(t *testing.T) {
		note := filepath.Join(t.TempDir(), "note")
		_, err := Espeak{played(t, "leave="+note)}.Speak(t.Context(), hello())
		text, noteErr := os.ReadFile(note)
		if noteErr != nil {
			t.Fatal(noteErr)
		}
		pid, noteErr := strconv.Atoi(string(text))
		if noteErr != nil || syscall.Kill(pid, syscall.SIGKILL) != nil {
			t.Errorf("%s isn't there any more", text)
		}
		if domain.CodeOf(err) != voice.CodeEngineFailed {
			t.Errorf("the error is %v", err)
		}
	})
	t.Run("a pipe in place of its file", func(t *testing.T) {
		p := played(t, "pipe")
		if _, err := (Flite{p}).Speak(t.Context(), hello()); domain.CodeOf(err) != voice.CodeEngineFailed || !strings.Contains(err.Error(), "left nothing that can be read") {
			t.Errorf("the error is %v", err)
		}
		p.leftNothing(t)
	})
}

// isGone reports whether a killed process is gone, or a corpse that its new parent has still to
// bury: the engine's own child isn't ours to wait for.
func isGone(pid int) bool {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || strings.Contains(string(stat), ") Z ") || syscall.Kill(pid, 0) != nil
}

// late is a context whose time is over when it is cancelled.
func late(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	return endsWith{ctx, context.DeadlineExceeded}, cancel
}

// endsWith is a context whose end has an error of the test's choice.
type endsWith struct {
	context.Context
	err error
}

func (e endsWith) Err() error {
	if e.Context.Err() == nil {
		return nil
	}
	return e.err
}

// Value hides the context within, by which others would find its own error.
func (e endsWith) Value(any) any { return nil }

// TestChildrenGetNothing of the environment, and no text as an argument.
func TestChildrenGetNothing(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-secret")
	p := played(t, "environment")
	task := task{known: espeakProgram, path: p.Path, dir: p.Dir, env: p.Env, args: func(string) []string { return []string{"--stdin"} }, input: []byte("private words")}
	output, err := task.run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"sk-secret", "private", os.Getenv("HOME") + "\n"} {
		if strings.Contains(string(output), secret) {
			t.Errorf("%q is in\n%s", secret, output)
		}
	}
	if !strings.Contains(string(output), "HOME="+p.Dir) {
		t.Errorf("its home is not its own folder:\n%s", output)
	}
	p.leftNothing(t)
}

// TestMissingEngines name the command that brings them.
func TestMissingEngines(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for engine, want := range map[voice.Engine]string{
		Flite{}.Engine():           "flite isn't installed: apt-get install flite brings it",
		Espeak{}.Engine():          "espeak-ng isn't installed: apt-get install espeak-ng brings it",
		FFmpeg{}.Engine():          "ffmpeg isn't installed: apt-get install ffmpeg brings it",
		(&PocketSphinx{}).Engine(): "pocketsphinx_continuous isn't installed: apt-get install pocketsphinx pocketsphinx-en-us brings it",
		(&PocketSphinx{Program: Program{Path: "/bin/true"}, Model: t.TempDir()}).Engine(): "the English model of pocketsphinx isn't installed: apt-get install pocketsphinx-en-us brings it",
	} {
		if engine.Missing != want {
			t.Errorf("of %s it says %q", engine.Name, engine.Missing)
		}
	}
	_, err := Flite{}.Speak(t.Context(), hello())
	if domain.CodeOf(err) != voice.CodeNoEngine || !strings.Contains(err.Error(), "apt-get install flite") {
		t.Errorf("the error is %v", err)
	}
}

// TestVoices speaks with every timbre and at three speeds, in English and Ukrainian.
func TestVoices(t *testing.T) {
	flite, espeak := Flite{}, Espeak{}
	needs(t, flite.Engine(), espeak.Engine())
	for _, v := range voice.Timbres() {
		for _, c := range []struct {
			speaker        voice.Speaker
			language, text string
		}{{flite, "en", "This is a sentence to be measured."}, {espeak, "uk", "Це речення, яке треба виміряти."}} {
			var lengths []int64
			for _, speed := range []domain.PPM{domain.MinVoiceSpeed, domain.One, domain.MaxVoiceSpeed} {
				sound, err := c.speaker.Speak(t.Context(), voice.Utterance{Text: c.text, Language: c.language, Voice: v, Speed: speed})
				if err != nil {
					t.Fatalf("%s by %s: %v", v.Name, c.speaker.Engine().Name, err)
				}
				lengths = append(lengths, sound.Millis())
			}
			if lengths[0] <= lengths[1] || lengths[1] <= lengths[2] || lengths[2] < 300 {
				t.Errorf("%s by %s lasts %d ms, slowly, as usual and fast", v.Name, c.speaker.Engine().Name, lengths)
			}
		}
	}
}

// TestEspeakKnowsItsVoices holds the table of languages to what is installed.
func TestEspeakKnowsItsVoices(t *testing.T) {
	espeak := Espeak{}
	needs(t, espeak.Engine())
	for language := range espeakVoices {
		u := hello()
		u.Language, u.Text = language, "1 2 3"
		if sound, err := espeak.Speak(t.Context(), u); err != nil || sound.Millis() < 200 {
			t.Errorf("in %s it speaks %d ms, %v", language, sound.Millis(), err)
		}
	}
}

// TestTextIsNoMarkup: what an engine would take for phonemes or tags is read as words.
func TestTextIsNoMarkup(t *testing.T) {
	if got := string(spokenText("a [[h@'loU]] <speak>b</speak>\x00\nc")); strings.ContainsAny(got, "[]<>\x00") || !strings.HasSuffix(got, "c\n") {
		t.Errorf("it is %q", got)
	}
}

// webm is a sound as a browser records it.
func webm(t testing.TB, s voice.Sound) []byte {
	t.Helper()
	cmd := exec.Command("ffmpeg", "-loglevel", "error", "-i", "pipe:0", "-c:a", "libopus", "-b:a", "16k", "-f", "webm", "pipe:1")
	cmd.Stdin = strings.NewReader(string(s.WAV()))
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestWebM(t *testing.T) {
	flite, ffmpeg, sphinx := Flite{}, FFmpeg{}, &PocketSphinx{}
	needs(t, flite.Engine(), ffmpeg.Engine(), sphinx.Engine())
	u := hello()
	u.Text = "Add milk to the shopping list."
	said, err := flite.Speak(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	content := webm(t, said)
	sound, err := ffmpeg.Decode(t.Context(), content, time.Minute)
	if err != nil || sound.Rate != heardRate || max(sound.Millis()-said.Millis(), said.Millis()-sound.Millis()) > 100 {
		t.Fatalf("%d ms became %d ms at %d, %v", said.Millis(), sound.Millis(), sound.Rate, err)
	}
	heard, err := sphinx.Hear(t.Context(), sound, voice.Vocabulary{})
	if err != nil || heard.Text != "add milk to the shopping list" {
		t.Errorf("heard %+v, %v", heard, err)
	}
	for name, bad := range map[string][]byte{"junk behind the beginning": append(content[:60:60], 1, 2, 3), "a playlist": []byte("\x1a\x45\xdf\xa3webm\n#EXTM3U\nfile:///etc/passwd\n")} {
		_, err := ffmpeg.Decode(t.Context(), bad, time.Minute)
		if domain.CategoryOf(err) != domain.Validation || !strings.Contains(err.Error(), "record it again") {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	// An hour of silence is a few bytes, and is read for no more than was asked for.
	minute := filepath.Join(t.TempDir(), "minute.webm")
	if err := os.WriteFile(minute, webm(t, voice.Sound{Rate: 8000, PCM: make([]byte, 2*8000*60)}), 0o600); err != nil {
		t.Fatal(err)
	}
	hour, err := exec.Command("ffmpeg", "-loglevel", "error", "-stream_loop", "59", "-i", minute, "-c", "copy", "-f", "webm", "pipe:1").Output()
	if err != nil {
		t.Fatal(err)
	}
	sound, err = ffmpeg.Decode(t.Context(), hour, 61*time.Second)
	if err != nil || sound.Millis() > 61_000 || sound.Millis() < 60_900 {
		t.Errorf("an hour in %d bytes became %d ms, %v", len(hour), sound.Millis(), err)
	}
}

// TestHearing is about times and about nothing to be heard.
func TestHearing(t *testing.T) {
	flite, sphinx := Flite{}, &PocketSphinx{}
	needs(t, flite.Engine(), sphinx.Engine())
	u := hello()
	u.Text = "Set a timer for twenty minutes."
	first, err := flite.Speak(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	u.Text = "Add milk to the shopping list."
	second, err := flite.Speak(t.Context(), u)
	if err != nil {
		t.Fatal(err)
	}
	const pause = 2000
	both := voice.Sound{Rate: first.Rate}
	both.PCM = append(append(append(both.PCM, first.PCM...), make([]byte, 2*first.Rate*pause/1000)...), second.PCM...)
	heard, err := sphinx.Hear(t.Context(), both, voice.Vocabulary{})
	if err != nil {
		t.Fatal(err)
	}
	if heard.Text != "set a timer for twenty minutes add milk to the shopping list" || heard.Confidence < voice.DefaultConfident || len(heard.Segments) != 2 {
		t.Fatalf("heard %+v", heard)
	}
	a, b := heard.Segments[0], heard.Segments[1]
	if a.Text != "set a timer for twenty minutes" || a.StartMS > 600 || a.EndMS > first.Millis()+200 || b.StartMS < first.Millis()+pause-300 || b.EndMS > both.Millis() {
		t.Errorf("%d ms, a pause of %d and %d ms are %+v", first.Millis(), pause, second.Millis(), heard.Segments)
	}
	noise, x := voice.Sound{Rate: 16_000}, uint32(1)
	for range 16_000 * 4 {
		x = x*1664525 + 1013904223
		noise.PCM = append(noise.PCM, byte(x>>16), byte(int32(x)>>28))
	}
	if heard, err := sphinx.Hear(t.Context(), noise, voice.Vocabulary{}); err != nil || heard.Confidence >= voice.DefaultConfident {
		t.Errorf("in noise it heard %+v, %v", heard, err)
	}
	silence, err := sphinx.Hear(t.Context(), voice.Sound{Rate: 16_000, PCM: make([]byte, 2*16_000*5)}, voice.Vocabulary{})
	if err != nil || silence.Text != "" || silence.Confidence != 0 {
		t.Errorf("in silence it heard %+v, %v", silence, err)
	}
}
