package domain

// Marks list the redactions of a payload before it was stored, and the flags found
// in it. A payload without any has none.
type Marks struct {
	Redacted []string `json:"redacted" doc:"Kinds of secrets that a mark stands for now."`
	Flags    []Flag   `json:"flags" doc:"What the content tries; it stands there as it came."`
}

// Flag is something that content from outside tries with its reader. The content stays
// data like any other.
type Flag struct {
	Type     string `json:"type" doc:"Extraction, injection, role_manipulation, jailbreak or exfiltration."`
	Pattern  string `json:"pattern" doc:"The rule that found it, never a part of the content."`
	Severity string `json:"severity" doc:"Low, medium, high or critical."`
}

// String is the flag in words, for a model or a person.
func (f Flag) String() string { return f.Severity + " " + f.Type + ": " + f.Pattern }

// Warnings are the flags in words; none for a payload without.
func (m *Marks) Warnings() []string {
	if m == nil || len(m.Flags) == 0 {
		return nil
	}
	out := make([]string, len(m.Flags))
	for i, f := range m.Flags {
		out[i] = f.String()
	}
	return out
}
