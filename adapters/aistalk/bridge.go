package aistalk

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// Bounds of how often and how long a bridge is tried.
const (
	bridgeTries    = 8                // of one delivery
	bridgeFirst    = time.Second / 2  // the pause after the first try; each next is twice as long
	bridgeLongest  = 15 * time.Second // the longest pause
	bridgeLive     = 64               // events without an id that wait
	bridgeAnswer   = 64 << 10         // bytes of an answer that are read
	bridgeAudioMax = 60               // parts of one answer that are spoken
)

// Events are the numbers of the events that can still be sent.
type Events interface {
	After(seq domain.Seq) (events []domain.Seq, dropped domain.Seq)
	Wait(ctx context.Context, after domain.Seq) error
}

// BridgeConfig is what a Bridge needs. All fields without a remark are required.
type BridgeConfig struct {
	URL    string // of the other side: /events, /text and /audio are added to it
	Key    string // sent as X-API-Key; may be ""
	Events Events
	Reader domain.Reader
	Tail   domain.Tailer
	Clock  domain.Clock
	Models []string // that answer, in the order in which they are asked
	// File keeps the id of the last event that was delivered.
	File string
	// Speak is the sound of a text, as one or more WAVs; nil: answers go as text alone.
	Speak func(ctx context.Context, of domain.ConversationName, text string, send func(wav []byte) error) error
	// Pause waits between tries, and is false when ctx ended first; nil: by a timer.
	Pause  func(ctx context.Context, d time.Duration) bool
	Within time.Duration // for one answer, to its end; default 15 s
	Logger *slog.Logger
}

// Validate returns a validation error when something is missing, or the URL is none.
func (c BridgeConfig) Validate() error {
	const op = "configure bridge"
	if c.Events == nil || c.Reader == nil || c.Tail == nil || c.Clock == nil || c.Logger == nil || c.File == "" {
		return domain.Invalid(op, "", "Events, Reader, Tail, Clock, Logger and File are required")
	}
	to, err := url.Parse(c.URL)
	if err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" || to.RawQuery != "" || to.User != nil {
		return domain.Invalid(op, "AISTALK_URL", "AISTALK_URL must be the address of the bridge, such as http://127.0.0.1:9000")
	}
	return nil
}

// Bridge tells another program what happens: every event, the text of every answer, and for what
// was asked by voice its sound. Each is sent in order, after the one before it was taken; one that
// isn't taken is tried again within bounds, and then passed over. What was delivered is remembered
// over a restart, so that each event is sent at least once: its id tells a repeat.
//
// Run belongs to one goroutine; Tell and Status are safe for concurrent use.
type Bridge struct {
	cfg    BridgeConfig
	client *http.Client
	live   chan []byte

	mu     sync.Mutex
	status BridgeStatus
}

// BridgeStatus is how a bridge is.
type BridgeStatus struct {
	Delivered, Passed uint64
	Err               error // why the last try failed; nil when it didn't
}

// NewBridge checks the configuration. Run does the work.
func NewBridge(cfg BridgeConfig) (*Bridge, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if cfg.Pause == nil {
		cfg.Pause = commands.Sleep
	}
	cfg.URL = strings.TrimSuffix(cfg.URL, "/")
	return &Bridge{cfg: cfg, live: make(chan []byte, bridgeLive), client: &http.Client{
		Timeout: cmp.Or(cfg.Within, 15*time.Second),
		// Its key is for this address alone.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Tell sends an event that comes from no record, once, and only while few wait.
func (b *Bridge) Tell(text []byte) {
	select {
	case b.live <- text:
	default:
	}
}

// Status is how it is.
func (b *Bridge) Status() BridgeStatus {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.status
}

// Run delivers events until ctx ends. A new bridge begins with what happens from now on. The error
// is that of the events' fold.
func (b *Bridge) Run(ctx context.Context) error {
	last, err := b.resume()
	if err != nil {
		return err
	}
	b.remember(ctx, last)
	ctx, end := context.WithCancel(ctx)
	var live sync.WaitGroup
	defer live.Wait()
	defer end()
	live.Go(func() { b.tellLive(ctx) })
	for {
		if err := b.cfg.Events.Wait(ctx, last); err != nil {
			if ctx.Err() != nil {
				return nil // the program stops
			}
			return err
		}
		due, dropped := b.cfg.Events.After(last)
		if dropped > last {
			console := Console{Clock: b.cfg.Clock}
			if !b.HandleEvent(ctx, console.Gap(last+1, dropped)) {
				return nil
			}
			last = dropped
		}
		for _, seq := range due {
			if seq <= last {
				continue // it went before the sound of an answer
			}
			upTo, done, err := b.send(ctx, seq)
			if err != nil && ctx.Err() == nil {
				b.cfg.Logger.WarnContext(ctx, "an event can't be read for the bridge", slog.Uint64("id", uint64(seq)), slog.Any("error", err))
			}
			if !done && ctx.Err() != nil {
				b.remember(ctx, last)
				return nil // it is sent again by the next start
			}
			last = upTo
		}
		b.remember(ctx, last)
	}
}

func (b *Bridge) tellLive(ctx context.Context) {
	for {
		select {
		case text := <-b.live:
			_, err := b.post(ctx, "/events", contentJSON, text)
			b.note(err)
		case <-ctx.Done():
			return
		}
	}
}

// resume is the last event that was delivered, by the file; where the log ends when there is none,
// or when it is another log's.
func (b *Bridge) resume() (domain.Seq, error) {
	end := domain.EndOf(b.cfg.Tail.Tail())
	text, err := os.ReadFile(b.cfg.File)
	if errors.Is(err, os.ErrNotExist) {
		return end, nil
	}
	if err != nil {
		return 0, &domain.Error{Op: "resume bridge", Category: domain.Dependency, Code: domain.CodeDiskFailed, Err: err,
			Message: "what the bridge was sent last can't be read: check the permissions of " + b.cfg.File}
	}
	last, err := strconv.ParseUint(strings.TrimSpace(string(text)), 10, 63)
	if err != nil || domain.Seq(last) > end {
		return end, nil //nolint:nilerr // a file of nobody's, or of another log
	}
	return domain.Seq(last), nil
}

// remember keeps what was delivered. A failure costs repeats after the next start.
func (b *Bridge) remember(ctx context.Context, last domain.Seq) {
	next := b.cfg.File + ".next"
	err := os.WriteFile(next, []byte(strconv.FormatUint(uint64(last), 10)+"\n"), 0o600)
	if err == nil {
		err = os.Rename(next, b.cfg.File)
	}
	if err != nil {
		b.cfg.Logger.WarnContext(ctx, "what the bridge was sent can't be kept", slog.String("file", filepath.Base(b.cfg.File)), slog.Any("error", err))
	}
}

// send sends an event, and of an answer its text and sound. It reports whether all of it was taken
// or passed over, and up to which event.
func (b *Bridge) send(ctx context.Context, seq domain.Seq) (upTo domain.Seq, done bool, err error) {
	records, err := b.cfg.Reader.Select(ctx, domain.Selector{}, seq.Position(), 1)
	if err != nil || len(records) == 0 || records[0].Position != seq.Position() {
		return seq, false, err
	}
	events, err := domain.ConsoleEvents(ctx, records[0], b.cfg.Reader)
	if err != nil {
		return seq, false, err
	}
	for _, e := range events {
		if !b.HandleEvent(ctx, Encode(e, firstOf(b.cfg.Models))) {
			return seq, false, nil
		}
		if e.Type != domain.ConsoleReply || e.Text == "" {
			continue
		}
		if !b.SendText(ctx, e.Of, e.Text) {
			return seq, false, nil
		}
		if seq, done, err = b.speak(ctx, seq, e); !done || err != nil {
			return seq, done, err
		}
	}
	return seq, true, nil
}

// speak sends the sound of an answer to what was said by voice, each part behind the event that it
// begins: by that the other side stops listening.
func (b *Bridge) speak(ctx context.Context, seq domain.Seq, e domain.ConsoleEvent) (upTo domain.Seq, done bool, err error) {
	spoken, err := b.wasSpoken(ctx, e.ExchangeID)
	if err != nil || !spoken || b.cfg.Speak == nil {
		return seq, err == nil, err
	}
	done = true
	parts := 0
	err = b.cfg.Speak(ctx, e.Of, e.Text, func(wav []byte) (err error) {
		if parts++; parts <= bridgeAudioMax {
			if seq, err = b.begin(ctx, seq); err != nil {
				return err
			}
			done = b.SendAudio(ctx, e.Of, wav, "audio/wav")
		}
		return ctx.Err()
	})
	if err != nil && ctx.Err() == nil {
		b.cfg.Logger.WarnContext(ctx, "an answer can't be spoken for the bridge", slog.Any("error", err))
		return seq, true, nil
	}
	return seq, done, nil
}

// begin sends what came behind an event, through the next that says that a text begins to be spoken.
// Another answer isn't gone past: it has a sound of its own.
func (b *Bridge) begin(ctx context.Context, after domain.Seq) (upTo domain.Seq, err error) {
	const page = 64
	from := after.Position() + 1
	for n := page; n == page; {
		records, err := b.cfg.Reader.Select(ctx, domain.Selector{}, from, page)
		if err != nil {
			return after, err
		}
		for _, rec := range records {
			from = rec.Position + 1
			events, err := domain.ConsoleEvents(ctx, rec, b.cfg.Reader)
			if err != nil {
				return after, err
			}
			for _, e := range events {
				if e.Type == domain.ConsoleReply || !b.HandleEvent(ctx, Encode(e, firstOf(b.cfg.Models))) {
					return after, ctx.Err()
				}
				if after = e.Seq; e.Type == domain.ConsoleTTS && e.Phase == domain.VoiceStart {
					return after, nil
				}
			}
		}
		n = len(records)
	}
	return after, nil
}

// wasSpoken reports whether an exchange was begun by voice.
func (b *Bridge) wasSpoken(ctx context.Context, exchange domain.ID) (bool, error) {
	rec, err := b.cfg.Reader.Find(ctx, exchange)
	if err != nil || rec.Envelope.Type != domain.MessageReceivedType {
		return false, ignoreMissing(err)
	}
	said, err := domain.Decode[domain.MessageReceived](rec.Envelope)
	if domain.CodeOf(err) == domain.CodeErased {
		return false, nil
	}
	return said.Source == domain.SaidByVoice || !rec.Envelope.Parent.IsZero(), err
}

func ignoreMissing(err error) error {
	if domain.CategoryOf(err) == domain.NotFound {
		return nil
	}
	return err
}

const contentJSON = "application/json"

// textBody is what /text is sent.
type textBody struct {
	ProjectID string `json:"project_id"`
	SessionID string `json:"session_id"`
	Text      string `json:"text"`
}

// sessionOf is a conversation's project and session, as a console names them.
func sessionOf(of domain.ConversationName) (project, session string) {
	told := of.ToConsole()
	return told.Project, told.Session
}

// SendText sends what Chalie says in a session. Like the others it reports whether it was taken or
// passed over: neither when ctx ended.
func (b *Bridge) SendText(ctx context.Context, of domain.ConversationName, text string) (done bool) {
	project, session := sessionOf(of)
	return b.deliver(ctx, "/text", contentJSON, marshal(textBody{project, session, text}))
}

// SendAudio sends the sound of it.
func (b *Bridge) SendAudio(ctx context.Context, of domain.ConversationName, audio []byte, mime string) (done bool) {
	project, session := sessionOf(of)
	return b.deliver(ctx, "/audio?"+url.Values{"project_id": {project}, "session_id": {session}}.Encode(), mime, audio)
}

// HandleEvent sends an event.
func (b *Bridge) HandleEvent(ctx context.Context, event []byte) (done bool) {
	return b.deliver(ctx, "/events", contentJSON, event)
}

// deliver sends something until it is taken, refused for good, or tried often enough.
func (b *Bridge) deliver(ctx context.Context, path, mime string, body []byte) (done bool) {
	wait := bridgeFirst
	for try := 1; ; try++ {
		again, err := b.post(ctx, path, mime, body)
		b.note(err)
		if err == nil || ctx.Err() != nil {
			return err == nil
		}
		if !again || try == bridgeTries {
			b.mu.Lock()
			b.status.Passed++
			b.mu.Unlock()
			b.cfg.Logger.WarnContext(ctx, "the bridge didn't take something, which is passed over", slog.String("path", strings.SplitN(path, "?", 2)[0]), slog.Int("tries", try), slog.Any("error", err))
			return true
		}
		if !b.cfg.Pause(ctx, wait) {
			return false
		}
		wait = min(2*wait, bridgeLongest)
	}
}

func (b *Bridge) note(err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.status.Err = err
	if err == nil {
		b.status.Delivered++
	}
}

// post sends once. again: another try may help.
func (b *Bridge) post(ctx context.Context, path, mime string, body []byte) (again bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.cfg.URL+path, bytes.NewReader(body))
	if err != nil {
		return false, err
	}
	req.Header.Set("Content-Type", mime)
	if b.cfg.Key != "" {
		req.Header.Set("X-API-Key", b.cfg.Key)
	}
	resp, err := b.client.Do(req)
	if err != nil {
		return true, &domain.Error{Op: "reach bridge", Category: domain.Dependency, Code: "bridge_unreachable", Retriable: true, Err: err,
			Message: "the bridge at AISTALK_URL can't be reached: start it, or unset AISTALK_ENABLED"}
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, bridgeAnswer))
	if resp.StatusCode >= http.StatusOK && resp.StatusCode < http.StatusMultipleChoices {
		return false, nil
	}
	again = resp.StatusCode >= http.StatusInternalServerError || resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusRequestTimeout
	return again, &domain.Error{Op: "reach bridge", Category: domain.Dependency, Code: "bridge_refused", Retriable: again,
		Message: fmt.Sprintf("the bridge answered %d: its log may say why", resp.StatusCode)}
}
