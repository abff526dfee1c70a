package tool_test

import (
	"context"
	"strings"
	"testing"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/tool"
	"chalie/domain"
)

// passer is a peer whose pages call it.
type passer struct {
	*commandstest.Craftsman
	pass func(ctx context.Context, at commands.Endpoint, body []byte, key string) (commands.Rendering, error)
}

func (p *passer) Pass(ctx context.Context, at commands.Endpoint, body []byte, key string) (commands.Rendering, error) {
	return p.pass(ctx, at, body, key)
}

func TestPass(t *testing.T) {
	text := "cancelled"
	away := &domain.Error{Category: domain.Dependency, Code: commands.CodePeerUnreachable, Retriable: true, Message: "nobody is there"}
	lost := &domain.Error{Category: domain.Dependency, Code: commands.CodePeerUnknown, Message: "it went away"}
	for _, c := range []struct {
		name   string
		answer string
		fails  error
		regime domain.Regime
		steps  []domain.EventType
		want   domain.Code
		text   *string // recorded
	}{
		{"a result", `{ "text": "cancelled", "openUrl": "/x" }`, nil, &domain.Rulebook{}, wholeCall, "", &text},
		{"of another shape", `[1, 2]`, nil, &domain.Rulebook{}, wholeCall, "", new("[1, 2]")},
		{"nobody there", "", away, &domain.Rulebook{}, []domain.EventType{"tool.invoked", "policy.decided", "tool.dispatched", "tool.failed"}, commands.CodePeerUnreachable, nil},
		{"lost on the way", "", lost, &domain.Rulebook{}, []domain.EventType{"tool.invoked", "policy.decided", "tool.dispatched", "tool.outcome_unknown"}, commands.CodePeerUnknown, nil},
		{"denied", `{}`, nil, &refusingRegime{}, []domain.EventType{"tool.invoked", "policy.decided", "tool.failed"}, domain.CodeDenied, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := commandstest.NewWorkshop(t)
			const body = `{"capability":"refill","params":{"n":1},"more":true}`
			var key string
			cfg := w.Config()
			cfg.Regime = c.regime
			cfg.Peer = &passer{w.Peer, func(ctx context.Context, at commands.Endpoint, sent []byte, sentKey string) (commands.Rendering, error) {
				if _, bounded := ctx.Deadline(); !bounded || string(sent) != body || at.Port != 9001 {
					t.Errorf("passed %s to %+v", sent, at)
				}
				w.Happened(wholeCall[:3]...)
				key = sentKey
				return commands.Rendering{MediaType: "application/json", Body: []byte(c.answer)}, c.fails
			}}
			tools, err := tool.New(cfg)
			if err != nil {
				t.Fatal(err)
			}
			hospital := *w.Tools().Offers()[0].Interface
			got, err := tools.Pass(t.Context(), commands.InterfaceCaller(hospital), tool.Passing{
				Interface: hospital, Capability: "refill", Params: []byte(`{"n":1}`), Body: []byte(body),
			})
			if domain.CodeOf(err) != c.want || err == nil && string(got.Body) != c.answer {
				t.Errorf("answered %s, %v", got.Body, err)
			}
			if told := err != nil && strings.Contains(err.Error(), "it may have been done"); told != (c.want == commands.CodePeerUnknown) {
				t.Errorf("the error is %v", err)
			}
			records := w.Happened(c.steps...)
			invoked := commandstest.Decoded[domain.ToolInvoked](t, records[0])
			if e := records[0].Envelope; invoked.Tool != "refill" || invoked.Channel != "gateway" || e.Principal != hospital.Principal() || key != "" && key != e.ID.UUID() {
				t.Errorf("invoked %+v by %s with key %s", invoked, e.Principal, key)
			}
			if c.text != nil {
				if end := commandstest.Decoded[domain.ToolCompleted](t, records[3]); end.Text == nil || *end.Text != *c.text {
					t.Errorf("recorded %+v", end)
				}
			}
			lawfulTools(t, records, true)
		})
	}
}

func TestPassJudgesBeforeItRecords(t *testing.T) {
	w := commandstest.NewWorkshop(t)
	hospital := *w.Tools().Offers()[0].Interface
	for _, p := range []tool.Passing{
		{Interface: hospital},
		{Interface: hospital, Capability: "a\x00b"},
		{Interface: hospital, Capability: "refill", Params: []byte(`[]`)},
	} {
		_, err := w.Tools().Pass(t.Context(), commandstest.Ada, p)
		commandstest.Refused(t, err, domain.Validation, "invalid")
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Tools().Pass(gone, commandstest.Ada, tool.Passing{Interface: hospital, Capability: "refill"}); err == nil {
		t.Error("passed on for somebody who had gone")
	}
	w.Happened()
}
