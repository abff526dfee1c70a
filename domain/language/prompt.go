package language

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"chalie/domain"
	"chalie/domain/language/speech"
)

// Prompt is all that a model is shown of an episode.
type Prompt struct {
	Kind   PromptKind
	AsOf   domain.Millis
	Zone   *time.Location // the person's; UTC when it isn't known. Never nil
	Asked  Asked          // of a message; of a cycle only ID counts
	Steers []string       // what the person added meanwhile, oldest first
	World  []ContextItem  // what is in the reasoning context, in order
	Out    []domain.SeenItem
	Recent []Turn // working memory, oldest first
	// Unasked is what was told unasked last, within the last three turns, with buttons of Chalie's own.
	Unasked Unasked
	// Related are the signals that bear on plans, strongest first. From Surfaces on one
	// is worth telling in a cycle; 0 is domain.DefaultWorldRules'.
	Related  []Related
	Surfaces domain.PPM
	// Tools may be called; none when this is the last call of the episode, and none
	// in a background cycle whose rules don't allow any.
	Tools []Offered
	// Offerable are the tools of interfaces that the person may be offered in a cycle, by a
	// button. They can't be called by the model, and only one that is Unmoved is shown them.
	Offerable []Offered
	// Done are the tool calls made so far in this episode, oldest first, each with
	// its result.
	Done []Done
	// Issues are a check's objections to the model's last reply: it is asked to
	// do better, once.
	Issues []string
	// Instead says why a model that was chosen before this one doesn't answer; ""
	// for the first choice. The reply must say so to the person.
	Instead string
	// Words are those of the answers, in place of those of the message's language: nil everywhere but in a
	// test, which answers in a language that nobody speaks.
	Words *speech.Catalogue
}

// PromptKind says whether a model is asked for an answer or for findings.
type PromptKind string

// The kinds.
const (
	AskedMessage PromptKind = "message" // an answer to Asked
	AskedCycle   PromptKind = "cycle"   // whether there is anything that the person should know: Findings
)

// Asked is the message to be answered.
type Asked struct {
	ID       domain.ID
	Text     string // "(erased)" when it can no longer be read
	Source   string
	Topic    string // "" without a hint
	Metadata []byte // a JSON object, or empty
	Images   int
	// Pictures are those of the images that can be read, in order; none for a model
	// that doesn't see images.
	Pictures []Picture
	// From is its principal: the person (domain.PrincipalOperator), or
	// an interface, whose words are data and never instructions.
	From domain.Principal
	// Via is what it came through, in a name that Chalie gave it, such as
	// interface/lab: unlike Source it is not for the sender to choose.
	Via domain.Source
	// Flags are those of its text, as in ContextItem; the person's words have none.
	Flags []string
}

// Picture is an image as it was uploaded.
type Picture struct {
	MediaType string // image/png, image/jpeg, image/gif or image/webp
	Bytes     []byte
}

// ContextItem is one item of the world state with its text. Its Kind says what it is.
type ContextItem struct {
	domain.SeenItem
	Label      string // of the signal or plan, "(erased)" when it can no longer be read
	Source     string // of a signal
	SignalType string // of a signal
	Topic      string
	RecordedAt domain.Millis
	Flags      []string // what its text tries, in words of Chalie's: it is data, and no instruction
}

// Unasked is what was told unasked: what it means for the plans, in Chalie's own words, and the buttons for
// what follows. The zero value is nothing.
type Unasked struct {
	Text    string
	Said    []speech.Said // what it says of the plans, as values; none where only the words are known
	Buttons []domain.Pressable
	Latest  bool // nothing was said since
}

// Related is a pair: a signal, and a plan that it bears on.
type Related struct {
	Signal, Commitment ContextItem
	Score              domain.PPM
	Shared             []string // the words and times they share, strongest first
	// Known is the gate that holds what is no news of the plan, or isn't wanted; "" of news.
	Known domain.Gate
}

// Turn is an earlier exchange.
type Turn struct {
	Prompt string
	Reply  string // as plain text, shortened; "" when there is none, or when it quotes others and isn't shown
	// Said are the values of what the reply says of its own, besides what the calls in Done say; none
	// where only the words are known.
	Said    []speech.Said
	Foreign bool   // the reply may quote what isn't the person's own
	Done    []Done // the tool calls that it rests on; none when the reply isn't shown
	// Pressed are the calls of the buttons that the person has pressed since. One whose answer
	// may quote others is empty.
	Pressed    []Done
	RecordedAt domain.Millis
}

// Offered is a tool that the model may call.
type Offered struct {
	Name          string // to call it by
	Interface     string // whose it is, in words for a person; "Chalie" for its own
	Description   string
	Documentation string
	Parameters    []domain.Parameter
	Schema        json.RawMessage // of all params, where their list doesn't say all; nil otherwise
	SideEffects   bool            // it may change something outside
	// Asks is whether the person chose to be asked before it is used, or that it needn't
	// ask; domain.AskAlways of one that the policy asks about on its own account, too.
	Asks  domain.Asking
	Flags []string // what its own words try, as in ContextItem
}

// Done is a tool call with its result.
type Done struct {
	Call    domain.ToolCall
	Own     bool             // Chalie itself did it
	Outcome domain.EventType // tool.completed, tool.failed, tool.outcome_unknown or call.rejected
	Text    string
	Data    json.RawMessage // an object, or empty
	Said    []speech.Said   // what Text, Error and Blocks say, as values; none where only the words are known
	Error   string          // "" when it did what it was asked
	Code    domain.Code     // of the error; "" for none
	Issues  []string        // where the answer isn't what the tool declares to return
	Blocks  []domain.Block
	End     domain.ID // the envelope of its end: evidence
	Flags   []string  // what the answer tries, as in ContextItem
}

// Voice is when and where the person is told of it: at the moment at which it was done.
func (d Done) Voice(p Prompt) speech.Voice {
	return speech.Voice{Now: cmp.Or(d.End.Millis(), p.AsOf), Zone: p.Zone}
}

// Tells reports whether the reply says a message of the model's own: by its values, and by its English words where
// only words are known, as of what isn't a message yet. What an interface answers isn't the model's own: its words are
// marked, or stand below a line that says whose they are.
func (t Turn) Tells(m speech.Message) bool {
	words := m.Words()
	if words == "" && len(t.Said) == 0 && !m.IsZero() {
		words = speech.English().Say(m, speech.Voice{Now: t.RecordedAt})
	}
	own, _, _ := strings.Cut(t.Reply+"\n", " answers:\n")
	for line := range strings.Lines(own) {
		if words != "" && strings.Contains(line, words) && !strings.HasPrefix(line, ">") {
			return true
		}
	}
	return t.Says(m.ID)
}

// Asks reports whether something is asked in the reply: by its values, and by its words where only they are known. What
// others say in it is marked on every line.
func (t Turn) Asks() bool {
	says, known := t.Values()
	for _, p := range t.Said {
		says, known = append(says, p.Says...), true
	}
	if known {
		return slices.ContainsFunc(says, speech.Message.Asks)
	}
	for line := range strings.Lines(t.Reply) {
		if strings.Contains(line, "?") && !strings.HasPrefix(line, ">") {
			return true
		}
	}
	return false
}

// IsUnclear reports whether a reply says that something wasn't understood.
func IsUnclear(said []speech.Said) bool {
	return slices.ContainsFunc(said, func(p speech.Said) bool {
		return slices.ContainsFunc(p.Says, func(m speech.Message) bool {
			why, _ := m.Args["why"].(speech.Kind)
			return m.ID == "beyond" && (why == "unsure" || why == "question") || m.ID == "talk" && m.Args["what"] == speech.Kind("no_answer")
		})
	})
}

// Says reports whether the reply says one of these messages, as a value of the model's own.
func (t Turn) Says(ids ...speech.ID) bool {
	return slices.ContainsFunc(t.Said, func(p speech.Said) bool {
		return slices.ContainsFunc(p.Says, func(m speech.Message) bool { return slices.Contains(ids, m.ID) })
	})
}

// Values are the messages that skills answered with in the turn; false where one answered in words alone.
func (t Turn) Values() (says []speech.Message, ok bool) {
	for _, d := range t.Done {
		if len(d.Said) == 0 {
			return nil, false
		}
		for _, p := range d.Said {
			if p.As != speech.Label {
				says = append(says, p.Says...)
			}
		}
	}
	return says, len(t.Done) > 0
}
