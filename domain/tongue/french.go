package tongue

import "strconv"

// frenchNumbers are those up to 99 in words, as they are said in France, Belgium and
// Switzerland.
func frenchNumbers() map[string]string {
	ones := []string{"zero", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize", "quatorze", "quinze", "seize", "dix sept", "dix huit", "dix neuf"}
	tens := []string{"vingt", "trente", "quarante", "cinquante", "soixante"}
	out := map[string]string{"une": "1", "septante": "70", "huitante": "80", "nonante": "90", "quatre vingts": "80", "quatre vingt": "80", "quatre vingt dix": "90", "soixante dix": "70", "soixante quinze": "75", "cent": "100"}
	for i, w := range ones {
		out[w] = strconv.Itoa(i)
	}
	for i, ten := range tens {
		out[ten] = strconv.Itoa(20 + 10*i)
		out[ten+" et un"] = strconv.Itoa(21 + 10*i)
		out[ten+" et une"] = strconv.Itoa(21 + 10*i)
		for n := 2; n < 10; n++ {
			out[ten+" "+ones[n]] = strconv.Itoa(20 + 10*i + n)
		}
	}
	return out
}

var french = source{
	numbers:  frenchNumbers(),
	ordinals: "premier=1 1er=1",
	and:      "et",
	articles: "le la les l un une des du de d mon ma mes notre nos ton ta tes quelques",
	leads:    "pour a au de d du vers des avant",
	fillers:  "vers a environ",
	timely:   "aujourd aujourdhui demain hier matin midi soir soiree nuit minuit chaque quotidien quotidiennement hebdomadaire mensuel avant apres jusqu jusque lorsque couche crepuscule aube sauf janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre semaine matinee",
	timers:   "minuteur minuterie timer chronometre rebours",
	lists:    "courses=shopping achats=shopping commissions=shopping epicerie=shopping taches=tasks choses_a_faire=tasks",
	vague:    "ca tout rien c ce cela il elle je qui quoi",
	instead:  "non plutot pardon fait finalement en",
	unless:   "quand si lorsque lorsqu",
	idle:     "dire avouer admettre reconnaitre partir dormir filer",
	apart:    "sur a dans au et",
	negative: "pas ne aucun aucune jamais",
	classes: map[string]string{
		"dow":   "lundi=Monday mardi=Tuesday mercredi=Wednesday jeudi=Thursday vendredi=Friday samedi=Saturday dimanche=Sunday lundis=Monday mardis=Tuesday mercredis=Wednesday jeudis=Thursday vendredis=Friday samedis=Saturday dimanches=Sunday",
		"month": "janvier=January fevrier=February mars=March avril=April mai=May juin=June juillet=July aout=August septembre=September octobre=October novembre=November decembre=December",
		"unit":  "minute=minutes minutes=minutes min=minutes mn=minutes heure=hours heures=hours jour=days jours=days semaine=weeks semaines=weeks mois=months an=years ans=years annee=years annees=years seconde=seconds secondes=seconds",
		"o":     "premier=first deuxieme=second second=second troisieme=third quatrieme=fourth dernier=last",
		"part":  "matin=morning matins=morning matinee=morning midi=noon apres_midi=afternoon aprem=afternoon soir=evening soirs=evening soiree=evening nuit=night nuits=night",
		"sure":  "veille_de_noel=Christmas_Eve reveillon_de_noel=Christmas_Eve dimanche_de_paques=Easter lundi_de_paques=Easter_Monday paques=Easter noel=Christmas vendredi_saint=Good_Friday mardi_gras=Mardi_Gras lundi_de_pentecote=Whit_Monday",
		"feast": "reveillon=Christmas_Eve reveillon_de_noel=Christmas_Eve veille_de_noel=Christmas_Eve noel=Christmas jour_de_noel=Christmas saint_sylvestre=New_Year's_Eve reveillon_du_nouvel_an=New_Year's_Eve nouvel_an=New_Year's_Day jour_de_l_an=New_Year's_Day epiphanie=Epiphany paques=Easter dimanche_de_paques=Easter lundi_de_paques=Easter_Monday vendredi_saint=Good_Friday jeudi_saint=Maundy_Thursday samedi_saint=Easter_Saturday dimanche_des_rameaux=Palm_Sunday rameaux=Palm_Sunday mercredi_des_cendres=Ash_Wednesday mardi_gras=Mardi_Gras ascension=Ascension_Day jeudi_de_l_ascension=Ascension_Day pentecote=Pentecost dimanche_de_pentecote=Pentecost lundi_de_pentecote=Whit_Monday toussaint=1_November assomption=15_August fete_nationale=14_July fete_du_travail=1_May armistice=11_November saint_valentin=Valentine's_Day halloween=Halloween chandeleur=2_February saint_nicolas=6_December",
	},
	rules: `
hello: bonne nuit|journee|soiree|matinee = hello
day: aujourd hui = today
day: aujourdhui = today
day: demain = tomorrow
day: apres demain = the day after tomorrow
day: <dow> = on $1
day: ce <dow> = on $1
day: ce <dow> <part> = on $1 /$2
day: <dow> prochain = next $1
day: le <dow> suivant = next $1
day: <dow> de la semaine prochaine = on $1 next week
day: la semaine prochaine <dow> = next week on $1
day: <dow> en huit = a week from $1
day: <dow> qui vient = the $1 after today
day: le? <dow> <d> er? <month> <y>? = on $1 $2 $3 $4
day: le? <d> er? <month> <y>? = on $1 $2 $3
day: le? <d> / <mm> = on $1 $2
day: le? <d> / <mm> / <y> = on $1 $2 $3
day: le <d> . <mm> . <y> = on $1 $2 $3
day: <y> - <mm> - <d> = on $3 $2 $1
day: le <d> er? = on the #1
day: le <d> er? du mois = on the #1
day: le? <dow> <d> = on $1 the #2
day: a|le|la|au|l|pour <feast> = on $1
day: a la|l <feast> = on $1
day: <sure> = on $1
day: avant <DAY> = before $1
day: avant le|la <DAY> = before $1
day: apres <DAY> = after $1
day: la veille de|du? <DAY> = the day before $1
day: la veille d un? <DAY> = the day before $1
day: le jour avant <DAY> = the day before $1
day: le lendemain de|du? <DAY> = the day after $1
day: <n> <unit> avant le? <DAY> = $1 $2 before $3
day: <n> <unit> apres <DAY> = $1 $2 after $3
day: le <o> <dow> de|d <month> = on the $1 $2 of $3
day: le <o> <dow> du mois = on the $1 $2 of the month
day: cette semaine = this week
day: la semaine prochaine = next week
day: semaine prochaine = next week
day: le? mois prochain = next month
day: ce mois ci? = this month
day: l annee prochaine = next year
day: l an prochain = next year
day: a? la? fin du|de mois = at the end of the month
day: en fin de mois = at the end of the month
day: le dernier jour du mois = the last day of the month
day: en fin de semaine = at the end of the week
day: ce week|weekend end? = this weekend
day: le week|weekend end? prochain = next weekend
day: en <month> = in $1
day: debut <month> = on 1 $1
day: mi <month> = mid $1
day: fin <month> = at the end of $1
clock: a? <h> heures|heure|h <m>? = $1+$2
clock: a? <h> heures|heure|h pile|precises|tapantes = $1
clock: a? <h> : <m> = $1+$2
clock: a? <h> heures|heure|h et demie|demi = $1+30
clock: a? <h> heures|heure|h et quart = $1+15
clock: a? <h> heures|heure|h moins le quart = $1-15
clock: a? <h> heures|heure|h moins quart = $1-15
clock: a? <h> heures|heure|h moins <m> = $1-$2
clock: a? midi = 12
clock: a midi et demi|demie = 12+30
clock: a midi et quart = 12+15
clock: a midi <m> = 12+$1
clock: a? midi moins le? quart = 12-15
clock: a? minuit = 24
odd: a <n> h|heures|heure = ?
odd: a <n> = ?
odd: au? coucher|lever du? de? soleil = ?
odd: au crepuscule = ?
odd: a l aube = ?
odd: <dow> dernier|passe = ?
odd: la semaine derniere = ?
odd: le mois dernier = ?
odd: il y a <n> <unit> = ?
odd: dans huit|8|quinze|15 jours = ?
odd: apres le travail|boulot|repas|dejeuner|diner = ?
odd: apres l ecole = ?
odd: avant de dormir|manger|partir = ?
odd: <n> fois par jour|semaine|mois = ?
odd: plus tard = ?
odd: tout a l heure = ?
odd: tantot = ?
odd: dans un moment|instant = ?
odd: d ici <DAY> = ?
odd: <dow> en quinze = ?
odd: a? <h> heures et quelques = ?
day: ce|cet|cette <part> = today /$1
part: du matin = morning
part: de l apres midi = afternoon
part: du soir = evening
part: de la nuit = night
part: dans la <part> = $1
part: en soiree = evening
part: en fin d apres midi = afternoon
part: dans l apres midi = afternoon
part: l apres midi = afternoon
part: au soir = evening
behind: <part> = $1
behind: au matin = morning
behind: de bonne heure = morning
habit: le matin = morning
habit: le midi = noon
habit: le soir = evening
habit: la nuit = night
length: de|d|pour|sur|a|pendant? <n> <unit> = in $1 $2
length: de|d|pour|sur? <n> heure|heures et demie = in $1.5 hours
length: de|d|pour|sur? une demi heure = in 30 minutes
length: de|d|pour|sur? un quart d heure = in 15 minutes
span: dans|d|sous ici? <n> <unit> = in $1 $2
span: dans <n> heure|heures et demie = in $1.5 hours
span: dans <n> heure|heures et quart = in $1 hours and 15 minutes
span: dans <n> heure|heures et? <n> minutes? = in $1 hours and $2 minutes
span: dans <n> h = in $1 hours
span: dans <n> h <n> = in $1 hours and $2 minutes
span: dans <n> , <n> <unit> = in $1.$2 $3
span: dans une demi heure = in 30 minutes
span: dans une demie heure = in 30 minutes
span: dans un quart d heure = in 15 minutes
span: dans trois quarts d heure = in 45 minutes
every: tous les jours = every day
every: chaque jour = every day
every: quotidiennement = every day
every: tous les <dows> = every $1
every: toutes les nuits = every night
every: tous les <part> = every $1
every: chaque <part> = every $1
every: chaque <dows> = every $1
every: les <dows> = every $1
every: le <dows> = every $1
every: tous les <dow> <part> = every $1 $2
every: chaque <dow> <part> = every $1 $2
every: le <dow> <part> = every $1 $2
every: un <dow> sur deux|2 = every other $1
every: tous les deux|2 <dow> = every other $1
every: un jour sur deux|2 = every other day
every: une semaine sur deux|2 = every 2 weeks
every: une semaine sur deux|2 le <dow> = every other $1
every: tous les quinze|15 jours = every 2 weeks
every: tous|toutes les <n> <unit> = every $1 $2
every: toutes les deux|2 semaines le <dow> = every other $1
every: toutes les heures = every hour
every: chaque heure = every hour
every: toutes les demi heures = every 30 minutes
every: toutes les semaines = every week
every: chaque semaine = every week
every: chaque semaine le <dow> = every $1
every: toutes les semaines le <dow> = every $1
every: tous les mois = every month
every: chaque mois = every month
every: tous les ans = every year
every: chaque annee = every year
every: en semaine = every weekday
every: du? lundi au vendredi = every weekday
every: tous? les jours de semaine = every weekday
every: tous? les jours ouvres|ouvrables|ouvre = every weekday
every: chaque jour ouvre|ouvrable = every weekday
every: les week|weekends ends? = every weekend
every: tous les week|weekends ends? = every weekend
every: chaque week|weekend end? = every weekend
every: le <d> er? de chaque mois = on the #1 of every month
every: le <d> er? de tous les mois = on the #1 of every month
every: tous les <d> er? du mois = on the #1 of every month
every: chaque <d> er? du mois = on the #1 of every month
every: tous les mois le <d> er? = every month on the #1
every: chaque mois le <d> er? = every month on the #1
every: le <o> <dow> de chaque mois = on the $1 $2 of every month
every: chaque <o> <dow> du mois = on the $1 $2 of every month
every: le dernier jour de chaque mois = on the last day of every month
every: chaque annee le <d> er? <month> = every year on $1 $2
every: tous les ans le <d> er? <month> = every year on $1 $2
every: chaque annee a|pour <feast> = every $1
every: tous les ans a|pour <feast> = every $1
every: chaque <feast> = every $1
until: jusqu a|au? <DAY> = $1
until: jusqu en <DAY> = $1
until: pour|d <DAY> = $1
until: au plus tard <DAY> = $1
until: d ici a|au|la|le? <DAY> = $1
from: a partir de|du|d <DAY> = $1
from: des <DAY> = $1
from: a compter de|du <DAY> = $1
for: pendant <n> <unit> = $1 $2
for: durant <n> <unit> = $1 $2
except: sauf le? <dow> = $1
except: sauf le week|weekend end? = weekends
range: de|entre <h> h|heures? a|et <h> h|heures = from $1:00 to $2:00
range: de|entre <h> h|heures <m> a|et <h> h|heures <m> = from $1:$2 to $3:$4
`,
	words: `le la les l un une des du de d et ou mais ne pas que qu qui quoi je j tu il elle on nous vous ils elles me m te t se s mon ma mes ton ta tes son sa ses notre nos ce c cet cette ces ca est es suis sont etes etait ete ai as a avons avez ont
peux peut pouvez pourriez pourrais veux voudrais dois doit faut avec sans sur sous dans chez pour par vers au aux en y comment quand pourquoi combien quel quelle quels quelles merci bonjour bonsoir salut oui non svp plait tres bien plus aussi alors donc
faire aller acheter appeler mets allume eteins hier aller alle chose quelque rien tout toute tous voici voila aide meteo temps musique lumiere joue dis envoie besoin aimerais`,
	macros: map[string]string{
		"the": "le|la|les|l|mon|ma|mes|un|une|notre|ce|cet|cette", "remind": "rappelle|rappeler|rappelles|rappelez|rapelle|rappele|previens|prevenir|prevenez|previennes",
		"put":  "mets|mettre|met|mettez|ajoute|ajouter|ajoutez|ajoutes|note|noter|notez|inscris|inscrire|ecris|ecrire|rajoute|rajouter|rajoutez",
		"off":  "enleve|enlever|enlevez|retire|retirer|retirez|raye|rayer|supprime|supprimer|supprimez|efface|effacer|ote|oter|barre|barrer|raie",
		"gone": "supprime|supprimer|supprimez|supprimes|annule|annuler|annulez|annules|efface|effacer|effacez|enleve|enlever|retire|retirer|arrete|arreter|eteins|eteindre|desactive|desactiver",
		"show": "montre|montrer|montrez|affiche|afficher|affichez|donne|donner|dis|dire|lis|lire|liste|voir",
		"make": "cree|creer|creez|fais|faire|faites|commence|commencer|demarre", "set": "mets|mettre|met|mettez|regle|regler|reglez|programme|programmer|programmez|cree|creer|ajoute|lance|lancer|lancez|active|fais|demarre|demarrer|veux|faut|ajouter|mettes",
		"move": "deplace|deplacer|deplacez|decale|decaler|decalez|repousse|repousser|reporte|reporter|reportez|avance|avancer|change|changer|changez|passe|passer|repoussez",
	},
	verbs: map[string]string{},
	front: "bonsoir,peut tu,peux tu bien,tu,vous,s il te plait,s il vous plait,stp,svp,salut,bonjour,hey,ok,dis,chalie,hey chalie,dis chalie,salut chalie,bonjour chalie,alors,et,peux tu,peux tu s il te plait,pourrais tu,pouvez vous,pourriez vous,est ce que tu peux,est ce que tu pourrais,est ce que vous pouvez,est ce que vous pourriez,tu peux,tu pourrais,vous pouvez,je veux que tu,je voudrais que tu,j aimerais que tu,je veux,je voudrais,j aimerais,il faut que tu,merci de,veuillez,il me faut,j ai besoin d,j ai besoin de,veux tu,voudrais tu,tu veux bien,peux tu stp",
	back:  "s il te plait,s il vous plait,stp,svp,merci,merci beaucoup,chalie,merci d avance",
	requests: `
why :: pourquoi
why :: pourquoi ca|cela
why :: pourquoi tu|m|me m|me|as|dis|a? as|tu|a? dit ca|cela|tu? ca|cela?
why :: pourquoi tu? me dis tu? ca|cela
why :: pourquoi m as tu rappele|prevenu|parle de|d|du|le|la? *about
why :: pourquoi tu m as rappele|prevenu|parle de|d|du|le|la? *about
why :: pourquoi est ce que tu m as dit ca
why not :: pourquoi pas
why not :: pourquoi tu ne? m as pas|rien prevenu|dit|rappele|parle de|d|du|pour|que|le|la|les|l *about
why not :: pourquoi tu ne? m as pas|rien prevenu|dit|rappele|parle
why not :: pourquoi ne? m as tu pas|rien prevenu|dit|rappele|parle de|d|du|pour|que|le|la|les|l *about
why not :: pourquoi ne? m as tu pas|rien prevenu|dit|rappele|parle
status :: comment ca|vas|allez va|tu|vous? aujourd? hui?
status :: comment tu vas
status :: ca va bien? chalie|toi?
status :: tu vas bien
status :: quoi de neuf
status :: tout va bien
status :: du nouveau
status :: il y a du nouveau
status :: y a t il du nouveau
status :: quelles? nouvelles
status :: statut
again :: {remind} le moi encore|plus? tard?
again :: {remind} moi ca|le|encore encore|plus? tard?
again :: {remind} moi a nouveau
again :: repete|redis|relance le? moi? plus|encore? tard?
again :: repousse|reporte|snooze
cancel :: {gone} {the}? rappel de|d|du|pour|concernant|des la|le|les|l? *which
cancel :: {gone} {the}? rappel *which
cancel :: {gone} {the}? rappel
cancel :: ne me rappelle|rappelez plus de|d|du|le|la|les? *which
cancel :: arrete|cesse de me rappeler de|d|du|le|la|les? *which
cancel all :: {gone} tous|toutes les|mes rappels|alarmes|reveils
cancel all :: {gone} les|mes rappels|alarmes|reveils
cancel :: {gone} {the} rendez|rdv|reunion vous? chez|avec|de|d|du|pour le|la|les|l|mon|ma? *which
cancel alarm :: {gone} {the}? alarme|reveil|minuteur
cancel alarm :: {gone} {the}? alarme|reveil|minuteur de|d|du|pour le|la|les|l? *what
done :: {the} rappel de|d|du|pour|des *which est fait|termine|regle|bon
done :: marque|coche {the} rappel de|d|du|pour|des *which comme fait|termine
move :: {move} {the}? rappel de|d|du|pour|des la|le|les|l? *which
move :: {move} {the}? rappel *which
move :: {move} {the}? rappel|alarme|reveil
move :: {move} {the} alarme|reveil de|d|du|pour? *which
move :: {move} {the} *which
plan reminders :: quels|quelles|combien rappels|alarmes|de|d rappels|alarmes? ai|sont|est|y|j je|ce|a|ai? que|t|prevus|prevues|reglees|regles|actives|programmes|programmees? j|il? ai?
plan reminders :: j ai combien de|d rappels|alarmes
plan reminders :: y a t il un|une|des rappel|rappels|alarme|alarmes prevu|prevue|prevus|reglee?
plan reminders :: {show} moi? tous|toutes? {the}? rappels|alarmes
plan reminders :: quels|quelles sont mes rappels|alarmes
plan reminders :: est ce que j ai un|une|des rappel|alarme|rappels|alarmes prevu|prevue|prevus|reglee|reglees|programmee?
plan reminders :: ai je|j ai? un|une|des rappel|alarme|rappels|alarmes prevu|prevue|reglee|programmee?
plan reminders :: j ai un|une|des|quois|quels|quelles rappel|alarme|rappels|alarmes prevu|prevue|reglee|programmee?
plan reminders :: mes rappels|alarmes
plan reminders :: a quelle heure sonne|est mon|mis|regle|reglee|ma|le|l? reveil|alarme reglee|regle?
plan tasks :: quelles|combien taches|de? taches? ai|sont|reste|est je|a|en|il|ce? que|faire|cours|reste? j|t? ai|il? a? faire?
plan tasks :: {show} moi? toutes? {the}? taches a|en? faire|cours?
plan tasks :: mes taches a? faire?
plan tasks :: quelles sont mes taches a|en? faire|cours?
plan tasks :: qu est ce que je dois faire
plan tasks :: que dois je faire
plan tasks :: qu est ce qu|que il? j|me? reste|ai a faire
plan tasks :: qu est ce qu il me reste a faire
plan tasks :: {show} moi? {the} liste de|des taches
plan tasks :: qu y a t il sur {the} liste de|des taches
plan tasks :: qu est ce qu il y a sur {the} liste de|des taches
lists :: quelles listes ai|est|j je|ce|ai? que? j? ai?
lists :: {show} moi? toutes? {the}? listes
lists :: quelles listes y|il a|y t|a? il?
lists :: mes listes
plans :: qu est ce que j ai de|comme|a? prevu|programme|faire|rendez|planifie? vous?
plans :: qu est ce qu|qui est|il? y? a? de? prevu|programme?
plans :: qu est ce qui est prevu|programme
plans :: qu ai je de|a? prevu|faire|programme?
plans :: que j ai de? prevu
plans :: quoi de prevu
plans :: j ai quoi de|a? prevu|faire?
plans :: quel est mon|le programme|planning|emploi|prochain du|rendez? temps|vous?
plans :: c est quoi le|mon programme|planning|prochain rendez? vous?
plans :: mon agenda|planning|programme
plans :: quels sont mes rendez|plans vous?
plans :: mes rendez vous
plans :: quels rendez vous ai|j je|ai? prevus?
plans :: {show} moi? tous? {the}? rendez|agenda|planning|programme|calendrier|plans vous?
plans :: est ce que j ai quelque|un|des|rendez|une chose|rendez|vous|reunion vous|de|prevu|prevus? prevu?
plans :: ai je quelque|un|des|une chose|rendez|reunion vous|de|prevu|prevus? prevu?
plans :: j ai quelque|un|des chose|rendez vous|de|prevu? prevu?
plans :: j ai des rendez vous
plans :: est ce que je suis libre|occupe|occupee|dispo|disponible
plans :: suis je libre|occupe|occupee|dispo|disponible
plans :: je suis libre|dispo|occupe
plans :: qu est ce que je fais
plans :: qu est ce qui m attend
plans :: y a t il des|un rendez|reunions vous? prevus|prevu?
plans :: y a t il quelque chose de? prevu?
plans :: quand est mon prochain rendez vous
plans :: prochain rendez vous
add :: {put} *item sur|a|dans|au {the}? nouvelle? liste de|d|des|du|pour la|le|les|l? *list
add :: {put} *item sur|a|dans|au {the}? nouvelle? liste appelee|nommee? *list
add :: {put} *item sur|a|dans|au {the}? liste
add :: {put} sur|a|dans {the} liste de|d|des|du? *list *item
add :: {make} moi? {the}? nouvelle? liste de|d|des|du|pour|appelee la|le|les|l? *list avec *item
add :: {make} moi? {the}? nouvelle? liste appelee|nommee|de|d|des|pour|qui s|la|le|les|l? appelle? *list
add :: {make} moi? {the}? nouvelle? liste *list
add :: nouvelle liste de|d|des|appelee|pour? *list
add :: *item sur|a|dans {the} liste de|d|des|du|pour la|le|les|l? *list
remove :: {off} *item de|d|du|sur {the} liste de|d|des|du|pour la|le|les|l? *list
remove :: {off} *item de|d|du|sur {the} liste *list
remove :: {off} *item de|d|du|sur {the} liste
drop :: supprime|supprimer|supprimez|efface|effacer|vide|vider|videz|enleve {the}? toute? {the}? liste entiere|complete? de|d|des|du|pour|appelee la|le|les|l? *list
drop :: supprime|supprimer|supprimez|efface|effacer|vide|vider|videz|enleve {the}? toute? {the}? liste entiere|complete? *list
drop :: supprime|supprimer|supprimez|efface|effacer|vide|vider|videz|enleve {the}? toute? {the}? liste
show :: qu est ce qu il y a sur|dans {the} liste de|d|des|du|pour la|le|les|l? *list
show :: qu est ce qu il y a sur|dans {the} liste
show :: qu y a t il sur|dans {the} liste de|d|des|du|pour la|le|les|l? *list
show :: qu y a t il sur|dans {the} liste
show :: qu est ce que j ai|est sur|dans {the} liste de|d|des|du|pour la|le|les|l? *list
show :: il y a quoi sur|dans {the} liste de|d|des|du|pour la|le|les|l? *list
show :: il y a quoi sur|dans {the} liste
show :: y a quoi sur|dans {the} liste de|d|des|du|pour la|le|les|l? *list
show :: {show} moi? {the}? liste de|d|des|du|pour la|le|les|l? *list
show :: {show} moi? {the}? liste *list
show :: {show} moi? {the}? liste
show :: est ce que|qu *item est|sont sur|dans {the} liste de|d|des|du|pour la|le|les|l? *list
show :: est ce qu il y a *item sur {the} liste de|d|des|du|pour la|le|les|l? *list
show :: est ce qu il y a *item sur {the} liste
show :: y a t il *item sur {the} liste de|d|des|du|pour la|le|les|l? *list
show :: y a t il *item sur {the} liste
show :: ma|la? liste de|d|des|du la|le|les|l? *list
alarm :: {set} moi? {the}? nouvelle|autre? alarme|reveil
alarm :: {set} moi? {the}? nouvelle|autre? alarme|reveil pour le|la|les|l? *what
alarm :: nouvelle? alarme|reveil
alarm :: nouvelle? alarme|reveil pour le|la|les|l? *what
alarm :: un|une alarme|reveil
timer :: {set} moi? {the}? minuteur|minuterie|timer|compte|chronometre de|d|pour|sur|a? rebours?
timer :: {set} moi? {the}? minuteur|minuterie|timer pour le|la|les|l? *what
timer :: un? minuteur|minuterie|timer de|d|pour?
wake :: me? reveille|reveiller|reveilles|reveillez moi?
wake :: je dois me lever|reveiller
remind :: me? {remind} moi|nous?
remind :: me? {remind} moi|nous? que|qu *what
remind :: me? {remind} moi|nous? de|d|pour|du *what
remind :: me? {remind} moi|nous? a propos de|du|d *what
remind :: me? {remind} moi|nous? *what
remind :: n oublie|oubliez pas de me rappeler de|d|que|qu|du? *what
remind :: pense|pensez a me rappeler de|d|que|qu|du? *what
remind :: ne me laisse pas oublier de|d|que|qu? *what
remind :: fais moi penser a|au? *what
remind :: fais moi un rappel pour|de|d|que *what
remind :: nouveau? rappel: *what
remind :: nouveau? rappel de|d|du|pour|que *what
remind :: {set} moi? {the}? nouveau? rappel de|d|du|pour|que *what
remind :: {set} moi? {the}? nouveau? rappel: *what
remind :: {set} moi? {the}? nouveau? rappel
remind :: {put} {the}? nouveau? rendez|reunion|rdv vous? avec|chez|pour|de|d|a|au *what
remind :: {put} *what dans|a|au {the}? agenda|calendrier
remind :: prends|planifie|programme|cree|ajoute|note|fixe {the}? rendez|rdv|reunion|evenement vous? avec|chez|pour|de|d|au *what
remind :: planifie|programme *what
remind :: nouveau|nouvelle? rendez? vous:|rdv:|reunion: *what
remind :: rendez|rdv vous? avec|chez *what
task :: nouvelle? tache: *what
task :: taches: *what
task :: a faire: *what
task :: nouvelle tache *what
task :: {make} {the}? nouvelle? tache de|d|pour|appelee? *what
task :: {put} {the}? nouvelle? tache: *what
task :: {put} {the}? nouvelle? tache de|d|pour|appelee? *what
task :: {put} *what a|sur|dans|aux {the} taches
task :: {put} *what aux taches
task :: {put} *what a|sur|dans {the} liste de|des taches
must :: je|on dois|doit encore|absolument|aussi? *what
must :: il faut que je *what
must :: il faut *what
must :: j ai a *what
progress :: {the} *which est|sont fait|termine|a|avance|finie|faite|terminee a? *n %
progress :: {the} *which est|sont fait|termine|a|avance|finie|faite|terminee a? *n pour cent
progress :: {the} *which est|sont fait|termine|a|avance|finie|faite|terminee a? *n pourcent
progress :: {the} *which en est a *n %
progress :: j ai fait *n % de|du {the}? *which
complete :: {the}? *which est|sont fini|finie|termine|terminee|fait|faite|termines|faits|finis|faites
complete :: j ai fini|termine|fait|acheve avec? {the}? *which
complete :: coche|marque {the}? tache? *which comme? faite|terminee|fait|termine?
complete :: fini avec? {the} *which
drop task :: {gone} {the} tache de|d|du|pour? *which
remember :: souviens|souvenez toi|vous que|qu *what
remember :: souviens|souvenez toi|vous: *what
remember :: rappelle toi que|qu *what
remember :: retiens|retenez|memorise que|qu *what
remember :: retiens|note|memorise: *what
remember :: note|notez que|qu *what
remember :: n oublie|oubliez pas que|qu *what
remember :: sache que|qu *what
forget :: oublie|oubliez ce que je t ai dit sur|de|a|du propos? de|du? *what
forget :: oublie|oubliez {the} *what
forget :: oublie|oubliez que|qu *what
recall :: qui|ou|quel|quelle|quand|quels|quelles est|sont mon|ma|mes|notre *about
recall :: c est quoi mon|ma|mes *about
recall :: c est quand|ou mon|ma|mes|le|la|les|l *about
recall :: ou|quand est|sont le|la|les|l *about
recall :: tu te souviens ou|quand|qui est|sont mon|ma|mes|le|la|les|l *about
recall :: comment s appelle mon|ma|notre *about
recall :: que sais tu sur|de moi
recall :: que sais tu sur|de|d|du|des *about
recall :: qu est ce que tu sais sur|de|d|du|des *about
recall :: tu sais quoi sur|de|d *about
recall :: qu est ce que je t ai dit sur|de|d|du *about
recall :: tu te souviens|rappelles de|d|du *about
recall :: ou j ai mis mon|ma|mes *about
say hello :: salut|coucou|bonjour|hello|bjr|slt salut|coucou|bonjour|toi|chalie?
say good evening :: bonsoir chalie?
say good night :: bonne nuit chalie?
say bye :: adieu|ciao|bye
say bye :: au revoir
say bye :: a bientot|demain|plus|tout tard|l? heure?
say bye :: bonne journee|soiree
say you're welcome :: merci chalie|bien|infiniment|beaucoup|a? toi|vous|chalie?
say you're welcome :: mille mercis
say you're welcome :: merci pour tout|ton l? aide?
say you're welcome :: je te|vous remercie
say all right :: bien|parfait|super|genial|compris|entendu|impeccable|nickel|cool|ok merci?
say all right :: d accord
say all right :: c est bon|parfait|bien|note
say all right :: tres bien
say all right :: ca marche
undo :: laisse|oublie|annule tomber|ca|cela?
undo :: laisse|oublie ca|cela|tomber
undo :: tant pis
undo :: peu importe
undo :: c est pas grave
undo :: finalement non
say you're welcome :: merci c est tout
say yes :: oui|ouais|ouaip merci|bien|stp? sur?
say no :: non|nan merci|non?
say help :: aide|aider moi?
say help :: a l aide
say help :: que peux|sais tu faire pour? moi?
say help :: que pouvez vous faire
say help :: qu est ce que tu peux|sais faire
say help :: tu peux|sais faire quoi
say help :: tu sers a quoi
say help :: comment tu t appelles
say help :: comment t appelles tu
say help :: qui es tu
say help :: tu es qui
say help :: comment tu|ca fonctionnes|marches|marche|fonctionne
say help :: comment fonctionnes tu
say clock :: quelle heure est il maintenant|la?
say clock :: il est quelle heure
say clock :: tu|vous as|avez l heure
say clock :: c est quoi l heure
say clock :: quel jour sommes|est|on nous|on|il|est? aujourd? hui?
say clock :: on est quel jour aujourd? hui?
say clock :: quelle est la date aujourd|d|du? aujourd|jour? hui?
say clock :: quelle date sommes nous aujourd? hui?
`,
	says: map[Says]string{
		AskWhich: "Quel rappel doit finir ? Je les supprime un par un : dis, supprime le rappel de, et des mots de celui-ci.",
		Date:     "2/1/2006",
		Hello:    "Bonjour.", Morning: "Bonjour.", Evening: "Bonsoir.", Night: "Bonne nuit.", Bye: "À bientôt.", Welcome: "De rien.", AllRight: "D'accord.",
		Yes: "Je n'ai rien demandé à l'instant.", No: "Qu'est-ce qui doit changer ? Dis-le en une phrase.",
		Help:     "Je tiens des rappels, des tâches et des listes, je retiens ce que tu me dis et je dis ce qui est prévu. Dis-le en une phrase, par exemple : Rappelle-moi demain à 8h d'appeler Anna ; Tâche : rendre le rapport pour vendredi ; Mets du lait sur la liste de courses ; Souviens-toi que la clé est sous le pot ; Qu'est-ce que j'ai demain ?",
		Clock:    "Il est %s le %s.",
		Unsure:   "Je n'ai pas compris, donc je n'ai rien fait. Dis ce que je dois faire, par exemple : Rappelle-moi demain à 8h de … ; Mets … sur la liste de courses ; Souviens-toi que …",
		AskWhat:  "De quoi dois-je te rappeler, et quand ? Dis-le par exemple ainsi : Rappelle-moi demain à 8h d'appeler Anna.",
		AskWhen:  "Quand dois-je te le rappeler : %s ? Dis par exemple : dans 2 heures, demain à 8h, tous les lundis à 9h.",
		AskThing: "Que dois-je te rappeler alors, %s ?",
		AskOdd:   "Je ne sais pas quand c'est : %s. Je n'ai donc rien fait. Dis l'heure autrement, ou mets entre guillemets ce qui n'en fait pas partie.",
		AskTask:  "Dois-je le garder comme tâche ? Alors dis : Tâche : %s. Un délai peut y figurer, par exemple : pour vendredi.",
		AskItem:  "Que dois-je mettre sur la liste ?",
		AskMove:  "À quand dois-je le déplacer ? Dis par exemple : dans 10 minutes, demain à 8h.",
	},
}
