package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
)

// calling is one call of a tool under way.
type calling struct {
	*client
	who      commands.Caller
	session  *mcp.ServerSession
	progress *progress
	answers  shape
	quiet    bool // shows no forms, and takes nothing back
}

func (c *client) calling(req *mcp.CallToolRequest, who commands.Caller) *calling {
	return &calling{client: c, who: who, session: req.Session, progress: &progress{session: req.Session, token: req.Params.GetProgressToken()}}
}

// question is a call that waits for the person's approval.
type question struct {
	domain.Notification
	byForm  bool               // a yes in a form of the program's counts
	dismiss context.CancelFunc // of its form; nil before it is shown
}

// outcome waits for the end of an invocation, asks the person meanwhile, and says what came
// of it, or what is open. A call that is cancelled takes its question back.
func (c *calling) outcome(ctx context.Context, id domain.ID, within time.Duration) (*mcp.CallToolResult, error) {
	end, open, err := c.settle(ctx, domain.TraceID{ID: id}, within, func(rec domain.Record) bool {
		of, ok := domain.InvocationOf(rec.Envelope)
		return ok && of == id && ends(rec.Envelope.Type)
	})
	if ctx.Err() != nil {
		if c.quiet {
			return nil, ctx.Err()
		}
		return nil, c.giveUp(ctx, id)
	}
	switch {
	case err != nil:
		return failed(err), nil
	case end == nil && len(open) > 0 && leaving(ctx).Err() != nil && !c.quiet:
		_ = c.giveUp(ctx, id) // it says so in the log
		return about(id, problem("It wasn't done: the program left before its person had decided.")), nil
	case end == nil:
		return c.isOpen(id, open), nil
	}
	return c.answers.endOf(ctx, id, end.Envelope), nil
}

func ends(t domain.EventType) bool {
	return t == domain.ToolCompletedType || t == domain.ToolFailedType || t == domain.ToolOutcomeUnknownType
}

// endOf is the end of an invocation as its caller is told.
func (s shape) endOf(ctx context.Context, id domain.ID, e domain.Envelope) *mcp.CallToolResult {
	switch e.Type {
	case domain.ToolCompletedType:
		if a, err := domain.Decode[domain.ToolCompleted](e); err == nil {
			return s.answered(ctx, id, a)
		}
	case domain.ToolFailedType:
		if a, err := domain.Decode[domain.ToolFailed](e); err == nil {
			return about(id, problem("It wasn't done: "+a.Detail))
		}
	case domain.ToolOutcomeUnknownType:
		if a, err := domain.Decode[domain.ToolOutcomeUnknown](e); err == nil {
			return about(id, problem("Nobody knows whether it was done: "+a.Detail))
		}
	}
	return about(id, problem("What came of it was erased."))
}

// giveUp takes back what a call that was cancelled still waits for.
func (c *calling) giveUp(ctx context.Context, id domain.ID) error {
	err := c.server.cfg.Approvals.GiveUp(context.WithoutCancel(ctx), c.who, id, domain.ChannelMCP)
	if err != nil {
		c.server.cfg.Logger.Warn("what a cancelled call waits for could not be taken back", "invocation", id.UUID(), "err", err)
	}
	return ctx.Err()
}

// isOpen says what a call, or an answer, waits for.
func (c *calling) isOpen(id domain.ID, open []question) *mcp.CallToolResult {
	if len(open) == 0 {
		says := fmt.Sprintf("There is no answer yet. Ask %s with the id %s later.", toolOutcome, id.UUID())
		return about(id, &mcp.CallToolResult{
			Content:           []mcp.Content{&mcp.TextContent{Text: says}},
			StructuredContent: map[string]any{"status": statusOpen, "id": id.UUID(), "text": says},
		})
	}
	var says strings.Builder
	waits := []map[string]any{}
	for _, q := range open {
		until := q.ExpiresAt.Time().UTC().Format(time.RFC3339)
		fmt.Fprintf(&says, "This waits for the person's approval until %s: %s. ", until, strings.TrimSuffix(q.Summary, "."))
		waits = append(waits, map[string]any{"proposal_id": q.Proposal.UUID(), "summary": q.Summary, "expires_at": until})
	}
	where := "They are asked in Chalie's chat"
	if slices.ContainsFunc(open, func(q question) bool { return !q.byForm }) {
		where = "The person has to say yes in Chalie's own chat or pages; a yes that they give you doesn't count"
	}
	fmt.Fprintf(&says, "%s. Nothing is done before; then it goes on by itself, so don't call it again. Ask %s with the id %s for what came of it.", where, toolOutcome, id.UUID())
	return about(id, &mcp.CallToolResult{
		Content:           []mcp.Content{&mcp.TextContent{Text: says.String()}},
		StructuredContent: map[string]any{"status": statusWaiting, "id": id.UUID(), "text": says.String(), "approvals": waits},
	})
}

// settle reads an episode until ended holds for a record of it. Every question for approval
// is shown in a form where the client has them and a yes in one counts; then it waits as long as the question stands,
// and otherwise within. It returns the record, or what is open by then.
func (c *calling) settle(ctx context.Context, trace domain.TraceID, within time.Duration, ended func(domain.Record) bool) (*domain.Record, []question, error) {
	var forms sync.WaitGroup
	defer forms.Wait()
	waiting, stop := context.WithCancel(ctx)
	defer stop()
	patience := time.AfterFunc(within, stop)
	defer patience.Stop()
	// Of a program that sends no more nobody can answer.
	var asks atomic.Bool
	left := leaving(ctx)
	defer context.AfterFunc(left, func() {
		if asks.Load() {
			stop()
		}
	})()
	log := c.server.cfg.Log
	const page = 64
	var from domain.Position
	var open []question
	for {
		tail := log.Tail()
		records, err := log.Select(waiting, domain.Selector{Trace: trace}, from, page)
		if err != nil && waiting.Err() == nil {
			return nil, nil, err
		}
		for _, rec := range records {
			from = rec.Position + 1
			if ended(rec) {
				return &rec, nil, nil
			}
			if open, err = c.asked(ctx, open, rec); err != nil {
				return nil, nil, err
			}
			if decides(rec.Envelope.Type) {
				patience.Reset(within)
			}
		}
		if len(records) == page {
			continue
		}
		for i := range open {
			if open[i].dismiss != nil || !open[i].byForm || !c.elicits() {
				continue
			}
			patience.Stop()
			shown, dismiss := context.WithCancel(waiting)
			open[i].dismiss = dismiss
			one := open[i]
			forms.Go(func() {
				defer dismiss()
				if !c.form(shown, one) && shown.Err() == nil {
					stop() // it isn't decided in a form, so the call says what is open
				}
			})
		}
		if asks.Store(len(open) > 0); len(open) > 0 && left.Err() != nil {
			stop()
		}
		if _, err := log.Wait(waiting, max(tail, from-1)); err != nil {
			if ctx.Err() != nil || waiting.Err() == nil {
				return nil, nil, err
			}
			return nil, open, nil
		}
	}
}

// asked follows which questions are open.
func (c *calling) asked(ctx context.Context, open []question, rec domain.Record) ([]question, error) {
	invocation, _ := domain.InvocationOf(rec.Envelope)
	if rec.Envelope.Type == domain.ApprovalProposedType {
		notice, err := domain.ApprovalNotice(rec.Envelope)
		if err != nil && domain.CodeOf(err) != domain.CodeErased {
			return open, err
		}
		byForm, err := c.server.cfg.Approvals.ByForm(ctx, invocation)
		return append(open, question{Notification: notice, byForm: byForm}), err
	}
	if decides(rec.Envelope.Type) {
		var left []question
		for _, q := range open {
			if q.InvocationID != invocation {
				left = append(left, q)
			} else if q.dismiss != nil {
				q.dismiss()
			}
		}
		return left, nil
	}
	return open, nil
}

func decides(t domain.EventType) bool {
	return t == domain.ApprovalGrantedType || t == domain.ApprovalRefusedType || t == domain.ApprovalExpiredType
}

// elicits reports whether the client shows its person forms.
func (c *calling) elicits() bool {
	if c.quiet {
		return false
	}
	begun := c.session.InitializeParams()
	if begun == nil || begun.Capabilities == nil || begun.Capabilities.Elicitation == nil {
		return false
	}
	has := begun.Capabilities.Elicitation
	return has.Form != nil || has.URL == nil
}

// approveForm is the form of a question: yes or no.
var approveForm = map[string]any{
	"type":       "object",
	"properties": map[string]any{"approve": map[string]any{"type": "boolean", "title": "Approve", "description": "Whether Chalie may do this."}},
	"required":   []string{"approve"},
}

// form shows a question in a form of the client's, and decides it as the person answers.
// False when they didn't, or their yes doesn't count there any more.
func (c *calling) form(ctx context.Context, q question) bool {
	answer, err := c.session.Elicit(ctx, &mcp.ElicitParams{
		Mode: "form", Message: fmt.Sprintf("%s asks Chalie: %s. May it?", c.name, strings.TrimSuffix(q.Summary, ".")), RequestedSchema: approveForm,
	})
	if err != nil {
		return false
	}
	yes := false
	switch answer.Action {
	case "accept":
		yes, _ = answer.Content["approve"].(bool)
	case "decline":
	default:
		return false
	}
	_, err = c.server.cfg.Approvals.Decide(context.WithoutCancel(ctx), commands.OperatorCaller(domain.ChannelMCP), c.server.cfg.Tokens.Token(q.Proposal),
		tool.Deciding{Granted: yes, Channel: domain.ChannelMCP, Correlator: domain.ByForm})
	if domain.CodeOf(err) == domain.CodeOwnYesNeeded {
		return false // since the form was shown
	}
	if err != nil && domain.CategoryOf(err) != domain.Conflict { // the chat was faster
		c.server.cfg.Logger.Warn("an answer in a form could not be recorded", "proposal", q.Proposal.UUID(), "err", err)
		return false
	}
	return true
}

// progress tells a client that asked for it how a call goes.
type progress struct {
	session *mcp.ServerSession
	token   any // nil when nobody asked
	told    atomic.Int64
}

// progressEvery is below what clients wait between two signs of life.
const progressEvery = 5 * time.Second

// tell sends one sign of life.
func (p *progress) tell(ctx context.Context, message string) {
	if p.token == nil {
		return
	}
	// A client that is gone is told nothing.
	_ = p.session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: p.token, Progress: float64(p.told.Add(1)), Message: message})
}

// during tells now, and every few seconds until what it returns is called.
func (p *progress) during(ctx context.Context, message string) (end func()) {
	if p.token == nil {
		return func() {}
	}
	p.tell(ctx, message)
	ctx, cancel := context.WithCancel(ctx)
	var telling sync.WaitGroup
	telling.Go(func() {
		ticker := time.NewTicker(progressEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				p.tell(ctx, message)
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		cancel()
		telling.Wait()
	}
}
