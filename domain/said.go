package domain

import "slices"

// Said is the content that a conclusion shows.
type Said struct {
	Blocks     []Block
	Open       []string // addresses that the tools which it rests on want opened
	Topic      string
	Mode       Mode
	Confidence PPM
}

// SaidIn is what a reasoning.concluded shows: the reply it names, those findings of
// it that are shown, what a tool answered, or words of its own. find returns the
// envelope that it refers to; an error of it is returned as it is. Errors are
// CodeErased and CodeUndecodable. An envelope that find returns without a type is
// taken for one that wants nothing opened.
func SaidIn(conclusion Envelope, find func(ID) (Envelope, error)) (Said, error) {
	c, err := Decode[ReasoningConcluded](conclusion)
	if err != nil {
		return Said{}, err
	}
	if c.Reply.IsZero() {
		return Said{Blocks: c.Blocks, Topic: c.Topic, Mode: ModeRespond, Confidence: One}, nil
	}
	reply, err := find(c.Reply)
	if err != nil {
		return Said{}, err
	}
	if reply.Type == ToolCompletedType {
		return saidByTool(c, reply)
	}
	r, err := Decode[ModelReplied](reply)
	if err != nil {
		return Said{}, err
	}
	if len(c.Findings) > 0 {
		return saidByFindings(c, r), nil
	}
	said := Said{Blocks: r.Blocks, Topic: r.Topic, Mode: r.Mode, Confidence: r.Confidence}
	if c.Shown == ShownMessage {
		said.Open = opened(c, find)
	}
	return said, nil
}

// answering are the roles that what a tool answered has in the evidence of an answer.
var answering = []string{"answered", "tool_result", "used"}

// maxOpened bounds the addresses of one answer.
const maxOpened = 8

// opened are the addresses that tools want opened, of those that an answer rests on,
// each once. What can't be read wants nothing.
func opened(c ReasoningConcluded, find func(ID) (Envelope, error)) (out []string) {
	for _, e := range c.Evidence {
		if !slices.Contains(answering, e.Role) || len(out) == maxOpened {
			continue
		}
		end, err := find(e.EnvelopeID)
		if err != nil || end.Type != ToolCompletedType {
			continue
		}
		if done, err := Decode[ToolCompleted](end); err == nil && done.OpenURL != nil && !slices.Contains(out, *done.OpenURL) {
			out = append(out, *done.OpenURL)
		}
	}
	return out
}

func saidByTool(c ReasoningConcluded, reply Envelope) (Said, error) {
	done, err := Decode[ToolCompleted](reply)
	if err != nil {
		return Said{}, err
	}
	said := Said{Blocks: done.Blocks, Topic: c.Topic, Mode: ModeAct, Confidence: One}
	if len(said.Blocks) == 0 && done.Text != nil {
		said.Blocks = []Block{TextBlock(*done.Text, FormatPlain)}
	}
	if len(said.Blocks) == 0 {
		said.Blocks = []Block{TextBlock("Done.", FormatPlain)}
	}
	if done.OpenURL != nil {
		said.Open = []string{*done.OpenURL}
	}
	return said, nil
}

// saidByFindings shows the findings one after the other, as sure as the least
// sure of them.
func saidByFindings(c ReasoningConcluded, r ModelReplied) Said {
	said := Said{Mode: ModeRespond, Confidence: One}
	for _, i := range c.Findings {
		if i < 0 || i >= len(r.Findings) {
			continue
		}
		f := r.Findings[i]
		said.Blocks = append(said.Blocks, f.Blocks...)
		said.Confidence = min(said.Confidence, f.Confidence)
		if said.Topic == "" {
			said.Topic = f.Topic
		}
	}
	return said
}
