package domain

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// SpineSignalEmitted is something that a service noticed and that may be worth
// thinking about when no message waits. It opens an episode of its own: its id is the
// episode's trace, and its parent is the envelope that made the service notice.
//
// It carries references and a summary, never what it is about: who takes it up
// reads that where it stands.
type SpineSignalEmitted struct {
	SignalType       SpineType `json:"signal_type"`
	Source           string    `json:"source"` // the service
	ConceptID        *int64    `json:"concept_id"`
	ConceptName      *string   `json:"concept_name"`
	Topic            *string   `json:"topic"`
	Content          *string   `json:"content"`           // at most MaxSpineContent characters
	ContentRef       ID        `json:"content_ref"`       // the envelope that has the whole of it; none when Content is all
	ActivationEnergy float64   `json:"activation_energy"` // 0 to 1, as of a signal from outside
	// Silent is its whole cycle, when that told nothing and asked no other model; nil of one that is still to
	// be thought about, or was in steps of their own.
	Silent *SilentCycle `json:"silent,omitempty"`
	Read   Position     `json:"read,omitempty"` // see [ReadOf]; of a silent cycle
}

// MaxSpineContent is how many characters of its content a spine signal carries.
const MaxSpineContent = 199

// SpineSignal is a signal before it is recorded. An empty text is none.
type SpineSignal struct {
	Type        SpineType
	Source      string // the service that emits it
	ConceptID   *int64
	ConceptName string
	Topic       string
	Content     string
	ContentRef  ID // the envelope that has the whole content
	Energy      PPM
}

// NewSpineSignal makes the payload of a spine signal. Content over
// MaxSpineContent characters is shortened, which is why ContentRef should be
// given. An energy outside the type's range counts as its nearer end.
//
// A validation error says that the type isn't registered, or that it isn't the
// source's to emit.
func NewSpineSignal(s SpineSignal) (SpineSignalEmitted, error) {
	const op = "emit signal"
	kind, ok := SpineTypeNamed(s.Type)
	switch {
	case !ok:
		return SpineSignalEmitted{}, Invalid(op, "signal_type", fmt.Sprintf("%q is no registered type of spine signal: add it to the table of types first", clip(string(s.Type), MaxNameBytes)))
	case !kind.EmittedBy(s.Source):
		return SpineSignalEmitted{}, Invalid(op, "source", fmt.Sprintf("%q doesn't emit %s, by the table of types: add it there, with what it emits it for", clip(s.Source, MaxNameBytes), s.Type))
	}
	return SpineSignalEmitted{
		SignalType: s.Type, Source: s.Source, ConceptID: s.ConceptID,
		ConceptName: given(clip(s.ConceptName, MaxNameBytes)), Topic: given(clip(s.Topic, MaxTopicHintBytes)),
		Content: given(summary(s.Content)), ContentRef: s.ContentRef,
		ActivationEnergy: min(max(s.Energy, kind.Least), kind.Most).Float(),
	}, nil
}

// summary is a text on one line, within MaxSpineContent characters.
func summary(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "�")), " ")
	if utf8.RuneCountInString(text) <= MaxSpineContent {
		return text
	}
	runes := []rune(text)
	return strings.TrimRight(string(runes[:MaxSpineContent-1]), " ") + "…"
}

func given(text string) *string {
	if text = strings.ToValidUTF8(text, "�"); text == "" {
		return nil
	}
	return &text
}

// SpineSignalDropped says that a consumer was too slow: so many signals waited for
// it that the oldest had to go. It belongs to that signal's trace. Other consumers
// still get it.
type SpineSignalDropped struct {
	Consumer string     `json:"consumer"`
	Signal   ID         `json:"signal"`
	Reason   DropReason `json:"reason"`
}

// DropReason is why a consumer doesn't get a signal.
type DropReason string

// DroppedForOverflow says that more waited than the consumer's queue holds.
const DroppedForOverflow DropReason = "overflow"

// DroppedKey marks that a consumer doesn't get a signal, so that this is recorded
// once.
func DroppedKey(consumer string, signal ID) Key {
	return droppedPrefix + Key(consumer) + "/" + Key(signal.String())
}

const droppedPrefix = "dropped/"

// DroppedOf reads the DroppedKey an envelope carries; false when it has none.
func DroppedOf(e Envelope) (consumer string, signal ID, ok bool) {
	for _, key := range e.Keys {
		rest, found := strings.CutPrefix(string(key), droppedPrefix)
		if !found {
			continue
		}
		name, id, found := strings.Cut(rest, "/")
		if parsed, err := ParseID(id); found && err == nil {
			return name, parsed, true
		}
	}
	return "", ID{}, false
}

// EmittedKey marks the signal that a service emitted because of an envelope, so
// that noticing the same thing again, after a restart, emits nothing.
func EmittedKey(t SpineType, cause ID) Key {
	return emittedPrefix + Key(t) + "/" + Key(cause.String())
}

// SpineTypeKey is carried by every spine signal: its type is then known without
// its payload.
func SpineTypeKey(t SpineType) Key { return spinePrefix + Key(t) }

const (
	emittedPrefix = "emitted/"
	spinePrefix   = "spine/"
)

// SpineTypeOf is the type of the spine signal that a record is, also of an erased
// one: a message is user_message, without an envelope of its own.
// False when it is none.
func SpineTypeOf(e Envelope) (SpineType, bool) {
	switch e.Type {
	case MessageReceivedType:
		return UserMessage, true
	case SpineSignalEmittedType:
		for _, key := range e.Keys {
			if t, ok := strings.CutPrefix(string(key), spinePrefix); ok {
				return SpineType(t), true
			}
		}
	}
	return "", false
}

// SpineSignalOf is the spine signal that an envelope is. What was said is shown as
// it would have been emitted. Errors are Decode's, and CodeUndecodable for an
// envelope that is no spine signal.
func SpineSignalOf(e Envelope) (SpineSignalEmitted, error) {
	if e.Type != MessageReceivedType {
		return Decode[SpineSignalEmitted](e)
	}
	message, err := Decode[MessageReceived](e)
	if err != nil {
		return SpineSignalEmitted{}, err
	}
	topic := ""
	if message.Topic != nil {
		topic = *message.Topic
	}
	return NewSpineSignal(SpineSignal{
		Type: UserMessage, Source: ServiceMessages, Topic: topic, Content: message.Text, ContentRef: e.ID, Energy: One,
	})
}

// SpineType names the happening that a spine signal reports. Names are stored.
type SpineType string

// The registered types.
const (
	UserMessage      SpineType = "user_message"
	IdleDiscovery    SpineType = "idle_discovery"
	ScheduleFired    SpineType = "schedule_fired"
	TaskStateChanged SpineType = "task_state_changed"
	TraitChanged     SpineType = "trait_changed"
	AmbientContext   SpineType = "ambient_context"
	NovelObservation SpineType = "novel_observation"
	ThreadExpired    SpineType = "thread_expired"
	EpisodeCreated   SpineType = "episode_created"
	NewKnowledge     SpineType = "new_knowledge"
	MemoryPressure   SpineType = "memory_pressure"
	GoalInferred     SpineType = "goal_inferred"
)

// The services that emit. Their names are in signals.
const (
	ServiceMessages     = "messages"
	ServiceIdle         = "idle"
	ServiceScheduler    = "scheduler"
	ServicePlans        = "plans"
	ServiceSurroundings = "surroundings"
	ServiceObservation  = "observation"
	ServiceThreads      = "threads"
)

// SpineKind is one line of the table of registered types.
type SpineKind struct {
	Type     SpineType
	Meaning  string
	Emitters []string // services, by name; none for a type that is only reserved
	// Least and Most are its range of energy. A fixed energy has both the same.
	Least, Most PPM
	Taken       string // what a consumer does with it
}

// tenths of One.
func tenths(n PPM) PPM { return n * One / 10 }

// SpineKinds is the table of registered types, in the order in which it is shown.
// The last are reserved: their names and ranges are settled, and nothing emits
// them.
func SpineKinds() []SpineKind {
	return []SpineKind{
		{UserMessage, "somebody said something to Chalie", []string{ServiceMessages}, One, One,
			"it is answered before anything else, and background work makes room for it"},
		{IdleDiscovery, "nothing has happened for a while", []string{ServiceIdle}, tenths(4), tenths(5),
			"what is in mind is looked over for anything the person should know"},
		{ScheduleFired, "a reminder, an appointment or a task has fallen due", []string{ServiceScheduler}, tenths(5), tenths(5),
			"what is in mind is looked over with that plan in it"},
		{TaskStateChanged, "a task was set, moved on, finished or dropped", []string{ServicePlans}, tenths(5), tenths(6),
			"what is in mind is looked over for what bears on it"},
		{TraitChanged, "something about the person was learned, changed or forgotten", []string{ServicePlans}, tenths(3), tenths(7),
			"what is in mind is looked over in the light of it"},
		{AmbientContext, "the person's surroundings have changed", []string{ServiceSurroundings}, 0, One,
			"what is in mind is looked over: what could wait may fit now"},
		{NovelObservation, "a tool answers otherwise than it did", []string{ServiceObservation}, tenths(6), tenths(6),
			"what is in mind is looked over for what the new answer bears on"},
		{ThreadExpired, "a conversation has come to rest", []string{ServiceThreads}, tenths(3), tenths(3),
			"what is in mind is looked over once more, as nobody waits"},
		{EpisodeCreated, "what happened was told as a story", nil, tenths(5), tenths(5), ""},
		{NewKnowledge, "a concept was formed from experience", nil, tenths(6), tenths(6), ""},
		{MemoryPressure, "knowledge fades, or contradicts itself", nil, tenths(5), tenths(7), ""},
		{GoalInferred, "a topic comes back so often that it may be a goal", nil, tenths(6), tenths(6), ""},
	}
}

// SpineTypeNamed is the line of a registered type.
func SpineTypeNamed(t SpineType) (SpineKind, bool) {
	kinds := SpineKinds()
	i := slices.IndexFunc(kinds, func(k SpineKind) bool { return k.Type == t })
	if i < 0 {
		return SpineKind{}, false
	}
	return kinds[i], true
}

// EmittedBy reports whether a service may emit the type.
func (k SpineKind) EmittedBy(service string) bool { return slices.Contains(k.Emitters, service) }

// Reserved reports whether nothing emits the type.
func (k SpineKind) Reserved() bool { return len(k.Emitters) == 0 }

// How sure it is that a change of the person's surroundings is one: a place is
// measured, an attention is what a device makes of it, an energy is felt.
const (
	surePlace     = 8 // tenths
	sureAttention = 6
	sureEnergy    = 5
)

// energyStep is how far the person's energy has to go to have changed.
const energyStep = One / 5

// ContextSignal is the spine signal that a change of surroundings is worth; false
// when nothing changed that would make something else matter. Its energy is the
// confidence of the surest change. It names what changed, and no place.
func ContextSignal(before, after ContextUpdated, ref ID) (SpineSignal, bool) {
	s := SpineSignal{Type: AmbientContext, Source: ServiceSurroundings, ContentRef: ref}
	var what []string
	changed := func(name string, sure PPM) {
		what = append(what, name)
		s.Energy = max(s.Energy, tenths(sure))
	}
	if after.Location != nil && (before.Location == nil || after.Location.Snapped() != before.Location.Snapped()) {
		changed("place", surePlace)
	} else if after.Timezone != nil && (before.Timezone == nil || *after.Timezone != *before.Timezone) {
		changed("place", surePlace)
	}
	if after.Attention != nil && (before.Attention == nil || *after.Attention != *before.Attention) {
		changed("attention", sureAttention)
	}
	if after.Energy != nil && (before.Energy == nil || max(*after.Energy-*before.Energy, *before.Energy-*after.Energy) >= energyStep) {
		changed("energy", sureEnergy)
	}
	if len(what) == 0 {
		return SpineSignal{}, false
	}
	s.Content = "the person's surroundings changed: " + strings.Join(what, ", ")
	return s, true
}

// PlanSignal is the spine signal that something planned or remembered is worth;
// false when it is worth none. It needs no payload: the plan's words are
// only in the envelope that the signal refers to.
func PlanSignal(e Envelope) (SpineSignal, bool) {
	_, about := PlanOf(e)
	s := SpineSignal{Type: TaskStateChanged, Source: ServicePlans, ContentRef: e.ID, Energy: tenths(5)}
	switch e.Type {
	case MemoryRememberedType:
		s.Type, s.Content = TraitChanged, "something was learned"
		if about { // what corrects something weighs most
			s.Content, s.Energy = "something that was known was corrected", tenths(7)
		}
	case MemoryForgottenType:
		s.Type, s.Content, s.Energy = TraitChanged, "something was forgotten", tenths(3)
	default:
		cell := Events().plans[e.Type]
		if !cell.kind.Followed {
			return SpineSignal{}, false
		}
		s.Content = fmt.Sprintf("a %s %s", cell.kind.Kind, followedAs[cell.verb])
		if cell.verb == PlanMade || cell.verb == PlanChanged {
			s.Energy = tenths(6)
		}
	}
	return s, true
}

// followedAs is what happens to a plan, behind its kind.
var followedAs = map[PlanVerb]string{
	PlanMade: "was set", PlanChanged: "was changed", PlanProgressed: "has come on", PlanDone: "is done", PlanDropped: "was dropped",
	PlanPassed: "is over",
}

// DueSignal is the spine signal of something that has fallen due; false for any
// other envelope.
func DueSignal(e Envelope) (SpineSignal, bool) {
	if e.Type != TimerDueType {
		return SpineSignal{}, false
	}
	return SpineSignal{
		Type: ScheduleFired, Source: ServiceScheduler, Content: "something planned has fallen due", ContentRef: e.ID, Energy: tenths(5),
	}, true
}
