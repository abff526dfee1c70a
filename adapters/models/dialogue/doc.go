// Package dialogue is what a language model of any provider is asked and answers,
// before and after it takes the shape of that provider's wire format.
//
// A Question is a whole: instructions, everything said so far, the tools. Nobody
// keeps state between two of them, so asking again asks the same.
//
// A Client puts one question once: it doesn't retry, and leaves it to the error
// to say whether asking again makes sense. All its errors are *domain.Error with
// words for a person, and none of them contains the key or the question.
package dialogue

import (
	"context"
	"encoding/json"

	"chalie/domain"
)

// Client is one model of one provider. It is safe for concurrent use.
type Client interface {
	// Ask puts a question once, and tells of the answer as it comes; tell may be nil. What
	// was used is in the Answer also when there is an error. Ending ctx ends the request,
	// so that the provider stops, and is an error like a broken one.
	Ask(ctx context.Context, q Question, tell Tell) (Answer, error)
	// Count is how many tokens a question takes, as the provider counts them; false
	// when it can't be asked.
	Count(ctx context.Context, q Question) (tokens int, ok bool)
	// List is what models the provider has.
	List(ctx context.Context) ([]Listed, error)
	// Close lets go of idle connections. Questions under way go on.
	Close()
}

// Listed is a model that a provider has.
type Listed struct {
	ID        string // as the API knows it
	Name      string // for a person; "" when the provider gives none
	Context   int    // tokens; 0 when the provider doesn't say
	MaxOutput int    // likewise
}

// MaxListed bounds how many models of one provider are listed.
const MaxListed = 10_000

// Question is everything a model is told.
type Question struct {
	System    string
	Turns     []Turn
	Tools     []Tool
	MayCall   bool    // false: Tools only explain the calls made before
	Format    *Format // of the answer; nil for prose
	MaxTokens int     // of the answer
	// Temperature is how freely it answers; nil leaves that to the provider.
	Temperature *float64
	// Stop are texts before which the answer ends.
	Stop []string
}

// Turn is one of three: what the person's side says (Text and Pictures), what the
// model called (Calls), or their results (Results).
type Turn struct {
	Text     string
	Pictures []Picture
	Calls    []Call
	Results  []Result
}

// Picture is an image as it was uploaded.
type Picture struct {
	MediaType string // such as image/png
	Bytes     []byte
}

// Tool may be called. Its name and those of its parameters have passed Names.
type Tool struct {
	Name        string
	Description string
	Schema      map[string]any // a JSON schema of type object
}

// Call is a call to a tool.
type Call struct {
	ID     string
	Tool   string
	Params json.RawMessage // of an Answer: as it came, which may be no JSON at all
}

// Result is the result of a call.
type Result struct {
	CallID string
	Text   string
	Failed bool
}

// Format is what an answer has to be: JSON of a schema.
type Format struct {
	Name   string
	Schema map[string]any
}

// Answer is what a model said.
type Answer struct {
	Text  string
	Calls []Call
	Usage domain.Usage // without cost; InputTokens are those that no cache had
	Stop  Stop
	// Reason is why it ended in the server's own word, where Stop is StopUnknown.
	Reason string
	// Unread is what of it can't be read, for the model; "" for nothing. Of what isn't text
	// or a call it is told only where there is nothing else.
	Unread string
}

// MaxAnswerBytes bounds the text, and each call's parameters, of one answer.
// Reading stops there.
const MaxAnswerBytes = 256 << 10
