package builtinmodel_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"chalie/domain"
	"chalie/domain/language"
)

// toolIn is a tool of a program as its schema tells it.
func toolIn(t testing.TB, name, description, schema string) language.Offered {
	t.Helper()
	var read struct {
		Properties map[string]struct {
			Type        domain.ParameterType `json:"type"`
			Description string               `json:"description"`
		} `json:"properties"`
		Required []string `json:"required"`
	}
	if err := json.Unmarshal([]byte(schema), &read); err != nil {
		t.Fatal(err)
	}
	o := language.Offered{Name: name, Interface: "Haus", Description: description, SideEffects: true, Schema: []byte(schema)}
	for p, is := range read.Properties {
		required := false
		for _, r := range read.Required {
			required = required || r == p
		}
		o.Parameters = append(o.Parameters, domain.Parameter{Name: p, Type: is.Type, Description: is.Description, Required: required})
	}
	return o
}

// TestDeeds reads requests in four languages for tools that change something.
func TestDeeds(t *testing.T) {
	lamp := toolIn(t, "licht", "Schaltet eine Lampe im Haus ein oder aus.", `{"type":"object","properties":{"lampe":{"type":"string","description":"Welche Lampe","enum":["Bad oben","Bad unten","Flur"]},"an":{"type":"boolean","description":"true ist ein, false ist aus"}},"required":["lampe","an"]}`)
	bell := toolIn(t, "rufanlage", "Schaltet die Rufanlage der Station stumm oder laut.", `{"type":"object","properties":{"stumm":{"type":"boolean","description":"true ist stumm, false ist laut"}},"required":["stumm"]}`)
	blind := toolIn(t, "rollladen", "Fährt einen Rollladen hoch oder runter.", `{"type":"object","properties":{"raum":{"type":"string","description":"In welchem Raum","enum":["Wohnzimmer","Schlafzimmer","Küche"]},"richtung":{"type":"string","description":"Wohin","enum":["hoch","runter"]}},"required":["raum","richtung"]}`)
	send := toolIn(t, "nachricht_senden", "Sendet eine Nachricht an eine Abteilung im Krankenhaus.", `{"type":"object","properties":{"an":{"type":"string","description":"An welche Abteilung","enum":["Labor","Apotheke","Küche"]},"text":{"type":"string","description":"Was in der Nachricht steht"}},"required":["an","text"]}`)
	order := toolIn(t, "cancelar_pedido", "Cancela un pedido definitivamente.", `{"type":"object","properties":{"pedido":{"type":"integer","description":"Número del pedido"}},"required":["pedido"]}`)
	take := toolIn(t, "delete_take", "Delete a recorded take for good.", `{"type":"object","properties":{"take":{"type":"integer","description":"Number of the take"}},"required":["take"]}`)
	save := toolIn(t, "supprimer_sauvegarde", "Supprime définitivement la sauvegarde d'un jour.", `{"type":"object","properties":{"jour":{"type":"string","description":"De quel jour","enum":["lundi","mardi","mercredi"]}},"required":["jour"]}`)
	begin := toolIn(t, "recording_start", "Start the recording in the studio.", `{"type":"object","properties":{}}`)
	mic := toolIn(t, "microphone", "Turn a microphone on or off.", `{"type":"object","properties":{"mic":{"type":"string","description":"Which microphone","enum":["voix","guitare","batterie"]},"on":{"type":"boolean","description":"true is on, false is off"}},"required":["mic","on"]}`)
	heat := toolIn(t, "set_heating", "Sets the temperature of a room.", `{"type":"object","properties":{"room":{"type":"string","description":"Room","enum":["kitchen","bath"]},"degrees":{"type":"number","description":"Degrees Celsius"}},"required":["room","degrees"]}`)
	pump := toolIn(t, "bilgenpumpe", "Schaltet die Bilgenpumpe ein oder aus.", `{"type":"object","properties":{"an":{"type":"boolean","description":"true ist ein, false ist aus"}},"required":["an"]}`)
	vent := toolIn(t, "vent_control", "Opens or closes a roof vent.", `{"type":"object","properties":{"vent":{"type":"string","description":"Which vent","enum":["north","south"]},"action":{"type":"string","description":"What to do","enum":["open","close"]}},"required":["vent","action"]}`)
	printing := toolIn(t, "cancel_print", "Cancels the running print; what was printed so far is lost.", `{"type":"object","properties":{}}`)
	gate := toolIn(t, "schranke_steuern", "Öffnet oder schließt eine Schranke.", `{"type":"object","properties":{"schranke":{"type":"string","description":"Welche Schranke","enum":["Einfahrt","Ausfahrt"]},"aktion":{"type":"string","description":"Was getan wird","enum":["öffnen","schließen"]}},"required":["schranke","aktion"]}`)
	feed := toolIn(t, "echar_pienso", "Echa pienso a los animales.", `{"type":"object","properties":{"animales":{"type":"string","description":"A qué animales","enum":["cabras","gallinas"]},"kilos":{"type":"number","description":"Cuántos kilos"}},"required":["animales","kilos"]}`)
	locker := toolIn(t, "casier_ouvrir", "Ouvre un casier à colis.", `{"type":"object","properties":{"numero":{"type":"integer","description":"Numéro du casier"}},"required":["numero"]}`)
	for _, c := range []struct {
		tool       language.Offered
		said, want string
	}{
		{lamp, "mach das Licht im Flur aus", `licht {"an":false,"lampe":"Flur"}`},
		{lamp, "ja dann mach das Licht im Flur aus", `licht {"an":false,"lampe":"Flur"}`},
		{lamp, "mach das licht im bad aus, ich will schlafen", "? Für welches davon: Bad oben, Bad unten, Flur?"},
		{lamp, "mach das Licht im Bad unten und im Flur an", `licht {"an":true,"lampe":"Bad unten"}; licht {"an":true,"lampe":"Flur"}`},
		{lamp, "mach das Licht im Flur in zehn Minuten aus", "? „licht“ von Haus tut es sofort: „in zehn Minuten“ kann ich dem nicht sagen. Sag es ohne die Zeit, oder lass dich dann von mir erinnern."},
		{lamp, "mach das Licht im Flur nicht aus", "-"},
		{lamp, "Licht im Flur aus", `licht {"an":false,"lampe":"Flur"}`},
		{lamp, "Licht", "-"},
		{vent, "now close both vents, it's started raining", `vent_control {"action":"close","vent":"north"}; vent_control {"action":"close","vent":"south"}`},
		{gate, "jetzt bitte beide Schranken schließen", `schranke_steuern {"aktion":"schließen","schranke":"Einfahrt"}; schranke_steuern {"aktion":"schließen","schranke":"Ausfahrt"}`},
		{gate, "Öffne mal die Schranke, da kommt ein Gespann", "? Für welches davon: Einfahrt, Ausfahrt?"},
		{printing, "yes, wait, no, leave it running", "-"},
		{printing, "cancel the print, it's all spaghetti now", "cancel_print {}"},
		{feed, "échale 2,5 kilos de pienso a las cabras, que hoy no han salido", `echar_pienso {"animales":"cabras","kilos":2.5}`},
		{pump, "schalt mal bitte die bilgenpumpe ein", `bilgenpumpe {"an":true}`},
		{locker, "casier 12", "? Shall I use “casier_ouvrir” of Haus with numero “12”? Say yes."},
		{locker, "ouvre le casier 12", `casier_ouvrir {"numero":12}`},
		{lamp, "Ist das Licht im Flur aus?", "-"},
		{lamp, "mach alle Lampen aus, aber nicht die im Flur", "? Ich würde „licht“ von Haus benutzen, weiß aber nicht, was „aber nicht“ dafür heißt. Sag es ohne das."},
		{bell, "stell die Rufanlage bitte stumm, hier schläft jemand", `rufanlage {"stumm":true}`},
		{blind, "Würden Sie bitte den Rollladen im Wohnzimmer herunterfahren, die Sonne blendet so.", `rollladen {"raum":"Wohnzimmer","richtung":"runter"}`},
		{blind, "Fahren Sie bitte den Rollladen in der Küche hoch.", `rollladen {"raum":"Küche","richtung":"hoch"}`},
		{blind, "Bitte fahren Sie den Rollladen in der Küche nicht hoch.", "-"},
		{send, "Sende eine Nachricht an das Labor: Die Proben sind fertig", `nachricht_senden {"an":"Labor","text":"Die Proben sind fertig"}`},
		{send, "der Küche bitte keine Nachricht senden", "-"},
		{order, "cancela el pedido 81 y el pedido 84", `cancelar_pedido {"pedido":81}; cancelar_pedido {"pedido":84}`},
		{take, "delete take 3 and take 5", `delete_take {"take":3}; delete_take {"take":5}`},
		{save, "supprime la sauvegarde de lundi et celle de mardi", `supprimer_sauvegarde {"jour":"lundi"}; supprimer_sauvegarde {"jour":"mardi"}`},
		{save, "ne supprime pas la sauvegarde de mercredi", "-"},
		{begin, "c'est bon vas-y démarre l'enregistrement", `recording_start {}`},
		{begin, "commence pas l'enregistrement, on accorde encore", "-"},
		{mic, "eteins le micro de la batterie ca sature", `microphone {"mic":"batterie","on":false}`},
		{heat, "pon la calefacción de la cocina a 21 grados", `set_heating {"degrees":21,"room":"kitchen"}`},
		{heat, "stell die Heizung im Bad um 2 Grad höher", "-"},
		{heat, "mets le chauffage de la salle de bain à 21 degrés si j'arrive tôt", "? «set_heating» de Haus le fait tout de suite : je ne peux pas lui dire «tôt». Dis-le sans l'heure, ou laisse-moi te le rappeler à ce moment-là."},
	} {
		p := offers(t, c.said)
		p.Tools = append(skillsOffered(t), c.tool)
		if got := outline(reply(t, p)); got != c.want && (c.want != "-" || !isLost(got)) {
			t.Errorf("%q: got %s\nwant %s", c.said, got, c.want)
		}
	}
}

// TestDeedsAndWhy reads requests beside which somebody tells why, without a comma and without an apostrophe, before
// and behind. What may belong to the request is never left out.
func TestDeedsAndWhy(t *testing.T) {
	lamp := toolIn(t, "lamp", "Switches a lamp on or off.", `{"type":"object","properties":{"room":{"type":"string","description":"Which room","enum":["hall","attic"]},"on":{"type":"boolean","description":"true: on, false: off"}},"required":["room","on"]}`)
	player := toolIn(t, "lecteur", "Contrôle la musique : jouer ou mettre en pause.", `{"type":"object","properties":{"action":{"type":"string","description":"Quoi faire","enum":["jouer","pause"]}},"required":["action"]}`)
	fire := toolIn(t, "kamin", "Schaltet den Kamin ein oder aus.", `{"type":"object","properties":{"modus":{"type":"string","description":"ein = heizen, aus = abschalten","enum":["ein","aus"]}},"required":["modus"]}`)
	table := toolIn(t, "tisch_absagen", "Storniert einen Tisch.", `{"type":"object","properties":{"lokal":{"type":"string","description":"In welchem Lokal","enum":["Da Mario","Zum Anker"]}},"required":["lokal"]}`)
	plane := toolIn(t, "cancel_flight", "Cancels a booked flight.", `{"type":"object","properties":{"leaves":{"type":"string","description":"When it leaves","enum":["07:30","18:05"]}},"required":["leaves"]}`)
	for _, c := range []struct{ said, want string }{
		{"switch the hall lamp off im off to bed", `lamp {"on":false,"room":"hall"}`},
		{"switch the hall lamp off its already morning for me", `lamp {"on":false,"room":"hall"}`},
		{"could you switch on the attic lamp before you leave", `lamp {"on":true,"room":"attic"}`},
		{"my aunt comes soon so switch on the hall lamp", `lamp {"on":true,"room":"hall"}`},
		{"yo switch on the hall lamp", `lamp {"on":true,"room":"hall"}`},
		{"switch off the hall lamp before sunset", "? I would use “lamp” of Haus, but I don't know what “before sunset” means for it. Say it without that."},
		{"mets la musique en pause le voisin dort", `lecteur {"action":"pause"}`},
		{"stell den Kamin ab", `kamin {"modus":"aus"}`},
		{"stell den Kamin nicht ab", "-"},
		{"Stornieren Sie bitte den Tisch bei Da Mario", `tisch_absagen {"lokal":"Da Mario"}`},
		{"storniere den Tisch bei Da Mario da er voll ist", `tisch_absagen {"lokal":"Da Mario"}`},
		{"we're both ill. cancel the 07:30 flight and switch off the hall lamp", `cancel_flight {"leaves":"07:30"}; lamp {"on":false,"room":"hall"}`},
	} {
		p := offers(t, c.said)
		p.Tools = append(skillsOffered(t), lamp, player, fire, table, plane)
		if got := outline(reply(t, p)); got != c.want && (c.want != "-" || !isLost(got)) {
			t.Errorf("%q: got %s\nwant %s", c.said, got, c.want)
		}
	}
}

// TestDeedsShareAVerb reads two requests of which the second has only what goes with the verb of the first.
func TestDeedsShareAVerb(t *testing.T) {
	onOff := `{"type":"object","properties":{"an":{"type":"boolean","description":"true ist ein, false ist aus"}},"required":["an"]}`
	for said, want := range map[string]string{
		"schalt mal bitte die bilgenpumpe ein und das ankerlicht aus": `bilgenpumpe {"an":true}; ankerlicht {"an":false}`,
		"schalt die bilgenpumpe ein und das ankerlicht ist aus":       `bilgenpumpe {"an":true}`,
	} {
		p := offers(t, said)
		p.Tools = append(skillsOffered(t), toolIn(t, "bilgenpumpe", "Schaltet die Bilgenpumpe ein oder aus.", onOff), toolIn(t, "ankerlicht", "Schaltet das Ankerlicht ein oder aus.", onOff))
		if got := outline(reply(t, p)); got != want {
			t.Errorf("%q: got %s, want %s", said, got, want)
		}
	}
}

// FuzzDeeds reads anything beside tools that change something: it ends, and names no tool that isn't there.
func FuzzDeeds(f *testing.F) {
	for _, said := range []string{
		"lock the front door, — !! 👍", "mach das Licht im Flur aus, …, und", "und aus und an", "ein und aus und", "delete take 3,5 and 2.5.1", "éteins, la lampe - ? - les deux",
		"a\u0300", "sende: ", "\"\" lock", "turn on and off and on and off", "both", "if you can, lock the front door if",
	} {
		f.Add(said)
	}
	tools := []language.Offered{
		toolIn(f, "front_door", "Locks or unlocks the front door.", `{"type":"object","properties":{"locked":{"type":"boolean","description":"true locks, false unlocks"}},"required":["locked"]}`),
		toolIn(f, "licht", "Schaltet eine Lampe ein oder aus.", `{"type":"object","properties":{"lampe":{"type":"string","enum":["Bad","Flur"]},"an":{"type":"boolean"},"prozent":{"type":"integer"}},"required":["lampe","an"]}`),
		toolIn(f, "senden", "Sendet eine Nachricht.", `{"type":"object","properties":{"text":{"type":"string"}},"required":["text"]}`),
	}
	f.Fuzz(func(t *testing.T, said string) {
		p := offers(t, said)
		p.Tools = append(skillsOffered(t), tools...)
		for _, call := range reply(t, p).ToolCalls {
			if !slices.ContainsFunc(p.Tools, func(o language.Offered) bool { return o.Name == call.Tool }) {
				t.Errorf("%q calls %s", said, call.Tool)
			}
		}
	})
}

// isLost reports whether an answer says that nothing was understood.
func isLost(answer string) bool {
	return strings.HasPrefix(answer, "? Das habe ich nicht verstanden") || strings.HasPrefix(answer, "? Je n'ai pas compris")
}

// BenchmarkDeeds reads messages beside many tools: requests, and what isn't one.
func BenchmarkDeeds(b *testing.B) {
	var tools []language.Offered
	for i := range 450 {
		o := language.Offered{Name: fmt.Sprintf("thing_%d_switch", i), Interface: "Haus", Description: "Schaltet eine Lampe im Zimmer ein oder aus, auch die im Garten.", SideEffects: true}
		o.Parameters = []domain.Parameter{{Name: "an", Type: domain.TypeBoolean, Required: true, Description: "true ist ein, false ist aus"}, {Name: "zimmer", Type: domain.TypeString, Required: true, Description: "Welches Zimmer"}}
		o.Schema = []byte(`{"type":"object","properties":{"an":{"type":"boolean"},"zimmer":{"type":"string","enum":["Küche","Bad","Flur"]}},"required":["an","zimmer"]}`)
		tools = append(tools, o)
	}
	for _, c := range []struct{ name, said string }{
		{"a request", "mach das Licht im Flur aus"},
		{"40 words", strings.Repeat("die Lampe im Flur mach an ", 7)},
		{"80 words", strings.Repeat("Gartenlampe Küche ", 40)},
		{"one long word", strings.Repeat("lampe", 800)},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := offers(b, c.said)
			p.Tools = append(skillsOffered(b), tools...)
			for b.Loop() {
				reply(b, p)
			}
		})
	}
}
