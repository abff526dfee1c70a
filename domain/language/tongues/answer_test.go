package tongues_test

import (
	"testing"

	"chalie/domain/language/tongues"
)

// A message is an answer when it says yes or no and nothing else. A no counts around a yes; a yes
// behind a no is neither.
// TestRefusesBehindAYes has a no behind a yes for a no, whatever it goes on with.
func TestRefusesBehindAYes(t *testing.T) {
	for text, want := range map[string]bool{
		"yes, wait, no, leave it running": true, "oui enfin non, ne l'annule pas": true, "ja nein, lass das mal": true, "sí, no, espera que mire": true,
		"yes, no problem": false, "yes, cancel it": false, "ja, mach das": false,
	} {
		if got := tongues.Refuses(text); got != want {
			t.Errorf("%q refuses: %t, want %t", text, got, want)
		}
	}
}

func TestAnswerIn(t *testing.T) {
	const yes, no, both, neither = "yes", "no", "both", ""
	for said, want := range map[string]string{
		"yes": yes, "Yes, please!": yes, "sure, go ahead": yes, "ja, gerne": yes, "oui, vas-y": yes, "Sí, claro": yes, "ok": yes,
		"no": no, "nah leave it": no, "no wait": no, "yes — no, wait": no, "yes no wait": no, "hold on a sec": neither, "wait": no, "stop!": no, "Never mind, thanks.": no,
		"nee warte": no, "nein, doch nicht": no, "ja, äh, nein": no, "lass mal": no, "ach vergiss es": no, "halt, stopp": no, "ne danke": no,
		"oui euh non attends": no, "laisse tomber": no, "non, ni l'un ni l'autre": no, "arrête": no, "non merci": no,
		"no, espera": no, "mejor no": no, "déjalo, por favor": no, "olvídalo": no, "para": no,
		"both": both, "yes to both": both, "beide bitte": both, "ja zu beiden": both, "alle beide": both, "les deux": both, "oui aux deux": both, "las dos": both, "sí a las dos": both,
		"no, go ahead": neither, "no wait, yes": neither, "yes, cancel it": neither, "yes?": neither, "no alarm tomorrow": neither, "please": neither, "": neither, "stop the washer": neither, "no, the second one": neither,
	} {
		got := neither
		a, ok := tongues.AnswerIn(said)
		switch {
		case !ok:
		case a.No():
			got = no
		case a.Both(), a.All():
			got = both
		case a.Yes():
			got = yes
		}
		if got != want {
			t.Errorf("%q is %q, want %q", said, got, want)
		}
	}
}

// A no before all that was named may prefer it; one behind takes it back.
func TestPrefers(t *testing.T) {
	for said, want := range map[string]bool{
		"no, both": true, "nein, beide": true, "non, les deux": true, "no, wait, both": true,
		"both... no wait": false, "les deux... euh non attends": false, "beide, nee warte": false, "las dos, no, espera": false, "no to both": false, "both": false, "no": false,
	} {
		if a, ok := tongues.AnswerIn(said); !ok || a.Prefers() != want {
			t.Errorf("%q prefers: %t, answers: %t", said, a.Prefers(), ok)
		}
	}
}

// A message that begins with a no says it to what was asked, whatever it goes on with; one that only
// begins with such a word doesn't.
func TestRefuses(t *testing.T) {
	for said, want := range map[string]bool{
		"nah keep them": true, "no, I need them": true, "no I need them": true, "no dont delete them": true, "wait, not yet": true, "oh wait no the other one": true, "No, remind me at 5 to call Bob": true,
		"nein die brauch ich noch": true, "non j'en ai besoin": true, "no, las necesito": true, "no las borres": true,
		"no sugar on the list": false, "no alarm tomorrow": false, "don't forget the eggs": false, "stop the washer": false, "wait for Anna": false, "yes": false, "": false, "note it": false,
	} {
		if got := tongues.Refuses(said); got != want {
			t.Errorf("%q refuses: %t", said, got)
		}
	}
}

// A no that something follows is known by how the message begins.
func TestBeginsWithNo(t *testing.T) {
	for said, want := range map[string]bool{
		"no, I still need it": true, "oh wait, not that one": true, "nein, die brauche ich noch": true, "non, garde-la": true, "no, la necesito": true, "ok, nah I'd keep it": true,
		"yes, delete it": false, "the second one": false, "": false, "notes": false,
	} {
		if got := tongues.BeginsWithNo(said); got != want {
			t.Errorf("%q begins with no: %t", said, got)
		}
	}
}
