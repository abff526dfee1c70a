package skill

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"chalie/commands"
	"chalie/commands/tool"
	"chalie/domain"
	"chalie/domain/guard"
	"chalie/domain/language/bynames"
	"chalie/domain/language/speech"
	"chalie/domain/relate"
)

// Told is what was told unasked lately.
type Told interface {
	// Recent are the notices told within a time before now, the latest first.
	Recent(now domain.Millis, within time.Duration) []domain.PastNotice
}

// ofCard are the parameters that say which card is meant.
func ofCard() []domain.Parameter {
	return []domain.Parameter{
		{Name: "plan", Type: domain.TypeString, Description: "The id of the plan that was told about, as the card's buttons have it. Left out: what was told last."},
		{Name: "signals", Type: domain.TypeString, Description: "The ids of the signals that it rests on, with spaces between them."},
		{Name: "which", Type: domain.TypeString, Description: "Words that tell which is meant: of what was told, or of the sender."},
	}
}

// more tells what a card rests on.
func (s *skills) more() tool.Skill {
	return skill{do: s.doMore, tool: domain.Tool{
		Name:          "more",
		Description:   "Tell more of what Chalie told unasked: what it heard, the plan, and what ties them.",
		Documentation: "Without parameters it is about what was told last.",
		Parameters:    ofCard(),
	}}
}

// notice keeps back what the person doesn't want to be told unasked, or lets it through again.
func (s *skills) notice() tool.Skill {
	return skill{effects: true, do: s.doNotice, tool: domain.Tool{
		Name:        "notice",
		Description: "Keep back what the person doesn't want to be told unasked: one piece of news about a plan, or one kind of signals from one sender; or let that through again.",
		Documentation: "action is dismiss (not this: what was heard isn't told of that plan again), silence (nothing of this kind from this sender) or restore (tell it again). " +
			"Signals are heard all the same, and answers go on resting on them. restore takes words of the sender in which.",
		Parameters: append([]domain.Parameter{{Name: "action", Type: domain.TypeString, Required: true, Description: "dismiss, silence or restore."}}, ofCard()...),
	}}
}

type noticeParams struct{ Action, Plan, Signals, Which string }

func (p noticeParams) shortWhich() speech.Text {
	return theirOwn(domain.Cut(strings.TrimSpace(p.Which), maxAboutBytes))
}

// toldCard is a finding that was told.
type toldCard struct {
	conclusion domain.ID
	reply      domain.ID // that it is a finding of
	position   domain.Position
	headline   string
	plan       domain.ID // none of a finding that is about no plan
	signals    []domain.ID
}

func (c toldCard) answer() tool.Answer {
	return tool.Answer{Says: say("label.plan", args{"what": c.its()}), With: map[string]any{"plan": c.planText(), "signals": c.signalsText(), "which": nil}}
}

func (c toldCard) planText() string {
	if c.plan.IsZero() {
		return ""
	}
	return c.plan.String()
}

func (c toldCard) signalsText() string {
	ids := make([]string, len(c.signals))
	for i, id := range c.signals {
		ids[i] = id.String()
	}
	return strings.Join(ids, " ")
}

// its is the headline, which may have others' words.
func (c toldCard) its() speech.Text { return speech.Text{Words: c.headline, In: c.reply} }

// card is the card that a call is about; or the question, or the answer, where that isn't clear.
func (s *skills) card(ctx context.Context, call tool.SkillCall, p noticeParams) (toldCard, tool.SkillDone, bool, error) {
	if !blank(p.Signals) {
		out, gone, err := s.namedCard(ctx, p)
		switch {
		case err != nil:
			done, err := asksBack(err)
			return out, done, false, err
		case !gone.IsZero():
			done, err := ask(say("unasked.gone", args{"id": speech.Ref(gone)}))
			return out, done, false, err
		}
		return out, tool.SkillDone{}, true, nil
	}
	all, err := s.toldCards(ctx, call.Now)
	if err != nil {
		return toldCard{}, tool.SkillDone{}, false, err
	}
	if !blank(p.Which) {
		all = slices.DeleteFunc(all, func(c toldCard) bool {
			return !bynames.HasAll(bynames.TellingWords(c.headline+" "+s.sendersOf(ctx, c)), bynames.TellingWords(p.Which))
		})
	} else if all, err = s.unanswered(ctx, all, call); err != nil {
		return toldCard{}, tool.SkillDone{}, false, err
	}
	switch {
	case len(all) == 0:
		done, err := tell(say("unasked.none", args{"why": speech.Kind("nothing")}))
		return toldCard{}, done, false, err
	case len(all) > 1:
		slices.Reverse(all) // in the order in which they were shown
		answers, cards := make([]tool.Answer, len(all)), make(speech.List, len(all))
		for i, c := range all {
			answers[i], cards[i] = c.answer(), say("plan.named", args{"what": c.its()})
		}
		done, err := ask(say("plan.which", args{"kind": anything, "plans": cards}), answers...)
		return toldCard{}, done, false, err
	}
	later, err := s.spokeSince(ctx, all[0].position, call)
	if err == nil && later && blank(p.Which) {
		it := all[0].answer()
		it.Says = yes().Says
		meant := speech.List{say("plan.named", args{"what": all[0].its()})}
		done, err := askAll([]speech.Message{say("plan.meant", args{"plans": meant}), say("say_yes")}, it, no())
		return toldCard{}, done, false, err
	}
	return all[0], tool.SkillDone{}, true, err
}

// unanswered are those of several cards, the latest first, that were shown together last, and the ones
// before them that the person has said nothing to either.
func (s *skills) unanswered(ctx context.Context, all []toldCard, call tool.SkillCall) ([]toldCard, error) {
	const most = 4
	for i, c := range all {
		if c.conclusion == all[0].conclusion {
			continue
		}
		spoke, err := s.spokeSince(ctx, c.position, call)
		if err != nil {
			return nil, err
		}
		if spoke || i >= most {
			return all[:i], nil
		}
	}
	return all, nil
}

// namedCard is the card that a button stands on, by the ids in its parameters; gone is the one of them that is no
// signal any more.
func (s *skills) namedCard(ctx context.Context, p noticeParams) (out toldCard, gone domain.ID, err error) {
	if !blank(p.Plan) {
		if out.plan, err = domain.ParseID(strings.TrimSpace(p.Plan)); err != nil {
			return out, gone, err
		}
	}
	for text := range strings.FieldsSeq(strings.ReplaceAll(p.Signals, ",", " ")) {
		id, err := domain.ParseID(text)
		if err != nil {
			return out, gone, err
		}
		if _, known, err := s.heardAs(ctx, id); err != nil || !known {
			return out, id, err
		}
		out.signals = append(out.signals, id)
	}
	return out, gone, nil
}

// toldCards are the findings that were told within a day, the latest first.
func (s *skills) toldCards(ctx context.Context, now domain.Millis) (out []toldCard, err error) {
	if err := s.caughtUp(ctx); err != nil {
		return nil, err
	}
	if s.cfg.Told == nil {
		return nil, nil
	}
	for _, t := range s.cfg.Told.Recent(now, domain.ToldKept) {
		if t.From != "" || t.Reply.IsZero() || t.Finding < 0 {
			continue
		}
		rec, err := s.cfg.Reader.Find(ctx, t.Reply)
		if err != nil {
			return nil, err
		}
		reply, err := domain.Decode[domain.ModelReplied](rec.Envelope)
		if domain.CodeOf(err) == domain.CodeErased || err == nil && t.Finding >= len(reply.Findings) {
			continue
		}
		if err != nil {
			return nil, err
		}
		f := reply.Findings[t.Finding]
		one := toldCard{conclusion: t.Conclusion, reply: t.Reply, position: t.Position, headline: f.Headline}
		if one.headline == "" {
			one.headline, _, _ = strings.Cut(domain.PlainText(f.Blocks), "\n")
		}
		one.headline = domain.Cut(one.headline, maxAboutBytes)
		about := domain.Subjects(f.Evidence)
		for _, e := range f.Evidence { // the strongest first
			id := e.EnvelopeID
			if !slices.Contains(about, id) || slices.Contains(one.signals, id) {
				continue
			}
			if _, signal, err := s.heardAs(ctx, id); err != nil {
				return nil, err
			} else if signal {
				one.signals = append(one.signals, id)
			} else {
				one.plan = id
			}
		}
		if len(one.signals) > 0 {
			out = append(out, one)
		}
	}
	return out, nil
}

// spokeSince reports whether the person has said something else since a card was shown, and
// not only asked for more of it.
func (s *skills) spokeSince(ctx context.Context, card domain.Position, call tool.SkillCall) (bool, error) {
	const most = 64
	later, err := s.cfg.Reader.Select(ctx, domain.Selector{Topic: domain.TopicMessages}, card+1, most)
	if err != nil {
		return false, err
	}
	for _, rec := range later {
		e := rec.Envelope
		if e.Type != domain.MessageReceivedType || e.Principal != domain.PrincipalOperator || e.Trace == call.Lineage.Trace {
			continue
		}
		steps, err := s.cfg.Reader.Select(ctx, domain.Selector{Trace: e.Trace}, rec.Position, most)
		if err != nil {
			return false, err
		}
		if !slices.ContainsFunc(steps, asksMore) {
			return true, nil
		}
	}
	return false, nil
}

// asksMore reports whether a step asks for more of a card.
func asksMore(rec domain.Record) bool {
	if rec.Envelope.Type != domain.ToolInvokedType {
		return false
	}
	call, err := domain.Decode[domain.ToolInvoked](rec.Envelope)
	return err == nil && call.InterfaceID.IsZero() && call.Tool == "more"
}

// heardAs is a signal by its id; false for what is none, or can't be read any more.
func (s *skills) heardAs(ctx context.Context, id domain.ID) (signal, bool, error) {
	rec, err := s.cfg.Reader.Find(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound || err == nil && rec.Envelope.Type != domain.SignalReceivedType {
		return signal{}, false, nil
	}
	if err != nil {
		return signal{}, false, err
	}
	return heardIn(rec)
}

// sendersOf are the senders and kinds of the signals of a card.
func (s *skills) sendersOf(ctx context.Context, c toldCard) string {
	var out strings.Builder
	for _, id := range c.signals {
		if one, ok, err := s.heardAs(ctx, id); err == nil && ok {
			fmt.Fprintf(&out, " %s %s", one.Source, one.SignalType)
		}
	}
	return out.String()
}

func (s *skills) doMore(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[noticeParams](call)
	if err != nil {
		return asksBack(err)
	}
	c, done, ok, err := s.card(ctx, call, p)
	if err != nil || !ok {
		return done, err
	}
	plan, planned, err := s.planOf(ctx, c.plan, call)
	if err != nil {
		return tool.SkillDone{}, err
	}
	out := tool.SkillDone{Said: each(speech.Item, planned)}
	for _, id := range c.signals {
		one, ok, err := s.heardAs(ctx, id)
		if err != nil {
			return tool.SkillDone{}, err
		}
		if !ok {
			continue
		}
		out.Said = append(out.Said, each(speech.Item, one.line(ctx, call))...)
		if linkTo(&out, []signal{one}); !one.isFlagged() {
			out.Said = append(out.Said, each(speech.Item, ties(one, plan, call))...)
		}
	}
	if !c.conclusion.IsZero() {
		linking(&out, "/why/"+c.conclusion.String(), say("label.word", args{"on": speech.Kind("why")}))
	}
	return out, nil
}

// linking adds a link to an answer.
func linking(done *tool.SkillDone, url string, text speech.Message) {
	done.Said = append(done.Said, speech.Said{As: speech.Link, Says: []speech.Message{text}})
	done.Result.Blocks = append(done.Result.Blocks, domain.Block{"type": "link", "url": url})
}

// planOf is a plan with what is told of it; nothing of what is none.
func (s *skills) planOf(ctx context.Context, id domain.ID, call tool.SkillCall) (relate.Text, speech.Message, error) {
	var none speech.Message
	if id.IsZero() {
		return relate.Text{}, none, nil
	}
	open, _, err := s.open(ctx, "")
	if err != nil {
		return relate.Text{}, none, err
	}
	for _, p := range dated(open, call) {
		if p.ID == id {
			return relate.Text{ID: id, Kind: relate.Kind(p.Kind), Text: p.text, Due: p.Due}, say("unasked.plan", args{"kind": speech.Kind(p.Kind), "plan": p.entry(call)}), nil
		}
	}
	e, text, err := s.read(ctx, id)
	if domain.CategoryOf(err) == domain.NotFound {
		return relate.Text{}, none, nil
	}
	if err != nil {
		return relate.Text{}, none, err
	}
	kind, said := domain.ItemReminder, args{"how": speech.Kind("over"), "what": speech.Text{Words: text, In: id}}
	switch e.Type {
	case domain.MessageReceivedType:
		kind, said["how"] = domain.ItemQuestion, speech.Kind("asked")
	case domain.ListItemAddedType:
		kind, said["how"] = domain.ItemEntry, speech.Kind("off")
		list, _ := domain.PlanOf(e)
		var one domain.Listing
		s.cfg.Plans.Read(func(p *domain.Plans) { one, _ = p.Lists.Find(list) })
		if slices.Contains(one.Items, id) {
			_, name, err := s.read(ctx, list)
			if err != nil {
				return relate.Text{}, none, err
			}
			said["how"], said["list"] = speech.Kind("on"), speech.Text{Words: name, In: list}
		}
	}
	return relate.Text{ID: id, Kind: relate.Kind(kind), Text: text}, say("unasked.subject", said), nil
}

// ties says what ties a signal to a plan; nothing where nothing does.
func ties(one signal, plan relate.Text, call tool.SkillCall) speech.Message {
	if plan.ID.IsZero() {
		return speech.Message{}
	}
	heard := relate.Text{ID: one.id, Kind: relate.Kind(domain.ItemSignal), Text: one.Content, Source: one.Source, Topic: topicOf(one), At: one.at}
	var all speech.List
	for _, e := range relate.Between(relate.Read(heard, call.Zone), relate.Read(plan, call.Zone)).SharedEvidence() {
		tie := args{"by": speech.Kind(e.Kind)}
		if e.Text != "" && e.Kind != relate.ByDay && e.Kind != relate.ByClock {
			tie["what"] = speech.Text{Words: e.Text, In: one.id}
		}
		all = append(all, say("unasked.tie", tie))
	}
	if len(all) == 0 {
		return speech.Message{}
	}
	return say("unasked.ties", args{"ties": all})
}

func (s *skills) doNotice(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
	p, err := params[noticeParams](call)
	if err != nil {
		return asksBack(err)
	}
	if call.Lineage.Principal != domain.PrincipalOperator {
		return ask(say("unasked.none", args{"why": speech.Kind("yours_alone")}))
	}
	if err := s.caughtUp(ctx); err != nil {
		return tool.SkillDone{}, err
	}
	switch strings.ToLower(strings.TrimSpace(p.Action)) {
	case "dismiss":
		return s.dismiss(ctx, call, p)
	case "silence":
		return s.silence(ctx, call, p)
	case "restore":
		return s.restore(ctx, call, p)
	}
	return ask(say("none_of_them", args{"of": speech.Kind("unasked"), "said": theirOwn(p.Action)}))
}

// dismiss keeps back what was heard of a plan.
func (s *skills) dismiss(ctx context.Context, call tool.SkillCall, p noticeParams) (tool.SkillDone, error) {
	c, done, ok, err := s.card(ctx, call, p)
	if err != nil || !ok {
		return done, err
	}
	through, known := s.unwanted(func(u *domain.Unwanted) bool {
		return !slices.ContainsFunc(c.signals, func(id domain.ID) bool { _, ok := u.Dismissal(id, c.plan); return !ok })
	})
	about := args{}
	if !c.plan.IsZero() {
		_, text, err := s.read(ctx, c.plan)
		if err != nil && domain.CategoryOf(err) != domain.NotFound {
			return tool.SkillDone{}, err
		}
		about["what"] = speech.Text{Words: domain.Cut(text, maxAboutBytes), In: c.plan}
	}
	if known {
		return tell(say("unasked.none", args{"why": speech.Kind("kept_already")}))
	}
	e, err := entry(s, call, domain.NoticeDismissed{PlanID: c.plan, Signals: c.signals}, domain.NoticeDismissed{}.Keys())
	if err != nil {
		return tool.SkillDone{}, err
	}
	done, err = confirm(say("unasked.kept", about), nil, e)
	done.Conditions = append(done.Conditions, domain.Condition{Key: domain.UnwantedKey, After: through})
	return done, err
}

// silence keeps back a kind of signals of a sender.
func (s *skills) silence(ctx context.Context, call tool.SkillCall, p noticeParams) (tool.SkillDone, error) {
	one, done, ok, err := s.silenced(ctx, call, p)
	if err != nil || !ok {
		return done, err
	}
	through, known := s.unwanted(func(u *domain.Unwanted) bool { _, ok := u.Silence(one.Source, one.SignalType); return ok })
	if known {
		return tell(say("unasked.silent_already", args{"of": one.saysOf()}))
	}
	of := domain.NoticeSilenced{SignalType: one.SignalType, Source: one.Source, SignalID: one.id}
	e, err := entry(s, call, of, of.Keys())
	if err != nil {
		return tool.SkillDone{}, err
	}
	done, err = confirm(say("unasked.silent", one.who(), args{"of": one.saysOf()}), nil, e)
	linking(&done, "/system/settings#silenced", say("label.word", args{"on": speech.Kind("silenced")}))
	done.Conditions = append(done.Conditions, domain.Condition{Key: domain.UnwantedKey, After: through})
	return done, err
}

// silenced is the signal whose like isn't to be told: that of the card, or the latest from a
// sender of that name.
func (s *skills) silenced(ctx context.Context, call tool.SkillCall, p noticeParams) (signal, tool.SkillDone, bool, error) {
	if blank(p.Signals) && !blank(p.Which) {
		cards, err := s.toldCards(ctx, call.Now)
		if err != nil {
			return signal{}, tool.SkillDone{}, false, err
		}
		said := bynames.TellingWords(p.Which)
		for _, c := range cards {
			for _, id := range c.signals {
				if one, ok, err := s.heardAs(ctx, id); err != nil || ok && bynames.HasAll(one.naming(), said) {
					return one, tool.SkillDone{}, err == nil, err
				}
			}
		}
		heard, err := s.signals(ctx)
		if err != nil {
			return signal{}, tool.SkillDone{}, false, err
		}
		for _, one := range slices.Backward(heard) {
			if bynames.HasAll(one.naming(), said) {
				return one, tool.SkillDone{}, true, nil
			}
		}
		done, err := tell(say("heard.nothing", args{"about": p.shortWhich()}))
		return signal{}, done, false, err
	}
	c, done, ok, err := s.card(ctx, call, p)
	if err != nil || !ok {
		return signal{}, done, false, err
	}
	one, ok, err := s.heardAs(ctx, c.signals[0])
	if err == nil && !ok {
		done, err = tell(say("unasked.none", args{"why": speech.Kind("unreadable")}))
	}
	return one, done, ok, err
}

// restore lets through again what was kept back.
func (s *skills) restore(ctx context.Context, call tool.SkillCall, p noticeParams) (tool.SkillDone, error) {
	all, through, err := s.silences(ctx)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if blank(p.Which) {
		if one, done, ok, err := s.lastDismissed(call, all, through); err != nil || ok {
			return done, err
		} else if one {
			return tell(say("unasked.none", args{"why": speech.Kind("none_kept")}))
		}
	}
	if said := bynames.TellingWords(p.Which); len(said) > 0 {
		all = slices.DeleteFunc(all, func(one silence) bool { return !bynames.HasAll(one.naming(), said) })
	}
	switch {
	case len(all) == 0:
		return tell(say("unasked.not_kept", args{"which": p.shortWhich()}))
	case len(all) > 1 && blank(p.Which):
		answers, ones := make([]tool.Answer, len(all)), make(speech.List, len(all))
		for i, one := range all {
			ones[i] = one.saysOf()
			answers[i] = tool.Answer{Says: one.saysOf(), With: map[string]any{"which": one.Source + " " + one.SignalType}}
		}
		return ask(say("unasked.which_again", args{"ones": ones}), answers...)
	}
	var entries []domain.Entry
	var ones speech.List
	for _, one := range all {
		e, err := entry(s, call, domain.NoticeRestored{OfID: one.of}, domain.NoticeRestored{}.Keys())
		if err != nil {
			return tool.SkillDone{}, err
		}
		entries, ones = append(entries, e), append(ones, one.saysOf())
	}
	done, err := confirm(say("unasked.again", args{"ones": ones}), nil, entries...)
	done.Conditions = append(done.Conditions, domain.Condition{Key: domain.UnwantedKey, After: through})
	return done, err
}

// lastDismissed lets through again what was dismissed last, when that came after everything that
// was silenced; none when there is neither.
func (s *skills) lastDismissed(call tool.SkillCall, silenced []silence, through domain.Position) (none bool, done tool.SkillDone, ok bool, err error) {
	var last domain.Dismissal
	s.cfg.Unwanted.Read(func(u *domain.Unwanted) {
		if n := len(u.Dismissed); n > 0 && (len(silenced) == 0 || u.Dismissed[n-1].Pos > u.Silenced[len(u.Silenced)-1].Pos) {
			last = u.Dismissed[n-1]
		}
	})
	if last.ID.IsZero() {
		return len(silenced) == 0, tool.SkillDone{}, false, nil
	}
	restored := domain.NoticeRestored{OfID: last.ID}
	e, err := entry(s, call, restored, restored.Keys())
	if err != nil {
		return false, tool.SkillDone{}, false, err
	}
	done, err = confirm(say("unasked.none", args{"why": speech.Kind("that_again")}), nil, e)
	done.Conditions = append(done.Conditions, domain.Condition{Key: domain.UnwantedKey, After: through})
	return false, done, true, err
}

// unwanted asks the fold of what the person doesn't want to be told, with its position.
func (s *skills) unwanted(ask func(*domain.Unwanted) bool) (through domain.Position, known bool) {
	s.cfg.Unwanted.Read(func(u *domain.Unwanted) { through, known = u.Through, ask(u) })
	return through, known
}

// silence is one kind of signals of a sender that isn't told of.
type silence struct {
	signal
	of domain.ID // the notice.silenced
}

// silences are all of them, oldest first. One that was erased keeps nothing back.
func (s *skills) silences(ctx context.Context) (out []silence, through domain.Position, err error) {
	if err := s.caughtUp(ctx); err != nil {
		return nil, 0, err
	}
	var all []domain.Silence
	s.cfg.Unwanted.Read(func(u *domain.Unwanted) { all, through = slices.Clone(u.Silenced), u.Through })
	for _, one := range all {
		rec, err := s.cfg.Reader.Find(ctx, one.ID)
		if err != nil {
			return nil, 0, err
		}
		of, err := domain.Decode[domain.NoticeSilenced](rec.Envelope)
		if domain.CodeOf(err) == domain.CodeErased {
			continue
		}
		if err != nil {
			return nil, 0, err
		}
		out = append(out, silence{signal{SignalReceived: domain.SignalReceived{Source: of.Source, SignalType: of.SignalType}, id: of.SignalID}, one.ID})
	}
	return out, through, nil
}

// isFlagged reports whether a signal tries something with whoever reads it.
func (one signal) isFlagged() bool { return len(one.Marks.Warnings()) > 0 }

// naming are the words of its sender and kind.
func (one signal) naming() []string {
	return bynames.TellingWords(one.Source + " " + strings.ReplaceAll(one.SignalType, "_", " "))
}

// sender and kind name a signal without its words, and without a name that tries something
// itself.
func (one signal) sender() string { return cmp.Or(one.source(), "a program") }

// source is the name of its sender; "" of one that can't be repeated.
func (one signal) source() string {
	if len(guard.Threats(one.Source)) > 0 {
		return ""
	}
	return onOneLine(one.Source, maxAboutBytes)
}

// who is its sender in a message.
func (one signal) who() args {
	if source := one.source(); source != "" {
		return args{"sender": one.text(source)}
	}
	return args{"unnamed": speech.Kind("program")}
}

// saysOf is its kind and its sender.
func (one signal) saysOf() speech.Message {
	return say("signal.named", one.who(), args{"signal": one.text(one.kind())})
}

func (one signal) kind() string {
	kind := onOneLine(strings.ReplaceAll(one.SignalType, "_", " "), maxAboutBytes)
	if kind == "" || len(guard.Threats(kind)) > 0 {
		return "signal"
	}
	return kind
}

// line is it in one line, which may then be quoted.
func (one signal) line(ctx context.Context, call tool.SkillCall) speech.Message {
	at := args{"at": moment(one.at, call)}
	if one.isFlagged() {
		return say("signal.withheld", at, one.who(), args{"signal": one.text(one.kind())})
	}
	one.quote(ctx, one.Content)
	return say("signal.entry", at, one.said())
}

// tellAgain lets through again what was kept back.
func tellAgain(_ context.Context, u *undoing, rec domain.Record) {
	_, there := u.unwanted(func(w *domain.Unwanted) bool {
		return slices.ContainsFunc(w.Dismissed, func(d domain.Dismissal) bool { return d.ID == rec.Envelope.ID }) ||
			slices.ContainsFunc(w.Silenced, func(s domain.Silence) bool { return s.ID == rec.Envelope.ID })
	})
	if !there {
		u.keptBack(false, rec.Envelope, "already")
		return
	}
	u.does(domain.UnwantedKey, domain.NoticeRestored{OfID: rec.Envelope.ID})
	u.keptBack(true, rec.Envelope, "again")
}

// keepBack keeps back again what was let through.
func keepBack(ctx context.Context, u *undoing, rec domain.Record) {
	restored, ok := decoded[domain.NoticeRestored](u, rec.Envelope)
	if !ok {
		return
	}
	was, err := u.cfg.Reader.Find(ctx, restored.OfID)
	u.fails(err)
	var again commands.Keyed
	if was.Envelope.Type == domain.NoticeSilencedType {
		again, ok = decoded[domain.NoticeSilenced](u, was.Envelope)
	} else {
		again, ok = decoded[domain.NoticeDismissed](u, was.Envelope)
	}
	if ok {
		u.does(domain.UnwantedKey, again)
		u.keptBack(true, was.Envelope, "no_more")
	}
}

// keptBack says of what was kept back whether it is told.
func (u *undoing) keptBack(back bool, e domain.Envelope, is speech.Kind) {
	of, err := domain.Decode[domain.NoticeSilenced](e)
	if e.Type != domain.NoticeSilencedType || err != nil {
		u.comes(back, "undone.unwanted", how(is))
		return
	}
	one := signal{SignalReceived: domain.SignalReceived{Source: of.Source, SignalType: of.SignalType}}
	named := args{"signal": theirOwn(one.kind())}
	if source := one.source(); source != "" {
		named["sender"] = theirOwn(source)
	}
	u.comes(back, "undone.telling", named, how(is))
}
