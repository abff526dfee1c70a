package tongue

import "strconv"

// spanishNumbers are those up to 99 in words.
func spanishNumbers() map[string]string {
	ones := []string{"cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve", "diez", "once", "doce", "trece", "catorce", "quince",
		"dieciseis", "diecisiete", "dieciocho", "diecinueve", "veinte", "veintiuno", "veintidos", "veintitres", "veinticuatro", "veinticinco", "veintiseis", "veintisiete", "veintiocho", "veintinueve"}
	tens := []string{"treinta", "cuarenta", "cincuenta", "sesenta", "setenta", "ochenta", "noventa"}
	out := map[string]string{"un": "1", "una": "1", "cien": "100"}
	for i, w := range ones {
		out[w] = strconv.Itoa(i)
	}
	for i, ten := range tens {
		out[ten] = strconv.Itoa(30 + 10*i)
		for n := 1; n < 10; n++ {
			out[ten+" y "+ones[n]] = strconv.Itoa(30 + 10*i + n)
		}
	}
	return out
}

var spanish = source{
	numbers:  spanishNumbers(),
	ordinals: "primero=1 primer=1 uno=1",
	and:      "y e",
	articles: "el la los las un una unos unas mi mis tu tus nuestro nuestra lo del al de algo algunos algunas mas poco",
	leads:    "al para a de del hacia sobre desde por",
	fillers:  "sobre hacia a",
	timely:   "hoy manana ayer anteayer anoche tarde noche madrugada mediodia medianoche cada diario diariamente semanal semanalmente mensual mensualmente anualmente antes despues atardecer anochecer amanecer salvo excepto enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre semana hasta",
	timers:   "regresiva temporizador cronometro timer minutero atras",
	lists:    "compra=shopping compras=shopping super=shopping supermercado=shopping mercado=shopping mandado=shopping tareas=tasks pendientes=tasks",
	vague:    "todo nada eso esto ya que quien algo yo tu",
	instead:  "no mejor perdon perdona bien",
	unless:   "cuando si apenas",
	idle:     "decir admitir reconocer confesar irme dormir reir",
	apart:    "en a al y",
	negative: "no ningun ninguna nunca",
	classes: map[string]string{
		"dow":   "lunes=Monday martes=Tuesday miercoles=Wednesday jueves=Thursday viernes=Friday sabado=Saturday domingo=Sunday sabados=Saturday domingos=Sunday",
		"month": "enero=January febrero=February marzo=March abril=April mayo=May junio=June julio=July agosto=August septiembre=September setiembre=September octubre=October noviembre=November diciembre=December",
		"unit":  "minuto=minutes minutos=minutes min=minutes hora=hours horas=hours dia=days dias=days semana=weeks semanas=weeks mes=months meses=months ano=years anos=years segundo=seconds segundos=seconds minutitos=minutes ratito=",
		"o":     "primer=first primero=first segundo=second tercer=third tercero=third cuarto=fourth ultimo=last",
		"part":  "manana=morning mananas=morning mediodia=noon tarde=afternoon tardes=afternoon noche=night noches=night madrugada=morning tardecita=afternoon",
		"sure":  "pascua=Easter nochebuena=Christmas_Eve navidad=Christmas nochevieja=New_Year's_Eve domingo_de_pascua=Easter lunes_de_pascua=Easter_Monday viernes_santo=Good_Friday jueves_santo=Maundy_Thursday domingo_de_ramos=Palm_Sunday miercoles_de_ceniza=Ash_Wednesday",
		"feast": "nochebuena=Christmas_Eve navidad=Christmas dia_de_navidad=Christmas nochevieja=New_Year's_Eve fin_de_ano=New_Year's_Eve ano_nuevo=New_Year's_Day dia_de_ano_nuevo=New_Year's_Day reyes=Epiphany dia_de_reyes=Epiphany pascua=Easter domingo_de_pascua=Easter domingo_de_resurreccion=Easter lunes_de_pascua=Easter_Monday viernes_santo=Good_Friday jueves_santo=Maundy_Thursday sabado_santo=Easter_Saturday domingo_de_ramos=Palm_Sunday miercoles_de_ceniza=Ash_Wednesday pentecostes=Pentecost corpus=Corpus_Christi corpus_christi=Corpus_Christi todos_los_santos=1_November dia_de_todos_los_santos=1_November dia_de_muertos=2_November dia_de_los_muertos=2_November dia_de_la_madre=Mother's_Day dia_del_padre=Father's_Day san_valentin=Valentine's_Day dia_de_san_valentin=Valentine's_Day dia_del_trabajo=1_May dia_del_trabajador=1_May inmaculada=8_December san_juan=24_June dia_de_la_hispanidad=12_October dia_de_la_constitucion=6_December san_jose=19_March asuncion=15_August halloween=Halloween",
	},
	rules: `
hello: buenos dias = hello
hello: buenas tardes|noches = hello
hello: feliz dia|tarde|noche|semana = hello
day: hoy = today
day: hoy mismo = today
day: manana = tomorrow
day: pasado manana = the day after tomorrow
day: el? <dow> = on $1
day: este <dow> = on $1
day: el? <dow> que viene = the $1 after today
day: el? proximo <dow> = the $1 after today
day: el <dow> proximo = the $1 after today
day: el? <dow> de la semana que viene = on $1 next week
day: el? <dow> de la proxima semana = on $1 next week
day: el? <dow> , <d> de <month> = on $1 $2 $3
day: el? <dow> <d> de <month> = on $1 $2 $3
day: el? <dow> , <d> de <month> de|del <y> = on $1 $2 $3 $4
day: el? <dow> <d> de <month> de|del <y> = on $1 $2 $3 $4
day: el? <dow> dia? <d> = on $1 the #2
day: el? dia? <d> de <month> = on $1 $2
day: el? dia? <d> de <month> de|del <y> = on $1 $2 $3
day: el? <d> / <mm> = on $1 $2
day: el? <d> / <mm> / <y> = on $1 $2 $3
day: el? <d> - <mm> - <y> = on $1 $2 $3
day: <y> - <mm> - <d> = on $3 $2 $1
day: el dia <d> = on the #1
day: el <d> de|del este? mes = on the #1
day: en|por el|la? dia? <feast> = on $1
day: el|la dia? de? <feast> = on $1
day: <sure> = on $1
day: antes de|del el|la? <DAY> = before $1
day: despues de|del <DAY> = after $1
day: el dia antes de|del <DAY> = the day before $1
day: el dia despues de|del <DAY> = the day after $1
day: <n> <unit> antes de|del <DAY> = $1 $2 before $3
day: <n> <unit> despues de|del <DAY> = $1 $2 after $3
day: el <o> <dow> de <month> = on the $1 $2 of $3
day: el <o> <dow> del mes = on the $1 $2 of the month
day: esta semana = this week
day: la? semana que viene = next week
day: la? proxima semana = next week
day: la semana proxima = next week
day: el? mes que viene = next month
day: el? proximo mes = next month
day: este mes = this month
day: el? ano que viene = next year
day: el proximo ano = next year
day: a? finales|fin de mes = at the end of the month
day: al? final|fin del mes = at the end of the month
day: el ultimo dia del mes = the last day of the month
day: el fin de semana = this weekend
day: este fin de semana = this weekend
day: el? proximo fin de semana = next weekend
day: el fin de semana que viene = next weekend
day: en <month> = in $1
clock: a? las|la <h> = $1
clock: a? las|la <h> en punto = $1
clock: a? las|la <h> horas|h|hrs = $1
clock: a? las|la <h> : <m> h|horas|hrs? = $1+$2
clock: a? las|la <h> . <m> h|horas|hrs? = $1+$2
clock: <h> : <m> h|horas|hrs? = $1+$2
clock: a? las|la? <h> h <m>? = $1+$2
clock: a? las|la <h> y <m> = $1+$2
clock: a? las|la <h> y media = $1+30
clock: a? las|la <h> y cuarto = $1+15
clock: a? las|la <h> menos cuarto = $1-15
clock: a? las|la <h> menos <m> = $1-$2
clock: un? cuarto para las|la <h> = $1-15
clock: a? las|la <h> <m> = $1+$2
clock: cuando sean|den las <h> = $1
clock: a medianoche = 24
clock: a la medianoche = 24
clock: al? mediodia = 12
clock: <h> am = $1 /morning
clock: <h> pm = $1 /afternoon
clock: <h> : <m> am = $1+$2 /morning
clock: <h> : <m> pm = $1+$2 /afternoon
clock: a mediodia = 12
odd: a? las|la <h> y pico = ?
odd: a las <n> = ?
odd: a? las 12|doce am = ?
odd: al atardecer|anochecer|amanecer|alba = ?
odd: el? <dow> pasado = ?
odd: la semana pasada = ?
odd: el mes|ano pasado = ?
odd: hace <n> <unit> = ?
odd: en|dentro de? ocho|8|quince|15 dias = ?
odd: despues del|de trabajo|comer|cenar|clase|comida|cena = ?
odd: despues de la comida|cena|clase|escuela = ?
odd: antes de dormir|comer|cenar|acostarme = ?
odd: <n> veces al|a|por la? dia|semana|mes = ?
odd: mas tarde = ?
odd: luego = ?
odd: en un rato|ratito|momento = ?
odd: dentro de un rato = ?
odd: de madrugada = ?
odd: la ultima semana = ?
part: por|en|a la <part> = $1
part: de la <part> = $1
part: del mediodia = noon
behind: am = morning
behind: pm = afternoon
behind: a . m . = morning
behind: p . m . = afternoon
behind: a . m = morning
behind: p . m = afternoon
part: al mediodia = noon
day: esta manana = today /morning
day: esta tarde = today /afternoon
day: esta noche = today /night
day: este mediodia = today /noon
behind: temprano = morning
behind: noche = night
behind: tarde = afternoon
habit: por las <part> = $1
length: de|para|por|a|en? <n> <unit> = in $1 $2
length: de|para|por? <n> hora|horas y media = in $1.5 hours
length: de|para|por? media hora = in 30 minutes
length: de|para|por? un cuarto de hora = in 15 minutes
span: en|dentro de? <n> <unit> = in $1 $2
span: en|dentro de? <n> hora|horas y media = in $1.5 hours
span: en|dentro de? <n> hora|horas y <n> minutos? = in $1 hours and $2 minutes
span: en|dentro de? <n> hora|horas y cuarto = in $1 hours and 15 minutes
span: en|dentro de? <n> h = in $1 hours
span: en|dentro de? <n> , <n> <unit> = in $1.$2 $3
span: en|dentro de? media hora = in 30 minutes
span: en|dentro de? un cuarto de hora = in 15 minutes
span: en|dentro de? tres cuartos de hora = in 45 minutes
every: todos los dias = every day
every: cada dia = every day
every: a diario = every day
every: diariamente = every day
every: todos los <dows> = every $1
every: todas las <part> = every $1
every: los <dows> = every $1
every: cada <dows> = every $1
every: cada <part> = every $1
every: cada dos|2 <dow> = every other $1
every: <dow> alternos = every other $1
every: un <dow> si y otro no = every other $1
every: un <dow> de cada dos = every other $1
every: cada quince|15 dias = every 2 weeks
every: cada <n> <unit> = every $1 $2
every: cada dos semanas los|el? <dow> = every other $1
every: cada 2 semanas los|el? <dow> = every other $1
every: un dia si y otro no = every other day
every: dias alternos = every other day
every: cada hora = every hour
every: todas las horas = every hour
every: cada media hora = every 30 minutes
every: cada semana = every week
every: cada semana el <dow> = every $1
every: todas las semanas = every week
every: todas las semanas el <dow> = every $1
every: semanalmente = every week
every: cada mes = every month
every: todos los meses = every month
every: mensualmente = every month
every: cada ano = every year
every: todos los anos = every year
every: anualmente = every year
every: entre semana = every weekday
every: de? lunes a viernes = every weekday
every: los|todos|cada los? dias? laborables|laborable|habiles|laborales = every weekday
every: los fines de semana = every weekend
every: todos los fines de semana = every weekend
every: cada fin de semana = every weekend
every: el dia? <d> de cada mes = on the #1 of every month
every: cada dia? <d> de|del mes = on the #1 of every month
every: cada mes el dia? <d> = every month on the #1
every: todos los meses el dia? <d> = every month on the #1
every: el dia? <d> de todos los meses = on the #1 of every month
every: los dias <d> de|del cada? mes = on the #1 of every month
every: el <o> <dow> de|del cada mes = on the $1 $2 of every month
every: cada <o> <dow> de|del mes = on the $1 $2 of every month
every: el ultimo dia de cada mes = on the last day of every month
every: cada ano el dia? <d> de <month> = every year on $1 $2
every: todos los anos el dia? <d> de <month> = every year on $1 $2
every: el dia? <d> de <month> de cada ano = every year on $1 $2
every: cada <feast> = every $1
every: todos los anos en|el|por <feast> = every $1
until: hasta el? <DAY> = $1
until: a mas tardar <DAY> = $1
until: para <DAY> = $1
from: a partir de|del <DAY> = $1
from: desde <DAY> = $1
from: desde el <DAY> = $1
from: empezando <DAY> = $1
for: durante <n> <unit> = $1 $2
for: por <n> dias|semanas|meses = $1 $2
except: menos|excepto|salvo los|el? <dow> = $1
except: menos|excepto|salvo los fines de semana = weekends
odd: am|pm = ?
range: de <h> a <h> = from $1:00 to $2:00
range: de las? <h> a las <h> = from $1:00 to $2:00
range: desde las <h> hasta las <h> = from $1:00 to $2:00
range: entre las <h> y las <h> = from $1:00 to $2:00
`,
	words: `el la los las un una unos unas y o pero no que de del al a en con por para sin sobre yo tu el ella nosotros ellos me te se nos lo le mi mis su sus es son esta estan estoy soy fue era hay he has ha
tengo tienes tiene tenemos quiero quieres puedes puede podrias podria puedo debo cual quien cuando donde como porque cuanto si gracias hola buenos buenas dias tardes noches adios favor muy bien mal mas algo nada todo
este esta eso esto ese esa aqui alli ya tambien pues entonces ir hacer comprar llamar ayer fui vamos hacia desde hasta pon ponme quita necesito luz tiempo clima musica vale claro llama dile manda lee cuentame gusta creo sabes`,
	macros: map[string]string{
		"the": "el|la|los|las|mi|mis|un|una|nuestra|nuestro|este|esta|ese|esa", "remind": "recuerdame|recordarme|recuerdes|recuerdas|recordar|avisame|avisarme|avises|recuerdanos|recuerdeme|aviseme|acuerdame|recordame|avisa|avisar",
		"put":  "pon|poner|ponme|ponga|pones|pongas|anade|anadir|anades|anada|anademe|agrega|agregar|agregame|agregue|agregas|apunta|apuntar|apuntame|apunte|mete|meter|escribe|escribir|incluye|incluir|anota|anotar|anotame|suma|sumar|poneme",
		"off":  "quita|quitar|quitas|quite|quitame|borra|borrar|borras|borre|elimina|eliminar|elimine|tacha|tachar|tache|saca|sacar|saque|quitale",
		"gone": "borra|borrar|borras|borre|borrame|cancela|cancelar|cancelas|cancele|cancelame|elimina|eliminar|elimine|eliminame|quita|quitar|quitame|quite|anula|anular|anule|desactiva|desactivar|desactive|apaga|apagar|para|parar",
		"show": "muestra|mostrar|muestrame|mostrarme|muestras|muestre|muestreme|ensena|ensename|ensenar|ensenarme|ensenas|dime|decir|decirme|digame|lee|leeme|leer|ver|di|dame|lista|listame",
		"make": "crea|crear|creame|cree|haz|hacer|hazme|haga|empieza|empezar|inicia|abre", "set": "pon|poner|ponme|ponga|ponerme|pongas|programa|programar|programame|crea|crear|activa|activar|configura|configurar|establece|quiero|necesito|haz|fija|inicia|programe|poneme",
		"move": "mueve|mover|mueves|mueva|cambia|cambiar|cambias|cambie|pospon|posponer|pospone|posponga|pasa|pasar|aplaza|aplazar|aplace|retrasa|retrasar|retrase|adelanta|reprograma|reprogramar|atrasa",
	},
	verbs: map[string]string{},
	front: "buenos dias,buenas tardes,buenas noches,por favor,hola,oye,ok,vale,chalie,oye chalie,hola chalie,y,puedes,podrias,puede,podria,me puedes,me podrias,me puede,me podria,puedes por favor,podrias por favor,puede por favor,podria por favor,quiero,quisiera,quiero que,quisiera que,me gustaria,necesito que,necesito,podrias hacer el favor de,haz el favor de,te importaria,serias tan amable de,por favor puedes,se puede,quiero que me",
	back:  "por favor,porfa,porfavor,gracias,muchas gracias,chalie,ok,vale,anda,si puedes",
	requests: `
why :: por que
why :: por que me dijiste|dices|has|avisaste|recordaste eso|esto|dicho? eso|esto?
why :: por que me lo dijiste|dices|recordaste|avisaste
why :: por que me recordaste|avisaste *about
why :: por que me hablaste|dijiste de|del|lo *about
why not :: por que no
why not :: por que no me dijiste|avisaste|recordaste|contaste nada?
why not :: por que no me dijiste|avisaste|recordaste|contaste nada? de|del|lo|sobre|que *about
why not :: por que no me has dicho|avisado|recordado nada? de|del|lo|sobre *about
why not :: por que no me lo dijiste|avisaste|recordaste
status :: como estas|esta|te|le|andas|vas va|encuentras|usted? hoy?
status :: que tal
status :: que tal estas|todo|va todo?
status :: todo bien
status :: que hay de nuevo
status :: que pasa
status :: que novedades hay
status :: hay algo|alguna nuevo|importante|novedad|urgente
status :: alguna novedad
status :: estado
again :: me? recuerdamelo|recordarmelo|recuerdalo|recordamelo otra|de? vez|nuevo? mas? tarde?
again :: me? {remind} otra|de vez|nuevo
again :: vuelve a recordarmelo|recordarme|avisarme
again :: pospon|posponlo|aplazalo|posponer|aplaza
cancel :: {gone} {the}? recordatorio|aviso de|del|para|sobre|que la|el|los|las? *which
cancel :: {gone} {the}? recordatorio|aviso *which
cancel :: {gone} {the}? recordatorio|aviso
cancel :: no me recuerdes mas|ya *which
cancel :: ya no me recuerdes *which
cancel :: deja de recordarme *which
cancel all :: {gone} todos|todas los|las|mis recordatorios|alarmas|avisos
cancel all :: {gone} los|las|mis recordatorios|alarmas|avisos
cancel :: {gone} {the} cita|reunion|evento con|de|del|en el|la|los|las? *which
cancel alarm :: {gone} {the}? alarma|despertador|temporizador
cancel alarm :: {gone} {the}? alarma|despertador|temporizador de|del|para la|el|los|las? *what
done :: {the} recordatorio|aviso de|del|para|sobre *which esta|ya hecho|listo|terminado|esta hecho|listo?
done :: marca|marcar {the} recordatorio de|del|para *which como hecho|completado|listo
move :: {move} {the}? recordatorio|aviso de|del|para|sobre *which
move :: {move} {the}? recordatorio|aviso *which
move :: {move} {the}? recordatorio|aviso|alarma
move :: {move} {the} alarma|despertador de|del|para? *which
move :: {move} {the} *which
plan reminders :: que|cuales|cuantos|cuantas recordatorios|alarmas|avisos tengo|hay|estan|son puestos|puestas|activos|activas|programados|programadas|pendientes?
plan reminders :: {show} todos|todas? {the}? recordatorios|alarmas
plan reminders :: tengo|hay algun|alguna|algunos? recordatorio|alarma|recordatorios|alarmas|aviso puesto|puesta|puestas|pendiente|activa?
plan reminders :: cuales son mis recordatorios|alarmas
plan reminders :: mis recordatorios|alarmas
plan reminders :: a que hora suena|esta|tengo|es mi|la|puesta? alarma
plan reminders :: que me tienes|tenias que recordar
plan reminders :: cuando suena|es la|mi proxima? alarma
plan tasks :: que|cuales|cuantas tareas tengo|hay|quedan|estan|son pendientes|abiertas|por? hacer?
plan tasks :: {show} todas? {the}? tareas pendientes?
plan tasks :: mis|las? tareas pendientes?
plan tasks :: cuales son mis tareas pendientes?
plan tasks :: que tengo que hacer
plan tasks :: que me queda por hacer
plan tasks :: tengo tareas|alguna tarea? pendientes|pendiente?
plan tasks :: {show} {the} lista de tareas|pendientes
plan tasks :: que hay en {the} lista de tareas|pendientes
lists :: que|cuantas listas tengo|hay
lists :: {show} todas? {the}? listas
lists :: mis listas
plans :: que tengo planeado|previsto|pendiente|programado|apuntado|agendado?
plans :: que tengo en|para la|mi? agenda|calendario|hacer?
plans :: que hay planeado|previsto|pendiente|programado|en? la|mi? agenda|calendario?
plans :: que planes|citas|eventos|compromisos tengo|hay
plans :: cual es mi plan|agenda|proxima|siguiente cita?
plans :: que me espera
plans :: hay algo|alguna|algun|citas|planes|eventos cita|plan|evento|planeado|previsto?
plans :: que sigue ahora?
plans :: que viene despues|ahora|luego
plans :: que es lo siguiente|proximo
plans :: {show} todas|todos? {the}? citas|planes|agenda|calendario|eventos
plans :: tengo algo|alguna|algun|planes|citas|cita|libre planeado|previsto|cita|plan|que|evento? hacer?
plans :: estoy libre|ocupado|ocupada
plans :: como|cual tengo|esta|es el|mi dia|agenda|semana
plans :: mi agenda
plans :: mis citas
plans :: cuando es mi proxima cita
add :: {put} *item en|a {the} lista de|para la|el|los|las? *list
add :: {put} *item en|a {the} nueva? lista llamada? *list
add :: {put} *item en|a {the} lista
add :: {put} en|a {the} lista de|para la|el|los|las? *list *item
add :: {make} {the}? nueva? lista de|para|llamada la|el|los|las? *list con *item
add :: {make} {the}? nueva? lista nueva? llamada|de|para|que la|el|los|las|se? llame? *list
add :: {make} {the}? nueva? lista nueva? *list
add :: nueva lista de|para|llamada *list
add :: *item en|a {the} lista de|para la|el|los|las? *list
remove :: {off} *item de {the} lista de|para la|el|los|las? *list
remove :: {off} *item de {the} lista *list
remove :: {off} *item de {the} lista
drop :: borra|borrar|borre|elimina|eliminar|elimine|vacia|vaciar|vacie|limpia|limpiar {the}? lista entera|completa? de|para|llamada la|el|los|las? *list
drop :: borra|borrar|borre|elimina|eliminar|elimine|vacia|vaciar|vacie|limpia|limpiar {the}? lista entera|completa? *list
drop :: borra|borrar|borre|elimina|eliminar|elimine|vacia|vaciar|vacie|limpia|limpiar {the}? lista
drop :: borra|borrar|elimina toda la lista de la? *list
show :: que hay|tengo|esta|llevo|falta en {the} lista de|para la|el|los|las? *list
show :: que hay|tengo|esta|llevo|falta en {the} lista
show :: {show} {the}? lista de|para la|el|los|las? *list
show :: {show} {the}? lista *list
show :: {show} {the}? lista
show :: esta|estan|hay|tengo *item en {the} lista de|para la|el|los|las? *list
show :: esta|estan|hay|tengo *item en {the} lista
show :: la|mi? lista de la|el|los|las? *list
alarm :: {set} {the}? nueva|otra? alarma|despertador nueva?
alarm :: {set} {the}? nueva|otra? alarma|despertador para el|la|los|las? *what
alarm :: nueva? alarma|despertador
alarm :: nueva? alarma|despertador para el|la|los|las? *what
timer :: {set} {the}? temporizador|cronometro|timer|minutero de|para|por?
timer :: {set} {the}? temporizador|cronometro|timer|minutero para el|la|los|las? *what
timer :: temporizador|timer de|para|por?
timer :: cuenta atras|regresiva de?
wake :: despiertame|despertarme|despierteme|despiertes|despertame
wake :: me? despierte|despiertes|despertarme|levantarme
wake :: tengo que levantarme|despertarme
remember :: acuerdate|acordarte|recuerda|acuerdese|recuerde de? que *what
remember :: acuerdate|recuerda: *what
remember :: ten en cuenta que *what
remember :: no olvides que *what
remember :: apunta|anota|toma que|nota|nota: de? que? *what
remember :: apunta|anota|nota: *what
remember :: memoriza que *what
remember :: quiero que recuerdes que *what
recall :: recuerdas quien|donde|cual|que es|esta|estan mi|mis *about
recall :: sabes quien|donde|cual|que es|esta|estan mi|mis *about
remind :: me recuerda|recuerde de? que? *what
remind :: recuerda|recuerde *what
remind :: {remind} de? que *what
remind :: me? {remind} del *what
remind :: me? {remind} de? que? *what
remind :: recuerdame: *what
remind :: no me dejes olvidar|olvide|olvidarme de? que? *what
remind :: no dejes que me olvide|olvide de *what
remind :: que no se me olvide *what
remind :: no te olvides de recordarme que|de? *what
remind :: no olvides recordarme que|de? *what
remind :: nuevo? recordatorio|aviso: *what
remind :: nuevo? recordatorio|aviso de|para|que *what
remind :: {set} {the}? nuevo? recordatorio|aviso de|para|que|sobre que? *what
remind :: {set} {the}? nuevo? recordatorio|aviso: *what
remind :: {set} {the}? nuevo? recordatorio|aviso
remind :: {put} {the}? nueva? cita|reunion|evento con|en|para|de *what
remind :: nueva? cita:|reunion:|evento: *what
remind :: hazme|haceme acordar de? que? *what
remind :: agenda|agendar|agendame|programa|apunta|anota|crea|pon {the}? cita|reunion|evento|nueva con|en|para|de *what
remind :: agenda|agendar|agendame *what
remind :: {put} *what en|a {the} agenda|calendario
remind :: cita: *what
remind :: cita con|en *what
remind :: me? {remind}
remind odd :: {remind} *odd que *what
task :: nueva? tarea: *what
task :: tareas: *what
task :: pendiente: *what
task :: nueva tarea *what
task :: {make} {the}? nueva? tarea de|para|llamada|que? *what
task :: {put} {the}? nueva? tarea de|para|que? *what
task :: {put} *what a|en {the} tareas
task :: {put} *what a|en {the} lista de tareas|pendientes
task :: {put} como tarea *what
must :: tengo|tenemos que *what
must :: debo|debemos *what
must :: hay que *what
must :: he de *what
progress :: {the} *which esta|va|estan|llevo al|en|por|un el? *n % hecho|terminado|completado|completo?
progress :: {the} *which esta|va|estan al|en|por|un el? *n por ciento hecho|terminado|completado|completo?
progress :: he hecho el *n % de|del {the}? *which
progress :: llevo el|un *n % de|del {the}? *which
complete :: {the}? *which ya? esta|estan ya? hecho|hecha|terminado|terminada|listo|lista|acabado|acabada|completado|completada
complete :: he terminado|acabado|completado|hecho con? {the}? *which
complete :: ya? termine|acabe|complete|hice con? {the}? *which
complete :: marca|marcar {the}? tarea? de? {the}? *which como hecha|completada|terminada|hecho|completado
complete :: ya he terminado|acabado|hecho {the}? *which
drop task :: {gone} {the} tarea de|del|sobre? *which
forget :: olvida lo que te? dije|he|conte dicho|contado? de|del|sobre *what
forget :: olvida|olvidate de? {the} *what
forget :: olvida que *what
recall :: quien|que|donde|cual|como|cuando es|esta|estan|son|se llama? mi|mis|nuestro|nuestra *about
recall :: quien|que|donde|cual|como|cuando se llama|llaman mi|mis|nuestro|nuestra *about
recall :: cuando|donde es|esta|estan|cae el|la|los|las *about
recall :: que sabes|recuerdas de|sobre mi
recall :: que sabes|recuerdas de|sobre|del *about
recall :: que sabes
recall :: que te dije|conte de|sobre|del *about
say hello :: hola|buenas|ey|holaa|alo hola|buenas|que|chalie? tal?
say good morning :: buenos|buen dias|dia chalie?
say good afternoon :: buenas tardes chalie?
say good night :: buenas noches chalie?
say bye :: adios|chao|chau|agur chalie?
say bye :: hasta luego|manana|pronto|ahora|la|otra vista|vez?
say bye :: nos vemos luego|manana|pronto?
say you're welcome :: gracias chalie|totales?
say you're welcome :: muchas|mil|muchisimas gracias chalie?
say you're welcome :: te lo agradezco
say you're welcome :: gracias por todo|tu la? ayuda?
say all right :: vale|bien|genial|perfecto|estupendo|entendido|claro|guay|bueno|listo|bien|gracias? gracias?
say all right :: muy bien
say all right :: de acuerdo
say all right :: esta bien
undo :: olvidalo|dejalo|cancelalo|cancela|cancelar|deshazlo ya|asi?
undo :: da igual
undo :: no importa
undo :: nada dejalo|olvidalo
undo :: mejor no
say you're welcome :: gracias eso|es es|todo todo?
say yes :: si|sip|sii claro|gracias|por? favor?
say no :: no gracias
say no :: nop|que no?
say help :: ayuda|ayudame
say help :: que puedes|sabes hacer por? mi?
say help :: que cosas puedes hacer
say help :: en que puedes|me ayudar|ayudarme|puedes ayudar?
say help :: como te llamas|llama
say help :: quien|que eres tu?
say help :: como funcionas|funciona esto?
say clock :: que hora es ya? ahora?
say clock :: que horas son
say clock :: me dices la hora
say clock :: dime la hora
say clock :: que dia es hoy?
say clock :: a que dia|fecha estamos hoy?
say clock :: cual es la fecha hoy|de? hoy?
say clock :: que fecha es hoy?
`,
	says: map[Says]string{
		AskWhich: "¿Qué recordatorio debe acabar? Los quito de uno en uno: di, borra el recordatorio de, y palabras suyas.",
		Date:     "2/1/2006",
		Hello:    "Hola.", Morning: "Buenos días.", Afternoon: "Buenas tardes.", Night: "Buenas noches.", Bye: "Hasta luego.", Welcome: "De nada.", AllRight: "De acuerdo.",
		Yes: "No he preguntado nada ahora.", No: "¿Qué debería ser distinto? Dilo en una frase.",
		Help:     "Llevo recordatorios, tareas y listas, recuerdo lo que me digas y te cuento lo que tienes. Dilo en una frase, por ejemplo: Recuérdame mañana a las 8 llamar a Ana; Tarea: entregar el informe para el viernes; Pon leche en la lista de la compra; Recuerda que la llave está debajo de la maceta; ¿Qué tengo mañana?",
		Clock:    "Son las %s del %s.",
		Unsure:   "No lo he entendido, así que no he hecho nada. Di qué debo hacer, por ejemplo: Recuérdame mañana a las 8 …; Pon … en la lista de la compra; Recuerda que …",
		AskWhat:  "¿Qué te recuerdo, y cuándo? Dilo por ejemplo así: Recuérdame mañana a las 8 llamar a Ana.",
		AskWhen:  "¿Cuándo te lo recuerdo: %s? Di por ejemplo: en 2 horas, mañana a las 8, todos los lunes a las 9.",
		AskThing: "¿Qué te recuerdo entonces, %s?",
		AskOdd:   "No sé cuándo es eso: %s. Por eso no he hecho nada. Di la hora con otras palabras, o pon entre comillas lo que no es parte de ella.",
		AskTask:  "¿Lo guardo como tarea? Entonces di: Tarea: %s. Puede llevar un plazo, por ejemplo: para el viernes.",
		AskItem:  "¿Qué pongo en la lista?",
		AskMove:  "¿Para cuándo lo cambio? Di por ejemplo: en 10 minutos, mañana a las 8.",
	},
}
