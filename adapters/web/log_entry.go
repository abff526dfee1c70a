package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"chalie/adapters/api"
	"chalie/domain"
)

// entry is a record with its gist, as the log's answers have it.
type entry struct {
	domain.Record
	Gist  string
	Found bool // it is what was jumped to
}

// UnmarshalJSON reads the record's published shape, and the gist beside it.
func (e *entry) UnmarshalJSON(text []byte) error {
	var told api.Entry
	if err := json.Unmarshal(text, &told); err != nil {
		return err
	}
	e.Record = told.Record
	if told.Gist != nil {
		e.Gist = *told.Gist
	}
	return nil
}

// entryPage is one whole envelope.
type entryPage struct {
	entry
	Said   reading
	Others []only // the log, narrowed to what is like this one
}

// only is a link to the log, narrowed.
type only struct{ Path, Name string }

// WhyNot reports whether it can be asked why it was not told: it came from outside,
// or was planned.
func (p entryPage) WhyNot() bool {
	switch p.Envelope.Type {
	case domain.SignalReceivedType, domain.MessageReceivedType, domain.ReminderSetType, domain.TaskCreatedType, domain.ToolInvokedType:
		return true
	}
	return false
}

// logEntry is GET /system/log/:id. With part=envelope it is only what opens in a
// list.
func (v *visit) logEntry() error {
	var got entry
	if err := v.ask("/api/log/"+url.PathEscape(v.params.ByName("id")), url.Values{"gist": {"true"}}, &got); err != nil {
		return err
	}
	e := got.Envelope
	page := entryPage{entry: got, Said: readingOf(e), Others: []only{
		{logPath(url.Values{"type": {string(e.Type)}}), "this type"},
		{logPath(url.Values{"topic": {string(got.Topic)}}), "this topic"},
		{logPath(url.Values{"source": {string(e.Source)}}), "this source"},
		{logPath(url.Values{"trace": {e.Trace.String()}}), "this trace"},
	}}
	if v.r.URL.Query().Get("part") == "envelope" {
		return v.part("entry", "envelope", page)
	}
	return v.systemPage("entry", plainWords(string(e.Type)), []string{"times.js"}, page)
}

// logPath is the log's page with a query.
func logPath(query url.Values) string {
	if len(query) == 0 {
		return "/system/log"
	}
	return "/system/log?" + query.Encode()
}

// plainWords is a stored name in words.
func plainWords(name string) string { return strings.NewReplacer("_", " ", ".", " ").Replace(name) }

// refusedWith is what the API said no to with a status, or nothing.
func refusedWith(err error, statuses ...int) (string, bool) {
	refused, ok := err.(*refusal) //nolint:errorlint // ask returns it as it is
	if !ok {
		return "", false
	}
	if !slices.Contains(statuses, refused.status) {
		return "", false
	}
	return refused.message, true
}

// wrong reports what of a question has to be changed.
func wrong(err error) (string, bool) {
	return refusedWith(err, http.StatusBadRequest, http.StatusNotFound)
}
