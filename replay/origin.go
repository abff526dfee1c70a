package replay

import (
	"slices"

	"chalie/domain"
)

// Origin says what a replay does with the records of a type.
type Origin string

// The origins.
const (
	// OriginGiven came from outside, or nobody's code decided it: it is taken as
	// recorded.
	OriginGiven Origin = "given"
	// OriginDecided was decided by Chalie's code: today's code decides it again.
	OriginDecided Origin = "decided"
	// OriginSkill was decided where a skill is its source, and is given otherwise.
	OriginSkill Origin = "skill"
)

// origin is where the records of a type come from, and why it is taken for that.
type origin struct {
	Origin Origin
	Why    string
}

const (
	whyArrived  = "it arrived from outside"
	whyPerson   = "the person, or somebody with their token, did it"
	whyService  = "a service noticed it, by its own clock"
	whyProcess  = "it says how the process was, not what it decided"
	whyEpisode  = "it is a step of an episode"
	whyCall     = "it is a step of an invocation"
	whyPlanned  = "a skill decided it together with its end; from anywhere else it is given"
	whyPreempts = "when it was interrupted is nobody's decision"
)

// origins has every event type there is; a test refuses one that isn't placed.
var origins = map[domain.EventType]origin{
	"signal.received":   {OriginGiven, whyArrived},
	"message.received":  {OriginGiven, whyArrived},
	"action.received":   {OriginGiven, whyArrived},
	"message.queued":    {OriginGiven, whyProcess},
	"cancel.received":   {OriginGiven, whyArrived},
	"steer.received":    {OriginGiven, whyArrived},
	"image.uploaded":    {OriginGiven, whyArrived},
	"context.updated":   {OriginGiven, whyArrived},
	domain.ForeignType:  {OriginGiven, whyArrived},
	"request.answered":  {OriginGiven, "what was answered over HTTP depends on the connection"},
	"stream.added":      {OriginGiven, whyPerson},
	"stream.removed":    {OriginGiven, whyPerson},
	"policy.changed":    {OriginGiven, whyPerson},
	"approval.granted":  {OriginGiven, whyPerson},
	"approval.refused":  {OriginGiven, whyPerson},
	"timer.due":         {OriginDecided, "the scheduler tells it; that its time was noticed is given"},
	"system.started":    {OriginGiven, whyProcess},
	"system.stopped":    {OriginGiven, whyProcess},
	domain.LostType:     {OriginGiven, "what is lost can't be decided again"},
	"service.died":      {OriginGiven, whyProcess},
	"service.recovered": {OriginGiven, whyProcess},

	"projection.rebuilt":       {OriginGiven, whyProcess},
	"projection.diverged":      {OriginGiven, whyProcess},
	"capability.changed":       {OriginGiven, whyPerson},
	"approval.attempt_refused": {OriginGiven, "somebody tried something, and it did nothing"},

	"pairing.key_issued":             {OriginGiven, whyPerson},
	"pairing.key_used":               {OriginGiven, whyArrived},
	"pairing.refused":                {OriginGiven, whyArrived},
	"interface.paired":               {OriginGiven, whyArrived},
	"interface.registered":           {OriginGiven, whyArrived},
	"interface.scopes_approved":      {OriginGiven, whyPerson},
	"interface.capabilities_changed": {OriginGiven, whyArrived},
	"interface.went_offline":         {OriginGiven, whyService},
	"interface.came_online":          {OriginGiven, whyService},
	"interface.removed":              {OriginGiven, whyPerson},
	"interface.expired":              {OriginGiven, whyService},

	"operator.registered":       {OriginGiven, whyPerson},
	"operator.password_changed": {OriginGiven, whyPerson},
	"operator.logged_in":        {OriginGiven, whyPerson},
	"operator.login_refused":    {OriginGiven, whyArrived},
	"operator.logged_out":       {OriginGiven, whyPerson},
	"session.extended":          {OriginGiven, whyPerson},
	"session.used_elsewhere":    {OriginGiven, whyArrived},
	"session.elsewhere_seen":    {OriginGiven, whyPerson},
	"token.issued":              {OriginGiven, whyPerson},
	"token.revoked":             {OriginGiven, whyPerson},

	"spine.signal_emitted": {OriginGiven, whyService},
	"spine.signal_dropped": {OriginGiven, "how many wait depends on how fast the process is"},

	"reasoning.started":   {OriginDecided, whyEpisode},
	"model.called":        {OriginDecided, whyEpisode},
	"model.replied":       {OriginDecided, whyEpisode + "; the words of a model that isn't part of the program are given"},
	"model.failed":        {OriginDecided, whyEpisode},
	"call.rejected":       {OriginDecided, whyEpisode},
	"answer.verified":     {OriginDecided, whyEpisode + "; the verdict is given"},
	"reasoning.yielded":   {OriginGiven, whyPreempts},
	"reasoning.resumed":   {OriginDecided, whyEpisode},
	"reasoning.concluded": {OriginDecided, whyEpisode},

	"tool.invoked":         {OriginDecided, whyCall + "; one that was asked for directly is given"},
	"policy.decided":       {OriginDecided, whyCall},
	"approval.proposed":    {OriginDecided, whyCall},
	"approval.expired":     {OriginDecided, whyCall + "; when it was noticed is given"},
	"tool.state_taken":     {OriginDecided, whyCall + "; the state itself is given"},
	"tool.dispatched":      {OriginDecided, whyCall},
	"tool.completed":       {OriginDecided, whyCall + "; what an interface answered is given"},
	"tool.failed":          {OriginDecided, whyCall},
	"tool.outcome_unknown": {OriginDecided, whyCall},
	"tool.verified":        {OriginDecided, whyCall},

	"reminder.set":       {OriginSkill, whyPlanned},
	"reminder.changed":   {OriginSkill, whyPlanned},
	"reminder.done":      {OriginSkill, whyPlanned},
	"reminder.cancelled": {OriginSkill, whyPlanned},
	"task.created":       {OriginSkill, whyPlanned},
	"task.changed":       {OriginSkill, whyPlanned},
	"task.progressed":    {OriginSkill, whyPlanned},
	"task.completed":     {OriginSkill, whyPlanned},
	"task.dropped":       {OriginSkill, whyPlanned},
	"list.created":       {OriginSkill, whyPlanned},
	"list.item_added":    {OriginSkill, whyPlanned},
	"list.item_removed":  {OriginSkill, whyPlanned},
	"list.removed":       {OriginSkill, whyPlanned},
	"memory.remembered":  {OriginSkill, whyPlanned},
	"memory.forgotten":   {OriginSkill, whyPlanned},
}

// skillSource is who emits what skills change.
const skillSource domain.Source = "skills"

// isDecision reports whether a record was decided by Chalie's code, as far as it
// says so by itself. Of what a person refused the end follows in the same moment: it
// is part of what they did, and before is the record that stands in front of it.
func isDecision(rec domain.Record, before domain.Record) bool {
	env := rec.Envelope
	switch origins[env.Type].Origin {
	case OriginDecided:
		switch env.Type {
		case "tool.invoked":
			_, _, called := domain.CallOf(env)
			return called
		case "tool.failed":
			return before.Envelope.Type != "approval.refused" || before.Envelope.ID != env.Parent
		}
		return true
	case OriginSkill:
		return env.Source == skillSource
	}
	return false
}

// OriginOf is what a replay does with the records of a type, and why; "" for a type
// that it doesn't know.
func OriginOf(t domain.EventType) (o Origin, why string) { return origins[t].Origin, origins[t].Why }

// isEnd reports whether an act that a record belongs to is over with it.
func isEnd(env domain.Envelope, act Act) bool {
	if act.Invocation.IsZero() {
		return env.Type == "reasoning.concluded"
	}
	return slices.Contains([]domain.EventType{"tool.completed", "tool.failed", "tool.outcome_unknown"}, env.Type)
}
