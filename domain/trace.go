package domain

// Lineage is what a new envelope inherits: the episode it belongs to, what
// caused it, and its principal.
type Lineage struct {
	Trace     TraceID
	Parent    ID
	Principal Principal
}

// Begin opens an episode for something that arrived from outside, a timer that
// fell due or an idle cycle: a fresh trace, no parent. Give the envelope that
// opens it the trace's id: one id then finds both, and a log needs no index
// entry for the pair.
func Begin(trace TraceID, who Principal) Lineage {
	return Lineage{Trace: trace, Principal: who}
}

// Continue is the lineage of what e directly causes in the same episode. The
// principal passes through unchanged.
func Continue(e Envelope) Lineage {
	return Lineage{Trace: e.Trace, Parent: e.ID, Principal: e.Principal}
}

// Resume opens a new episode that e, in an earlier one, caused: a reminder set
// yesterday, a signal heard this morning. The parent points across traces.
func Resume(e Envelope, trace TraceID) Lineage {
	return Lineage{Trace: trace, Parent: e.ID, Principal: e.Principal}
}

// Evidence names a further cause of an envelope, beside its parent, in the
// payload. Lineage follows parent and evidence: a graph without cycles, since
// both point to what was already recorded.
type Evidence struct {
	EnvelopeID ID     `json:"envelope_id"`
	Role       string `json:"role"`
	Weight     PPM    `json:"weight"`
}
