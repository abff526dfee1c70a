package relate

// isPlace knows what a place is, next to its name.
func isPlace(w string) bool {
	switch w {
	case "abbey", "airport", "alley", "apartment", "area", "avenue", "bay", "beach", "borough", "boulevard", "bridge",
		"building", "canal", "castle", "cathedral", "central", "chapel", "church", "city", "coast", "corner", "country",
		"county", "court", "creek", "crescent", "crossing", "district", "dock", "downtown", "east", "eastern", "expressway",
		"field", "fields", "flat", "floor", "forest", "freeway", "garden", "gardens", "gate", "hall", "harbor", "harbour",
		"highway", "hill", "intersection", "island", "junction", "lake", "lane", "line", "marina", "monastery", "mosque",
		"motorway", "mount", "mountain", "neighborhood", "neighbourhood", "north", "northern", "palace", "park", "path",
		"pier", "place", "platform", "plaza", "pond", "port", "province", "quay", "region", "river", "road", "roundabout",
		"route", "row", "shore", "south", "southern", "square", "station", "street", "suburb", "synagogue", "temple",
		"terminal", "terrace", "tower", "town", "tunnel", "unit", "upper", "uptown", "valley", "village", "west", "western",
		"wood", "woods", "zone",
		"annex", "annexe", "berth", "booth", "cabin", "campus", "concourse", "corridor", "deck", "entrance", "hangar", "level",
		"pavilion", "sector", "staircase", "stairwell", "wing":
		return true
	}
	return false
}
