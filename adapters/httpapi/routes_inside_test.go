package httpapi

// Routes are the methods and paths of every route, for tests of all of them.
func Routes() (out [][2]string) {
	for _, r := range routes() {
		out = append(out, [2]string{r.method, r.path})
	}
	return out
}
