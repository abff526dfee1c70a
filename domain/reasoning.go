package domain

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// ReasoningStarted opens the thinking of an episode and fixes what it rests on,
// so that a replay finds the same ground: the moment, the world state by
// reference with its scores, what was said before, and the rules.
type ReasoningStarted struct {
	AsOf   Millis    `json:"as_of"`
	Zone   string    `json:"zone"` // the person's, an IANA name; UTC when it wasn't known
	World  WorldSeen `json:"world"`
	Recent []ID      `json:"recent"` // the messages of the exchanges in working memory, oldest first
	// Relations are the signals that bear on plans, strongest first. It
	// may name items that are not in the context.
	Relations []SeenRelation `json:"relations"`
	// Found is the relations.found with the reasons of what it found, or the latest of
	// several; none when nothing was, and in what was recorded before reasons were.
	Found    ID              `json:"found,omitzero"`
	Models   []string        `json:"models"`   // to ask, the next when one fails
	Verifier string          `json:"verifier"` // who checks the answer; "" for nobody
	Limits   ReasoningLimits `json:"limits"`
	Rules    string          `json:"rules"`          // hash of the rules and parameters it is scored by
	Build    string          `json:"build"`          // version of the program
	Read     Position        `json:"read,omitempty"` // see [ReadOf]
}

// Seen is an item by its envelope, as it was scored; without a score when it isn't
// listed.
func (r *ReasoningStarted) Seen(id ID) SeenItem {
	for _, items := range [][]SeenItem{r.World.Items, r.World.LeftOut} {
		if i := slices.IndexFunc(items, func(s SeenItem) bool { return s.EnvelopeID == id }); i >= 0 {
			return items[i]
		}
	}
	return SeenItem{EnvelopeID: id}
}

// OpensReasoning reports whether something of this type is to be reasoned about:
// its episode then ends with a reasoning.concluded.
func OpensReasoning(t EventType) bool {
	return t == MessageReceivedType || t == ActionReceivedType || t == SpineSignalEmittedType
}

// SeenRelation is a relation as it was found then, by reference.
type SeenRelation struct {
	Signal     ID  `json:"signal"`     // the signal
	Commitment ID  `json:"commitment"` // what it bears on
	Score      PPM `json:"score"`
}

// WorldSeen is a world state by reference.
type WorldSeen struct {
	Position Position   `json:"position"`           // folded through
	Over     OverRule   `json:"over,omitempty"`     // by which what is over left the mind
	Items    []SeenItem `json:"items"`              // in the reasoning context, in order
	LeftOut  []SeenItem `json:"left_out"`           // each with its gate, at most MaxLeftOut
	Unlisted int        `json:"unlisted,omitempty"` // how many more were left out
}

// MaxLeftOut bounds the items left out that are recorded: those that came closest.
// With all that somebody may have planned the record would be too large to store.
const MaxLeftOut = 1024

// SeenItem is one item of a world state as it was scored then.
type SeenItem struct {
	EnvelopeID ID       `json:"envelope_id"`
	TextID     ID       `json:"text_id,omitzero"` // the envelope that has its text, when it is another
	Kind       ItemKind `json:"kind,omitzero"`    // not written of a signal: most are
	Phase      Phase    `json:"phase,omitempty"`  // of a reminder or task
	Moment     Millis   `json:"moment,omitempty"` // when that is due, or was done
	Salience   PPM      `json:"salience"`
	Bonus      PPM      `json:"bonus,omitempty"`
	Gate       Gate     `json:"gate,omitempty"`
}

// Text is the envelope that has its text.
func (s SeenItem) Text() ID { return Candidate{EnvelopeID: s.EnvelopeID, TextID: s.TextID}.Text() }

// UnmarshalJSON reads a world state as it is stored: an item without a kind is a signal.
func (w *WorldSeen) UnmarshalJSON(text []byte) error {
	type stored WorldSeen
	if err := json.Unmarshal(text, (*stored)(w)); err != nil {
		return err
	}
	for _, items := range [][]SeenItem{w.Items, w.LeftOut} {
		for i := range items {
			items[i].Kind = cmp.Or(items[i].Kind, ItemSignal)
		}
	}
	return nil
}

// SeenIn is an assembly by reference.
func SeenIn(a Assembly, through Position) WorldSeen {
	listed := a.LeftOut[:min(len(a.LeftOut), MaxLeftOut)]
	return WorldSeen{Position: through, Over: a.Over, Items: seen(a.Items), LeftOut: seen(listed), Unlisted: len(a.LeftOut) - len(listed)}
}

func seen(items []Item) []SeenItem {
	out := make([]SeenItem, len(items))
	for i, it := range items {
		out[i] = SeenItem{EnvelopeID: it.EnvelopeID, TextID: it.TextID, Kind: it.Kind, Phase: it.Phase, Moment: it.Moment,
			Salience: it.Salience, Bonus: it.Bonus, Gate: it.Gate}
	}
	return out
}

// ModelCalled is recorded before the model is asked. What it is asked follows
// from the episode so far: the opening, reasoning.started, and the steers.
type ModelCalled struct {
	Model        string   `json:"model"`
	Steers       []ID     `json:"steers"`          // taken up by this call and those before, oldest first
	Verification ID       `json:"verification_id"` // the answer.verified it is told of; none without
	Instead      ID       `json:"instead_id"`      // the model.failed of the one before; none without
	Tools        []string `json:"tools"`           // that it may call, by the names they were offered by
	Final        bool     `json:"final"`           // it is the last there may be: no tools
	// Shown is all that the model has been shown of others' words in this episode, this
	// call included. What isn't the person's own and isn't named here is left out of
	// the prompt. null of a call that was made before words were marked.
	Shown []Words  `json:"shown"`
	Read  Position `json:"read,omitempty"` // see [ReadOf]
}

// ModelReplied is the model's reply, which is never asked for again. With tool
// calls the episode goes on: they are made in order, and the model is called
// again with their results. Without, it is the end.
type ModelReplied struct {
	Model      string     `json:"model"`
	Blocks     []Block    `json:"blocks"`
	Topic      string     `json:"topic"`
	Mode       Mode       `json:"mode"`
	Confidence PPM        `json:"confidence"`
	Urgent     bool       `json:"urgent"` // it can't wait
	Used       []Evidence `json:"used"`   // what the reply rests on, with the model's weights
	Usage      Usage      `json:"usage"`
	ToolCalls  []ToolCall `json:"tool_calls"`
	Findings   []Finding  `json:"findings"`           // of a background cycle
	Readings   []Reading  `json:"readings,omitempty"` // of what was asked; none of a model that has no rules
	// Finish is why it ended; "" in what was recorded before, of which FinishOf says it.
	Finish FinishReason `json:"finish_reason,omitempty"`
	// Spoken is of Blocks, where they are words of Chalie's own. The values of answers that are told stay
	// with the calls that gave them.
	Spoken *Spoken  `json:"spoken,omitempty"`
	Read   Position `json:"read,omitempty"` // see [ReadOf]
}

// Reading is why a model that goes by rules took what was said as it did: the rule that heard
// it, and which words it took for what. The words stay in the message, and go with it.
type Reading struct {
	Rule  string     `json:"rule"`
	Call  string     `json:"call,omitempty"` // the id of the tool call that came of it; "" of a question back
	Words []ReadWord `json:"words"`
}

// ReadWord are words that were taken for something.
type ReadWord struct {
	As string `json:"as"` // the parameter
	// From and To are the first word and the one behind the last, of those between white space.
	// A bundle has other words in their places, so bytes wouldn't say it.
	From int `json:"from"`
	To   int `json:"to"`
}

// ToolCall is a tool that the model wants to be called.
type ToolCall struct {
	ID     string          `json:"id"`   // the model's own name for the call
	Tool   string          `json:"tool"` // as it was offered
	Params json.RawMessage `json:"params"`
	// Withheld are the kinds of secrets that were taken out of Params before they were
	// stored; none of most calls.
	Withheld []string `json:"withheld,omitempty"`
	// FromNowOn says that the person's yes is for the future, too: the tool is then done
	// without a question. It counts where their own sentence gives this call.
	FromNowOn bool `json:"from_now_on,omitempty"`
	// Deed is what of the person's words names what it does; nil of a call that only looks, of one
	// in an episode that the person didn't open, and in what was recorded before it was asked for.
	Deed *Deed `json:"deed,omitempty"`
}

// Deed is what of the person's words names what a call does: without any it isn't made unasked.
type Deed struct {
	Words []DeedWords `json:"words"` // that name it
	// Against are words that ask for the contrary; none where others name it.
	Against []DeedWords `json:"against,omitempty"`
}

// DeedWords are words in a row by reference, of a message, of what was added to one, or of a question
// of Chalie's that a message answers.
type DeedWords struct {
	EnvelopeID ID `json:"envelope_id"`
	// From and To are the first word and the one behind the last, as of a ReadWord. Both are 0 of a
	// question, which names the deed as a whole.
	From int `json:"from"`
	To   int `json:"to"`
}

// In is the words as an envelope has them: of what the person said or added; "" of anything else, and
// where they can't be read any more.
func (w DeedWords) In(e Envelope) string {
	words := saidWords(e)
	if w.From < 0 || w.To > len(words) || w.From >= w.To {
		return ""
	}
	return strings.Join(words[w.From:w.To], " ")
}

// WordsIn is how many words the person said or added in an envelope.
func WordsIn(e Envelope) int { return len(saidWords(e)) }

func saidWords(e Envelope) []string {
	switch e.Type {
	case MessageReceivedType:
		said, _ := Decode[MessageReceived](e)
		return strings.Fields(said.Text)
	case SteerReceivedType:
		added, _ := Decode[SteerReceived](e)
		return strings.Fields(added.Text)
	}
	return nil
}

// Finding is something that a background cycle thinks the person should know.
// Whether they are told is the notification policy's to say.
type Finding struct {
	// Headline is the news in one line, which stands above Blocks; "" of a model that gives
	// none, and in what was recorded before there were headlines.
	Headline   string     `json:"headline,omitempty"`
	Blocks     []Block    `json:"blocks"`
	Topic      string     `json:"topic"`
	Confidence PPM        `json:"confidence"`
	Urgent     bool       `json:"urgent"`
	Evidence   []Evidence `json:"evidence"` // what it rests on; never empty
}

// Card is how the finding is shown: a section of its own below its headline, so that what
// is told of several plans at once stays apart.
func (f Finding) Card() []Block {
	if f.Headline == "" {
		return f.Blocks
	}
	return []Block{SectionBlock(f.Headline, f.Blocks...)}
}

// ModelFailed is recorded in place of a reply, when the model gave none and is not
// asked for it again. Its envelope's errors say why.
type ModelFailed struct {
	Model string   `json:"model"`
	Read  Position `json:"read,omitempty"` // see [ReadOf]
}

// CallRejected says that a call of the model's was not made: there is no such
// tool, or its parameters are wrong. The model is told, and may try again.
type CallRejected struct {
	Tool   string   `json:"tool"`
	Reason string   `json:"reason"`
	Plain  string   `json:"plain,omitempty"` // the reason for people, where it is in a schema's words
	Read   Position `json:"read,omitempty"`  // see [ReadOf]
}

// InWords is the reason for people.
func (c CallRejected) InWords() string { return cmp.Or(c.Plain, c.Reason) }

// ReasoningYielded says that a background cycle makes room for the person.
type ReasoningYielded struct {
	To ID `json:"to"` // the message that waits; none when it isn't known
}

// ReasoningResumed says that the cycle goes on.
type ReasoningResumed struct {
	Read Position `json:"read,omitempty"` // see [ReadOf]
}

// AnswerVerified is the result of checking an answer against its question.
type AnswerVerified struct {
	Outcome    VerificationOutcome `json:"outcome"`
	Confidence PPM                 `json:"confidence"`
	Reasoning  string              `json:"reasoning"`
	Issues     []string            `json:"issues"` // what is to be done better; told to the model once
	Verifier   string              `json:"verifier"`
	Read       Position            `json:"read,omitempty"` // see [ReadOf]
}

// Mode is Chalie's way of answering.
type Mode string

// The modes.
const (
	ModeRespond Mode = "RESPOND"
	ModeAct     Mode = "ACT"
)

// Usage is the cost of a call to a model, in tokens; 0 for a model without tokens.
type Usage struct {
	InputTokens      int   `json:"input_tokens"`
	OutputTokens     int   `json:"output_tokens"`
	CacheReadTokens  int   `json:"cache_read_tokens"`
	CacheWriteTokens int   `json:"cache_write_tokens"`
	CostMicros       int64 `json:"cost_micros"` // millionths of a US dollar; 0 when the price isn't known
}

// Plus is the usage of both.
func (u Usage) Plus(o Usage) Usage {
	return Usage{u.InputTokens + o.InputTokens, u.OutputTokens + o.OutputTokens, u.CacheReadTokens + o.CacheReadTokens, u.CacheWriteTokens + o.CacheWriteTokens, u.CostMicros + o.CostMicros}
}

// ReasoningConcluded ends an episode. What was said stays in the reply it names;
// a failure is in the envelope's errors.
type ReasoningConcluded struct {
	Outcome    Outcome    `json:"outcome"`
	Shown      Showing    `json:"shown"`    // how the person gets to see it; "" when they don't
	Reply      ID         `json:"reply_id"` // the model.replied or tool.completed that is shown; none when nothing is
	Findings   []int      `json:"findings"` // of that reply, those that are shown
	Blocks     []Block    `json:"blocks"`   // words of Chalie's own: what is shown when there is no reply, behind the reply of a model, or in place of the words of a call
	Topic      string     `json:"topic"`    // of Blocks
	DurationMS int64      `json:"duration_ms"`
	Evidence   []Evidence `json:"evidence"`
	// Rejected was considered and kept back, each with its gate. What never came
	// into the context is in reasoning.started.
	Rejected []Rejected `json:"rejected"`
	Spoken   *Spoken    `json:"spoken,omitempty"` // of Blocks
	Read     Position   `json:"read,omitempty"`   // see [ReadOf]
}

// Rejected is a candidate that was kept back.
type Rejected struct {
	EnvelopeID ID     `json:"envelope_id"` // the signal
	Because    ID     `json:"because"`     // the plan it bears on, or the earlier notice; none otherwise
	Score      PPM    `json:"score"`       // its own weight in what was found
	Gate       Gate   `json:"gate"`
	Detail     string `json:"detail"` // the rule's numbers, such as "told 12 min ago, cooldown 30 min"; never a text from outside
}

// Showing is the way in which an outcome reaches the person.
type Showing string

// The showings.
const (
	ShownNot          Showing = ""
	ShownMessage      Showing = "message"
	ShownNotification Showing = "notification"
	ShownEscalation   Showing = "escalation" // it can't wait
)

// StepKey marks the n-th reasoning step of an episode, from 1. It is appended on
// the condition that no such step is there, so each happens once.
func StepKey(trace TraceID, n int) Key {
	return "step/" + Key(trace.String()) + "/" + Key(strconv.Itoa(n))
}

const callPrefix = "call/"

// CallKey marks the invocation, or the rejection, of the index-th tool call of a
// reply, from 0: each is made once. An action is the only call of itself.
func CallKey(reply ID, index int) Key {
	return callPrefix + Key(reply.String()) + "/" + Key(strconv.Itoa(index))
}

// CallOf reads the CallKey an envelope carries; false when it has none.
func CallOf(e Envelope) (reply ID, index int, ok bool) {
	for _, key := range e.Keys {
		rest, found := strings.CutPrefix(string(key), callPrefix)
		if !found {
			continue
		}
		id, n, found := strings.Cut(rest, "/")
		if !found {
			continue
		}
		reply, idErr := ParseID(id)
		index, numErr := strconv.Atoi(n)
		if idErr == nil && numErr == nil {
			return reply, index, true
		}
	}
	return ID{}, 0, false
}

// ConcludedKey marks the end of an episode. A steer is appended on the condition
// that it isn't there.
func ConcludedKey(trace TraceID) Key { return "concluded/" + Key(trace.String()) }
