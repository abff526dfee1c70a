package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	contract "chalie/adapters/api"
	"chalie/adapters/apiclient"
	"chalie/cmd/chalie/internal/term"
	"chalie/commands/setting"
	"chalie/domain"
	"chalie/replay/narrate"
)

const setHelp = `Settings are the parameters that decisions are made by: how fast what was heard
fades, from which score on something is told, how long Chalie keeps quiet after it told
something. Why-not names the one that would have changed a decision, and "replay --set"
tries it on the past; set changes it for every decision from now on. Each change is
recorded, is named by the why of what was decided under it, and can be taken back.

Without a name all are listed, with what you don't want to be told unasked; with a name alone
it shows one, with its changes.`

const setExample = `  chalie set
  chalie set surfaces 0.37       what is told when it bears on a plan by this much
  chalie set surfaces --undo     back to what it was before
  chalie set surfaces default    what Chalie comes with
  chalie set --restore ID        tell again of what you didn't want to be told
  chalie set --at -2d            what was set then
  chalie set keep_signals 90d --preview   what would go by that; nothing is set
  chalie set keep_signals 90d    what was heard goes when it is older and nothing rests on it`

func setCommand(c *cli) *cobra.Command {
	var at moment
	var undo, preview bool
	var restore string
	cmd := &cobra.Command{
		Use: "set [SETTING [VALUE]]", Short: "Show and change what decisions are made by", Long: setHelp, Example: setExample,
		Args: func(cmd *cobra.Command, args []string) error {
			switch most := 2; {
			case len(args) > most:
				return &usageError{fmt.Sprintf("%q is one argument too many", args[most]), cmd.CommandPath()}
			case restore != "" && (undo || at.given != "" || len(args) > 0):
				return &usageError{"--restore tells again of one thing that isn't told: give its id, and nothing else", cmd.CommandPath()}
			case preview && (undo || at.given != "" || len(args) == 0 || !keeps(args[0])):
				return &usageError{"--preview shows what would go by a time to keep: give keep_signals or keep_reasoning, and a time if it isn't the one that is set", cmd.CommandPath()}
			case undo && len(args) != 1:
				return &usageError{"--undo takes back the latest change of one setting: give its name, and no value", cmd.CommandPath()}
			case at.given != "" && (undo || len(args) == most):
				return &usageError{"the past can't be changed: leave out --at, or the change", cmd.CommandPath()}
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return settingWords(args), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx, changing := cmd.Context(), c.running("changing a setting")
			switch {
			case restore != "":
				return show(ctx, c.running("telling again"), with((*apiclient.Client).Restore, restore), func(contract.OK) error {
					return c.Printf("You are told of it again.\n")
				})
			case preview:
				return show(ctx, c.folds(), with((*apiclient.Client).Retention, asGiven(args)), c.retention)
			case undo:
				return show(ctx, changing, with((*apiclient.Client).UndoSetting, args[0]), c.wasSet)
			case len(args) > 1:
				err := show(ctx, changing, with2((*apiclient.Client).Set, args[0], args[1]), c.wasSet)
				if err != nil || c.json || !keeps(args[0]) {
					return err
				}
				return show(ctx, changing, with((*apiclient.Client).Retention, map[string]string{}), c.retention)
			case len(args) == 1:
				if _, err := domain.DefaultParams().Of(args[0]); err != nil {
					return err
				}
			}
			ask := (*apiclient.Client).Settings
			if at.given != "" {
				ask = with((*apiclient.Client).SettingsThen, at.asked)
			}
			err := show(ctx, c.foldsAt(at), ask, func(in contract.Settings) error { return c.settings(in, args) })
			if err != nil || c.json || at.given != "" || len(args) != 1 || !keeps(args[0]) {
				return err
			}
			return show(ctx, c.folds(), with((*apiclient.Client).Retention, map[string]string{}), c.retention)
		},
	}
	c.asOfFlag(cmd, &at)
	cmd.Flags().StringVar(&restore, "restore", "", "tell again of what isn't told, by its id")
	cmd.Flags().BoolVar(&preview, "preview", false, "show what would go by a time to keep, and set nothing")
	cmd.Flags().BoolVar(&undo, "undo", false, "take back the latest change of the setting")
	return cmd
}

// keeps reports whether a setting is a time to keep.
func keeps(name string) bool { return strings.HasPrefix(name, "keep_") }

// asGiven is a setting as it was typed, by its name; nothing where only a name was.
func asGiven(args []string) map[string]string {
	if len(args) < 2 {
		return nil
	}
	return map[string]string{args[0]: args[1]}
}

// settingWords are what can stand behind the words so far.
func settingWords(args []string) (out []string) {
	for _, p := range domain.DefaultParams().Listed() {
		switch {
		case len(args) == 0:
			out = append(out, p.Name+"\t"+p.Meaning)
		case len(args) == 1 && p.Name == args[0]:
			out = append(out, setting.Default+"\t"+p.Value, p.Value)
		}
	}
	return out
}

// wasSet tells what a setting is now.
func (c *cli) wasSet(s contract.Setting) error {
	now := s.Name + " is " + s.Value
	if s.IsDefault {
		now += ", which Chalie comes with"
	}
	if s.Changed == nil {
		return c.Printf("%s.\n", now)
	}
	if err := c.Printf("%s, for every decision from now on. It was %s.\n", now, oneLine(s.Changed.From)); err != nil || s.Undo == nil {
		return err
	}
	return c.Printf("To take back the change to %s: %s\n", oneLine(s.Undo.To), c.again("set "+s.Name+" --undo"))
}

// settings lists all settings, or the one named.
func (c *cli) settings(in contract.Settings, named []string) error {
	if in.AsOf != nil {
		if err := c.asOf(*in.AsOf); err != nil {
			return err
		}
	}
	var rows [][]term.Cell
	for _, s := range in.Settings {
		if len(named) > 0 && s.Name != named[0] {
			continue
		}
		value := term.Plain.Of(s.Value)
		if !s.IsDefault {
			value = term.Bold.Of(s.Value)
		}
		rows = append(rows, []term.Cell{term.Bold.Of(s.Name), value, term.Plain.Of(s.Default), term.Plain.Of(s.Bounds), term.Plain.Of(s.Meaning)})
	}
	columns := []term.Column{{Title: "SETTING"}, {Title: "IS"}, {Title: "BY DEFAULT"}, {Title: "BOUNDS"}, {Title: "MEANING", Flex: true}}
	if err := c.Table(columns, rows); err != nil {
		return err
	}
	if len(named) == 0 {
		return c.silenced(in.Silenced)
	}
	return c.settingChanges(slices.DeleteFunc(in.Changes, func(s contract.SettingChange) bool { return s.Name != named[0] }))
}

// silenced lists what the person doesn't want to be told.
func (c *cli) silenced(all []contract.Silenced) error {
	if len(all) == 0 {
		return nil
	}
	if err := c.Printf("\nWhat you aren't told unasked:\n"); err != nil {
		return err
	}
	rows := make([][]term.Cell, 0, len(all))
	for _, one := range all {
		rows = append(rows, []term.Cell{term.Bold.Of(oneLine(one.SignalType)), term.Plain.Of(oneLine(one.Source)), term.Plain.Of(c.Moment(one.At)), term.Plain.Of(one.EnvelopeID.String())})
	}
	if err := c.Table([]term.Column{{Title: "KIND"}, {Title: "FROM", Flex: true}, {Title: c.Zoned("SINCE")}, {Title: "ENVELOPE"}}, rows); err != nil {
		return err
	}
	return c.Printf("To be told of one again: %s\n", c.again("set --restore ENVELOPE"))
}

// settingChanges lists the changes of a setting.
func (c *cli) settingChanges(changes []contract.SettingChange) error {
	if len(changes) == 0 {
		return c.Printf("\nIt was never changed.\n")
	}
	if err := c.Printf("\n"); err != nil {
		return err
	}
	rows := make([][]term.Cell, 0, len(changes))
	for _, s := range changes {
		what := narrate.Setting(domain.SettingsChanged{Name: s.Name, From: s.From, To: s.To, Default: s.Default, Undoes: s.Undoes})
		if s.Undone {
			what += " (taken back)"
		}
		rows = append(rows, []term.Cell{term.Plain.Of(c.Moment(s.At)), term.Plain.Of(string(s.By)), term.Plain.Of(oneLine(what)), term.Plain.Of(s.EnvelopeID.String())})
	}
	return c.Table([]term.Column{{Title: c.Zoned("AT")}, {Title: "BY"}, {Title: "CHANGE", Flex: true}, {Title: "ENVELOPE"}}, rows)
}
