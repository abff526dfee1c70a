package api

import "chalie/replay/explain"

// Trying is a change that is being tried, worded to follow "if".
type Trying struct {
	Trying string `json:"trying"`
}

func whyRoutes() []Route {
	return []Route{
		{Name: "askable", Method: get, Path: "/api/why", Who: Operator, Summary: "What can be asked about, the newest first",
			Detail: "Of what was told ask why, of what was kept back why not.", Query: []Param{count("limit", 8, 1, 20, "How many of each.")}, Answers: ok(explain.Latest{})},
		{Name: "why", Method: get, Path: "/api/why/{id}", Who: Operator, Summary: "Why something is as it is, or what it led to",
			Detail:  "Goes from one envelope back to what caused it, over all traces, to where it all began. What there isn't is a 404: nothing_said for last, no_envelope, no_frame or no_words. A drawing has the first 100 of the nodes and at most 300 arrows, loads nothing and runs nothing.",
			ID:      "last, for the last thing the person was told; an id of an exchange, notification, invocation, reminder, trace or envelope; a number, or seq: and one, for a frame; pos: and a position; or words of what was said or of what that rests on, of which the latest is meant.",
			Query:   []Param{zone(), text("direction", "back for the causes, forward for the effects.", "back", "forward"), text("format", "json, or a drawing.", "json", "svg", "dot", "mermaid")},
			Answers: []Answer{{Status: 200, Shape: explain.Explanation{}, Media: []string{"image/svg+xml", "text/vnd.graphviz", "text/plain"}}}},
		{Name: "whyNot", Method: get, Path: "/api/why-not/{id}", Who: Operator, Summary: "What stopped something that could have been told or done",
			Detail: "What there isn't is a 404: nothing_kept for last, no_envelope, no_frame or no_tool. What is never told by itself is a 400, nothing_to_tell.",
			ID:     "last, for the last thing that was kept back; the id or pos: and the position of a signal, message, reminder, task or tool call; the name of a tool; or words of what was heard or planned, of which the latest is meant.",
			Query: []Param{zone(), flag("try", true, "Makes decisions again to see what would have helped, which takes a while in a long log."),
				flag("progress", false, "Answers in lines: each change before it is tried, and the answer last.")},
			Answers: []Answer{{Status: 200, Shape: explain.NotTold{}}, {Status: 200, Lines: true, Shape: AnyOf{Trying{}, explain.NotTold{}}}}},
	}
}
