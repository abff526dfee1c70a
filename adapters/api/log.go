package api

import (
	stdjson "encoding/json"

	"chalie/domain"
)

// LogPage is a page of records.
type LogPage struct {
	Records []Entry         `json:"records"`
	Next    domain.Position `json:"next" doc:"Where to go on: from it, or with the newest first before it, and then 0 when the beginning was reached."`
	Tail    domain.Position `json:"tail" doc:"Where the log ended before it was read."`
	Held    uint64          `json:"held" doc:"How many records the log holds: fewer than positions where some went."`
	Cut     bool            `json:"cut,omitempty" doc:"There are fewer than were asked for because they are large; there is more at next."`
}

// Entry is a record of the log.
type Entry struct {
	domain.Record
	Gist *string // its summary, when the request asks for it
}

type said struct {
	Gist *string `json:"gist,omitempty" doc:"With gist: what it says, in one line of plain words."`
}

// JSONShapes are what an Entry's JSON is made of.
func (Entry) JSONShapes() []any { return []any{domain.Record{}, said{}} }

// MarshalJSON writes the record's published shape with the gist as one more member.
func (e Entry) MarshalJSON() ([]byte, error) {
	text, err := stdjson.Marshal(e.Record)
	if err != nil || e.Gist == nil {
		return text, err
	}
	told, err := stdjson.Marshal(said{e.Gist})
	if err != nil {
		return nil, err
	}
	told[0] = ',' // continues the record's members
	return append(text[:len(text)-1], told...), nil
}

// UnmarshalJSON reads the record and the gist.
func (e *Entry) UnmarshalJSON(text []byte) error {
	var told said
	if err := stdjson.Unmarshal(text, &told); err != nil {
		return err
	}
	e.Gist = told.Gist
	return stdjson.Unmarshal(text, &e.Record)
}

// MaxLogPage bounds the records of one page.
const MaxLogPage = 1000

const noEnd = 1<<63 - 1

func logRoutes() []Route {
	return []Route{
		{Name: "log", Method: get, Path: "/api/log", Who: Operator, Summary: "Records of the log, in order",
			Detail: "A page ends when its records take 2 MiB, too.",
			Query: []Param{
				count("from", 1, 0, noEnd, "The first position; 0 and 1 are both the start."), count("before", 0, 1, noEnd, "Leaves out this position and what stands after it."),
				text("order", "What comes first.", "oldest", "newest"), count("limit", 100, 1, MaxLogPage, "How many."),
				count("look", 0, 1, 1<<31-1, "How many records may be looked at to find what matches; what was found until then is answered."),
				text("topic", "Only of that topic."), text("type", "Only of that type of event."),
				text("source", "Only of that sender, or who answers for it: an id, or the name of an interface or a stream in any case."),
				{Name: "trace", Kind: KindID, Doc: "Only of that trace."}, {Name: "interface", Kind: KindID, Doc: "Only about that interface; not beside trace."},
				{Name: "since", Kind: KindMoment, Doc: "From then on; a span without a sign goes back."}, {Name: "until", Kind: KindMoment, Doc: "Before then."},
				{Name: "wait", Kind: KindSpan, Doc: "Waits until there is something, at most 30s; not with the newest first."}, gist(),
			}, Answers: ok(LogPage{})},
		{Name: "entry", Method: get, Path: "/api/log/{id}", Who: Operator, Summary: "One record", ID: "The envelope's, or pos: and its position.", Query: []Param{gist()}, Answers: ok(Entry{})},
		{Name: "export", Method: get, Path: "/api/export", Who: Operator, Fresh: true, Summary: "A part of the log, or all of it, as a file",
			Detail: "As chalie export writes it, in pieces. One that is broken off has no trailer.",
			Query: []Param{
				{Name: "trace", Kind: KindID, Doc: "Of a trace, or of any envelope of it: it is exported whole."}, {Name: "since", Kind: KindMoment, Doc: "From then on."}, {Name: "until", Kind: KindMoment, Doc: "Before then."},
				count("through", 0, 1, noEnd, "The last position."), text("format", "How; jsonl unless said.", "jsonl", "cloudevents"),
			}, Answers: []Answer{{Status: 200, Media: []string{"application/x-ndjson"}}}, Refuses: []int{404}},
		{Name: "verify", Method: get, Path: "/api/verify", Who: Operator, Summary: "Walk over the whole log",
			Detail: "A line for progress now and then, the result last. One that ends without a result was broken off.", Answers: []Answer{{Status: 200, Lines: true, Shape: AnyOf{Progress{}, Verification{}}}}},
		{Name: "backUp", Method: post, Path: "/api/backup", Who: Operator, Summary: "Back up what is new into a folder of this machine, and check all of it",
			Detail: "Only over the Unix socket: the folder gets everything. A line for progress now and then, the result last; what fails after the first line is the last one, a refusal.",
			Body:   json(16*kib, BackupRequest{}), Refuses: []int{403, 409},
			Answers: []Answer{{Status: 200, Lines: true, Shape: AnyOf{Progress{}, Backup{}, Refusal{}}}}},
		{Name: "startMove", Method: post, Path: "/api/move", Who: Operator, Summary: "Move the log to a cluster, or back, while it is served",
			Detail: "Only over the Unix socket: it sends everything to where it is told. It answers at once; how it goes stands in GET /api/move.",
			Body:   Body{Most: 16 * kib, Shape: MoveRequest{}}, Answers: withStatus(202, OK{}), Refuses: []int{403, 409}},
		{Name: "move", Method: get, Path: "/api/move", Who: Operator, Summary: "How the move of the log stands", Answers: ok(Move{})},
	}
}

// Progress is the progress of a walk over the log.
type Progress struct {
	Position domain.Position `json:"position"`
	Tail     domain.Position `json:"tail"`
	Rate     int64           `json:"rate" doc:"Records a second so far."`
}

// Verification is the result of verifying the log.
type Verification struct {
	OK       bool      `json:"ok"`
	Records  uint64    `json:"records" doc:"Readable ones."`
	Problems []Problem `json:"problems" doc:"Records beside one another that can't be read are one."`
	More     uint64    `json:"more,omitempty" doc:"Problems beyond those listed."`
	Lost     uint64    `json:"lost,omitempty" doc:"Positions that a repair or an import named lost; no problem any more."`
	LostAt   []LostRun `json:"lost_at,omitempty" doc:"The first runs of them."`
	Retired  uint64    `json:"retired,omitempty" doc:"Positions whose records went when their time to be kept was over; no problem."`
}

// LostRun is a run of positions, both ends included.
type LostRun struct {
	From    domain.Position `json:"from"`
	Through domain.Position `json:"through"`
}

// Problem is one fault that verifying found.
type Problem struct {
	Position domain.Position `json:"position" doc:"0 when it belongs to no record."`
	Through  domain.Position `json:"through,omitempty" doc:"The last one of a run."`
	Error    string          `json:"error"`
}

// MoveRequest says where the log is to go: to a cluster, or from one to this machine.
type MoveRequest struct {
	To     string `json:"to,omitempty" doc:"Connection string of the cluster to move the log to."`
	From   string `json:"from,omitempty" doc:"Connection string of the cluster to bring it back from."`
	Stream string `json:"stream" doc:"This Chalie's stream there."`
}

// MoveState is how far a move of the log is.
type MoveState string

// The states of a move.
const (
	MoveNone      MoveState = "none"
	MoveCopying   MoveState = "copying"
	MoveComparing MoveState = "comparing"
	MoveFolding   MoveState = "folding"
	MoveSwitching MoveState = "switching"
	MoveMoved     MoveState = "moved"
	MoveFailed    MoveState = "failed"
)

// UnderWay reports whether a move goes on.
func (s MoveState) UnderWay() bool { return s != MoveNone && s != MoveMoved && s != MoveFailed }

// Move is how a move of the log stands.
type Move struct {
	State MoveState       `json:"state" enum:"none|copying|comparing|folding|switching|moved|failed" doc:"switching: Chalie starts again on the other log, which takes a moment."`
	Done  domain.Position `json:"done" doc:"How many records."`
	Of    domain.Position `json:"of"`
	Files int             `json:"files" doc:"How many files were moved beside the log."`
	Left  string          `json:"left,omitempty" doc:"A stream that has a part of the log, of a move that was broken off."`
	Error string          `json:"error,omitempty" doc:"Why it failed; the log is where it was."`
}
