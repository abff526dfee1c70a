package skill

import (
	"cmp"
	"context"
	"errors"
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
	return skill{do: s.doUnasked("more"), tool: domain.Tool{
		Name:          "more",
		Description:   "Tell more of what Chalie told unasked: what it heard, the plan, and what ties them.",
		Documentation: "Without parameters it is about what was told last.",
		Parameters:    ofCard(),
	}}
}

// notice keeps back what the person doesn't want to be told unasked, or lets it through again.
func (s *skills) notice() tool.Skill {
	return skill{effects: true, do: s.doUnasked(""), tool: domain.Tool{
		Name:        "notice",
		Description: "Keep back what the person doesn't want to be told unasked: one piece of news about a plan, or one kind of signals from one sender; or let that through again.",
		Documentation: "action is dismiss (not this: what was heard isn't told of that plan again), silence (nothing of this kind from this sender) or restore (tell it again). " +
			"Signals are heard all the same, and answers go on resting on them. restore takes words of the sender in which.",
		Parameters: append([]domain.Parameter{{Name: "action", Type: domain.TypeString, Required: true, Description: "dismiss, silence or restore."}}, ofCard()...),
	}}
}

// unasked is what is asked of what was told unasked: what is meant is found, or asked for, and what happens to it is told.
type unasked struct {
	doing
	domain.Unwanted

	Action, Plan, Signals, Which string
}

// doUnasked does what is asked; the action is that of the parameters where none is given.
func (s *skills) doUnasked(action string) func(context.Context, tool.SkillCall) (tool.SkillDone, error) {
	return func(ctx context.Context, call tool.SkillCall) (tool.SkillDone, error) {
		p, err := params[struct{ Action, Plan, Signals, Which string }](call)
		if err != nil {
			return asksBack(err)
		}
		action := cmp.Or(action, strings.ToLower(strings.TrimSpace(p.Action)))
		if action != "more" && call.Lineage.Principal != domain.PrincipalOperator {
			return ask(say("unasked.none", args{"why": speech.Kind("yours_alone")}))
		}
		if err := s.caughtUp(ctx); err != nil {
			return tool.SkillDone{}, err
		}
		u := unasked{doing: doing{skills: s, call: call}, Unwanted: s.unwanted(), Action: p.Action, Plan: p.Plan}
		u.at, u.Signals, u.Which = u.Through, strings.ReplaceAll(p.Signals, ",", " "), strings.TrimSpace(p.Which)
		done, err := u.act(ctx, action)
		if in, ok := errors.AsType[instead](err); ok {
			return in.done, nil
		}
		return done, err
	}
}

func (u *unasked) act(ctx context.Context, action string) (tool.SkillDone, error) {
	switch action {
	case "more":
		return u.tellMore(ctx)
	case "dismiss":
		return u.dismiss(ctx)
	case "silence":
		return u.silence(ctx)
	case "restore":
		return u.restore(ctx)
	}
	return ask(say("none_of_them", args{"of": speech.Kind("unasked"), "said": theirOwn(u.Action)}))
}

// instead is an answer that is given where it isn't clear what is meant.
type instead struct {
	error
	done tool.SkillDone
}

func inPlace(done tool.SkillDone, err error) error {
	if err != nil {
		return err
	}
	return instead{done: done}
}

// which are the words that tell which is meant, as they are said back.
func (u *unasked) which() speech.Text { return theirOwn(domain.Cut(u.Which, maxAboutBytes)) }

// unwanted is what the person doesn't want to be told, which is kept: its fold makes its parts anew.
func (s *skills) unwanted() (out domain.Unwanted) {
	s.cfg.Unwanted.Read(func(u *domain.Unwanted) { out = *u })
	return out
}

// toldCard is a finding that was told.
type toldCard struct {
	conclusion domain.ID
	position   domain.Position
	headline   speech.Text // which may have others' words
	plan       domain.ID   // none of a finding that is about no plan
	signals    []signal
}

func (c toldCard) ids() []domain.ID {
	ids := make([]domain.ID, len(c.signals))
	for i, one := range c.signals {
		ids[i] = one.id
	}
	return ids
}

// answer is that it is this one that is meant.
func (c toldCard) answer() tool.Answer {
	var plan string
	if !c.plan.IsZero() {
		plan = c.plan.String()
	}
	signals := strings.Trim(fmt.Sprint(c.ids()), "[]")
	return tool.Answer{Says: say("label.plan", args{"what": c.headline}), With: map[string]any{"plan": plan, "signals": signals, "which": nil}}
}

// card is the card that is meant; the error is the question, or the answer, where that isn't clear.
func (u *unasked) card(ctx context.Context) (toldCard, error) {
	if !blank(u.Signals) {
		return u.namedCard(ctx)
	}
	all, err := u.toldCards(ctx)
	switch {
	case err != nil:
	case u.Which == "":
		all, err = u.unanswered(ctx, all)
	default:
		all = slices.DeleteFunc(all, func(c toldCard) bool { return !bynames.HasAll(c.naming(), bynames.TellingWords(u.Which)) })
	}
	switch {
	case err != nil:
		return toldCard{}, err
	case len(all) == 0:
		return toldCard{}, inPlace(tell(say("unasked.none", args{"why": speech.Kind("nothing")})))
	case len(all) > 1:
		slices.Reverse(all) // in the order in which they were shown
		answers, cards := make([]tool.Answer, len(all)), make(speech.List, len(all))
		for i, c := range all {
			answers[i], cards[i] = c.answer(), say("plan.named", args{"what": c.headline})
		}
		return toldCard{}, inPlace(ask(say("plan.which", args{"kind": anything, "plans": cards}), answers...))
	}
	later, err := u.spokeSince(ctx, all[0].position)
	if err == nil && later && u.Which == "" {
		it := all[0].answer()
		it.Says = yes().Says
		meant := speech.List{say("plan.named", args{"what": all[0].headline})}
		err = inPlace(askAll([]speech.Message{say("plan.meant", args{"plans": meant}), say("say_yes")}, it, no()))
	}
	return all[0], err
}

// naming are the words by which a card is named: its own, and those of its senders.
func (c toldCard) naming() []string {
	words := []string{c.headline.Words}
	for _, one := range c.signals {
		words = append(words, one.Source, one.SignalType)
	}
	return bynames.TellingWords(strings.Join(words, " "))
}

// unanswered are those of several cards, the latest first, that were shown together last, and the ones
// before them that the person has said nothing to either.
func (u *unasked) unanswered(ctx context.Context, all []toldCard) ([]toldCard, error) {
	const most = 4
	for i, c := range all {
		if c.conclusion == all[0].conclusion {
			continue
		}
		if spoke, err := u.spokeSince(ctx, c.position); err != nil || spoke || i >= most {
			return all[:i], err
		}
	}
	return all, nil
}

// namedCard is the card that a button stands on, by the ids in its parameters.
func (u *unasked) namedCard(ctx context.Context) (out toldCard, err error) {
	if !blank(u.Plan) {
		if out.plan, err = domain.ParseID(strings.TrimSpace(u.Plan)); err != nil {
			return out, inPlace(asksBack(err))
		}
	}
	for text := range strings.FieldsSeq(u.Signals) {
		id, err := domain.ParseID(text)
		if err != nil {
			return out, inPlace(asksBack(err))
		}
		one, known, err := u.heardAs(ctx, id)
		switch {
		case err != nil:
			return out, err
		case !known:
			return out, inPlace(ask(say("unasked.gone", args{"id": speech.Ref(id)})))
		}
		out.signals = append(out.signals, one)
	}
	return out, nil
}

// toldCards are the findings that were told within a day, the latest first.
func (u *unasked) toldCards(ctx context.Context) (out []toldCard, err error) {
	if u.cfg.Told == nil {
		return nil, nil
	}
	for _, t := range u.cfg.Told.Recent(u.call.Now, domain.ToldKept) {
		if t.From != "" || t.Reply.IsZero() || t.Finding < 0 {
			continue
		}
		reply, there, err := decodedAt[domain.ModelReplied](ctx, u.skills, t.Reply)
		if there && t.Finding < len(reply.Findings) {
			var one toldCard
			if one, err = u.found(ctx, t, reply.Findings[t.Finding]); len(one.signals) > 0 {
				out = append(out, one)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// found is the card of a finding.
func (u *unasked) found(ctx context.Context, t domain.PastNotice, f domain.Finding) (toldCard, error) {
	headline := f.Headline
	if headline == "" {
		headline, _, _ = strings.Cut(domain.PlainText(f.Blocks), "\n")
	}
	out := toldCard{conclusion: t.Conclusion, position: t.Position}
	out.headline = speech.Text{Words: domain.Cut(headline, maxAboutBytes), In: t.Reply}
	about := domain.Subjects(f.Evidence)
	for _, e := range f.Evidence { // the strongest first
		id := e.EnvelopeID
		if !slices.Contains(about, id) || slices.Contains(out.ids(), id) {
			continue
		}
		one, heard, err := u.heardAs(ctx, id)
		switch {
		case err != nil:
			return out, err
		case heard:
			out.signals = append(out.signals, one)
		default:
			out.plan = id
		}
	}
	return out, nil
}

// spokeSince reports whether the person has said something else since a card was shown, and
// not only asked for more of it.
func (u *unasked) spokeSince(ctx context.Context, card domain.Position) (bool, error) {
	const most = 64
	later, err := u.cfg.Reader.Select(ctx, domain.Selector{Topic: domain.TopicMessages}, card+1, most)
	if err != nil {
		return false, err
	}
	for _, rec := range later {
		e := rec.Envelope
		if e.Type != domain.MessageReceivedType || e.Principal != domain.PrincipalOperator || e.Trace == u.call.Lineage.Trace {
			continue
		}
		steps, err := u.cfg.Reader.Select(ctx, domain.Selector{Trace: e.Trace}, rec.Position, most)
		if err != nil || !slices.ContainsFunc(steps, asksMore) {
			return err == nil, err
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

// tellMore tells what a card rests on.
func (u *unasked) tellMore(ctx context.Context) (tool.SkillDone, error) {
	c, err := u.card(ctx)
	if err != nil {
		return tool.SkillDone{}, err
	}
	plan, planned, err := u.planOf(ctx, c.plan)
	out := tool.SkillDone{Said: each(speech.Item, planned)}
	for _, one := range c.signals {
		out.Said = append(out.Said, each(speech.Item, one.line(ctx, u.call))...)
		if linkTo(&out, []signal{one}); !one.isFlagged() {
			out.Said = append(out.Said, each(speech.Item, ties(one, plan, u.call))...)
		}
	}
	if !c.conclusion.IsZero() {
		linking(&out, "/why/"+c.conclusion.String(), say("label.word", args{"on": speech.Kind("why")}))
	}
	return out, err
}

// linking adds a link to an answer.
func linking(done *tool.SkillDone, url string, text speech.Message) {
	done.Said = append(done.Said, speech.Said{As: speech.Link, Says: []speech.Message{text}})
	done.Result.Blocks = append(done.Result.Blocks, domain.Block{"type": "link", "url": url})
}

// planOf is a plan, or what else is told about, with what is told of it; nothing of what is none.
func (u *unasked) planOf(ctx context.Context, id domain.ID) (out relate.Text, says speech.Message, err error) {
	if id.IsZero() {
		return out, says, nil
	}
	open, _, err := u.open(ctx, "")
	if err != nil {
		return out, says, err
	}
	for _, p := range dated(open, u.call) {
		if p.ID == id {
			says = say("unasked.plan", args{"kind": speech.Kind(p.Kind), "plan": p.entry(u.call)})
			return relate.Text{ID: id, Kind: relate.Kind(p.Kind), Text: p.text, Due: p.Due}, says, nil
		}
	}
	e, text, err := u.read(ctx, id)
	if err != nil {
		if domain.CategoryOf(err) == domain.NotFound {
			err = nil
		}
		return out, says, err
	}
	kind, is, list := domain.ItemReminder, how("over"), args{}
	switch e.Type {
	case domain.MessageReceivedType:
		kind, is = domain.ItemQuestion, how("asked")
	case domain.ListItemAddedType:
		kind, is = domain.ItemEntry, how("off")
		on, _ := domain.PlanOf(e)
		var one domain.Listing
		u.cfg.Plans.Read(func(p *domain.Plans) { one, _ = p.Lists.Find(on) })
		if slices.Contains(one.Items, id) {
			is, list["list"] = how("on"), u.its(ctx, on)
		}
	}
	says = say("unasked.subject", is, list, args{"what": speech.Text{Words: text, In: id}})
	return relate.Text{ID: id, Kind: relate.Kind(kind), Text: text}, says, u.err
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

// dismiss keeps back what was heard of a plan.
func (u *unasked) dismiss(ctx context.Context) (tool.SkillDone, error) {
	c, err := u.card(ctx)
	if err != nil {
		return tool.SkillDone{}, err
	}
	ids, about := c.ids(), args{}
	if !slices.ContainsFunc(ids, func(id domain.ID) bool { _, ok := u.Dismissal(id, c.plan); return !ok }) {
		return tell(say("unasked.none", args{"why": speech.Kind("kept_already")}))
	}
	if !c.plan.IsZero() {
		_, text, err := u.read(ctx, c.plan)
		if err != nil && domain.CategoryOf(err) != domain.NotFound {
			return tool.SkillDone{}, err
		}
		about["what"] = speech.Text{Words: domain.Cut(text, maxAboutBytes), In: c.plan}
	}
	u.does(domain.UnwantedKey, domain.NoticeDismissed{PlanID: c.plan, Signals: ids})
	return u.did(say("unasked.kept", about), nil)
}

// silence keeps back a kind of signals of a sender.
func (u *unasked) silence(ctx context.Context) (tool.SkillDone, error) {
	one, err := u.sent(ctx)
	if err != nil {
		return tool.SkillDone{}, err
	}
	of := args{"of": one.saysOf()}
	if _, known := u.Silence(one.Source, one.SignalType); known {
		return tell(say("unasked.silent_already", of))
	}
	u.does(domain.UnwantedKey, domain.NoticeSilenced{SignalType: one.SignalType, Source: one.Source, SignalID: one.id})
	done, err := u.did(say("unasked.silent", one.who(), of), nil)
	linking(&done, "/system/settings#silenced", say("label.word", args{"on": speech.Kind("silenced")}))
	return done, err
}

// sent is the signal whose like isn't to be told: that of the card, or the latest from a sender of that name.
func (u *unasked) sent(ctx context.Context) (signal, error) {
	if !blank(u.Signals) || u.Which == "" {
		c, err := u.card(ctx)
		if err != nil {
			return signal{}, err
		}
		return c.signals[0], nil
	}
	cards, err := u.toldCards(ctx)
	if err != nil {
		return signal{}, err
	}
	named := func(one signal) bool { return bynames.HasAll(one.naming(), bynames.TellingWords(u.Which)) }
	for _, c := range cards {
		if i := slices.IndexFunc(c.signals, named); i >= 0 {
			return c.signals[i], nil
		}
	}
	heard, err := u.signals(ctx)
	slices.Reverse(heard)
	switch i := slices.IndexFunc(heard, named); {
	case err != nil:
		return signal{}, err
	case i >= 0:
		return heard[i], nil
	}
	return signal{}, inPlace(tell(say("heard.nothing", args{"about": u.which()})))
}

// restore lets through again what was kept back: what was last, where that isn't named and was dismissed.
func (u *unasked) restore(ctx context.Context) (tool.SkillDone, error) {
	all, err := u.silences(ctx)
	if err != nil {
		return tool.SkillDone{}, err
	}
	if n := len(u.Dismissed); u.Which == "" && n > 0 && (len(all) == 0 || u.Dismissed[n-1].Pos > u.Silenced[len(u.Silenced)-1].Pos) {
		u.does(domain.UnwantedKey, domain.NoticeRestored{OfID: u.Dismissed[n-1].ID})
		return u.did(say("unasked.none", args{"why": speech.Kind("that_again")}), nil)
	}
	said := bynames.TellingWords(u.Which)
	all = slices.DeleteFunc(all, func(one silence) bool { return !bynames.HasAll(one.naming(), said) })
	answers, ones := make([]tool.Answer, len(all)), make(speech.List, len(all))
	for i, one := range all {
		ones[i] = one.saysOf()
		answers[i] = tool.Answer{Says: one.saysOf(), With: map[string]any{"which": one.Source + " " + one.SignalType}}
	}
	switch {
	case len(all) == 0 && u.Which == "":
		return tell(say("unasked.none", args{"why": speech.Kind("none_kept")}))
	case len(all) == 0:
		return tell(say("unasked.not_kept", args{"which": u.which()}))
	case len(all) > 1 && u.Which == "":
		return ask(say("unasked.which_again", args{"ones": ones}), answers...)
	}
	for _, one := range all {
		u.does(domain.UnwantedKey, domain.NoticeRestored{OfID: one.of})
	}
	return u.did(say("unasked.again", args{"ones": ones}), nil)
}

// silence is one kind of signals of a sender that isn't told of.
type silence struct {
	signal
	of domain.ID // the notice.silenced
}

// silences are all of them, oldest first. One that was erased keeps nothing back.
func (u *unasked) silences(ctx context.Context) (out []silence, err error) {
	for _, one := range u.Silenced {
		of, there, err := decodedAt[domain.NoticeSilenced](ctx, u.skills, one.ID)
		if err != nil {
			return nil, err
		}
		if there {
			sent := domain.SignalReceived{Source: of.Source, SignalType: of.SignalType}
			out = append(out, silence{signal{SignalReceived: sent, id: of.SignalID}, one.ID})
		}
	}
	return out, nil
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
	of, kept := rec.Envelope.ID, u.unwanted()
	there := slices.ContainsFunc(kept.Dismissed, func(d domain.Dismissal) bool { return d.ID == of }) ||
		slices.ContainsFunc(kept.Silenced, func(s domain.Silence) bool { return s.ID == of })
	if !there {
		u.keptBack(false, rec.Envelope, "already")
		return
	}
	u.does(domain.UnwantedKey, domain.NoticeRestored{OfID: of})
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
