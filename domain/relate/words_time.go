package relate

// isTime knows the words that say when: they are read as times, never as names.
func isTime(w string) bool {
	switch w {
	case "afternoon", "annual", "annually", "apr", "april", "aug", "august", "autumn", "calendar", "century", "cet",
		"christmas", "clock", "daily", "date", "dawn", "day", "deadline", "dec", "decade", "december", "duration", "dusk",
		"easter", "est", "eve", "evening", "fall", "feb", "february", "fortnight", "fri", "friday", "gmt", "halloween",
		"holiday", "hour", "hourly", "hr", "hrs", "jan", "january", "jul", "july", "jun", "june", "mar", "march", "midday",
		"midnight", "mins", "minute", "moment", "mon", "monday", "month", "monthly", "morning", "night", "nightly", "noon",
		"nov", "november", "now", "oclock", "oct", "october", "overnight", "period", "pst", "quarterly", "sat", "saturday",
		"schedule", "season", "sec", "sep", "sept", "september", "spring", "summer", "sun", "sunday", "sunrise", "sunset",
		"term", "thanksgiving", "thu", "thur", "thurs", "thursday", "time", "timetable", "today", "tomorrow", "tonight", "tue",
		"tues", "tuesday", "utc", "wednesday", "week", "weekday", "weekend", "weekly", "winter", "year", "yearly", "yesterday":
		return true
	}
	return false
}
