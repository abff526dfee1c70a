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
	if _, said := c.ask(c.says("yes", "null"), "yes"); !strings.HasPrefix(said, "Approved:") {
		t.Errorf("answered with %q", said)
	}
}

// concludes records that something was shown to the person.
func (c *counter) concludes(end domain.ReasoningConcluded) {
	c.t.Helper()
	id := c.ids.NewID()
	entry, err := domain.New(domain.Begin(domain.TraceID{ID: id}, domain.PrincipalOperator), id, 1, "reasoning", end)
	if err == nil {
		entry.Envelope.Keys = []domain.Key{domain.ConcludedKey(domain.TraceID{ID: id}), end.ShownKey()}
		_, err = c.log.Append(c.t.Context(), domain.Batch{Entries: []domain.Entry{entry}})
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// A plain yes answers what was asked last in the conversation, and never what somebody
// else wants done.
func TestYesToWhatWasJustAsked(t *testing.T) {
	weather := domain.ReasoningConcluded{Outcome: domain.OutcomeSurfaced, Shown: domain.ShownNotification,
		Blocks: []domain.Block{domain.TextBlock("Shall I tell you the weather every morning? Just say yes.", domain.FormatPlain)}}
	for name, c := range map[string]struct {
		who     commands.Caller
		channel string
		said    []domain.ReasoningConcluded
		want    string
	}{
		"asked in the conversation":          {ada, domain.ChannelChat, nil, "Approved: "},
		"held, which nobody saw":             {ada, domain.ChannelChat, []domain.ReasoningConcluded{{Outcome: domain.OutcomeHeld}}, "Approved: "},
		"a program's":                        {station, "", nil, "This waits for your approval, and it was asked for by program station"},
		"a program's, and then its question": {station, "", []domain.ReasoningConcluded{weather}, "This waits for your approval, and it was asked for by program station"},
		"asked elsewhere":                    {ada, "api", nil, "This waits for your approval, and it was asked for by you outside of this conversation"},
		"something was told since":           {ada, domain.ChannelChat, []domain.ReasoningConcluded{weather}, "Do you mean this?"},
		"an escalation was shown since":      {ada, domain.ChannelChat, []domain.ReasoningConcluded{{Shown: domain.ShownEscalation}}, "Do you mean this?"},
		"something was answered since":       {ada, domain.ChannelChat, []domain.ReasoningConcluded{{Shown: domain.ShownMessage}}, "Do you mean this?"},
	} {
		for _, answer := range []string{"yes", "no"} {
			t.Run(name+", "+answer, func(t *testing.T) {
				d := newCounter(t)
				p := d.proposeBy(c.who, c.channel)
				for _, end := range c.said {
					d.concludes(end)
				}
				_, said := d.ask(d.says(answer, "null"), answer)
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
					d.concludes(domain.ReasoningConcluded{Shown: domain.ShownMessage, Evidence: []domain.Evidence{{EnvelopeID: p.Proposal, Role: "proposed", Weight: domain.One}}})
					if _, said := d.ask(d.says(answer, "null"), answer); len(d.pending()) != 0 {
						t.Errorf("and then with %q", said)
					}
				}
			})
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
