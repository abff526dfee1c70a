package answers

import (
	"chalie/domain/language"
	"chalie/domain/language/abroad"
	"chalie/domain/language/sentences"
	"chalie/domain/language/speech"
	"chalie/domain/language/tools"
	"chalie/domain/language/turns"
)

// talks answers what only asks Chalie about itself or for what can be worked out; false for anything else.
func talks(reply *language.Reply, p language.Prompt) bool {
	answer, words := abroad.TalkAbroad(p)
	if answer.IsZero() {
		answer, words = smallTalk(p), p.Words
	}
	if answer.IsZero() {
		return false
	}
	p.Words = words
	abroad.Say(reply, p, nil, told(answer))
	return true
}

func smallTalk(p language.Prompt) speech.Message {
	s, ok := sentences.Read(p.Asked.Text)
	if !ok {
		return speech.Message{}
	}
	if _, thanks := s.Any("thanks", "thank you", "thanks|thank you? so|very much", "thanks a lot", "many thanks", "thanks|thank you? chalie", "cheers"); thanks {
		return talk("welcome")
	}
	for _, small := range []struct {
		says speech.Kind
		when sentences.Phrase
	}{
		{"all_right", "ok|okay|fine|good|great|alright|perfect|nice|cool|right|sure|understood"},
		{"all_right", "all|got right|it"},
		{"asked_nothing", "yes|yep|yeah|both"},
		{"otherwise", "no|nope|neither"},
		{"night", "good night chalie?"}, {"night", "goodnight"},
		{"bye", "bye|goodbye bye|chalie?"}, {"bye", "see you later|soon|tomorrow?"},
		{"thanks", "you are|were so|very|really|the? great|best|awesome|amazing|wonderful|smart|clever|helpful|kind|good|nice|funny"}, {"thanks", "good|great|nice|excellent|fantastic|well job|work|done chalie?"},
		{"praised", "i love|like you chalie?"},
		{"program", "are you a|an? robot|human|real|bot|person|program|machine|ai|alive"},
	} {
		if _, ok := s.Match(small.when); ok {
			return talk(small.says)
		}
	}
	if s, _ = s.Request(); len(s.Words) == 0 {
		return speech.Message{}
	}
	if _, who := s.Any("who are you", "what are you", "what is your name"); who {
		return talk("asked")
	}
	if _, help := s.Any("help", "help me", "what can you do", "what can you do for me", "what can i say|ask|do", "what do you do", "what are you able to do", "how do i use you|this|chalie", "how do you work"); help {
		return withTools(p)
	}
	for _, text := range []string{p.Asked.Text, turns.ClockAgain(p)} {
		if worked, _ := abroad.WorkedOut(p, text); !worked.Says.IsZero() {
			return worked.Says
		}
	}
	return abroad.ReadsOnly(p.Asked.Text)
}

func talk(what speech.Kind) speech.Message { return tools.Says("talk", "what", what) }

// withTools says what it does, and how many tools of interfaces there are besides.
func withTools(p language.Prompt) speech.Message {
	out, others := talk("help"), 0
	for _, o := range p.Tools {
		if o.Interface != tools.OwnInterface {
			others++
		}
	}
	if others > 0 {
		out.Args["others"] = speech.Count(others)
	}
	return out
}
