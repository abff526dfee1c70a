package deed

import (
	"slices"
	"strings"
	"sync"
)

// sameDeeds are verbs that people and tools use for the same deed, on a line each. A verb may
// stand on several lines, and be of several words; a tool is asked for by any of its line.
const sameDeeds = `renew, extend, prolong
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
`

var alike = sync.OnceValue(func() map[string][][]string {
	out := map[string][][]string{}
	for line := range strings.Lines(sameDeeds) {
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
})

// Alike are the verbs of one word that people and tools use for the same deed as some words, each
// split into its words; none for words that are no verb for a deed.
func Alike(words string) [][]string { return alike()[words] }

// near are deeds, by the ids of rows, of which one is asked for by the words for another, where no
// contrary one is meant.
const near = `
turn on, start, activate, play, resume, run, open, connect, show
turn off, stop, pause, deactivate, cancel, disconnect, mute
set, change, activate, switch, turn on, put, start, toggle, let, use
toggle, switch, turn on, turn off, activate, deactivate
arm, activate, turn on, set, lock, start
disarm, deactivate, turn off, stop
lock, close
unlock, open
dim, lower, set, change, turn on
brighten, raise, set, change
raise, set, change
lower, set, change
heat, turn on, raise, start, set
cool, turn on, lower, start, set
remove, cancel, unsubscribe, leave, revoke, uninstall
add, create, book, schedule, put, set, make, order, note, remember, join, connect, upload
order, buy, get, book, call
refill, renew, order, get, make
play, put, start, turn on, get, let
make, do, get, start, turn on, run, give, put
clean, start, run, turn on, do
water, feed, give, start, turn on, run
move, change, set, put, schedule
pay, transfer, send, give
send, transfer, give, write, speak, put
call, send, speak
remember, remind, note, add, put
remind, set, add, schedule, call, wake
wake, set
speak, say, tell, call, send
print, make, do
restart, start, turn on
complete, stop, close
log in, start
admit, accept, grant, let, log in, add
discharge, remove, let, unsubscribe
use, start, run, do
get, send, order, download
accept, confirm, join, take
hide, remove, cancel, close
undo, cancel, restore, remove
snooze, move, pause, set
complete, remove
`

var nearby = sync.OnceValue(func() map[string]map[string]bool {
	out := map[string]map[string]bool{}
	join := func(ids []string) {
		for _, a := range ids {
			for _, b := range ids {
				if out[a] == nil {
					out[a] = map[string]bool{}
				}
				out[a][b] = true
			}
		}
	}
	for line := range strings.Lines(near) {
		join(strings.Split(strings.TrimSpace(line), ", "))
	}
	for line := range strings.Lines(sameDeeds) {
		if looking[strings.TrimSpace(line[:strings.IndexByte(line, ',')])] {
			continue // to look at a gate isn't to open it
		}
		var ids []string
		for verb := range strings.SplitSeq(strings.TrimSpace(line), ", ") {
			first, rest, _ := strings.Cut(verb, " ")
			for _, f := range lexicon()[first] {
				if f.language == "en" && f.asks && f.behind == rest && !slices.Contains(ids, f.id) {
					ids = append(ids, f.id)
				}
			}
			if rest == "" {
				ids = append(ids, first)
			}
		}
		join(ids)
	}
	return out
})

// looking begin the lines of verbs that change nothing.
var looking = wordSet("show find track")

// vague verbs say too little to be another for a deed.
var vague = wordSet("go up see read view look check hold leave")

// alone are the forms of a word that no row has, which is a verb for the same deed as others, or nil.
func alone(word string, told bool) []form {
	for _, verb := range []string{word, bare(word)} {
		if nearby()[verb] != nil && !vague[verb] && (verb == word || told) {
			return []form{{id: verb, language: "en", asks: verb == word}}
		}
	}
	return nil
}

// areNear reports whether words for one deed may ask for the other.
func areNear(a, b string) bool { return a == b || nearby()[a][b] }
