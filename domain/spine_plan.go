package domain

// PlanSignal is the spine signal that something planned or remembered is worth;
// false when it is worth none. It needs no payload: the plan's words are
// only in the envelope that the signal refers to.
func PlanSignal(e Envelope) (SpineSignal, bool) {
	_, about := PlanOf(e)
	s := SpineSignal{Type: TaskStateChanged, Source: ServicePlans, ContentRef: e.ID, Energy: tenths(5)}
	switch e.Type {
	case TaskCreatedType:
		s.Content, s.Energy = "a task was set", tenths(6)
	case TaskChangedType:
		s.Content, s.Energy = "a task was changed", tenths(6)
	case TaskProgressedType:
		s.Content = "a task has come on"
	case TaskCompletedType:
		s.Content = "a task is done"
	case TaskDroppedType:
		s.Content = "a task was dropped"
	case MemoryRememberedType:
		s.Type, s.Content = TraitChanged, "something was learned"
		if about { // what corrects something weighs most
			s.Content, s.Energy = "something that was known was corrected", tenths(7)
		}
	case MemoryForgottenType:
		s.Type, s.Content, s.Energy = TraitChanged, "something was forgotten", tenths(3)
	default:
		return SpineSignal{}, false
	}
	return s, true
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
