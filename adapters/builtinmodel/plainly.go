package builtinmodel

import (
	"regexp"
	"slices"
	"strings"
)

// rewriting is a way to say something, and how the same is said in the words that the rest of the
// package knows. What names things stays as it was said.
type rewriting struct {
	said *regexp.Regexp
	as   string
}

// rewritings are made in their order, each at most once in a sentence.
var rewritings = []rewriting{
	{regexp.MustCompile(` @ `), " at "},
	{possessive, "$1"},
	{lunchFor, "schedule $1"},
	// By what one is to be reminded is how one always is.
	{regexp.MustCompile(`(?i)\b(remind me) (?:with|by|using|via|through) (?:an? |the |my )?(?:alarm|reminder|notification|alert)\b`), "$1"},
	{regexp.MustCompile(`(?i)\b(tonight|today|tomorrow)s\b`), "$1's"},
	{regexp.MustCompile(`(?i)\bnevermind\b`), "never mind"},
	{regexp.MustCompile(`(?i)\bto[- ]do'?s\b`), "todos"},
	{regexp.MustCompile(`(?i)\bboth of (the|my|our)\b`), "both $1"},
	{regexp.MustCompile(`(?i)\b(on|onto|off|from|to) (the|my) list for (\w+)([.!?]*)$`), "$1 $2 $3 list$4"},
	{regexp.MustCompile(`(?i)\bchecklist\b`), "list"},
	{regexp.MustCompile(`(?i)^append\b`), "add"},
	// Whom it is said to, at the end.
	{regexp.MustCompile(`(?i),\s*(?:olly|alexa|siri|google|cortana|pda|chalie|computer)([.!?]*)$`), "$1"},
	{regexp.MustCompile(`(?i)^(?:the |my )?(.+?) list (?:still )?needs ((?:\w+ ?)+[.!?]*)$`), "add $2 to the $1 list"},
	{regexp.MustCompile(`(?i)^(.+?),? (?:so |and )?(?:please )?update (?:the|my|our) (?:[\w-]+ )?list[.!?]*$`), "$1"},
	{regexp.MustCompile(`(?i)^(?:throw out|throw away|erase|delete|dump|scrap) (.+ list) and start (?:again|over|afresh|fresh|anew)[.!?]*$`), "clear $1"},
	// What goes here and comes there is moved.
	{regexp.MustCompile(`(?i)^(?:cancel|delete|remove|drop|scrap) (.+?),? and (?:re)?(?:set|put|make|move|schedule|book|add|do) (?:it|that)(?: back)?(?: (?:for|to|on|in|down for))? (\S.*)$`), "move $1 to $2"},
	{regexp.MustCompile(`(?i)^(?:turn |switch )?(all (?:(?:of )?(?:my|the) )?(?:alarms|timers|reminders)|(?:my |the )?alarms?) off[.!?]*$`), "turn off $1"},
	{regexp.MustCompile(`(?i)^((?:the |my )?(?:[\w']+ ){0,2}(?:alarm|reminder|timer|meeting|appointment)\b.*?),? (?:please )?(remove|delete|cancel|erase) (?:it|that|this)(?: one)?[.!?]*$`), "$2 $1"},
	{regexp.MustCompile(`(?i)^(?:please )?(?:don't|do not|never) let me (?:sleep|doze|snooze|stay in bed|lie in) (?:past|beyond|after|later than|longer than|until|till) (?:past )?`), "wake me at "},
	{regexp.MustCompile(`(?i)\bput on (an?|my) alarm\b`), "put $1 alarm"},
	{regexp.MustCompile(`(?i)^i (?:need to|have to|must|should|gotta|got to) remember to (.+ at \d.*)$`), "remind me to $1"},
	{regexp.MustCompile(`(?i)^(?:don't|do not) forget to ((?:add|put) .+ list[.!?]*)$`), "$1"},
	// One time of what comes back.
	{regexp.MustCompile(`(?i)^(?:please )?(?:cancel|delete|remove|drop|turn off|stop|disable) (.+?) (?:just|only) (?:for |on )?` + dayWords + `[.!]*$`), "skip $1 $2"},
	{regexp.MustCompile(`(?i)^(?:please )?turn (.+?) off (?:just|only) (?:for |on )?` + dayWords + `[.!]*$`), "skip $1 $2"},
	{regexp.MustCompile(`(?i)^(?:please )?(?:cancel|delete|remove|drop|turn off|disable) (.+?) ` + dayWords + ` only[.!]*$`), "skip $1 $2"},
	{regexp.MustCompile(`(?i)^.+ (today|tonight|tomorrow)\b[^,]*, (?:so )?(?:please )?(skip (?:the|my) [\w' ]+)$`), "$2 $1"},
	// Which of several is meant.
	{regexp.MustCompile(`(?i)\b(?:last|latest|newest|most recent) (alarm|reminder|appointment|meeting|event|task) (?:that )?i (?:have )?(?:just )?(?:made|set|created|added|put in|entered)\b`), "$1 i just set"},
	{regexp.MustCompile(`(?i)\b(alarm|reminder) that (?:goes off|rings|repeats|comes|sounds) (daily|weekly|every day|on \w+days)\b`), "$2 $1"},
	{regexp.MustCompile(`(?i)^((?:cancel|delete|remove|drop|erase|disable|turn off|get rid of) (?:the |my )?)(?:repeating|recurring|weekly|regular) (alarm|reminder|meeting|appointment) (?:on|every|for) (\w+days?)\b`), "$1$3 $2"},
	{regexp.MustCompile(`(?i)^(remove|take|drop|strike) ((?:the|my|our) [\w' ]+?) (?:from|off) ` + dayWords + `[.!]*$`), "cancel $2 $3"},
	{regexp.MustCompile(`(?i)^(cancel|delete|remove|unschedule|drop|scrap|erase|move|reschedule) (?:the|my|that) (?:thing|one) (at|on|from) `), "$1 my appointment $2 "},
	{regexp.MustCompile(`(?i)^take (?:off|out|down|away) (?:that|the|my) (meeting|appointment|event|reminder|alarm)(?: (?:that )?i have)?\b`), "cancel the $1"},
	{regexp.MustCompile(`(?i)\bboth (?:items|things|entries|of them) (?:on|from|off|in) (the|my) ([\w ]+ list)\b`), "everything on $1 $2"},
	{regexp.MustCompile(`(?i)\b(?:the |my )?(\w+) list and (?:the |my )?(\w+) list([.!]*)$`), "both the $1 and the $2 list$3"},
	{regexp.MustCompile(`(?i)\bmy (morning|afternoon|evening) (today|tomorrow|on \w+day|\w+day)\b`), "$2 $1"},
	// Questions.
	{regexp.MustCompile(`(?i)^(?:i (?:want|need|would like)|i'd like) to know\b(?: about)?`), "tell me"},
	{regexp.MustCompile(`(?i)^(?:please |can you |could you )?(?:verify|double[- ]check|recheck)\b(?: that| if| whether)?`), "check"},
	{regexp.MustCompile(`(?i)^i (?:forgot|can't remember|don't remember|don't know) (.+?),? (?:can|could|would) you (?:please )?tell me[.?]*$`), "tell me $1"},
	{regexp.MustCompile(`(?i)\bdo i (?:need|have) to (?:worry|care|think) about\b`), "do i have"},
	{regexp.MustCompile(`(?i)\bdo i (?:need|have) to (?:be|go) (?:anywhere|somewhere)\b`), "do i have anything"},
	{regexp.MustCompile(`(?i)\bdo i have (?:two|three|several|multiple) (\w+s)\b`), "do i have any $1"},
	{regexp.MustCompile(`(?i)^(when|what) (?:was|am) i supposed to\b`), "$1 do i have to"},
	{regexp.MustCompile(`(?i)^has (.+?) been (?:booked|scheduled|made|set|planned|arranged|added|put in)\b`), "is there $1"},
	{regexp.MustCompile(`(?i)^when (?:is|will be) the next time (?:that )?i (?:will |am going to )?(?:meet|see|visit|have)(?: with)?\b`), "when is"},
	{regexp.MustCompile(`(?i)^when (?:do|does) (.+?) (?:need|have) to be (?:done|filed|paid|handed in|finished|submitted|in)([?.]*)$`), "when is $1 due$2"},
	{regexp.MustCompile(`(?i)\bwhat(?:'s| is)? (my [\w ]+?) looks? like\b`), "what does $1 look like"},
	{regexp.MustCompile(`(?i)^(next|first|last) (event|appointment|meeting|alarm|reminder)(?: please)?[.?!]*$`), "what is my $1 $2"},
	{regexp.MustCompile(`(?i)^((?:what|when)(?:'s| is)) (my|the) latest (alarm|reminder|appointment|meeting|event)\b`), "$1 $2 last $3"},
	{regexp.MustCompile(`(?i)^how many lists\b.*$`), "how many lists do i have"},
	{regexp.MustCompile(`(?i)\bmy most recent lists\b`), "my lists"},
	{regexp.MustCompile(`(?i)^pull up (?:the |my |all )?lists?[.!]*$`), "show my lists"},
	{regexp.MustCompile(`(?i)^give me (the (?:first|second|third|last) (?:item|thing|entry)) (?:of|in|on|from) `), "tell me $1 on "},
	{regexp.MustCompile(`(?i)\b(?:give|show|read|send) me (?:a |an |the )?(?:quick |short )?(?:rundown|summary|overview|breakdown|recap) of\b`), "show me"},
	{regexp.MustCompile(`(?i)^what (?:items|things|stuff|else) (?:have i got|do i have|do i need) (?:for|from|at) the (store|shop|supermarket)\b`), "what do i need from the $1"},
	{regexp.MustCompile(`(?i)^(.*)\bwhat(?:'s|s| is) due on (?:my|the) (?:todo|to-do|to do|task) list\b`), "${1}what tasks are due"},
	{regexp.MustCompile(`(?i)\b(?:before or after|after or before|earlier or later than) \w+(?: [ap]m)?`), ""},
	{regexp.MustCompile(`(?i)\b(plans|meetings?|appointments?|events?|lunch|dinner) with (?:anyone|anybody|someone)\b`), "$1"},
	{regexp.MustCompile(`(?i)^(.*\bmake (?:it so|sure) (?:that )?)(my|the) (.*alarm) (?:doesn't|does not|won't|will not|don't) (?:ring|go off|sound)\b`), "do not let $2 $3 ring"},
	{regexp.MustCompile(`(?i)^add (.+?) to do list\b`), "add $1 to the to-do list"},
	{regexp.MustCompile(`(?i)^(begin|start|make|create) (?:a|an|another|new) list of (things to [\w ]+)$`), "$1 a list called $2"},
}

// dayWords are a day that a sentence names.
const dayWords = `(today|tonight|tomorrow|this (?:week|weekend|morning|afternoon|evening|\w+day)|(?:next )?(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: (?:morning|afternoon|evening))?)`

// passive finds what is asked to be done to something: can bread be removed from the list.
var passive = regexp.MustCompile(`(?i)^(?:(?:can|could|should|may|please have|would) (.+?) (?:please )?be (?:taken|put)?|(?:i want|i need|i would like|i'd like|i'd want|please have|have|i would love) (.+?) (?:to be )?)(removed|deleted|cancelled|canceled|erased|cleared|added|moved)\b(.*)$`)

// minding finds a request that asks whether one minds doing it.
var minding = regexp.MustCompile(`(?i)^(.*?)\b(?:would|do) you (?:kindly )?mind (\w+ing)\b`)

// plainly is a sentence in the words that the rest of the package knows.
func (s said) plainly() said {
	text, asked := s.text, s.question
	if len(text) > maxPlainly {
		return s
	}
	for _, r := range rewritings {
		text = r.said.ReplaceAllString(text, r.as)
	}
	if of := minding.FindStringSubmatchIndex(text); of != nil {
		text, asked = text[of[2]:of[3]]+baseOf(strings.ToLower(text[of[4]:of[5]]))+text[of[5]:], false
	}
	if of := passive.FindStringSubmatch(text); of != nil && len(of[1]+of[2]) > 0 && !slices.Contains([]string{"you", "i", "we", "he", "she", "they", "there"}, strings.ToLower(of[1]+of[2])) {
		text, asked = baseOf(strings.ToLower(of[3]))+" "+of[1]+of[2]+of[4], false
	}
	if text == s.text {
		return s
	}
	if again, ok := read(text); ok {
		again.question = again.question && asked
		return again
	}
	return s
}

// maxPlainly bounds the text in which ways to say something are looked for.
const maxPlainly = 500

// baseOf is a verb without the ending of what was done, or of doing it: removed, removing.
func baseOf(verb string) string {
	for _, ending := range []string{"ed", "ing"} {
		stem, ok := strings.CutSuffix(verb, ending)
		if !ok || len(stem) < 2 {
			continue
		}
		for _, base := range []string{stem, stem + "e", stem[:len(stem)-1]} {
			if slices.ContainsFunc(acts, func(a actWords) bool { return a.words == base }) || base == "move" {
				return base
			}
		}
	}
	return verb
}
