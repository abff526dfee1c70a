package openai

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"

	"chalie/adapters/models/dialogue"
	"chalie/domain"
)

// Responses asks one model by the Responses API.
type Responses struct {
	cfg     Config
	http    *http.Client
	service responses.ResponseService
}

var _ dialogue.Client = (*Responses)(nil)

// NewResponses makes a client. Nothing is sent.
func NewResponses(cfg Config) *Responses {
	cfg = cfg.withDefaults()
	c := &Responses{cfg: cfg, http: dialogue.NewHTTPClient()}
	c.service = responses.NewResponseService(cfg.options(c.http)...)
	return c
}

// Close lets go of idle connections.
func (c *Responses) Close() { c.http.CloseIdleConnections() }

// Count asks the API what a question takes.
func (c *Responses) Count(ctx context.Context, q dialogue.Question) (int, bool) {
	p := c.params(q)
	got, err := c.service.InputTokens.Count(ctx, responses.InputTokenCountParams{
		Model: sdk.String(c.cfg.Model), Instructions: p.Instructions, Tools: p.Tools,
		Input: responses.InputTokenCountParamsInputUnion{OfResponseInputItemArray: p.Input.OfInputItemList},
	})
	if err != nil || got.InputTokens <= 0 {
		return 0, false // whoever asks can estimate
	}
	return int(got.InputTokens), true
}

// Ask puts a question once.
func (c *Responses) Ask(ctx context.Context, q dialogue.Question) (dialogue.Answer, error) {
	stream := c.service.NewStreaming(ctx, c.params(q))
	defer func() { _ = stream.Close() }()
	var text strings.Builder
	for stream.Next() {
		switch e := stream.Current(); e.Type {
		case "response.output_text.delta", "response.refusal.delta":
			if text.WriteString(e.Delta); text.Len() > dialogue.MaxAnswerBytes {
				return dialogue.Answer{Text: text.String(), Stop: dialogue.StopLength}, nil
			}
		case "response.completed", "response.incomplete":
			return heardIn(e.Response), nil
		case "response.failed":
			failed := e.Response.Error
			return dialogue.Answer{Usage: usageOf(e.Response.Usage)}, c.cfg.failed(kindOf(string(failed.Code), failed.Type), failed.Message)
		case "error":
			return dialogue.Answer{}, c.cfg.failed(e.Code, e.Message)
		}
	}
	if err := stream.Err(); err != nil {
		return dialogue.Answer{}, c.cfg.fault(ctx, err)
	}
	return dialogue.Answer{}, dialogue.Cut(c.cfg.Name)
}

// heardIn reads the answer from the last event, which repeats all of it.
func heardIn(r responses.Response) dialogue.Answer {
	out := dialogue.Answer{Usage: usageOf(r.Usage), Stop: dialogue.StopDone}
	for _, item := range r.Output {
		switch item.Type {
		case "message":
			for _, part := range item.Content {
				out.Text += part.Text + part.Refusal
			}
		case "function_call":
			params := item.Arguments.OfString
			if params == "" {
				params = "{}"
			}
			out.Calls = append(out.Calls, dialogue.Call{ID: item.CallID, Tool: item.Name, Params: json.RawMessage(params)})
		}
	}
	if r.Status == responses.ResponseStatusIncomplete {
		out.Stop = dialogue.StopLength
		if r.IncompleteDetails.Reason == "content_filter" {
			out.Stop = dialogue.StopRefused
		}
	}
	return out
}

func usageOf(u responses.ResponseUsage) domain.Usage {
	cached := u.InputTokensDetails.CachedTokens
	return domain.Usage{InputTokens: int(u.InputTokens - cached), OutputTokens: int(u.OutputTokens), CacheReadTokens: int(cached)}
}

func (c *Responses) params(q dialogue.Question) responses.ResponseNewParams {
	p := responses.ResponseNewParams{
		Model: c.cfg.Model, MaxOutputTokens: sdk.Int(int64(q.MaxTokens)), Store: sdk.Bool(false),
		Input: responses.ResponseNewParamsInputUnion{OfInputItemList: items(q.Turns)},
	}
	if q.System != "" {
		p.Instructions = sdk.String(q.System)
	}
	for _, t := range q.Tools {
		p.Tools = append(p.Tools, responses.ToolUnionParam{OfFunction: &responses.FunctionToolParam{
			Name: t.Name, Description: sdk.String(t.Description), Parameters: t.Schema, Strict: sdk.Bool(false),
		}})
	}
	if len(q.Tools) > 0 && !q.MayCall {
		p.ToolChoice = responses.ResponseNewParamsToolChoiceUnion{OfToolChoiceMode: sdk.Opt(responses.ToolChoiceOptionsNone)}
	}
	if f := q.Format; f != nil {
		format := responses.ResponseFormatTextConfigParamOfJSONSchema(f.Name, f.Schema)
		format.OfJSONSchema.Strict = sdk.Bool(true)
		p.Text = responses.ResponseTextConfigParam{Format: format}
	}
	return p
}

func items(turns []dialogue.Turn) responses.ResponseInputParam {
	var out responses.ResponseInputParam
	for _, t := range turns {
		switch {
		case len(t.Calls) > 0:
			for _, call := range t.Calls {
				out = append(out, responses.ResponseInputItemParamOfFunctionCall(string(call.Params), call.ID, call.Tool))
			}
		case len(t.Results) > 0:
			for _, r := range t.Results {
				item := responses.ResponseInputItemParamOfFunctionCallOutput(r.Text)
				item.OfFunctionCallOutput.CallID = sdk.String(r.CallID)
				out = append(out, item)
			}
		default:
			var parts responses.ResponseInputMessageContentListParam
			for _, p := range t.Pictures {
				parts = append(parts, responses.ResponseInputContentUnionParam{OfInputImage: &responses.ResponseInputImageParam{
					Detail: responses.ResponseInputImageDetailAuto, ImageURL: sdk.String(dataURL(p)),
				}})
			}
			parts = append(parts, responses.ResponseInputContentUnionParam{OfInputText: &responses.ResponseInputTextParam{Text: t.Text}})
			out = append(out, responses.ResponseInputItemParamOfMessage(parts, responses.EasyInputMessageRoleUser))
		}
	}
	return out
}
