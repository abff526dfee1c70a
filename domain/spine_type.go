package domain

import "slices"

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
		{ScheduleFired, "a reminder or task has fallen due", []string{ServiceScheduler}, tenths(5), tenths(5),
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
