package guard

import "strings"

// class is the role of a word in a pattern; a word can have several.
type class uint64

// The classes.
const (
	classOverride class = 1 << iota // ignore
	classEarlier                    // previous, your
	classAll
	classOrders // instructions
	classPrompt
	classNew
	classCall
	classTool
	classWithout
	classAsking // ask, tell
	classHuman  // the user
	classModel  // the assistant
	classMust
	classYou
	classAre
	classNow
	classFrom
	classOn
	classAct
	classAs
	classPretend
	classFree // unrestricted
	classReveal
	classSystem
	classOwn // your, hidden
	classDo
	classAnything
	classLimits
	classMode
	classEnable
	classSend
	classLoot // passwords
	classTalk // the conversation
	classDest // an address
	classDecode
	classDisplay
	classNone
	classSpeaker // who a turn of a dialogue may belong to
)

// words are what means something, in small letters: in English and, for the most
// usual order, in a few other languages. A word in several rows is all of it.
var words = [...]struct {
	class class
	words string
}{
	{classOverride, "ignore disregard override bypass forget neglect"},
	{classOverride, "ignoriere ignorieren vergiss ignorez oublie oubliez ignora olvida dimentica negeer ignorar"},
	{classEarlier, "previous prior above earlier preceding past existing these your initial internal original system"},
	{classEarlier, "vorherigen bisherigen vorigen vorhergehenden precedentes anteriores previas precedenti vorige eerdere deine vos tus"},
	{classAll, "all any every alle toutes todas tutte"},
	{classOrders, "instructions instruction rules guidelines directives constraints programming commands prompt prompts"},
	{classOrders, "anweisungen anweisung regeln consignes instrucciones instrucoes istruzioni instructies"},
	{classPrompt, "prompt prompts"},
	{classNew, "new updated real actual"},
	{classCall, "call invoke use execute trigger run"},
	{classTool, "tool tools function functions command commands skill skills plugin capability api"},
	{classWithout, "without not dont never no"},
	{classAsking, "asking ask approval confirmation confirming permission consent telling tell inform informing mention mentioning notify notifying alert alerting"},
	{classHuman, "user human owner operator"},
	{classSpeaker, "assistant system developer"},
	{classModel, "assistant ai llm chatbot bot model gpt chatgpt claude agent agents chalie"},
	{classMust, "must should shall need have immediately please"},
	{classYou, "you youre"},
	{classAre, "are"},
	{classNow, "now"},
	{classFrom, "from"},
	{classOn, "on"},
	{classAct, "act behave respond answer"},
	{classAs, "as like"},
	{classPretend, "pretend roleplay"},
	{classFree, "dan jailbroken unrestricted unfiltered uncensored root admin administrator god jailbreak developer"},
	{classReveal, "reveal show print repeat output dump recite disclose give display tell"},
	{classSystem, "system"},
	{classOwn, "your deine vos tus initial internal original hidden system"},
	{classDo, "do"},
	{classAnything, "anything"},
	{classLimits, "restrictions restriction limitations filters censorship safeguards guardrails ethics"},
	{classMode, "mode"},
	{classEnable, "enable enabled activate activated enter"},
	{classSend, "send post upload forward email transmit exfiltrate submit leak"},
	{classLoot, "password passwords credentials credential secrets secret apikey keys token tokens cookies"},
	{classTalk, "conversation conversations history memory memories contacts"},
	{classDest, "http https www ftp mailto"},
	{classDecode, "decode base64 rot13 decipher decrypt unscramble"},
	{classDisplay, "display visibility"},
	{classNone, "none hidden"},
}

// classes is words by word. Most words of a text aren't in it.
var classes = func() map[string]class {
	out := map[string]class{}
	for _, row := range words {
		for word := range strings.FieldsSeq(row.words) {
			out[word] |= row.class
		}
	}
	return out
}()

// wordSet holds the words of a text.
func wordSet(text string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		out[word] = true
	}
	return out
}
