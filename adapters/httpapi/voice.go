package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"chalie/adapters/api"
	"chalie/commands/limit"
	"chalie/commands/message"
	"chalie/commands/voice"
	"chalie/domain"
)

// The contract's limits, for each address and sliding minute.
const (
	heardPerMinute  = 20
	spokenPerMinute = 30
	sentPerMinute   = 30
)

// addressLimits count what was accepted of each address. A restart forgets them: an address is
// nothing to keep in a log.
type addressLimits struct{ heard, spoken, sent *limit.Limiter }

func newAddressLimits() addressLimits {
	return addressLimits{limit.NewLimiter(heardPerMinute), limit.NewLimiter(spokenPerMinute), limit.NewLimiter(sentPerMinute)}
}

func voiceHandlers() handlers {
	return handlers{"transcribe": (*exchange).transcribe, "speak": (*exchange).speak, "transcribeChat": (*exchange).transcribeChat, "speakChat": (*exchange).speak, "audio": (*exchange).audio, "forgetAudio": (*exchange).forgetAudio}
}

// voiced is the use case; with an error for a caller whose token doesn't name it.
func (x *exchange) voiced(what string) (*voice.Voices, error) {
	if x.api.cfg.Voices == nil {
		return nil, notRunning(what)
	}
	if console, ok := x.caller.Console(); ok {
		x.caller = console
	} else if !x.caller.Has(voice.Scope) {
		return nil, &domain.Error{Op: what, Category: domain.Policy, Code: "scope_not_permitted",
			Message: fmt.Sprintf("%s may not use voice: ask the operator for a token that names %s among its types, such as `chalie token issue NAME --signals %s`, or, for an interface that named it when it paired, to approve it with `chalie interfaces approve NAME`", x.caller.Name, voice.Scope, voice.Scope)}
	}
	return x.api.cfg.Voices, nil
}

// place is the address that limits count by. A host with one IPv6 address has a whole /64 of
// them; all callers on the Unix socket are one.
func (x *exchange) place() domain.Principal {
	addr := x.client()
	switch {
	case x.trusted || !addr.IsValid():
		return "socket"
	case addr.Is6() && !addr.Is4In6():
		if network, err := addr.Prefix(64); err == nil {
			return domain.Principal(network.String())
		}
	}
	return domain.Principal(addr.Unmap().String())
}

// within runs one use within a limit. What was refused as the caller's mistake costs
// nothing; what an engine worked on does.
func (x *exchange) within(l *limit.Limiter, op, what string, use func() error) error {
	who, now := x.place(), domain.MillisOf(x.api.cfg.Clock.Now())
	granted, wait := l.Reserve(who, 1, now)
	if granted == 0 {
		return l.TooMany(op, what, wait)
	}
	err := use()
	if category := domain.CategoryOf(err); category == domain.Validation || domain.CodeOf(err) == voice.CodeBusy || domain.CodeOf(err) == voice.CodeNoEngine {
		l.Release(who, 1)
	} else {
		l.Settle(who, 1, now)
	}
	return err
}

// audioUpload is how a recording is sent.
var audioUpload = upload{
	op: "read audio", field: "audio", thing: "the audio", none: "no audio came", several: "the form has several recordings: send each with a request of its own",
	most: domain.MaxAudioBytes, prefixes: []string{"audio/", "video/webm"},
	how: "send a form (multipart/form-data) with the field audio, or the recording itself as audio/wav or audio/webm",
}

// chatAudioUpload is how a web chat sends one.
var chatAudioUpload = func() upload {
	u := audioUpload
	u.field, u.how = "file", "send a form (multipart/form-data) with the field file, or the recording itself as audio/wav or audio/webm"
	return u
}()

// transcribe is POST /api/voice/stt.
func (x *exchange) transcribe() error { return x.transcribeSent(audioUpload) }

// transcribeChat is POST /voice/transcribe.
func (x *exchange) transcribeChat() error { return x.transcribeSent(chatAudioUpload) }

func (x *exchange) transcribeSent(by upload) error {
	voices, err := x.voiced("hear")
	if err != nil {
		return err
	}
	q := x.query()
	r := voice.Recording{Session: q.values.Get("session_id"), Project: q.values.Get("project_id")}
	if err := x.checkVoiceSession(r.Project, r.Session); err != nil {
		return err
	}
	return x.within(x.api.limits.heard, "hear", "recordings", func() error {
		if r.Content, err = x.sent(by); err != nil {
			return err
		}
		heard, err := voices.Transcribe(x.r.Context(), x.caller, r)
		if err != nil {
			return err
		}
		return x.answer(http.StatusOK, transcriptBody(heard))
	})
}

func transcriptBody(t voice.Transcript) api.Transcript {
	out := api.Transcript{
		Text: t.Text, Language: t.Language, Segments: []api.Segment{}, Confidence: t.Confidence.Float(), Repeat: t.Repeat,
		STTID: api.UUID{ID: t.ID}, SessionID: t.SessionID, ProjectID: t.ProjectID, ElapsedMS: t.ElapsedMS,
	}
	if t.Repeat {
		// A client that doesn't look at repeat must not act on what may have been misheard.
		out.Text, out.Heard, out.Say = "", t.Text, voice.AskToRepeat(t.Language)
	}
	for i, s := range t.Segments {
		const second = 1000
		out.Segments = append(out.Segments, api.Segment{ID: i, Start: float64(s.StartMS) / second, End: float64(s.EndMS) / second, Text: s.Text, Confidence: s.Confidence.Float()})
	}
	return out
}

// partPatience is how long a client may take to read one sentence.
const partPatience = time.Minute

// speak is POST /api/voice/tts, and POST /voice/synthesize. The header of a WAV has room for its size before its samples: of
// one sentence it is known, and true. Of several nobody knows it before the last is spoken, and
// the first shouldn't wait for that.
func (x *exchange) speak() error {
	voices, err := x.voiced("speak")
	if err != nil {
		return err
	}
	return x.within(x.api.limits.spoken, "speak", "texts", func() error {
		var in api.SpeechRequest
		if err := x.read(&in); err != nil {
			return err
		}
		if err := x.checkVoiceSession(in.ProjectID, in.SessionID); err != nil {
			return err
		}
		t := voice.Text{Session: in.SessionID, Project: in.ProjectID, Text: in.Text, Voice: in.Voice}
		if in.Speed != nil {
			// 0 isn't unsaid but too slow.
			t.Speed = max(1, domain.PPMOf(min(*in.Speed, 1000)))
		}
		return voices.Speak(x.r.Context(), x.caller, t, x.sendPart)
	})
}

// sendPart writes the sound of one sentence as soon as it is there.
func (x *exchange) sendPart(p voice.Part) error {
	content := p.PCM
	if p.Index == 0 {
		h := x.w.Header()
		h.Set("Content-Type", "audio/wav")
		if p.Of == 1 {
			content = p.WAV()
			h.Set("Content-Length", strconv.Itoa(len(content)))
		} else {
			content = append(voice.StreamHeader(p.Rate), content...)
		}
		x.begun = true
		x.w.WriteHeader(http.StatusOK)
	}
	stream := http.NewResponseController(x.w)
	// Without a connection, as in tests, there is no deadline to set, and nothing to flush.
	_ = stream.SetWriteDeadline(time.Now().Add(partPatience))
	if _, err := x.w.Write(content); err != nil {
		return &domain.Error{Op: "speak", Category: domain.Dependency, Code: "cancelled", Retriable: true, Err: err, Message: "the caller left before all was spoken"}
	}
	_ = stream.Flush()
	return nil
}

// audio is GET /api/voice/stt/:id/audio. It is served as what was found in it, and can do
// nothing.
func (x *exchange) audio() error {
	if x.api.cfg.Voices == nil {
		return notRunning("play a recording")
	}
	id, err := parseID("id", x.params.ByName("id"))
	if err != nil {
		return err
	}
	content, media, err := x.api.cfg.Voices.Audio(x.r.Context(), id)
	if err != nil {
		return err
	}
	h := x.w.Header()
	h.Set("Content-Type", media)
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Content-Length", strconv.Itoa(len(content)))
	x.begun = true
	x.w.WriteHeader(http.StatusOK)
	_, _ = x.w.Write(content)
	return nil
}

// forgetAudio is DELETE /api/voice/stt/:id/audio.
func (x *exchange) forgetAudio() error {
	if x.api.cfg.Voices == nil {
		return notRunning("forget a recording")
	}
	id, err := parseID("id", x.params.ByName("id"))
	if err != nil {
		return err
	}
	if err := x.api.cfg.Voices.Forget(x.r.Context(), x.caller, id); err != nil {
		return err
	}
	return x.answer(http.StatusOK, api.OK{OK: true})
}

// heardIn is where a message says that its words were heard.
func heardIn(in api.Spoken) (heard message.Heard, err error) {
	heard.Session = in.SessionID
	if in.STTID != "" {
		heard.STT, err = parseID("stt_id", in.STTID)
	}
	return heard, err
}
