package httpapi

// Routes are all there are, as METHOD /path/:name.
func Routes() (all []string) {
	for _, r := range routes() {
		all = append(all, r.method+" "+r.path)
	}
	return all
}
