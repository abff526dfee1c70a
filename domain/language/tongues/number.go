package tongues

import "strconv"

// NumberIn is the number that a word of any of the languages says, in digits; "" for none. Words that are articles,
// too, say none.
func NumberIn(word string) string {
	if n := map[string]string{"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "fifteen": "15", "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60"}[word]; n != "" {
		return n
	}
	for _, t := range All() {
		if n := t.tables().numbers[word]; n != "" && n != "1" {
			return n
		}
	}
	return ""
}

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

// frenchNumbers are those up to 99 in words, as they are said in France, Belgium and
// Switzerland.
func frenchNumbers() map[string]string {
	ones := []string{"zero", "un", "deux", "trois", "quatre", "cinq", "six", "sept", "huit", "neuf", "dix", "onze", "douze", "treize", "quatorze", "quinze", "seize", "dix sept", "dix huit", "dix neuf"}
	tens := []string{"vingt", "trente", "quarante", "cinquante", "soixante"} //nolint:misspell // French
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
