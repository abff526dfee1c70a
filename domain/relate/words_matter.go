package relate

// isMatter knows what the news and the post are always about.
func isMatter(w string) bool {
	switch w {
	case "age", "ai", "army", "art", "arts", "baking", "birth", "border", "budget", "business", "cleaning", "climate",
		"consumer", "cooking", "credit", "crime", "culture", "currency", "cycling", "death", "debit", "diet", "disease",
		"dollar", "economic", "economy", "education", "election", "environment", "euro", "expense", "factory", "fashion",
		"finance", "financial", "fitness", "flu", "gardening", "government", "grade", "hike", "hiking", "history", "industry",
		"insurance", "investment", "language", "law", "life", "loan", "mayor", "medicine", "minister", "mortgage", "nation",
		"painting", "parliament", "peace", "pension", "police", "policy", "politics", "pollution", "pound", "pounds",
		"prescription", "president", "privacy", "product", "products", "protest", "reading", "recipe", "rent", "research",
		"robot", "running", "safety", "salary", "savings", "science", "security", "shopping", "space", "sport", "sports",
		"student", "study", "swimming", "tax", "taxes", "tech", "technology", "therapy", "tourism", "trade", "treatment",
		"vaccination", "vaccine", "virus", "wage", "war", "washing", "word", "workout", "world", "writing", "yoga":
		return true
	}
	return false
}
