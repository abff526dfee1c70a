package hearing

import (
	"regexp"
	"strings"

	"chalie/domain/language/plans"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
)

// wondering are ways to ask that sound like a wish: what stands behind them is the question.
var wondering = regexp.MustCompile(`(?i)^(?:please )?(?:i(?:'d| would)? (?:just )?(?:want(?:ed)?|like|love|need(?:ed)?) to (?:know|find out|check|see|hear|be sure|make sure)|i wanna know|(?:i(?:'m| am|'ve been| was)? )?(?:just )?(?:wondering|curious(?: to know)?)|i wonder(?:ed)?|i(?:'m| am) not sure(?: any ?more)?|i (?:don'?t|do not) (?:know|remember|recall)|i can(?:'?t|not) remember|i forgot|remind me again) (if|whether|when|what|which|where|how|who)\s+`)

// doubting are those of them that may be said of anything.
var doubting = regexp.MustCompile(`(?i)^(?:please )?i(?:'m| am) not sure|^i (?:don|do|can|forgot)`)

// ofPlans is what such a question is about, where it is one of plans: if I set, whether there is.
var ofPlans = regexp.MustCompile(`(?i)^(?:i|we|you|my|our|there|the|any|an?)\b.*\b(?:alarms?|reminders?|timers?|appointments?|meetings?|events?|calendar|schedule|agenda|plans?|planned|tasks?|lists?|set|wake|free|busy)\b`)

// stripWish is a question that is put as a wish to know something, in the words that ask for it:
// "I want to know if I have set an alarm for 3".
func stripWish(s sentences.Said) sentences.Said {
	text := s.All()
	at := wondering.FindStringSubmatchIndex(text)
	if len(at) < 4 || doubting.MatchString(text) && !ofPlans.MatchString(text[at[1]:]) {
		return s
	}
	again, ok := sentences.Read("tell me " + text[at[2]:])
	if !ok || len(again.Words) < 4 {
		return s
	}
	return again
}

// unwishedAlarms and unwishedWaking are ways to say that no alarm is to ring.
var (
	unwishedAlarms = []sentences.Phrase{
		"no alarm|alarms|timer|timers for? me? *when", "no *name alarm|alarms *when", "do not let my|the alarm|alarms ring|sound|go off? *when", "my|the alarm|alarms should|must not ring|sound|go off? *when",
	}
	unwishedWaking = []sentences.Phrase{
		"no wake-up|wakeup alarm|call? *when", "no wake up alarm|call? *when", "do not wake me|us up? *when", "do not you? wake me|us up? *when", "stop|quit waking me|us up? *when", "never wake me|us up? *when",
		"no need to wake me|us up? *when", "you do not need|have to wake me|us up? *when", "i|we do not want|need|have to be woken|wakened|awakened up? *when", "i|we do not want to? be? wake|woken up? *when",
	}
)

// negatedRequest hears that an alarm isn't to ring at a time: it is left out or ended, whichever the skill
// finds it to be. What comes again has to be named.
func (l Listener) negatedRequest(s sentences.Said) (tools.Intent, bool) {
	if s.Question {
		return tools.Intent{}, false
	}
	c, waking := s.Any(unwishedWaking...)
	if m, told := l.Made(); waking && told && m.Again && strings.HasPrefix(m.Text, "wake") {
		return tools.Intent{}, false // it changes what was just set
	}
	which := ""
	for _, w := range s.Words {
		if strings.HasPrefix(w.Lower, "wak") || strings.HasPrefix(w.Lower, "wok") {
			which = w.Lower
		}
	}
	if rest, ok := s.Any("no reminder|reminders about|for|of|to *what"); ok && !waking {
		f := plans.Frame{S: rest.Sentence("what"), Used: make([]bool, len(rest.Sentence("what").Words)), At: -1}
		l.TakeTime(&f)
		if during := l.During(f); during != "" {
			params := map[string]any{"action": "cancel", "which": f.Named(), "during": during}
			return tools.Intent{Tool: tools.SkillReminder, Params: params, Subject: "which"}, f.Named() != ""
		}
		return tools.Intent{Tool: tools.SkillReminder, Ask: tools.Says("ask.change", "lacks", speech.Kind("end"), "said", rest.Get("what"))}, true
	}
	if _, free := s.Any("no meeting|meetings|appointment|appointments|event|events *when"); free && !waking {
		return tools.Intent{Tool: tools.SkillAppointment, Ask: tools.Says("ask.change", "lacks", speech.Kind("thing"))}, true
	}
	if !waking {
		var alarms bool
		if c, alarms = s.Any(unwishedAlarms...); !alarms {
			return tools.Intent{}, false
		}
		which = strings.TrimSpace(l.NamesIn(c.Sentence("name")) + " alarm")
	}
	during := plans.TrimFor(c.Get("when"))
	if at, err := l.Parse(c.Get("when")); err == nil && at.Recurrence != nil {
		return tools.Intent{Tool: tools.SkillReminder, Ask: tools.Says("ask.alarm", "lacks", speech.Kind("end"))}, true
	}
	if _, rest, err := l.Narrow(during); err != nil || rest != "" {
		return tools.Intent{}, false
	}
	if _, clock := l.Parts(during); clock && waking {
		which = "alarm" // whatever it is called
	}
	return tools.Intent{Tool: tools.SkillReminder, Params: map[string]any{"action": "cancel", "which": which, "during": during}, Subject: "which"}, true
}
