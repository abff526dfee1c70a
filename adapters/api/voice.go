package api

import "chalie/domain"

// Spoken says where a message's words were heard. Without it the session is the conversation's.
type Spoken struct {
	SessionID string `json:"session_id,omitempty" doc:"The session in which it may have been spoken, the conversation's unless said: the last transcript of it, within a minute and with the same words, is what caused the message."`
	STTID     string `json:"stt_id,omitempty" format:"uuid" doc:"The recording in which it was heard, exactly."`
}

// Transcript is what was heard in a recording.
type Transcript struct {
	Text       string    `json:"text" doc:"Empty when nothing was heard, or not surely enough: then repeat is true."`
	Language   string    `json:"language" doc:"ISO 639-1."`
	Segments   []Segment `json:"segments"`
	Confidence float64   `json:"confidence" doc:"0 to 1."`
	Repeat     bool      `json:"repeat" doc:"It wasn't heard surely enough: have say spoken, and record again."`
	Say        string    `json:"say,omitempty" doc:"Words that ask to repeat it, in the language of the recording."`
	Heard      string    `json:"heard,omitempty" doc:"With repeat: what it may have been."`
	STTID      UUID      `json:"stt_id" doc:"The recording: a message's stt_id, and the trace in the log."`
	SessionID  string    `json:"session_id"`
	ProjectID  string    `json:"project_id"`
	ElapsedMS  int64     `json:"elapsed_ms"`
}

// Segment is a part of what was heard.
type Segment struct {
	ID         int     `json:"id"`
	Start      float64 `json:"start" doc:"Seconds from the recording's beginning."`
	End        float64 `json:"end"`
	Text       string  `json:"text"`
	Confidence float64 `json:"confidence"`
}

// SpeechRequest asks for a text to be spoken.
type SpeechRequest struct {
	Text      string   `json:"text" doc:"At most 500 characters. Its letters and words decide the language."`
	Voice     string   `json:"voice,omitempty" doc:"The timbre: default, Polina, Ostap, Milena or Yuri."`
	Speed     *float64 `json:"speed,omitempty" doc:"0.5 to 2; 1 unless said."`
	SessionID string   `json:"session_id,omitempty"`
	ProjectID string   `json:"project_id,omitempty"`
}

func voiceRoutes() []Route {
	const most = domain.MaxAudioBytes + 64*kib
	audio := []string{"audio/wav", "audio/webm"}
	form := []string{"multipart/form-data"}
	return []Route{
		{Name: "transcribeChat", Method: post, Path: "/voice/transcribe", Who: Browsers, Summary: "Hear a recording of a web chat",
			Detail: "As the field file of a form. Otherwise as POST /api/voice/stt, in the conversation that none is named for.",
			Body:   Body{Most: most, Media: append(form, audio...)}, Answers: ok(Transcript{}), Refuses: []int{415, 429}},
		{Name: "speakChat", Method: post, Path: "/voice/synthesize", Who: Browsers, Summary: "Speak a text of a web chat",
			Detail: "As POST /api/voice/tts.",
			Body:   json(16*kib, SpeechRequest{}), Answers: []Answer{{Status: 200, Media: audio[:1]}}, Refuses: []int{429}},
		{Name: "transcribe", Method: post, Path: "/api/voice/stt", Who: Consoles, Summary: "Hear a recording",
			Detail: "As the field audio of a form, or as the body with its own type: WAV, or WebM with Opus. At most 10 MiB and 60 s. A token has to name voice or console among its types. 20 a minute for each address.",
			Query:  []Param{text("session_id", "The conversation's; it stands in the records."), text("project_id", "Likewise.")},
			Body:   Body{Most: most, Media: append(form, audio...)}, Answers: ok(Transcript{}), Refuses: []int{415, 429}},
		{Name: "speak", Method: post, Path: "/api/voice/tts", Who: Consoles, Summary: "Speak a text",
			Detail: "One sentence comes as a WAV with a true header and a Content-Length; of more the header names no sizes (0xFFFFFFFF), and each sentence is sent as it is spoken. A token has to name voice or console among its types. 30 a minute for each address.",
			Body:   json(16*kib, SpeechRequest{}), Answers: []Answer{{Status: 200, Media: audio[:1]}}, Refuses: []int{429}},
		{Name: "audio", Method: get, Path: "/api/voice/stt/{id}/audio", Who: Operator, Summary: "A recording as it came", ID: "The recording's stt_id.",
			Detail:  "404 says that there never was one, 410 that it was forgotten or its file is lost.",
			Answers: []Answer{{Status: 200, Media: audio}}, Refuses: []int{410}},
		{Name: "forgetAudio", Method: remove, Path: "/api/voice/stt/{id}/audio", Who: Operator, Summary: "Forget a recording", ID: "The recording's stt_id.",
			Detail: "Its file is removed, with what was sent again of the same. What was heard stays in the log.", Answers: ok(OK{})},
	}
}
