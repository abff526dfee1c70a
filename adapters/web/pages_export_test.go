package web

// Pages are the paths of all pages.
func Pages() (paths []string) {
	for _, p := range pages() {
		paths = append(paths, p.path)
	}
	return paths
}
