package reasoning

import (
	"context"
	"slices"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// PastNotices is the fold of past notices, as its projection keeps it. It is no
// commands.View: every pair of evidence that was ever told counts, so it is asked for
// single ones, which it reads from the disk.
type PastNotices interface {
	// Recent are the notices told within a time before now, at most domain.ToldKept, the
	// latest first. At is when it counts as told at now.
	Recent(now domain.Millis, within time.Duration) []domain.PastNotice
	// Together is what told a pair of evidence as a finding, likewise; false when
	// nothing did.
	Together(pair domain.Pair, now domain.Millis) (domain.PastNotice, bool, error)
}

// NoticeConfig has the dependencies of judging notices. All fields but Params are required.
type NoticeConfig struct {
	commands.Env
	Told         PastNotices
	Unwanted     commands.View[domain.Unwanted]
	Surroundings commands.View[domain.ContextUpdated]
	Applied      commands.Barrier                    // of these, and of Params
	Params       func(context.Context) domain.Params `optional:"yes"` // those in force; nil: domain.DefaultParams
}

// NoticePolicy is the rules of what may be told unasked.
//
//   - A finding isn't told when the person said so of every signal that it rests on: of the
//     signal and the plan (domain.GateDismissed), or of that kind from that sender
//     (domain.GateSilenced).
//   - A finding isn't told when every pair of its evidence was told before, ever, or
//     within NoticeRules.Repeated the same words of the same source about the same plan, or
//     the same text: domain.GateAlreadyTold.
//   - A finding that can wait isn't told within NoticeRules.Cooldown of another about the same
//     plan; one that is about no plan, of another that rests on the same source on the same
//     topic (domain.GateCooldown); nor while the person is focused (domain.GateAttention).
//   - What an interface sends is addressed to the person: it is told, unless it said
//     the same on the same topic within NoticeRules.Directed.
//
// It keeps nothing: the same log and moment give the same verdict.
type NoticePolicy struct{ cfg NoticeConfig }

var _ Notices = (*NoticePolicy)(nil)

// NewNotices checks the configuration.
func NewNotices(cfg NoticeConfig) (*NoticePolicy, error) {
	if err := commands.Complete("configure notices", cfg); err != nil {
		return nil, err
	}
	if cfg.Params == nil {
		cfg.Params = defaultParams
	}
	return &NoticePolicy{cfg: cfg}, nil
}

// Judge is Notices'. It waits until everything that is in the log is folded.
//
// Errors are those of the log and of its folds.
func (p *NoticePolicy) Judge(ctx context.Context, n Notice) (Verdict, error) {
	if err := commands.CatchUp(ctx, p.cfg.Applied, p.cfg.Tail.Tail()); err != nil {
		return Verdict{}, err
	}
	rules := p.cfg.Params(ctx).Notices
	if n.From != "" {
		return p.sameText(ctx, n, rules.Directed, func(t domain.PastNotice) bool {
			return t.From == n.From && t.Topic == domain.HashTopic(n.Topic)
		})
	}
	says, err := p.grounds(ctx, n.Evidence)
	if err != nil {
		return Verdict{}, err
	}
	if v, err := p.unwanted(ctx, says); err != nil || v.Gate != "" {
		return v, err
	}
	if v, err := p.sameEvidence(ctx, n); err != nil || v.Gate != "" {
		return v, err
	}
	if v, err := p.sameWords(ctx, n.At, says, rules.Repeated); err != nil || v.Gate != "" {
		return v, err
	}
	if v, err := p.sameText(ctx, n, rules.Repeated, func(domain.PastNotice) bool { return true }); err != nil || v.Gate != "" {
		return v, err
	}
	if n.Urgent {
		return Verdict{}, nil
	}
	if v, err := p.cooldown(ctx, n, says, rules.Cooldown); err != nil || v.Gate != "" {
		return v, err
	}
	return p.attention(), nil
}

// Standing is Notices'.
func (p *NoticePolicy) Standing(ctx context.Context, at domain.Millis, related []domain.SeenRelation) ([]domain.Gate, error) {
	if len(related) == 0 {
		return nil, nil
	}
	if err := commands.CatchUp(ctx, p.cfg.Applied, p.cfg.Tail.Tail()); err != nil {
		return nil, err
	}
	told, err := p.toldWords(ctx, at, p.cfg.Params(ctx).Notices.Repeated)
	if err != nil {
		return nil, err
	}
	out := make([]domain.Gate, len(related))
	for i, rel := range related {
		says, err := p.grounds(ctx, []domain.Evidence{{EnvelopeID: rel.Signal}})
		if err != nil {
			return nil, err
		}
		says.plans = []domain.ID{rel.Commitment}
		held, err := p.unwanted(ctx, says)
		if err != nil {
			return nil, err
		}
		if held.Gate != "" {
			out[i] = held.Gate
			continue
		}
		_, before, err := p.cfg.Told.Together(domain.PairOf(rel.Signal, rel.Commitment), at)
		if err != nil {
			return nil, err
		}
		if before || len(says.heard) == 1 && told[saying{rel.Commitment, says.heard[0].words}] {
			out[i] = domain.GateAlreadyTold
		}
	}
	return out, nil
}

// unwanted holds a finding of which the person said, of all that was heard, that they don't
// want to be told. Another signal in the same words is the same.
func (p *NoticePolicy) unwanted(ctx context.Context, says grounds) (Verdict, error) {
	plans := says.plans
	if len(plans) == 0 {
		plans = []domain.ID{{}}
	}
	var out Verdict
	for _, h := range says.heard {
		var silent domain.Silence
		var silenced bool
		p.cfg.Unwanted.Read(func(u *domain.Unwanted) { silent, silenced = u.Silence(h.source, h.signalType) })
		not, dismissed, err := p.dismissed(ctx, h, plans)
		switch {
		case err != nil:
			return Verdict{}, err
		case dismissed:
			out = Verdict{Gate: domain.GateDismissed, Because: not.ID}
		case !silenced:
			return Verdict{}, nil
		case out.Gate == "":
			out = Verdict{Gate: domain.GateSilenced, Because: silent.ID}
		}
	}
	return out, nil
}

// dismissed is what the person said "not this" to, of a signal and every one of some plans.
func (p *NoticePolicy) dismissed(ctx context.Context, h heardOf, plans []domain.ID) (out domain.Dismissal, ok bool, err error) {
	var all []domain.Dismissal
	p.cfg.Unwanted.Read(func(u *domain.Unwanted) { all = slices.Clone(u.Dismissed) })
	for _, plan := range plans {
		found := false
		for _, d := range slices.Backward(all) {
			if d.Plan != plan || found {
				continue
			}
			if found = slices.Contains(d.Signals, h.id); !found {
				of, err := p.grounds(ctx, evidenceOf(d.Signals))
				if err != nil {
					return out, false, err
				}
				found = of.has(h.words)
			}
			if found {
				out = d
			}
		}
		if !found {
			return out, false, nil
		}
	}
	return out, true, nil
}

func evidenceOf(ids []domain.ID) []domain.Evidence {
	out := make([]domain.Evidence, len(ids))
	for i, id := range ids {
		out[i] = domain.Evidence{EnvelopeID: id}
	}
	return out
}

// sameEvidence holds a finding that brings nothing together that wasn't before.
func (p *NoticePolicy) sameEvidence(ctx context.Context, n Notice) (Verdict, error) {
	pairs := domain.PairsOf(n.Evidence)
	if len(pairs) == 0 {
		return Verdict{}, nil
	}
	var last domain.PastNotice
	for _, pair := range pairs {
		t, told, err := p.together(ctx, pair, n.At)
		if err != nil || !told {
			return Verdict{}, err
		}
		if last.Conclusion.IsZero() || t.At > last.At {
			last = t
		}
	}
	return heldBack(domain.GateAlreadyTold, domain.HeldByEvidence, last, n.At, 0), nil
}

// together is what told a pair. What was heard, alone, was told by every finding
// that rests on it; of what is planned there may be something else to tell.
func (p *NoticePolicy) together(ctx context.Context, pair domain.Pair, now domain.Millis) (domain.PastNotice, bool, error) {
	t, told, err := p.cfg.Told.Together(pair, now)
	if err != nil || told || !pair.B.IsZero() {
		return t, told, err
	}
	rec, err := p.cfg.Reader.Find(ctx, pair.A)
	if domain.CategoryOf(err) == domain.NotFound || err == nil && rec.Envelope.Type != domain.SignalReceivedType {
		return domain.PastNotice{}, false, nil
	}
	if err != nil {
		return domain.PastNotice{}, false, err
	}
	return p.cfg.Told.Together(domain.PartOf(pair.A), now)
}

// sameText holds a notice that was told in the same words within a time.
func (p *NoticePolicy) sameText(ctx context.Context, n Notice, within time.Duration, counts func(domain.PastNotice) bool) (Verdict, error) {
	text := domain.PlainForm(domain.PlainText(n.Blocks))
	if text == "" {
		return Verdict{}, nil
	}
	for _, t := range p.cfg.Told.Recent(n.At, within) {
		since := t.Since(n.At)
		if since >= within || t.Length != len(text) || !counts(t) {
			continue
		}
		before, err := p.read(ctx, t)
		if err != nil {
			return Verdict{}, err
		}
		if before == text {
			return heldBack(domain.GateAlreadyTold, domain.HeldByWords, t, n.At, within), nil
		}
	}
	return Verdict{}, nil
}

// read is a notice's text, in plain form; "" when it can no longer be read.
func (p *NoticePolicy) read(ctx context.Context, t domain.PastNotice) (string, error) {
	var blocks []domain.Block
	if t.Reply.IsZero() {
		_, c, err := recall[domain.ReasoningConcluded](ctx, p.cfg.Reader, t.Conclusion)
		if c == nil {
			return "", err
		}
		blocks = c.Blocks
	} else {
		_, r, err := recall[domain.ModelReplied](ctx, p.cfg.Reader, t.Reply)
		if r == nil {
			return "", err
		}
		blocks = r.Blocks
		if t.Finding >= 0 && t.Finding < len(r.Findings) {
			blocks = r.Findings[t.Finding].Blocks
		}
	}
	return domain.PlainForm(domain.PlainText(blocks)), nil
}

// heldBack is the verdict on what was told before.
func heldBack(gate domain.Gate, by domain.Holding, before domain.PastNotice, at domain.Millis, within time.Duration) Verdict {
	return Verdict{Gate: gate, Because: before.Conclusion, By: by, Since: before.Since(at), Within: within}
}

// cooldown holds a finding when another was told a short time ago about one of its plans.
// What is about no plan goes by its sources and topics.
func (p *NoticePolicy) cooldown(ctx context.Context, n Notice, says grounds, within time.Duration) (Verdict, error) {
	for _, plan := range says.plans {
		if t, told, err := p.cfg.Told.Together(domain.PartOf(plan), n.At); err != nil {
			return Verdict{}, err
		} else if told && t.Since(n.At) < within {
			return heldBack(domain.GateCooldown, domain.HeldByCooldown, t, n.At, within), nil
		}
	}
	if len(says.plans) > 0 {
		return Verdict{}, nil
	}
	for _, t := range p.cfg.Told.Recent(n.At, within) {
		if t.From != "" || t.Since(n.At) >= within {
			continue
		}
		before, err := p.groundsOf(ctx, t)
		if err != nil {
			return Verdict{}, err
		}
		onTopic := says.isEmpty() && before.isEmpty() && isTopic(n.Topic) && t.Topic == domain.HashTopic(n.Topic)
		if onTopic || says.sharesChannel(before) {
			return heldBack(domain.GateCooldown, domain.HeldByCooldown, t, n.At, within), nil
		}
	}
	return Verdict{}, nil
}

// attention holds a finding while the person is focused.
func (p *NoticePolicy) attention() Verdict {
	if now := commands.Copy(p.cfg.Surroundings); now.Attention == nil || *now.Attention != domain.AttentionFocused {
		return Verdict{}
	}
	return Verdict{Gate: domain.GateAttention, By: domain.HeldByAttention}
}

// grounds are what a finding rests on, as the log has it: the plans it is about, what
// was heard of them, and where. Two findings are compared by their grounds, because
// their texts differ with the minute they were made in ("due in 11 h").
type grounds struct {
	plans    []domain.ID
	heard    []heardOf
	channels []channel // where they came from, as far as they had a topic
	partial  bool      // some of it can no longer be read
}

// heardOf is a signal that a finding rests on.
type heardOf struct {
	id                 domain.ID
	source, signalType string
	words              string // its source and what it says, in plain form
}

// saying is what was heard of a plan: none of a finding that is about no plan.
type saying struct {
	plan  domain.ID
	words string
}

// has reports whether a signal said it.
func (g *grounds) has(words string) bool {
	return slices.ContainsFunc(g.heard, func(h heardOf) bool { return h.words == words })
}

// channel is a source on one of its topics.
type channel struct {
	source string
	topic  domain.TopicHash
}

func (g *grounds) isEmpty() bool { return len(g.plans)+len(g.heard) == 0 && !g.partial }

func (g *grounds) sharesChannel(other grounds) bool {
	return slices.ContainsFunc(g.channels, func(c channel) bool { return slices.Contains(other.channels, c) })
}

// isTopic reports whether a topic says what something is about.
func isTopic(topic string) bool {
	topic = domain.PlainForm(topic)
	return topic != "" && topic != domain.GeneralTopic
}

// grounds reads what evidence is about. Everything that wasn't heard is planned.
func (p *NoticePolicy) grounds(ctx context.Context, evidence []domain.Evidence) (out grounds, err error) {
	for _, id := range domain.Subjects(evidence) {
		rec, err := p.cfg.Reader.Find(ctx, id)
		switch {
		case domain.CategoryOf(err) == domain.NotFound:
			out.partial = true
			continue
		case err != nil:
			return grounds{}, err
		}
		heard, isHeard, err := heardIn(rec.Envelope)
		switch {
		case !isHeard:
			out.plans = append(out.plans, id)
			continue
		case domain.CodeOf(err) == domain.CodeErased:
			out.partial = true
			continue
		case err != nil:
			return grounds{}, err
		}
		out.heard = append(out.heard, heardOf{id, heard.Source, heard.SignalType, domain.PlainForm(heard.Source) + "\n" + domain.PlainForm(heard.Content)})
		if heard.Topic != nil && isTopic(*heard.Topic) {
			out.channels = append(out.channels, channel{domain.PlainForm(heard.Source), domain.HashTopic(*heard.Topic)})
		}
	}
	return out, nil
}

// heardIn is what was heard in an envelope, a program's message as a signal of its sender; false for
// any other.
func heardIn(e domain.Envelope) (heard domain.SignalReceived, is bool, err error) {
	switch {
	case e.Type == domain.SignalReceivedType:
		heard, err = domain.Decode[domain.SignalReceived](e)
		return heard, true, err
	case e.Type == domain.MessageReceivedType && e.Principal != domain.PrincipalOperator:
		m, err := domain.Decode[domain.MessageReceived](e)
		return domain.SignalReceived{Source: m.Sender(e.Source), SignalType: string(domain.ItemMessage), Topic: m.Topic, Content: m.Text}, true, err
	}
	return heard, false, nil
}

// groundsOf is what something that was told rested on; nothing when that can
// no longer be read.
func (p *NoticePolicy) groundsOf(ctx context.Context, t domain.PastNotice) (grounds, error) {
	if !t.Reply.IsZero() && t.Finding >= 0 {
		_, r, err := recall[domain.ModelReplied](ctx, p.cfg.Reader, t.Reply)
		if err != nil {
			return grounds{}, err
		}
		if r != nil && t.Finding < len(r.Findings) {
			return p.grounds(ctx, r.Findings[t.Finding].Evidence)
		}
	}
	_, c, err := recall[domain.ReasoningConcluded](ctx, p.cfg.Reader, t.Conclusion)
	if c == nil {
		return grounds{partial: true}, err
	}
	return p.grounds(ctx, c.Evidence)
}

// sameWords holds a finding when all that was heard of its plans was told of them
// within a time: another signal that says the same is no news.
func (p *NoticePolicy) sameWords(ctx context.Context, at domain.Millis, says grounds, within time.Duration) (Verdict, error) {
	if len(says.heard) == 0 || says.partial {
		return Verdict{}, nil
	}
	left := map[saying]bool{}
	for _, h := range says.heard {
		for _, plan := range says.plans {
			left[saying{plan, h.words}] = true
		}
		if len(says.plans) == 0 {
			left[saying{words: h.words}] = true
		}
	}
	last := domain.PastNotice{}
	for _, t := range p.cfg.Told.Recent(at, within) {
		if t.From != "" || t.Since(at) >= within {
			continue
		}
		before, err := p.groundsOf(ctx, t)
		if err != nil {
			return Verdict{}, err
		}
		known := len(left)
		for s := range left {
			if before.has(s.words) && (s.plan.IsZero() || slices.Contains(before.plans, s.plan)) {
				delete(left, s)
			}
		}
		if len(left) < known && last.Conclusion.IsZero() {
			last = t
		}
		if len(left) == 0 {
			return heldBack(domain.GateAlreadyTold, domain.HeldByWords, last, at, within), nil
		}
	}
	return Verdict{}, nil
}

// toldWords are what was told of plans within a time.
func (p *NoticePolicy) toldWords(ctx context.Context, at domain.Millis, within time.Duration) (map[saying]bool, error) {
	out := map[saying]bool{}
	for _, t := range p.cfg.Told.Recent(at, within) {
		if t.From != "" || t.Since(at) >= within {
			continue
		}
		before, err := p.groundsOf(ctx, t)
		if err != nil {
			return nil, err
		}
		for _, h := range before.heard {
			for _, plan := range before.plans {
				out[saying{plan, h.words}] = true
			}
		}
	}
	return out, nil
}
