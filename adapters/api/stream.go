package api

import "chalie/domain"

// Stream is a broadcast that Chalie listens to, with its state and counts since the
// start.
type Stream struct {
	ID        UUID           `json:"id"`
	URL       string         `json:"url"`
	Source    string         `json:"source" doc:"What its signals are said to come from when they don't say."`
	Since     domain.Millis  `json:"since"`
	State     string         `json:"state" enum:"|connecting|live|waiting" doc:"waiting for the next attempt; empty of the past, of which nobody knows."`
	Reason    string         `json:"reason" doc:"Why it waits; empty otherwise."`
	Until     *domain.Millis `json:"until" doc:"When it tries again; null unless it waits."`
	Received  uint64         `json:"received" doc:"Messages that came."`
	Accepted  uint64         `json:"accepted" doc:"Signals in the log."`
	Malformed uint64         `json:"malformed" doc:"Messages that can't be read, skipped."`
	Ignored   uint64         `json:"ignored" doc:"Messages of other types than signal."`
	Lost      uint64         `json:"lost" doc:"Signals that the log didn't take before listening ended."`
	Rate      float64        `json:"rate" doc:"Accepted a second, over the last five."`
	LagMillis int64          `json:"lag_ms" doc:"How old the oldest signal is that was read and isn't in the log yet."`
	LastError string         `json:"last_error" doc:"Of the connection or the log."`
	LastFault string         `json:"last_fault" doc:"What was wrong with the last malformed message."`
}

// Streams are the broadcasts that Chalie listens to.
type Streams struct {
	AsOf    *AsOf    `json:"as_of,omitempty" doc:"When at was asked."`
	Streams []Stream `json:"streams"`
}

// StreamRequest is a broadcast to listen to.
type StreamRequest struct {
	URL    string `json:"url" doc:"Of a WebSocket, ws or wss. It is added once, by how it is spelt."`
	Source string `json:"source,omitempty" doc:"What its signals are said to come from when they don't say."`
}

// StreamAdded is the answer to a new stream.
type StreamAdded struct {
	StreamID UUID `json:"stream_id"`
}

func streamRoutes() []Route {
	return []Route{
		{Name: "streams", Method: get, Path: "/api/streams", Who: Operator, Summary: "The broadcasts that Chalie listens to", Query: []Param{at()}, Answers: ok(Streams{})},
		{Name: "addStream", Method: post, Path: "/api/streams", Who: Operator, Summary: "Listen to a broadcast", Body: json(16*kib, StreamRequest{}), Answers: withStatus(201, StreamAdded{}), Refuses: []int{409}},
		{Name: "removeStream", Method: remove, Path: "/api/streams/{id}", Who: Operator, Summary: "Stop listening to a broadcast", ID: "The stream's.", Answers: ok(OK{})},
	}
}
