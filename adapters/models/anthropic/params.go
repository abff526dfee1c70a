package anthropic

import (
	"encoding/base64"
	"encoding/json"

	sdk "github.com/anthropics/anthropic-sdk-go"

	"chalie/adapters/models/dialogue"
)

// params is a question as the Messages API takes it.
func (c *Client) params(q dialogue.Question) sdk.MessageNewParams {
	p := sdk.MessageNewParams{
		Model: c.cfg.Model, MaxTokens: int64(q.MaxTokens), Messages: messages(q.Turns), Tools: tools(q.Tools),
	}
	if q.System != "" {
		p.System = []sdk.TextBlockParam{{Text: q.System}}
	}
	if len(q.Tools) > 0 && !q.MayCall {
		none := sdk.NewToolChoiceNoneParam()
		p.ToolChoice = sdk.ToolChoiceUnionParam{OfNone: &none}
	}
	if q.Format != nil {
		p.OutputConfig = sdk.OutputConfigParam{Format: sdk.JSONOutputFormatParam{Schema: q.Format.Schema}}
	}
	return p
}

func messages(turns []dialogue.Turn) []sdk.MessageParam {
	out := make([]sdk.MessageParam, 0, len(turns))
	for _, t := range turns {
		var blocks []sdk.ContentBlockParamUnion
		switch {
		case len(t.Calls) > 0:
			for _, call := range t.Calls {
				blocks = append(blocks, sdk.NewToolUseBlock(call.ID, object(call.Params), call.Tool))
			}
			out = append(out, sdk.NewAssistantMessage(blocks...))
			continue
		case len(t.Results) > 0:
			for _, r := range t.Results {
				blocks = append(blocks, sdk.NewToolResultBlock(r.CallID, r.Text, r.Failed))
			}
		default:
			for _, p := range t.Pictures {
				blocks = append(blocks, sdk.NewImageBlockBase64(p.MediaType, base64.StdEncoding.EncodeToString(p.Bytes)))
			}
			blocks = append(blocks, sdk.NewTextBlock(t.Text))
		}
		out = append(out, sdk.NewUserMessage(blocks...))
	}
	return out
}

// object is parameters as the API wants them: an object.
func object(params json.RawMessage) json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(params, &fields) != nil || fields == nil {
		return json.RawMessage("{}")
	}
	return params
}

func tools(list []dialogue.Tool) []sdk.ToolUnionParam {
	var out []sdk.ToolUnionParam // none is left out of the request
	for _, t := range list {
		schema := sdk.ToolInputSchemaParam{Properties: t.Schema["properties"], ExtraFields: map[string]any{}}
		if required, ok := t.Schema["required"].([]string); ok {
			schema.Required = required
		}
		if more, ok := t.Schema["additionalProperties"]; ok {
			schema.ExtraFields["additionalProperties"] = more
		}
		tool := sdk.ToolParam{Name: t.Name, InputSchema: schema}
		if t.Description != "" {
			tool.Description = sdk.String(t.Description)
		}
		out = append(out, sdk.ToolUnionParam{OfTool: &tool})
	}
	return out
}
