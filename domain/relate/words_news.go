package relate

// isNews knows what announcements, programs and senders are made of.
func isNews(w string) bool {
	switch w {
	case "accident", "account", "analyst", "announcement", "app", "application", "article", "bargain", "bonus", "boy",
		"bulletin", "cancellation", "child", "children", "client", "closure", "colleague", "comment", "community", "commuter",
		"congestion", "construction", "coupon", "crew", "crowd", "customer", "data", "deal", "demo", "detour", "device",
		"discount", "disruption", "diversion", "earnings", "emergency", "employee", "error", "example", "expected", "expert",
		"failure", "family", "fan", "fare", "fault", "fee", "firmware", "folder", "friend", "general", "gift", "girl",
		"global", "guest", "guy", "guys", "hardware", "headline", "heavy", "incident", "index", "info", "information",
		"international", "internet", "interruption", "investor", "jam", "kid", "kids", "light", "link", "local", "login",
		"loss", "maintenance", "major", "man", "market", "markets", "member", "men", "minor", "national", "neighbor",
		"neighbour", "network", "news", "newsletter", "notice", "notification", "official", "offline", "online", "opinion",
		"outage", "page", "passenger", "password", "patch", "peak", "people", "percent", "percentage", "permanent", "person",
		"planned", "price", "prices", "private", "problem", "profit", "program", "promo", "promotion", "public", "question",
		"queue", "reason", "regional", "reminder", "resident", "response", "result", "revenue", "roadworks", "rush", "sale",
		"sample", "scheduled", "screen", "section", "server", "service", "services", "severe", "shares", "signal", "site",
		"software", "staff", "status", "stocks", "story", "survey", "system", "temporarily", "temporary", "trading", "traffic",
		"unexpected", "user", "value", "version", "visitor", "volunteer", "voucher", "warning", "web", "website", "wifi",
		"woman", "women", "worker", "works":
		return true
	}
	return false
}
