package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"chalie/cmd/chalie/internal/term"
	"chalie/domain"
	"chalie/replay/draw"
	"chalie/replay/explain"
	"chalie/replay/narrate"
)

const whyHelp = `Why tells why something is as it is: in sentences, and below them as a tree of its
causes, back to the first, over all traces. Under each envelope stands what it
came of, and what it rests on with its weight. The numbers are those of then.

ID is last, for the last thing Chalie said; the id of an exchange, a notification,
a tool's call, a reminder or any envelope, as ULID, UUID or 32 hex digits; the
position of a record in the log; seq: and the number of a frame that a client got;
or words of what Chalie said, or of what that rests on: of what has them all the
latest is meant. An exchange and a call are explained by what came of them.

With --svg, --dot or --mermaid it draws the causes instead. The other direction,
what something led to, is "effects".`

const whyExample = `  chalie why                           the last thing it said
  chalie why 01KB2V7WYQC3V8P0J6R4T5N9XE
  chalie why 42                        the record at position 42
  chalie why bins strike               what it said last with these words
  chalie why seq:688 --json            the frame with that number, as one object
  chalie why --svg > why.svg           as a picture`

func whyCommand(c *cli) *cobra.Command {
	return explaining(c, explain.Back, &cobra.Command{
		Use: "why [ID|WORDS|last]", Short: "Tell why Chalie said or did something", Long: whyHelp, Example: whyExample,
	})
}

const effectsHelp = `Effects tells what something led to: in sentences, and below them as a tree, over
all traces. Under each envelope stands what it caused, and what rests on it with
its weight. It is "why" in the other direction.

ID is as for "why", and means the very envelope: an exchange's is its message, a
pairing's leads to everything the interface sent.

What was caused is found wherever it stands in the log. What rests on it is looked
for in the 20,000 conclusions after it; when there are more, it says so.`

const effectsExample = `  chalie effects 01KB2V7WYQC3V8P0J6R4T5N9XE
  chalie effects 42                    the record at position 42
  chalie effects 42 --svg > led-to.svg`

func effectsCommand(c *cli) *cobra.Command {
	return explaining(c, explain.Forward, &cobra.Command{
		Use: "effects [ID|WORDS|last]", Short: "Tell what something led to", Long: effectsHelp, Example: effectsExample,
	})
}

// explaining gives a command the arguments, the flags and the behaviour of why.
func explaining(c *cli, direction explain.Direction, cmd *cobra.Command) *cobra.Command {
	var drawn drawing
	cmd.ValidArgsFunction = cobra.FixedCompletions([]string{"last"}, cobra.ShellCompDirectiveNoFileComp)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		target := whyTarget(args)
		format, err := drawn.format(cmd, c)
		if err != nil {
			return err
		}
		return c.explain(cmd, direction, target, format)
	}
	drawn.flags(cmd)
	return cmd
}

// explain requests an explanation and writes it.
func (c *cli) explain(cmd *cobra.Command, direction explain.Direction, target, format string) error {
	return c.log().ask(cmd.Context(), func(api *session) error {
		if format != "" {
			picture, err := api.Picture(cmd.Context(), target, direction, format, c.Zone)
			if err != nil {
				return whyRefused(cmd, c, err)
			}
			_, err = c.Out.Write(picture)
			return err
		}
		ask := api.Why
		if direction == explain.Forward {
			ask = api.Effects
		}
		answer, err := ask(cmd.Context(), target, c.Zone)
		return writeAnswer(c, answer, whyRefused(cmd, c, err), c.why)
	})
}

// whyTarget is what the arguments name, as the API takes it: several are words of it, none
// is the last, and a bare number is a position here, as in all commands, with its
// thousands apart as it is shown.
func whyTarget(args []string) string {
	if len(args) == 0 {
		return "last"
	}
	plain := strings.ReplaceAll(args[0], ",", "")
	if pos, err := strconv.ParseUint(plain, 10, 63); err == nil && len(plain) <= 19 && len(args) == 1 {
		return "pos:" + strconv.FormatUint(pos, 10)
	}
	return strings.Join(args, " ")
}

// whyRefused adds advice to the error for an unknown target.
func whyRefused(cmd *cobra.Command, c *cli, err error) error {
	switch domain.CodeOf(err) {
	case "nothing_said":
		return fmt.Errorf("nothing was said yet, so there is nothing to explain; begin with `%s`", c.again("say hello"))
	case "invalid":
		if e, ok := errors.AsType[*domain.Error](err); ok {
			return &usageError{e.Message, cmd.CommandPath()}
		}
	}
	return err
}

// withPositions are sentences with the position of each record that the table below
// doesn't list, so that it can be asked about.
func withPositions(sentences [][]narrate.Part, listed map[domain.Position]bool) []string {
	var out []string
	for _, parts := range sentences {
		var told strings.Builder
		for _, part := range parts {
			told.WriteString(part.Text)
			if part.About != nil && !listed[part.About.Position] {
				fmt.Fprintf(&told, " [%d]", part.About.Position)
			}
		}
		out = append(out, told.String())
	}
	return out
}

// why writes an explanation: sentences first, then the tree.
func (c *cli) why(why explain.Explanation) error {
	listed := map[domain.Position]bool{}
	for _, n := range why.Nodes {
		listed[n.Position] = true
	}
	if err := c.Sentences(withPositions(why.Parts, listed)); err != nil {
		return err
	}
	if err := c.Println(); err != nil {
		return err
	}
	at := c.Zoned("AT")
	return c.Table([]term.Column{
		{Title: c.Fitting("POSITION", "POS"), Right: true}, {Title: at, Spare: 1}, {Title: "ENVELOPE", Cut: true}, {Title: "AS", Cut: true}, {Title: "WHAT", Flex: true},
	}, newWhyTree(why).rows(c))
}

// drawing are the flags that ask for a picture.
type drawing struct{ svg, dot, mermaid bool }

func (d *drawing) flags(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&d.svg, "svg", false, "draw it, as an SVG picture")
	cmd.Flags().BoolVar(&d.dot, "dot", false, "write it as a graph for Graphviz")
	cmd.Flags().BoolVar(&d.mermaid, "mermaid", false, "write it as a Mermaid flowchart")
}

// format is the requested format; "" for words.
func (d *drawing) format(cmd *cobra.Command, c *cli) (string, error) {
	format := ""
	for _, asked := range []struct {
		is   bool
		name string
	}{{c.json, "json"}, {d.svg, string(draw.SVG)}, {d.dot, string(draw.DOT)}, {d.mermaid, string(draw.Mermaid)}} {
		switch {
		case !asked.is:
		case format != "":
			return "", &usageError{"--" + format + " and --" + asked.name + " can't both be had: give one of them", cmd.CommandPath()}
		default:
			format = asked.name
		}
	}
	if format == "json" {
		return "", nil
	}
	return format, nil
}

// whyTree puts causes below their effects, or, forward, effects below their causes. An
// envelope has its subtree once, at the place nearest to the target; elsewhere its line
// only refers to it.
type whyTree struct {
	root    domain.ID
	forward bool
	nodes   map[domain.ID]explain.Node
	further map[domain.ID][]branching // by what they stand below
	under   map[domain.ID]domain.ID   // below which an envelope stands in full
}

// branching is an edge in the tree's direction.
type branching struct {
	to   domain.ID
	edge explain.Edge
}

func newWhyTree(why explain.Explanation) *whyTree {
	t := &whyTree{
		root: why.Target.ID, forward: why.Direction == explain.Forward,
		nodes: map[domain.ID]explain.Node{}, further: map[domain.ID][]branching{}, under: map[domain.ID]domain.ID{},
	}
	for _, n := range why.Nodes {
		t.nodes[n.ID] = n
	}
	for _, e := range why.Edges {
		at, next := e.To, e.From
		if t.forward {
			at, next = e.From, e.To
		}
		t.further[at] = append(t.further[at], branching{next, e})
		// Edges are ordered from the nearest on.
		if _, placed := t.under[next]; !placed && next != t.root {
			t.under[next] = at
		}
	}
	return t
}

// rows are the lines of the tree.
func (t *whyTree) rows(c *cli) [][]term.Cell {
	var out [][]term.Cell
	t.visit(c, t.root, "", nil, &out)
	return out
}

// visit writes an envelope and its subtree. Its depth is bounded by the number of
// envelopes in an answer.
func (t *whyTree) visit(c *cli, id domain.ID, as string, last []bool, out *[][]term.Cell) {
	n := t.nodes[id]
	if n.Missing {
		*out = append(*out, []term.Cell{term.Faint.Of(""), term.Faint.Of(""), term.Plain.Of(id.String()).Behind(term.Branch(last)), term.Plain.Of(as), term.Faint.Of(n.Label)})
		return
	}
	*out = append(*out, []term.Cell{
		term.Faint.Of(grouped(uint64(n.Position))), term.Faint.Of(c.Moment(n.RecordedAt)), term.Plain.Of(string(n.Type)).Behind(term.Branch(last)),
		term.Plain.Of(as), term.Bold.Of(n.Label),
	})
	below := t.below(id)
	for i, b := range below {
		deeper := append(slices.Clone(last), i == len(below)-1)
		if t.under[b.to] == id {
			t.visit(c, b.to, t.roleOf(b.edge), deeper, out)
			continue
		}
		other := t.nodes[b.to]
		*out = append(*out, []term.Cell{
			term.Faint.Of(grouped(uint64(other.Position))), term.Faint.Of(""), term.Plain.Of(string(other.Type)).Behind(term.Branch(deeper)),
			term.Plain.Of(t.roleOf(b.edge)), term.Faint.Of("(on its own line)"),
		})
	}
}

// below are the edges below an envelope, one for each neighbour: evidence goes before
// parent, because it says more.
func (t *whyTree) below(id domain.ID) []branching {
	var out []branching
	for _, b := range t.further[id] {
		at := slices.IndexFunc(out, func(o branching) bool { return o.to == b.to })
		switch {
		case at < 0:
			out = append(out, b)
		case out[at].edge.Weight == nil:
			out[at] = b
		}
	}
	return out
}

// roleOf tells the role of a cause.
func (t *whyTree) roleOf(e explain.Edge) string {
	role := oneLine(spelt(e.Role))
	if t.forward && e.Role == explain.RoleParent {
		role = "caused"
	}
	if e.Weight == nil {
		return role
	}
	return fmt.Sprintf("%s %s", role, domain.PPMOf(*e.Weight))
}
