package guard

import (
	"slices"
	"strings"
)

// Secrets that a sentence tells without a sign between name and value: "the password is
// hunter2", "Password - hunter2", "my PIN code is 4711", "cvv 123".

// statedKinds are the words that may stand before such a value.
var statedKinds = map[string]Kind{
	"password": Password, "passcode": Password, "passphrase": Password, "passwort": Password, "kennwort": Password, "clave": Password,
	"pin": Password, "cvv": CardCode, "cvc": CardCode, "cvv2": CardCode, securityCode: CardCode,
}

// securityCode counts before "code" alone.
const securityCode = "security"

// longestStated is the longest of these words, in bytes.
const longestStated = len("passphrase")

// statement is a place at which a sentence tells a secret.
type statement struct {
	kind   Kind
	digits bool // it is a number, such as a PIN
	dash   bool // only a dash stands before the value
	verb   bool // of a language whose words that are said of passwords aren't known
	at     int  // where the value begins, or its quotation mark
}

// links are what may stand between a word and its value. A number may follow at once.
var links = []struct {
	text               string
	dash, number, verb bool
}{
	{text: " is "}, {text: " lautet ", verb: true}, {text: " ist ", verb: true}, {text: " es ", verb: true}, {text: " est ", verb: true}, {text: " - ", dash: true}, {text: " – ", dash: true}, {text: " — ", dash: true},
	{text: " code is ", number: true}, {text: " number is ", number: true}, {text: " code ", number: true}, {text: " number ", number: true}, {text: " ", number: true},
}

// stating is the statement that begins with the word text[start:end]; false for none.
func stating(text string, start, end int) (s statement, ok bool) {
	if end-start > longestStated {
		return s, false
	}
	var word [longestStated]byte
	for i := range end - start {
		word[i] = lower(text[start+i])
	}
	if s.kind, ok = statedKinds[string(word[:end-start])]; !ok {
		return s, false
	}
	s.digits = s.kind == CardCode || end-start == len("pin")
	if !s.digits {
		end += purpose(text[end:])
	}
	for _, link := range links {
		if strings.HasPrefix(text[end:], link.text) && (s.digits || !link.number) && (string(word[:min(len(securityCode), len(word))]) != securityCode || strings.Contains(link.text, "code")) {
			s.dash, s.verb, s.at = link.dash, link.verb, end+len(link.text)
			return s, true
		}
	}
	return s, false
}

// prepositions begin what a password is for.
var prepositions = []string{" for ", " of ", " to ", " für ", " zu ", " zum ", " vom ", " del ", " de ", " du ", " pour ", " para "}

// mostPurpose bounds how many bytes tell it.
const mostPurpose = 48

// purpose is how many bytes tell what a password is for, such as " for the wifi" before " is ".
func purpose(text string) int {
	if !slices.ContainsFunc(prepositions, func(p string) bool { return strings.HasPrefix(text, p) }) {
		return 0
	}
	text = clip(text, mostPurpose)
	for _, link := range links {
		if at := strings.Index(text, link.text); at > 0 && !link.dash && !link.number && strings.IndexByte(text[:at], '\n') < 0 {
			return at
		}
	}
	return 0
}

// value is where the value of a statement stands, without quotation marks.
func (s statement) value(text string) (start, end int, quoted bool) {
	start, end, quoted = valueAfter(text, s.at-1)
	if quoted {
		return start, end, true
	}
	for end = start; end < len(text) && end-start < maxValue && !endsStated(text[end]); {
		end++
	}
	for end > start && strings.IndexByte(".:!?,;)*'", text[end-1]) >= 0 {
		end-- // of the sentence around it
	}
	return start, end, false
}

func endsStated(c byte) bool { return strings.IndexByte(" \t\n\r\"`<>", c) >= 0 }

// stated finds the value of the statement that begins with a word.
func stated(text string, start, end int) (Secret, bool) {
	s, ok := stating(text, start, end)
	if !ok {
		return Secret{}, false
	}
	from, to, quoted := s.value(text)
	value := text[from:to]
	if value == "" || isPlaceholder(value) {
		return Secret{}, false
	}
	m := mixOf(clip(value, maxKey))
	switch {
	case s.kind == CardCode:
		ok = isSecret(CardCode, value)
	case s.digits:
		ok = m.digits == len(value) && len(value) >= leastPIN && len(value) <= mostPIN
	case quoted:
		ok = !s.dash || len(value) >= 4
	case s.dash:
		ok = len(value) >= 4 && m.letters() > 0 && (m.digits > 0 || strings.ContainsAny(value, "!#$%&+=?@^~"))
	case m.letters() == len(value):
		ok = !s.verb && m.lower > 0 && len(value) >= leastPlain && endsClause(text, to) && !isSaidOfPasswords(value)
	default:
		ok = len(value) >= 4 && (m.letters() > 0 || len(value) >= 6 || !foldEqual(text[start:end], "password"))
	}
	return Secret{s.kind, from, to}, ok
}

// Bounds of a PIN, in digits.
const (
	leastPIN = 4
	mostPIN  = 8
)

// leastPlain is the letters of a word that is taken for a password because a sentence ends
// with it.
const leastPlain = 8

// endsClause reports whether no other word follows.
func endsClause(text string, at int) bool {
	return at >= len(text) || text[at] != ' ' || at+1 >= len(text) || !isAlnum.has(text[at+1]) && text[at+1] < 0x80
}

// saidEndings are the endings of most words that are said of a password and are none.
var saidEndings = []string{"ed", "ing", "able", "ible", "ive", "ent", "ant", "ary", "ory", "ful", "less", "ous", "ual", "ical", "ally", "tely", "ntly", "stly", "thing", "where", "ate", "ure"}

// saidOf are the rest of them.
var saidOf = wordSet("correct incorrect alphanumeric forgotten mistyped yesterday tomorrow overwritten rewritten obsolete complete incomplete broken stolen unknown together upstairs sometimes different identical outdated underway elsewhere hardcoded plaintext offline characters underneath overdue")

func isSaidOfPasswords(value string) bool {
	value = strings.ToLower(value)
	for _, ending := range saidEndings {
		if strings.HasSuffix(value, ending) {
			return true
		}
	}
	return saidOf[value]
}
