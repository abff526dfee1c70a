package answers

import (
	"fmt"

	"chalie/domain/language"
	"chalie/domain/language/abroad"
	"chalie/domain/language/sentences"
	"chalie/domain/language/tools"
	"chalie/domain/language/turns"
)

// smallTalk is the answer to what only asks Chalie about itself or for what can be worked
// out; "" for anything else.
func smallTalk(p language.Prompt) string {
	if abroad := abroad.TalkAbroad(p); abroad != "" {
		return abroad
	}
	s, ok := sentences.Read(p.Asked.Text)
	if !ok {
		return ""
	}
	if _, thanks := s.Any("thanks", "thank you", "thanks|thank you? so|very much", "thanks a lot", "many thanks", "thanks|thank you? chalie", "cheers"); thanks {
		return "You're welcome."
	}
	for _, small := range []struct {
		says string
		when sentences.Phrase
	}{
		{"All right.", "ok|okay|fine|good|great|alright|perfect|nice|cool|right|sure|understood"},
		{"All right.", "all|got right|it"},
		{"I have asked you nothing just now.", "yes|yep|yeah|both"},
		{"What should be otherwise? Say it in a sentence; “never mind” takes back what was just set.", "no|nope|neither"},
		{"Good night.", "good night chalie?"}, {"Good night.", "goodnight"},
		{"Goodbye.", "bye|goodbye bye|chalie?"}, {"Goodbye.", "see you later|soon|tomorrow?"},
		{"Thank you.", "you are|were so|very|really|the? great|best|awesome|amazing|wonderful|smart|clever|helpful|kind|good|nice|funny"}, {"Thank you.", "good|great|nice|excellent|fantastic|well job|work|done chalie?"},
		{"Thank you. I'm only a program, and glad to be of use.", "i love|like you chalie?"},
		{"I'm Chalie, a program that keeps plans, lists and memories.", "are you a|an? robot|human|real|bot|person|program|machine|ai|alive"},
	} {
		if _, ok := s.Match(small.when); ok {
			return small.says
		}
	}
	if s, _ = s.Request(); len(s.Words) == 0 {
		return ""
	}
	if _, who := s.Any("who are you", "what are you", "what is your name"); who {
		return "I'm Chalie. " + whatItDoes
	}
	if _, help := s.Any("help", "help me", "what can you do", "what can you do for me", "what can i say|ask|do", "what do you do", "what are you able to do", "how do i use you|this|chalie", "how do you work"); help {
		return whatItDoes + toolsToo(p)
	}
	for _, text := range []string{p.Asked.Text, turns.ClockAgain(p)} {
		if worked, _ := abroad.WorkedOut(p, text); worked.Text != "" {
			return worked.Text
		}
	}
	return abroad.ReadsOnly(p.Asked.Text)
}

const whatItDoes = "I keep reminders, tasks, lists and what you want me to remember, and tell what I have heard and why I said something. " +
	"Say it in one sentence, such as: remind me to call Anna tomorrow at 8; task: hand in the report by Friday; put milk on the shopping list; " +
	"remember that the spare key is under the pot; what have I planned?"

// toolsToo says how many tools of interfaces there are besides.
func toolsToo(p language.Prompt) string {
	others := 0
	for _, o := range p.Tools {
		if o.Interface != tools.OwnInterface {
			others++
		}
	}
	if others == 0 {
		return ""
	}
	return fmt.Sprintf(" I also use %s of interfaces, when you name one with all it needs.", sentences.Count(others, "tool", "tools"))
}
