package relate

// isThing knows the nouns of every day: one of them shared is little.
func isThing(w string) bool {
	switch w {
	case "air", "album", "animal", "apple", "arm", "attic", "backpack", "bag", "balcony", "ball", "banana", "baseball",
		"basement", "basketball", "bat", "bathroom", "battery", "bed", "bedroom", "beef", "beer", "bicycle", "bike", "bin",
		"bird", "blood", "boat", "bottle", "bowl", "box", "bread", "burger", "butter", "cable", "cake", "camera", "car",
		"carpet", "cash", "cat", "ceiling", "chair", "championship", "charger", "cheese", "cheque", "chicken", "chocolate",
		"clothes", "cloud", "coat", "coin", "cold", "computer", "cookie", "couch", "cow", "cream", "cricket", "cup",
		"cupboard", "curtain", "dishwasher", "dog", "door", "dress", "dryer", "ear", "egg", "eggs", "electric", "electricity",
		"energy", "engine", "episode", "eye", "film", "fish", "flour", "flower", "flowers", "fog", "food", "foot", "football",
		"forecast", "fork", "freezer", "fridge", "frost", "fruit", "fuel", "garbage", "garlic", "gas", "glass", "glasses",
		"glove", "golf", "grass", "hail", "hair", "hat", "head", "headphones", "heart", "heat", "heater", "heating",
		"heatwave", "hedge", "hockey", "horse", "ice", "image", "jacket", "jeans", "juice", "key", "keyboard", "keys", "knee",
		"knife", "lamp", "laptop", "lawn", "leaf", "league", "leg", "lemon", "lightning", "luggage", "machine", "magazine",
		"meat", "metro", "milk", "mirror", "mobile", "money", "moon", "motorcycle", "mouth", "movie", "music", "newspaper",
		"nose", "notebook", "oil", "onion", "orange", "oven", "pan", "parking", "pasta", "pen", "pencil", "pepper", "pet",
		"petrol", "photo", "picture", "pig", "pipe", "pizza", "plane", "plant", "plants", "plate", "player", "podcast", "pork",
		"pot", "potato", "power", "printer", "purse", "rabbit", "racket", "radio", "rain", "recycling", "rice", "roof",
		"rubbish", "rug", "rugby", "salad", "salt", "sandwich", "sauce", "scarf", "scooter", "seed", "series", "sheep",
		"shelf", "shirt", "shoe", "shoes", "skin", "sky", "smoke", "snow", "soccer", "sock", "socks", "sofa", "soil", "song",
		"soup", "speaker", "spice", "spoon", "stairs", "star", "storm", "stove", "subway", "sugar", "suitcase", "tablet",
		"tap", "teeth", "television", "temperature", "tennis", "thunder", "thunderstorm", "tire", "toilet", "tomato", "tooth",
		"tram", "trash", "tree", "trousers", "truck", "tv", "tyre", "underground", "vegetable", "vegetables", "vehicle",
		"video", "wall", "wallet", "wardrobe", "washer", "weather", "wheel", "wind", "window", "wine":
		return true
	}
	return false
}
