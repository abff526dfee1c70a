package models

import (
	"context"
	"errors"
	"fmt"

	"chalie/adapters/models/dialogue"
	"chalie/commands/reasoning"
	"chalie/domain"
	"chalie/domain/language"
)

// Model is one real model.
type Model struct {
	name   string
	key    Secret
	traits Traits
	style  Style
	client dialogue.Client
	cfg    Config
}

var _ reasoning.Streamer = (*Model)(nil)

func newModel(c Choice, cfg Config) *Model {
	return &Model{name: c.Name(), key: c.Key, traits: c.Traits, style: c.Style, client: newClient(c, c.Name()), cfg: cfg}
}

// Name is PROVIDER/MODEL.
func (m *Model) Name() string { return m.name }

// SeesImages reports whether it does.
func (m *Model) SeesImages() bool { return m.traits.Vision }

// Close lets go of idle connections. Questions under way go on.
func (m *Model) Close() { m.client.Close() }

// errLate is why an answer is given up from here.
var errLate = errors.New("the answer took too long")

// Reply answers a prompt. Its errors are terminal, and say for a person why there
// is no answer; when ctx ended the error is retriable.
func (m *Model) Reply(ctx context.Context, p language.Prompt) (language.Reply, error) {
	return m.Stream(ctx, p, nil)
}

// Stream is Reply, and tells f of an answer to a message as it comes; f may be nil. What
// isn't told is the warning that it answers instead of another, or was cut off.
func (m *Model) Stream(ctx context.Context, p language.Prompt, f reasoning.Follower) (language.Reply, error) {
	a := ask(p, m.traits)
	heard := &telling{of: a, to: f}
	if p.Kind == language.AskedMessage {
		a.question.Stop = m.style.Stop // findings have their own form
	} else {
		heard = nil
	}
	var out language.Reply
	err := m.converse(ctx, &a.question, heard, func(answer dialogue.Answer) (fault string) {
		if p.Kind == language.AskedCycle {
			out, fault = a.findings(answer)
			return fault
		}
		out = a.reply(answer, p)
		if len(out.Blocks) == 0 && len(out.ToolCalls) == 0 {
			return "it says nothing"
		}
		return ""
	})
	if err != nil {
		return language.Reply{}, err
	}
	heard.end()
	if p.Instead != "" && len(out.ToolCalls) == 0 && len(out.Blocks) > 0 {
		out.Blocks = append([]domain.Block{domain.AlertBlock(fmt.Sprintf("%s answers instead: %s", m.name, p.Instead), domain.VariantWarning)}, out.Blocks...)
	}
	return out, nil
}

// converse asks until an answer can be used. read says what is wrong with one, ""
// for nothing; it sees the usage and cost of all the asking so far.
func (m *Model) converse(ctx context.Context, q *dialogue.Question, heard *telling, read func(dialogue.Answer) (fault string)) error {
	ctx, cancel := context.WithTimeoutCause(ctx, m.cfg.Whole, errLate)
	defer cancel()
	q.Temperature = m.style.Temperature
	if err := m.fit(ctx, q); err != nil {
		return err
	}
	var used domain.Usage
	for n := 0; ; n++ {
		answer, err := m.ask(ctx, *q, heard)
		used = used.Plus(m.counted(*q, answer))
		if err != nil {
			return err
		}
		answer.Usage = used
		answer.Usage.CostMicros = m.traits.Price.Cost(used)
		correction, fault := understand(*q, answer, read)
		switch {
		case fault == "":
			return nil
		case answer.Stop == dialogue.StopRefused:
			return dialogue.Fail(dialogue.CodeRefused, false, m.name+" will not answer this")
		case answer.Stop == dialogue.StopLength:
			return dialogue.Fail(dialogue.CodeBadReply, false, fmt.Sprintf("the answer of %s was cut off at its longest: %s", m.name, fault))
		case n == MaxCorrections:
			return dialogue.Fail(dialogue.CodeBadReply, false, fmt.Sprintf("the answer of %s can't be used, %d times: %s", m.name, n+1, fault))
		}
		heard.again("its answer can't be used, and it answers anew: " + fault)
		q.Turns = append(q.Turns, correction...)
	}
}

// understand says what is wrong with an answer, "" for nothing, and what to tell
// the model.
func understand(q dialogue.Question, answer dialogue.Answer, read func(dialogue.Answer) string) (correction []dialogue.Turn, fault string) {
	if answer.Stop == dialogue.StopRefused {
		return nil, "it was refused"
	}
	if correction, fault = brokenCalls(answer.Calls); fault != "" {
		return correction, fault
	}
	switch n := len(answer.Calls); {
	case answer.Unread != "":
		fault = answer.Unread
		if n > 0 {
			fault += ", and none of its calls was made"
		}
	case n > 0 && !q.MayCall:
		fault = "it calls a tool, and none can be called now"
	case n > language.MaxToolCalls:
		fault = fmt.Sprintf("it calls %d tools at once, and %d are the most", n, language.MaxToolCalls)
	default:
		fault = read(answer)
	}
	if fault != "" {
		correction = []dialogue.Turn{{Text: "Your last answer can't be used: " + fault + ". Answer again, in the form that was asked for."}}
	}
	return correction, fault
}

// brokenCalls are calls whose parameters can't be read. None of an answer's calls
// is made then, so each has to be made again.
func brokenCalls(calls []dialogue.Call) (correction []dialogue.Turn, fault string) {
	var made, results dialogue.Turn
	for i, c := range calls {
		id := fmt.Sprintf("again_%d", i+1)
		result := dialogue.Result{CallID: id, Failed: true, Text: "It was not made, because another call of the same answer could not be read. Make it again."}
		params := c.Params
		if wrong := objectFault(c.Params); wrong != "" {
			fault = "the parameters of a call to " + cut(c.Tool, domain.MaxNameBytes) + " can't be read"
			result.Text = "It was not made. The parameters can't be read: " + wrong + ". Make the call again with a JSON object."
			params = []byte("{}")
		}
		made.Calls = append(made.Calls, dialogue.Call{ID: id, Tool: c.Tool, Params: params})
		results.Results = append(results.Results, result)
	}
	if fault == "" {
		return nil, ""
	}
	return []dialogue.Turn{made, results}, fault
}

// maxTokens is more than any answer takes. A count beyond it, or below 0, would
// make a price that is none.
const maxTokens = 1_000_000_000

// counted is the usage of an answer, estimated where nobody counted.
func (m *Model) counted(q dialogue.Question, answer dialogue.Answer) domain.Usage {
	u := answer.Usage
	for _, n := range []*int{&u.InputTokens, &u.OutputTokens, &u.CacheReadTokens, &u.CacheWriteTokens} {
		*n = min(max(0, *n), maxTokens)
	}
	if u.InputTokens+u.OutputTokens+u.CacheReadTokens > 0 || answer.Stop == "" {
		return u
	}
	said := len(answer.Text)
	for _, c := range answer.Calls {
		said += len(c.Tool) + len(c.Params)
	}
	return domain.Usage{InputTokens: estimate(q), OutputTokens: (said + bytesPerToken - 1) / bytesPerToken}
}

// leastOutput is the shortest answer worth asking for.
const leastOutput = 512

// fit makes sure that a question and its answer are within what the model reads.
func (m *Model) fit(ctx context.Context, q *dialogue.Question) error {
	if m.traits.Context == 0 {
		return nil
	}
	tokens := estimate(*q)
	if tokens > m.traits.Context*4/5 { // worth knowing exactly
		if counted, ok := m.Count(ctx, *q); ok {
			tokens = counted
		}
	}
	room := m.traits.Context - tokens
	if room < min(leastOutput, q.MaxTokens) {
		return dialogue.Fail(dialogue.CodeTooLong, false, fmt.Sprintf("the question takes about %d tokens, and %s reads %d: choose a model that reads more", tokens, m.name, m.traits.Context))
	}
	q.MaxTokens = min(q.MaxTokens, room)
	return nil
}

// Count is how many tokens a question takes, as the provider counts them, within
// the time of an attempt; false when it can't be asked.
func (m *Model) Count(ctx context.Context, q dialogue.Question) (int, bool) {
	ctx, cancel := context.WithTimeout(ctx, m.cfg.Attempt)
	defer cancel()
	return m.client.Count(ctx, q)
}
