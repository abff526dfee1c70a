package narrate

import (
	"fmt"
	"strings"

	"chalie/domain"
)

// spoken is the events of speech.
var spoken = map[domain.EventType]Entry{
	domain.STTStartedType: event[domain.STTStarted]{
		Kind: "Recording", Lead: "%s spoke:", From: arrived, Bare: true,
		Line: func(p domain.STTStarted) string {
			return fmt.Sprintf("%s, %s", p.MediaType, Counted(uint64(p.Bytes), "byte", "bytes"))
		},
		LabelOf: func(s Sent, p domain.STTStarted) string {
			return fmt.Sprintf("%s sent a recording, %s", s.sender(""), p.MediaType)
		},
		Clause: func(s Scene, _ domain.STTStarted) Phrase {
			return Sayf("%s sent %s", s.Sender("somebody"), About(s.Record(), "a recording"))
		},
	}.entry(),
	domain.STTCompletedType: event[domain.STTCompleted]{
		Kind: "Transcript", Lead: "Chalie heard:", From: origin{OriginGiven, "it is what an engine heard in a recording"},
		Line: func(p domain.STTCompleted) string {
			line := fmt.Sprintf("%s (%s, %s, sure to %s)", heardText(p), p.Engine, p.Language, p.Confidence)
			if p.Repeat {
				line += ", and asked to repeat it"
			}
			return line
		},
		Labelled: func(p domain.STTCompleted) string { return "heard: " + heardText(p) },
		Subject:  "Chalie",
		Clause: func(s Scene, p domain.STTCompleted) Phrase {
			if strings.TrimSpace(p.Text) == "" {
				return Sayf("Chalie heard nothing in %s", About(s.Record(), "the recording"))
			}
			return Sayf("Chalie heard %s in the recording, sure to %s", s.Quote(), p.Confidence.String())
		},
	}.entry(),
	domain.STTFailedType: event[domain.STTFailed]{
		Kind: "Recording", Lead: "A recording could not be heard:", From: origin{OriginGiven, "it depends on an engine outside"},
		Line:     func(p domain.STTFailed) string { return p.Reason },
		Labelled: func(p domain.STTFailed) string { return "could not hear it: " + p.Reason },
		Subject:  "Chalie",
	}.entry(),
	domain.TTSStartedType: event[domain.TTSStarted]{
		Kind: "Speech", Lead: "%s had spoken:", From: arrived, Bare: true,
		Line: func(p domain.TTSStarted) string { return fmt.Sprintf("%s (%s, %s)", p.Text, p.Language, p.Voice) },
		LabelOf: func(s Sent, p domain.TTSStarted) string {
			return fmt.Sprintf("%s had it spoken: %s", s.sender(""), p.Text)
		},
		Clause: func(s Scene, _ domain.TTSStarted) Phrase {
			return Sayf("%s had %s spoken", s.Sender("somebody"), s.Quote())
		},
	}.entry(),
	domain.TTSCompletedType: event[domain.TTSCompleted]{
		Kind: "Speech", Lead: "A text was spoken:", From: origin{OriginGiven, "it is what an engine spoke"},
		Line: func(p domain.TTSCompleted) string {
			return fmt.Sprintf("%d.%01d s by %s, the first sentence after %d ms", p.AudioMS/1000, p.AudioMS%1000/100, p.Engine, p.FirstMS)
		},
		Labelled: func(p domain.TTSCompleted) string { return "spoke it with " + p.Engine },
		Subject:  "Chalie",
	}.entry(),
	domain.TTSFailedType: event[domain.TTSFailed]{
		Kind: "Speech", Lead: "A text could not be spoken:", From: origin{OriginGiven, "it depends on an engine outside"},
		Line:     func(p domain.TTSFailed) string { return p.Reason },
		Labelled: func(p domain.TTSFailed) string { return "could not speak it: " + p.Reason },
		Subject:  "Chalie",
	}.entry(),
	domain.AudioForgottenType: event[domain.AudioForgotten]{
		Kind: "Recording", Lead: "A recording was forgotten", From: byPerson,
		Line:  func(p domain.AudioForgotten) string { return "the audio of " + p.STTID.UUID() },
		Label: "you had a recording forgotten",
	}.entry(),
}

func heardText(p domain.STTCompleted) string {
	if strings.TrimSpace(p.Text) == "" {
		return "(nothing)"
	}
	return p.Text
}
