package demo

// Signal is what is overheard: it costs Chalie no thought.
type Signal struct {
	Kind     string         `json:"type,omitempty"` // signal, on a stream
	Type     string         `json:"signal_type"`
	Content  string         `json:"content"`
	Source   string         `json:"source,omitempty"`
	Topic    string         `json:"topic,omitempty"`
	Energy   float64        `json:"activation_energy"` // 0 to 1
	Metadata map[string]any `json:"metadata,omitempty"`
}

// Message is said to Chalie, which reasons about it.
type Message struct {
	Text     string         `json:"text"`
	Source   string         `json:"source,omitempty"`
	Topic    string         `json:"topic,omitempty"`
	Metadata map[string]any `json:"metadata,omitempty"`
}
