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
	domain.SignalReceivedType:   {OriginGiven, whyArrived},
	domain.MessageReceivedType:  {OriginGiven, whyArrived},
	domain.ActionReceivedType:   {OriginGiven, whyArrived},
	domain.MessageQueuedType:    {OriginGiven, whyProcess},
	domain.CancelReceivedType:   {OriginGiven, whyArrived},
	domain.SteerReceivedType:    {OriginGiven, whyArrived},
	domain.ImageUploadedType:    {OriginGiven, whyArrived},
	domain.ContextUpdatedType:   {OriginGiven, whyArrived},
	domain.ForeignMessageType:   {OriginGiven, whyArrived},
	domain.RequestAnsweredType:  {OriginGiven, "what was answered over HTTP depends on the connection"},
	domain.StreamAddedType:      {OriginGiven, whyPerson},
	domain.StreamRemovedType:    {OriginGiven, whyPerson},
	domain.PolicyChangedType:    {OriginGiven, whyPerson},
	domain.ApprovalGrantedType:  {OriginGiven, whyPerson},
	domain.ApprovalRefusedType:  {OriginGiven, whyPerson},
	domain.TimerDueType:         {OriginDecided, "the scheduler tells it; that its time was noticed is given"},
	domain.SystemStartedType:    {OriginGiven, whyProcess},
	domain.SystemStoppedType:    {OriginGiven, whyProcess},
	domain.RecordLostType:       {OriginGiven, "what is lost can't be decided again"},
	domain.ServiceDiedType:      {OriginGiven, whyProcess},
	domain.ServiceRecoveredType: {OriginGiven, whyProcess},

	domain.ProjectionRebuiltType:  {OriginGiven, whyProcess},
	domain.ProjectionDivergedType: {OriginGiven, whyProcess},
	domain.CapabilityChangedType:  {OriginGiven, whyPerson},
	domain.AttemptRefusedType:     {OriginGiven, "somebody tried something, and it did nothing"},

	domain.PairingKeyIssuedType:     {OriginGiven, whyPerson},
	domain.PairingKeyUsedType:       {OriginGiven, whyArrived},
	domain.PairingRefusedType:       {OriginGiven, whyArrived},
	domain.InterfacePairedType:      {OriginGiven, whyArrived},
	domain.InterfaceRegisteredType:  {OriginGiven, whyArrived},
	domain.ScopesApprovedType:       {OriginGiven, whyPerson},
	domain.CapabilitiesChangedType:  {OriginGiven, whyArrived},
	domain.InterfaceWentOfflineType: {OriginGiven, whyService},
	domain.InterfaceCameOnlineType:  {OriginGiven, whyService},
	domain.InterfaceRemovedType:     {OriginGiven, whyPerson},
	domain.InterfaceExpiredType:     {OriginGiven, whyService},

	domain.OperatorRegisteredType:   {OriginGiven, whyPerson},
	domain.PasswordChangedType:      {OriginGiven, whyPerson},
	domain.OperatorLoggedInType:     {OriginGiven, whyPerson},
	domain.OperatorLoginRefusedType: {OriginGiven, whyArrived},
	domain.OperatorLoggedOutType:    {OriginGiven, whyPerson},
	domain.SessionExtendedType:      {OriginGiven, whyPerson},
	domain.SessionUsedElsewhereType: {OriginGiven, whyArrived},
	domain.SessionElsewhereSeenType: {OriginGiven, whyPerson},
	domain.TokenIssuedType:          {OriginGiven, whyPerson},
	domain.TokenRevokedType:         {OriginGiven, whyPerson},

	domain.SpineSignalEmittedType: {OriginGiven, whyService},
	domain.SpineSignalDroppedType: {OriginGiven, "how many wait depends on how fast the process is"},

	domain.ReasoningStartedType:   {OriginDecided, whyEpisode},
	domain.ModelCalledType:        {OriginDecided, whyEpisode},
	domain.ModelRepliedType:       {OriginDecided, whyEpisode + "; the words of a model that isn't part of the program are given"},
	domain.ModelFailedType:        {OriginDecided, whyEpisode},
	domain.CallRejectedType:       {OriginDecided, whyEpisode},
	domain.AnswerVerifiedType:     {OriginDecided, whyEpisode + "; the verdict is given"},
	domain.ReasoningYieldedType:   {OriginGiven, whyPreempts},
	domain.ReasoningResumedType:   {OriginDecided, whyEpisode},
	domain.ReasoningConcludedType: {OriginDecided, whyEpisode},

	domain.ToolInvokedType:        {OriginDecided, whyCall + "; one that was asked for directly is given"},
	domain.PolicyDecidedType:      {OriginDecided, whyCall},
	domain.ApprovalProposedType:   {OriginDecided, whyCall},
	domain.ApprovalExpiredType:    {OriginDecided, whyCall + "; when it was noticed is given"},
	domain.StateTakenType:         {OriginDecided, whyCall + "; the state itself is given"},
	domain.ToolDispatchedType:     {OriginDecided, whyCall},
	domain.ToolCompletedType:      {OriginDecided, whyCall + "; what an interface answered is given"},
	domain.ToolFailedType:         {OriginDecided, whyCall},
	domain.ToolOutcomeUnknownType: {OriginDecided, whyCall},
	domain.ToolVerifiedType:       {OriginDecided, whyCall},

	domain.ReminderSetType:       {OriginSkill, whyPlanned},
	domain.ReminderChangedType:   {OriginSkill, whyPlanned},
	domain.ReminderDoneType:      {OriginSkill, whyPlanned},
	domain.ReminderCancelledType: {OriginSkill, whyPlanned},
	domain.TaskCreatedType:       {OriginSkill, whyPlanned},
	domain.TaskChangedType:       {OriginSkill, whyPlanned},
	domain.TaskProgressedType:    {OriginSkill, whyPlanned},
	domain.TaskCompletedType:     {OriginSkill, whyPlanned},
	domain.TaskDroppedType:       {OriginSkill, whyPlanned},
	domain.ListCreatedType:       {OriginSkill, whyPlanned},
	domain.ListItemAddedType:     {OriginSkill, whyPlanned},
	domain.ListItemRemovedType:   {OriginSkill, whyPlanned},
	domain.ListRemovedType:       {OriginSkill, whyPlanned},
	domain.MemoryRememberedType:  {OriginSkill, whyPlanned},
	domain.MemoryForgottenType:   {OriginSkill, whyPlanned},
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
		case domain.ToolInvokedType:
			_, _, called := domain.CallOf(env)
			return called
		case domain.ToolFailedType:
			return before.Envelope.Type != domain.ApprovalRefusedType || before.Envelope.ID != env.Parent
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
		return env.Type == domain.ReasoningConcludedType
	}
	return slices.Contains([]domain.EventType{domain.ToolCompletedType, domain.ToolFailedType, domain.ToolOutcomeUnknownType}, env.Type)
}
