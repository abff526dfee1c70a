package wsapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"

	"chalie/domain"
)

// The JSON of outgoing frames.
type (
	statusJSON struct {
		Type       domain.FrameType `json:"type"`
		Stage      domain.Stage     `json:"stage"`
		ExchangeID string           `json:"exchange_id"`
		Seq        domain.Seq       `json:"seq"`
	}
	narrationJSON struct {
		Type       domain.FrameType `json:"type"`
		Text       string           `json:"text"`
		Step       int              `json:"step"`
		ExchangeID string           `json:"exchange_id"`
		Seq        domain.Seq       `json:"seq"`
	}
	deltaJSON struct {
		Type       domain.FrameType     `json:"type"`
		Step       int                  `json:"step"`
		Attempt    int                  `json:"attempt"`
		Part       int                  `json:"part"`
		Events     []domain.StreamEvent `json:"events"`
		ExchangeID string               `json:"exchange_id"`
		Seq        domain.Seq           `json:"seq"`
	}
	retractedJSON struct {
		Type       domain.FrameType `json:"type"`
		Reason     string           `json:"reason"`
		ExchangeID string           `json:"exchange_id"`
		Seq        domain.Seq       `json:"seq"`
	}
	cardJSON struct {
		Type        domain.FrameType `json:"type"`
		HTML        string           `json:"html"`
		CSS         string           `json:"css"`
		ScopeID     string           `json:"scope_id"`
		ToolName    string           `json:"tool_name"`
		Title       *string          `json:"title"`
		AccentColor *string          `json:"accent_color"`
		OutputID    string           `json:"output_id"`
		Topic       *string          `json:"topic"`
		ExchangeID  string           `json:"exchange_id"`
		Seq         domain.Seq       `json:"seq"`
	}
	messageJSON struct {
		Type       domain.FrameType `json:"type"`
		Blocks     []domain.Block   `json:"blocks"`
		Topic      string           `json:"topic"`
		Mode       domain.Mode      `json:"mode"`
		Confidence float64          `json:"confidence"`
		ExchangeID string           `json:"exchange_id"`
		Seq        domain.Seq       `json:"seq"`
	}
	doneJSON struct {
		Type       domain.FrameType `json:"type"`
		DurationMS int64            `json:"duration_ms"`
		ExchangeID string           `json:"exchange_id"`
		Seq        domain.Seq       `json:"seq"`
	}
	errorJSON struct {
		Type        domain.FrameType `json:"type"`
		Message     string           `json:"message"`
		Recoverable bool             `json:"recoverable"`
		ExchangeID  string           `json:"exchange_id,omitempty"` // absent in a frame for one client alone
		Seq         domain.Seq       `json:"seq"`
	}
	noticeJSON struct { // notification, escalation
		Type       domain.FrameType `json:"type"`
		Content    string           `json:"content"`
		Blocks     []domain.Block   `json:"blocks"`
		Topic      *string          `json:"topic"`
		ExchangeID string           `json:"exchange_id"`
		Seq        domain.Seq       `json:"seq"`
	}
	// proposalJSON is an escalation with what the person needs for a decision.
	proposalJSON struct {
		noticeJSON
		ProposalToken     string        `json:"proposal_token"`
		CapabilityID      string        `json:"capability_id"`
		CapabilityVersion string        `json:"capability_version"`
		Summary           string        `json:"summary"`
		Actor             string        `json:"actor"`
		ActorName         string        `json:"actor_name,omitempty"` // as rules name a program
		Channel           string        `json:"channel"`
		TraceID           string        `json:"trace_id"`
		InvocationID      string        `json:"invocation_id"`
		ExpiresAt         domain.Millis `json:"expires_at"`
		Action            actionJSON    `json:"action"`
	}
	actionJSON struct {
		Method    string   `json:"method"`
		URL       string   `json:"url"`
		Decisions []string `json:"decisions"` // values for {decision}
	}
	imageJSON struct {
		Type    domain.FrameType `json:"type"`
		ImageID string           `json:"image_id"`
		Status  string           `json:"status"`
		Seq     domain.Seq       `json:"seq"`
	}
	exchangeJSON struct {
		Type       domain.FrameType `json:"type"`
		ExchangeID string           `json:"exchange_id"`
		Seq        domain.Seq       `json:"seq"`
	}
	taskJSON struct {
		Type domain.FrameType `json:"type"`
		Seq  domain.Seq       `json:"seq"`
	}
	gapJSON struct {
		Type string     `json:"type"`
		From domain.Seq `json:"from"`
		To   domain.Seq `json:"to"`
		Seq  domain.Seq `json:"seq"`

		Reason domain.EpochReason `json:"reason,omitempty"` // absent when frames were only missed
	}
)

// encode writes a frame as JSON. tokens finds the token of a proposal, which is not in
// the log. The error names a block that isn't valid.
func encode(f domain.Frame, tokens Tokens, programs Programs) ([]byte, error) {
	switch f.Type {
	case domain.FrameStatus:
		return marshal(statusJSON{f.Type, f.Stage, f.ExchangeID.UUID(), f.Seq})
	case domain.FrameNarration:
		return marshal(narrationJSON{f.Type, f.Message, f.Step, f.ExchangeID.UUID(), f.Seq})
	case domain.FrameDelta:
		return marshal(deltaJSON{f.Type, f.Step, f.Attempt, f.Part, append([]domain.StreamEvent{}, f.Events...), f.ExchangeID.UUID(), f.Seq})
	case domain.FrameRetracted:
		return marshal(retractedJSON{f.Type, f.Message, f.ExchangeID.UUID(), f.Seq})
	case domain.FrameCard:
		return marshal(cardJSON{f.Type, f.Card.HTML, f.Card.CSS, f.Card.ScopeID, f.Tool, f.Card.Title, f.Card.AccentColor,
			f.OutputID.UUID(), topicOrNull(f), f.ExchangeID.UUID(), f.Seq})
	case domain.FrameMessage:
		return marshal(messageJSON{f.Type, listed(f.Blocks), f.Topic, f.Mode, f.Confidence.Float(), f.ExchangeID.UUID(), f.Seq})
	case domain.FrameDone:
		return marshal(doneJSON{f.Type, f.DurationMS, f.ExchangeID.UUID(), f.Seq})
	case domain.FrameError:
		return marshal(errorJSON{f.Type, f.Message, f.Recoverable, f.ExchangeID.UUID(), f.Seq})
	case domain.FrameNotification, domain.FrameEscalation:
		notice := noticeJSON{f.Type, domain.PlainText(f.Blocks), listed(f.Blocks), topicOrNull(f), f.ExchangeID.UUID(), f.Seq}
		if f.Proposal != nil {
			return marshal(proposalOf(notice, *f.Proposal, tokens.Token(f.Proposal.Proposal), programs))
		}
		return marshal(notice)
	case domain.FrameExchange:
		return marshal(exchangeJSON{f.Type, f.ExchangeID.UUID(), f.Seq})
	case domain.FrameTask:
		return marshal(taskJSON{f.Type, f.Seq})
	case domain.FrameImageReady:
		return marshal(imageJSON{f.Type, f.ImageID.UUID(), f.Status, f.Seq})
	}
	return nil, &domain.Error{Op: "encode frame", Code: domain.CodeUndecodable,
		Message: fmt.Sprintf("a frame of type %q has no shape on the wire", f.Type)}
}

// topicOrNull is a frame's topic; null for none.
func topicOrNull(f domain.Frame) *string {
	if f.Topic == "" {
		return nil
	}
	return &f.Topic
}

func proposalOf(notice noticeJSON, p domain.Notification, token string, programs Programs) proposalJSON {
	out := proposalJSON{
		noticeJSON: notice, ProposalToken: token, CapabilityID: p.CapabilityID, CapabilityVersion: p.CapabilityVersion, Summary: p.Summary,
		Actor: p.Actor, Channel: p.Channel, TraceID: p.Trace.UUID(), InvocationID: p.InvocationID.UUID(), ExpiresAt: p.ExpiresAt,
		Action: actionJSON{http.MethodPost, "/api/approvals/" + token, []string{"grant", "refuse"}},
	}
	if name := programs.NameOf(domain.Principal(p.Actor)); name != "" {
		out.ActorName = domain.ProgramNamed(name)
	}
	return out
}

// listed makes a nil list an empty array instead of null.
func listed(blocks []domain.Block) []domain.Block {
	if blocks == nil {
		return []domain.Block{}
	}
	return blocks
}

// encodeError writes an error frame.
func encodeError(seq domain.Seq, message string, recoverable bool) []byte {
	return mustMarshal(errorJSON{domain.FrameError, message, recoverable, "", seq})
}

// encodeGap says that the frames from one number to another are gone, or, with a reason, that
// they may be others than the client was sent.
func encodeGap(from, to domain.Seq, why domain.EpochReason) []byte {
	return mustMarshal(gapJSON{"gap", from, to, to, why})
}

// mustMarshal is for shapes of texts and numbers, which always marshal.
func mustMarshal(v any) []byte {
	text, err := marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// marshal writes JSON without escaping < > and &, because it is never embedded in a page.
func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
