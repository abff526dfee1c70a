// Package wiring assembles the deciding code: reasoning, tools, skills, approvals and
// notices. The running program and a replay assemble it in this one place, so that they
// can't drift apart; only the ports differ.
//
// It stands in replay because it needs both commands and projections, of which neither
// knows the other. Begin reading with Wiring.Reasoner, which needs everything else.
package wiring

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"chalie/commands"
	"chalie/commands/background"
	"chalie/commands/limit"
	"chalie/commands/reasoning"
	"chalie/commands/skill"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/relate"
	"chalie/projections"
	"chalie/projections/notices"
	"chalie/projections/small"
	"chalie/projections/transcript"
	"chalie/replay"
	"chalie/replay/explain"
)

// Wiring assembles the deciding code over its ports.
type Wiring struct {
	Projections
	commands.Env
	History replay.Log                                       // Env's, as explanations read it
	Applied func(...projections.Projection) commands.Barrier // barrier of some projections
	Mind    reasoning.Mind
	Heard   commands.Conversation
	Known   commands.View[domain.Registry]
	Zone    func() *time.Location
	Trouble func() []string
	Peer    commands.Peer
	Cards   tool.CardCleaner
	Tokens  tool.Tokens
	Volume  *limit.Volume   // bounds the bytes that callers record; nil for no bound
	Within  time.Duration   // for one call of a tool; 0 is the program's
	Until   context.Context // no call of a tool is waited for after its end; nil doesn't end
	Program
}

// Program is the parts of the program that no record has.
type Program struct {
	BuiltIn BuiltIn // the built-in model
	Formats tool.Formats
	Build   string
}

// BuiltIn is the model that comes with the program.
type BuiltIn interface {
	reasoning.Unmoved
	reasoning.SentenceReader
}

// Projections are the projections that decisions read.
type Projections struct {
	Invocations  *projections.InMemory[domain.Invocations]
	Memory       *projections.InMemory[domain.Memories]
	Notes        *projections.InMemory[domain.Notes]
	Plans        *projections.InMemory[domain.Plans]
	Policy       *small.Policy
	Registry     *projections.InMemory[domain.Registry]
	Settings     *projections.InMemory[domain.SettingsBook]
	Surroundings *projections.InMemory[domain.ContextUpdated]
	Transcript   *transcript.Projection
	PastNotices  *notices.Projection
	Unwanted     *projections.InMemory[domain.Unwanted]
	World        *projections.InMemory[domain.World]
}

// NewProjections makes empty ones.
func NewProjections() Projections {
	return Projections{
		small.Invocations(), small.Memory(), small.Notes(), small.Plans(), small.NewPolicy(), small.Registry(), small.Settings(),
		small.Surroundings(), transcript.New(), notices.New(), small.Unwanted(), small.World(),
	}
}

// All is all of them.
func (p Projections) All() []projections.Projection {
	return []projections.Projection{p.Invocations, p.Memory, p.Notes, p.Plans, p.Policy, p.Registry, p.Settings, p.Surroundings, p.Transcript, p.PastNotices, p.Unwanted, p.World}
}

// deciding is the environment of all deciding code. The world and the open invocations
// change with nearly every record, and the settings are asked seldom: who asks them says so.
func (d Wiring) deciding() commands.Env {
	return d.Deciding(d.Applied(d.All()...), d.Registry, d.Policy, d.Plans, d.Memory, d.Notes, d.Surroundings, d.Transcript, d.PastNotices, d.Unwanted)
}

// Skills are Chalie's own tools.
func (d Wiring) Skills() ([]tool.Skill, error) { return skill.New(d.skillConfig()) }

func (d Wiring) skillConfig() skill.Config {
	return skill.Config{
		Env: d.deciding(), Plans: d.Plans, Memory: d.Memory, Notes: d.Notes, World: d.World, Unwanted: d.Unwanted, Told: d.PastNotices,
		Applied:   d.Applied(d.Plans, d.Memory, d.Notes, d.World, d.Unwanted, d.PastNotices),
		Explainer: explainer{d.History, d.Zone}, Trouble: d.Trouble, Invocations: d.Invocations, Registry: d.Registry,
	}
}

// Tools invokes interfaces' tools and the skills.
func (d Wiring) Tools() (*tool.Tools, error) {
	skills, err := d.Skills()
	if err != nil {
		return nil, err
	}
	return tool.New(tool.Config{
		Env: d.deciding(), Skills: skills, Zone: d.Zone, Within: d.Within, Until: d.Until, Volume: d.Volume, Book: d.Known, Invocations: d.Invocations,
		Applied: d.Applied(d.Invocations), Peer: d.Peer, Cards: d.Cards, Regime: d.Policy, Governed: d.Applied(d.Policy, d.Settings),
		Tokens: d.Tokens, Formats: d.Formats, Params: d.params,
	})
}

// Approvals decides proposals.
func (d Wiring) Approvals(tools *tool.Tools) (*tool.Approvals, error) {
	return tool.NewApprovals(tool.ApprovalsConfig{
		Env: d.deciding(), Invocations: d.Invocations, Applied: d.Applied(d.Invocations),
		Tokens: d.Tokens, Tools: tools,
	})
}

// Scheduler tells the person of plans that fall due.
func (d Wiring) Scheduler(heart background.Heart) (*background.Scheduler, error) {
	return background.NewScheduler(background.SchedulerConfig{
		Env: d.deciding(), Plans: d.Plans, Applied: d.Applied(d.Plans), Heart: heart,
	})
}

// Notices decides which findings may be told unasked.
func (d Wiring) Notices() (*reasoning.NoticePolicy, error) {
	return reasoning.NewNotices(reasoning.NoticeConfig{
		Told: d.PastNotices, Unwanted: d.Unwanted, Surroundings: d.Surroundings, Applied: d.Applied(d.PastNotices, d.Unwanted, d.Surroundings, d.Settings), Env: d.deciding(),
		Params: d.params,
	})
}

// Reasoner answers with the given models, in the order in which they are tried.
func (d Wiring) Reasoner(models []reasoning.Model, verifier reasoning.Verifier, tools reasoning.ToolCaller, approvals reasoning.Approver) (*reasoning.Reasoner, error) {
	notices, err := d.Notices()
	if err != nil {
		return nil, err
	}
	concerns, err := skill.NewConcerns(d.skillConfig())
	if err != nil {
		return nil, err
	}
	return reasoning.New(reasoning.Config{
		Env: d.deciding(), Mind: d.Mind, Conversation: d.Heard,
		Applied: d.Applied(d.World, d.Transcript, d.Surroundings, d.PastNotices, d.Unwanted, d.Registry, d.Policy, d.Settings), Models: models, Verifier: verifier, Tools: tools,
		Approvals: approvals, Notices: notices, Concerns: concerns, Sentences: d.BuiltIn,
		Params: d.params, Rules: RulesHash, Build: d.Build,
	})
}

// params are the parameters in force.
func (d Wiring) params(ctx context.Context) (out domain.Params) {
	commands.Asked(ctx, d.Settings)
	d.Settings.Read(func(b *domain.SettingsBook) { out = b.Params() })
	return out
}

// RulesHash identifies the rules and parameters of a build, by which two builds may
// decide differently.
func RulesHash(p domain.Params) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v working memory %d relations %s notices %s %+v", p.World, p.Memory, relate.Version, domain.NoticeVersion, p.Notices))
	return hex.EncodeToString(sum[:])
}

// explainer explains from the log, in the person's zone.
type explainer struct {
	log  replay.Log
	zone func() *time.Location
}

// Explain implements skill.Explainer.
func (x explainer) Explain(ctx context.Context, about string) ([]string, error) {
	target, err := explain.TargetOf(ctx, x.log, cmp.Or(about, "last"))
	if err != nil {
		return nil, err
	}
	out, err := explain.Why(ctx, x.log, target, x.zone())
	return out.Sentences, err
}

// ExplainNot implements skill.Explainer. It tries no changes: each would be a replay, and
// a conversation doesn't wait for that.
func (x explainer) ExplainNot(ctx context.Context, about string, asking domain.TraceID) ([]string, error) {
	asked, err := explain.ParseQuestion(cmp.Or(about, "last"))
	if err != nil {
		return nil, err
	}
	out, err := explain.WhyNot(ctx, x.log, asked, explain.Asking{Zone: x.zone(), In: asking})
	return out.Sentences, err
}
