package relate

// isKind knows what firms, offices and people are, next to their names.
func isKind(w string) bool {
	switch w {
	case "academy", "accountant", "agency", "agent", "airline", "airways", "arena", "assistant", "association", "auditorium",
		"aunt", "baby", "babysitter", "bakery", "bank", "bar", "barber", "bistro", "boss", "boutique", "branch", "brand",
		"brasserie", "brother", "buffet", "builder", "bureau", "bus", "butcher", "cafe", "campus", "canteen", "care",
		"carpenter", "center", "centre", "chain", "chef", "chemist", "cinema", "class", "cleaner", "cleaners", "clinic",
		"club", "co", "coach", "college", "committee", "company", "concert", "corp", "corporation", "council", "counter",
		"cousin", "dad", "daughter", "dealer", "dealership", "deli", "dental", "dentist", "department", "desk", "diner",
		"director", "driver", "eatery", "electrician", "engineer", "faculty", "father", "ferry", "firm", "florist",
		"foundation", "gallery", "garage", "gardener", "gmbh", "grandfather", "grandma", "grandmother", "grandpa", "granny",
		"grill", "grocer", "grocery", "group", "guesthouse", "gym", "hairdresser", "headquarters", "health", "hospital",
		"hostel", "hotel", "hq", "husband", "inc", "inn", "institute", "kindergarten", "kitchen", "label", "landlord",
		"launderette", "laundry", "lawyer", "library", "llc", "ltd", "mall", "manager", "mechanic", "medical", "ministry",
		"mom", "motel", "mother", "mum", "museum", "nanny", "notary", "nurse", "nursery", "office", "optician", "optometrist",
		"painter", "parent", "parents", "partner", "pharmacy", "physio", "physiotherapist", "pilot", "pizzeria", "plc",
		"plumber", "practice", "pub", "rail", "railway", "railways", "reception", "resort", "restaurant", "salon", "school",
		"secretary", "shop", "sister", "sitter", "society", "solicitor", "son", "spa", "stadium", "store", "studio",
		"supermarket", "surgery", "takeaway", "tavern", "taxi", "teacher", "team", "technician", "tenant", "theater",
		"theatre", "therapist", "trainer", "trattoria", "trust", "tutor", "uncle", "union", "university", "venue", "vet",
		"veterinary", "waiter", "wife", "workshop":
		return true
	}
	return false
}
