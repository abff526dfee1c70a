package httpapi_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"chalie/commands/voice"
	"chalie/domain"
	"chalie/domain/domaintest"
)

// mouth speaks and hears as a test has it. A sentence sounds as long as it has letters.
type mouth struct {
	mu    sync.Mutex
	said  []voice.Utterance
	hears string
	sure  domain.PPM
	hold  chan struct{} // each sentence but the first waits for it
	fail  error

	missing string // what to do before it can be used
}

func (m *mouth) Engine() voice.Engine                 { return voice.Engine{Name: "mouth", Missing: m.missing} }
func (m *mouth) Speaks(_, _ string) (knows, all bool) { return true, true }

func (m *mouth) Speak(_ context.Context, u voice.Utterance) (voice.Sound, error) {
	m.mu.Lock()
	m.said = append(m.said, u)
	first := len(m.said) == 1
	m.mu.Unlock()
	if m.hold != nil && !first {
		<-m.hold
		if m.fail != nil {
			return voice.Sound{}, m.fail
		}
	}
	return voice.Sound{Rate: 16_000, PCM: make([]byte, 2*len(u.Text))}, nil
}

func (m *mouth) Hear(context.Context, voice.Sound, voice.Vocabulary) (voice.Heard, error) {
	return voice.Heard{Text: m.hears, Language: "en", Confidence: m.sure, Segments: []domain.VoiceSpan{{Text: m.hears, StartMS: 250, EndMS: 1500, Confidence: m.sure}}}, nil
}

func (m *mouth) Vocabulary(context.Context, bool) voice.Vocabulary { return voice.Vocabulary{} }

// spoken is a recording.
func spoken() string { return string(voice.Sound{Rate: 16_000, PCM: make([]byte, 32_000)}.WAV()) }

// record sends a recording in a form.
func (b *bench) record(query string, opts ...with) told {
	b.t.Helper()
	body, contentType := form(b.t, part{"audio", "blob", "audio/wav", spoken()})
	return b.call("POST", "/api/voice/stt"+query, body, append(opts, header("Content-Type", contentType))...)
}

const sayHello = `{"text":"Hello there.","voice":"default","speed":1.0,"session_id":"s","project_id":"p"}`

func TestHear(t *testing.T) {
	b := newBench(t, settings{})
	b.mouth.hears, b.mouth.sure = "add milk", 900_000
	program := b.token("aistalk", `["voice"]`)
	var out struct {
		STTID string `json:"stt_id"`
	}
	b.record("?session_id=s1&project_id=aistalk", bearer(program)).wants(200,
		`"text":"add milk"`, `"language":"en"`, `"segments":[{"id":0,"start":0.25,"end":1.5,"text":"add milk","confidence":0.9}]`, `"repeat":false`, `"session_id":"s1"`, `"project_id":"aistalk"`).read(&out)
	b.call("POST", "/api/voice/stt?session_id=s1", spoken(), bearer(program), header("Content-Type", "audio/wav")).wants(200, `"text":"add milk"`)
	b.holds(domain.TopicVoice, 4)
	b.call("POST", "/api/messages", `{"text":"Add milk.","session_id":"s1"}`, bearer(program)).wants(202)
	b.call("POST", "/api/messages", `{"text":"Add milk, I said.","stt_id":"`+out.STTID+`"}`, bearer(program)).wants(202)
	b.call("POST", "/api/messages", `{"text":"Add milk.","stt_id":"`+b.ids.NewID().UUID()+`"}`, bearer(program)).wants(400, "stt_id")
	b.call("POST", "/api/messages", `{"text":"Add milk.","stt_id":"seven"}`, bearer(program)).wants(400, "stt_id")
	heard, said := b.records(domain.TopicVoice), b.records(domain.TopicMessages)
	if said[0].Envelope.Parent != heard[3].Envelope.ID || said[1].Envelope.Parent != heard[1].Envelope.ID {
		t.Errorf("the messages' parents are %v and %v", said[0].Envelope.Parent, said[1].Envelope.Parent)
	}
}

// A web chat that isn't Chalie's own asks whether there is voice, and sends what was said and what it reads
// aloud by its cookie.
func TestVoiceOfAWebChat(t *testing.T) {
	b := newBench(t, settings{})
	session := b.settled()
	chat := alone(session)
	b.mouth.hears, b.mouth.sure = "add milk", 900_000
	b.call("GET", "/voice/health", "", chat).wants(200, `{"status":"ok"}`)
	body, contentType := form(t, part{"file", "recording.wav", "audio/wav", spoken()})
	b.call("POST", "/voice/transcribe", body, chat, header("Content-Type", contentType)).wants(200, `"text":"add milk"`)
	other, otherType := form(t, part{"audio", "recording.wav", "audio/wav", spoken()})
	b.call("POST", "/voice/transcribe", other, chat, header("Content-Type", otherType)).wants(400, "the form has no field file")
	b.call("POST", "/voice/synthesize", `{"text":"Milk is on the list."}`, chat).wants(200, "RIFF")
	if u := b.mouth.said[0]; u.Text != "Milk is on the list." {
		t.Errorf("it spoke %+v", u)
	}
	program := bearer(b.token("aistalk", `["voice"]`))
	for _, path := range []string{"/voice/transcribe", "/voice/synthesize"} {
		b.call("POST", path, `{"text":"a"}`, program).wants(403, "operator_only")
		b.call("POST", path, `{"text":"a"}`, chat, header("Origin", "http://localhost:3000")).wants(403)
		b.call("POST", path, `{"text":"a"}`).wants(401)
	}

	b.mouth.missing = "install it"
	b.call("GET", "/voice/health", "", chat).wants(200, `{"status":"unavailable"}`)
}

func TestHearUnsurely(t *testing.T) {
	b := newBench(t, settings{})
	b.mouth.hears, b.mouth.sure = "at milk", 300_000
	b.record("", bearer(b.token("aistalk", `["voice"]`))).wants(200, `"text":""`, `"repeat":true`, `"heard":"at milk"`, `"say":"I didn't catch that. Please say it again."`)
}

func TestRecordingsAreKeptAndForgotten(t *testing.T) {
	b := newBench(t, settings{})
	b.mouth.hears, b.mouth.sure = "add milk", 900_000
	program := b.token("aistalk", `["voice"]`)
	var out struct {
		STTID string `json:"stt_id"`
	}
	b.record("", bearer(program)).wants(200).read(&out)
	path := "/api/voice/stt/" + out.STTID + "/audio"
	b.call("GET", path, "", bearer(program)).wants(403)
	got := b.socket("GET", path, "").wants(200)
	if got.body != spoken() || got.header.Get("Content-Type") != "audio/wav" || got.header.Get("Content-Security-Policy") == "" {
		t.Errorf("it comes back as %d bytes, %v", len(got.body), got.header)
	}
	b.socket("DELETE", path, "").wants(200)
	b.socket("DELETE", path, "").wants(200)
	b.socket("GET", path, "").wants(410, "forgotten")
	b.socket("GET", "/api/voice/stt/"+b.ids.NewID().UUID()+"/audio", "").wants(404)
	b.socket("GET", "/api/voice/stt/seven/audio", "").wants(400)
	b.holds(domain.TopicVoice, 3)
}

func TestBadRecordings(t *testing.T) {
	b := newBench(t, settings{})
	program := bearer(b.token("aistalk", `["voice"]`))
	empty, emptyType := form(t, part{"audio", "", "audio/wav", ""})
	other, otherType := form(t, part{"sound", "", "audio/wav", spoken()})
	two, twoType := form(t, part{"audio", "", "audio/wav", spoken()}, part{"audio", "", "audio/wav", spoken()})
	for name, c := range map[string]struct {
		body, contentType string
		status            int
		says              string
	}{
		"nothing":             {"", "audio/wav", 400, "empty"},
		"an empty field":      {empty, emptyType, 400, "empty"},
		"another field":       {other, otherType, 400, "no field audio"},
		"two":                 {two, twoType, 400, "several recordings"},
		"a form cut off":      {two[:1000], twoType, 400, "ended early"},
		"JSON":                {"{}", "application/json", 415, "can't be sent as application/json"},
		"no type":             {spoken(), "", 400, "Content-Type"},
		"a text as audio":     {"hello", "audio/wav", 415, "no WAV or WebM"},
		"a header that lies":  {spoken()[:1000], "audio/wav", 400, "not true of its content"},
		"WebM without ffmpeg": {"\x1a\x45\xdf\xa3....webm....", "audio/webm", 503, "send a WAV instead"},
		"too much":            {strings.Repeat("x", domain.MaxAudioBytes+100<<10), "audio/wav", 413, "10485760"},
		"a byte too much":     {strings.Repeat("x", domain.MaxAudioBytes+1), "audio/wav", 413, "10485760"},
	} {
		t.Run(name, func(t *testing.T) {
			b.call("POST", "/api/voice/stt", c.body, program, header("Content-Type", c.contentType)).wants(c.status, c.says)
		})
	}
	b.record("?session_id="+strings.Repeat("s", 300), program).wants(400, "session_id")
	b.holds(domain.TopicVoice, 0)
}

func TestSpeakOneSentence(t *testing.T) {
	b := newBench(t, settings{})
	program := bearer(b.token("aistalk", `["voice"]`))
	got := b.call("POST", "/api/voice/tts", sayHello, program).wants(200)
	want := string(voice.Sound{Rate: 16_000, PCM: make([]byte, 2*len("Hello there."))}.WAV())
	if got.body != want || got.header.Get("Content-Length") != fmt.Sprint(len(want)) || got.header.Get("Content-Type") != "audio/wav" {
		t.Errorf("it is %d bytes, %v", len(got.body), got.header)
	}
	if u := b.mouth.said[0]; u.Language != "en" || u.Voice.Name != "default" || u.Speed != domain.One {
		t.Errorf("it spoke %+v", u)
	}
	b.call("POST", "/api/voice/tts", `{"text":"Привіт!","voice":"Ostap","speed":0.75}`, program).wants(200)
	if u := b.mouth.said[1]; u.Language != "uk" || u.Voice.Name != "Ostap" || u.Speed != 750_000 {
		t.Errorf("it spoke %+v", u)
	}
	b.call("POST", "/api/voice/tts", `{"text":"`+strings.Repeat("я", 501)+`"}`, program).wants(400, `"text_too_long"`, "501 characters, the bound is 500")
	b.call("POST", "/api/voice/tts", `{"text":"a","speed":0}`, program).wants(400, "speed")
	b.call("POST", "/api/voice/tts", `{"text":"a","speed":1e300}`, program).wants(400, "speed")
	b.call("POST", "/api/voice/tts", `{"text":"a","voice":"Bob"}`, program).wants(400, "default, Polina, Ostap, Milena, Yuri")
	b.call("POST", "/api/voice/tts", `{"text":""}`, program).wants(400, "text is required")
	b.holds(domain.TopicVoice, 4)
}

// TestSpeakSentenceBySentence reads the first while the second isn't spoken yet.
func TestSpeakSentenceBySentence(t *testing.T) {
	for name, fail := range map[string]error{"to its end": nil, "an engine dies": &domain.Error{Category: domain.Dependency, Code: voice.CodeEngineFailed, Message: "it died"}} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, settings{})
			b.mouth.hold, b.mouth.fail = make(chan struct{}), fail
			server := httptest.NewServer(b.api.API.TrustedHandler())
			defer server.Close()
			resp, err := http.Post(server.URL+"/api/voice/tts", "application/json", strings.NewReader(`{"text":"One sentence. Two?"}`))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = resp.Body.Close() }()
			begin := make([]byte, 44+2*len("One sentence."))
			if _, err := readFull(resp.Body, begin); err != nil {
				t.Fatal(err)
			}
			if resp.ContentLength != -1 || binary.LittleEndian.Uint32(begin[4:]) != 0xffffffff || binary.LittleEndian.Uint32(begin[40:]) != 0xffffffff {
				t.Errorf("%d bytes are announced, and the header is %q", resp.ContentLength, begin[:44])
			}
			close(b.mouth.hold)
			rest := make([]byte, 2*len("Two?")+1)
			n, err := readFull(resp.Body, rest)
			switch {
			case fail == nil && (n != len(rest)-1 || err == nil || !strings.Contains(err.Error(), "EOF")):
				t.Errorf("%d bytes follow, %v", n, err)
			case fail != nil && (n != 0 || err == nil):
				t.Errorf("%d bytes follow, %v", n, err)
			}
			b.must(b.group.WaitFor(t.Context(), b.log.Tail()))
			wanted := domain.TTSCompletedType
			if fail != nil {
				wanted = domain.TTSFailedType
			}
			// The end is recorded behind the last byte.
			domaintest.Until(t, "it ended", func() bool { return len(b.records(domain.TopicVoice)) == 2 })
			if got := b.records(domain.TopicVoice)[1].Envelope.Type; got != wanted {
				t.Errorf("it ended with %s", got)
			}
		})
	}
}

func readFull(from interface{ Read([]byte) (int, error) }, into []byte) (n int, err error) {
	for n < len(into) && err == nil {
		var more int
		more, err = from.Read(into[n:])
		n += more
	}
	if n == len(into) {
		return n, nil
	}
	return n, err
}

func TestVoiceScope(t *testing.T) {
	b := newBench(t, settings{})
	anything, weather := b.token("any", "[]"), b.token("station", `["weather"]`)
	for _, token := range []string{anything, weather} {
		b.call("POST", "/api/voice/tts", sayHello, bearer(token)).wants(403, "scope_not_permitted", "token issue NAME")
		b.record("", bearer(token)).wants(403, "scope_not_permitted")
	}
	b.call("POST", "/api/voice/tts", sayHello).wants(401)
	b.record("").wants(401)
	b.socket("POST", "/api/voice/tts", sayHello).wants(200)
}

// TestVoiceRates are counted by address; what was the caller's mistake costs nothing.
func TestVoiceRates(t *testing.T) {
	b := newBench(t, settings{})
	b.mouth.hears, b.mouth.sure = "yes", domain.One
	program := bearer(b.token("aistalk", `["voice"]`))
	for range 20 {
		b.call("POST", "/api/voice/stt", "junk", program, header("Content-Type", "audio/wav")).wants(415)
		b.record("", program).wants(200)
	}
	for range 30 {
		b.call("POST", "/api/voice/tts", `{"text":""}`, program).wants(400)
		b.call("POST", "/api/voice/tts", sayHello, program).wants(200)
	}
	for _, got := range []told{b.record("", program), b.call("POST", "/api/voice/tts", sayHello, program)} {
		got.wants(429, `"rate_limited"`, "in the last minute")
		if got.header.Get("Retry-After") == "" {
			t.Error("it doesn't say when to come again")
		}
	}
	b.record("", program, from("192.0.2.7:5000")).wants(200)
	b.clock.Advance(61 * time.Second)
	b.record("", program).wants(200)
	b.call("POST", "/api/voice/tts", sayHello, program).wants(200)
}

// TestAHundredRecordings at once are heard or told to come again, and each that was taken in
// has an end.
func TestAHundredRecordings(t *testing.T) {
	b := newBench(t, settings{})
	b.mouth.hears, b.mouth.sure = "yes", domain.One
	program := bearer(b.token("aistalk", `["voice"]`))
	var all sync.WaitGroup
	var mu sync.Mutex
	status := map[int]int{}
	for i := range 100 {
		all.Go(func() {
			got := b.record("", program, from(fmt.Sprintf("192.0.2.%d:5000", i)))
			mu.Lock()
			defer mu.Unlock()
			status[got.status]++
		})
	}
	all.Wait()
	if status[200] == 0 || status[200]+status[503] != 100 {
		t.Errorf("they were answered %v", status)
	}
	b.holds(domain.TopicVoice, 2*status[200])
	if bytes.Contains(b.records(domain.TopicVoice)[0].Envelope.Payload.Bytes, []byte("RIFF")) {
		t.Error("audio is in the log")
	}
}
