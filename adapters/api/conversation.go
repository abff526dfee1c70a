package api

import (
	stdjson "encoding/json"

	"chalie/domain"
)

// AsOf is the position and the moment that an answer about the past is about.
type AsOf struct {
	Position domain.Position `json:"position"`
	Time     domain.Millis   `json:"time"`
	Lacks    string          `json:"lacks,omitempty" doc:"What went since and is missing in the answer, in a sentence."`
}

// Conversation is a page of exchanges.
type Conversation struct {
	AsOf      *AsOf      `json:"as_of,omitempty" doc:"When at was asked."`
	ThreadID  *UUID      `json:"thread_id" doc:"Of the conversation; null before anything was said."`
	Exchanges []Exchange `json:"exchanges" doc:"Oldest first. There are fewer than limit where they are large: 2 MiB and one more."`
	Total     int        `json:"total"`
	HasMore   bool       `json:"has_more" doc:"Older ones follow: the next offset is that of those that were answered."`
}

// MaxConversations bounds a list of conversations; the latest are in it.
const MaxConversations = 200

// Conversations are those in which anything was said.
type Conversations struct {
	AsOf          *AsOf             `json:"as_of,omitempty" doc:"When at was asked."`
	Conversations []OneConversation `json:"conversations" doc:"The latest first, at most 200."`
	Total         int               `json:"total"`
}

// OneConversation is a conversation. Each has a dialogue and a working memory of its own; plans and
// memories are shared.
type OneConversation struct {
	ID      *UUID `json:"id" doc:"Null of the default conversation, that of /ws and the pages."`
	Default bool  `json:"default"`
	ConversationName
	Exchanges int       `json:"exchanges"`
	Last      Timestamp `json:"last" doc:"When the latest exchange began."`
}

// ConversationName names a conversation as the program that holds it does. Without any of it the
// default conversation is meant.
type ConversationName struct {
	Project string `json:"project_id" doc:"At most 128 bytes."`
	Session string `json:"session_id" doc:"At most 128 bytes; required beside the others."`
	User    string `json:"user_id" doc:"At most 128 bytes."`
}

// Exchange is one turn of the conversation. Erased text is shown as (erased).
type Exchange struct {
	ID              UUID             `json:"id"`
	Prompt          string           `json:"prompt" doc:"What the person said; empty for images alone, for a button, and when Chalie spoke of its own accord."`
	Action          *Action          `json:"action" doc:"The button that the person pressed; null for anything else."`
	Blocks          []domain.Block   `json:"blocks" doc:"What Chalie said; none while it is under way, an alert when it failed."`
	Topic           string           `json:"topic" doc:"Of what Chalie said; empty when it said nothing."`
	Timestamp       Timestamp        `json:"timestamp" doc:"When it began."`
	InWorkingMemory bool             `json:"in_working_memory" doc:"Reasoning looks back on it."`
	ImageIDs        []UUID           `json:"image_ids" doc:"The images that came with the prompt."`
	Kind            domain.FrameType `json:"kind" enum:"|message|notification|escalation|error" doc:"How Chalie said it; empty while it is under way."`
	*Way
}

// Action is a button that the person pressed.
type Action struct {
	Skill  string             `json:"skill"`
	Label  string             `json:"label" doc:"What stood on it; empty when its client didn't say."`
	Params stdjson.RawMessage `json:"params"`
}

// Way is the steps to an answer, when the request asks for them.
type Way struct {
	Stage     domain.Stage    `json:"stage" doc:"How far it is, as in a status frame; empty when it has ended."`
	Steps     []Step          `json:"steps" doc:"What happened on the way, oldest first."`
	MoreSteps bool            `json:"more_steps" doc:"Its trace is longer than what the steps were read from: its first 200 records or 2 MiB."`
	NextSteps domain.Position `json:"next_steps,omitzero" doc:"From where /api/exchanges/{id}?from= tells the next."`
}

// Step is one event on the way to an answer.
type Step struct {
	Type        string        `json:"type" enum:"narration|card|approval|steer|cancel|failure" doc:"narration: which tools the answer was about to use. card: a tool answered with one. approval: a tool needs, or needed, the person's. steer: what the person said meanwhile. cancel: they wanted it to end. failure: a tool failed."`
	Seq         domain.Seq    `json:"seq" doc:"The number of the frame that told it, or would have."`
	Text        string        `json:"text,omitempty" doc:"Of a narration, a steer, a failure."`
	ToolName    string        `json:"tool_name,omitempty" doc:"Of a card."`
	Title       *string       `json:"title,omitempty" doc:"Of a card."`
	AccentColor *string       `json:"accent_color,omitempty" doc:"Of a card."`
	Approval    *ApprovalStep `json:"approval,omitempty"`
}

// ApprovalStep is a proposal on the way to an answer.
type ApprovalStep struct {
	Call
	InvocationID  UUID          `json:"invocation_id"`
	Summary       string        `json:"summary"`
	State         string        `json:"state" enum:"waiting|granted|refused|expired"`
	Withdrawn     bool          `json:"withdrawn,omitempty" doc:"It is refused because what it was for was stopped."`
	ExpiresAt     domain.Millis `json:"expires_at"`
	ProposalToken string        `json:"proposal_token,omitempty" doc:"While it can be decided."`
}

// Call is what a tool would be, or was, called with.
type Call struct {
	Tool      string             `json:"tool"`
	Interface string             `json:"interface" doc:"Its name; empty when nobody knows it any more."`
	Params    stdjson.RawMessage `json:"params"`
	Does      string             `json:"description" doc:"What the interface says that the tool does."`
	Footing
}

// Footing warns the person of a call that rests on more than their own words.
type Footing struct {
	ForeignWords []string `json:"foreign_words" doc:"Whose words a model had read before it asked for the call, such as a signal of Lab."`
	Carries      bool     `json:"carries_private_words" doc:"It would send some of memories, plans or the conversation."`
}

// MaxExchanges bounds the exchanges of one page.
const MaxExchanges = 100

func conversationRoutes() []Route {
	return []Route{
		{Name: "socket", Method: get, Path: "/ws", Who: Browsers, Summary: "Become a WebSocket",
			Detail:  "RFC 6455, version 13. What is said over it stands in docs/http.md. 426 for a request that asks for no WebSocket or another version; 503 when too many are connected.",
			Headers: []Param{{Name: "Sec-WebSocket-Protocol", Kind: KindText, Doc: "chalie, chalie.key.KEY for a session that shows its key."}},
			Answers: []Answer{{Status: 101}}, Refuses: []int{400, 426}},
		{Name: "conversation", Method: get, Path: "/conversation/recent", Who: Browsers, Summary: "What was said", Query: []Param{
			count("limit", 12, 1, MaxExchanges, "How many exchanges."), count("offset", 0, 0, 1<<31-1, "How many of the latest to skip."),
			flag("steps", false, "With how each answer came about."), at(),
			{Name: "conversation", Kind: KindText, Doc: "Which one, by its id or its session's name; the default one unless said."},
		}, Answers: ok(Conversation{}), Refuses: []int{404}},
		{Name: "conversations", Method: get, Path: "/api/conversations", Who: Operator, Summary: "The conversations", Query: []Param{at()}, Answers: ok(Conversations{})},
		{Name: "oneExchange", Method: get, Path: "/api/exchanges/{id}", Who: Operator, Summary: "One exchange with its steps, whether or not it is part of the conversation",
			ID: "The exchange's.", Query: []Param{count("from", 1, 1, 1<<63-1, "The position from which steps are told.")}, Answers: ok(Exchange{})},
	}
}
