package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/domain/guest"
)

const sayHelp = `Say tells Chalie something and waits for the answer.

The message stands in the log before anything else happens. Interrupting only
ends the waiting: it is answered all the same, and the answer can be read with
"conversation". On a terminal it is shown as it is made, elsewhere when it is whole.
What takes long is told on standard error. With --json each step of the answer is one line, as it stands
in the log.`

const sayExample = `  chalie say what is on your mind?
  fortune | chalie say -               what comes on standard input
  chalie say --in work "what's next?"   in a conversation of its own
  chalie say "remember the milk" --json`

// answerPoll is how long one request waits for the next step of an answer. When the first
// one gets none, the person is told.
const (
	answerPoll = 30 * time.Second
	stillAfter = 5 * time.Second
)

func sayCommand(c *cli) *cobra.Command {
	var in string
	cmd := &cobra.Command{
		Use: "say TEXT...", Short: "Tell Chalie something, and read the answer", Long: sayHelp, Example: sayExample,
		Args: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(strings.Join(args, " ")) == "" {
				return &usageError{"TEXT is missing", cmd.CommandPath()}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.running("talking to Chalie").ask(cmd.Context(), func(api *session) error { return c.say(cmd.Context(), api.Client, in, args) })
		},
	}
	cmd.Flags().StringVar(&in, "in", "", "another conversation, by a `NAME` of yours: it has a dialogue of its own")
	return cmd
}

// say sends a message, and waits for the answer.
func (c *cli) say(parent context.Context, api *apiclient.Client, in string, args []string) error {
	text, err := saidText(c, args)
	if err != nil {
		return err
	}
	return c.await(parent, api, func(ctx context.Context) (domain.ID, error) {
		return api.SayIn(ctx, contract.ConversationName{Session: in}, text, apiclient.DeviceZone(c.Zone))
	})
}

// await sends what opens an exchange, and waits for its end.
func (c *cli) await(parent context.Context, api *apiclient.Client, send func(context.Context) (domain.ID, error)) error {
	id, err := send(parent)
	if domain.CodeOf(err) == apiclient.CodeUnreachable {
		return fmt.Errorf("Chalie went away before it confirmed the message: start it again with `%s`, and see with `%s` whether it has it", //nolint:staticcheck // the name is written so
			c.again("serve"), c.again("conversation"))
	}
	if err != nil {
		return err
	}
	ctx, stop := whileWaiting(parent)
	defer stop()
	w, shown := &stillWaiting{cli: c}, &typing{cli: c}
	err = follow(ctx, api, id, w.watching(c.answerPrinter(ctx, api, shown)), func() {
		if !shown.begun() { // else it can be seen how far it is
			w.tell()
		}
	})
	if err != nil {
		_ = shown.leave() // there is more to say about the error
	}
	if err != nil && ctx.Err() != nil {
		return stoppedWaiting{fmt.Errorf("it is answered all the same: `%s` shows the answer, and `%s` how it came to it",
			c.again("conversation"), c.again("trace show "+id.String()))}
	}
	if domain.CodeOf(err) == apiclient.CodeUnreachable {
		return fmt.Errorf("Chalie went away before it answered; the message is kept, and answered after the next start: `%s`, then `%s` shows the answer", //nolint:staticcheck // the name is written so
			c.again("serve"), c.again("conversation"))
	}
	return err
}

// saidText is the arguments, or standard input for a lone dash.
func saidText(c *cli, args []string) (string, error) {
	if len(args) != 1 || args[0] != "-" {
		return strings.Join(args, " "), nil
	}
	text, err := io.ReadAll(io.LimitReader(c.In, domain.MaxTextBytes+1))
	if err != nil {
		return "", fmt.Errorf("standard input can't be read: %w", err)
	}
	return strings.TrimRight(string(text), "\r\n"), nil
}

// follow emits the records of an exchange as they come, through its end. still, if not
// nil, is called after each wait longer than stillAfter.
func follow(ctx context.Context, api *apiclient.Client, id domain.ID, emit func(apiclient.Object[domain.Record]) (end bool, err error), still func()) error {
	query := apiclient.LogQuery{Trace: id.String(), Wait: answerPoll}
	if still != nil {
		query.Wait = stillAfter
	}
	for begun := time.Now(); ; {
		page, err := api.Log(ctx, query)
		if err != nil {
			return err
		}
		for _, object := range page.Records {
			if end, err := emit(object); end || err != nil {
				return err
			}
		}
		query.From = page.Next
		if still != nil && (len(page.Records) == 0 || time.Since(begun) >= stillAfter) {
			still()
			query.Wait = answerPoll
		}
	}
}

// stillWaiting says on standard error that an answer takes long, with its present step:
// first with advice, and again at each new step.
type stillWaiting struct {
	*cli
	step string // the answer's present step, by its frames
	said string // the last step that was printed
}

// watching is emit that also notes the answer's step.
func (w *stillWaiting) watching(emit func(apiclient.Object[domain.Record]) (bool, error)) func(apiclient.Object[domain.Record]) (bool, error) {
	return func(object apiclient.Object[domain.Record]) (bool, error) {
		end, err := emit(object)
		if err != nil || end {
			return end, err
		}
		rec, err := object.Value()
		if err != nil {
			return false, err
		}
		frames, err := domain.Frames(rec, func(domain.ID) (domain.Envelope, error) { return domain.Envelope{}, nil })
		if err != nil {
			return false, nil //nolint:nilerr // the step is unknown
		}
		for _, f := range frames {
			switch {
			case f.Type == domain.FrameNarration:
				w.step = oneLine(f.Message)
			case f.Type == domain.FrameEscalation:
				w.step = "This waits for your approval"
			case f.Type == domain.FrameExchange:
				w.step = "It goes on"
			case f.Type == domain.FrameDelta:
				w.step = "Answering"
			case f.Stage == domain.StageWaiting:
				w.step = "An earlier message is answered first"
			case f.Stage == domain.StageThinking:
				w.step = "Thinking"
			case f.Stage == domain.StageRetrieving:
				w.step = "Looking up what it knows"
			case f.Stage == domain.StageResponding:
				w.step = "Checking its answer"
			}
		}
		return false, nil
	}
}

// tell prints the step. A failure to print is no reason to stop.
func (w *stillWaiting) tell() {
	step := cmp.Or(w.step, "It hasn't begun")
	switch w.said {
	case step:
	case "":
		_, _ = fmt.Fprintf(w.Err, "Still waiting. %s. Ctrl-C ends the waiting and nothing else: the answer comes all the same, and `%s` shows it.\n",
			step, w.again("conversation"))
	default:
		_, _ = fmt.Fprintf(w.Err, "Still waiting. %s.\n", step)
	}
	w.said = step
}

// answerPrinter prints the answer when it has ended, and on a terminal as it is made.
func (c *cli) answerPrinter(ctx context.Context, api *apiclient.Client, shown *typing) func(apiclient.Object[domain.Record]) (bool, error) {
	replies := map[domain.ID]domain.Envelope{}
	return func(object apiclient.Object[domain.Record]) (bool, error) {
		rec, err := object.Value()
		if err != nil {
			return false, err
		}
		end := rec.Envelope.Type == domain.ReasoningConcludedType
		if c.json {
			return end, c.JSON(object)
		}
		if rec.Envelope.Type == domain.ModelRepliedType || rec.Envelope.Type == domain.ToolCompletedType {
			replies[rec.Envelope.ID] = rec.Envelope
		}
		if rec.Envelope.Type == domain.ModelStreamedType {
			p, err := domain.Decode[domain.ModelStreamed](rec.Envelope)
			if domain.CodeOf(err) == domain.CodeErased {
				return false, nil
			}
			return false, errors.Join(err, shown.part(p))
		}
		if slices.Contains(rec.Envelope.Keys, domain.RetractsKey) {
			return false, shown.takeBack("the model failed, or the answer was found wanting")
		}
		if rec.Envelope.Type == domain.ApprovalProposedType {
			return false, errors.Join(shown.leave(), c.waits(ctx, api, rec.Envelope))
		}
		if !end {
			return false, nil
		}
		return true, c.answer(rec, replies, shown)
	}
}

// waits says that an answer waits for the person's decision, with the commands that decide
// it. They go to standard error: what is asked isn't the answer.
func (c *cli) waits(ctx context.Context, api *apiclient.Client, proposal domain.Envelope) error {
	notice, err := domain.ApprovalNotice(proposal)
	if err != nil {
		return err
	}
	commands, err := c.decisions(ctx, api, domain.DecisionButtons(proposal.ID, ""))
	if err != nil || len(commands) == 0 {
		commands = []string{"See `" + c.again("approvals") + "`."}
	}
	_, err = fmt.Fprintf(c.Err, "This waits for your approval: %s.\n%s\nOr say yes or no from elsewhere.\n", oneLine(notice.Summary), strings.Join(commands, "\n"))
	return err
}

// decisions are the commands that stand for the buttons which decide proposals; none of one
// that doesn't wait any more.
func (c *cli) decisions(ctx context.Context, api *apiclient.Client, buttons []domain.Button) ([]string, error) {
	if len(buttons) == 0 {
		return nil, nil
	}
	objects, err := api.Approvals(ctx)
	if err != nil {
		return nil, err
	}
	pending, err := apiclient.Values(objects)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, b := range buttons {
		proposal, granted, ok := b.Decides()
		if !ok {
			continue
		}
		asked, _ := api.Record(ctx, proposal)
		invocation, _ := domain.InvocationOf(asked.Envelope)
		i := slices.IndexFunc(pending, func(p contract.Proposal) bool { return p.InvocationID.ID == invocation })
		if i < 0 {
			continue
		}
		decision := "refuse"
		if granted {
			decision = "grant"
		}
		out = append(out, "  "+b.Label+": `"+c.again("approvals "+decision+" "+pending[i].ProposalToken)+"`")
	}
	return out, nil
}

func (c *cli) answer(rec domain.Record, replies map[domain.ID]domain.Envelope, shown *typing) error {
	concluded, err := domain.Decode[domain.ReasoningConcluded](rec.Envelope)
	if err != nil {
		return err
	}
	if concluded.Outcome == domain.OutcomeFailed {
		why := "it did not say why"
		if len(rec.Envelope.Errors) > 0 {
			why = rec.Envelope.Errors[0].Message
		}
		return fmt.Errorf("Chalie could not answer: %s; see `%s`", why, c.again("trace show "+rec.Envelope.Trace.String())) //nolint:staticcheck // the name is written so
	}
	said, err := domain.SaidIn(rec.Envelope, func(id domain.ID) (domain.Envelope, error) { return replies[id], nil })
	if err != nil {
		return err
	}
	for _, address := range said.Open {
		said.Blocks = append(said.Blocks, domain.TextBlock(opens(address), domain.FormatPlain))
	}
	if err := shown.end(said.Blocks); err != nil {
		return err
	}
	if err := c.buttons(rec.Envelope.Trace.ID, domain.PressablesIn(said.Blocks)); err != nil {
		return err
	}
	return c.Printf("\n%s\n", c.Paint(term.Faint, "How it came to this: "+c.again("trace show "+rec.Envelope.Trace.String())))
}

// opens is the text for an address that a tool wants opened. Terminals turn addresses
// into links, even those of this machine.
func opens(address string) string {
	if to, why := (guest.Host{}).Follow(address); why == guest.Followed {
		return "Open " + to
	}
	return "It would open an address of this machine, or one that is no plain web address: chalie log has it."
}

const cancelHelp = `Cancel ends an answer that is under way, at its next step. What was done for it
by then stays done: the trace shows how far it came. Without an ID it is the
answer to the latest message.`

const cancelExample = `  chalie cancel
  chalie cancel 01KB2V7WYQC3V8P0J6R4T5N9XE`

func cancelCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "cancel [ID]", Short: "End an answer that is under way", Long: cancelHelp, Example: cancelExample,
		Args: cobra.MaximumNArgs(1), ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			var id domain.ID
			if len(args) > 0 {
				var err error
				if id, err = domain.ParseID(args[0]); err != nil {
					return err
				}
			}
			return show(cmd.Context(), c.running("cancelling an answer"), with((*apiclient.Client).Cancel, id), func(cancelled contract.Cancelled) error {
				return c.Printf("It ends at its next step. How far it came: %s\n", c.again("trace show "+cancelled.ExchangeID.ID.String()))
			})
		},
	}
}
