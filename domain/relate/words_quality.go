package relate

// isQuality knows everyday adjectives; names are often made of them.
func isQuality(w string) bool {
	switch w {
	case "amazing", "american", "angry", "beautiful", "bitter", "black", "blue", "bright", "british", "brown", "cheap",
		"chinese", "classic", "common", "cool", "dark", "deep", "digital", "dirty", "dry", "dull", "dutch", "english",
		"european", "excellent", "expensive", "famous", "favorite", "favourite", "fine", "french", "fresh", "frozen", "german",
		"gold", "golden", "grand", "gray", "green", "grey", "happy", "healthy", "hot", "indian", "italian", "japanese", "loud",
		"lovely", "modern", "narrow", "original", "perfect", "personal", "pink", "poor", "popular", "pretty", "professional",
		"purple", "quiet", "raw", "red", "rich", "rough", "royal", "russian", "sad", "shallow", "sharp", "sick", "silver",
		"smart", "smooth", "social", "soft", "sour", "spanish", "spicy", "strong", "sweet", "tall", "thick", "thin", "tired",
		"traditional", "ugly", "warm", "weak", "wet", "white", "wide", "wonderful", "yellow", "young":
		return true
	}
	return false
}
