package api

import "chalie/domain"

// Settings are the parameters that decisions are made by.
type Settings struct {
	AsOf     *AsOf           `json:"as_of,omitempty" doc:"When at was asked."`
	Settings []Setting       `json:"settings" doc:"In the order in which they bear on a decision."`
	Changes  []SettingChange `json:"changes" doc:"The newest first, at most 200; the log has the others."`
	Silenced []Silenced      `json:"silenced" doc:"What the person doesn't want to be told unasked, the oldest first; empty of the past."`
}

// Silenced is one kind of signals of a sender that isn't told unasked.
type Silenced struct {
	EnvelopeID domain.ID     `json:"envelope_id" doc:"Of the notice.silenced."`
	SignalType string        `json:"signal_type"`
	Source     string        `json:"source"`
	At         domain.Millis `json:"at" doc:"Since when."`
}

// Setting is a parameter as it is set.
type Setting struct {
	Name      string         `json:"name"`
	Value     string         `json:"value"`
	Default   string         `json:"default" doc:"What this program comes with."`
	IsDefault bool           `json:"is_default" doc:"It was not set, or set back."`
	Unit      string         `json:"unit" doc:"What a value is, such as a score."`
	Least     string         `json:"least"`
	Most      string         `json:"most"`
	Bounds    string         `json:"bounds" doc:"All that it can be set to, in words."`
	Meaning   string         `json:"meaning"`
	Changed   *SettingChange `json:"changed,omitempty" doc:"The latest change."`
	Undo      *SettingChange `json:"undo,omitempty" doc:"The change that would be taken back; it has what the setting would be again."`
}

// SettingChange is a change of a setting.
type SettingChange struct {
	EnvelopeID domain.ID        `json:"envelope_id"`
	Position   domain.Position  `json:"position"`
	At         domain.Millis    `json:"at"`
	By         domain.Principal `json:"by" doc:"Who changed it."`
	Via        domain.Source    `json:"via" doc:"Through what."`
	Name       string           `json:"name"`
	From       string           `json:"from"`
	To         string           `json:"to"`
	Default    bool             `json:"default" doc:"It was set back to what the program comes with."`
	Undoes     domain.ID        `json:"undoes" empty:"true" doc:"The change that it took back; empty for any other."`
	Undone     bool             `json:"undone" doc:"It was taken back."`
}

// SettingValue is what a setting is to be.
type SettingValue struct {
	Value string `json:"value" doc:"Within its bounds, or default."`
}

// SettingUndo is which change to take back.
type SettingUndo struct {
	Change string `json:"change,omitzero" doc:"An envelope's id. Without it the latest that wasn't taken back; with it only that one."`
}

// Retention is how long records are kept, and what goes next.
type Retention struct {
	Topics  []RetentionTopic `json:"topics"`
	Next    RetentionNext    `json:"next" doc:"What would go now."`
	Refused string           `json:"refused,omitempty" doc:"Why nothing can go from this log; absent where something can."`
	Stays   string           `json:"stays,omitempty" doc:"Why what was to go last stays all the same, with what to do; absent where nothing does."`
	Gone    RetentionGone    `json:"gone" doc:"What went so far."`
}

// RetentionTopic is a topic with its time to keep.
type RetentionTopic struct {
	Topic   domain.Topic  `json:"topic"`
	Setting string        `json:"setting,omitempty" doc:"The setting that has its time; absent of a topic that is kept for ever."`
	For     domain.Millis `json:"for_ms" doc:"The time, as it was asked about or as it is set; 0 for ever."`
	Reason  string        `json:"reason,omitempty" doc:"Why it is kept for ever."`
}

// RetentionNext is what would go.
type RetentionNext struct {
	Records uint64           `json:"records"`
	Bytes   uint64           `json:"bytes" doc:"Before they are compressed."`
	OnDisk  uint64           `json:"disk_bytes,omitempty" doc:"About what the disk gets back: their share of what the log's files take. Absent where that can't be told."`
	Counts  []RetentionCount `json:"counts" doc:"By type, the most first."`
	Oldest  domain.Millis    `json:"oldest,omitempty"`
	Newest  domain.Millis    `json:"newest,omitempty"`
}

// RetentionCount is how many records of a type.
type RetentionCount struct {
	Topic   domain.Topic     `json:"topic"`
	Type    domain.EventType `json:"type"`
	Records uint64           `json:"records"`
}

// RetentionGone is what went.
type RetentionGone struct {
	Spans   int           `json:"spans" doc:"How many times something went."`
	Records uint64        `json:"records"`
	Last    domain.Millis `json:"last,omitempty" doc:"When something went last."`
}

func settingRoutes() []Route {
	return []Route{
		{Name: "retention", Method: get, Path: "/api/retention", Who: Operator, Summary: "How long records are kept, and what goes next",
			Query: []Param{text("keep_signals", "As if that were set so."), text("keep_reasoning", "As if that were set so.")}, Answers: ok(Retention{})},
		{Name: "settings", Method: get, Path: "/api/settings", Who: Operator, Summary: "The parameters of decisions, as they are set", Query: []Param{at()}, Answers: ok(Settings{})},
		{Name: "changeSetting", Method: put, Path: "/api/settings/{name}", Who: Operator, Fresh: true, Summary: "Set a parameter", ID: "The setting's name.",
			Body: json(64*kib, SettingValue{}), Answers: ok(Setting{}), Refuses: []int{409}},
		{Name: "undoSetting", Method: post, Path: "/api/settings/{name}/undo", Who: Operator, Fresh: true, Summary: "Take back the latest change of a setting", ID: "The setting's name.",
			Detail: "What took back a change isn't taken back itself: the change before is. 409 when the latest is another than the one named.",
			Body:   Body{Most: 64 * kib, Shape: SettingUndo{}, Optional: true}, Answers: ok(Setting{}), Refuses: []int{404, 409}},
		{Name: "restoreSilenced", Method: remove, Path: "/api/silenced/{id}", Who: Operator, Summary: "Tell again of a kind of signals that wasn't told unasked", ID: "Of the notice.silenced.",
			Answers: ok(OK{}), Refuses: []int{404, 409}},
	}
}
