package guard

// pattern is a sequence of words that has a meaning, whatever stands between
// them.
type pattern struct {
	typ      Type
	name     string
	severity Severity
	steps    []step
	colon    bool // a colon follows
}

// step is the next word of a pattern: of which class, and how many others may
// stand before it.
type step struct {
	class class
	gap   int
}

// progress is the matched part of a pattern.
type progress struct {
	at    int // the step that is looked for
	last  int // the number of the word that the one before it was
	start int // in bytes
}

// patterns are ordered only for reading. A sentence that means nothing bad fits
// some of them; that is what severities are for.
var patterns = [...]pattern{
	{typ: Injection, name: "ignore instructions", severity: High, steps: []step{{classOverride, 0}, {classEarlier, 5}, {classOrders, 3}}},
	{typ: Injection, name: "ignore instructions above", severity: High, steps: []step{{classOverride, 0}, {classOrders, 4}, {classEarlier, 3}}},
	{typ: Injection, name: "ignore rules", severity: Medium, steps: []step{{classOverride, 0}, {classAll, 2}, {classOrders, 3}}},
	{typ: Injection, name: "new instructions", severity: Medium, steps: []step{{classNew, 0}, {classOrders, 1}}, colon: true},
	{typ: Injection, name: "tool without asking", severity: High, steps: []step{{classCall, 0}, {classTool, 4}, {classWithout, 8}, {classAsking, 2}}},
	{typ: Injection, name: "order to call a tool", severity: Medium, steps: []step{{classModel, 0}, {classMust, 3}, {classCall, 3}, {classTool, 4}}},
	{typ: Injection, name: "you must call a tool", severity: Low, steps: []step{{classYou, 0}, {classMust, 1}, {classCall, 2}, {classTool, 4}}},
	{typ: Injection, name: "keep it from the person", severity: Medium, steps: []step{{classWithout, 0}, {classAsking, 2}, {classHuman, 2}}},
	{typ: Injection, name: "hidden by style", severity: Low, steps: []step{{classDisplay, 0}, {classNone, 0}}},
	{typ: RoleManipulation, name: "you are now", severity: High, steps: []step{{classYou, 0}, {classAre, 0}, {classNow, 1}, {classModel | classFree, 5}}},
	{typ: RoleManipulation, name: "act as", severity: Medium, steps: []step{{classAct, 0}, {classAs, 1}, {classModel | classFree, 4}}},
	{typ: RoleManipulation, name: "pretend", severity: Medium, steps: []step{{classPretend, 0}, {classModel | classFree, 5}}},
	{typ: RoleManipulation, name: "from now on", severity: Low, steps: []step{{classFrom, 0}, {classNow, 0}, {classOn, 0}, {classYou, 3}}},
	{typ: Extraction, name: "reveal system prompt", severity: High, steps: []step{{classReveal, 0}, {classSystem, 4}, {classPrompt, 1}}},
	{typ: Extraction, name: "reveal instructions", severity: Medium, steps: []step{{classReveal, 0}, {classOwn, 3}, {classOrders, 2}}},
	{typ: Jailbreak, name: "do anything now", severity: High, steps: []step{{classDo, 0}, {classAnything, 0}, {classNow, 0}}},
	{typ: Jailbreak, name: "without restrictions", severity: Medium, steps: []step{{classYou | classModel, 0}, {classWithout, 6}, {classLimits, 3}}},
	{typ: Jailbreak, name: "mode without rules", severity: Medium, steps: []step{{classFree, 0}, {classMode, 0}, {classEnable, 2}}},
	{typ: Jailbreak, name: "switch to a mode without rules", severity: Medium, steps: []step{{classEnable, 0}, {classFree, 2}, {classMode, 0}}},
	{typ: Exfiltration, name: "send secrets", severity: Critical, steps: []step{{classSend, 0}, {classLoot, 6}, {classDest, 10}}},
	{typ: Exfiltration, name: "send what was said", severity: High, steps: []step{{classSend, 0}, {classTalk, 5}, {classDest, 10}}},
}

// word takes a word that means something.
func (r *reader) word(c class, start, end int) {
	if c&classDecode != 0 {
		r.toDecode = true
	}
	for i := range patterns {
		p, s := &patterns[i], &r.state[i]
		if s.at > 0 && r.words-s.last-1 > p.steps[s.at].gap {
			s.at = 0
		}
		switch {
		case s.at > 0 && c&p.steps[s.at].class != 0:
			s.at, s.last = s.at+1, r.words
		case s.at <= 1 && c&p.steps[0].class != 0:
			*s = progress{at: 1, last: r.words, start: start}
		}
		if s.at == len(p.steps) {
			s.at = 0
			if !p.colon || end < len(r.text) && r.text[end] == ':' {
				r.flag(Threat{p.typ, p.name, p.severity, s.start, end})
			}
		}
	}
}
