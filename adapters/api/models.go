package api

import "chalie/domain"

// Models are the models that answer or check answers.
type Models struct {
	Models []ListedModel `json:"models" doc:"In the order they are asked."`
}

// ListedModel is a chosen model with what it supports.
type ListedModel struct {
	Name      string   `json:"name"`
	Key       string   `json:"key" doc:"Where its key comes from; empty without one."`
	Usable    bool     `json:"usable" doc:"It has the key that it needs."`
	Context   int      `json:"context" doc:"Tokens; 0 when unknown."`
	MaxOutput int      `json:"max_output" doc:"Tokens."`
	Tools     bool     `json:"tools"`
	Vision    bool     `json:"vision"`
	Schema    bool     `json:"schema"`
	Input     *float64 `json:"input_price" doc:"US dollars for a million tokens; null when unknown."`
	Output    *float64 `json:"output_price" doc:"Likewise."`
	Verifies  bool     `json:"verifies" doc:"It checks answers."`
	Answers   bool     `json:"answers"`

	Temperature *float64 `json:"temperature,omitempty"`
	Stop        []string `json:"stop,omitempty" doc:"Before these its answers end."`
}

// ModelCheck says which model to ask.
type ModelCheck struct {
	Name string `json:"name"`
}

// CheckedModel is a model's answer to a question of a few words.
type CheckedModel struct {
	Name   string       `json:"name"`
	OK     bool         `json:"ok"`
	Millis int64        `json:"ms"`
	Answer string       `json:"answer"`
	Error  string       `json:"error" doc:"Empty when it answered."`
	Usage  domain.Usage `json:"usage"`
	Finish string       `json:"finish_reason" enum:"stop|tool_use|max_tokens|error"`
}

func modelRoutes() []Route {
	return []Route{
		{Name: "models", Method: get, Path: "/api/models", Who: Operator, Summary: "The models that answer, in the order they are asked, and what each supports", Answers: ok(Models{})},
		{Name: "checkModel", Method: post, Path: "/api/models/check", Who: Operator, Summary: "Ask a model a question of a few words, to see that it answers",
			Detail: "It costs what a short question costs.", Body: json(64*kib, ModelCheck{}), Answers: ok(CheckedModel{}), Refuses: []int{404}},
	}
}
