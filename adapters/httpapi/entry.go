package httpapi

import (
	"chalie/adapters/api"
	"chalie/domain"
	"chalie/replay/narrate"
)

// entries are records as they are answered, never null.
func entries(records []domain.Record, gists bool) []api.Entry {
	out := make([]api.Entry, len(records))
	for i, rec := range records {
		out[i].Record = rec
		if gists {
			told := narrate.Line(rec.Envelope)
			out[i].Gist = &told
		}
	}
	return out
}
