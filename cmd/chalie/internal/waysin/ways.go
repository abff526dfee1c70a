package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"chalie/adapters/api/reading"
	"chalie/adapters/builtinmodel"
	"chalie/adapters/cardhtml"
	"chalie/adapters/jsonschema"
	"chalie/commands"
	"chalie/commands/screen"
	"chalie/commands/skill"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/carry"
	"chalie/domain/domaintest"
	"chalie/domain/guard"
	"chalie/domain/guest"
	"chalie/domain/language"
	"chalie/domain/language/gauge"
	"chalie/domain/language/reckon"
	"chalie/domain/language/tongues"
	"chalie/domain/language/when"
	"chalie/domain/memlog"
	"chalie/domain/relate"
)

// way is one by which foreign text comes in, and a reader of it. What it makes of the text is
// nobody's question here.
type way struct {
	name string
	in   func(text string)
}

// now is a Saturday morning.
var now = domain.MillisOf(time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC))

func ways() (all []way) {
	for _, part := range [][]way{models(), times(), languages(), facts(), guards(), answers()} {
		all = append(all, part...)
	}
	return all
}

// models are the ways through the built-in model: what the person writes now, added, or wrote
// before, what programs say, and what tools are called and answer.
func models() []way {
	skills, own := ownSkills()
	prompt := func(change func(*language.Prompt)) language.Prompt {
		p := language.Prompt{Kind: language.AskedMessage, AsOf: now, Zone: time.UTC, Tools: skills,
			Asked:  language.Asked{ID: domain.ID{15: 99}, Text: "remind me to call Bob tomorrow at 8", Source: "text", From: domain.PrincipalOperator},
			Recent: []language.Turn{{Prompt: "hello", RecordedAt: now - 60_000}}}
		change(&p)
		return p
	}
	ask := func(change func(*language.Prompt)) {
		_, _ = builtinmodel.Model{}.Reply(context.Background(), prompt(change))
	}
	// hear reads what another model's call is held against.
	hear := func(change func(*language.Prompt)) { builtinmodel.Model{}.Hears(prompt(change)) }
	before := func(s string) func(*language.Prompt) {
		return func(p *language.Prompt) {
			p.Asked.Text, p.Recent = "tomorrow at 8", []language.Turn{{Prompt: s, Reply: s, RecordedAt: now - 60_000}}
		}
	}
	return []way{
		{"a message", func(s string) { ask(func(p *language.Prompt) { p.Asked.Text = s }) }},
		{"what a message asks for", func(s string) { hear(func(p *language.Prompt) { p.Asked.Text = s }) }},
		{"a message of a program", func(s string) { ask(func(p *language.Prompt) { p.Asked.Text, p.Asked.From = s, "rain" }) }},
		{"what is added to a message", func(s string) { ask(func(p *language.Prompt) { p.Steers = []string{s} }) }},
		{"the message before", func(s string) { ask(before(s)) }},
		{"what the message before asks for", func(s string) { hear(before(s)) }},
		{"what was heard", func(s string) {
			ask(func(p *language.Prompt) {
				p.Asked.Text = "how warm is it?"
				p.World = []language.ContextItem{{SeenItem: domain.SeenItem{EnvelopeID: domain.ID{15: 4}, Kind: domain.ItemSignal, Salience: domain.One}, Label: s}}
			})
		}},
		{"what a tool says of itself", func(s string) {
			ask(func(p *language.Prompt) {
				p.Asked.Text = "what is the weather in Valletta?"
				p.Tools = slices.Concat(skills, []language.Offered{{Name: "weather", Interface: "Rain", Description: s[:min(len(s), domain.MaxToolTextBytes)], Documentation: s[:min(len(s), domain.MaxToolTextBytes)]}})
			})
		}},
		{"the params of skills", func(s string) {
			for _, one := range own {
				checker, ok := one.(tool.SkillChecker)
				if !ok {
					continue
				}
				for _, p := range one.Tool().Parameters {
					if params, err := json.Marshal(map[string]any{p.Name: s}); err == nil {
						_ = checker.Check(params)
					}
				}
			}
		}},
	}
}

// ownSkills are those of Chalie, as they are offered.
func ownSkills() (offered []language.Offered, own []tool.Skill) {
	clock := domaintest.NewClock()
	log := memlog.New(clock)
	own, err := skill.New(skill.Config{
		Plans: struct{ commands.View[domain.Plans] }{}, Memory: struct{ commands.View[domain.Memories] }{},
		World: struct{ commands.View[domain.World] }{}, Unwanted: struct{ commands.View[domain.Unwanted] }{},
		Env:     commands.Env{Log: log, Reader: log, Tail: log, Clock: clock, IDs: domaintest.NewIDs(clock, 1), Logger: slog.New(slog.DiscardHandler)},
		Applied: struct{ commands.Barrier }{}, Explainer: struct{ skill.Explainer }{},
	})
	if err != nil {
		panic(fmt.Sprint("skills: ", err))
	}
	for _, s := range own {
		of := s.Tool()
		offered = append(offered, language.Offered{Name: of.Name, Interface: "Chalie", Description: of.Description, Documentation: of.Documentation, Parameters: of.Parameters, SideEffects: s.SideEffects()})
	}
	return offered, own
}

// times are read in what skills and tools are told.
func times() []way {
	return []way{
		{"a time", func(s string) { _, _ = when.Parse(s, now, time.UTC) }},
		{"an occasion", func(s string) { _, _ = when.ParseOccasion(s, now, time.UTC) }},
		{"a period", func(s string) { _, _, _ = when.During(s, now, time.UTC); when.Named(s, now, time.UTC) }},
		{"a past time", func(s string) { _, _ = when.ParsePast(s, now, time.UTC) }},
		{"a window", func(s string) { _, _, _ = when.Narrow(s, now, time.UTC) }},
		{"days of the week", func(s string) { when.Weekdays(s) }},
		{"a length", func(s string) { when.Later(s, now, time.UTC); when.Earlier(s, now, time.UTC) }},
		{"parts of a time", func(s string) { when.Parts(s, now, time.UTC) }},
		{"words beside a time", func(s string) {
			at, err := when.Parse("tomorrow at 8", now, time.UTC)
			if err == nil {
				at.Unread("tomorrow at 8 " + s)
				at.Rest("tomorrow at 8 " + s)
				at.Loose("tomorrow at 8 " + s)
			}
		}},
	}
}

func languages() []way {
	return []way{
		{"a language", func(s string) { tongues.Language(s); tongues.Elsewhere(s); tongues.Words(s) }},
		{"sentences", func(s string) { tongues.Sentences(s) }},
		{"another tongue", func(s string) {
			if t, ok := tongues.Of("Erinnere mich bitte morgen daran, den Zahnarzt anzurufen"); ok {
				t.Plain(s)
				t.When(s)
				t.Sum(s)
				t.Speaks(s)
				t.Fits(s)
				t.Pick(s)
			}
			tongues.Of(s)
		}},
	}
}

// facts are read in messages, signals and answers.
func facts() []way {
	private := []string{"the alarm code is blue heron 4471"}
	sent := func(s string) json.RawMessage { return written(map[string]string{"q": s}) }
	return []way{
		{"a sum", func(s string) {
			reckon.Read(s, now, time.UTC)
			reckon.Follow("what time is it in Tokyo", s, now, time.UTC)
			reckon.Follow(s, "and in Paris", now, time.UTC)
		}},
		{"readings", func(s string) { gauge.All(s, nil); gauge.Counted(s); gauge.Also(s) }},
		{"readings in data", func(s string) { gauge.All("", written([]string{s})); gauge.All("", []byte(s)) }},
		{"a reading", func(s string) {
			gauge.Of(gauge.NameOf("the price of milk"), nil, s, written([]string{s}), s)
			gauge.NameOf(s)
		}},
		{"a signal", func(s string) { relate.Read(relate.Text{Text: s, Topic: s, Source: s}, time.UTC); relate.Asks(s) }},
		{"what is sent", func(s string) {
			s = s[:len(s)/8] // of more than 16 KB none is looked through
			half := len(s) / 2
			carry.Private{Texts: private, Said: []string{"look up the news"}}.In(sent(s[:half]), sent(s[half:]))
		}},
		{"what may be sent", func(s string) {
			carry.Private{Texts: private, Said: []string{s}}.In(sent("news of the blue heron"))
		}},
		{"what is private", func(s string) {
			carry.Private{Texts: []string{s}, Said: []string{"look up the news"}}.In(sent("news of the blue heron"))
		}},
	}
}

func guards() []way {
	host := guest.Host{}
	return []way{
		{"secrets", func(s string) { guard.HasSecret(s); guard.Redact(s); guard.Names(s); screen.Text(s) }},
		{"threats", func(s string) { guard.Threats(s) }},
		{"settled text", func(s string) { guard.Settled(s); guard.SettledJSON(s) }},
		{"secrets in JSON", func(s string) {
			half := len(s) / 2
			for _, text := range [][]byte{[]byte(s), written(map[string]string{s[:half]: s[half:]})} { // a name, and a value
				guard.RedactJSON(text)
				guard.ThreatsJSON(text)
				guard.HoldsMark(text)
			}
		}},
		{"names", func(s string) { _ = domain.CheckNaming("name", "name", s, s+"x") }},
		{"markdown", func(s string) {
			blocks := []domain.Block{domain.TextBlock(s, domain.FormatMarkdown)}
			host.Blocks(blocks)
			host.Page(blocks)
			host.Pending(s, blocks)
			domain.PlainText(blocks)
		}},
		{"addresses", func(s string) { host.Follow(s); host.Follow("https://a.example/" + s); host.Open(s) }},
	}
}

// answers are what tools, programs and their pages send.
func answers() []way {
	cleaner := cardhtml.New()
	formats := jsonschema.Formats{}
	check := func(schema, value []byte) {
		_, _, _ = formats.Check(context.Background(), schema, value)
	}
	return []way{
		{"a card", func(s string) { cleaner.Clean(s, ""); cleaner.Clean("", s); cleaner.Clean("<style>"+s, s) }},
		{"JSON", func(s string) {
			for _, text := range [][]byte{[]byte(s), written(s), []byte("{" + s)} {
				_, _ = reading.Parse(text, "what came", 0)
				domain.Nesting(text)
				domain.Parts(text)
			}
		}},
		{"an answer", func(s string) {
			check([]byte(`{"type":"array","items":{"type":"string","pattern":"^(a|b)*$","enum":["a"]},"uniqueItems":true}`), written([]string{s}))
			check([]byte(s), []byte(s))
			check(written(map[string]any{"type": "string", "pattern": s, "description": s}), written(s))
		}},
		{"tools", func(s string) {
			t := domain.Tool{Name: s, Description: s, Returns: []byte(s), Schema: written(map[string]any{"type": "object", "$ref": s, s: 1})}
			_ = domain.CheckTools([]domain.Tool{t})
			_ = t.CheckSchemas()
			domain.ParametersOf(t.Schema)
		}},
		{"params", func(s string) {
			_ = domain.Tool{Name: "t"}.CheckParams(written(map[string]string{s: s}))
			_, _ = domain.NormalParams(written(map[string]string{s: s}))
			_, _ = domain.NormalParams([]byte(s))
			domain.ShownParams(written(map[string]any{s: []string{s}}))
			domain.ShownParams([]byte(s))
		}},
	}
}

func written(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}
