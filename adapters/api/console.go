package api

import "chalie/domain"

// APIKeyHeader carries a console's token.
const APIKeyHeader = "X-API-Key"

// ChatRequest is what a console says for its person.
type ChatRequest struct {
	Message   string `json:"message" must:"true" doc:"What the person says."`
	Model     string `json:"model,omitempty" doc:"The model to ask first, such as ollama:llama3.1. One that isn't set up is left to the ones that are."`
	Provider  string `json:"provider,omitempty" doc:"Its provider, where the model's name has none."`
	ProjectID string `json:"project_id,omitempty" doc:"With the others: which conversation. Without any, or as default, the default one."`
	SessionID string `json:"session_id,omitempty"`
	UserID    string `json:"user_id,omitempty"`
	STTID     string `json:"stt_id,omitempty" format:"uuid" doc:"The recording in which it was heard, exactly."`
	Timezone  string `json:"timezone,omitempty" doc:"Where the person is, by an IANA name."`
}

// ChatAnswer is what Chalie answers.
type ChatAnswer struct {
	OK         bool      `json:"ok"`
	ProjectID  string    `json:"project_id"`
	SessionID  string    `json:"session_id"`
	UserID     string    `json:"user_id"`
	Response   string    `json:"response" doc:"In plain words. Empty when it takes longer than 30 s."`
	Model      string    `json:"model" doc:"Which answered; chalie for words of its own, and while nothing has."`
	Backend    string    `json:"backend" enum:"ollama|router" doc:"The provider of the model: router for all but ollama's."`
	Meta       ChatMeta  `json:"meta"`
	ExchangeID UUID      `json:"exchange_id" doc:"The trace in the log, for why."`
	Open       *ChatOpen `json:"open,omitempty" doc:"What the answer waits for; it comes as chat.reply over /ws/events."`
}

// ChatMeta is how the answer was made.
type ChatMeta struct {
	LatencyMS int64  `json:"latency_ms"`
	TokensEst int    `json:"tokens_est" doc:"Of the answer: as the model counted, or a quarter of its characters."`
	Model     string `json:"model" doc:"The model that answered, or that was asked first."`
	Provider  string `json:"provider" enum:"ollama|router"`
	Instead   string `json:"instead_of,omitempty" doc:"The model that was asked for, and isn't set up."`
}

// ChatOpen is what an answer waits for.
type ChatOpen struct {
	Reason    string         `json:"reason" enum:"approval|time"`
	Approvals []ChatApproval `json:"approvals" doc:"Of reason approval: say yes or no in the same conversation, or decide with the token."`
}

// ChatApproval is a call that waits for the person's approval.
type ChatApproval struct {
	ProposalID    UUID          `json:"proposal_id"`
	InvocationID  UUID          `json:"invocation_id"`
	ProposalToken string        `json:"proposal_token" doc:"For POST /api/approvals/{token}, which a session may."`
	Summary       string        `json:"summary"`
	ExpiresAt     domain.Millis `json:"expires_at"`
}

func consoleRoutes() []Route {
	return []Route{
		{Name: "consoleSocket", Method: get, Path: "/ws/events", Who: Consoles, Summary: "Become a WebSocket of events",
			Detail:  "All that happens in chat, voice and tools, as docs/console.md says. A token has to name console among its types. With serve --aistalk a program on this machine needs none.",
			Query:   []Param{text("id", "The last event that the client had: it gets what came after.")},
			Answers: []Answer{{Status: 101}}, Refuses: []int{400, 426}},
		{Name: "chatSend", Method: post, Path: "/api/chat/send", Who: Consoles, Summary: "Say something, and wait for the answer",
			Detail:  "What a console sends is the person's word. The answer comes within 30 s, or says what it waits for. A token has to name console among its types. 30 a minute for each address.",
			Headers: append(once(), device()), Body: json(256*kib, ChatRequest{}), Answers: ok(ChatAnswer{}), Refuses: []int{409, 429}},
	}
}
