package domain

import (
	"slices"
	"strings"
	"unicode"
)

// The words by which a tool is taken for one that may move money: that pays, orders or
// transfers.
var (
	// moneyDeeds are verbs that do it wherever they stand in a name.
	moneyDeeds = wordSet("pay prepay repay buy donate remit sell checkout bet invest")
	// moneyVerbs do it where a clause begins, moneyThings where they are made: an order may
	// be both, or only be looked at.
	moneyVerbs  = wordSet("order reorder purchase transfer book reserve trade refund withdraw deposit subscribe")
	moneyThings = wordSet("order purchase transfer trade refund deposit payment donation booking reservation subscription")
	makers      = wordSet("make place create send submit new add do start execute initiate schedule confirm authorize issue set process")
	betweens    = wordSet("a an the your my this new one single market limit online recurring monthly")
	// notMoney are words behind one of those that make it another thing, or no verb.
	notMoney = wordSet("status history details detail info information summary report list search lookup id number tracking method methods club review reviews of by in from placed made for" +
		" table appointment appointments meeting meetings slot desk time call calls file files data issue issues playback ownership photo photos repository repo branch attention")
	// movers go together with money: "send money".
	movers = wordSet("send move wire add load spend charge")
	money  = wordSet("money funds cash euros dollars bitcoin crypto")
	// charged go together with "charge".
	charged = wordSet("card customer account")

	// looksFirst begin the name or the description of a tool that only looks, looksLast end
	// its name.
	looksFirst = wordSet("get list show search find fetch read view check lookup look count query browse compare track preview estimate quote calculate describe see tell tells return is has how what which when where")
	looksLast  = wordSet("status history details info information summary report list lists balance price prices quote rates orders payments transfers purchases bookings reservations")
	// payments are named by parameters that money is moved by, and sums together with currencies.
	payments   = wordSet("iban bic payee payer creditor beneficiary cvv cvc payment payments")
	sums       = wordSet("amount sum price")
	currencies = wordSet("currency currencies euros dollars")
	// sorting are verbs that say something else where a parameter is described: "order results by".
	sorting = wordSet("order reorder book reserve subscribe")

	// objects stand behind a verb, and not behind a thing.
	objects = wordSet("it them a an the one your everything with")
)

// endOfClause stands among moneyWords where a clause ends.
const endOfClause = "."

// moneyWords are the words of a name or a description, in small letters.
type moneyWords []string

// movesMoney reports whether what a tool says of itself speaks of paying, ordering or
// transferring. It guesses to the careful side, for tools that may change something.
func (t Tool) movesMoney() bool {
	name, about, more := moneyWordsOf(t.Name), moneyWordsOf(t.Description), moneyWordsOf(t.Documentation)
	for _, effect := range t.Effects {
		if e := moneyWordsOf(effect); e.has() || e.speaks() || e.hasOf(moneyThings) {
			return true
		}
	}
	looks := about.looks() || len(name) > 0 && (looksFirst[name[0]] || looksLast[name[len(name)-1]])
	if t.paysBy(looks) || more.goesOn() || !looks && !more.looks() && more.speaks() {
		return true
	}
	if len(name) > 0 && (looksFirst[name[0]] || looksLast[name[len(name)-1]]) && !slices.Contains(name, "and") && !slices.Contains(name, "or") {
		return about.isDeed(0) || about.goesOn()
	}
	if about.looks() && len(name) == 1 {
		name = nil // the order that is shown
	}
	switch {
	case name.has(), name.speaks():
		return true
	case about.looks():
		return about.goesOn()
	}
	return about.speaks()
}

// paysBy reports whether the parameters are those of a tool that moves money. Of one that looks,
// only a verb in a name counts: it may take what a payment was for.
func (t Tool) paysBy(looks bool) bool {
	sum, currency := false, false
	for _, p := range t.Parameters {
		name := moneyWordsOf(p.Name)
		if name.has() || !looks && (name.hasOf(payments) || moneyWordsOf(p.Description).pays()) {
			return true
		}
		sum, currency = sum || name.hasOf(sums), currency || name.hasOf(currencies)
	}
	return sum && currency && !looks
}

// hasOf reports whether one of the words is of a set.
func (m moneyWords) hasOf(words map[string]bool) bool {
	return slices.ContainsFunc(m, func(w string) bool { return words[w] })
}

// pays reports whether a parameter's description speaks of moving money.
func (m moneyWords) pays() bool {
	for i, w := range m {
		begins := i == 0 || slices.Contains([]string{endOfClause, "to", "and", "or", "for", "is", "be"}, m[i-1])
		switch verb := infinitive(w); {
		case !begins:
		case sorting[verb]: // "what to order" ends with it
			if i > 0 && m[i-1] == "to" && (i+1 == len(m) || m[i+1] == endOfClause) {
				return true
			}
		case m.isDeed(i):
			return true
		}
	}
	return m.made()
}

// has reports whether a name has a verb that moves money, wherever it stands.
func (m moneyWords) has() bool {
	for i, w := range m {
		if moneyDeeds[w] && (i+1 == len(m) || !notMoney[m[i+1]]) {
			return true
		}
	}
	return false
}

// looks reports whether a description begins as that of a tool that only looks.
func (m moneyWords) looks() bool { return len(m) > 0 && looksFirst[infinitive(m[0])] }

// speaks reports whether money is moved anywhere in a description.
func (m moneyWords) speaks() bool {
	for i := range m {
		if (i == 0 || slices.Contains([]string{endOfClause, "to", "for", "and", "or", "then", "can", "will"}, m[i-1])) && m.isDeed(i) {
			return true
		}
	}
	return m.made()
}

// goesOn reports whether a description that begins with looking goes on with moving money:
// "find a flight and book it".
func (m moneyWords) goesOn() bool {
	for i, w := range m {
		if (w == "and" || w == "then" || w == endOfClause) && m.isDeed(i+1) && i+2 < len(m) && objects[m[i+2]] {
			return true
		}
	}
	return false
}

// isDeed reports whether the word at a place, where a clause begins, is a verb that moves money.
func (m moneyWords) isDeed(i int) bool {
	if i >= len(m) {
		return false
	}
	verb := infinitive(m[i])
	next := func(n int) string {
		if i+n < len(m) {
			return m[i+n]
		}
		return endOfClause
	}
	switch {
	case moneyDeeds[verb]:
		return !notMoney[next(1)]
	case verb == "check" && next(1) == "out":
		return !notMoney[next(2)] && !notMoney[next(3)]
	case moneyVerbs[verb]:
		object := next(1)
		if betweens[object] {
			object = next(2)
		}
		alone := len(m) == 1 && verb != "book" && verb != "reserve" // those may be a desk's
		return object != endOfClause && !notMoney[object] || alone
	case !movers[verb]:
		return false
	}
	moved := func(w string) bool { return money[w] || verb == "charge" && charged[w] }
	return moved(next(1)) || next(1) != endOfClause && moved(next(2))
}

// made reports whether something is made that moves money: "place an order".
func (m moneyWords) made() bool {
	for i, w := range m {
		if !moneyThings[w] {
			continue
		}
		if i+1 < len(m) && notMoney[m[i+1]] && !slices.Contains([]string{"for", "of", "in", "by", "from"}, m[i+1]) {
			continue
		}
		at := i - 1
		for at > 0 && betweens[m[at]] {
			at--
		}
		if at >= 0 && at >= i-3 && makers[infinitive(m[at])] {
			return true
		}
	}
	return false
}

// infinitive is a verb without the endings of the third person and of what goes on.
func infinitive(verb string) string {
	known := func(w string) bool {
		return moneyDeeds[w] || moneyVerbs[w] || makers[w] || movers[w] || looksFirst[w]
	}
	for _, ending := range []struct{ cut, put string }{{"", ""}, {"s", ""}, {"es", ""}, {"ing", ""}, {"ing", "e"}} {
		if stem, ok := strings.CutSuffix(verb, ending.cut); ok && known(stem+ending.put) {
			return stem + ending.put
		}
	}
	if stem, ok := strings.CutSuffix(verb, "ring"); ok && known(stem) { // transferring
		return stem
	}
	return verb
}

// moneyWordsOf are the words of a text; of a long one, of its beginning. A name's are told
// apart by capitals, too.
func moneyWordsOf(text string) moneyWords {
	const enough = 1 << 10
	var out moneyWords
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			out = append(out, strings.ToLower(word.String()))
			word.Reset()
		}
	}
	small := false
	for _, r := range text[:min(len(text), enough)] {
		if small && unicode.IsUpper(r) {
			end()
		}
		small = unicode.IsLower(r)
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\'':
			word.WriteRune(r)
		case strings.ContainsRune(",;:!?()\n", r), r == '.':
			if end(); len(out) > 0 && out[len(out)-1] != endOfClause {
				out = append(out, endOfClause)
			}
		default:
			end()
		}
	}
	end()
	if n := len(out); n > 0 && out[n-1] == endOfClause {
		out = out[:n-1]
	}
	return out
}

func wordSet(words string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		out[w] = true
	}
	return out
}
