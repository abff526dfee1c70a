package main

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"chalie/adapters/apiclient"
	"chalie/adapters/unixsocket"
	"chalie/domain"
)

const logHelp = `Log shows what was recorded, oldest first: every record unless narrowed.

Each line is one envelope: its position in the log, when it was recorded, what
it is, who is accountable for it, and what it says in short. With --json each
line is the whole record.`

const logExample = `  chalie log --since 1h
  chalie log --type signal.received --follow
  chalie log --limit 20 --json | jq .envelope.payload
  chalie log --trace 01KB2V7WYQC3V8P0J6R4T5N9XE`

// logFlags narrow and follow.
type logFlags struct {
	topic, event, trace string
	since               moment
	limit               int
	follow              bool
}

func logCommand(c *cli) *cobra.Command {
	var f logFlags
	cmd := &cobra.Command{
		Use: "log", Short: "Show what was recorded", Long: logHelp, Example: logExample, Args: exactly(),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.limit < 0 {
				return &usageError{fmt.Sprintf("--limit is %d: give 0 for all, or more", f.limit), cmd.CommandPath()}
			}
			api, err := f.connect(cmd.Context(), c)
			if err != nil {
				return err
			}
			defer api.Close()
			emit, header := c.recordPrinter()
			if f.follow {
				if err := header(); err != nil {
					return err
				}
			}
			last, err := f.print(cmd.Context(), api.Client, emit, func() error {
				return f.nothing(cmd.Context(), c, api.Client, cmd.CommandPath())
			})
			if f.follow && gone(err) {
				return fmt.Errorf("the log ended after position %d because Chalie stopped; start it again with `%s`", last, c.again("serve"))
			}
			return err
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.topic, "topic", "", "only this topic")
	flags.StringVar(&f.event, "type", "", "only this event type")
	flags.StringVar(&f.trace, "trace", "", "only this trace: its id as ULID, UUID or 32 hex digits")
	c.timeFlag(cmd, &f.since, "since", "only what was recorded since: "+sayTime, false)
	flags.IntVar(&f.limit, "limit", 0, "at most so many records; 0 is all")
	flags.BoolVarP(&f.follow, "follow", "f", false, "wait for more until interrupted")
	complete(cmd, "topic", catalogueNames(topicName))
	complete(cmd, "type", catalogueNames(typeName))
	return cmd
}

func complete(cmd *cobra.Command, flag string, fn cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, fn); err != nil {
		panic(err) // the command has no such flag
	}
}

func (f logFlags) connect(ctx context.Context, c *cli) (*session, error) {
	if f.follow {
		return connectToRunning(ctx, c, "following the log")
	}
	return connect(ctx, c, recordsOnly)
}

// followWait is how long one question waits for the next record.
const followWait = 20 * time.Second

// gone reports whether the program that was asked is not there any more.
func gone(err error) bool {
	switch domain.CodeOf(err) {
	case unixsocket.CodeNotRunning, apiclient.CodeUnreachable, domain.CodeClosed:
		return true
	}
	return false
}

// print pages through the log, and returns the last position it came to.
// Following, it goes on asking from there. It calls nothing when no record
// matches until now.
func (f logFlags) print(ctx context.Context, api *apiclient.Client, emit func(apiclient.Object[domain.Record]) error, nothing func() error) (last domain.Position, err error) {
	q := apiclient.LogQuery{Topic: f.topic, Type: f.event, Trace: f.trace, Since: f.since.asked}
	for left := f.limit; ; {
		q.Limit = apiclient.MaxLogPage
		if f.limit > 0 {
			q.Limit = min(left, q.Limit)
		}
		page, err := api.Log(ctx, q)
		if err != nil {
			return last, err
		}
		if q.From == 0 && len(page.Records) == 0 {
			if err := nothing(); err != nil {
				return last, err
			}
		}
		for _, rec := range page.Records {
			if err := emit(rec); err != nil {
				return last, err
			}
			if left--; f.limit > 0 && left == 0 {
				return last, nil
			}
		}
		q.From, last = page.Next, page.Next-1
		switch {
		case page.Cut || len(page.Records) == q.Limit:
		case f.follow:
			q.Wait = followWait
		default:
			return last, nil
		}
	}
}
