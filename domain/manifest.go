package domain

// Manifest is what the policy knows of a capability.
type Manifest struct {
	CapabilityID     string   `json:"capability_id"`
	Version          string   `json:"version"`
	SideEffects      bool     `json:"side_effects" doc:"It may change something."`
	RequiresApproval bool     `json:"requires_approval" doc:"Whoever asks, unless the person does it with their own hand."`
	Autonomy         Autonomy `json:"autonomy" doc:"The most it is trusted with."`
	Unasked          bool     `json:"unasked" doc:"The person marked it as safe to use when they didn't ask; no tool says so itself."`
}

// CapabilityChanged is what the person says of a capability, in place of what it
// says of itself and of what they said before. What they don't say is null.
type CapabilityChanged struct {
	CapabilityID     string    `json:"capability_id"`
	SideEffects      *bool     `json:"side_effects"`
	RequiresApproval *bool     `json:"requires_approval"`
	Autonomy         *Autonomy `json:"autonomy"`
	// Unasked marks it as safe to use when nobody asked: for what a program's message
	// or a background cycle leads to. It counts only while the tool changes nothing.
	Unasked *bool `json:"unasked,omitempty"`
}

// DefaultManifest is a tool's own manifest. A tool that says nothing may change
// something, waits for nobody, and is trusted as far as the policy goes.
func DefaultManifest(o Offer) Manifest {
	m := Manifest{
		CapabilityID: o.CapabilityID(), Version: o.Interface.Version,
		SideEffects: true, RequiresApproval: o.Tool.RequiresApproval, Autonomy: AutonomyFull,
	}
	if o.Tool.SideEffects != nil {
		m.SideEffects = *o.Tool.SideEffects
	}
	if o.Tool.Autonomy.Known() {
		m.Autonomy = o.Tool.Autonomy
	}
	return m
}

// said is the manifest with what the person says.
func (m Manifest) said(c CapabilityChanged) Manifest {
	if c.SideEffects != nil {
		m.SideEffects = *c.SideEffects
	}
	if c.RequiresApproval != nil {
		m.RequiresApproval = *c.RequiresApproval
	}
	if c.Autonomy != nil {
		m.Autonomy = *c.Autonomy
	}
	if c.Unasked != nil {
		m.Unasked = *c.Unasked
	}
	return m
}

// Check returns a validation error about the first thing that is wrong.
func (c CapabilityChanged) Check() error {
	const op = "check manifest"
	switch {
	case c.CapabilityID == "" || len(c.CapabilityID) > MaxKeyBytes:
		return Invalid(op, "capability_id", "the capability has no id")
	case c.Autonomy != nil && !c.Autonomy.Known():
		return Invalid(op, "autonomy", "autonomy is none of readonly, supervised, full")
	}
	return nil
}

// IsEmpty reports whether it says nothing: the capability then is what it says of
// itself.
func (c CapabilityChanged) IsEmpty() bool {
	return c.SideEffects == nil && c.RequiresApproval == nil && c.Autonomy == nil && c.Unasked == nil
}
