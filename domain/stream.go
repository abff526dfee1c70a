package domain

import (
	"fmt"
	"strings"
)

// StreamAdded makes Chalie listen to a broadcast. Its id is the stream's.
type StreamAdded struct {
	URL    string `json:"url"`    // ws or wss
	Source string `json:"source"` // of its signals that name none
}

// StreamRemoved makes it stop.
type StreamRemoved struct {
	StreamID ID `json:"stream_id"`
}

// MaxStreams bounds how many broadcasts are listened to at once.
const MaxStreams = 64

// Check returns a validation error that names the field.
func (s StreamAdded) Check() error {
	const op = "check stream"
	rest, plain := strings.CutPrefix(s.URL, "ws://")
	if !plain {
		rest, plain = strings.CutPrefix(s.URL, "wss://")
	}
	host, _, _ := strings.Cut(rest, "/")
	switch {
	case !plain || host == "" || strings.ContainsAny(host, "@?#") || strings.ContainsFunc(s.URL, unprintable):
		return Invalid(op, "url", "url must be that of a WebSocket, such as ws://127.0.0.1:9000/stream, without user and password")
	case len(s.URL) > 2048:
		return tooLong(op, "url", len(s.URL), 2048)
	case len(s.Source) > MaxNameBytes:
		return tooLong(op, "source", len(s.Source), MaxNameBytes)
	}
	return nil
}

// unprintable is what no URL holds unescaped.
func unprintable(r rune) bool { return r <= ' ' || r > '~' }

// AddStream decides whether one more may be listened to.
func (r *Registry) AddStream(s StreamAdded) error {
	if err := s.Check(); err != nil {
		return err
	}
	for _, known := range r.Streams {
		if known.URL == s.URL {
			return &Error{Op: "add stream", Category: Conflict, Code: "stream_exists", Field: "url",
				Message: fmt.Sprintf("Chalie listens to %s already, as stream %s", s.URL, known.ID.UUID())}
		}
	}
	if len(r.Streams) >= MaxStreams {
		return Invalid("add stream", "", fmt.Sprintf("Chalie listens to %d streams, which is the bound: remove one first", MaxStreams))
	}
	return nil
}

// RemoveStream ends listening, or returns a not-found error.
func (r *Registry) RemoveStream(id ID) (StreamRemoved, error) {
	if _, ok := r.Streams[id]; !ok {
		return StreamRemoved{}, &Error{Op: "remove stream", Category: NotFound, Code: "no_stream",
			Message: fmt.Sprintf("there is no stream %s: list the streams to see which there are", id.UUID())}
	}
	return StreamRemoved{StreamID: id}, nil
}
