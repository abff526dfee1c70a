package tongue

import (
	"strings"
	"sync"
	"unicode"
)

// Of is the language of a sentence, if it is one of those that are read: it has words of
// that language which English and the others haven't, more than twice as many as it has
// English ones (or just more, when it begins with one and has three), and either two of them or no other words at all. Those that names have too,
// such as de la, only count beside others.
func Of(text string) (*Tongue, bool) {
	words := spoken(text)
	if len(words) == 0 {
		return nil, false
	}
	var best *Tongue
	most, second := 0, 0
	for _, t := range All() {
		switch n := t.count(words); {
		case n > most:
			best, most, second = t, n, most
		case n > second:
			second = n
		}
	}
	if best == nil || most == second {
		return nil, false
	}
	for _, other := range others() {
		if n := count(words, other); n > 0 && n+strangers(text) > most {
			return nil, false
		}
	}
	own, names, foreign := 0, 0, 0
	for _, w := range words {
		mine, theirs := best.speaks(w), english()[w]
		switch {
		case mine && (inNames()[w] || len(w) == 1):
			names++
		case mine && !theirs:
			own++
		case theirs && !mine:
			foreign++
		}
	}
	begins := own >= 3 && own > foreign && best.speaks(words[0]) && !english()[words[0]] && !inNames()[words[0]]
	if own == 0 || own <= 2*foreign && !begins || own+names < 2 && most < len(words) {
		return nil, false
	}
	return best, true
}

// Elsewhere reports whether a sentence is in a language that isn't read: most of its
// letters are of another script, or several of its words are of another language and not
// of one that is read.
func Elsewhere(text string) bool {
	letters, strange := 0, 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
			if !unicode.Is(unicode.Latin, r) {
				strange++
			}
		}
	}
	if strange > 0 && 2*strange > letters {
		return true
	}
	words := spoken(text)
	known := 0 // words of the language, of those that are read, that has the most of them
	for _, t := range All() {
		known = max(known, t.count(words))
	}
	inEnglish := count(words, english())
	for _, other := range others() {
		own := 0
		for _, w := range words {
			if other[w] && !english()[w] {
				own++
			}
		}
		if n := count(words, other); n == 0 {
			continue
		} else if n, own := n+strangers(text), own+strangers(text); n > known && own > 2*(inEnglish-(n-own)) && (own >= 2 || own == len(words) && len(words) <= 2) {
			return true
		}
	}
	return false
}

// strangers counts words with letters that English and the languages that are read haven't.
func strangers(text string) int {
	n := 0
	for _, word := range strings.Fields(strings.ToLower(text)) {
		if strings.ContainsAny(word, "ãõąćęłńśźżășțşţğıčďěňřšťůýžőűåøì") {
			n++
		}
	}
	return n
}

// spoken are the words of a sentence outside of quotation marks.
func spoken(text string) []string {
	var out []string
	for _, w := range Words(text) {
		if !w.Quoted && !w.IsMark() && !w.isNumber() {
			out = append(out, w.Text)
		}
		if len(out) == maxWords {
			break
		}
	}
	return out
}

// speaks reports whether a word is one of the language.
func (t *Tongue) speaks(w string) bool {
	return t.tables().spoken[w] || t == German && (strings.HasSuffix(w, "liste") && w != "liste" || strings.HasSuffix(w, "zettel") || strings.HasSuffix(w, "termin") && w != "termin")
}

func (t *Tongue) count(words []string) int {
	n := 0
	for _, w := range words {
		if t.speaks(w) {
			n++
		}
	}
	return n
}

func count(words []string, in map[string]bool) int {
	n := 0
	for _, w := range words {
		if in[w] {
			n++
		}
	}
	return n
}

// english are words that tell an English sentence, and English words that another language
// has as well.
var english = sync.OnceValue(func() map[string]bool {
	return set(`min mins hr hrs a about after again all also am an and any anything are as at back be because been before but by can could did do does doing done don each either else even every everything
few for from get give go going good got had has have he hello help her here hey hi him his how i if in into is isn it its just keep know last left let like list lists ll make many may me mind more most much must my
need never new next no none not nothing now of off ok okay on once one only open or other our out over own please put read really right said same say see set she should show since so some something soon still stop such
take tell than thank thanks that the their them then there these they thing things think this those through to too top turn two up us use very want was way we were what when where which while who why will wish with without would
yes yesterday yet you your yours re ve bye goodbye halloween chalie jan feb mar apr jun jul aug sep sept oct nov dec cet
add alarm alarms alert appointment appointments ask booking buy calendar call cancel change check clear clock close complete create cross day days deadline delete delay dinner drop eight end event every evening finish five forget four friday
half home hour hours inform kitchen later light lights lock lunch mail make mark meet meeting message midnight milk minute minutes monday money month months morning move name need night nine noon note notify open order part party pay pick place plans play
plus postpone print quarter rain recall remember remind reminder reminders remove report reschedule reset room saturday schedule second send seven shop shopping show six snooze sunday start status store take task tasks ten text three thursday time timer today todo
tomorrow tonight train tuesday unlock until update wake walk watch water weather wednesday week weekday weekdays weekend weeks went work write year years door doors lovely meeting car house closed news closing birthday friend mother father dad mum mom love
die war man tag hat mine son ten ton pain fit sale come sin par pan main fin chat comment pour on or lit mars dans sur sang main sent sales but font once red plane dates date mal gut kind den dem also rot bald fast arm hell herd boot brief bad rat rock stern wand
gift see todo spare log question
august april september november oktober mark post hand arm name start party
don fun ha mac via vs etc ma ta ton tu no nu use vie rue roi tout minute minutes second seconds page message
sierra puma taco burrito salsa fiesta siesta amigo negro rodeo resume
planned planet past phone plant plants pm am tin top tag ton tore tote trip urgent usual visit
uber zeitgeist angst bratwurst frankfurter pretzel sauerkraut rucksack poster
bank bike birthday board book books boss box boy bread bring building business butter cake cat charge cheese church city class clean coat coffee cold cook cost country couple course cup dance dark dentist desk dog dress drink drive early eat eggs
english family feed feel find fine fire fish fix flight floor flour food foot forecast found free full game garbage garden gas girl glass great group guest hair hall happy hard health heat heating hope hot inside interest iron key keys kid kids
laundry lawn learn leave lend letter library life line listen little live look lose lost loud luck mean medicine minutes mistake moon mountain mouth movie music nice noise number office oil old package paper parcel passport people person picture pills
possible pot power practice present price project question quick quiet rent reply rest return ride river road rug run safe school science season seat sell sense shirt shoe short shower sick side sister sit sleep slow small snow sock song sorry sound
speak special speed spring stand state station stay step stick stone story street student study style sugar summer sun sweet swim talk tax taxes tea teach thermostat tire tired tooth town trash travel tree trip trouble try understand unit view visit
voice wait wall war wash washing waste wear wedding wife win window winter woman wonder word words world worry wrong young`)
})

// inNames are words that names have in any language: El Paso, de la Cruz.
var inNames = sync.OnceValue(func() map[string]bool {
	return set("el la los las le les de del du des di da von van der san santa st saint un una une y e")
})

// others are words of languages that aren't read, in the order in which they are tried. No
// word has an accent.
var others = sync.OnceValue(func() []map[string]bool {
	var out []map[string]bool
	for _, words := range []string{
		// Italian
		"il lo gli di che e sono ho hai ha abbiamo non per con una uno un della delle dello dei nel nella alle alla agli sul sulla mi ti ci vi si questo questa quello cosa come quando dove perche chi quanto ricordami ricorda svegliami metti aggiungi domani oggi ieri stasera domattina sveglia promemoria spesa lista grazie ciao buongiorno buonasera prego ore mezzogiorno lunedi martedi mercoledi giovedi venerdi sabato domenica fra tra anche piu molto bene dopo prima ogni tutti giorni devo puoi vorrei chiamare comprare",
		// Dutch
		"het een de van ik je jij hij zij wij we mij me mijn jouw is zijn ben bent heb hebt heeft niet geen wel ook nog maar en of op in aan met voor naar uit bij om te dat die dit deze wat wie waar wanneer waarom hoe herinner eraan zet doe morgen vandaag gisteren vanavond overmorgen uur wekker boodschappenlijst lijst dank bedankt dankjewel alsjeblieft alstublieft goedemorgen goedenavond hallo hoi dag maandag dinsdag woensdag donderdag vrijdag zaterdag zondag kun kan wil moet elke iedere dagen bel bellen kopen halen laat heet",
		// Portuguese
		"o a os as um uma de do da dos das em no na nos nas por para com sem nao sim que e ou eu voce tu ele ela nos meu minha meus minhas seu sua esta estou sou foi tenho tem lembre lembra lembrar lembrete me amanha hoje ontem noite manha tarde horas hora ligar comprar coloque adicione adiciona lista compras despertador acorde obrigado obrigada bom boa dia ola oi segunda terca quarta quinta sexta feira sabado domingo depois antes cada todos dias qual quais onde quando como porque fazer preciso quero pode mais muito tudo bem",
		// Polish
		"i w z na do o nie to jest ktora godzina sie ze jak co gdzie kiedy dlaczego kto czy mi mnie moj moja moje ty ja on ona my wy oni jestem masz mam ma dla przez po od za przy przypomnij dodaj ustaw budzik jutro dzis dzisiaj wczoraj pojutrze rano wieczorem godzine godzinie godzin minut minuty zadzwonic kupic listy liste zakupow dziekuje dzieki prosze czesc witaj dzien dobry wieczor poniedzialek wtorek sroda czwartek piatek sobota niedziela poniedzialku wtorku srode piatku co kazdy codziennie tak",
		// Swedish, Danish, Norwegian
		"och og att at det en ett et jag jeg du han hun hon vi ni de mig meg dig deg min mitt din som inte ikke icke for pa i till til av med om fra fran har er ar var blir kan skal ska vil vill hva hvad vad hvem vem hvor var nar hvorfor hvordan hur paminn minn mind morgen morgon imorgen imorgon idag igar i kveld aften klokken klockan kl timer handlelisten inkopslistan vekk vaek tack takk tak hej hei god godmorgon mandag mandag tirsdag tisdag onsdag torsdag fredag lordag lordag sondag hver varje alle ringe ringa kjope kopa",
		// Turkish
		"bir ve bu su o ben sen biz siz onlar bana sana beni seni mi mu ne nerede zaman neden nasil kim icin ile de da degil var yok hatirlat hatirlatir ekle kur alarm yarin bugun dun aksam sabah saat saatte gun hafta listesine listesi alisveris ara aramayi tesekkurler tesekkur ederim lutfen merhaba selam gunaydin iyi geceler pazartesi sali carsamba persembe cuma cumartesi pazar her evet hayir",
		// Czech and Slovak
		"a v na je se si ze to co kde kdy proc jak kdo mi me muj moje ja ty on ona my vy jsem jsi mam mas pro od do za po pri nebo ale ano ne pripomen pripomenout nastav pridej budik zitra dnes vcera pozitri rano vecer hodin hodiny minut zavolat koupit seznam nakupni dekuji diky prosim ahoj dobry den vecer pondeli utery stredu ctvrtek patek sobotu nedeli kazdy",
		// Romanian
		"si in la de pe cu nu este sunt am ai are ca sa o un unei unui mie mi eu tu el ea noi voi ei ce unde cand cum cine pentru din aminteste pune adauga maine azi astazi ieri diseara dimineata seara ora ore minute suna cumpar lista cumparaturi multumesc mersi va rog buna salut ziua luni marti miercuri joi vineri sambata duminica fiecare",
		// Hungarian
		"a az es egy hogy nem van vagyok vagy mi hol mikor miert hogyan ki nekem engem ertem emlekeztess allits be tedd add holnap ma tegnap este reggel ora orakor oraig perc mulva hivni venni bevasarlolista listara koszonom koszi kerlek szia jo napot reggelt hetfo kedd szerda csutortok pentek szombat vasarnap minden igen",
		// Finnish
		"ja on ei se etta mina sina han me te he minua minulle minun mita missa milloin miksi miten kuka kanssa muistuta aseta lisaa heratys huomenna tanaan eilen illalla aamulla kello tunnin minuutin paasta soittaa ostaa ostoslistalle lista kiitos hei moi hyvaa paivaa huomenta maanantaina tiistaina keskiviikkona torstaina perjantaina lauantaina sunnuntaina joka kylla",
		// Indonesian and Malay
		"yang dan di ke dari ini itu untuk dengan saya aku kamu anda dia kami kita mereka tidak bukan ada adalah apa siapa mana kapan mengapa kenapa bagaimana ingatkan tambahkan pasang setel besok hari kemarin malam pagi siang sore jam menit lagi telepon beli daftar belanja terima kasih tolong halo selamat senin selasa rabu kamis jumat sabtu minggu setiap ya",
	} {
		out = append(out, set(words))
	}
	return out
})
