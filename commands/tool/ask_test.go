package tool_test

import (
	"encoding/json"
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
		"no thanks": "approval.refused", "no, don't": "approval.refused", "yes no": "approval.refused", "yes — no, wait": "approval.refused", "no, go ahead": "", "ok go ahead ok go ahead ok go ahead": "", "👍": "approval.granted",
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

const both = -1

// With several pending one is picked by its place in the list that was shown last.
func TestPickedFromAList(t *testing.T) {
	for _, c := range []struct {
		first, then string
		want        string // how the answer begins; "-": it isn't handled
		decided     int    // which of the two; 0: none; both: all of them
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
		{"yes", "approve both", "Approved:", both},
		{"yes", "both", "Approved:", both},
		{"yes", "yes to all", "Approved:", both},
		{"yes", "Yes, all of them!", "Approved:", both},
		{"no", "all", "Refused,", both},
		{"no", "no to all", "Refused,", both},
		{"yes", "refuse both", "Refused,", both},
		{"yes", "no, both", "Which one?", 0}, // not that, or none
		{"yes", "1", "Approved:", 1},
		{"yes", "#2", "Approved:", 2},
		{"no", "1.", "Refused,", 1},
		{"yes", "no to the first one", "Refused,", 1},
		{"yes", "3", "Which one?", 0},
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
		if c.decided == both && len(left) > 0 || c.decided == 0 && len(left) != 2 || c.decided > 0 && (len(left) != 1 || left[0].Proposal != before[2-c.decided].Proposal) {
			t.Errorf("%q, then %q: %d are left", c.first, c.then, len(left))
		}
	}
}

// What one request asks about together is decided together, or by its place; a no is one to all of it.
func TestDecidedTogether(t *testing.T) {
	for text, left := range map[string]int{
		"yes to all": 0, "no to all": 0, "both": 0, "both of them": 0, "1": 1, "the second one": 1, "yes": 2, "no": 0, "never mind": 0, "no, both": 2,
		"yes to both": 0, "Ja zu beiden.": 0, "beide, ja": 0, "oui aux deux": 0, "les deux": 0, "sí a las dos": 0, "ambas": 0, "nein zu beiden": 0, "nee, lass mal": 0,
	} {
		d := commandstest.NewCounter(t)
		asked := d.Says("cancel both", "null").Envelope.ID
		first, second := d.ProposeFor(commandstest.Ada, domain.ChannelChat, asked), d.ProposeFor(commandstest.Ada, domain.ChannelChat, asked)
		if first.Trace != second.Trace {
			t.Fatal("they aren't of one request")
		}
		_, said := d.Ask(d.Says(text, "null"), text)
		if got := d.Pending(); len(got) != left || text == "1" && got[0].Proposal != second.Proposal || text == "the second one" && got[0].Proposal != first.Proposal {
			t.Errorf("%q leaves %d, with %q", text, len(got), said)
		}
	}
}

// Both are what two messages asked for, one after the other; never two of three.
func TestBothOfTwoMessages(t *testing.T) {
	for _, c := range []struct {
		text string
		of   int
		want string // how the answer begins; "-": it isn't handled
		left int
	}{
		{"yes to both", 2, "Approved:", 0},
		{"ja zu beiden", 2, "Approved:", 0},
		{"Oui aux deux !", 2, "Approved:", 0},
		{"sí a las dos", 2, "Approved:", 0},
		{"both", 2, "Approved:", 0},
		{"yes to all", 3, "Approved:", 0},
		{"no to both", 2, "Refused,", 0},
		{"yes to both", 1, "Approved:", 0},
		{"yes to both", 3, "Which one?", 3},
		{"yes", 2, "Which one?", 2},
		{"no", 2, "Which one?", 2},
		{"both", 1, "-", 1},
	} {
		d := commandstest.NewCounter(t)
		for range c.of {
			d.ProposeFor(commandstest.Ada, domain.ChannelChat, d.Says("cancel it", "null").Envelope.ID)
			d.Clock.Advance(time.Second)
		}
		handled, said := d.Ask(d.Says(c.text, "null"), c.text)
		if left := len(d.Pending()); left != c.left || handled != (c.want != "-") || handled && !strings.HasPrefix(said, c.want) {
			t.Errorf("%q to what %d messages asked for leaves %d, with %q", c.text, c.of, left, said)
		}
	}
	d := commandstest.NewCounter(t)
	d.ProposeBy(commandstest.Ada, domain.ChannelChat)
	d.ProposeBy(commandstest.Station, "")
	if _, said := d.Ask(d.Says("yes to both", "null"), "yes to both"); len(d.Pending()) != 2 || !strings.HasPrefix(said, "Which one?") {
		t.Errorf("with one that a program wants it is answered with %q", said)
	}
}

// What was asked about along with it while a yes to both was on its way is decided by it, too; a yes alone, or
// what another request asked for meanwhile, isn't.
func TestAskedAlongMeanwhile(t *testing.T) {
	for text, left := range map[string]int{"yes to both": 1, "ja zu beiden": 1, "no to both": 1, "yes": 2} {
		d := commandstest.NewCounter(t)
		asked := d.Says("cancel both", "null").Envelope.ID
		d.ProposeFor(commandstest.Ada, domain.ChannelChat, asked)
		msg := d.Says(text, "null")
		d.ProposeFor(commandstest.Ada, domain.ChannelChat, asked)
		d.ProposeFor(commandstest.Ada, domain.ChannelChat, d.Says("and that", "null").Envelope.ID)
		if _, said := d.Ask(msg, text); len(d.Pending()) != left {
			t.Errorf("%q leaves %d, with %q", text, len(d.Pending()), said)
		}
	}
}

// A no with more behind it is one to all that was just asked about together, also when it is asked again.
func TestANoWithMoreIsOneToAllOfIt(t *testing.T) {
	const text = "no, I still need them"
	d := commandstest.NewCounter(t)
	asked := d.Says("cancel both", "null").Envelope.ID
	d.ProposeFor(commandstest.Ada, domain.ChannelChat, asked)
	d.ProposeFor(commandstest.Ada, domain.ChannelChat, asked)
	msg := d.Says(text, "null")
	for range 2 {
		out, err := d.Desk.StillWaits(t.Context(), commandstest.Ada, msg, text)
		if said := domain.PlainText(out.Blocks); err != nil || strings.Count(said, "Refused, so it isn't done: cancel of hospital") != 2 || len(d.Pending()) != 0 {
			t.Errorf("it is answered with %q, %v, and %d are left", said, err, len(d.Pending()))
		}
	}
}

// What was just asked about is called off by what calls off anything.
func TestCalledOff(t *testing.T) {
	for _, text := range []string{"cancel", "Never mind.", "forget it", "cancel that, please"} {
		d := commandstest.NewCounter(t)
		d.ProposeBy(commandstest.Ada, domain.ChannelChat)
		if handled, said := d.Ask(d.Says(text, "null"), text); !handled || !strings.HasPrefix(said, "Refused,") || len(d.Pending()) != 0 {
			t.Errorf("%q is answered with %q", text, said)
		}
		d.ProposeBy(commandstest.Ada, domain.ChannelChat)
		d.Concludes(domain.TraceID{}, domain.ReasoningConcluded{Shown: domain.ShownMessage}) // something else
		if handled, said := d.Ask(d.Says(text, "null"), text); handled || len(d.Pending()) != 1 {
			t.Errorf("%q behind something else is answered with %q", text, said)
		}
		d = commandstest.NewCounter(t)
		d.ProposeBy(commandstest.Station, domain.ChannelToken)
		if handled, said := d.Ask(d.Says(text, "null"), text); handled {
			t.Errorf("%q with a program's wish is answered with %q", text, said)
		}
	}
}

// Without a list that was shown last there is no first: it is asked, or the sentence
// is about something else.
func TestPickedFromNoList(t *testing.T) {
	for text, want := range map[string]string{
		"yes, the first one": "Which one?", "approve the second": "Which one?", "approve it": "Which one?", "deny that one": "Which one?",
		"the second one": "-", "no, the second one": "-", "both": "-", "1": "-", "yes to all": "Which one?", "approve both": "Which one?",
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
	for text := range map[string]bool{"yes, the first one": true, "approve it": true, "the first": true, "1": true, "yes to all": true} {
		if handled, said := d.Ask(d.Says(text, "null"), text); handled {
			t.Errorf("with nothing pending %q is answered with %q", text, said)
		}
	}
}

// Of the only one that was just asked about "1" and "yes to all" are a yes, too.
func TestTheOnlyOne(t *testing.T) {
	for text, want := range map[string]string{"1": "Approved:", "#1": "Approved:", "number 1": "Approved:", "yes to all": "Approved:", "no to all": "Refused,", "2": "-", "all": "-", "both": "-"} {
		d := commandstest.NewCounter(t)
		d.ProposeBy(commandstest.Ada, domain.ChannelChat)
		if handled, said := d.Ask(d.Says(text, "null"), text); handled != (want != "-") || handled && !strings.HasPrefix(said, want) {
			t.Errorf("%q is answered with %q", text, said)
		}
		d = commandstest.NewCounter(t)
		d.ProposeBy(commandstest.Ada, domain.ChannelChat)
		d.Concludes(domain.TraceID{}, domain.ReasoningConcluded{Shown: domain.ShownMessage}) // which of two lamps?
		if handled, said := d.Ask(d.Says(text, "null"), text); len(d.Pending()) != 1 || handled && !strings.HasPrefix(said, "Do you mean this?") {
			t.Errorf("behind something else %q is answered with %q", text, said)
		}
		d = commandstest.NewCounter(t)
		d.ProposeBy(commandstest.Station, "")
		if handled, said := d.Ask(d.Says(text, "null"), text); len(d.Pending()) != 1 || handled && !strings.HasPrefix(said, "This waits for your approval, and it was asked for by program station") {
			t.Errorf("of a program %q is answered with %q", text, said)
		}
	}
}

// "Yes to all" decides what the person had asked for, and says that the rest waits for its
// buttons. Asked again, also after a crash between two decisions, it says the same.
func TestYesToAll(t *testing.T) {
	d := commandstest.NewCounter(t)
	d.ProposeBy(commandstest.Ada, domain.ChannelChat)
	d.Clock.Advance(time.Second)
	d.ProposeBy(commandstest.Station, "")
	d.Clock.Advance(time.Second)
	d.ProposeBy(commandstest.Ada, domain.ChannelAction)
	before := d.Pending()
	msg := d.Says("yes", "null")
	if _, said := d.Ask(msg, "yes"); !strings.Contains(said, "\n2. cancel of hospital with id: \"apt_1\" (asked for by program station: only a button decides it)\n3.") {
		t.Errorf("yes is answered with %q", said)
	}
	d.Answers(msg, "yes")
	all := d.Says("yes to all", "null")
	if _, err := d.Desk.Decide(t.Context(), commandstest.Ada, before[0].Token, tool.Deciding{Granted: true, Channel: "reasoning", Correlator: domain.ByPlainText, MessageID: all.Envelope.ID}); err != nil {
		t.Fatal(err)
	}
	var first string
	for range 2 {
		_, said := d.Ask(all, "yes to all")
		if strings.Count(said, "Approved: cancel of hospital") != 2 || !strings.Contains(said, "It waits for your approval still. You didn't ask for that here, so only a button decides it:\n1. cancel") {
			t.Errorf("it is answered with %q", said)
		}
		if first != "" && said != first {
			t.Errorf("asked again it is answered with %q", said)
		}
		first = said
	}
	if left := d.Pending(); len(left) != 1 || left[0].Proposal != before[1].Proposal {
		t.Errorf("%+v are left", left)
	}
}

// A question has a button for each decision, which decides whatever wants it, once.
func TestButtonsOfAQuestion(t *testing.T) {
	for _, c := range []struct {
		who     commands.Caller
		channel string
		label   string
		says    string
	}{
		{commandstest.Ada, domain.ChannelChat, "Approve 1", "Approved: cancel of hospital"},
		{commandstest.Ada, domain.ChannelChat, "Refuse 2", "Refused, so it isn't done: cancel of hospital"},
		{commandstest.Station, "", "Approve 1", "Approved: cancel of hospital"},
	} {
		d := commandstest.NewCounter(t)
		d.ProposeBy(c.who, c.channel)
		d.Clock.Advance(time.Second)
		d.ProposeBy(c.who, c.channel)
		before := d.Pending()
		out, err := d.Desk.Ask(t.Context(), commandstest.Ada, d.Says("yes", "null"), "yes")
		if err != nil {
			t.Fatal(err)
		}
		payload := payloadOf(t, out.Blocks, c.label)
		press := commandstest.Happens(d, domain.TraceID{}, domain.ActionReceived{Skill: payload["skill"].(string), Payload: encoded(t, payload), Label: c.label})
		for range 2 { // the same when it is asked again
			out, err = d.Desk.Press(t.Context(), commandstest.Ada, press)
			if said := domain.PlainText(out.Blocks); err != nil || !out.Handled || !strings.HasPrefix(said, c.says) {
				t.Errorf("%s: %q, %v", c.label, said, err)
			}
		}
		left := d.Pending()
		if which := strings.Index("12", c.label[len(c.label)-1:]); len(left) != 1 || left[0].Proposal == before[which].Proposal {
			t.Errorf("%s: %d are left", c.label, len(left))
		}
		again := commandstest.Happens(d, domain.TraceID{}, domain.ActionReceived{Skill: payload["skill"].(string), Payload: encoded(t, payload), Label: c.label})
		if out, err := d.Desk.Press(t.Context(), commandstest.Ada, again); err != nil || !strings.HasPrefix(domain.PlainText(out.Blocks), "This was decided before") {
			t.Errorf("%s again: %+v, %v", c.label, out, err)
		}
	}
}

// A button in a tool's answer decides nothing, whatever it says, and neither does one of no
// proposal.
func TestNoOtherButtonDecides(t *testing.T) {
	d := commandstest.NewCounter(t)
	p := d.ProposeBy(commandstest.Ada, domain.ChannelChat)
	for name, c := range map[string]struct {
		skill, payload string
		handled        bool
	}{
		"in a tool's answer": {domain.SkillApprove, `{"proposal_id":"` + p.Proposal.String() + `","chalie_invocation":"` + p.InvocationID.String() + `"}`, false},
		"of a call":          {domain.SkillApprove, `{"proposal_id":"` + p.InvocationID.String() + `"}`, true},
		"of nothing":         {domain.SkillApprove, `{}`, true},
		"of no id":           {domain.SkillApprove, `{"proposal_id":7}`, true},
		"another skill's":    {"approve", `{"proposal_id":"` + p.Proposal.String() + `"}`, false},
	} {
		press := commandstest.Happens(d, domain.TraceID{}, domain.ActionReceived{Skill: c.skill, Payload: []byte(c.payload)})
		if out, err := d.Desk.Press(t.Context(), commandstest.Ada, press); err != nil || out.Handled != c.handled || len(d.Pending()) != 1 {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
	}
	press := commandstest.Happens(d, domain.TraceID{}, domain.ActionReceived{Skill: domain.SkillApprove, Payload: []byte(`{"proposal_id":"` + p.Proposal.String() + `"}`)})
	if _, err := d.Desk.Press(t.Context(), commandstest.Station, press); err != nil || len(d.Pending()) != 1 {
		t.Errorf("a program decides: %v", err)
	}
}

func encoded(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// payloadOf is what the button with a label sends.
func payloadOf(t *testing.T, blocks []domain.Block, label string) map[string]any {
	t.Helper()
	for _, b := range blocks {
		buttons, _ := b["buttons"].([]any)
		for _, one := range buttons {
			if button := one.(map[string]any); button["label"] == label {
				return button["payload"].(map[string]any)
			}
		}
	}
	t.Fatalf("no button is called %q in %v", label, blocks)
	return nil
}

// A message that begins with a yes or no and goes on is no answer, and what had just been
// asked is told to wait still.
func TestBeginsWithAnAnswer(t *testing.T) {
	for text, word := range map[string]string{
		"yes, add eggs to the list": "yes", "no eggs on the list": "no", "ok go ahead and add eggs": "ok go ahead", "yes": "", "no thanks": "",
		"add eggs to the list": "", "yesterday was fine": "", "don't forget the eggs": "don't",
	} {
		d := commandstest.NewCounter(t)
		d.ProposeBy(commandstest.Ada, domain.ChannelChat)
		msg := d.Says(text, "null")
		out, err := d.Desk.StillWaits(t.Context(), commandstest.Ada, msg, text)
		want := "I took “" + word + "” for the beginning of that, and not for an answer. It waits for your approval still:\n1. cancel of hospital"
		if said := domain.PlainText(out.Blocks); err != nil || out.Handled != (word != "") || out.Handled && !strings.HasPrefix(said, want) {
			t.Errorf("below %q stands %q, %v", text, said, err)
		}
		if word != "" {
			if handled, said := d.Ask(msg, text); handled || len(d.Pending()) != 1 {
				t.Errorf("%q is answered with %q", text, said)
			}
			if payload := payloadOf(t, out.Blocks, "Approve"); payload["skill"] != domain.SkillApprove {
				t.Errorf("the button sends %v", payload)
			}
		}
	}
	// A no is one, whatever it goes on with, and once.
	for _, text := range []string{"No, remind me at 5 to call Bob", "nah keep them", "nein, die brauche ich noch", "wait, not yet"} {
		d := commandstest.NewCounter(t)
		d.ProposeBy(commandstest.Ada, domain.ChannelChat)
		msg := d.Says(text, "null")
		for range 2 {
			out, err := d.Desk.StillWaits(t.Context(), commandstest.Ada, msg, text)
			if said := domain.PlainText(out.Blocks); err != nil || len(d.Pending()) != 0 || !strings.HasPrefix(said, "Refused, so it isn't done: cancel of hospital") {
				t.Errorf("below %q stands %q, %v", text, said, err)
			}
		}
	}
	// Nothing is said of what wasn't just asked, was decided meanwhile, or is a program's.
	for name, happens := range map[string]func(*commandstest.Counter){
		"something was told since": func(d *commandstest.Counter) {
			d.Concludes(domain.TraceID{}, domain.ReasoningConcluded{Shown: domain.ShownMessage})
		},
		"it was decided": func(d *commandstest.Counter) {
			if _, err := d.Desk.Decide(t.Context(), commandstest.Ada, d.Pending()[0].Token, commandstest.Yes); err != nil {
				t.Fatal(err)
			}
		},
		"another's was asked since": func(d *commandstest.Counter) { d.ProposeBy(commandstest.Station, "") },
	} {
		d := commandstest.NewCounter(t)
		d.ProposeBy(commandstest.Ada, domain.ChannelChat)
		happens(d)
		text := "yes, add eggs to the list"
		if out, err := d.Desk.StillWaits(t.Context(), commandstest.Ada, d.Says(text, "null"), text); err != nil || out.Handled {
			t.Errorf("%s: %q, %v", name, domain.PlainText(out.Blocks), err)
		}
	}
}

// A plain yes behind another question of Chalie's own answers that.
func TestYesToAnotherQuestion(t *testing.T) {
	for name, c := range map[string]struct {
		blocks []domain.Block
		other  bool
	}{
		"with buttons":          {[]domain.Block{domain.ActionsBlock(domain.Button{Label: "Yes", Skill: "list", Params: map[string]any{"confirmed": true}})}, true},
		"in words":              {[]domain.Block{domain.TextBlock("Shall I?", domain.FormatPlain)}, false},
		"in a tool's answer":    {domain.ButtonsOf([]domain.Block{domain.ActionsBlock(domain.Button{Label: "Yes", Skill: "pay"})}, domain.ID{7}), false},
		"that opens an address": {[]domain.Block{{"type": "actions", "buttons": []any{map[string]any{"label": "Open", "openUrl": "https://a.example"}}}}, false},
	} {
		d := commandstest.NewCounter(t)
		d.ProposeBy(commandstest.Ada, domain.ChannelChat)
		d.Concludes(domain.TraceID{}, domain.ReasoningConcluded{Shown: domain.ShownMessage, Blocks: c.blocks})
		if handled, said := d.Ask(d.Says("yes", "null"), "yes"); handled == c.other || handled && !strings.HasPrefix(said, "Do you mean this?") || len(d.Pending()) != 1 {
			t.Errorf("%s: yes is answered with %q", name, said)
		}
		if handled, said := d.Ask(d.Says("approve the first", "null"), "approve the first"); !handled || len(d.Pending()) != 1 {
			t.Errorf("%s: the first is answered with %q", name, said)
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
