package openai

import (
	"context"
	"encoding/base64"
	"net/http"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"

	"chalie/adapters/models/dialogue"
)

// Chat asks one model by the Chat Completions API.
type Chat struct {
	cfg         Config
	http        *http.Client
	completions sdk.ChatCompletionService
}

var _ dialogue.Client = (*Chat)(nil)

// NewChat makes a client. Nothing is sent.
func NewChat(cfg Config) *Chat {
	cfg = cfg.withDefaults()
	c := &Chat{cfg: cfg, http: dialogue.NewHTTPClient()}
	c.completions = sdk.NewChatCompletionService(cfg.options(c.http)...)
	return c
}

// Close lets go of idle connections.
func (c *Chat) Close() { c.http.CloseIdleConnections() }

// Count says that this API counts nothing beforehand.
func (c *Chat) Count(context.Context, dialogue.Question) (int, bool) { return 0, false }

// Ask puts a question once.
func (c *Chat) Ask(ctx context.Context, q dialogue.Question) (dialogue.Answer, error) {
	stream := c.completions.NewStreaming(ctx, c.params(q))
	defer func() { _ = stream.Close() }()
	var heard chatListener
	for !heard.tooLong && stream.Next() {
		heard.take(stream.Current())
	}
	answer := heard.answer()
	switch err := stream.Err(); {
	case err != nil:
		return answer, c.cfg.fault(ctx, err)
	case !heard.finished:
		return answer, dialogue.Cut(c.cfg.Name)
	}
	return answer, nil
}

func (c *Chat) params(q dialogue.Question) sdk.ChatCompletionNewParams {
	p := sdk.ChatCompletionNewParams{
		Model: c.cfg.Model, Messages: chatMessages(q),
		StreamOptions: sdk.ChatCompletionStreamOptionsParam{IncludeUsage: sdk.Bool(true)},
	}
	if c.cfg.BaseURL == DefaultBaseURL {
		p.MaxCompletionTokens = sdk.Int(int64(q.MaxTokens))
	} else {
		p.MaxTokens = sdk.Int(int64(q.MaxTokens)) // the name that every server knows
	}
	for _, t := range q.Tools {
		p.Tools = append(p.Tools, sdk.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: t.Name, Description: sdk.String(t.Description), Parameters: t.Schema,
		}))
	}
	if len(q.Tools) > 0 && !q.MayCall {
		p.ToolChoice = sdk.ChatCompletionToolChoiceOptionUnionParam{OfAuto: sdk.String(string(sdk.ChatCompletionToolChoiceOptionAutoNone))}
	}
	if f := q.Format; f != nil {
		p.ResponseFormat = sdk.ChatCompletionNewParamsResponseFormatUnion{OfJSONSchema: &shared.ResponseFormatJSONSchemaParam{
			JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{Name: f.Name, Strict: sdk.Bool(true), Schema: f.Schema},
		}}
	}
	return p
}

func chatMessages(q dialogue.Question) []sdk.ChatCompletionMessageParamUnion {
	var out []sdk.ChatCompletionMessageParamUnion
	if q.System != "" {
		out = append(out, sdk.SystemMessage(q.System))
	}
	for _, t := range q.Turns {
		switch {
		case len(t.Calls) > 0:
			said := sdk.ChatCompletionAssistantMessageParam{}
			for _, call := range t.Calls {
				said.ToolCalls = append(said.ToolCalls, sdk.ChatCompletionMessageToolCallUnionParam{
					OfFunction: &sdk.ChatCompletionMessageFunctionToolCallParam{
						ID: call.ID, Function: sdk.ChatCompletionMessageFunctionToolCallFunctionParam{Name: call.Tool, Arguments: string(call.Params)},
					},
				})
			}
			out = append(out, sdk.ChatCompletionMessageParamUnion{OfAssistant: &said})
		case len(t.Results) > 0:
			for _, r := range t.Results {
				out = append(out, sdk.ToolMessage(r.Text, r.CallID))
			}
		case len(t.Pictures) == 0:
			out = append(out, sdk.UserMessage(t.Text))
		default:
			var parts []sdk.ChatCompletionContentPartUnionParam
			for _, p := range t.Pictures {
				parts = append(parts, sdk.ImageContentPart(sdk.ChatCompletionContentPartImageImageURLParam{URL: dataURL(p)}))
			}
			out = append(out, sdk.UserMessage(append(parts, sdk.TextContentPart(t.Text))))
		}
	}
	return out
}

func dataURL(p dialogue.Picture) string {
	return "data:" + p.MediaType + ";base64," + base64.StdEncoding.EncodeToString(p.Bytes)
}
