package commands_test

import (
	"strings"
	"testing"
	"time"

	"chalie/commands"
	"chalie/domain"
)

// says records a message of the person.
func (c *counter) says(text, metadata string) domain.Record {
	c.t.Helper()
	id := c.ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 1, "api", domain.MessageReceived{Text: text, Metadata: []byte(metadata)})
	if err == nil {
		_, err = c.log.Append(c.t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		c.t.Fatal(err)
	}
	rec, err := c.log.Find(c.t.Context(), id)
	if err != nil {
		c.t.Fatal(err)
	}
	return rec
}

// ask asks twice: a repeat says the same.
func (c *counter) ask(msg domain.Record, text string) (bool, string) {
	c.t.Helper()
	var first string
	for n := range 2 {
		out, err := c.approvals(c.tools()).Ask(c.t.Context(), ada, msg, text)
		if err != nil {
			c.t.Fatal(err)
		}
		said := domain.PlainText(out.Blocks)
		if n == 0 {
			first = said
		}
		if said != first || out.Handled != (said != "") {
			c.t.Errorf("%q is answered with %q, then with %+v", text, first, out)
		}
	}
	return first != "", first
}

func TestPlainYesAndNo(t *testing.T) {
	for text, want := range map[string]domain.EventType{
		"yes": "approval.granted", "Yes, please!": "approval.granted", " OK. ": "approval.granted", "go ahead": "approval.granted",
		"yes, do it": "approval.granted", "sure, go ahead": "approval.granted", "ok do it": "approval.granted", "Yes please": "approval.granted",
		"no thanks": "approval.refused", "no, don't": "approval.refused", "yes no": "", "no, go ahead": "", "ok go ahead ok go ahead ok go ahead": "", "👍": "approval.granted",
		"no": "approval.refused", "No, thanks": "approval.refused", "don’t": "approval.refused", "No, don't do it.": "approval.refused",
		"yes, but only tomorrow": "", "no idea": "", "what is it?": "", "": "", "yesterday": "", "ok so what about lunch": "", "not now": "",
	} {
		c := newCounter(t)
		p := c.proposeBy(ada, domain.ChannelChat)
		handled, said := c.ask(c.says(text, "null"), text)
		if handled != (want != "") {
			t.Errorf("%q is answered with %q", text, said)
		}
		records := c.records(domain.TopicTools)
		if want == "" {
			c.happened(waiting...)
			continue
		}
		if records[3].Envelope.Type != want || !strings.Contains(said, "cancel of hospital") {
			t.Errorf("%q leads to %s, and is answered with %q", text, records[3].Envelope.Type, said)
		}
		if want == "approval.granted" {
			if got := decoded[domain.ApprovalGranted](t, records[3]); got.Correlator != domain.ByPlainText || got.MessageID.IsZero() || got.InvocationID != p.InvocationID {
				t.Errorf("granted %+v", got)
			}
		}
	}
}

// With nothing pending a yes is a yes to something else; with two it is answered by a question.
func TestYesToWhat(t *testing.T) {
	c := newCounter(t)
	if handled, said := c.ask(c.says("yes", "null"), "yes"); handled {
		t.Errorf("answered with %q", said)
	}
	c.proposeBy(ada, domain.ChannelChat)
	c.clock.Advance(time.Second)
	second := c.proposeBy(ada, domain.ChannelChat)
	msg := c.says("yes", "null")
	out, err := c.desk.Ask(t.Context(), ada, msg, "yes")
	said := domain.PlainText(out.Blocks)
	if err != nil || !out.Handled || !strings.Contains(said, "Which one?") || strings.Count(said, "cancel of hospital") != 2 || len(out.Evidence) != 2 {
		t.Errorf("answered with %+v, %v", out, err)
	}
	c.happened(append(waiting, waiting...)...)

	// One is decided meanwhile: the message meant neither, and says so again.
	if _, err := c.desk.Decide(t.Context(), ada, second.Token, no); err != nil {
		t.Fatal(err)
	}
	if handled, again := c.ask(msg, "yes"); !handled || again != said {
		t.Errorf("answered with %q, then %q", said, again)
	}
	if n := len(c.pending()); n != 1 {
		t.Errorf("%d are pending", n)
	}
	// The next yes came behind another, whose answer tells what was meant.
	next := c.says("yes", "null")
	if _, said := c.ask(next, "yes"); !strings.HasPrefix(said, "Do you mean this?") {
		t.Errorf("answered with %q", said)
	}
	c.answers(next, "yes")
	if _, said := c.ask(c.says("yes", "null"), "yes"); !strings.HasPrefix(said, "Approved:") {
		t.Errorf("answered with %q", said)
	}
}

// happens records something in an exchange of the person's: a new one, when of is none.
func happens[P any](c *counter, of domain.TraceID, payload P, keys ...domain.Key) {
	c.t.Helper()
	id := c.ids.NewID()
	if of.IsZero() {
		of = domain.TraceID{ID: id}
	}
	entry, err := domain.New(domain.Begin(of, domain.PrincipalOperator), id, 1, "reasoning", payload)
	if err == nil {
		entry.Envelope.Keys = keys
		_, err = c.log.Append(c.t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// concludes records that an exchange ended, and what was shown.
func (c *counter) concludes(of domain.TraceID, end domain.ReasoningConcluded) {
	c.t.Helper()
	happens(c, of, end, end.ShownKey())
}

// answers records the answer to a message that says yes or no.
func (c *counter) answers(msg domain.Record, text string) {
	c.t.Helper()
	out, err := c.desk.Ask(c.t.Context(), ada, msg, text)
	if err != nil || !out.Handled {
		c.t.Fatalf("%q is answered with %+v, %v", text, out, err)
	}
	asked := domain.Evidence{EnvelopeID: msg.Envelope.ID, Role: "asked", Weight: domain.One}
	c.concludes(msg.Envelope.Trace, domain.ReasoningConcluded{Shown: domain.ShownMessage, Blocks: out.Blocks, Evidence: append([]domain.Evidence{asked}, out.Evidence...)})
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
		since   func(*counter)
		want    string
	}{
		"asked in the conversation": {ada, domain.ChannelChat, nil, "Approved: "},
		"held, which nobody saw": {ada, domain.ChannelChat, func(d *counter) {
			d.concludes(none, domain.ReasoningConcluded{Outcome: domain.OutcomeHeld})
		}, "Approved: "},
		"thought about, which says nothing": {ada, domain.ChannelChat, func(d *counter) {
			happens(d, none, domain.ReasoningStarted{})
		}, "Approved: "},
		"worked at unasked": {ada, domain.ChannelChat, func(d *counter) {
			happens(d, none, domain.ModelReplied{ToolCalls: []domain.ToolCall{{Tool: "look"}}}, domain.ActsKey(1), domain.UnaskedKey)
		}, "Approved: "},
		"a program's":                        {station, "", nil, "This waits for your approval, and it was asked for by program station"},
		"a program's, and then its question": {station, "", func(d *counter) { d.concludes(none, weather) }, "This waits for your approval, and it was asked for by program station"},
		"asked elsewhere":                    {ada, "api", nil, "This waits for your approval, and it was asked for by you outside of this conversation"},
		"something was told since":           {ada, domain.ChannelChat, func(d *counter) { d.concludes(none, weather) }, "Do you mean this?"},
		"an escalation was shown since": {ada, domain.ChannelChat, func(d *counter) {
			d.concludes(none, domain.ReasoningConcluded{Shown: domain.ShownEscalation})
		}, "Do you mean this?"},
		"something was answered since": {ada, domain.ChannelChat, func(d *counter) {
			d.concludes(none, domain.ReasoningConcluded{Shown: domain.ShownMessage})
		}, "Do you mean this?"},
		"something failed since": {ada, domain.ChannelChat, func(d *counter) {
			d.concludes(none, domain.ReasoningConcluded{Outcome: domain.OutcomeFailed})
		}, "Do you mean this?"},
		"another answer goes on": {ada, domain.ChannelChat, func(d *counter) {
			happens(d, none, domain.ModelReplied{ToolCalls: []domain.ToolCall{{Tool: "look"}}}, domain.ActsKey(2))
		}, "Do you mean this?"},
		"a card was shown since": {ada, domain.ChannelChat, func(d *counter) {
			happens(d, none, domain.ToolCompleted{}, domain.CardKey)
		}, "Do you mean this?"},
		"something was said since":   {ada, domain.ChannelChat, func(d *counter) { d.says("and the weather?", "null") }, "Do you mean this?"},
		"a button was pressed since": {ada, domain.ChannelChat, func(d *counter) { happens(d, none, domain.ActionReceived{Skill: "look"}) }, "Do you mean this?"},
		"something was added since":  {ada, domain.ChannelChat, func(d *counter) { happens(d, none, domain.SteerReceived{Text: "in Gozo"}) }, "Do you mean this?"},
		"another proposal came and went": {ada, domain.ChannelChat, func(d *counter) {
			p := d.proposeBy(station, "")
			if _, err := d.desk.Decide(d.t.Context(), ada, p.Token, no); err != nil {
				d.t.Fatal(err)
			}
		}, "Do you mean this?"},
		"very much happened": {ada, domain.ChannelChat, func(d *counter) {
			for range 1024 {
				happens(d, none, domain.ReasoningStarted{}, domain.UnaskedKey)
			}
		}, "Do you mean this?"},
	} {
		for _, answer := range []string{"yes", "no"} {
			t.Run(name+", "+answer, func(t *testing.T) {
				d := newCounter(t)
				d.proposeBy(c.who, c.channel)
				if c.since != nil {
					c.since(d)
				}
				msg := d.says(answer, "null")
				_, said := d.ask(msg, answer)
				want := c.want
				if answer == "no" && want == "Approved: " {
					want = "Refused, "
				}
				if !strings.HasPrefix(said, want) || !strings.Contains(said, "cancel of hospital") {
					t.Errorf("%s is answered with %q", answer, said)
				}
				if decided := len(d.pending()) == 0; decided != (c.want == "Approved: ") {
					t.Errorf("pending is %+v", d.pending())
				}
				if c.want == "Do you mean this?" { // and that question is what was just asked
					d.answers(msg, answer)
					if _, said := d.ask(d.says(answer, "null"), answer); len(d.pending()) != 0 {
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
	c := newCounter(t)
	c.proposeBy(ada, domain.ChannelChat)
	c.says("how late is it?", "null")
	msg := c.says("yes", "null")
	c.says("and the weather?", "null")
	c.answers(msg, "yes")
	again := c.says("yes", "null")
	if _, said := c.ask(again, "yes"); !strings.HasPrefix(said, "Do you mean this?") {
		t.Errorf("answered with %q", said)
	}
	c.answers(again, "yes")
	if _, said := c.ask(c.says("yes", "null"), "yes"); !strings.HasPrefix(said, "Approved:") {
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
		d := newCounter(t)
		d.proposeBy(ada, domain.ChannelChat)
		d.clock.Advance(time.Second)
		d.proposeBy(ada, domain.ChannelChat)
		before := d.pending()
		d.answers(d.says(c.first, "null"), c.first)
		handled, said := d.ask(d.says(c.then, "null"), c.then)
		if handled != (c.want != "-") || handled && !strings.HasPrefix(said, c.want) {
			t.Errorf("%q, then %q: answered with %q", c.first, c.then, said)
		}
		left := d.pending()
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
		d := newCounter(t)
		d.proposeBy(ada, domain.ChannelChat)
		d.proposeBy(ada, domain.ChannelChat)
		d.answers(d.says("yes", "null"), "yes")
		d.concludes(domain.TraceID{}, domain.ReasoningConcluded{Shown: domain.ShownMessage}) // which of two lamps?
		if handled, said := d.ask(d.says(text, "null"), text); handled != (want != "-") || handled && !strings.HasPrefix(said, want) || len(d.pending()) != 2 {
			t.Errorf("%q is answered with %q", text, said)
		}
	}
	d := newCounter(t)
	for text := range map[string]bool{"yes, the first one": true, "approve it": true, "the first": true} {
		if handled, said := d.ask(d.says(text, "null"), text); handled {
			t.Errorf("with nothing pending %q is answered with %q", text, said)
		}
	}
}

// What somebody else wants done isn't picked by plain words either, and who that is
// stands there by name.
func TestPickedOfAnInterface(t *testing.T) {
	d := newCounter(t)
	d.proposeBy(ada, domain.ChannelChat)
	d.clock.Advance(time.Second)
	lamp := d.pair("Lamp", 9005)
	d.proposeBy(commands.Caller{Name: "Lamp", Source: "interface/lamp", Principal: domain.Principal(lamp.String())}, "")
	d.answers(d.says("yes", "null"), "yes")
	msg := d.says("the second one", "null")
	if _, said := d.ask(msg, "the second one"); !strings.HasPrefix(said, "This waits for your approval, and it was asked for by Lamp, ") || len(d.pending()) != 2 {
		t.Errorf("answered with %q", said)
	}
	d.answers(msg, "the second one")
	if _, said := d.ask(d.says("yes", "null"), "yes"); !strings.HasPrefix(said, "Which one?") || len(d.pending()) != 2 {
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
		d := newCounter(t)
		d.pair("Parrot", 9006, domain.Tool{Name: "approve"}, domain.Tool{Name: "yes"}, domain.Tool{Name: "confirmInvoice"})
		if handled, said := d.ask(d.says(text, "null"), text); handled {
			t.Errorf("with nothing pending %q is answered with %q", text, said)
		}
		d.proposeBy(ada, domain.ChannelChat)
		d.proposeBy(ada, domain.ChannelChat)
		if handled, said := d.ask(d.says(text, "null"), text); handled != (want != "") || !strings.HasPrefix(said, want) || handled && strings.Count(said, "cancel of hospital") != 2 {
			t.Errorf("%q is answered with %q", text, said)
		}
	}
}

// One source has few proposals open; those of others and the person's don't count.
func TestFewProposalsOfOneSource(t *testing.T) {
	c := newCounter(t)
	for range commands.MaxOpenProposals {
		c.proposeBy(station, "")
	}
	_, err := c.tools().Invoke(t.Context(), station, cancels())
	refused(t, err, domain.Policy, "too_many_proposals")
	c.proposeBy(ada, domain.ChannelChat)
	if _, err := c.desk.Decide(t.Context(), ada, c.pending()[0].Token, no); err != nil {
		t.Fatal(err)
	}
	c.proposeBy(station, "")
	if _, err := c.tools().Invoke(t.Context(), station, cancels()); domain.CodeOf(err) != "too_many_proposals" {
		t.Errorf("a fifth: %v", err)
	}
	c.clock.Advance(time.Hour)
	c.proposeBy(station, "")
}

func TestReplyAndReaction(t *testing.T) {
	for correlator, text := range map[domain.Correlator]string{domain.ByReply: "yes", domain.ByReaction: "👍", domain.ByApprovalToken: "ok"} {
		c := newCounter(t)
		first := c.propose()
		c.propose()
		msg := c.says(text, `{"`+string(correlator)+`":"`+domain.HashSecret(first.Token).String()+`"}`)
		if _, said := c.ask(msg, text); !strings.HasPrefix(said, "Approved:") {
			t.Errorf("%s: answered with %q", correlator, said)
		}
		records := c.records(domain.TopicTools)
		if got := decoded[domain.ApprovalGranted](t, records[6]); got.Correlator != correlator || got.InvocationID != first.InvocationID || got.Channel != "api" {
			t.Errorf("granted %+v", got)
		}
		late := c.says("no", `{"`+string(correlator)+`":"`+domain.HashSecret(first.Token).String()+`"}`)
		if _, said := c.ask(late, "no"); !strings.HasPrefix(said, "This was decided before") {
			t.Errorf("%s: answered with %q", correlator, said)
		}
		if handled, _ := c.ask(c.says("what is that?", `{"`+string(correlator)+`":"`+domain.HashSecret(first.Token).String()+`"}`), "what is that?"); handled {
			t.Error("a question is taken for an answer")
		}
	}
}

// What expired before the message came isn't pending, and nobody else may answer.
func TestAskTooLate(t *testing.T) {
	c := newCounter(t)
	p := c.propose()
	if out, err := c.desk.Ask(t.Context(), station, c.says("yes", "null"), "yes"); err != nil || out.Handled {
		t.Errorf("answered with %+v, %v", out, err)
	}
	c.clock.Advance(time.Hour)
	if handled, said := c.ask(c.says("yes", "null"), "yes"); handled {
		t.Errorf("answered with %q", said)
	}
	if _, said := c.ask(c.says("yes", `{"approval_token":"`+domain.HashSecret(p.Token).String()+`"}`), "yes"); !strings.HasPrefix(said, "This came too late") {
		t.Errorf("answered with %q", said)
	}
	if _, said := c.ask(c.says("yes", `{"approval_token":"unheard of"}`), "yes"); !strings.HasPrefix(said, "No proposal has this token") {
		t.Errorf("answered with %q", said)
	}
	if c.peer.times() != 0 {
		t.Errorf("%d calls", c.peer.times())
	}
}

var _ commands.Approver = (*commands.Approvals)(nil)
