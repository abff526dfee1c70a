// Package modelstest has answers of servers put in a table: what they send, and what is read.
package modelstest

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"chalie/adapters/models/dialogue"
	"chalie/domain"
)

// Row is what a server sends and what it means.
type Row struct {
	Name  string
	Sent  []string // the data of its events; see Raw
	Raw   string   // the body, in the place of events
	Text  string
	Calls string // as TOOL PARAMETERS, one behind another by "; "
	Stop  dialogue.Stop
	Told  string // in what the model is told, or a person of an error; "" for nothing
}

// Check asks a server for each row. The tools remind and list are offered.
func Check(t *testing.T, rows []Row, client func(url string) dialogue.Client) {
	t.Helper()
	for _, r := range rows {
		t.Run(r.Name, func(t *testing.T) {
			body := r.Raw
			if len(r.Sent) > 0 {
				body = "data: " + strings.Join(r.Sent, "\n\ndata: ") + "\n\n"
			}
			asked := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				asked++
				fmt.Fprint(w, body)
			}))
			defer server.Close()
			c := client(server.URL)
			defer c.Close()
			var heard ear
			got, err := c.Ask(t.Context(), Question(), heard.hear)
			r.check(t, got, err)
			if asked != 1 {
				t.Errorf("it was asked %d times", asked)
			}
			if err == nil && (heard.text != got.Text || heard.said() != calls(got)) {
				t.Errorf("told was %q with %s, and it says %q with %s", heard.text, heard.said(), got.Text, calls(got))
			}
		})
	}
}

// Question is what is asked.
func Question() dialogue.Question {
	return dialogue.Question{Turns: []dialogue.Turn{{Text: "?"}}, MayCall: true, MaxTokens: 10, Tools: []dialogue.Tool{{Name: "remind"}, {Name: "list"}}}
}

func (r Row) check(t *testing.T, got dialogue.Answer, err error) {
	t.Helper()
	told := got.Unread
	if err != nil {
		told = err.Error()
	}
	for _, c := range got.Calls {
		if _, ok := dialogue.ReadParams(string(c.Params)); !ok {
			told += " unreadable parameters"
		}
	}
	if (told == "") != (r.Told == "") || !strings.Contains(told, r.Told) {
		t.Errorf("told is %q, want %q", told, r.Told)
	}
	want := r.Stop
	if want == "" && err == nil {
		want = dialogue.StopDone
	}
	if got.Text != r.Text || calls(got) != r.Calls || got.Stop != want {
		t.Errorf("it says %q, calls %s and stops by %q, want %q, %s and %q", got.Text, calls(got), got.Stop, r.Text, r.Calls, want)
	}
	if err != nil && domain.CodeOf(err) == "" {
		t.Errorf("the error has no code: %v", err)
	}
}

func calls(a dialogue.Answer) string {
	var out []string
	for _, c := range a.Calls {
		out = append(out, c.Tool+" "+string(c.Params))
	}
	return strings.Join(out, "; ")
}

// ear puts together what is told of an answer.
type ear struct {
	text  string
	calls []string
	ended []string
}

func (e *ear) hear(p dialogue.Piece) {
	switch {
	case p.Back != "":
		*e = ear{}
	case p.Call == 0:
		e.text += p.Text
	case p.Call == len(e.calls)+1:
		e.calls = append(e.calls, p.Tool)
	case p.Ended:
		e.ended = append(e.ended, e.calls[p.Call-1]+" "+string(p.Whole))
	}
}

func (e *ear) said() string { return strings.Join(e.ended, "; ") }
