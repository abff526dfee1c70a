package models

import (
	"encoding/json"

	"chalie/adapters/models/dialogue"
)

// What tokens are estimated by: texts in many languages take a token for every
// three bytes or more, and an image as many as providers charge for a large one.
const (
	bytesPerToken    = 3
	tokensPerPicture = 1_600
	tokensPerTurn    = 8
)

// estimate is how many tokens a question takes, rather too many than too few.
func estimate(q dialogue.Question) int {
	bytes, tokens := len(q.System), 0
	for _, t := range q.Turns {
		tokens += tokensPerTurn + tokensPerPicture*len(t.Pictures)
		bytes += len(t.Text)
		for _, c := range t.Calls {
			bytes += len(c.ID) + len(c.Tool) + len(c.Params)
		}
		for _, r := range t.Results {
			bytes += len(r.CallID) + len(r.Text)
		}
	}
	for _, t := range q.Tools {
		// What can't be encoded can't be sent either, and fails there.
		schema, err := json.Marshal(t.Schema)
		if err == nil {
			bytes += len(schema)
		}
		bytes += len(t.Name) + len(t.Description)
	}
	return tokens + (bytes+bytesPerToken-1)/bytesPerToken
}
