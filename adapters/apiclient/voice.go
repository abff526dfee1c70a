package apiclient

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"

	"chalie/adapters/api"
	"chalie/domain"
)

// Speak has a text spoken and returns its WAV as it comes, which the caller closes.
func (c *Client) Speak(ctx context.Context, in api.SpeechRequest) (io.ReadCloser, error) {
	resp, err := c.ask(ctx, http.MethodPost, "/api/voice/tts", nil, in)
	if err != nil {
		return nil, err
	}
	return resp.Body, nil
}

// Transcribe has a WAV heard, in a session.
func (c *Client) Transcribe(ctx context.Context, wav []byte, session string) (api.Transcript, error) {
	const path = "/api/voice/stt"
	var out api.Transcript
	target := c.base + path + "?" + url.Values{"session_id": {session}}.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(wav))
	if err != nil {
		return out, domain.Invalid("POST "+path, "", err.Error())
	}
	req.Header.Set("Content-Type", "audio/wav")
	resp, err := c.http.Do(req)
	if err != nil {
		return out, unreachable("POST "+path, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return out, refusal("POST "+path, resp)
	}
	if err := json.NewDecoder(resp.Body).Decode(&out); err != nil {
		return out, unreadable("POST "+path, err)
	}
	return out, nil
}

// SayHeard is Say for what was heard in a session.
func (c *Client) SayHeard(ctx context.Context, text, session string) (domain.ID, error) {
	told, err := call[api.MessageTaken](ctx, c, http.MethodPost, "/api/messages", nil, api.Message{Text: text, Source: domain.SaidByVoice, Spoken: api.Spoken{SessionID: session}})
	return told.MessageID.ID, err
}

// ForgetAudio removes a recording.
func (c *Client) ForgetAudio(ctx context.Context, id domain.ID) error {
	_, err := call[api.OK](ctx, c, http.MethodDelete, "/api/voice/stt/"+id.UUID()+"/audio", nil, nil)
	return err
}
