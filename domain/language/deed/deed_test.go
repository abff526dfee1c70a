package deed_test

import (
	"fmt"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/language/deed"
)

// box are tools of a home, a hospital, a calendar and a bank: what each says of itself.
var box = map[string]string{
	"unlock_door":         "Unlocks a door: front, back or cellar.",
	"lock_door":           "Locks a door: front, back or cellar.",
	"close_garage":        "Closes the garage door. It opens again when somebody stands in it.",
	"set_mode":            "Sets the mode of the house: party, sleep or holiday.",
	"start_washer":        "Starts the washing machine, with cotton, wool or quick.",
	"stop_washer":         "Stops the washing machine.",
	"HassTurnOn":          "Turns on/opens/presses a device or entity. For locks, this performs a 'lock' action. Use for requests like 'turn on', 'activate', 'enable', or 'lock'.",
	"HassTurnOff":         "Turns off/closes a device or entity. For locks, this performs an 'unlock' action. Use for requests like 'turn off', 'deactivate', 'disable', or 'unlock'.",
	"light":               "Turns a lamp or light on, or dims it.",
	"lamp_state":          "Switches a lamp on or off.",
	"door_state":          "Locks or unlocks a door.",
	"heating":             "Turns the heating on or off.",
	"arm_alarm":           "Arms the alarm.",
	"disarm_alarm":        "Disarms the alarm.",
	"play":                "Plays music.",
	"stop_music":          "Stops the music.",
	"mute":                "Mutes the television.",
	"unmute":              "Unmutes the television.",
	"brew_coffee":         "Brews a coffee.",
	"vacuum":              "Sends the robot to vacuum a room.",
	"water_plants":        "Waters the plants.",
	"cancel_appointment":  "Cancels an appointment at the hospital.",
	"book_appointment":    "Books an appointment with a doctor.",
	"refill_prescription": "Orders a refill of a prescription.",
	"admit_patient":       "Admits a patient to a ward.",
	"create_event":        "Creates an event in the calendar.",
	"delete_event":        "Deletes an event.",
	"accept_invitation":   "Accepts an invitation.",
	"decline_invitation":  "Declines an invitation.",
	"subscribe":           "Subscribes to a calendar.",
	"unsubscribe":         "Unsubscribes from a calendar.",
	"show_calendar":       "Shows a calendar beside the others.",
	"hide_calendar":       "Hides a calendar.",
	"transfer_money":      "Transfers money to somebody.",
	"buy_shares":          "Buys shares.",
	"sell_shares":         "Sells shares.",
	"verriegeln":          "Verriegelt eine Tür.",
	"ouvrir_volets":       "Ouvre les volets.",
}

const (
	named   = "named"
	none    = "none"
	against = "against"
)

// scene is what somebody says, and what it is for a call.
type scene struct{ tool, params, said, want string }

func play(t *testing.T, scenes []scene) {
	t.Helper()
	for _, s := range scenes {
		about, known := box[s.tool]
		if !known {
			t.Fatalf("there is no tool %s", s.tool)
		}
		words := deed.Of(s.tool, about, nil, []byte(s.params)).In(s.said)
		got := none
		switch {
		case len(words.Named) > 0:
			got = named
		case len(words.Against) > 0:
			got = against
		}
		if got != s.want {
			t.Errorf("%q for %s %s: %s, and should be %s (%v)", s.said, s.tool, s.params, got, s.want, words)
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	play(t, []scene{
		// A listed value alone names nothing.
		{"unlock_door", `{"door":"front"}`, "front", none},
		{"unlock_door", `{"door":"cellar"}`, "cellar please", none},
		{"unlock_door", `{"door":"front"}`, "the front door", none},
		{"set_mode", `{"mode":"party"}`, "party", none},
		{"start_washer", `{"program":"cotton"}`, "cotton", none},
		{"start_washer", `{"program":"quick"}`, "the washing machine, quick", none},
		{"transfer_money", `{"to":"alice"}`, "alice", none},

		// The verb, in any of its forms, and others for the same deed.
		{"unlock_door", `{"door":"front"}`, "unlock the front door", named},
		{"unlock_door", `{"door":"front"}`, "Could you please open the front door?", named},
		{"lock_door", `{"door":"front"}`, "lock up the front, please", named},
		{"lock_door", `{"door":"front"}`, "OK, lock the front door too", named},
		{"set_mode", `{"mode":"party"}`, "set the house to party mode", named},
		{"set_mode", `{"mode":"sleep"}`, "switch to sleep mode", named},
		{"set_mode", `{"mode":"holiday"}`, "activate holiday mode", named},
		{"start_washer", `{"program":"wool"}`, "turn on the washing machine with wool", named},
		{"start_washer", `{"program":"wool"}`, "run the washing machine on wool", named},
		{"light", `{"room":"kitchen"}`, "Turn on the light in the kitchen", named},
		{"light", `{"room":"hall"}`, "Please switch the lamp in the hall on", named},
		{"light", `{"room":"kitchen"}`, "Dim the kitchen", named},
		{"light", `{"room":"kitchen"}`, "Lights on again in the kitchen", named},
		{"brew_coffee", `{}`, "make me a coffee", named},
		{"brew_coffee", `{}`, "coffee", none},
		{"water_plants", `{}`, "water the plants", named},
		{"book_appointment", `{}`, "I'd like to make an appointment with Dr Vella", named},
		{"transfer_money", `{"to":"Anna"}`, "send Anna 5 euros", named},
		{"refill_prescription", `{}`, "renew my prescription", named},

		// The contrary.
		{"unlock_door", `{"door":"front"}`, "lock the front door", against},
		{"unlock_door", `{"door":"front"}`, "close the front door", against},
		{"lock_door", `{"door":"front"}`, "unlock the front door", against},
		{"start_washer", `{"program":"wool"}`, "turn off the washing machine", against},
		{"start_washer", `{"program":"wool"}`, "stop the washer", against},
		{"start_washer", `{"program":"wool"}`, "don't start the washing machine", against},
		{"stop_washer", `{}`, "start the washing machine", against},
		{"play", `{"music":"jazz"}`, "stop playing jazz", against},
		{"mute", `{}`, "unmute the television", against},
		{"unmute", `{}`, "mute the television", against},
		{"arm_alarm", `{}`, "turn off the alarm", against},
		{"book_appointment", `{}`, "cancel the appointment", against},
		{"accept_invitation", `{}`, "decline the invitation", against},
		{"subscribe", `{}`, "unsubscribe me from the calendar", against},
		{"close_garage", `{}`, "open the garage", against},

		// By name, description and value together, the description first.
		{"HassTurnOn", `{"name":"front door"}`, "lock the front door", named},
		{"HassTurnOn", `{"name":"front door"}`, "unlock the front door", against},
		{"HassTurnOff", `{"name":"front door"}`, "unlock the front door", named},
		{"HassTurnOff", `{"name":"front door"}`, "lock the front door", against},
		{"HassTurnOn", `{"name":"blinds"}`, "open the blinds", named},
		{"HassTurnOn", `{"name":"blinds"}`, "close the blinds", against},
		{"HassTurnOn", `{"name":"kitchen light"}`, "turn the kitchen light off", against},
		{"lamp_state", `{"room":"hall","state":"off"}`, "turn the lamp in the hall off", named},
		// A part that shares the verb of the one before, and one that only tells.
		{"lamp_state", `{"room":"hall","state":"off"}`, "turn the pump on and the lamp in the hall off", named},
		{"lamp_state", `{"room":"hall","state":"off"}`, "schalt die Pumpe ein und die Lampe im Flur aus", named},
		{"lamp_state", `{"room":"hall","state":"off"}`, "turn the heating on and I see the lamp in the hall is off", against},
		{"lamp_state", `{"room":"hall","state":"off"}`, "schalt die Pumpe ein und die Lampe ist aus", against},
		// What is to stay as it is.
		{"delete_event", `{}`, "yes, wait, no, leave it as it is", none},
		// A listed value alone, though a verb may be one, and a thing with a number.
		{"lamp_state", `{"state":"stop"}`, "stop", none},
		{"vacuum", `{"room":"12"}`, "robot 12", none},
		{"lamp_state", `{"room":"hall","state":"on"}`, "turn the lamp in the hall off", against},
		{"door_state", `{"door":"front","state":"unlocked"}`, "lock the front door", against},
		{"door_state", `{"door":"front","state":"locked"}`, "lock the front door", named},
		{"heating", `{"on":false}`, "turn the heating off", named},
		{"heating", `{"on":false}`, "turn on the heating", against},

		// Four languages.
		{"lock_door", `{"door":"front"}`, "Schließ die Haustür ab", named},
		{"unlock_door", `{"door":"front"}`, "Schließ bitte die Haustür auf", named},
		{"unlock_door", `{"door":"front"}`, "Schließ die Haustür ab", against},
		{"light", `{"room":"kitchen"}`, "Mach das Licht in der Küche an", named},
		{"light", `{"room":"kitchen"}`, "Licht an in der Küche", named},
		{"start_washer", `{"program":"wool"}`, "Schalte die Waschmaschine aus", against},
		{"start_washer", `{"program":"wool"}`, "Starte die Waschmaschine nicht", against},
		{"lock_door", `{"door":"front"}`, "Verrouille la porte", named},
		{"unlock_door", `{"door":"front"}`, "n'ouvre pas la porte", against},
		{"light", `{"room":"kitchen"}`, "Peux-tu allumer la lumière de la cuisine ?", named},
		{"start_washer", `{"program":"wool"}`, "Éteins la machine à laver", against},
		{"unlock_door", `{"door":"front"}`, "Abre la puerta", named},
		{"unlock_door", `{"door":"front"}`, "No abras la puerta", against},
		{"light", `{"room":"kitchen"}`, "Enciende la luz de la cocina", named},
		{"start_washer", `{"program":"wool"}`, "Apaga la lavadora", against},
		{"verriegeln", `{}`, "Lock the door", named},
		{"ouvrir_volets", `{}`, "Ferme les volets", against},

		// Spoken of, and not told to be done.
		{"lock_door", `{"door":"front"}`, "did you lock the door?", none},
		{"lock_door", `{"door":"front"}`, "is the front lock broken?", none},
		{"lock_door", `{"door":"front"}`, "I lock the door every night", none},
		{"lock_door", `{"door":"front"}`, "remind me to lock the door", none},
		{"lock_door", `{"door":"front"}`, `text Bob "lock the door"`, none},
		{"lock_door", `{"door":"front"}`, "text Bob: lock the door", none},
		{"close_garage", `{}`, "show me the garage", none},
		{"start_washer", `{"program":"wool"}`, "when does the washing machine start?", none},
		{"lock_door", `{"door":"front"}`, "don't forget to lock the door", named},
		{"lock_door", `{"door":"front"}`, "why don't you lock the door", named},
	})
}

// TestWordsKeptAside are scenes of which none was looked at while the rules were made.
func TestWordsKeptAside(t *testing.T) {
	t.Parallel()
	play(t, []scene{
		{"unlock_door", `{"door":"back"}`, "back", none},
		{"unlock_door", `{"door":"back"}`, "back door, please", none},
		{"set_mode", `{"mode":"sleep"}`, "sleep now", none},
		{"start_washer", `{"program":"wool"}`, "my wool pullover", none},
		{"cancel_appointment", `{"id":"12"}`, "number 12", none},
		{"vacuum", `{"room":"hall"}`, "the hall", none},
		{"unlock_door", `{"door":"cellar"}`, "can you unlock the cellar for me", named},
		{"close_garage", `{}`, "shut the garage door", named},
		{"vacuum", `{"room":"hall"}`, "vacuum the hall", named},
		{"vacuum", `{"room":"hall"}`, "clean the hall", named},
		{"cancel_appointment", `{}`, "call off my appointment", named},
		{"create_event", `{}`, "put dinner with Ada in the calendar", named},
		{"delete_event", `{}`, "take the dinner out of the calendar", named},
		{"accept_invitation", `{}`, "please confirm the invitation", named},
		{"hide_calendar", `{}`, "hide the work calendar", named},
		{"play", `{"music":"jazz"}`, "put some jazz on", named},
		{"disarm_alarm", `{}`, "switch the alarm off", named},
		{"buy_shares", `{}`, "get me ten shares of Contoso", named},
		{"disarm_alarm", `{}`, "arm the alarm", against},
		{"cancel_appointment", `{}`, "book an appointment", against},
		{"delete_event", `{}`, "add an event tomorrow", against},
		{"show_calendar", `{}`, "hide the work calendar", against},
		{"hide_calendar", `{}`, "show the work calendar", against},
		{"sell_shares", `{}`, "buy ten shares", against},
		{"admit_patient", `{}`, "discharge the patient in bed 4", against},
		{"unlock_door", `{"door":"front"}`, "never unlock the front door", against},
		{"unlock_door", `{"door":"front"}`, "do not open the front door", against},
		{"stop_music", `{}`, "play some music", against},
		{"decline_invitation", `{}`, "accept the invitation", against},
		{"HassTurnOff", `{"name":"washer"}`, "start the washer", against},
		{"HassTurnOn", `{"name":"washer"}`, "stop the washer", against},
		{"lamp_state", `{"room":"hall","state":"off"}`, "switch on the lamp in the hall", against},
		{"light", `{"room":"kitchen"}`, "Schalte in der Küche das Licht ein", named},
		{"light", `{"room":"kitchen"}`, "Kannst du das Licht anmachen?", named},
		{"light", `{"room":"kitchen"}`, "Mach das Licht aus", against},
		{"unlock_door", `{"door":"front"}`, "Bitte die Haustür nicht aufschließen", against},
		{"book_appointment", `{}`, "Sag den Termin ab", against},
		{"cancel_appointment", `{}`, "Sag den Termin ab", named},
		{"transfer_money", `{"to":"Anna"}`, "Überweise Anna 5 Euro", named},
		{"light", `{"room":"kitchen"}`, "Küche", none},
		{"cancel_appointment", `{}`, "Annule mon rendez-vous", named},
		{"lock_door", `{"door":"front"}`, "Déverrouille la porte", against},
		{"play", `{"music":"jazz"}`, "Arrête de jouer du jazz", against},
		{"light", `{"room":"kitchen"}`, "la cuisine", none},
		{"lock_door", `{"door":"front"}`, "Cierra la puerta con llave", named},
		{"cancel_appointment", `{}`, "Cancela mi cita", named},
		{"light", `{"room":"kitchen"}`, "¿Puedes encender la luz?", named},
		{"stop_music", `{}`, "Pon música", against},
		{"unlock_door", `{"door":"front"}`, "what happens if I unlock the front door?", none},
		{"transfer_money", `{"to":"Anna"}`, "how do I transfer money to Anna?", none},
		{"start_washer", `{"program":"wool"}`, "the washing machine starts at eight", none},
		{"buy_shares", `{}`, "should I buy shares of Contoso?", none},
		{"unlock_door", `{"door":"front"}`, "can't you unlock the front door?", named},
		{"start_washer", `{"program":"wool"}`, "stop the dryer and start the washer with wool", named},
		{"lock_door", `{"door":"front"}`, "don't unlock the front door, lock it", named},
	})
}

// A word counts by its place among those between white space.
func TestPlaces(t *testing.T) {
	t.Parallel()
	for said, want := range map[string]string{
		"please turn the light in the kitchen on": "turn on",
		"Please, lock the front door!":            "lock",
		"Schließ die Tür ab":                      "Schließ ab",
	} {
		tool := map[bool]string{true: "light", false: "lock_door"}[strings.Contains(said, "light")]
		var got []string
		all := strings.Fields(said)
		for _, s := range deed.Of(tool, box[tool], nil, nil).In(said).Named {
			got = append(got, strings.Join(all[s.From:s.To], " "))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q is named by %q, and should be by %q", said, got, want)
		}
	}
}

// Nothing that anybody can say or call a tool breaks it, or takes long.
func TestAnything(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", " ", "'", "''''", "don't", "-", "“", "\x00\xff", strings.Repeat("turn ", 4000), strings.Repeat("on'", 4000), strings.Repeat("not ", 9)} {
		words := deed.Of(text, text, []domain.Parameter{{Name: text, Description: text}}, []byte(text)).In(text)
		for _, s := range append(words.Named, words.Against...) {
			if n := len(strings.Fields(text)); s.From < 0 || s.To > n || s.From >= s.To {
				t.Errorf("%.20q has %d words, and %v counts", text, n, s)
			}
		}
	}
	_ = fmt.Sprint(deed.Of("x", "y", nil, []byte(`{"a":[1,{"b":true}],"on":true}`)))
}

// A tool may say that it only looks without declaring it.
func TestLooks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, about string
		want        bool
	}{
		{"list_shapes", "List the shapes on the board.", true},
		{"order_status", "Tells the status of an order.", false}, // to order changes something
		{"get_order", "Get an order by its number, and what it costs.", true},
		{"toggle", "Shows or hides the calendar.", false},
		{"unlock_door", "Unlocks a door.", false},
		{"delete_all", "Lists what is deleted.", false},
		{"", "", false},
	} {
		if got := deed.Of(c.name, c.about, nil, nil).Looks(); got != c.want {
			t.Errorf("%s, %q: looks %t", c.name, c.about, got)
		}
	}
}
