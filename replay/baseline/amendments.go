package baseline

// Amendment is a change of the code that decides, by which replays of older records differ. It has
// one kind of differences: a change that brings two has two rows.
type Amendment struct {
	Kind Kind
	Code string // the code that was changed, with its version if it has one
	Why  string // what it decides since, in a sentence for people
}

// Amendments are all of them, in the order in which they were made. The number of an amendment,
// from 1, is its place.
func Amendments() []Amendment {
	const (
		model  = "the built-in model (builtin/9)"
		skills = "the skills"
		policy = "the policy"

		dated    = "a time is confirmed with its weekday and date"
		planned  = "the data of an answer names each plan with its words and its time"
		unnamed  = "a call is made unasked only where the person's own words name what it does"
		wrote    = "what somebody wrote that concerns a plan is told with that plan, and with what else is at the time"
		lengths  = "a length said of an appointment changes when it ends, and doesn't move it"
		unknown  = "what is to be done when or if something is so that nobody here can know isn't done, and asked about"
		pointing = "that day, the day before, it and the other one are what was spoken of last, and asked about where that isn't clear"
	)
	return []Amendment{
		{"tool.completed words of remind", skills, dated},
		{"tool.completed words of reminder", skills, dated},
		{"tool.completed words of task", skills, dated},
		{"tool.completed data of remind", skills, planned},
		{"tool.completed data of reminder", skills, planned},
		{"tool.completed data of task", skills, planned},
		{"tool.completed data of plans", skills, planned},
		{"tool.completed words of why", skills, "a reason names the rules that related things, which have another number"},
		{"step list.removed -> tool.completed", skills, "a list with entries is removed once that was confirmed"},
		{"model.replied words", model, "what isn't understood is said in one line, with what shares a word with it"},
		{"model.replied used", model, "what shares a word with what isn't understood is named as what the reply rests on"},
		{"model.replied manner", model, "what isn't understood is answered as that, and with half the confidence"},
		{"model.replied findings", model, "a finding is a card with a headline and buttons"},
		{"model.replied call of task -> nothing", model, "what is to go without its kind is looked for among all kinds, by a skill that wasn't offered then"},
		{"policy.decided verdict of task", policy, unnamed},
		{"policy.decided reasons of task", policy, unnamed},
		{"step nothing -> approval.proposed", policy, unnamed},
		{"reasoning.concluded words", "reasoning", wrote},
		{"reasoning.concluded evidence", "reasoning", wrote},
		{"model.replied call of appointment", model, lengths},
		{"model.replied call of nothing -> appointment", model, lengths},
		{"model.replied call of nothing -> plans", model, "where, with whom, when and how long is answered from the plan that was spoken of"},
		{"model.replied call of remind", model, pointing},
		{"model.replied call of remind -> nothing", model, pointing},
		{"model.replied call of appointment -> nothing", model, unknown},
		{"model.replied call of reminder -> nothing", model, unknown},
		{"model.replied call of list -> nothing", model, unknown},
		{"model.replied words", model, "what is asked back has the quotation marks of its language, and is asked alike of tasks and appointments"},
	}
}

// Latest is the number of the latest amendment.
func Latest() int { return len(Amendments()) }

// Explains is the number of the latest amendment that a kind of differences comes of, in what was
// recorded by code that had so many of them; 0 for none.
func Explains(kind Kind, had int) int {
	all := Amendments()
	for n := len(all); n > had; n-- {
		if all[n-1].Kind == kind {
			return n
		}
	}
	return 0
}
