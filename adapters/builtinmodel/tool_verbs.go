package builtinmodel

import (
	"slices"
	"strings"
)

// sameDeeds are verbs that people and tools use for the same deed, on a line each. A verb may
// stand on several lines, and be of several words; a tool is asked for by any of its line.
var sameDeeds = func() map[string][][]string {
	out := map[string][][]string{}
	for line := range strings.Lines(`renew, extend, prolong
reject, decline, deny, refuse, dismiss, turn down
restart, reboot, power cycle, bounce
block, ban, blacklist, kick, kick off, kick out, freeze, lock
unblock, unban, allow, let, unfreeze, unlock
suspend, pause, freeze, halt, put on hold, snooze
resume, continue, unpause, carry on, go on, keep on
reserve, book, hold, place, put aside, set aside
place, put, make, add, create, leave
run, do, perform, execute, start, make, take
transfer, send, wire, pay, move
pay, settle, pay off
acknowledge, ack, confirm, clear, accept, dismiss
approve, accept, confirm, allow, sign off
irrigate, water, sprinkle
log, record, track, note, enter, register, save, note down, write down, jot down, put down, add
rename, call, relabel
cancel, call off, drop, abort, revoke, scrap, withdraw
remove, delete, take off, take out, throw out, get rid of, drop, kick, erase, wipe
clear, empty, wipe, flush, reset
increase, raise, turn up, bump, bump up, boost, up
decrease, lower, reduce, turn down, cut
set, change, update, adjust, put, raise, lower, bring, make, mark, turn
move, put, shift, push, drag, advance, promote, mark, bring
mark, set, flag, tag
show, get, list, view, read, see, display, pull up, bring up, call up, fetch, open, look at, take a look at, have a look at, check
find, search, look for, look up, search for, hunt for, locate
track, trace, find, locate
subscribe, follow, sign up for, sign up to, join
unsubscribe, unfollow, leave, sign off from, quit
join, enroll, enrol, sign up for, register for, enter
play, put on, listen to, start, stream
skip, jump, fast forward, go
queue, queue up, enqueue, line up, add
mute, silence, quiet
start, launch, begin, turn on, switch on, power on, fire up, boot, kick off
stop, end, halt, quit, kill, finish, turn off, switch off, shut off, shut down, power off
open, raise, roll up, pull up
close, shut, lower, roll down, archive, finish, complete, resolve
complete, finish, tick off, check off, mark as done, mark as complete, resolve, close, mark
archive, put away, file away
schedule, set up, arrange, organize, organise, plan, book
create, make, start, set up, add, file, raise, write
send, email, mail, text, message, forward, drop
share, send, invite
invite, add, ask
report, flag, file
suggest, recommend, propose, nominate
submit, hand in, turn in, send in, file, upload
upload, put up, post, push
download, save, grab, get, fetch
deploy, ship, release, roll out, push
rate, give, review, score
assign, give, hand, delegate
order, buy, purchase, get, reorder
return, send back, give back, hand back
reschedule, move, postpone, push back, push, shift, delay, bring forward, redeliver
redirect, reroute, forward, divert, send
donate, give
withdraw, take out
deposit, pay in, put in
exchange, convert, change, swap
lock, secure
unlock, open
dim, lower
brighten, raise
feed, give
calculate, compute, work out, figure out
charge, plug in, top up
rent, hire
comment, note, reply, add
reply, answer, respond
`) {
		var all [][]string
		for one := range strings.SplitSeq(strings.TrimSpace(line), ", ") {
			all = append(all, strings.Fields(one))
		}
		for _, verb := range all {
			key := strings.Join(verb, " ")
			for _, other := range all {
				if len(other) == 1 && other[0] != key && !slices.ContainsFunc(out[key], func(o []string) bool { return o[0] == other[0] }) {
					out[key] = append(out[key], other)
				}
			}
		}
	}
	return out
}()

// actsIn are the verbs by which a tool says what it does: those of its name, the first of its
// description, and one behind "or" there, which may be the contrary. synonyms stand in brackets.
func actsIn(name, about []string, description string) (acts, synonyms []string) {
	isAct := func(w string) bool { return verbs[w] != 0 || sameDeeds[w] != nil }
	add := func(all []string, w string) []string {
		if bare := infinitive(w); !isAct(w) && isAct(bare) {
			w = bare
		}
		if !isAct(w) || slices.Contains(acts, w) || slices.Contains(all, w) {
			return all
		}
		return append(all, w)
	}
	told := slices.ContainsFunc(name, func(w string) bool { return verbs[w] != 0 })
	for i, w := range name {
		if i == 0 && !told || verbs[w] != 0 {
			acts = add(acts, w)
		}
	}
	for i, w := range about[:min(len(about), maxTermWords)] {
		if i == 0 || i == 2 && about[1] == "or" {
			acts = add(acts, w)
		}
	}
	if _, rest, ok := strings.Cut(description, "("); ok {
		inside, _, _ := strings.Cut(rest, ")")
		for _, w := range textWords(inside) {
			synonyms = add(synonyms, w)
		}
	}
	return acts, synonyms
}

// inItsWords is an order that begins with the verb of the tool, where it begins with another for
// the same deed; false when it doesn't.
func (c *candidate) inItsWords(s said) (said, bool) {
	const longest = 4
	if len(c.acts) == 0 || s.words[0].quoted {
		return s, false
	}
	onlyLooks := verbs[s.words[0].lower] == toLook && !c.looks && !s.is(0, "give") && !(s.is(0, "get") && s.is(1, "me", "us"))
	for n := min(longest, len(s.words)-1); n > 0; n-- {
		words := make([]string, n)
		for i := range words {
			words[i] = s.words[i].lower
		}
		phrase := strings.Join(words, " ")
		if n == 1 && slices.Contains(c.acts, phrase) {
			return s, false
		}
		if act := c.actLike(phrase); act != "" && !(n == 1 && onlyLooks) {
			return s.beginning(act, n), true
		}
		if n > 2 && sameDeeds[phrase] != nil {
			return s, false // get rid of says nothing of getting
		}
	}
	if first := s.words[0].lower; len(s.words) > 2 { // turn Paul down
		for i := 2; i < min(len(s.words), 8); i++ {
			if !s.is(i, "up", "down", "off", "out", "back", "away", "in") {
				continue
			}
			if act := c.actLike(first + " " + s.words[i].lower); act != "" {
				return s.beginning(act, 1), true
			}
		}
	}
	return s, false
}

// isPhrasal reports whether an order begins with a verb of several words whose first says nothing of
// what is to be done: get rid of, take a look at.
func (s said) isPhrasal() bool {
	const least, most = 3, 4
	for n := least; n <= min(most, len(s.words)-1); n++ {
		words := make([]string, n)
		for i := range words {
			words[i] = s.words[i].lower
		}
		if sameDeeds[strings.Join(words, " ")] != nil {
			return true
		}
	}
	return false
}

// principal is the verb by which a tool is asked for.
func (c *candidate) principal() string {
	switch {
	case c.verb != "":
		return c.verb
	case slices.Contains(c.acts, c.about):
		return c.about
	}
	return c.acts[0]
}

// actLike is the verb of the tool that stands for the same deed as some words; "" for none.
func (c *candidate) actLike(words string) string {
	for _, other := range sameDeeds[words] {
		if slices.Contains(c.acts, other[0]) {
			return other[0]
		}
	}
	if slices.Contains(c.synonyms, words) || slices.ContainsFunc(sameDeeds[words], func(o []string) bool { return slices.Contains(c.synonyms, o[0]) }) {
		return c.principal()
	}
	return ""
}
