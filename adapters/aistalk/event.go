package aistalk

import (
	"bytes"
	"encoding/json"
	"time"

	"chalie/domain"
)

// The types of events that come from no record.
const (
	typePong  = "pong"
	typeOps   = "ops.run"
	typeNodes = "nodes.status"
	typeGap   = "gap"
)

// event is the envelope of every event.
type event struct {
	V         int        `json:"v"`
	Type      string     `json:"type"`
	TS        string     `json:"ts"` // RFC 3339, UTC, milliseconds
	ProjectID string     `json:"project_id"`
	SessionID string     `json:"session_id"`
	UserID    string     `json:"user_id"`
	Data      any        `json:"data"`
	ID        domain.Seq `json:"id,omitempty"` // absent of what comes from no record
}

// The data of each type.
type (
	chatData struct { // chat.message
		Text       string `json:"text"`
		Provider   string `json:"provider"`
		Model      string `json:"model"`
		ExchangeID string `json:"exchange_id"`
	}
	replyData struct { // chat.reply
		Text       string `json:"text"`
		Provider   string `json:"provider"`
		Model      string `json:"model"`
		LatencyMS  int64  `json:"latency_ms"`
		ExchangeID string `json:"exchange_id"`
		Unasked    bool   `json:"unasked,omitempty"`
	}
	approvalData struct { // chat.approval
		Text       string `json:"text"`
		ProposalID string `json:"proposal_id"`
		ExchangeID string `json:"exchange_id"`
	}
	deltaData struct { // chat.delta
		Events     []domain.StreamEvent `json:"events"`
		ExchangeID string               `json:"exchange_id"`
	}
	retractedData struct { // chat.retracted
		Reason     string `json:"reason"`
		ExchangeID string `json:"exchange_id"`
	}
	sttData struct { // voice.stt
		Phase     string      `json:"phase"`
		ElapsedMS int64       `json:"elapsed_ms"`
		STTID     string      `json:"stt_id"`
		Code      domain.Code `json:"code,omitempty"`
	}
	ttsData struct { // voice.tts
		Phase     string      `json:"phase"`
		Voice     string      `json:"voice"`
		ElapsedMS int64       `json:"elapsed_ms"`
		TTSID     string      `json:"tts_id"`
		Code      domain.Code `json:"code,omitempty"`
	}
	calledData struct { // tool.called
		Name         string `json:"name"`
		InvocationID string `json:"invocation_id"`
		ExchangeID   string `json:"exchange_id"`
	}
	resultData struct { // tool.result
		InvocationID string      `json:"invocation_id"`
		OK           bool        `json:"ok"`
		ElapsedMS    int64       `json:"elapsed_ms"`
		Code         domain.Code `json:"code,omitempty"`
		ExchangeID   string      `json:"exchange_id"`
	}
	errorData struct { // error
		Where      string      `json:"where"`
		Message    string      `json:"message"`
		Code       domain.Code `json:"code,omitempty"`
		ExchangeID string      `json:"exchange_id,omitempty"`
	}
	gapData struct {
		From domain.Seq `json:"from"`
		To   domain.Seq `json:"to"`
		// Reason is why the events may be others than before; absent when they were only missed.
		Reason domain.EpochReason `json:"reason,omitempty"`
	}
)

// Ops is an operation that has ended: a replay, a rebuild, an audit or an export.
type Ops struct {
	Name      string `json:"name"`         // replay, what_if, rebuild, check, upgrade, rollback, audit, export
	Of        string `json:"of,omitempty"` // the projection
	OK        bool   `json:"ok"`
	ElapsedMS int64  `json:"elapsed_ms"`
}

// Nodes is how Chalie is.
type Nodes struct {
	UptimeS int64  `json:"bff_uptime_s"`
	Clients int    `json:"ws_clients"`
	Nodes   []Node `json:"nodes"`
	TS      string `json:"nodes_ts"`
}

// Node is one program of Chalie's. Router is what answers messages.
type Node struct {
	ID        string `json:"id"`
	Online    bool   `json:"online"`
	RouterOK  bool   `json:"router_ok"`
	LatencyMS int64  `json:"router_latency_ms"` // of the latest answer; 0 before the first
}

// TimeOf is a moment as events have it.
func TimeOf(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }

// live is an event that comes from no record.
func live(kind string, at time.Time, data any) []byte {
	return marshal(event{V: 1, Type: kind, TS: TimeOf(at), ProjectID: domain.DefaultConversation,
		SessionID: domain.DefaultConversation, UserID: domain.ConsoleUser, Data: data})
}

// OpsRun is the event of an operation that has ended.
func OpsRun(at time.Time, ran Ops) []byte { return live(typeOps, at, ran) }

// NodesStatus is the event of how Chalie is.
func NodesStatus(at time.Time, is Nodes) []byte {
	is.TS = TimeOf(at)
	return live(typeNodes, at, is)
}

// Encode is an event of a record. asked is the model that is asked first when a message names
// none.
func Encode(e domain.ConsoleEvent, asked string) []byte {
	of := e.Of.ToConsole()
	return marshal(event{V: 1, Type: string(e.Type), TS: TimeOf(e.At.Time()), ProjectID: of.Project, SessionID: of.Session, UserID: of.User,
		Data: dataOf(e, asked), ID: e.Seq})
}

func dataOf(e domain.ConsoleEvent, asked string) any {
	exchange := e.ExchangeID.UUID()
	switch e.Type {
	case domain.ConsoleMessage:
		model := e.Model
		if model == "" {
			model = asked
		}
		provider, model := domain.ConsoleModel(model)
		return chatData{e.Text, provider, model, exchange}
	case domain.ConsoleReply:
		provider, model := domain.ConsoleModel(e.Model)
		return replyData{e.Text, provider, model, e.LatencyMS, exchange, e.Unasked}
	case domain.ConsoleApproval:
		return approvalData{e.Text, e.ID.UUID(), exchange}
	case domain.ConsoleDelta:
		return deltaData{append([]domain.StreamEvent{}, e.Events...), exchange}
	case domain.ConsoleRetracted:
		return retractedData{e.Text, exchange}
	case domain.ConsoleSTT:
		return sttData{e.Phase, e.LatencyMS, e.ID.UUID(), e.Code}
	case domain.ConsoleTTS:
		return ttsData{e.Phase, e.Voice, e.LatencyMS, e.ID.UUID(), e.Code}
	case domain.ConsoleCalled:
		return calledData{e.Tool, e.ID.UUID(), exchange}
	case domain.ConsoleResult:
		return resultData{e.ID.UUID(), e.OK, e.LatencyMS, e.Code, exchange}
	}
	return errorData{e.Where, e.Text, e.Code, exchange}
}

// marshal writes JSON of shapes that always marshal, without escaping < > and &.
func marshal(v any) []byte {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}
