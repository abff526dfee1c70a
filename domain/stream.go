package domain

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaxStreams bounds how many broadcasts are listened to at once.
const MaxStreams = 64

// MaxURLBytes bounds the URL of a broadcast.
const MaxURLBytes = 2048

// streamsKey marks whatever changes which broadcasts are listened to: whether
// there is room for one more depends on all of them.
const streamsKey Key = "streams"

// StreamAdded makes Chalie listen to a broadcast. Its envelope's id is the
// stream's.
type StreamAdded struct {
	URL    string `json:"url"`    // ws or wss
	Source string `json:"source"` // of its signals that name none
}

// StreamRemoved makes it stop.
type StreamRemoved struct {
	StreamID ID `json:"stream_id"`
}

// Keys go onto the event's envelope. The URL is hashed: keys are in
// clear, and its query may hold a secret.
func (s StreamAdded) Keys() []Key {
	sum := sha256.Sum256([]byte(s.URL))
	return []Key{streamsKey, "stream-url/" + Key(hex.EncodeToString(sum[:]))}
}

// Keys go onto the event's envelope.
func (s StreamRemoved) Keys() []Key { return []Key{streamsKey, streamKey(s.StreamID)} }

func streamKey(id ID) Key { return "stream/" + Key(id.String()) }

// Principal is accountable for the signals of the stream.
func (s Stream) Principal() Principal { return streamPrefix + Principal(s.ID.UUID()) }

const streamPrefix = "stream:"

// IsStream reports whether it is a broadcast that is accountable.
func (p Principal) IsStream() bool { return strings.HasPrefix(string(p), streamPrefix) }

// Emitter is the source that envelopes of what it broadcasts carry, behind a
// prefix that tells it from Chalie's own parts.
func (s Stream) Emitter() Source { return sourceNamed("stream", s.Source) }

// Check returns a validation error that names the field.
func (s StreamAdded) Check() error {
	const op = "check stream"
	host, plain := s.host()
	switch {
	case !plain || host == "" || strings.ContainsAny(host, "@?#") || strings.ContainsFunc(s.URL, unprintable):
		return Invalid(op, "url", "url must be that of a WebSocket, such as ws://127.0.0.1:9000/stream, without user and password")
	case len(s.URL) > MaxURLBytes:
		return tooLong(op, "url", len(s.URL), MaxURLBytes)
	case len(s.Source) > MaxNameBytes:
		return tooLong(op, "source", len(s.Source), MaxNameBytes)
	case !utf8.ValidString(s.Source) || hasControl(s.Source):
		return Invalid(op, "source", "source holds a character that can't be shown: give a name a person can read")
	}
	return CheckNaming(op, "source", s.Source)
}

// host is the stream's host; false when the URL isn't a WebSocket's.
func (s StreamAdded) host() (string, bool) {
	rest, ok := strings.CutPrefix(s.URL, "ws://")
	if !ok {
		rest, ok = strings.CutPrefix(s.URL, "wss://")
	}
	host, _, _ := strings.Cut(rest, "/")
	host, _, _ = strings.Cut(host, "?")
	return host, ok
}

// unprintable matches characters that no URL holds unescaped.
func unprintable(r rune) bool { return r <= ' ' || r > '~' }

// AddStream decides whether one more may be listened to. Without a source it is
// named after its host.
func (r *Registry) AddStream(s StreamAdded) (StreamAdded, error) {
	s.Source = strings.TrimSpace(s.Source)
	if err := s.Check(); err != nil {
		return StreamAdded{}, err
	}
	if s.Source == "" {
		host, _ := s.host()
		s.Source = host[:min(len(host), MaxNameBytes)]
	}
	for _, known := range r.Streams {
		if known.URL == s.URL {
			return StreamAdded{}, &Error{Op: "add stream", Category: Conflict, Code: "stream_exists", Field: "url",
				Message: fmt.Sprintf("Chalie listens to %s already, as stream %s", s.URL, known.ID.UUID())}
		}
	}
	if len(r.Streams) >= MaxStreams {
		return StreamAdded{}, &Error{Op: "add stream", Category: Conflict, Code: "too_many_streams",
			Message: fmt.Sprintf("Chalie listens to %d streams, which is the bound: remove one first", MaxStreams)}
	}
	return s, nil
}

// RemoveStream ends listening, or returns a not-found error.
func (r *Registry) RemoveStream(id ID) (StreamRemoved, error) {
	if _, ok := r.Streams[id]; !ok {
		return StreamRemoved{}, NoStream(id)
	}
	return StreamRemoved{StreamID: id}, nil
}

// NoStream says that there is none of that id.
func NoStream(id ID) error {
	return &Error{Op: "find stream", Category: NotFound, Code: "no_stream",
		Message: fmt.Sprintf("there is no stream %s: list the streams to see which there are", id.UUID())}
}
