package mcpserver

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/commands"
	"chalie/commands/message"
	"chalie/domain"
)

// conversation is the one that this program holds. Its name is for people, its principal makes
// it this program's alone.
func (c *client) conversation() domain.ConversationName {
	return domain.ConversationName{Project: domain.ProjectMCP, Session: c.name, User: string(c.who)}
}

// formerConversation is the one that it held under an earlier build, which knew programs by
// their names.
func (c *client) formerConversation() domain.ConversationName {
	return domain.ConversationName{Project: domain.ProjectMCP, Session: c.name}
}

// speaksIn is the conversation that the program goes on with: that of before, if it spoke there
// since its token was issued.
func (c *client) speaksIn(ctx context.Context, who commands.Caller) (domain.ConversationName, error) {
	_, after, known := who.Former()
	if !known {
		return c.conversation(), nil
	}
	spoke, err := c.server.cfg.Log.Select(ctx, domain.Selector{Key: c.formerConversation().ID().Keys()[0]}, after+1, 1)
	if err != nil || len(spoke) == 0 {
		return c.conversation(), err
	}
	return c.formerConversation(), nil
}

// addOutcome adds the tool outcome_of.
func (c *client) addOutcome() {
	no := false
	c.mcp.AddTool(&mcp.Tool{
		Name: toolOutcome, Title: "What came of a call",
		Description: "Says what came of an earlier call of this program that had to wait: its answer, why it wasn't done, or what it still waits for.",
		InputSchema: onlyText("id", "The id that the call was answered with."),
		Annotations: &mcp.ToolAnnotations{Title: "What came of a call", ReadOnlyHint: true, DestructiveHint: &no, OpenWorldHint: &no},
	}, c.outcomeOf)
}

// syncSpeech offers what the program may say: words of its person's, where its token names
// console, and otherwise words of its own.
func (c *client) syncSpeech() {
	who, _ := c.caller()
	_, forPerson := who.Console()
	if c.speech == nil || *c.speech != forPerson {
		c.addSpeech(forPerson)
		c.speech = &forPerson
	}
}

func (c *client) addSpeech(forPerson bool) {
	no, yes := false, true
	if forPerson {
		c.mcp.RemoveTools(toolTell)
		c.mcp.AddTool(&mcp.Tool{
			Name: toolAsk, Title: "Ask Chalie",
			Description: "Says something to Chalie for the person, in plain words, and returns its answer. It knows their plans, lists and memories, and what their devices told it. " +
				"The words count as the person's own: say only what they want said. The conversation goes on from call to call, and is this program's own.",
			InputSchema: onlyText("text", "What is said, in plain words."), OutputSchema: ofWords().declared(),
			Annotations: &mcp.ToolAnnotations{Title: "Ask Chalie", DestructiveHint: &yes, OpenWorldHint: &yes},
		}, c.ask)
		return
	}
	c.mcp.RemoveTools(toolAsk)
	c.mcp.AddTool(&mcp.Tool{
		Name: toolTell, Title: "Tell the person",
		Description: "Passes something on to the person through Chalie, marked as this program's words. It is for telling them something; what Chalie can look up or do has tools of its own.",
		InputSchema: onlyText("text", "What they are told, in plain words."), OutputSchema: ofWords().declared(),
		Annotations: &mcp.ToolAnnotations{Title: "Tell the person", DestructiveHint: &no, OpenWorldHint: &yes},
	}, c.tell)
}

// onlyText is the schema of a tool with one text.
func onlyText(name, what string) map[string]any {
	return map[string]any{"type": "object", "additionalProperties": false, "required": []string{name}, "properties": map[string]any{
		name: map[string]any{"type": "string", "description": what, "minLength": 1},
	}}
}

// ask is the tool ask_chalie.
func (c *client) ask(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	who, _ := c.caller()
	person, ok := who.Console()
	if !ok {
		return failed(shutOut(c.name)), nil
	}
	return c.say(ctx, req, who, person, domain.SaidInText)
}

// tell is the tool tell_person.
func (c *client) tell(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	who, ok := c.caller()
	if !ok {
		return failed(shutOut(c.name)), nil
	}
	return c.say(ctx, req, who, who, c.name)
}

// say records a message of speaker's, and waits for the answer. Cancelled, it cancels the
// answer.
func (c *client) say(ctx context.Context, req *mcp.CallToolRequest, who, speaker commands.Caller, through string) (*mcp.CallToolResult, error) {
	text, refusal := textOf(req, "text")
	if refusal != nil {
		return refusal, nil
	}
	in, err := c.speaksIn(ctx, who)
	if err != nil {
		return failed(err), nil
	}
	speaker.Zone = zoneOf(ctx, req)
	call := c.calling(req, who)
	defer call.progress.during(ctx, "Chalie is thinking")()
	id, err := c.server.cfg.Messages.SayHeard(ctx, speaker, domain.MessageReceived{Text: text, Source: through, Conversation: in}, message.Heard{})
	if err != nil {
		return failed(err), nil
	}
	out, err := call.reply(ctx, id, c.server.cfg.AnswerWithin)
	if err != nil {
		if _, wrong := c.server.cfg.Messages.Cancel(context.WithoutCancel(ctx), speaker, id); wrong != nil && domain.CodeOf(wrong) != message.CodeNothingUnderWay {
			c.server.cfg.Logger.Warn("an answer that nobody waits for could not be cancelled", "exchange", id.UUID(), "err", wrong)
		}
	}
	return out, err
}

// reply waits for the answer of an episode. The error is that of ctx.
func (c *calling) reply(ctx context.Context, id domain.ID, within time.Duration) (*mcp.CallToolResult, error) {
	end, open, err := c.settle(ctx, domain.TraceID{ID: id}, within, func(rec domain.Record) bool {
		return rec.Envelope.Type == domain.ReasoningConcludedType
	})
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return failed(err), nil
	case end == nil && len(open) > 0 && leaving(ctx).Err() != nil:
		return nil, context.Canceled // whoever asked hears no answer
	case end == nil:
		return c.isOpen(id, open), nil
	}
	events, err := domain.ConsoleEvents(ctx, *end, c.server.cfg.Log)
	switch {
	case err != nil:
		return failed(err), nil
	case len(events) == 0:
		return about(id, problem("There is no answer: "+whyURI(id)+" says why.")), nil
	case events[0].Type == domain.ConsoleError:
		return about(id, problem("There is no answer: "+events[0].Text+".")), nil
	}
	text := events[0].Text
	if strings.TrimSpace(text) == "" {
		text = "The answer has no words, but what is seen or pressed in Chalie's own chat and pages: the person has it there. " + whyURI(id) + " says how it came about."
	}
	return ofWords().answered(ctx, id, domain.ToolCompleted{Text: &text}), nil
}

// outcomeOf is the tool outcome_of. It asks the person nothing again.
func (c *client) outcomeOf(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	who, ok := c.caller()
	if !ok {
		return failed(shutOut(c.name)), nil
	}
	text, refusal := textOf(req, "id")
	if refusal != nil {
		return refusal, nil
	}
	none := problem("No call or question of this program has the id " + clip(text) + ": give the id that it was answered with.")
	id, err := domain.ParseID(text)
	if err != nil {
		return none, nil
	}
	rec, err := c.server.cfg.Log.Find(ctx, id)
	switch {
	case domain.CategoryOf(err) == domain.NotFound:
		return none, nil
	case err != nil:
		return failed(err), nil
	case !who.Owns(rec) && !c.said(who, rec):
		return none, nil
	}
	call := c.calling(req, who)
	call.quiet = true
	defer call.progress.during(ctx, "looking whether it has ended")()
	switch rec.Envelope.Type {
	case domain.ToolInvokedType:
		return call.outcome(ctx, id, c.server.cfg.ApproveWithin)
	case domain.MessageReceivedType:
		return call.reply(ctx, id, c.server.cfg.ApproveWithin)
	}
	return none, nil
}

// said reports whether a record is a message that this program sent for its person.
func (c *client) said(who commands.Caller, rec domain.Record) bool {
	if rec.Envelope.Type != domain.MessageReceivedType {
		return false
	}
	m, err := domain.Decode[domain.MessageReceived](rec.Envelope)
	if err != nil {
		return false
	}
	_, after, known := who.Former()
	return m.Conversation == c.conversation() || known && rec.Position > after && m.Conversation == c.formerConversation()
}

// textOf reads a call's only argument.
func textOf(req *mcp.CallToolRequest, name string) (string, *mcp.CallToolResult) {
	var in map[string]json.RawMessage
	var text string
	refuse := func() (string, *mcp.CallToolResult) {
		return "", problem("The arguments must be an object with " + name + ", a text that isn't empty, and nothing else.")
	}
	if err := json.Unmarshal(req.Params.Arguments, &in); err != nil || len(in) != 1 || json.Unmarshal(in[name], &text) != nil || strings.TrimSpace(text) == "" {
		return refuse()
	}
	return text, nil
}
