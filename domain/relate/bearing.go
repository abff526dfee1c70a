package relate

import "strings"

// bearing is what a signal says that can touch somebody's plans. A name that is
// merely mentioned touches nobody's.
type bearing struct {
	changes []story // words that say something changes (closed, late, instead)
	limit   string  // a word that sets a bound (until, only, already), or ""
	you     string  // a word that speaks to somebody (you, please, sorry), or ""
	sooner  bool    // it sets an end, or an earlier one
	clock   bool    // it gives a time of day
	day     bool    // it gives a day near at hand
	stories []story // what happens to others
}

// A story is a word that tells what happens: to others (wins, museum, album), or to what
// is planned.
type story struct{ key, text string }

// mostStories bounds how many of them are kept.
const mostStories = 4

// readBearing looks for what changes plans.
func readBearing(words []rawWord) bearing {
	var b bearing
	for i, w := range words {
		if w.isName {
			continue
		}
		switch {
		case len(b.changes) < mostStories && (inflected(w.folded, saysChange) || i > 0 && pairSaysChange(words[i-1].folded, w.folded)):
			b.changes = append(b.changes, story{key: stem(w.folded), text: w.text})
		case setsLimit(w.folded):
			b.limit = w.text
		case speaksTo(w.folded) && !isMonthAt(words, i):
			b.you = w.text
		}
		if len(b.stories) < mostStories && inflected(w.folded, tellsStory) && !changesNext(words, i) {
			b.stories = append(b.stories, story{key: stem(w.folded), text: w.text})
		}
		if isOffer(words, i) {
			b.stories = append(b.stories, story{text: w.text})
		}
		b.sooner = b.sooner || setsEnd(w.folded)
		_, isTime := clockAt(words, i)
		b.clock = b.clock || isTime
		b.day = b.day || isNear(words, i)
	}
	return b
}

// isMonthAt tells May from may.
func isMonthAt(words []rawWord, i int) bool {
	w := words[i]
	return month(w.folded) > 0 && (w.first == upperFirst && !w.starts || i > 0 && dayOfMonth(words[i-1].folded) > 0)
}

// isOffer tells whether something is offered for sale at i: 20 % off, half price, 2 for 3,
// from 90k.
func isOffer(words []rawWord, i int) bool {
	w := words[i]
	after := func(n int) string {
		if i+n < len(words) {
			return words[i+n].folded
		}
		return ""
	}
	switch {
	case w.followed == '%':
		return after(1) == "off" || i > 0 && (words[i-1].folded == "minus" || words[i-1].folded == "save")
	case w.folded == "half":
		return after(1) == "price"
	case isNumber(w.folded) && len(w.folded) == 1:
		return after(1) == "for" && len(after(2)) == 1 && isNumber(after(2))
	case w.folded == "from" && i+1 < len(words):
		price := strings.TrimRight(after(1), "k")
		return isNumber(price) && (price != after(1) || words[i+1].marked == '$' || isCurrency(after(2)))
	}
	return false
}

func isCurrency(w string) bool {
	switch singular(w) {
	case "euro", "dollar", "pound", "bob", "kroner", "rupee", "yen", "million", "usd", "eur":
		return true
	}
	return false
}

// changesNext tells whether the word behind i says that something changes, so that
// the one at i is what changes, and no story: a festival is cancelled, and visitor
// restrictions aren't about visitors.
func changesNext(words []rawWord, i int) bool {
	return i+1 < len(words) && !words[i+1].cut && inflected(words[i+1].folded, saysChange)
}

// isNear tells whether the word at i names a day near at hand.
func isNear(words []rawWord, i int) bool {
	w := words[i].folded
	switch w {
	case "today", "tonight", "tomorrow", "weekend":
		return true
	case "week", "morning", "afternoon", "evening", "time", "year":
		return i > 0 && words[i-1].folded == "this"
	}
	_, ok := weekday(w, words[i].first)
	return ok
}
