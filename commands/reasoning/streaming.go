package reasoning

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"chalie/commands"
	"chalie/domain"
	"chalie/domain/guard"
	"chalie/domain/language"
)

// Streamer is a Model that can be followed while it answers.
type Streamer interface {
	Model
	// Stream is Reply, and tells f of the reply as it is made. f is called by one goroutine
	// at a time, and no more once Stream has returned.
	Stream(ctx context.Context, p language.Prompt, f Follower) (language.Reply, error)
}

// Follower hears a reply as it is made. It doesn't hold up who tells.
type Follower interface {
	// Heard is told the next event: text_delta and tool_call_*. What is used, and why it
	// ended, is in the Reply.
	Heard(e domain.StreamEvent)
	// Again is told that all that was heard doesn't count, since the model is asked once
	// more, and why.
	Again(why string)
}

const (
	// streamEvery is the time between two parts of a reply. With the last one, which is
	// recorded together with the reply, that is at most five in a second.
	streamEvery = 250 * time.Millisecond
	// maxPartBytes bounds the text of one part, and of the parameters in it.
	maxPartBytes = 64 << 10
)

// listen asks a model. Where the person waits for the reply it is recorded as it is made,
// if the model can be followed. last makes the part that belongs before the reply.
func (r *Reasoner) listen(ctx context.Context, ep *domain.Episode, model Model, p language.Prompt) (reply language.Reply, last func(language.Reply) ([]domain.Entry, error), err error) {
	last = func(language.Reply) ([]domain.Entry, error) { return nil, nil }
	s, ok := model.(Streamer)
	if !ok || p.Kind != language.AskedMessage || !ep.ByOperator() {
		reply, err = model.Reply(ctx, p)
		return reply, last, err
	}
	l := r.follow(ctx, ep)
	reply, err = s.Stream(ctx, p, l)
	l.close()
	if ctx.Err() != nil {
		l.put() // a cancelled answer shows how far it came
	}
	return reply, l.last, err
}

// live records a reply while it is made. Of what it hears it keeps what it hasn't recorded
// yet, and the whole text, which it takes to screen it: what may become a secret waits until
// it is known to be none. It never holds up the model.
//
// A part isn't a step: an episode goes on without it, and what follows is decided by the
// reply alone. So a part that can't be recorded ends the recording, and nothing else. One
// is appended on the condition that the reply isn't there yet.
type live struct {
	r       *Reasoner
	ctx     context.Context // outside the act, and not cancelled with it
	lineage domain.Lineage
	in      domain.ConversationID
	made    domain.Key // of the step that the reply is

	wake    chan struct{} // there may be something to record
	ended   chan struct{} // nothing more will be heard
	running sync.WaitGroup

	mu        sync.Mutex
	next      domain.ModelStreamed // its step, attempt and part
	shown     bool                 // a part was recorded that wasn't taken back
	withdrawn string               // why it has to be taken back; "" when it hasn't
	why       string               // the attempt before doesn't count
	text      strings.Builder      // of the attempt, as it came
	told      int                  // bytes of the screened text that were recorded
	calls     []*forming
	over      bool // nothing more is recorded
}

// forming is a tool call as it is made.
type forming struct {
	id, name string
	args     strings.Builder // as they came
	whole    json.RawMessage // the parameters, once they are there
	began    bool            // recorded
	told     int             // bytes of the screened parameters that were recorded
	closed   bool            // its end was recorded
}

var _ Follower = (*live)(nil)

// follow begins to record the reply to the last call.
func (r *Reasoner) follow(ctx context.Context, ep *domain.Episode) *live {
	called := ep.LastCall()
	l := &live{
		in: domain.ConversationOf(ep.Opening.Envelope),
		r:  r, ctx: commands.Aside(context.WithoutCancel(ctx)), lineage: lineage(ep, called.ID),
		made: domain.StepKey(ep.Opening.Envelope.Trace, ep.Steps+1),
		wake: make(chan struct{}, 1), ended: make(chan struct{}),
		next: domain.ModelStreamed{Step: len(ep.Calls), Attempt: called.Streamed.Attempt + 1}, shown: called.Streamed.IsShown(),
	}
	if l.shown {
		l.withdrawn = "the model is asked again, since it was interrupted"
		l.stir()
	}
	l.running.Go(l.run)
	return l
}

// Heard implements Follower.
func (l *live) Heard(e domain.StreamEvent) {
	l.mu.Lock()
	switch e.Type {
	case domain.StreamText:
		l.text.WriteString(e.Delta)
	case domain.StreamCallStart:
		l.calls = append(l.calls, &forming{id: e.ID, name: e.Name})
	case domain.StreamCallDelta:
		if c := l.call(e.ID); c != nil {
			c.args.WriteString(e.ArgsDelta)
		}
	case domain.StreamCallEnd:
		if c := l.call(e.ID); c != nil {
			c.whole = e.Args
		}
	}
	l.mu.Unlock()
	l.stir()
}

func (l *live) call(id string) *forming {
	i := slices.IndexFunc(l.calls, func(c *forming) bool { return c.id == id })
	if i < 0 {
		return nil
	}
	return l.calls[i]
}

// Again implements Follower.
func (l *live) Again(why string) {
	l.mu.Lock()
	l.next.Attempt, l.next.Part = l.next.Attempt+1, 0
	l.text.Reset()
	l.told, l.calls, l.why = 0, nil, why
	if l.shown {
		l.withdrawn = why
	}
	l.mu.Unlock()
	l.stir()
}

// stir has the recording look whether there is something to record.
func (l *live) stir() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// run records what there is, at most every streamEvery, until nothing more will be heard.
func (l *live) run() {
	pause := time.NewTimer(streamEvery)
	defer pause.Stop()
	for {
		select {
		case <-l.wake:
		case <-l.ended:
			return
		}
		if !l.put() {
			continue
		}
		l.stir() // for what was too much for one part
		pause.Reset(streamEvery)
		select {
		case <-pause.C:
		case <-l.ended:
			return
		}
	}
}

// close ends the recording, and waits for what is being recorded.
func (l *live) close() {
	close(l.ended)
	l.running.Wait()
}

// put records the next part, and reports whether there was one. The model goes on meanwhile.
func (l *live) put() bool {
	l.mu.Lock()
	part, ok := l.part(guard.Settled)
	l.mu.Unlock()
	if !ok {
		return false
	}
	entry, err := l.entry(part)
	if err == nil {
		err = l.append(entry)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.over = true
		if domain.CodeOf(err) != domain.CodeConditionFailed { // else the reply is there already
			l.r.cfg.Logger.Warn("a reply can't be recorded as it is made, and comes at once", "trace", l.lineage.Trace.String(), "err", err)
		}
		return false
	}
	l.recorded(part)
	return true
}

func (l *live) append(entry domain.Entry) error {
	return l.r.append(l.ctx, domain.Batch{Entries: []domain.Entry{entry}, Conditions: []domain.Condition{{Key: l.made}}})
}

func (l *live) entry(part domain.ModelStreamed) (domain.Entry, error) {
	entry, err := domain.New(l.lineage, l.r.cfg.IDs.NewID(), l.r.cfg.Now(), reasoningSource, part)
	entry.Envelope.Keys = l.in.Keys()
	if part.Withdrawn != "" {
		entry.Envelope.Keys = append(entry.Envelope.Keys, domain.RetractsKey)
	}
	return entry, err
}

// part is what wasn't recorded yet; false for nothing. screened is what of the text may be
// shown. The lock is held.
func (l *live) part(screened func(string) string) (domain.ModelStreamed, bool) {
	part := l.next
	part.Events = []domain.StreamEvent{}
	if l.over {
		return part, false
	}
	if l.withdrawn != "" {
		part.Withdrawn = l.withdrawn
		return part, true
	}
	part.Part++
	if clean := screened(l.text.String()); len(clean) > l.told {
		part.Events = append(part.Events, domain.StreamEvent{Type: domain.StreamText, Delta: cutAtRune(clean[l.told:], maxPartBytes)})
	}
	room := maxPartBytes
	for _, c := range l.calls {
		events := c.events(room)
		for _, e := range events {
			room -= len(e.ArgsDelta) + len(e.Args)
		}
		part.Events = append(part.Events, events...)
		if room <= 0 {
			break
		}
	}
	return part, len(part.Events) > 0
}

// recorded notes that a part stands in the log. The lock is held.
func (l *live) recorded(part domain.ModelStreamed) {
	if part.Withdrawn != "" {
		l.shown, l.withdrawn = false, ""
		return
	}
	if part.Attempt < l.next.Attempt { // it was overtaken
		l.shown, l.withdrawn = true, l.why
		return
	}
	l.shown, l.next.Part = true, part.Part
	for _, e := range part.Events {
		switch c := l.call(e.ID); e.Type {
		case domain.StreamText:
			l.told += len(e.Delta)
		case domain.StreamCallStart:
			c.began = true
		case domain.StreamCallDelta:
			c.told += len(e.ArgsDelta)
		case domain.StreamCallEnd:
			c.closed = true
		}
	}
}

// events are what of a call wasn't recorded yet: members of its parameters as soon as they
// are whole, since what a member means is known by its name and all of its value.
func (c *forming) events(room int) []domain.StreamEvent {
	var out []domain.StreamEvent
	if !c.began {
		out = append(out, domain.StreamEvent{Type: domain.StreamCallStart, ID: c.id, Name: c.name})
	}
	clean := guard.SettledJSON(c.args.String())
	if len(clean) > c.told {
		more := cutAtRune(clean[c.told:], room)
		out = append(out, domain.StreamEvent{Type: domain.StreamCallDelta, ID: c.id, ArgsDelta: more})
		if len(more) < len(clean)-c.told {
			return out
		}
	}
	if c.whole != nil && !c.closed {
		args, _ := guard.RedactJSON(c.whole)
		out = append(out, domain.StreamEvent{Type: domain.StreamCallEnd, ID: c.id, Args: args})
	}
	return out
}

// cutAtRune is the beginning of a text, through a whole character.
func cutAtRune(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// last is the end of the recording, to be appended with the reply: what is left of it, what
// it used, and why it ended. Of a recording that broke off, or was withdrawn and isn't yet,
// there is none: the reply says it all.
func (l *live) last(reply language.Reply) ([]domain.Entry, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	part, _ := l.part(func(text string) string { clean, _ := guard.Redact(text); return clean })
	if l.over || part.Withdrawn != "" {
		return nil, nil
	}
	usage := reply.Usage
	part.Events = append(part.Events, domain.StreamEvent{Type: domain.StreamUsage, Usage: &usage},
		domain.StreamEvent{Type: domain.StreamDone, Usage: &usage, Finish: finishOf(reply)})
	entry, err := l.entry(part)
	entry.Envelope.Keys = append(entry.Envelope.Keys, domain.LastPartKey)
	return []domain.Entry{entry}, err
}

// finishOf is why a reply ended.
func finishOf(reply language.Reply) domain.FinishReason {
	switch {
	case reply.Finish != "":
		return reply.Finish
	case len(reply.ToolCalls) > 0:
		return domain.FinishToolUse
	}
	return domain.FinishStop
}

// retracts are the keys of a step that takes back what was streamed of the last call: none
// when nothing was.
func (r *Reasoner) retracts(ctx context.Context, ep *domain.Episode) ([]domain.Key, error) {
	var now domain.Episode // what was streamed came while ep waited for the reply
	err := r.reload(ctx, ep.Opening.Envelope.Trace, &now)
	if called := now.LastCall(); err != nil || called == nil || !called.Streamed.IsShown() {
		return nil, err
	}
	return []domain.Key{domain.RetractsKey}, nil
}

// soFar is what the reply that an episode waited for had said when it was cancelled; none
// when it had said nothing, or is there.
func soFar(ep *domain.Episode) []domain.Block {
	last := ep.LastCall()
	if last == nil || last.HasEnded() || strings.TrimSpace(last.Streamed.Text) == "" {
		return nil
	}
	return []domain.Block{domain.TextBlock(strings.TrimSpace(last.Streamed.Text), domain.FormatMarkdown)}
}
