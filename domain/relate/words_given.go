package relate

// isGiven knows the first names that are also words.
func isGiven(w string) bool {
	switch w {
	case "ali", "amber", "angel", "april", "art", "ash", "august", "autumn", "basil", "bill", "blaze", "blossom", "bob", "brandy", "bud", "buddy",
		"carol", "chance", "charity", "chase", "cherry", "chip", "christian", "clay", "cliff", "colt", "coral", "crystal", "daisy", "dale", "dawn",
		"dean", "dot", "drew", "earl", "eve", "faith", "fern", "flora", "forrest", "frank", "gale", "gene", "ginger", "glen", "grace", "grant",
		"guy", "harmony", "hazel", "heath", "heather", "holly", "honey", "hope", "hunter", "iris", "ivy", "jack", "jade", "jewel", "joy", "june",
		"lance", "laurel", "lily", "lucky", "mark", "mason", "max", "may", "melody", "mercy", "merry", "miles", "misty", "nick", "norm", "olive",
		"opal", "pat", "patience", "pearl", "peg", "penny", "peter", "pierce", "piper", "poppy", "prince", "rain", "ray", "reed", "rich", "river",
		"rob", "robin", "rod", "rose", "rosemary", "ruby", "rusty", "sandy", "scout", "skip", "sky", "star", "sterling", "stew", "stone",
		"storm", "sue", "summer", "sunny", "tab", "terry", "tony", "trinity", "victor", "viola", "violet", "wade", "ward", "will", "willow",
		"winter", "woody", "wren":
		return true
	}
	return false
}

// isSurname knows the surnames that are also words. They are names beside a first name or
// a title only.
func isSurname(w string) bool {
	switch w {
	case "banks", "barber", "bell", "best", "bird", "bishop", "black", "bloom", "bond", "booth", "bowler", "brook", "brooks", "brown", "burns",
		"bush", "butcher", "butler", "carpenter", "cash", "church", "close", "coffin", "cook", "cooper", "cross", "day", "early", "farmer", "field",
		"fields", "fisher", "flood", "flowers", "ford", "fox", "french", "frost", "gardener", "gates", "gold", "good", "gray", "green", "grey",
		"hall", "hand", "hardy", "head", "hill", "house", "hunt", "hurt", "judge", "key", "king", "knight", "lake", "lamb", "lane", "law", "little",
		"long", "love", "low", "marsh", "may", "miller", "mills", "moon", "moss", "oakes", "page", "paint", "painter", "park", "parks", "penny",
		"pike", "pool", "pope", "porter", "post", "potter", "power", "powers", "price", "rice", "rivers", "rush", "savage", "sharp", "shepherd",
		"short", "silver", "singer", "small", "smart", "snow", "sparks", "speed", "spring", "steel", "stone", "street", "strong", "summers",
		"swift", "tailor", "tanner", "taylor", "turner", "walker", "wall", "walls", "waters", "weaver", "wells", "west", "white", "winter", "wise",
		"wolf", "wolfe", "wood", "woods", "wright", "young":
		return true
	}
	return false
}
