package builtinmodel

import (
	"fmt"
	"strings"
)

// maxListNameWords bounds the name of a list: what is longer is something else.
const maxListNameWords = 4

// list hears who wants something on a list, off it, or to see it.
func (l listener) list(s said) (intent, bool) {
	const whose = "the|my|our|a|that|this?"
	if c, ok := s.any("put|add|write|note something? on|onto|to|in "+whose+" list", "put|add|write|note something? on|onto|to|in "+whose+" *list list"); ok {
		return l.listed("add", c)
	}
	if c, ok := s.any("put|add|write|note|stick|place|get *item on|onto|to|in|into "+whose+" new? list", "put|add|write|note|stick|place|get *item on|onto|to|in|into "+whose+" new? *list list",
		"put|add|write|note|stick|place|get *item on|onto|to|in|into "+whose+" new? list called|named *list"); ok {
		return l.listed("add", c)
	}
	if c, ok := s.any("make|create|start|begin me? a|another new? *list list with *item", "make|create|start|begin me? a|another new? list called|named *list with *item"); ok {
		return l.listed("add", c)
	}
	if c, ok := s.any("take|remove|delete|drop|strike|cross|scratch|get *item off|from "+whose+" list", "take|remove|delete|drop|strike|cross|scratch|get *item off|from "+whose+" *list list",
		"take|cross|strike|scratch off *item from|on "+whose+" *list list", "take|remove|cross *item out of "+whose+" *list list", "tick|check *item off|on "+whose+" list", "tick|check *item off|on "+whose+" *list list"); ok {
		return l.listed("remove", c)
	}
	if c, ok := s.any("delete|remove|drop|clear|empty "+whose+" whole|entire? *list list", "delete|remove|drop|clear|empty "+whose+" list", "delete|remove|drop the|my list called|named *list"); ok {
		return l.listed("drop", c)
	}
	if c, ok := s.any("what is|are on|in "+whose+" list", "what is|are on|in "+whose+" *list list", "what do i|we have on|in "+whose+" list", "what do i|we have on|in "+whose+" *list list",
		"show|read|tell|give me? "+whose+" list", "show|read|tell|give me? "+whose+" *list list", "is|are there anything|something on "+whose+" *list list", "is|are *item on "+whose+" list", "is|are *item on "+whose+" *list list", "my|the|our|shopping|grocery *list list", "shopping|grocery list"); ok {
		if _, bare := s.any("shopping|grocery list"); bare {
			return intent{tool: skillList, params: map[string]any{"action": "show", "list": s.part(0, 1)}}, true
		}
		return l.listed("show", c)
	}
	return intent{}, false
}

// listed is what is to happen to a list. What is to be done is a task, whatever
// list it is said to stand on.
func (l listener) listed(action string, c captured) (intent, bool) {
	name, item := c.get("list"), c.get("item")
	n := c.sentence("list")
	if len(n.words) > maxListNameWords || hasAny(n, "and", "or", "on", "to", "list", "off", "from", "of", "with", "is", "my", "do") && !isTaskList(n) {
		return intent{}, false
	}
	if n.is(0, "new", "the", "a", "an", "this", "that", "blank", "empty", "previous", "specific", "next", "last", "any", "me", "following", "available") || isPointing(item) || c.sentence("item").is(0, "out", "rid", "off", "me") {
		return intent{}, false
	}
	if isTaskList(c.sentence("list")) {
		return l.onTasks(action, c)
	}
	if c.said.question && action != "show" {
		return intent{}, false
	}
	out := intent{tool: skillList, params: map[string]any{"action": action}}
	if name != "" {
		out.params["list"] = name
	}
	switch {
	case action == "show" || action == "drop":
		return out, true
	case item == "":
		out.missing, out.subject = "item", "item"
		out.ask = "What should go on the list?"
		if name != "" {
			out.ask = fmt.Sprintf("What should go on the list %s?", mention(name))
		}
	default:
		out.params["item"], out.subject = itemsOf(c.sentence("item")), "item"
	}
	return out, true
}

// itemsOf are entries with commas between them, as lists take them. What is in
// quotation marks is one entry.
func itemsOf(s said) string {
	var out []string
	from := 0
	for i := range s.words {
		if s.is(i, "and") {
			out, from = append(out, s.part(from, i)), i+1
		} else if s.words[i].stop && !s.words[i].quoted && i < len(s.words)-1 {
			out, from = append(out, s.part(from, i+1)), i+1
		}
	}
	out = append(out, s.part(from, len(s.words)))
	if len(out) > 1 && strings.Contains(out[len(out)-1], " and ") {
		return s.all() // whoever keeps the list would take the last for two
	}
	var items []string
	for _, item := range out {
		s, ok := read(item)
		for ok && len(s.words) > 1 && s.is(0, "some", "the", "also", "more") {
			s = s.from(1)
		}
		if ok {
			items = append(items, s.all())
		}
	}
	return strings.Join(items, ", ")
}

func hasAny(s said, words ...string) bool {
	for i := range s.words {
		if s.is(i, words...) {
			return true
		}
	}
	return false
}

// isTaskList reports whether a list's name says that tasks stand on it.
func isTaskList(name said) bool {
	_, ok := name.any("to-do|todo|task|tasks|todos|to-dos", "to do")
	return ok
}

// onTasks is what is to happen on the list of tasks.
func (l listener) onTasks(action string, c captured) (intent, bool) {
	item := c.get("item")
	switch {
	case action == "show":
		return intent{tool: skillPlans, params: map[string]any{"kind": "tasks"}}, true
	case c.said.question || item == "" || action == "drop":
		return intent{}, false
	case action == "add":
		return l.todo(item), true
	case c.said.is(0, "tick", "check"):
		return taskEnded(item, "complete"), true
	}
	return taskEnded(item, "drop"), true
}
