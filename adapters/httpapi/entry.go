package httpapi

import (
	"encoding/json"

	"chalie/domain"
	"chalie/replay/narrate"
)

// entryBody is a record as the log's answers have it: with its gist when that was
// asked for.
type entryBody struct {
	record domain.Record
	gist   *string
}

// MarshalJSON writes the record's published shape, and the gist beside it.
func (e entryBody) MarshalJSON() ([]byte, error) {
	text, err := json.Marshal(e.record)
	if err != nil || e.gist == nil {
		return text, err
	}
	told, err := json.Marshal(struct {
		Gist string `json:"gist"`
	}{*e.gist})
	if err != nil {
		return nil, err
	}
	told[0] = ',' // goes on with the record's members
	return append(text[:len(text)-1], told...), nil
}

// entries are records as they are answered, never null.
func entries(records []domain.Record, gists bool) []entryBody {
	out := make([]entryBody, len(records))
	for i, rec := range records {
		out[i].record = rec
		if gists {
			told := narrate.Line(rec.Envelope)
			out[i].gist = &told
		}
	}
	return out
}
