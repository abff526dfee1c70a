package tool_test

import (
	"strings"
	"testing"
	"time"

	"chalie/commands"
	"chalie/commands/commandstest"
	"chalie/commands/reasoning"
	"chalie/commands/tool"
	"chalie/domain"
)

func TestPlainYesAndNo(t *testing.T) {
	for text, want := range map[string]domain.EventType{
		"yes": "approval.granted", "Yes, please!": "approval.granted", " OK. ": "approval.granted", "go ahead": "approval.granted",
		"yes, do it": "approval.granted", "sure, go ahead": "approval.granted", "ok do it": "approval.granted", "Yes please": "approval.granted",
		"no thanks": "approval.refused", "no, don't": "approval.refused", "yes no": "", "no, go ahead": "", "ok go ahead ok go ahead ok go ahead": "", "👍": "approval.granted",
		"no": "approval.refused", "No, thanks": "approval.refused", "don’t": "approval.refused", "No, don't do it.": "approval.refused",
		"yes, but only tomorrow": "", "no idea": "", "what is it?": "", "": "", "yesterday": "", "ok so what about lunch": "", "not now": "",
	} {
		c := commandstest.NewCounter(t)
		p := c.ProposeBy(commandstest.Ada, domain.ChannelChat)
		handled, said := c.Ask(c.Says(text, "null"), text)
		if handled != (want != "") {
			t.Errorf("%q is answered with %q", text, said)
		}
		records := c.Records(domain.TopicTools)
		if want == "" {
			c.Happened(commandstest.Waiting...)
			continue
		}
		if records[3].Envelope.Type != want || !strings.Contains(said, "cancel of hospital") {
			t.Errorf("%q leads to %s, and is answered with %q", text, records[3].Envelope.Type, said)
		}
		if want == "approval.granted" {
			if got := commandstest.Decoded[domain.ApprovalGranted](t, records[3]); got.Correlator != domain.ByPlainText || got.MessageID.IsZero() || got.InvocationID != p.InvocationID {
				t.Errorf("granted %+v", got)
			}
		}
	}
}

// With nothing pending a yes is a yes to something else; with two it is answered by a question.
func TestYesToWhat(t *testing.T) {
	c := commandstest.NewCounter(t)
	if handled, said := c.Ask(c.Says("yes", "null"), "yes"); handled {
		t.Errorf("answered with %q", said)
	}
	c.ProposeBy(commandstest.Ada, domain.ChannelChat)
	c.Clock.Advance(time.Second)
	second := c.ProposeBy(commandstest.Ada, domain.ChannelChat)
	msg := c.Says("yes", "null")
	out, err := c.Desk.Ask(t.Context(), commandstest.Ada, msg, "yes")
	said := domain.PlainText(out.Blocks)
	if err != nil || !out.Handled || !strings.Contains(said, "Which one?") || strings.Count(said, "cancel of hospital") != 2 || len(out.Evidence) != 2 {
		t.Errorf("answered with %+v, %v", out, err)
	}
	c.Happened(append(commandstest.Waiting, commandstest.Waiting...)...)

	// One is decided meanwhile: the message meant neither, and says so again.
	if _, err := c.Desk.Decide(t.Context(), commandstest.Ada, second.Token, commandstest.No); err != nil {
		t.Fatal(err)
	}
	if handled, again := c.Ask(msg, "yes"); !handled || again != said {
		t.Errorf("answered with %q, then %q", said, again)
	}
	if n := len(c.Pending()); n != 1 {
		t.Errorf("%d are pending", n)
	}
	// The next yes came behind another, whose answer tells what was meant.
	next := c.Says("yes", "null")
	if _, said := c.Ask(next, "yes"); !strings.HasPrefix(said, "Do you mean this?") {
		t.Errorf("answered with %q", said)
	}
	c.Answers(next, "yes")
	if _, said := c.Ask(c.Says("yes", "null"), "yes"); !strings.HasPrefix(said, "Approved:") {
		t.Errorf("answered with %q", said)
	}
}

// A plain yes answers what was asked last in the conversation, when nothing was shown
// or said since, and never what somebody else wants done.
func TestYesToWhatWasJustAsked(t *testing.T) {
	weather := domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification,
		Blocks: []domain.Block{domain.TextBlock("Shall I tell you the weather every morning? Just say yes.", domain.FormatPlain)}}
	none := domain.TraceID{}
	for name, c := range map[string]struct {
		who     commands.Caller
		channel string
		since   func(*commandstest.Counter)
		want    string
	}{
		"asked in the conversation": {commandstest.Ada, domain.ChannelChat, nil, "Approved: "},
		"held, which nobody saw": {commandstest.Ada, domain.ChannelChat, func(d *commandstest.Counter) {
			d.Concludes(none, domain.ReasoningConcluded{Outcome: domain.OutcomeHeld})
		}, "Approved: "},
		"thought about, which says nothing": {commandstest.Ada, domain.ChannelChat, func(d *commandstest.Counter) {
			commandstest.Happens(d, none, domain.ReasoningStarted{})
		}, "Approved: "},
		"worked at unasked": {commandstest.Ada, domain.ChannelChat, func(d *commandstest.Counter) {
			commandstest.Happens(d, none, domain.ModelReplied{ToolCalls: []domain.ToolCall{{Tool: "look"}}}, domain.ActsKey(1), domain.UnaskedKey)
		}, "Approved: "},
		"a program's":                        {commandstest.Station, "", nil, "This waits for your approval, and it was asked for by program station"},
		"a program's, and then its question": {commandstest.Station, "", func(d *commandstest.Counter) { d.Concludes(none, weather) }, "This waits for your approval, and it was asked for by program station"},
		"asked elsewhere":                    {commandstest.Ada, "api", nil, "This waits for your approval, and it was asked for by you outside of this conversation"},
		"something was told since":           {commandstest.Ada, domain.ChannelChat, func(d *commandstest.Counter) { d.Concludes(none, weather) }, "Do you mean this?"},
		"an escalation was shown since": {commandstest.Ada, domain.ChannelChat, func(d *commandstest.Counter) {
			d.Concludes(none, domain.ReasoningConcluded{Shown: domain.ShownEscalation})
		}, "Do you mean this?"},
		"something was answered since": {commandstest.Ada, domain.ChannelChat, func(d *commandstest.Counter) {
			d.Concludes(none, domain.ReasoningConcluded{Shown: domain.ShownMessage})
		}, "Do you mean this?"},
		"something failed since": {commandstest.Ada, domain.ChannelChat, func(d *commandstest.Counter) {
			d.Concludes(none, domain.ReasoningConcluded{Outcome: domain.OutcomeFailed})
		}, "Do you mean this?"},
		"another answer goes on": {commandstest.Ada, domain.ChannelChat, func(d *commandstest.Counter) {
			commandstest.Happens(d, none, domain.ModelReplied{ToolCalls: []domain.ToolCall{{Tool: "look"}}}, domain.ActsKey(2))
		}, "Do you mean this?"},
		"a card was shown since": {commandstest.Ada, domain.ChannelChat, func(d *commandstest.Counter) {
			commandstest.Happens(d, none, domain.ToolCompleted{}, domain.CardKey)
		}, "Do you mean this?"},
		"something was said since":   {commandstest.Ada, domain.ChannelChat, func(d *commandstest.Counter) { d.Says("and the weather?", "null") }, "Do you mean this?"},
		"a button was pressed since": {commandstest.Ada, domain.ChannelChat, func(d *commandstest.Counter) { commandstest.Happens(d, none, domain.ActionReceived{Skill: "look"}) }, "Do you mean this?"},
		"something was added since":  {commandstest.Ada, domain.ChannelChat, func(d *commandstest.Counter) { commandstest.Happens(d, none, domain.SteerReceived{Text: "in Gozo"}) }, "Do you mean this?"},
		"another proposal came and went": {commandstest.Ada, domain.ChannelChat, func(d *commandstest.Counter) {
			p := d.ProposeBy(commandstest.Station, "")
			if _, err := d.Desk.Decide(d.T.Context(), commandstest.Ada, p.Token, commandstest.No); err != nil {
				d.T.Fatal(err)
			}
		}, "Do you mean this?"},
		"very much happened": {commandstest.Ada, domain.ChannelChat, func(d *commandstest.Counter) {
			for range 1024 {
				commandstest.Happens(d, none, domain.ReasoningStarted{}, domain.UnaskedKey)
			}
		}, "Do you mean this?"},
	} {
		for _, answer := range []string{"yes", "no"} {
			t.Run(name+", "+answer, func(t *testing.T) {
				d := commandstest.NewCounter(t)
				d.ProposeBy(c.who, c.channel)
				if c.since != nil {
					c.since(d)
				}
				msg := d.Says(answer, "null")
				_, said := d.Ask(msg, answer)
				want := c.want
				if answer == "no" && want == "Approved: " {
					want = "Refused, "
				}
				if !strings.HasPrefix(said, want) || !strings.Contains(said, "cancel of hospital") {
					t.Errorf("%s is answered with %q", answer, said)
				}
				if decided := len(d.Pending()) == 0; decided != (c.want == "Approved: ") {
					t.Errorf("pending is %+v", d.Pending())
				}
				if c.want == "Do you mean this?" { // and that question is what was just asked
					d.Answers(msg, answer)
					if _, said := d.Ask(d.Says(answer, "null"), answer); len(d.Pending()) != 0 {
						t.Errorf("and then with %q", said)
					}
				}
			})
		}
	}
}

// What is said or shown between a yes and the question that it led to makes the next
// yes no plainer.
func TestYesBesideAQuestion(t *testing.T) {
	c := commandstest.NewCounter(t)
	c.ProposeBy(commandstest.Ada, domain.ChannelChat)
	c.Says("how late is it?", "null")
	msg := c.Says("yes", "null")
	c.Says("and the weather?", "null")
	c.Answers(msg, "yes")
	again := c.Says("yes", "null")
	if _, said := c.Ask(again, "yes"); !strings.HasPrefix(said, "Do you mean this?") {
		t.Errorf("answered with %q", said)
	}
	c.Answers(again, "yes")
	if _, said := c.Ask(c.Says("yes", "null"), "yes"); !strings.HasPrefix(said, "Approved:") {
		t.Errorf("answered with %q", said)
	}
}

// With several pending one is picked by its place in the list that was shown last.
func TestPickedFromAList(t *testing.T) {
	for _, c := range []struct {
		first, then string
		want        string // how the answer begins; "-": it isn't handled
		decided     int    // which of the two; 0: none
	}{
		{"yes", "yes, the first one", "Approved:", 1},
		{"yes", "Approve the second one, please.", "Approved:", 2},
		{"yes", "the second one", "Approved:", 2},
		{"yes", "number 1", "Approved:", 1},
		{"yes", "the last one", "Approved:", 2},
		{"yes", "refuse the 2nd", "Refused,", 2},
		{"no", "the first", "Refused,", 1},
		{"no", "ok, do the first", "Approved:", 1},
		{"no", "don't do the second one", "Refused,", 2},
		{"approve it", "yes to #2", "Approved:", 2},
		{"approve it", "approve it", "Which one?", 0},
		{"yes", "no, the second one", "Which one?", 0}, // not that, or that
		{"yes", "the third one", "Which one?", 0},
		{"yes", "approve both", "Which one?", 0},
		{"yes", "both", "Which one?", 0},
		{"no, the second one", "the second one", "-", 0}, // nobody said what about it
		{"yes", "the first one is fine by me, I suppose", "-", 0},
		{"yes", "it", "-", 0},
	} {
		d := commandstest.NewCounter(t)
		d.ProposeBy(commandstest.Ada, domain.ChannelChat)
		d.Clock.Advance(time.Second)
		d.ProposeBy(commandstest.Ada, domain.ChannelChat)
		before := d.Pending()
		d.Answers(d.Says(c.first, "null"), c.first)
		handled, said := d.Ask(d.Says(c.then, "null"), c.then)
		if handled != (c.want != "-") || handled && !strings.HasPrefix(said, c.want) {
			t.Errorf("%q, then %q: answered with %q", c.first, c.then, said)
		}
		left := d.Pending()
		if c.decided == 0 && len(left) != 2 || c.decided > 0 && (len(left) != 1 || left[0].Proposal != before[2-c.decided].Proposal) {
			t.Errorf("%q, then %q: %d are left", c.first, c.then, len(left))
		}
	}
}

// Without a list that was shown last there is no first: it is asked, or the sentence
// is about something else.
func TestPickedFromNoList(t *testing.T) {
	for text, want := range map[string]string{
		"yes, the first one": "Which one?", "approve the second": "Which one?", "approve it": "Which one?", "deny that one": "Which one?",
		"the second one": "-", "no, the second one": "-", "both": "-",
	} {
		d := commandstest.NewCounter(t)
		d.ProposeBy(commandstest.Ada, domain.ChannelChat)
		d.ProposeBy(commandstest.Ada, domain.ChannelChat)
		d.Answers(d.Says("yes", "null"), "yes")
		d.Concludes(domain.TraceID{}, domain.ReasoningConcluded{Shown: domain.ShownMessage}) // which of two lamps?
		if handled, said := d.Ask(d.Says(text, "null"), text); handled != (want != "-") || handled && !strings.HasPrefix(said, want) || len(d.Pending()) != 2 {
			t.Errorf("%q is answered with %q", text, said)
		}
	}
	d := commandstest.NewCounter(t)
	for text := range map[string]bool{"yes, the first one": true, "approve it": true, "the first": true} {
		if handled, said := d.Ask(d.Says(text, "null"), text); handled {
			t.Errorf("with nothing pending %q is answered with %q", text, said)
		}
	}
}

// What somebody else wants done isn't picked by plain words either, and who that is
// stands there by name.
func TestPickedOfAnInterface(t *testing.T) {
	d := commandstest.NewCounter(t)
	d.ProposeBy(commandstest.Ada, domain.ChannelChat)
	d.Clock.Advance(time.Second)
	lamp := d.Pair("Lamp", 9005)
	d.ProposeBy(commands.Caller{Name: "Lamp", Source: "interface/lamp", Principal: domain.Principal(lamp.String())}, "")
	d.Answers(d.Says("yes", "null"), "yes")
	msg := d.Says("the second one", "null")
	if _, said := d.Ask(msg, "the second one"); !strings.HasPrefix(said, "This waits for your approval, and it was asked for by Lamp, ") || len(d.Pending()) != 2 {
		t.Errorf("answered with %q", said)
	}
	d.Answers(msg, "the second one")
	if _, said := d.Ask(d.Says("yes", "null"), "yes"); !strings.HasPrefix(said, "Which one?") || len(d.Pending()) != 2 {
		t.Errorf("answered with %q", said)
	}
}

// A tool may go by a word that is a yes: while something is pending it is asked what is
// meant, and the sentence is no order.
func TestToolNamedByAnAnswer(t *testing.T) {
	for text, want := range map[string]string{
		"yes, the cheaper one with breakfast": "Is “yes” your answer, or do you mean the tool yes of Parrot?",
		"approve the cheaper one":             "Is “approve” your answer, or do you mean the tool approve of Parrot?",
		"confirm the cheaper one":             "Is “confirm” your answer, or do you mean the tool confirmInvoice of Parrot?",
		"confirm the invoice of Anna":         "", "use approve for the invoice": "", "no, tell me more of it first": "", "deny the invoice of Anna": "",
	} {
		d := commandstest.NewCounter(t)
		d.Pair("Parrot", 9006, domain.Tool{Name: "approve"}, domain.Tool{Name: "yes"}, domain.Tool{Name: "confirmInvoice"})
		if handled, said := d.Ask(d.Says(text, "null"), text); handled {
			t.Errorf("with nothing pending %q is answered with %q", text, said)
		}
		d.ProposeBy(commandstest.Ada, domain.ChannelChat)
		d.ProposeBy(commandstest.Ada, domain.ChannelChat)
		if handled, said := d.Ask(d.Says(text, "null"), text); handled != (want != "") || !strings.HasPrefix(said, want) || handled && strings.Count(said, "cancel of hospital") != 2 {
			t.Errorf("%q is answered with %q", text, said)
		}
	}
}

// One source has few proposals open; those of others and the person's don't count.
func TestFewProposalsOfOneSource(t *testing.T) {
	c := commandstest.NewCounter(t)
	for range tool.MaxOpenProposals {
		c.ProposeBy(commandstest.Station, "")
	}
	_, err := c.Tools().Invoke(t.Context(), commandstest.Station, commandstest.Cancels())
	commandstest.Refused(t, err, domain.Policy, "too_many_proposals")
	c.ProposeBy(commandstest.Ada, domain.ChannelChat)
	if _, err := c.Desk.Decide(t.Context(), commandstest.Ada, c.Pending()[0].Token, commandstest.No); err != nil {
		t.Fatal(err)
	}
	c.ProposeBy(commandstest.Station, "")
	if _, err := c.Tools().Invoke(t.Context(), commandstest.Station, commandstest.Cancels()); domain.CodeOf(err) != "too_many_proposals" {
		t.Errorf("a fifth: %v", err)
	}
	c.Clock.Advance(time.Hour)
	c.ProposeBy(commandstest.Station, "")
}

func TestReplyAndReaction(t *testing.T) {
	for correlator, text := range map[domain.Correlator]string{domain.ByReply: "yes", domain.ByReaction: "👍", domain.ByApprovalToken: "ok"} {
		c := commandstest.NewCounter(t)
		first := c.Propose()
		c.Propose()
		msg := c.Says(text, `{"`+string(correlator)+`":"`+domain.HashSecret(first.Token).String()+`"}`)
		if _, said := c.Ask(msg, text); !strings.HasPrefix(said, "Approved:") {
			t.Errorf("%s: answered with %q", correlator, said)
		}
		records := c.Records(domain.TopicTools)
		if got := commandstest.Decoded[domain.ApprovalGranted](t, records[6]); got.Correlator != correlator || got.InvocationID != first.InvocationID || got.Channel != "api" {
			t.Errorf("granted %+v", got)
		}
		late := c.Says("no", `{"`+string(correlator)+`":"`+domain.HashSecret(first.Token).String()+`"}`)
		if _, said := c.Ask(late, "no"); !strings.HasPrefix(said, "This was decided before") {
			t.Errorf("%s: answered with %q", correlator, said)
		}
		if handled, _ := c.Ask(c.Says("what is that?", `{"`+string(correlator)+`":"`+domain.HashSecret(first.Token).String()+`"}`), "what is that?"); handled {
			t.Error("a question is taken for an answer")
		}
	}
}

// What expired before the message came isn't pending, and nobody else may answer.
func TestAskTooLate(t *testing.T) {
	c := commandstest.NewCounter(t)
	p := c.Propose()
	if out, err := c.Desk.Ask(t.Context(), commandstest.Station, c.Says("yes", "null"), "yes"); err != nil || out.Handled {
		t.Errorf("answered with %+v, %v", out, err)
	}
	c.Clock.Advance(time.Hour)
	if handled, said := c.Ask(c.Says("yes", "null"), "yes"); handled {
		t.Errorf("answered with %q", said)
	}
	if _, said := c.Ask(c.Says("yes", `{"approval_token":"`+domain.HashSecret(p.Token).String()+`"}`), "yes"); !strings.HasPrefix(said, "This came too late") {
		t.Errorf("answered with %q", said)
	}
	if _, said := c.Ask(c.Says("yes", `{"approval_token":"unheard of"}`), "yes"); !strings.HasPrefix(said, "No proposal has this token") {
		t.Errorf("answered with %q", said)
	}
	if c.Peer.Times() != 0 {
		t.Errorf("%d calls", c.Peer.Times())
	}
}

var _ reasoning.Approver = (*tool.Approvals)(nil)
