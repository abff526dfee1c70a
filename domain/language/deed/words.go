package deed

import (
	"slices"
	"strings"
	"sync"

	"chalie/domain/language/tongues"
)

// rows are deeds, on a line each: its id, which is its English verb, and the words for it in English,
// German, French and Spanish. Words on one line mean the same. "turn+on" is a verb with what may stand
// further behind it, and "mach+an" is written in one word, too; "allum-" takes the endings of its
// language. A word may stand on several lines.
const rows = `
turn on = turn+on, switch+on, power+on, flick+on, flip+on; mach+an, schalt+ein, schalt+an, stell+an, dreh+an, knips+an; allum-, rallum-, mets en route; enciend-, encend-, prend-
turn off = turn+off, switch+off, power+off, shut+off, flick+off, flip+off, shut+down; mach+aus, schalt+aus, schalt+ab, stell+aus, stell+ab, dreh+ab, knips+aus; éteins, éteint, éteindre, éteignez, coupe, couper, coupez; apag-, apagu-
start = start, begin, launch, kick+off, fire+up; start-, beginn-, anfang, fang+an, wirf+an, setz+gang; démarr-, lanc-, commenc-, mets+marche, mettre+marche, mets+route, mettre+route; arranc-, arranqu-, inici-, empiez-, empez-, comienz-, comenz-, pon+marcha, poner+marcha
run = run; lass+laufen; -; -
stop = stop, halt, quit, cease, end; stopp-, beend-, halt+an, hör+auf; arrêt-, stopp-, termin-; par-, deten, detener, detenga, detengas, termin-
play = play, listen+to; spiel-, spiel+ab; jou-, mets+musique; toc-, toqu-, reproduc-, reproduzc-, pon+musica, ponme+musica
resume = resume, continue, unpause, carry+on; setz+fort; reprends, reprendre, reprenez, continu-; reanud-, continú-, continu-
pause = pause, suspend; pausier-; paus-, mets+pause, mettre+pause; paus-, pon+pausa, poner+pausa
activate = activate, enable; aktivier-; activ-; activ-, habilit-
deactivate = deactivate, disable; deaktivier-; désactiv-; desactiv-, deshabilit-, inhabilit-
lock = lock, lock+up, bolt; schließ+ab, schließ+zu, sperr+ab, sperr+zu, verriegel-, verriegl-, verschließ-; verrouill-, ferme+clé, fermer+clé, fermez+clé; cierr-+llave, cerr-+llave, ech-+llave
unlock = unlock, unbolt; schließ+auf, sperr+auf, entriegel-, entriegl-; déverrouill-; desbloque-
open = open, open+up; öffn-, mach+auf; ouvr-; abr-
close = close, shut; schließ-, mach+zu; ferm-; cierr-, cerr-
arm = arm; stell+scharf, mach+scharf, schalt+scharf; arm-; arm-
disarm = disarm; stell+unscharf, schalt+unscharf, entschärf-; désarm-; desarm-
mute = mute, silence; stell+stumm, schalt+stumm, mach+stumm; coupe+son, couper+son, coupez+son; silenci-
unmute = unmute; schalt+laut, stell+laut; remets+son, remettre+son; quit-+silencio
raise = raise, increase, turn+up, boost, bump+up; erhöh-, dreh+hoch, dreh+auf, mach+lauter, stell+lauter, mach+wärmer, stell+wärmer, stell+höher, dreh+höher, fahr+hoch, fahr+rauf, zieh+hoch, mach+hoch, stell+rauf, dreh+rauf; augment-, mont-, remont-, relev-; sub-, aument-
lower = lower, decrease, reduce, turn+down; senk-, verringer-, reduzier-, dreh+runter, mach+leiser, stell+leiser, mach+kälter, stell+niedriger, fahr+runter, lass+runter, mach+runter, stell+runter; baiss-, descends, descendre, descendez, diminu-, réduis, réduire, réduisez; baj-, reduc-, reduzc-, disminuy-, disminu-
brighten = brighten; mach+heller, stell+heller; éclaircis, éclaircir; aclar-
dim = dim; dimm-, mach+dunkler, stell+dunkler; tamis-; atenú-, atenu-
heat = heat, heat+up, warm, warm+up, preheat; heiz-, heiz+auf, erwärm-; chauff-, réchauff-; calient-, calent-
cool = cool, cool+down, chill; kühl-; refroidis, refroidir, climatis-; enfrí-, enfri-
add = add, append, include, put+in, put+on; füg+hinzu, trag+ein, schreib+auf, setz+auf, pack+auf; ajout-; añad-, agreg-, agregu-
put = put, place; stell-, setz-, leg-; mets, mettre, mettez; pon, poner, ponga, ponme, ech-
create = create, compose; erstell-, leg+an, erzeug-; cré-; cre-
make = make, brew, prepare, cook; mach-, koch-, brüh-, bereit+zu; fais, faire, faites, prépar-; haz, hacer, haga, prepar-
book = book, reserve; buch-, reservier-; réserv-; reserv-
order = order, purchase, buy; bestell-, kauf-; command-, achèt-, achet-; pid-, ped-, compr-, encarg-, encargu-
schedule = schedule, plan, arrange, set+up; plan, planen, vereinbar-, mach+termin; planifi-, fix-; program-, agend-
send = send, mail, email, forward; schick-, send-; envoi-, envoy-; enví-, envi-, mand-
remove = remove, delete, erase, discard, drop, clear, wipe, take+off, take+out, get+rid; lösch-, entfern-, streich-, nimm+runter, nimm+raus, wirf+raus; supprim-, effac-, enlèv-, enlev-, retir-; borr-, elimin-, quit-
cancel = cancel, call+off, abort, scrap; stornier-, sag+ab, brich+ab, annullier-; annul-, décommand-; cancel-, anul-
show = show, display, reveal; zeig-; montr-, affich-; muestr-, mostr-, enseñ-
hide = hide, conceal; versteck-, verberg-, verbirg, blend+aus; cach-, masqu-; ocult-, escond-
accept = accept, approve, confirm; akzeptier-, nimm+an, annehm-, bestätig-, genehmig-, sag+zu; accept-, confirm-, approuv-; acept-, confirm-, aprueb-, aprob-
reject = reject, decline, deny, refuse, turn+down; lehn+ab, verweiger-; refus-, rejet-, déclin-; rechaz-, rechac-, deneg-, declin-
subscribe = subscribe; abonnier-; abonn-; suscrib-
unsubscribe = unsubscribe; bestell+ab, kündig-; désabonn-, résili-; desuscrib-
connect = connect, plug+in, pair; verbind-; connect-, branch-; conect-, enchuf-
disconnect = disconnect, unplug; trenn-; déconnect-, débranch-; desconect-, desenchuf-
block = block, ban; sperr-, blockier-; bloqu-; bloque-
unblock = unblock, unban; entsperr-; débloqu-; -
join = join, enroll, enrol; tritt+bei; rejoins, rejoindre; un-+grupo
leave = leave; verlass-; quitt-; abandon-
sell = sell; verkauf-; vends, vendre, vendez; vend-
buy = buy, purchase; kauf-; achèt-, achet-; compr-
deposit = deposit, pay+in; zahl+ein; dépos-; ingres-
withdraw = withdraw, take+out; heb+ab; retir-; retir-
install = install; installier-; install-; instal-
uninstall = uninstall; deinstallier-; désinstall-; desinstal-
admit = admit; einweis-; admets, admettre; admit-, ingres-
discharge = discharge; entlass-; -; -
load = load; belad-, lad+ein; charg-; carg-, cargu-
unload = unload; entlad-, lad+aus; décharg-; descarg-, descargu-
archive = archive; archivier-; archiv-; archiv-
restore = restore, undelete; stell+wieder; restaur-; restaur-
log in = log+in, sign+in, check+in; meld+an, check+ein; -; -
log out = log+out, sign+out, check+out; meld+ab, check+aus; -; -
upload = upload; lad+hoch; -; -
download = download; lad+runter; télécharg-; -
grant = grant, allow, permit; erlaub-, gewähr-; autoris-; autoriz-, permit-
revoke = revoke, forbid, prohibit; widerruf-, verbiet-; révoqu-, interdis, interdire; revoc-, prohib-
publish = publish; veröffentlich-; publi-; publi-
pay = pay, settle; zahl-, bezahl-; pay-, paie, règl-; pag-, pagu-
transfer = transfer, wire; überweis-; vir-, transfér-; transfier-, transfer-
call = call, phone, ring, dial; ruf+an; appel-, appell-, téléphon-; llam-
move = move, reschedule, postpone, shift, push+back; verschieb-, verleg-; déplac-, report-, décal-; muev-, mov-, aplaz-
change = change, update, adjust, edit, modify; änder-, pass+an; chang-, modifi-; cambi-, modific-, modifiqu-, actualiz-
set = set; stell-, setz-; règl-, mets, mettre; pon, poner, ajust-, fij-
switch = switch; wechsl-; bascul-, pass-; -
toggle = toggle; schalt+um; bascul-; altern-
remember = remember, memorize; merk-; retiens, retenir; recuerd-, recordar
remind = remind; erinner-; rappel-, rappell-; recuerd-, recordar
note = note, note+down, write+down, jot+down, log, record, track; notier-, schreib+auf; not-; apunt-, anot-
forget = forget; vergiss, vergess-; oubli-; olvid-
empty = empty, drain; leer-, lass+ab, entleer-; vid-, vidang-; vaci-, desagu-
fill = fill, fill+up; füll-, füll+auf, lass+ein; rempl-; llen-
clean = clean, vacuum, hoover, mop, sweep; saug-, putz-, reinig-, wisch-; nettoi-, nettoy-, aspir-; limpi-, aspir-, barr-
water = water, irrigate, sprinkle; gieß-, bewässer-; arros-; rieg-, riegu-, regar
feed = feed; fütter-; nourris, nourrir; aliment-
print = print; druck-; imprim-; imprim-
restart = restart, reboot; start+neu; redémarr-; reinici-
renew = renew, extend, prolong; verläng-, verlänger-; renouvel-, renouvell-, prolong-; renuev-, renov-
refill = refill, top+up; füll+nach; -; -
undo = undo, take+back, revert; mach+rückgängig, nimm+zurück; défais, défaire, annul-; deshaz, deshacer
snooze = snooze, delay; -; -; -
skip = skip; überspring-; saut-; salt-, saltat-
complete = complete, finish, tick+off, check+off; erledig-, hak+ab; coch-, termin-; complet-, termin-
wake = wake, wake+up; weck-; réveill-; despiert-, despert-
use = use, call, run, invoke, execute, trigger; benutz-, verwend-; utilis-; us-
do = do, perform; erledig-; fais, faire; haz, hacer
give = give; gib, geb-; donne, donner; da, dar
get = get, bring, fetch; hol-, bring-; apport-; tra-, traig-
let = let; lass-; laiss-; dej-
speak = speak, announce; sag+an; annonc-; anunci-
`

// endings of verbs, of those forms that ask somebody to do something.
var endings = map[string][]string{
	"de": {"", "e", "t", "et", "en", "n", "st", "est"},
	"fr": {"e", "es", "er", "ez", "ons", "ent", "ir"},
	"es": {"a", "ar", "as", "an", "ad", "e", "er", "es", "en", "ir", "id", "amos", "emos"},
}

// form is a word as a form of a verb for a deed.
type form struct {
	id       string
	language string
	behind   string // stands further behind, or is written before it; "" for nothing
	asks     bool   // somebody is asked by it to do something; otherwise it is told, as tools tell what they do
}

// lexicon has the forms by their word.
var lexicon = sync.OnceValue(func() map[string][]form {
	out := map[string][]form{}
	for line := range strings.Lines(rows) {
		id, words, _ := strings.Cut(strings.TrimSpace(line), " = ")
		columns := strings.Split(words, "; ")
		for i, language := range []string{"en", "de", "fr", "es"}[:min(4, len(columns))] {
			for word := range strings.SplitSeq(columns[i], ", ") {
				addForms(out, id, language, fold(word))
			}
		}
	}
	return out
})

// addForms adds the forms of a word for a deed.
func addForms(all map[string][]form, id, language, word string) {
	verb, behind, _ := strings.Cut(word, "+")
	f := form{id: id, language: language, behind: behind, asks: true}
	if verb == "-" { // that language has no word for it here
		return
	}
	add := func(word string, f form) {
		if word != "" && !slices.Contains(all[word], f) {
			all[word] = append(all[word], f)
		}
	}
	stem, open := strings.CutSuffix(verb, "-")
	switch {
	case language == "en":
		add(verb, f)
		add(gerund(verb), f)
		f.asks = false
		for _, told := range toldForms(verb) {
			add(told, f)
		}
	case strings.Contains(verb, " "):
		first, rest, _ := strings.Cut(verb, " ")
		f.behind = rest[strings.LastIndexByte(rest, ' ')+1:]
		add(first, f)
	case language == "de" && behind != "":
		whole := f
		whole.behind = ""
		if behind == "runter" || behind == "rauf" || behind == "raus" {
			addForms(all, id, language, verb+"+he"+behind)
			if behind != "raus" {
				addForms(all, id, language, verb+"+hin"+behind[1:])
			}
		}
		for _, end := range endings[language] {
			add(stem+end, f)
			add(behind+stem+end, whole)
			add(behind+"zu"+stem+end, whole)
		}
	case open:
		for _, end := range endings[language] {
			add(stem+end, f)
		}
	default:
		add(verb, f)
	}
}

// gerund is the form of an English verb with -ing.
func gerund(verb string) string {
	switch {
	case strings.HasSuffix(verb, "e") && !strings.HasSuffix(verb, "ee"):
		return verb[:len(verb)-1] + "ing"
	case doubles(verb):
		return verb + verb[len(verb)-1:] + "ing"
	}
	return verb + "ing"
}

// toldForms are the forms in which English tells what somebody does or has done.
func toldForms(verb string) []string {
	switch irregular, ok := map[string]string{"shut": "shut", "hide": "hidden", "send": "sent", "set": "set", "put": "put", "buy": "bought", "sell": "sold", "make": "made", "run": "run", "pay": "paid"}[verb]; {
	case ok:
		return []string{verb + "s", irregular}
	case strings.HasSuffix(verb, "y") && !strings.HasSuffix(verb, "ay"):
		return []string{verb[:len(verb)-1] + "ies", verb[:len(verb)-1] + "ied"}
	case strings.HasSuffix(verb, "e"):
		return []string{verb + "s", verb + "d"}
	case strings.HasSuffix(verb, "ch"), strings.HasSuffix(verb, "sh"), strings.HasSuffix(verb, "x"), strings.HasSuffix(verb, "s"):
		return []string{verb + "es", verb + "ed"}
	case doubles(verb):
		return []string{verb + "s", verb + verb[len(verb)-1:] + "ed"}
	}
	return []string{verb + "s", verb + "ed"}
}

// doubles reports whether an English verb doubles its last letter before an ending.
func doubles(verb string) bool {
	n := len(verb)
	if n < 3 || slices.Contains([]string{"open", "cancel", "enter", "order", "water", "offer", "power", "lower", "clear", "clean"}, verb) {
		return false
	}
	vowel := func(i int) bool { return strings.IndexByte("aeiou", verb[i]) >= 0 }
	return !vowel(n-1) && vowel(n-2) && !vowel(n-3) && strings.IndexByte("wxy", verb[n-1]) < 0 && (n < 5 || strings.HasSuffix(verb, "mit") || strings.HasSuffix(verb, "rol"))
}

var apostrophes = strings.NewReplacer("’", "'", "‘", "'")

// fold is a text without capitals and accents, with one kind of apostrophe.
func fold(text string) string { return apostrophes.Replace(tongues.Fold(text)) }

// clitics are the pronouns that Spanish writes behind a verb.
var clitics = []string{"melo", "mela", "selo", "me", "te", "se", "lo", "la", "los", "las", "le", "les", "nos"}

// formsOf are the forms that a word can be.
func formsOf(word string) []form {
	all := lexicon()
	found := all[word]
	if found != nil && !slices.ContainsFunc(found, func(f form) bool { return f.language == "es" }) {
		return found
	}
	for _, c := range clitics {
		bare, ok := strings.CutSuffix(word, c)
		if !ok {
			continue
		}
		if more := slices.DeleteFunc(slices.Clone(all[bare]), func(f form) bool { return f.language != "es" }); len(more) > 0 {
			return append(more, found...)
		}
	}
	if found == nil && strings.ContainsAny(word, "e") { // an umlaut where the keyboard has none
		if plain := umlauts.Replace(word); plain != word {
			return slices.DeleteFunc(slices.Clone(all[plain]), func(f form) bool { return f.language != "de" })
		}
	}
	return found
}

var umlauts = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")
