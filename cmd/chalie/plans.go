package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands"
	"chalie/domain"
)

const plansHelp = `Plans are the reminders, appointments, tasks and lists that Chalie keeps for you.
You make and change them by talking to Chalie, or with the tools remind, reminder,
appointment, task and list.`

const plansExample = `  chalie plans list
  chalie plans list --ended            those that were told, over, done or dropped lately, too
  chalie plans show shopping           what is on a list
  chalie tool invoke remind text="call Anna tomorrow at 8"
  chalie tool invoke appointment what=dentist when="on Friday from 3 to 4pm"
  chalie tool invoke task action=complete which="tax return"`

func plansCommand(c *cli) *cobra.Command {
	return noun(&cobra.Command{Use: "plans", Short: "Show reminders, appointments, tasks and lists", Long: plansHelp, Example: plansExample},
		plansListCommand(c), plansShowCommand(c))
}

func plansListCommand(c *cli) *cobra.Command {
	var ended bool
	var at moment
	cmd := &cobra.Command{
		Use: "list", Short: "List what is planned, what is due next first", Args: exactly(),
		Example: "  chalie plans list\n  chalie plans list --ended\n  chalie plans list --at -2d",
		RunE:    func(cmd *cobra.Command, _ []string) error { return listPlans(cmd, c, at, ended) },
	}
	c.asOfFlag(cmd, &at)
	cmd.Flags().BoolVar(&ended, "ended", false, "those that were told, over, done or dropped lately, too")
	return cmd
}

// listPlans shows the plans now or at a past moment.
func listPlans(cmd *cobra.Command, c *cli, at moment, ended bool) error {
	if at.given != "" {
		return show(cmd.Context(), c.foldsAt(at), with((*apiclient.Client).PlansThen, at.asked), func(then contract.Plans) error {
			if err := c.asOf(*then.AsOf); err != nil {
				return err
			}
			return c.plans(then, ended)
		})
	}
	return show(cmd.Context(), c.folds(), (*apiclient.Client).Plans, func(p contract.Plans) error { return c.plans(p, ended) })
}

func plansShowCommand(c *cli) *cobra.Command {
	return &cobra.Command{
		Use: "show NAME", Short: "Show one plan, by its id or the name of a list", Args: exactly("NAME"),
		Example: "  chalie plans show shopping",
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.folds().ask(cmd.Context(), func(api *session) error {
				object, err := api.Plans(cmd.Context())
				if err != nil {
					return err
				}
				plans, err := object.Value()
				if err != nil {
					return err
				}
				return c.onePlan(plans, args[0])
			})
		},
	}
}

func (c *cli) plans(p contract.Plans, ended bool) error {
	if !ended {
		p.Ended = nil
	}
	if len(p.Reminders)+len(p.Appointments)+len(p.Tasks)+len(p.Others)+len(p.Lists)+len(p.Ended) == 0 {
		return c.Println("Nothing is planned.")
	}
	for _, section := range []struct {
		title string
		plans []contract.Plan
		when  func(contract.Plan) string
	}{
		{"REMINDER", p.Reminders, c.dueIn}, {"APPOINTMENT", p.Appointments, c.dueIn}, {"TASK", p.Tasks, c.dueIn}, {"OTHER", p.Others, c.dueIn}, {"ENDED", p.Ended, c.endedIn},
	} {
		if len(section.plans) == 0 {
			continue
		}
		columns := []term.Column{{Title: "ID", Cut: true, Spare: 2}, {Title: section.title, Flex: true}, {Title: c.Zoned("WHEN"), Cut: true, Spare: 1}}
		rows := make([][]term.Cell, 0, len(section.plans))
		for _, one := range section.plans {
			rows = append(rows, []term.Cell{term.Faint.Of(one.ID.UUID()), term.Bold.Of(planLine(one)), term.Plain.Of(section.when(one))})
		}
		if err := c.Table(columns, rows); err != nil {
			return err
		}
		if err := c.Println(); err != nil {
			return err
		}
	}
	for _, l := range p.Lists {
		if err := c.Printf("List %s: %s\n", c.Paint(term.Bold, oneLine(l.Name)), counted(len(l.Items), "entry", "entries")); err != nil {
			return err
		}
	}
	return nil
}

func planLine(p contract.Plan) string {
	if p.Kind == domain.ItemTask && p.Percent > 0 {
		return fmt.Sprintf("%s (%d %%)", p.Text, p.Percent)
	}
	return p.Text
}

func (c *cli) dueIn(p contract.Plan) string {
	if p.Due == nil {
		return "no deadline"
	}
	text := c.at(p.Due.Time)
	if p.Kind == domain.ItemAppointment {
		text = c.lasting(p) + domain.Appointment{Place: p.Place, People: p.People}.PlaceAndPeople(p.Text)
	}
	if p.Recurrence != nil {
		text += ", " + *p.Recurrence
	}
	if p.Overdue {
		text += ", overdue"
	}
	return text
}

// lasting is from when to when an appointment is.
func (c *cli) lasting(p contract.Plan) string {
	switch {
	case p.AllDay:
		return p.Due.In(commands.ZoneOf(p.Zone)).Format(time.DateOnly) + ", all day"
	case p.Ends == nil:
		return c.at(p.Due.Time)
	}
	from, to := p.Due.In(c.Zone), p.Ends.In(c.Zone)
	if from.Format(time.DateOnly) == to.Format(time.DateOnly) {
		return c.at(p.Due.Time) + " to " + to.Format("15:04")
	}
	return c.at(p.Due.Time) + " to " + c.at(p.Ends.Time)
}

func (c *cli) endedIn(p contract.Plan) string {
	if p.EndedAt == nil {
		return string(p.Standing)
	}
	return string(p.Standing) + " " + c.at(p.EndedAt.Time)
}

func (c *cli) at(t time.Time) string { return c.Moment(domain.MillisOf(t)) }

// zonedAt is a time with its zone, where no heading names it.
func (c *cli) zonedAt(t time.Time) string { return c.ZonedMoment(domain.MillisOf(t)) }

// onePlan shows a reminder, an appointment, a task or a list.
func (c *cli) onePlan(p contract.Plans, name string) error {
	id, _ := domain.ParseID(name)
	for _, group := range [][]contract.Plan{p.Reminders, p.Appointments, p.Tasks, p.Others, p.Ended} {
		for _, one := range group {
			if one.ID.ID != id {
				continue
			}
			if c.json {
				return c.JSON(one)
			}
			return c.planDetails(one)
		}
	}
	for _, l := range p.Lists {
		if l.ID.ID != id && l.Name != name {
			continue
		}
		if c.json {
			return c.JSON(l)
		}
		entries := make([]string, len(l.Items))
		for i, item := range l.Items {
			entries[i] = item.Text
		}
		if len(entries) == 0 {
			entries = []string{"(nothing)"}
		}
		return c.Blocks([]domain.Block{domain.HeaderBlock(l.Name, 1), domain.ListBlock(entries...)})
	}
	return fmt.Errorf("no plan has the id %q, and no list that name; see `%s`", name, c.again("plans list --ended"))
}

func (c *cli) planDetails(p contract.Plan) error {
	lines := []string{fmt.Sprintf("%s, %s", p.Kind, p.Standing)}
	if p.Due != nil {
		word := "due "
		if p.Kind == domain.ItemAppointment {
			word = "takes place "
		}
		lines = append(lines, word+c.dueIn(p)+", set in "+p.Zone)
	}
	for _, moment := range []struct {
		word string
		at   *contract.Timestamp
	}{{"set", p.SetAt}, {"to be told", p.TellAt}, {"told", p.ToldAt}, {"ended", p.EndedAt}} {
		if moment.at != nil {
			lines = append(lines, moment.word+" "+c.zonedAt(moment.at.Time))
		}
	}
	return c.Blocks([]domain.Block{domain.HeaderBlock(planLine(p), 1), domain.ListBlock(lines...)})
}
