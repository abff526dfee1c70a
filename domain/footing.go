package domain

import (
	"slices"
	"strconv"
	"strings"
)

// Words are words that a model was shown and that are not the person's own, by
// reference: the envelope that has them, and whose they are.
type Words struct {
	EnvelopeID ID        `json:"envelope_id"`
	Kind       WordsKind `json:"kind"`
	// Of is whose they are: the UUID of an interface, the name of a program, or what
	// else is accountable for them.
	Of string `json:"of"`
}

// WordsKind is how words came before a model.
type WordsKind string

// The kinds.
const (
	WordsOfSignal  WordsKind = "signal"  // a signal's
	WordsOfMessage WordsKind = "message" // of a program
	WordsOfTool    WordsKind = "tool"    // names and descriptions of what an interface offers
	WordsOfAnswer  WordsKind = "answer"  // of a tool
	WordsOfReply   WordsKind = "reply"   // Chalie's own, resting on others'
	WordsOfPlan    WordsKind = "plan"    // a plan or a memory that others' words led to
	WordsOfImage   WordsKind = "image"   // what can be read in it
	WordsOfContext WordsKind = "context" // surroundings that a program told
)

// InterfaceWords is the Words.Of of an interface.
func InterfaceWords(id ID) string { return id.UUID() }

// ForeignTo are those of the words that count for a call to a tool of a source:
// what a source says of its own tools doesn't, unless the call carries private
// words to it. The source of what Chalie itself can do is "".
func ForeignTo(shown []Words, source string, carries bool) []Words {
	out := []Words{}
	for _, w := range shown {
		if w.Kind == WordsOfTool && w.Of == source && !carries {
			continue
		}
		out = append(out, w)
	}
	return out
}

// Footing is what a tool call of an episode rests on: who opened the episode, and
// whose words the model read before it asked for the call. What nobody's model
// asked for has none: a person's own hand, a button, a request with a token.
type Footing struct {
	// OwnReading says that the built-in reading of the person's own sentence gives
	// this tool with these parameters.
	OwnReading bool
	// Words are the foreign ones that the model was shown before, as far as they are
	// foreign to this call.
	Words []Words
	// Carried are the envelopes of private words (of memories, plans, and the
	// conversation without the sentence that is answered) that a parameter carries
	// to a tool of an interface.
	Carried []ID
	// Deed is what of the person's words names what the call does; nil where that isn't asked.
	Deed *Deed
	// Said are those words, or the ones that ask for the contrary, for the question to the person.
	Said string
}

// Opener is the kind of an episode's opener, as far as it matters for its calls.
type Opener string

// The openers.
const (
	OpenedByPerson Opener = "person"
	OpenedByOthers Opener = "others" // a program's message, or a cycle of Chalie's own accord
)

// Rest is the kind of words that a call rests on.
type Rest string

// What a call can rest on.
const (
	RestOwnWords  Rest = "own_words"        // the person's words alone
	RestNoForeign Rest = "no_foreign_words" // a model that was shown none
	RestForeign   Rest = "foreign_words"    // a model that was shown some
	RestAny       Rest = "any"
)

// Bound is the most that a call gets, whatever the rules allow. Nothing gets more
// than the rules allow; with BoundChosen what a tool itself wants asked may not be.
type Bound string

// The bounds, from the widest.
const (
	BoundChosen Bound = "chosen"         // what the rules say, asked or not as the person chose for the tool
	BoundPlain  Bound = "plain_only"     // what the rules say, and asked when it carries private words
	BoundAsked  Bound = "asked"          // asked, whatever the rules allow
	BoundMarked Bound = "marked_unasked" // only what the person marked for it, and nothing that carries private words
)

// FootingRow is a row of the table by which calls are bound.
type FootingRow struct {
	OpenedBy Opener
	RestsOn  Rest
	Looks    Bound // of a tool that only looks
	Changes  Bound // of one that may change something
}

// FootingTable is the rule for calls that a model asks for, whole.
func FootingTable() []FootingRow {
	return []FootingRow{
		{OpenedByPerson, RestOwnWords, BoundChosen, BoundChosen},
		{OpenedByPerson, RestNoForeign, BoundChosen, BoundChosen},
		{OpenedByPerson, RestForeign, BoundPlain, BoundAsked},
		{OpenedByOthers, RestAny, BoundMarked, BoundAsked},
	}
}

// FootingSentence is the table for a person.
const FootingSentence = "What rests on your own words alone goes by the rules below, and is asked or not as you chose for the tool on the page of its interface. " +
	"What changes something is done only where your words name it: a value alone, such as front, is asked about, and what you say the contrary of isn't done. " +
	"Once it has read words of anybody else, what may change something waits for your yes, and nothing of your memories, plans or conversation is sent unasked; " +
	"where you didn't ask for anything, only tools that you marked as safe to use unasked are used."

// openedBy is the opener of the episode that an actor's call belongs to.
func openedBy(actor string) Opener {
	if actor == ActorOperator {
		return OpenedByPerson
	}
	return OpenedByOthers
}

// row is the row of the table for a call by an actor.
func (f Footing) row(actor string) FootingRow {
	by, on := openedBy(actor), RestNoForeign
	switch {
	case by == OpenedByOthers:
		on = RestAny
	case f.OwnReading:
		on = RestOwnWords
	case len(f.Words) > 0:
		on = RestForeign
	}
	table := FootingTable()
	return table[slices.IndexFunc(table, func(r FootingRow) bool { return r.OpenedBy == by && r.RestsOn == on })]
}

// bound is the cell of the table for a call.
func (f Footing) bound(in Invoking) Bound {
	row := f.row(in.Actor)
	if in.Manifest.SideEffects {
		return row.Changes
	}
	return row.Looks
}

// ground holds a decision to what the call rests on. It never widens one.
func (f Footing) ground(d *PolicyDecided, in Invoking) {
	row := f.row(in.Actor)
	d.OpenedBy, d.RestsOn = row.OpenedBy, row.RestsOn
	// The reading of the person's own sentence doesn't depend on other words shown.
	if row.RestsOn != RestOwnWords {
		d.Words, d.Carried = append(d.Words, f.Words...), append(d.Carried, f.Carried...)
	}
	if d.Verdict == VerdictDenied {
		return
	}
	bound := f.bound(in)
	hold := func(v PolicyVerdict, code string) {
		if !slices.Contains(d.ReasonCodes, code) {
			d.ReasonCodes = append(d.ReasonCodes, code)
		}
		if d.Verdict != VerdictDenied {
			d.Verdict = v
		}
	}
	carries := len(f.Carried) > 0
	switch {
	case bound == BoundChosen && in.Manifest.Ask == AskAlways:
		hold(VerdictApproval, ReasonAskAlways)
	case bound == BoundChosen && in.Manifest.Ask == AskNever && d.Verdict == VerdictAllowed:
		hold(VerdictAllowed, ReasonAskNever)
	case bound == BoundPlain && carries:
		hold(VerdictApproval, ReasonForeignWords)
		hold(VerdictApproval, ReasonCarries)
	case bound == BoundAsked && row.OpenedBy == OpenedByOthers:
		hold(VerdictApproval, ReasonNobodyAsked)
	case bound == BoundAsked:
		hold(VerdictApproval, ReasonForeignWords)
	case bound == BoundMarked && !in.Manifest.Unasked:
		hold(VerdictDenied, ReasonNotMarked)
	case bound == BoundMarked && carries:
		hold(VerdictDenied, ReasonCarries)
	}
	if in.Manifest.SideEffects && row.OpenedBy == OpenedByPerson && f.Deed != nil && len(f.Deed.Words) == 0 {
		if len(f.Deed.Against) > 0 {
			hold(VerdictDenied, ReasonContrary)
		} else {
			hold(VerdictApproval, ReasonNoDeed)
		}
	}
}

// maxNamed is how many foreign words are named in a question to the person.
const maxNamed = 3

// NamedWords are words for a person, each once, and of many the first with how many more
// there are. name says what a Words.Of is called.
func NamedWords(all []Words, name func(of string) string) (named []string) {
	for _, w := range all {
		if one := w.Named(name); !slices.Contains(named, one) {
			named = append(named, one)
		}
	}
	if more := len(named) - maxNamed; more > 0 {
		named = append(named[:maxNamed:maxNamed], strconv.Itoa(more)+" more")
	}
	return named
}

// Named is whose the words are and how they came, for a person: "a signal of Lab".
// name says what a Words.Of is called.
func (w Words) Named(name func(of string) string) string {
	who := name(w.Of)
	switch w.Kind {
	case WordsOfSignal:
		return "a signal of " + who
	case WordsOfMessage:
		return "a message of " + who
	case WordsOfTool:
		return "what " + who + " says of its tools"
	case WordsOfAnswer:
		return "an answer of " + who
	case WordsOfReply:
		return "an earlier answer that rests on others' words"
	case WordsOfPlan:
		return "a plan or memory that others' words led to"
	case WordsOfImage:
		return "an image"
	case WordsOfContext:
		return "surroundings told by " + who
	}
	return strings.TrimSpace(string(w.Kind) + " of " + who)
}
