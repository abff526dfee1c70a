package relate

// bearing is what a signal says that can touch somebody's plans. A name that is
// merely mentioned touches nobody's.
type bearing struct {
	change  string  // a word that says something changes (closed, late, instead), or ""
	limit   string  // a word that sets a bound (until, only, already), or ""
	you     string  // a word that speaks to somebody (you, please, sorry), or ""
	clock   bool    // it gives a time of day
	day     bool    // it gives a day near at hand
	stories []story // what happens to others
}

// A story is a word that tells what happens to others (wins, museum, album).
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
		case b.change == "" && (inflected(w.folded, saysChange) || i > 0 && pairSaysChange(words[i-1].folded, w.folded)):
			b.change = w.text
		case setsLimit(w.folded):
			b.limit = w.text
		case speaksTo(w.folded) && !isMonthAt(words, i):
			b.you = w.text
		}
		if len(b.stories) < mostStories && inflected(w.folded, tellsStory) && !changesNext(words, i) {
			b.stories = append(b.stories, story{key: stem(w.folded), text: w.text})
		}
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
