package domain

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of speech, which are those of the voice contract.
const (
	MaxSpokenRunes = 500      // of a text that is to be spoken
	MaxAudioBytes  = 10 << 20 // of a recording
	MaxAudioMillis = 60_000
	MinVoiceSpeed  = One / 2
	MaxVoiceSpeed  = 2 * One
)

// SpokenFor are the bounds within which a message is taken for the one that was heard.
const SpokenFor = 60_000 // ms

// STTStarted says that a recording came in and is about to be heard. It opens an episode; its
// id is the stt_id. The recording stands beside the log under the keyed hash of its content.
type STTStarted struct {
	SessionID string `json:"session_id"`
	ProjectID string `json:"project_id"`
	Hash      string `json:"hash"`       // HMAC-SHA-256 under the audio folder's own key, hex
	MediaType string `json:"media_type"` // as found in the content, whatever the sender said
	Bytes     int64  `json:"bytes"`
}

// STTCompleted is what was heard in a recording.
type STTCompleted struct {
	SessionID  string      `json:"session_id"`
	ProjectID  string      `json:"project_id"`
	Text       string      `json:"text"`     // "" when nothing was heard
	Language   string      `json:"language"` // ISO 639-1
	Segments   []VoiceSpan `json:"segments"`
	Confidence PPM         `json:"confidence"`
	Repeat     bool        `json:"repeat"` // it is below the bound: the speaker was asked to say it again
	Engine     string      `json:"engine"`
	AudioMS    int64       `json:"audio_ms"`
	ElapsedMS  int64       `json:"elapsed_ms"` // since voice.stt_started
}

// VoiceSpan is a part of what was heard, with its time in the recording.
type VoiceSpan struct {
	Text       string `json:"text"`
	StartMS    int64  `json:"start_ms"`
	EndMS      int64  `json:"end_ms"`
	Confidence PPM    `json:"confidence"`
}

// STTFailed says why a recording wasn't heard.
type STTFailed struct {
	SessionID string `json:"session_id"`
	ProjectID string `json:"project_id"`
	Code      Code   `json:"code"`
	Reason    string `json:"reason"` // in words for a person
	ElapsedMS int64  `json:"elapsed_ms"`
}

// TTSStarted says that a text is about to be spoken. It opens an episode.
type TTSStarted struct {
	SessionID string `json:"session_id"`
	ProjectID string `json:"project_id"`
	Text      string `json:"text"`
	Voice     string `json:"voice"` // as the contract names it
	Speed     PPM    `json:"speed"`
	Language  string `json:"language"` // ISO 639-1
	Sentences int    `json:"sentences"`
}

// TTSCompleted says that all of a text was spoken and handed over.
type TTSCompleted struct {
	SessionID string `json:"session_id"`
	ProjectID string `json:"project_id"`
	Voice     string `json:"voice"`
	Engine    string `json:"engine"`
	AudioMS   int64  `json:"audio_ms"`
	FirstMS   int64  `json:"first_ms"`   // until the first sentence could be heard
	ElapsedMS int64  `json:"elapsed_ms"` // since voice.tts_started
}

// TTSFailed says why a text wasn't spoken, or not to its end.
type TTSFailed struct {
	SessionID string `json:"session_id"`
	ProjectID string `json:"project_id"`
	Voice     string `json:"voice"`
	Code      Code   `json:"code"`
	Reason    string `json:"reason"`
	Spoken    int    `json:"spoken"` // sentences before
	ElapsedMS int64  `json:"elapsed_ms"`
}

// AudioForgotten says that a recording was removed, and with it the same one uploaded at
// other times. What was heard in it stays.
type AudioForgotten struct {
	STTID ID `json:"stt_id"`
}

// Check returns a validation error about a recording that is out of bounds.
func (s STTStarted) Check() error {
	const op = "check audio"
	if s.Bytes > MaxAudioBytes {
		return &Error{Op: op, Category: Validation, Code: CodeTooLarge, Field: "audio",
			Message: fmt.Sprintf("the audio has %d bytes, the bound is %d: send a shorter recording, or several", s.Bytes, MaxAudioBytes)}
	}
	return CheckVoiceSession(op, s.SessionID, s.ProjectID)
}

// CheckVoiceSession returns a validation error about names that are out of bounds.
func CheckVoiceSession(op, session, project string) error {
	for _, f := range []struct{ name, value string }{{"session_id", session}, {"project_id", project}} {
		switch {
		case len(f.value) > MaxNameBytes:
			return tooLong(op, f.name, len(f.value), MaxNameBytes)
		case !utf8.ValidString(f.value):
			return Invalid(op, f.name, f.name+" is not valid UTF-8")
		case hasControl(f.value):
			return Invalid(op, f.name, f.name+" has control characters: use those that can be read")
		}
		if err := checkSeen(op, f.name, f.value); err != nil {
			return err
		}
	}
	return nil
}

// CheckAudioLength returns a validation error about a recording that is too long.
func CheckAudioLength(ms int64) error {
	if ms <= MaxAudioMillis {
		return nil
	}
	return &Error{Op: "check audio", Category: Validation, Code: CodeTooLarge, Field: "audio",
		Message: fmt.Sprintf("the audio is %d s long, the bound is %d s: send it in parts", (ms+999)/1000, MaxAudioMillis/1000)}
}

// Check returns a validation error that names the field and what it must be.
func (s TTSStarted) Check() error {
	const op = "check speech"
	switch n := utf8.RuneCountInString(s.Text); {
	case !utf8.ValidString(s.Text):
		return Invalid(op, "text", "the text is not valid UTF-8")
	case isBlank(s.Text):
		return Invalid(op, "text", "text is required: say what is to be spoken")
	case n > MaxSpokenRunes:
		return &Error{Op: op, Category: Validation, Code: CodeTextTooLong, Field: "text",
			Message: fmt.Sprintf("the text has %d characters, the bound is %d: split it and ask for each part", n, MaxSpokenRunes)}
	case !strings.ContainsFunc(s.Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }):
		return Invalid(op, "text", "there is nothing to pronounce in the text: give it a letter or a number")
	case s.Speed < MinVoiceSpeed || s.Speed > MaxVoiceSpeed:
		return Invalid(op, "speed", fmt.Sprintf("speed is %s: give %s to %s, where 1 is as usual", s.Speed, MinVoiceSpeed, MaxVoiceSpeed))
	}
	return CheckVoiceSession(op, s.SessionID, s.ProjectID)
}

// CodeTextTooLong says that a text is longer than can be spoken at once.
const CodeTextTooLong Code = "text_too_long"

// VoiceKey finds what was heard in a session of a caller. It is a pseudonym: keys are in the
// log in clear, and a session's name may tell who speaks.
func VoiceKey(who Principal, session string) Key {
	sum := sha256.Sum256([]byte(string(who) + "\x00" + session))
	return "voice/" + Key(hex.EncodeToString(sum[:16]))
}

// SpokenAgain marks the start and the end of a text that is spoken for another caller already in
// the same session. A console is told of one start and one end for each answer, or a client that
// opens its microphone at the first end would hear the second.
const SpokenAgain Key = "voice/again"

// SaysTheSame reports whether a message says what was heard, whatever its capitals, marks
// and spaces.
func SaysTheSame(said, heard string) bool {
	plain := func(text string) string {
		return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
			return r != '\'' && r != '’' && !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r)
		}), " ")
	}
	one := plain(said)
	return one != "" && one == plain(heard)
}
