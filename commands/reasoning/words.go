package reasoning

import (
	"context"
	"slices"
	"strings"

	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/language"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/relate"
)

// marking finds out whose words a call to a model shows, and what it leaves out.
type marking struct {
	r      *Reasoner
	ep     *domain.Episode
	choosy bool             // what isn't the person's own is only shown when they ask for it
	wants  sentences.Wanted // what the person says
	shown  []domain.Words
}

// mark is all that a model will have been shown of others' words once it was asked
// with these tools. A model that isn't moved by what it reads is shown everything;
// any other, in answer to the person, only what they ask about.
func (r *Reasoner) mark(ctx context.Context, ep *domain.Episode, said openingEvent, offers []domain.Offer) ([]domain.Words, error) {
	m := marking{r: r, ep: ep, choosy: r.chooses(ep), shown: []domain.Words{}}
	if last := ep.LastCall(); last != nil {
		m.shown = append(m.shown, last.Shown...)
	}
	var err error
	if m.wants, err = r.wants(ctx, ep, said); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(offers, func(o domain.Offer) bool { return isAbout(m.wants, o) }) {
		m.wants.NamesNoTool()
	}
	for _, o := range offers {
		if !o.IsOwn() {
			m.add(domain.Words{EnvelopeID: o.Interface.ID, Kind: domain.WordsOfTool, Of: domain.InterfaceWords(o.Interface.ID)})
		}
	}
	m.opening(said)
	for _, step := range []func(context.Context) error{m.world, m.recent, m.done} {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	return m.shown, nil
}

// wants reads what the person said and added. What a program says wants nothing.
func (r *Reasoner) wants(ctx context.Context, ep *domain.Episode, said openingEvent) (sentences.Wanted, error) {
	if !ep.ByOperator() {
		return sentences.Wanted{}, nil
	}
	texts := []string{said.message.Text}
	if said.message.Topic != nil {
		texts = append(texts, *said.message.Topic)
	}
	for _, id := range ep.Steers {
		_, s, err := recall[domain.SteerReceived](ctx, r.cfg.Reader, id)
		if err != nil {
			return sentences.Wanted{}, err
		}
		if s != nil {
			texts = append(texts, s.Text)
		}
	}
	return sentences.WantedIn(strings.Join(texts, "\n"), sentences.Vocabulary{Everyday: relate.Everyday, Function: relate.Function}), nil
}

// isAbout reports whether what the person says names a tool, or what it is for.
func isAbout(wants sentences.Wanted, o domain.Offer) bool {
	return wants.AboutTool(o.Name, o.Tool.Name, o.Tool.Description, o.Interface.Name)
}

// chooses reports whether the next model is shown only what the person asks about.
func (r *Reasoner) chooses(ep *domain.Episode) bool {
	model, ok := r.model(ep.Model())
	if !ok {
		return ep.ByOperator()
	}
	return ep.ByOperator() && !unmoved(model)
}

func (m *marking) add(w domain.Words) {
	if !slices.Contains(m.shown, w) {
		m.shown = append(m.shown, w)
	}
}

// opening marks the words of the episode's opening: a program's message, and all images.
func (m *marking) opening(said openingEvent) {
	env := m.ep.Opening.Envelope
	if env.Type == domain.MessageReceivedType && !m.ep.ByOperator() {
		m.add(domain.Words{EnvelopeID: env.ID, Kind: domain.WordsOfMessage, Of: tool.WhoseOf(env)})
	}
	for _, id := range said.message.ImageIDs {
		m.add(domain.Words{EnvelopeID: id, Kind: domain.WordsOfImage, Of: tool.WhoseOf(env)})
	}
}

// world marks the words of the items in mind, and of those that bear on plans.
func (m *marking) world(ctx context.Context) error {
	seen := map[domain.ID]bool{}
	items := slices.Clone(m.ep.Started.World.Items)
	for _, rel := range m.ep.Started.Relations {
		items = append(items, m.ep.Started.Seen(rel.Signal), m.ep.Started.Seen(rel.Commitment))
	}
	for _, item := range items {
		if seen[item.EnvelopeID] {
			continue
		}
		seen[item.EnvelopeID] = true
		words, foreign, err := m.r.whose(ctx, item)
		if err != nil {
			return err
		}
		if !foreign {
			continue
		}
		if m.choosy {
			in, err := m.r.cfg.Mind.Recall(ctx, item)
			if err != nil {
				return err
			}
			wanted := m.wants.News || m.wants.AsksAbout(in.Label, in.Source, in.Topic)
			if words.Kind == domain.WordsOfPlan { // also "cancel the dentist" is about one
				wanted = m.wants.About(in.Label, in.Source, in.Topic)
			}
			if !wanted {
				continue
			}
		}
		m.add(words)
	}
	return nil
}

// recent marks the words of earlier exchanges.
func (m *marking) recent(ctx context.Context) error {
	for i, id := range m.ep.Started.Recent {
		turn, err := m.r.turn(ctx, id)
		if err != nil {
			return err
		}
		latest := i == len(m.ep.Started.Recent)-1
		for _, part := range []struct {
			words *domain.Words
			text  string
		}{{turn.prompt, turn.Prompt}, {turn.reply, turn.Reply}} {
			if part.words != nil && (!m.choosy || m.wants.AsksAbout(part.text) || m.wants.News || latest && m.wants.FollowsUp) {
				m.add(*part.words)
			}
		}
	}
	return nil
}

// done marks the answers of tools in this episode.
func (m *marking) done(ctx context.Context) error {
	for _, called := range m.ep.Calls {
		for _, made := range called.Tools {
			if made.State != domain.CallEnded || made.Invocation.IsZero() {
				continue
			}
			words, foreign, err := m.r.answered(ctx, made)
			if err != nil {
				return err
			}
			if foreign {
				m.add(words)
			}
		}
	}
	return nil
}

// whose says of an item whether its words are foreign. What was heard always is, a program's message too,
// and what is planned when a program planned it, or a call that others' words had
// led to.
func (r *Reasoner) whose(ctx context.Context, item domain.SeenItem) (domain.Words, bool, error) {
	rec, err := r.cfg.Reader.Find(ctx, item.Text())
	if domain.CategoryOf(err) == domain.NotFound {
		return domain.Words{}, false, nil
	}
	if err != nil {
		return domain.Words{}, false, err
	}
	words, foreign, err := tool.WhoseWords(ctx, r.cfg.Reader, rec)
	if item.Kind == domain.ItemMessage { // what quotes one goes by what it has always been called
		words.Kind = domain.WordsOfMessage
	}
	return words, foreign, err
}

// answered reports whether the words of a tool call's result are foreign. Those of an
// interface always are. Those of a skill are when they quote foreign words: a status, a
// reason, or a plan or memory that others' words led to.
func (r *Reasoner) answered(ctx context.Context, made domain.CallMade) (domain.Words, bool, error) {
	words := domain.Words{EnvelopeID: made.End, Kind: domain.WordsOfAnswer, Of: tool.OwnWords}
	_, asked, err := recall[domain.ToolInvoked](ctx, r.cfg.Reader, made.Invocation)
	if err != nil {
		return words, false, err
	}
	if asked == nil {
		return words, true, nil // its source can no longer be known
	}
	if !asked.InterfaceID.IsZero() {
		words.Of = domain.InterfaceWords(asked.InterfaceID)
		return words, true, nil
	}
	if quotes(asked.Tool) {
		return words, true, nil
	}
	if made.Outcome != domain.ToolCompletedType {
		return words, false, nil
	}
	_, answer, err := recall[domain.ToolCompleted](ctx, r.cfg.Reader, made.End)
	if err != nil || answer == nil || len(answer.Words) == 0 {
		return words, false, err
	}
	words.Of = answer.Words[0].Of
	return words, true, nil
}

// quotes reports whether something that Chalie itself can do answers with what was
// heard, or with names that others gave.
func quotes(skill string) bool { return skill == "why" || skill == "status" }

// pastTurn is an earlier exchange, with the sources of its words; nil for the person's
// and Chalie's own.
type pastTurn struct {
	language.Turn
	prompt, reply *domain.Words
	end           domain.Position // of its conclusion; 0 for none
}

// turn reads an exchange by its message.
func (r *Reasoner) turn(ctx context.Context, id domain.ID) (pastTurn, error) {
	rec, m, err := recall[domain.MessageReceived](ctx, r.cfg.Reader, id)
	if err != nil {
		return pastTurn{}, err
	}
	out := pastTurn{Turn: language.Turn{Prompt: textOr(m, func(m domain.MessageReceived) string { return m.Text }), RecordedAt: rec.Clock()}}
	if m != nil && rec.Envelope.Principal != domain.PrincipalOperator {
		out.prompt = &domain.Words{EnvelopeID: id, Kind: domain.WordsOfMessage, Of: tool.WhoseOf(rec.Envelope)}
	}
	trace := rec.Envelope.Trace
	if trace.IsZero() {
		return out, nil // the question is no longer kept
	}
	ends, err := r.cfg.Reader.Select(ctx, domain.Selector{Key: domain.ConcludedKey(trace)}, 1, 1)
	if err != nil || len(ends) == 0 {
		return out, err
	}
	out.end = ends[0].Position
	if out.Reply, out.Said, err = r.saidIn(ctx, ends[0]); err != nil {
		return out, err
	}
	var ep domain.Episode
	if err := r.reload(ctx, trace, &ep); err != nil {
		return out, err
	}
	if out.Done, err = r.doneIn(ctx, &ep); err != nil {
		return out, err
	}
	if last := ep.LastCall(); m != nil && last != nil && apart(&ep, openingEvent{message: *m}) {
		// Whether the person was told it is theirs.
		out.Reply, out.Said = domain.Cut(domain.PlainText(last.Reply.Blocks), maxTurnReply), speech.Recorded(last.Reply.Spoken)
	}
	out.reply, err = r.restsOn(&ep, ends[0])
	return out, err
}

// restsOn are the foreign words that an episode's answer may quote; nil for none. Its
// model had been shown some before, or it tells what a proposal that may rest on such
// is about. A model that isn't moved says itself what it quotes.
func (r *Reasoner) restsOn(ep *domain.Episode, end domain.Record) (*domain.Words, error) {
	words := &domain.Words{EnvelopeID: end.Envelope.ID, Kind: domain.WordsOfReply, Of: tool.OwnWords}
	concluded, err := domain.ConclusionOf(end.Envelope)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(concluded.Evidence, func(ev domain.Evidence) bool { return ev.Role == tool.RoleProposed }) {
		return words, nil
	}
	last := ep.LastCall()
	if concluded.Reply.IsZero() && len(soFar(ep)) == 0 { // its words are Chalie's own
		return nil, nil
	}
	switch {
	case ep.IsAction():
		return words, nil
	case last == nil || last.Marked && len(last.Shown) == 0:
		return nil, nil
	}
	if model, ok := r.model(last.Model); ok && unmoved(model) {
		if !quotesForeign(last) {
			return nil, nil
		}
		return words, nil
	}
	if of, only := onlyTools(last.Shown); only {
		words.Kind, words.Of = domain.WordsOfTool, of
	}
	return words, nil
}

// onlyTools is the one source that all the words are from, if all are what it says of
// its tools: what was said after them can come of nothing else.
func onlyTools(shown []domain.Words) (of string, only bool) {
	for i, w := range shown {
		if w.Kind != domain.WordsOfTool || i > 0 && w.Of != of {
			return "", false
		}
		of = w.Of
	}
	return of, len(shown) > 0
}

// quotesForeign reports whether a reply rests on any of the words that were shown, by
// what it says itself, or tells what tools answered. Of one from before words were
// marked it does when it rests on anything.
func quotesForeign(last *domain.Called) bool {
	if !last.Marked {
		return len(last.Reply.Used) > 0
	}
	return slices.ContainsFunc(last.Shown, func(w domain.Words) bool {
		return w.Kind == domain.WordsOfAnswer || slices.ContainsFunc(last.Reply.Used, func(ev domain.Evidence) bool { return ev.EnvelopeID == w.EnvelopeID })
	})
}
