package domain

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// ToolChange is one thing that a tool says of itself otherwise than before. Its texts are to be
// shown as they are: see ShownText.
type ToolChange struct {
	What string `json:"what" doc:"Such as: description, parameter password."`
	Was  string `json:"was" doc:"Empty when it said nothing of it."`
	Is   string `json:"is" doc:"Empty when it says nothing of it now."`
}

// ToolChanges are the differences between two versions of a tool, side by side.
func ToolChanges(was, is Tool) []ToolChange {
	out := []ToolChange{}
	add := func(what, before, now string) {
		if before != now {
			out = append(out, ToolChange{what, ShownText(before), ShownText(now)})
		}
	}
	add("description", was.Description, is.Description)
	add("documentation", was.Documentation, is.Documentation)
	add("says of itself", was.ofItself(), is.ofItself())
	var names []string
	for _, p := range slices.Concat(was.Parameters, is.Parameters) {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	for _, name := range names {
		add("parameter "+ShownText(name), was.parameter(name), is.parameter(name))
	}
	json := func(what string, before, now json.RawMessage) {
		if !sameJSON(orNull(before), orNull(now)) {
			out = append(out, ToolChange{what, Shown(before), Shown(now)})
		}
	}
	json("schema", was.Schema, is.Schema)
	json("returns", was.Returns, is.Returns)
	add("effects", strings.Join(was.Effects, "; "), strings.Join(is.Effects, "; "))
	add("requires", strings.Join(was.Requires, ", "), strings.Join(is.Requires, ", "))
	add("state", was.StateSnapshot, is.StateSnapshot)
	return out
}

// ofItself is what a tool says to the policy, in words; "" for nothing.
func (t Tool) ofItself() string {
	said := []string{}
	if hints := t.Hints.InWords(); hints != "" {
		said = append(said, hints)
	}
	if t.SideEffects != nil {
		said = append(said, map[bool]string{true: "changes something", false: "changes nothing"}[*t.SideEffects])
	}
	if t.RequiresApproval {
		said = append(said, "asks for approval")
	}
	if t.Autonomy != "" {
		said = append(said, "autonomy "+string(t.Autonomy))
	}
	return cmp.Or(strings.Join(said, ", "), "nothing")
}

// parameter is a parameter in a line; "" when there is none of the name.
func (t Tool) parameter(name string) string {
	i := slices.IndexFunc(t.Parameters, func(p Parameter) bool { return p.Name == name })
	if i < 0 {
		return ""
	}
	p := t.Parameters[i]
	out := string(p.Type)
	if p.Required {
		out += ", required"
	}
	if p.Description != "" {
		out += fmt.Sprintf(": %s", p.Description)
	}
	return out
}
