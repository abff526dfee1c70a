package tongue

import "strconv"

// germanNumbers are those up to 99 in words; ä is a and ü is u.
func germanNumbers() map[string]string {
	ones := []string{"null", "eins", "zwei", "drei", "vier", "funf", "sechs", "sieben", "acht", "neun", "zehn", "elf", "zwolf",
		"dreizehn", "vierzehn", "funfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"}
	tens := []string{"zwanzig", "dreissig", "vierzig", "funfzig", "sechzig", "siebzig", "achtzig", "neunzig"}
	out := map[string]string{"ein": "1", "eine": "1", "einen": "1", "einem": "1", "einer": "1", "zwo": "2", "hundert": "100", "anderthalb": "1.5", "eineinhalb": "1.5", "zweieinhalb": "2.5", "dreieinhalb": "3.5"}
	for i, w := range ones {
		out[w] = strconv.Itoa(i)
	}
	for i, ten := range tens {
		out[ten] = strconv.Itoa(20 + 10*i)
		for n := 1; n < 10; n++ {
			one := ones[n]
			if n == 1 {
				one = "ein"
			}
			out[one+"und"+ten] = strconv.Itoa(20 + 10*i + n)
		}
	}
	return out
}

var german = source{
	numbers:  germanNumbers(),
	ordinals: "ersten=1 erste=1 erster=1 zweiten=2 zweite=2 dritten=3 dritte=3 vierten=4 funften=5 sechsten=6 siebten=7 siebenten=7 achten=8 neunten=9 zehnten=10 elften=11 zwolften=12 dreizehnten=13 vierzehnten=14 funfzehnten=15 sechzehnten=16 siebzehnten=17 achtzehnten=18 neunzehnten=19 zwanzigsten=20 einundzwanzigsten=21 zweiundzwanzigsten=22 dreiundzwanzigsten=23 vierundzwanzigsten=24 funfundzwanzigsten=25 sechsundzwanzigsten=26 siebenundzwanzigsten=27 achtundzwanzigsten=28 neunundzwanzigsten=29 dreissigsten=30 einunddreissigsten=31",
	and:      "und",
	articles: "der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner unser unsere unseren unserem unserer etwas noch",
	leads:    "fur auf gegen von zu um am ab so ca circa etwa ungefahr punkt",
	fillers:  "so gegen um ca circa etwa ungefahr punkt genau dann wieder am",
	timely:   "heute morgen gestern vorgestern ubermorgen abend abends mittag mittags nachts morgens nachmittag nachmittags vormittag vormittags mitternacht uhr jeden jede jedes taglich wochentlich monatlich jahrlich stundlich zweimal dreimal bevor ehe sobald seit sonnenuntergang sonnenaufgang ausser wochenende januar februar marz april juni juli august september oktober november dezember",
	timers:   "timer kurzzeitwecker eieruhr countdown",
	lists:    "einkaufsliste=shopping einkaufszettel=shopping einkaufs=shopping einkauf=shopping einkaufen=shopping einkaufe=shopping to_do_liste=tasks todoliste=tasks todo_liste=tasks to_do=tasks todo=tasks aufgabenliste=tasks aufgaben=tasks",
	vague:    "es er sie das alles nichts was wer ich du wir ihr man etwas",
	instead:  "nein ne nee doch lieber eher eigentlich ach sorry besser stattdessen",
	unless:   "wenn sobald falls ob",
	idle:     "sagen zugeben gestehen lachen lasten gehen weg los niesen",
	apart:    "auf zu von aus vom zur zum in und",
	negative: "kein keine keinen nicht nie",
	classes: map[string]string{
		"dow":   "montag=Monday dienstag=Tuesday mittwoch=Wednesday donnerstag=Thursday freitag=Friday samstag=Saturday sonnabend=Saturday sonntag=Sunday",
		"short": "mo=Monday di=Tuesday mi=Wednesday do=Thursday fr=Friday sa=Saturday so=Sunday",
		"hdow":  "montags=Monday dienstags=Tuesday mittwochs=Wednesday donnerstags=Thursday freitags=Friday samstags=Saturday sonnabends=Saturday sonntags=Sunday",
		"eve":   "montagabend=Monday_/evening dienstagabend=Tuesday_/evening mittwochabend=Wednesday_/evening donnerstagabend=Thursday_/evening freitagabend=Friday_/evening samstagabend=Saturday_/evening sonntagabend=Sunday_/evening montagmorgen=Monday_/morning dienstagmorgen=Tuesday_/morning mittwochmorgen=Wednesday_/morning donnerstagmorgen=Thursday_/morning freitagmorgen=Friday_/morning samstagmorgen=Saturday_/morning sonntagmorgen=Sunday_/morning montagvormittag=Monday_/morning dienstagvormittag=Tuesday_/morning mittwochvormittag=Wednesday_/morning donnerstagvormittag=Thursday_/morning freitagvormittag=Friday_/morning samstagvormittag=Saturday_/morning sonntagvormittag=Sunday_/morning montagnachmittag=Monday_/afternoon dienstagnachmittag=Tuesday_/afternoon mittwochnachmittag=Wednesday_/afternoon donnerstagnachmittag=Thursday_/afternoon freitagnachmittag=Friday_/afternoon samstagnachmittag=Saturday_/afternoon sonntagnachmittag=Sunday_/afternoon",
		"month": "januar=January janner=January februar=February feber=February marz=March april=April mai=May juni=June juli=July august=August september=September oktober=October november=November dezember=December jan=January feb=February apr=April aug=August sep=September sept=September okt=October nov=November dez=December",
		"unit":  "minute=minutes minuten=minutes min=minutes stunde=hours stunden=hours std=hours tag=days tage=days tagen=days woche=weeks wochen=weeks monat=months monate=months monaten=months jahr=years jahre=years jahren=years sekunde=seconds sekunden=seconds",
		"o":     "ersten=first erste=first zweiten=second zweite=second dritten=third dritte=third vierten=fourth vierte=fourth letzten=last letzte=last",
		"part":  "morgen=morning vormittag=morning mittag=noon nachmittag=afternoon abend=evening nacht=night",
		"sure":  "heiligabend=Christmas_Eve weihnachten=Christmas ostern=Easter pfingsten=Pentecost karfreitag=Good_Friday grundonnerstag=Maundy_Thursday ostersonntag=Easter ostermontag=Easter_Monday pfingstmontag=Whit_Monday aschermittwoch=Ash_Wednesday rosenmontag=Rose_Monday",
		"feast": "heiligabend=Christmas_Eve heilig_abend=Christmas_Eve heiligen_abend=Christmas_Eve weihnachten=Christmas weihnachtstag=Christmas ersten_weihnachtstag=Christmas zweiten_weihnachtstag=Boxing_Day 2_weihnachtstag=Boxing_Day silvester=New_Year's_Eve neujahr=New_Year's_Day neujahrstag=New_Year's_Day dreikonigstag=Epiphany heilige_drei_konige=Epiphany karfreitag=Good_Friday grundonnerstag=Maundy_Thursday ostern=Easter ostersonntag=Easter ostersamstag=Easter_Saturday karsamstag=Easter_Saturday ostermontag=Easter_Monday palmsonntag=Palm_Sunday aschermittwoch=Ash_Wednesday rosenmontag=Rose_Monday faschingsdienstag=Shrove_Tuesday himmelfahrt=Ascension_Day christi_himmelfahrt=Ascension_Day pfingsten=Pentecost pfingstsonntag=Pentecost pfingstmontag=Whit_Monday fronleichnam=Corpus_Christi allerheiligen=1_November allerseelen=2_November reformationstag=Reformation_Day nikolaus=St_Nicholas_Day nikolaustag=St_Nicholas_Day valentinstag=Valentine's_Day muttertag=Mother's_Day maifeiertag=1_May tag_der_arbeit=1_May tag_der_deutschen_einheit=3_October halloween=Halloween ersten_advent=First_Advent martinstag=11_November",
	},
	rules: `
hello: guten morgen|abend|tag|nachmittag = hello
hello: schonen|schoner morgen|abend|tag|nachmittag = hello
hello: gute nacht = hello
day: heute noch? = today
day: morgen = tomorrow
day: ubermorgen = the day after tomorrow
day: am? <dow> = on $1
day: am <short> .? = on $1
day: an? diesem|diesen|dieser <dow> = on $1
day: am? kommenden|kommender <dow> = on the $1 after today
day: am? nachsten|nachster <dow> = next $1
day: <dow> nachster|nachste woche = on $1 next week
day: nachste|nachster woche am? <dow> = next week on $1
day: <dow> in einer woche = a week from $1
day: am? <dow> den|dem <d> . <month> <y>? = on $1 $2 $3 $4
day: den|dem <d> . <month> <y>? = on $1 $2 $3
day: am|der? <d> .? <month> <y>? = on $1 $2 $3
day: am <d> . <mm> . <y>? = on $1 $2 $3
day: <d> . <mm> . <y>? = on $1 $2 $3
day: am <d> . <mm> = on $1 $2
day: am|zum|den|dem <d> . = on the #1
day: am <d> . des? monats = on the #1
day: <y> - <mm> - <d> = on $3 $2 $1
day: an|zu <feast> = on $1
day: <sure> = on $1
day: am|zum <feast> = on $1
day: vor <DAY> = before $1
day: nach <DAY> = after $1
day: am tag vor <DAY> = the day before $1
day: am tag nach <DAY> = the day after $1
day: einen tag vor <DAY> = 1 day before $1
day: <n> <unit> vor <DAY> = $1 $2 before $3
day: <n> <unit> nach <DAY> = $1 $2 after $3
day: am <o> <dow> im <month> = on the $1 $2 of $3
day: am <o> <dow> des monats = on the $1 $2 of the month
day: in? diese|dieser woche = this week
day: in? der? nachste|nachster|kommende|kommender woche = next week
day: in? nachstes|nachsten|kommenden|kommendes monat = next month
day: im? diesen|diesem monat = this month
day: im nachsten|kommenden jahr = next year
day: nachstes jahr = next year
day: dieses jahr = this year
day: anfang|beginn nachster|der nachsten woche = next week
day: ende der woche = at the end of the week
day: ende dieser woche = at the end of the week
day: am? ende des monats = at the end of the month
day: ende des monats = at the end of the month
day: zum monatsende = at the end of the month
day: am? monatsende = at the end of the month
day: am letzten tag des monats = the last day of the month
day: ende <month> = at the end of $1
day: anfang <month> = on 1 $1
day: mitte <month> = mid $1
day: im <month> = in $1
day: am|dieses|ubers wochenende = this weekend
day: am? nachsten|nachstes wochenende = next weekend
day: am? kommenden|kommendes wochenende = this weekend
day: am? <eve> = on $1
day: jetzt gleich = now
clock: um <h> = $1
clock: um? <h> uhr <m>? = $1+$2
clock: um? <h> : <m> uhr? = $1+$2
clock: um <h> . <m> uhr? = $1+$2
clock: <h> . <m> uhr = $1+$2
clock: um? <h> h <m>? = $1+$2
clock: um? halb <h> = $1-30
clock: um? viertel nach <h> = $1+15
clock: um? viertel vor <h> = $1-15
clock: um? dreiviertel <h> = $1-15
clock: um? <m> minuten? vor <h> = $2-$1
clock: um? <m> minuten? nach <h> = $2+$1
clock: um? <m> minuten? vor halb <h> = $2-30-$1
clock: um? <m> minuten? nach halb <h> = $2-30+$1
clock: um? kurz? mitternacht = 24
clock: um zwolf uhr mittags = 12
odd: um? viertel <h> = ?
odd: um <n> = ?
odd: um? kurz vor|nach <h> = ?
odd: bei|vor|nach sonnenuntergang|sonnenaufgang = ?
odd: bei|vor|nach dem|der sonnenuntergang|sonnenaufgang|dammerung = ?
odd: in acht|8 tagen = ?
odd: in 14|vierzehn tagen = ?
odd: in? <dow> in <n> wochen = ?
odd: ubernachsten|ubernachste|ubernachster|ubernachstes <dow> = ?
odd: am? ubernachsten|ubernachste|ubernachster|ubernachstes = ?
odd: letzten|letzte|letzter|vergangenen <dow> = ?
odd: letzte|letzten|letztes woche|monat|jahr = ?
odd: vor <n> <unit> = ?
odd: nach der arbeit|schule = ?
odd: nach feierabend = ?
odd: nach|vor dem essen|mittagessen|fruhstuck|abendessen = ?
odd: <n> mal am|pro|in tag|woche|monat = ?
odd: zweimal|dreimal am|pro tag|woche = ?
odd: zweimal|dreimal taglich|wochentlich = ?
odd: mitten in der nacht = ?
part: am|zum|im <part> = $1
part: in der nacht = night
part: in der fruh|fruhe = morning
behind: fruh = morning
behind: <part> = $1
habit: morgens|vormittags = morning
habit: mittags = noon
habit: nachmittags = afternoon
habit: abends = evening
habit: nachts = night
length: auf|fur|von|uber|mit? <n> <unit> = in $1 $2
length: auf|fur|von|uber|mit? <n> <unit> und <n> <unit> = in $1 $2 and $3 $4
length: auf|fur|von? eine|einer halbe|halben stunde = in 30 minutes
length: auf|fur|von? eine|einer viertelstunde = in 15 minutes
span: in <n> <unit> = in $1 $2
span: in <n> <unit> und <n> minuten = in $1 $2 and $3 minutes
span: in <n> , <n> <unit> = in $1.$2 $3
span: in <n> h = in $1 hours
span: in einer halben stunde = in 30 minutes
span: in einer viertelstunde = in 15 minutes
span: in einer viertel stunde = in 15 minutes
span: in einer dreiviertelstunde = in 45 minutes
span: in <n> und einer halben stunde = in $1.5 hours
every: taglich = every day
every: jeden tag = every day
every: alle tage = every day
every: jeden|jede|jedes <dows> = every $1
every: immer? <hdow> = every $1
every: immer? <hdow> und <hdow> = every $1 and $2
every: immer? <hdow> , <hdow> und <hdow> = every $1, $2 and $3
every: immer am? <dows> = every $1
every: jeden|jede zweiten|zweite <dow> = every other $1
every: jeden zweiten tag = every other day
every: jede zweite woche = every 2 weeks
every: alle <n> <unit> = every $1 $2
every: alle zwei wochen am? <dow> = every other $1
every: alle 2 wochen am? <dow> = every other $1
every: alle zwei|2 wochen <hdow> = every other $1
every: jede zweite woche am? <dow> = every other $1
every: alle 14|vierzehn tage = every 2 weeks
every: alle 14|vierzehn tage am? <dow> = every other $1
every: jede woche = every week
every: jede woche am? <dow> = every $1
every: wochentlich = every week
every: jede stunde = every hour
every: stundlich = every hour
every: jede halbe stunde = every 30 minutes
every: alle halbe|halben stunde|stunden = every 30 minutes
every: jeden monat = every month
every: monatlich = every month
every: jedes jahr = every year
every: jahrlich = every year
every: jeden <part> = every $1
every: jede nacht = every night
every: jeden <dow> <part> = every $1 $2
every: jeden <eve> = every $1
every: werktags = every weekday
every: wochentags = every weekday
every: unter der woche = every weekday
every: an werktagen|wochentagen = every weekday
every: an? jedem|jeden werktag|wochentag|arbeitstag = every weekday
every: von? montag bis freitag = every weekday
every: von? mo - fr = every weekday
every: an wochenenden = every weekend
every: jedes wochenende = every weekend
every: am <d> .? jedes|jeden|des? monats|monat = on the #1 of every month
every: am <d> . jedes|jeden monats|monat = on the #1 of every month
every: jeden monat am <d> .? = every month on the #1
every: jeden <d> . im|des monat|monats = on the #1 of every month
every: am <o> <dow> im monat = on the $1 $2 of every month
every: am <o> <dow> jedes|jeden monats|monat = on the $1 $2 of every month
every: jeden <o> <dow> im|des monat|monats = on the $1 $2 of every month
every: am letzten tag jedes|jeden|im monats|monat = on the last day of every month
every: jedes jahr am <d> .? <month> = every year on $1 $2
every: jedes jahr an|zu <feast> = every $1
every: jede|jeden|jedes <feast> = every $1
until: bis zum|zu|an? <DAY> = $1
until: bis|spatestens <DAY> = $1
until: spatestens bis|am <DAY> = $1
clock: bis <h> uhr = $1
clock: spatestens um <h> uhr? = $1
from: ab <DAY> = $1
from: ab dem <DAY> = $1
from: beginnend am|mit <DAY> = $1
clock: ab <h> uhr = $1
for: <n> <unit> lang = $1 $2
for: fur <n> tage|wochen|monate|jahre = $1 $2
except: ausser am? <dow> = $1
except: ausser <hdow> = $1
except: ausser am wochenende = weekends
range: von|zwischen <h> uhr? bis|und <h> uhr? = from $1:00 to $2:00
range: von|zwischen <h> : <m> uhr? bis|und <h> : <m> uhr? = from $1:$2 to $3:$4
range: <h> - <h> uhr = from $1:00 to $2:00
`,
	words: `der die das den dem des ein eine einen einem einer und oder aber nicht kein keine ich du er sie es wir ihr mich dich mir dir uns mein meine meinen meinem meiner dein deine
ist sind bin bist war habe hab hast hat haben werde wird werden kann kannst konntest konnten konnen muss musst mussen soll sollte will willst mochte mochtest wurde wurdest wurden
was wer wie wo wann warum wieso welche welcher welches wem wen auf aus bei bis fur gegen in im ins mit nach ohne seit um unter uber von vom vor zu zum zur zwischen an am ans
bitte danke ja nein doch noch schon auch nur sehr gut gerade jetzt dann hier dort da dass wenn weil daran dran hallo servus moin gruss guten tag abend schonen spiel spiele mach sag gib
gehen machen kaufen holen anrufen etwas nichts alles viel mehr mal heisst geht gibt steht lass wetter licht schalte liebe lieber gestern beim`,
	macros: map[string]string{
		"the": "der|die|das|den|dem|meine|meiner|meinen|meinem|mein|unsere|unserer|unseren|eine|einen|diese|diesen|dieser",
		"off": "losch|streich|entferne|nimm|hak|hol", "gone": "losch|streich|entferne|beende|storniere|cancel|vergiss|stopp|annulliere",
		"put": "setz|schreib|pack|fuge|tu|nimm|stell|trag|notier|mach|gib|hol",
	},
	verbs: map[string]string{
		"erinnere": "erinnere", "erinner": "erinnere", "erinnern": "erinnere", "erinnerst": "erinnere", "stell": "stell", "stelle": "stell", "stellen": "stell", "stellst": "stell", "setz": "setz", "setze": "setz", "setzen": "setz", "setzt": "setz",
		"schreib": "schreib", "schreibe": "schreib", "schreiben": "schreib", "schreibst": "schreib", "pack": "pack", "packe": "pack", "packen": "pack", "packst": "pack", "tu": "tu", "tue": "tu", "tun": "tu", "fuge": "fuge", "fug": "fuge", "hinzufugen": "fuge",
		"nimm": "nimm", "nehmen": "nimm", "runternehmen": "nimm", "losch": "losch", "losche": "losch", "loschen": "losch", "loschst": "losch", "streich": "streich", "streiche": "streich", "streichen": "streich", "entferne": "entferne", "entfern": "entferne", "entfernen": "entferne",
		"verschieb": "verschieb", "verschiebe": "verschieb", "verschieben": "verschieb", "verleg": "verschieb", "verlege": "verschieb", "verlegen": "verschieb", "zeig": "zeig", "zeige": "zeig", "zeigen": "zeig", "zeigst": "zeig", "merk": "merk", "merke": "merk", "merken": "merk",
		"vergiss": "vergiss", "vergessen": "vergiss", "weck": "weck", "wecke": "weck", "wecken": "weck", "mach": "mach", "mache": "mach", "machen": "mach", "leg": "leg", "lege": "leg", "anlegen": "leg", "erstell": "leg", "erstelle": "leg", "erstellen": "leg",
		"trag": "trag", "trage": "trag", "eintragen": "trag", "plan": "trag", "plane": "trag", "planen": "trag", "hak": "hak", "hake": "hak", "abhaken": "hak", "leer": "leer", "leere": "leer", "leeren": "leer", "sag": "sag", "sage": "sag", "absagen": "sag", "sagen": "sag",
		"notier": "notier", "notiere": "notier", "notieren": "notier", "storniere": "storniere", "stornieren": "storniere", "beende": "beende", "beenden": "beende", "gib": "gib", "geben": "gib", "hol": "hol", "hole": "hol", "schalt": "schalt", "schalte": "schalt", "ausschalten": "schalt", "abstellen": "stell", "ausstellen": "stell",
		"lies": "zeig", "vorlesen": "zeig", "starte": "stell", "start": "stell", "starten": "stell", "aufstellen": "stell", "nenn": "zeig", "nenne": "zeig",
	},
	front: "guten morgen,guten tag,guten abend,hallo guten morgen,bitte,hey,hallo,hi,ok,okay,hey chalie,hallo chalie,chalie,also,und,kannst du,konntest du,wurdest du,konnen sie,konnten sie,wurden sie,kannst du bitte,konntest du bitte,konnen sie bitte,konnten sie bitte,kannst du mir,konntest du mir,kannst du mir bitte,konntest du mir bitte,konnten sie mir,konnten sie mir bitte,konnen sie mir,ich will,ich mochte,ich wurde gern,ich wurde gerne,du sollst,sei so gut und,ich brauche,sei so lieb und,mal,kann man",
	back:  "bitte,danke,chalie,ja,vielen dank,danke dir,mal,bitte danke,danke schon",
	requests: `
why :: warum|wieso|weshalb
why :: warum|wieso|weshalb hast|sagst|erzahlst du mir das gesagt|erzahlt?
why :: warum|wieso|weshalb hast du mich daran? erinnert
why :: warum|wieso|weshalb hast du mich an *about erinnert
why :: warum|wieso|weshalb hast du mir von *about erzahlt
why not :: warum|wieso nicht
why not :: warum|wieso|weshalb hast du mir nichts|nicht|nie von|uber|vom|zu *about gesagt|erzahlt
why not :: warum|wieso|weshalb hast du mir das? nichts|nicht|nie davon? gesagt|erzahlt
why not :: warum|wieso|weshalb hast du mich nicht|nie an *about erinnert
why not :: warum|wieso|weshalb hast du mich nicht|nie vor|wegen *about gewarnt
status :: wie geht es|s dir? heute?
status :: wie gehts dir? heute?
status :: wie geht es ihnen
status :: was ist los|neu
status :: was gibt|gibts es|s? neues|wichtiges heute?
status :: status
status :: gibt es|s? etwas|was? neues|wichtiges
again :: erinnere mich daran? nochmal|nochmals|wieder|spater daran?
again :: erinnere mich noch mal|einmal daran?
again :: schlummern
again :: snooze
again :: schlummer
cancel :: {gone} {the}? erinnerung an|fur|wegen|zu|ans|zum|zur|uber *which
cancel :: {gone} {the}? erinnerung *which
cancel :: {gone} {the}? *which erinnerung
cancel :: {gone} {the}? erinnerung
cancel :: erinnere mich nicht mehr|langer an|ans *which
cancel :: hor auf mich an *which zu erinnere|erinnern
cancel alarm :: {gone} {the}? wecker|alarm|timer
cancel all :: {gone} alle meine|die? erinnerungen|wecker|alarme|timer
cancel all :: stell|schalt|mach alle meine|die? wecker|alarme|timer aus|ab
cancel all :: {gone} die|meine erinnerungen|wecker|alarme
cancel :: sag {the}? *which ab
cancel :: {gone} {the} termin|treffen|verabredung mit|beim|bei|fur|zum *which
cancel alarm :: {the}? wecker|alarm|timer aus|ab|abstellen
cancel alarm :: stell|schalt|mach|sag {the}? wecker|alarm|timer ab|aus
cancel :: sag {the}? erinnerung an|fur|wegen|zu|ans|zum|zur|uber *which ab
cancel alarm :: {gone} {the}? wecker|alarm|timer fur|zum|zur|wegen *what
done :: {the} erinnerung an|wegen|fur|ans|zum *which ist erledigt|fertig
done :: {the} erinnerung *which ist erledigt|fertig
done :: {the} erinnerung an|wegen|fur|ans|zum *which als erledigt markieren
move :: verschieb {the}? erinnerung an|fur|wegen|zu|ans|zum|zur|uber *which
move :: verschieb {the}? erinnerung *which
move :: verschieb {the}? erinnerung
move :: verschieb {the}? wecker|alarm
move :: verschieb {the}? *which auf?
plan reminders :: wie viele|viel erinnerungen|wecker habe|hab|sind ich|gestellt?
plan reminders :: wieviele erinnerungen|wecker habe|hab ich
plan reminders :: ist|sind ein|noch|irgendein? wecker|alarm|erinnerung|erinnerungen gestellt|gesetzt
plan reminders :: gibt es einen|eine|noch? wecker|erinnerung|erinnerungen
plan reminders :: welche|was fur? erinnerungen|wecker|alarme habe|hab|gibt|sind ich|es|s? gestellt|gesetzt|offen|an?
plan reminders :: zeig mir? alle? meine|die? erinnerungen|wecker|alarme an?
plan reminders :: habe|hab ich einen|eine|noch|irgendwelche? wecker|erinnerung|erinnerungen|alarm gestellt|gesetzt?
plan reminders :: welche|was fur? erinnerungen|wecker|alarme sind? gestellt|gesetzt
plan reminders :: meine? erinnerungen
plan reminders :: woran soll|wirst|wolltest ich|du mich? denken|erinnern
plan reminders :: wann klingelt mein|der nachster|nachste? wecker
plan reminders :: auf wann|wieviel uhr? ist|steht|habe|hab mein|der|ich wecker|den gestellt?
plan tasks :: welche|was fur? aufgaben habe|hab|gibt|sind|stehen ich|es|an|offen|noch noch|offen|zu|an? erledigen?
plan tasks :: zeig mir? alle? meine|die? offenen? aufgaben|todos an?
plan tasks :: meine? aufgaben
plan tasks :: was muss|soll ich noch|alles? machen|tun|erledigen
plan tasks :: was steht auf {the} to do liste
plan tasks :: was ist noch? zu tun|erledigen
plan tasks :: zeig mir? {the} to do liste
lists :: welche listen habe|hab|gibt ich|es
lists :: zeig mir? alle? meine|die? listen an?
lists :: meine listen
plans :: was steht auf dem? plan|programm
plans :: was steht noch? an
plans :: was steht noch? in|auf meinem kalender|terminkalender|programm|plan
plans :: was habe|hab ich noch|alles|so? vor|geplant|anstehen
plans :: was habe|hab ich alles|noch|denn?
plans :: was ist noch|alles? geplant|los|fallig
plans :: was liegt an
plans :: was habe|hab ich noch|alles? zu tun|erledigen
plans :: gibt es irgendwelche|noch? termine|was|etwas
plans :: was ist|kommt als nachstes dran?
plans :: wie sieht es|s aus
plans :: wie sieht mein tag|terminkalender|terminplan aus
plans :: was kommt als nachstes
plans :: was ist mein nachster termin
plans :: wann ist mein nachster termin
plans :: was|welche fur? termine habe|hab|gibt|stehen|sind ich|es|an? vor|an?
plans :: zeig mir? alle? meine|die|den|meinen? termine|plane|kalender|tagesplan|plan an?
plans :: habe|hab ich etwas|was|irgendwas|termine|einen|schon? termin|was? vor|geplant|frei?
plans :: bin ich frei|verplant|beschaftigt
plans :: wie sieht mein tag|kalender|plan|woche aus
plans :: meine termine
plans :: was mache|mach ich
add :: {put} *item auf|zu|zur|in {the}? neue? *list liste hinzu|drauf|ein|dazu?
add :: {put} *item auf|zu|zur|in {the}? neue? liste hinzu|drauf|ein|dazu?
add :: {put} *item auf|zu|zur|in {the}? neue? liste fur|namens|mit? dem|den|der|die? namen? *list hinzu|drauf|ein|dazu?
add :: {put} auf|zu|zur|in {the}? neue? *list liste *item hinzu?
add :: *item auf|zu|zur|in {the}? *list liste hinzu|drauf|bitte?
add :: *item muss|mussen|soll|sollen|kommt|kommen noch|auch? auf|zu|zur|in {the}? *list liste
add :: leg|mach|stell mir? eine neue? liste fur|namens {the}? *list mit *item an?
add :: leg|mach|stell mir? eine neue? *list liste mit *item an?
add :: leg|mach|stell|begin mir? eine neue? liste namens|fur|genannt dem|den|der|die? namen? *list an?
add :: leg|mach|stell|begin mir? eine neue? *list liste an?
add :: neue liste namens|fur|mit? dem|den|der|die? namen? *list
add :: neue *list liste
remove :: {off} *item von|aus|vom {the}? *list liste runter|herunter|ab|weg|raus?
remove :: {off} *item von|aus|vom {the}? liste runter|herunter|ab|weg|raus?
remove :: {off} *item von|aus|vom {the}? liste fur? den|die|das? *list runter|herunter|ab|weg|raus?
remove :: hak *item auf {the} *list liste ab?
remove :: hak *item auf {the} liste ab?
drop :: losch|leer|entferne|wirf|streich {the}? ganze|komplette|gesamte? *list liste weg?
drop :: losch|leer|entferne|wirf|streich {the}? ganze|komplette|gesamte? liste fur|namens? *list
drop :: losch|leer|entferne|wirf|streich {the}? ganze|komplette|gesamte? liste
show :: was steht|ist|habe|hab alles|ich|noch? auf|in {the} *list liste
show :: was steht|ist|habe|hab alles|ich|noch? auf|in {the} liste fur? den|die? *list
show :: was steht|ist|habe|hab alles|ich|noch? auf|in {the} liste
show :: zeig mir? {the}? *list liste an|vor?
show :: zeig mir? {the}? liste fur? den|die? *list
show :: zeig mir? {the}? liste an|vor?
show :: steht|ist|sind|stehen *item schon|noch? auf {the} *list liste
show :: meine|die|unsere *list liste
show :: steht|ist|sind|stehen *item schon|noch? auf {the} liste
alarm :: stell|setz|mach|brauche mir? einen|den|meinen|noch? wecker|alarm ein|an?
alarm :: stell|setz|mach|brauche mir? einen|den|meinen|noch? wecker|alarm fur|zum|zur|wegen|mit|namens dem|der|den|die|das? *what ein|an?
alarm :: einen? neuer|neuen? wecker|alarm bitte?
alarm :: neuer? wecker|alarm fur|zum|zur *what
timer :: stell|setz|mach|brauche mir? einen|den|noch? timer|kurzzeitwecker|eieruhr ein|an?
timer :: timer|kurzzeitwecker|eieruhr bitte?
timer :: stell|setz|mach|brauche mir? einen|den|noch? timer fur|zum dem|der|den|die|das? *what
wake :: weck mich auf?
wake :: ich muss|will|mochte aufstehen|raus|geweckt werden?
remind :: erinnere mich|uns doch|bitte|mal|noch? daran|dran? dass *what
remind :: erinnere mich|uns doch|bitte|mal|noch? daran|dran *what
remind :: erinnere mich|uns doch|bitte|mal|noch? an|ans|am|wegen *what
remind :: erinnere bitte? an|ans *what
remind :: mich|uns bitte? daran|dran erinnere|erinnern dass? *what
remind :: ich? will|mochte|muss? daran|dran erinnert werden dass? *what
remind :: ich? will|mochte|muss? an|ans *what erinnert werden
remind :: mich|uns bitte? erinnere|erinnern dass *what
remind :: mich|uns bitte? daran *what zu? erinnere|erinnern
remind :: mich|uns bitte? an|ans *what zu? erinnere|erinnern
remind :: an|ans *what erinnere|erinnern
remind :: an|ans *what erinnert werden
remind :: ich will|mochte|muss an|ans *what erinnert werden
remind :: vergiss nicht mich bitte? an|ans *what zu erinnern
remind :: nicht vergiss mich an|ans *what zu erinnern
remind :: vergiss nicht mich bitte? daran zu erinnern *what
remind :: lass mich nicht vergessen|vergiss dass? *what
remind :: lass mich *what nicht vergessen
remind :: nicht vergessen: *what
remind :: nicht vergessen *what
remind :: denk|denke bitte? daran|dran mich an|ans *what zu erinnern|erinnere
remind :: denk|denke daran:|dran: *what
remind :: neue? erinnerung: *what
remind :: neue? erinnerung an|fur|zu|ans|zum *what
remind :: stell|setz|mach|leg|trag|brauche mir? eine neue? erinnerung an|fur|zu|ans|zum|zur|namens *what ein|an?
remind :: stell|setz|mach|leg|trag|brauche mir? eine neue? erinnerung ein:|an: *what
remind :: stell|setz|mach|leg|trag|brauche mir? eine neue? erinnerung: *what
remind :: leg|mach|setz eine erinnerung *what an?
remind :: leg|mach|stell|trag|setz mir? einen neuen? termin|kalendereintrag|eintrag ein:|an: *what
remind :: leg|mach|stell|trag|setz mir? einen neuen? termin:|kalendereintrag:|eintrag: *what
remind :: trag|leg|mach|setz|schreib mir? einen|den? neuen? termin mit|beim|bei|fur|zum|zur|namens *what ein|an?
remind :: trag|leg|mach|setz|schreib mir? einen|den? neuen? *what termin ein|an?
remind :: trag|setz|schreib *what in den|meinen kalender ein?
remind :: trag *what ein
remind :: neuer? termin: *what
remind :: termin|verabredung mit|beim|bei|zum *what
remind :: sag|gib mir bescheid dass|wegen *what
remind :: gib mir bescheid: *what
remind :: erinnere mich
remind :: stell|setz|mach|leg|trag|brauche mir? eine neue? erinnerung ein|an?
remind odd :: erinnere mich|uns bitte? *odd daran|dran dass? *what
remind odd :: erinnere mich|uns bitte? *odd an|ans *what
remind odd :: erinnere mich|uns bitte? *odd
task :: neue? aufgabe: *what
task :: aufgaben: *what
task :: todo: *what
task :: to do: *what
task :: neue aufgabe *what
task :: leg|mach|trag|setz|notier mir? eine|als neue? aufgabe ein:|an: *what
task :: leg|mach|trag|setz|notier mir? eine|als neue? aufgabe: *what
task :: leg|mach|trag|setz|notier mir? eine|als neue? aufgabe fur|an? *what ein|an?
task :: {put} *what auf|zu|zur|in {the} to do liste hinzu|drauf|ein?
task :: {put} *what auf|zu|zur|in {the} aufgaben liste hinzu|drauf|ein?
task :: {put} *what zu|auf den|meinen aufgaben hinzu?
must :: ich muss|sollte|soll noch|unbedingt|dringend|auch? *what
must :: wir mussen noch|unbedingt|dringend|auch? *what
progress :: {the} *which ist|sind jetzt? zu|bei? *n % fertig|erledigt|geschafft?
progress :: {the} *which ist|sind jetzt? zu|bei? *n prozent fertig|erledigt|geschafft?
progress :: {the} *which ist|sind jetzt? *n fertig|erledigt
progress :: mit {the} *which bin ich zu *n % fertig
complete :: {the}? *which ist|sind jetzt|endlich? fertig|erledigt|geschafft|abgeschlossen|gemacht
complete :: ich bin mit {the}? *which fertig|durch
complete :: ich habe|hab {the} *which erledigt|fertig|geschafft|abgeschlossen|gemacht
complete :: fertig mit {the}? *which
complete :: hak {the}? aufgabe? *which ab
complete :: markiere {the}? aufgabe? *which als erledigt|fertig
drop task :: {gone} {the} aufgabe *which
remember :: merk dir bitte|mal? dass *what
remember :: merk dir:|folgendes: *what
remember :: merk dir bitte:|mal:|folgendes: *what
remember :: merk dir *what
remember :: merk dass *what
remember :: behalte im kopf dass *what
remember :: notier|notiz|notiz dir? dass *what
remember :: notier:|notiz: *what
remember :: notier dir: *what
remember :: vergiss nicht dass *what
remember :: du sollst wissen dass *what
forget :: vergiss was ich dir? uber|von|zu|vom *what gesagt|erzahlt habe|hab
forget :: vergiss {the} *what
forget :: vergiss dass *what
recall :: wer|was|wo|wie|wann ist|sind|war|heisst|heissen|liegt mein|meine|unser|unsere *about
recall :: was weisst du uber|von|zum|vom mir|mich
recall :: was weisst du uber|von|zum|vom *about
recall :: was weisst du
recall :: was habe|hab ich dir uber|von|zu|vom *about gesagt|erzahlt
recall :: weisst du noch? wer|was|wo|wie|wann mein|meine|unser|unsere *about ist|sind|heisst|liegt
recall :: wann hat *about geburtstag
recall :: wo ist|sind|liegt|liegen der|die|das *about
recall :: wann ist|sind der|die|das *about
recall :: weisst du noch? wer|was|wo|wie|wann {the} *about ist|sind|heisst|liegt
recall :: wie heisst|heissen mein|meine|meinen *about
say hello :: hallo|hi|hey|servus|moin|gruezi|tach|hallochen|hallo|na du|zusammen|chalie?
say hello :: guten tag chalie?
say hello :: gruss gott|dich
say good morning :: guten? morgen chalie?
say good evening :: guten abend chalie?
say good night :: gute nacht chalie?
say bye :: tschuss|ciao|tschau|ade|pfiati chalie?
say bye :: schonen|schone tag|abend|woche|wochenende noch?
say bye :: auf wiedersehen
say bye :: bis bald|spater|morgen|dann|nachher
say you're welcome :: danke dir|sehr|schon|chalie|vielmals?
say you're welcome :: vielen|besten|lieben|herzlichen|tausend dank dir?
say you're welcome :: ich danke dir|ihnen
say all right :: gut|super|prima|toll|klasse|perfekt|alles|passt|verstanden|einverstanden|genau|klar|schon klar|gut?
undo :: vergiss es|das bitte?
undo :: egal|abbrechen|abbruch|stopp|stop|doch nicht|lieber?
undo :: lass gut|es|mal sein|gut?
undo :: schon gut
undo :: mach das ruckgangig
undo :: nimm das zuruck
say all right :: alles klar|gut|ok|roger danke?
say all right :: schon? gut|egal
say you're welcome :: danke|vielen das|dank war|das s|war|alles|wars s?
say you're welcome :: danke das war|wars es|s|alles?
say yes :: ja|jawohl|jo|jep|genau
say yes :: ja gerne|bitte|genau
say no :: nein|ne|nee|no danke?
say help :: hilfe|hilf mir?
say help :: was kannst|konnen du|sie alles? tun|machen|so?
say help :: was kannst du alles|so? fur mich? tun|machen?
say help :: wie heisst du
say help :: wer bist|sind du|sie
say help :: wie funktionierst du
say help :: wie funktioniert das
say clock :: wie spat|viel uhr? ist|haben es|wir jetzt|gerade?
say clock :: wieviel uhr ist|haben es|wir jetzt|gerade?
say clock :: welchen|welcher|was fur? tag|datum|wochentag ist|haben wir? heute?
say clock :: welches datum ist|haben wir? heute?
say clock :: den wievielten haben wir heute?
say clock :: was ist heute fur ein tag
say clock :: was fur ein|einen tag ist|haben heute|wir heute?
say clock :: wie spat haben wir es
say clock :: wie spat ist es jetzt?
`,
	says: map[Says]string{
		AskWhich: "Welche Erinnerung soll enden? Ich beende eine nach der anderen: Sag, lösch die Erinnerung an, und Worte daraus.",
		Date:     "2.1.2006",
		Hello:    "Hallo.", Morning: "Guten Morgen.", Evening: "Guten Abend.", Night: "Gute Nacht.", Bye: "Bis bald.", Welcome: "Gern geschehen.", AllRight: "In Ordnung.",
		Yes: "Ich habe gerade nichts gefragt.", No: "Was soll anders sein? Sag es in einem Satz.",
		Help:     "Ich führe Erinnerungen, Aufgaben und Listen, merke mir, was ich soll, und sage, was ansteht. Sag es in einem Satz, etwa: Erinnere mich morgen um 8 daran, Anna anzurufen; Aufgabe: Bericht abgeben bis Freitag; Setz Milch auf die Einkaufsliste; Merk dir, dass der Schlüssel unter dem Topf liegt; Was steht morgen an?",
		Clock:    "Es ist %s Uhr am %s.",
		Unsure:   "Das habe ich nicht verstanden und darum nichts getan. Sag, was ich tun soll, etwa: Erinnere mich morgen um 8 an …; Setz … auf die Einkaufsliste; Merk dir, dass …",
		AskWhat:  "Woran soll ich dich erinnern, und wann? Sag es etwa so: Erinnere mich morgen um 8 daran, Anna anzurufen.",
		AskWhen:  "Wann soll ich dich erinnern: %s? Sag etwa: in 2 Stunden, morgen um 8, jeden Montag um 9.",
		AskThing: "Woran soll ich dich dann erinnern, %s?",
		AskOdd:   "Ich weiß nicht, wann das ist: %s. Darum habe ich nichts getan. Sag die Zeit mit anderen Worten, oder setz in Anführungszeichen, was nicht dazu gehört.",
		AskTask:  "Soll ich das als Aufgabe behalten? Dann sag: Aufgabe: %s. Eine Frist darf dabei sein, etwa: bis Freitag.",
		AskItem:  "Was soll auf die Liste?",
		AskMove:  "Auf wann soll ich es verschieben? Sag etwa: in 10 Minuten, morgen um 8.",
	},
}
