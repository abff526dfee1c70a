package relate

// isOccasion knows the occasions that fill everybody's days.
func isOccasion(w string) bool {
	switch w {
	case "agenda", "anniversary", "appointment", "arrival", "arrivals", "assignment", "bill", "birthday", "booking",
		"breakfast", "brunch", "card", "celebration", "ceremony", "checkin", "checkup", "chore", "coffee", "collection",
		"conference", "consultation", "contract", "course", "delivery", "departure", "departures", "dinner", "document",
		"draft", "drinks", "dropoff", "errand", "event", "exam", "exhibition", "fair", "festival", "flight", "form", "funeral",
		"game", "gathering", "goal", "habit", "holidays", "home", "homework", "house", "idea", "inspection", "interview",
		"invoice", "itinerary", "job", "journey", "lecture", "lesson", "letter", "lunch", "meal", "meeting", "membership",
		"menu", "minutes", "opening", "package", "paper", "paperwork", "parcel", "party", "payment", "performance", "pickup",
		"premiere", "presentation", "project", "proposal", "race", "receipt", "rehearsal", "reservation", "reunion", "room",
		"routine", "screening", "seat", "seminar", "session", "slides", "snack", "standup", "subscription", "supper", "table",
		"task", "tea", "ticket", "tickets", "tour", "tournament", "training", "transfer", "trip", "vacation", "viewing",
		"webinar", "wedding":
		return true
	}
	return false
}
