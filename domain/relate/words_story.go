package relate

// tellsStory knows the words of what happens to others, as the news have it.
func tellsStory(w string) bool {
	switch w {
	case "acquire", "album", "ancient", "anniversary", "appoint", "architect", "architecture", "arson", "artist", "author", "award", "baby",
		"band", "beat", "biggest", "biographer", "biography", "born", "buys", "campaign", "celebrate", "celebrity", "century", "champion",
		"championship", "collector", "cup", "debut", "decade", "defeat", "design", "designer", "discover", "discovery", "documentary", "earnings",
		"elect", "election", "engage", "episode", "exhibition", "export", "factory", "famous", "festival", "film", "fossil", "government", "grower",
		"harvest", "historic", "history", "import", "investor", "largest", "launch", "league", "magazine", "marry", "medal", "merger", "minister",
		"movie", "museum", "musical", "novel", "oldest", "orbit", "orchestra", "parliament", "pianist", "podcast", "poem", "poet", "poetry",
		"popular", "president", "prize", "profit", "protest", "reach", "rebuild", "recipe", "record", "recording", "release", "research", "restore",
		"retire", "retirement", "revenue", "satellite", "scientist", "score", "semifinal", "sequel", "shares", "singer", "species", "squad", "star",
		"statue", "stocks", "study", "surname", "suspect", "tallest", "thrown", "tips", "tourism", "tourist", "trophy", "twins", "unveil", "visitor",
		"vote", "webinar", "win", "winner", "won", "worst":
		return true
	}
	return false
}

// meansPublic knows the topics and sources of what is meant for everybody.
func meansPublic(w string) bool {
	switch w {
	case "ad", "advert", "shop", "store", "deals", "blog", "book", "celebrity", "culture", "deal", "entertainment", "fan", "feed", "film", "game", "headline", "market",
		"music", "news", "newsletter", "offer", "podcast", "promo", "promotion", "race", "sale", "science", "score", "social", "spam", "sport":
		return true
	}
	return false
}
