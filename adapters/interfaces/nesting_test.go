package interfaces

import (
	"net/http"
	"strings"
	"testing"

	"chalie/commands"
	"chalie/domain"
)

// What an interface answers is read here: its manifest, its tools and what it shows.
func TestAnswersNestNoDeeperThanTheBound(t *testing.T) {
	q := question{op: "execute", path: "/execute", at: commands.Endpoint{Host: "h", Port: 1}}
	for deep, code := range map[int]domain.Code{domain.MaxNesting: "", domain.MaxNesting + 1: commands.CodePeerBadJSON, 9_998: commands.CodePeerBadJSON, 1_000_000: commands.CodePeerBadJSON} {
		body := strings.Repeat("[", deep) + strings.Repeat("]", deep)
		_, err := q.json(answer{status: http.StatusOK, media: mediaJSON, body: []byte(body)})
		if domain.CodeOf(err) != code || err != nil && !strings.Contains(err.Error(), "100") {
			t.Errorf("an answer that nests %d deep: %v", deep, err)
		}
	}
}

// A tool that answered has run, however deep its answer nests.
func TestResultsThatNestTooDeep(t *testing.T) {
	c, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	q := question{op: "execute", path: "/execute", at: commands.Endpoint{Host: "h", Port: 1}}
	nested := func(deep int) string { return strings.Repeat("[", deep) + strings.Repeat("]", deep) }
	for name, test := range map[string]struct {
		body, text, failed, data string // data: "" for none
		blocks                   int
		code                     domain.Code
	}{
		"data":               {body: `{"text":"<done>","error":"but","blocks":[{}],"data":{"a": ` + nested(150) + `}}`, text: "<done>", failed: "but", blocks: 1, data: `{"a":` + nested(150) + `}`},
		"data of the bound":  {body: `{"data":` + nested(100) + `}`, data: nested(100)},
		"blocks":             {body: `{"text":"done","blocks":` + nested(101) + `,"data":1}`, text: "done", data: `{"text":"done","blocks":` + nested(101) + `,"data":1}`},
		"what nobody reads":  {body: `{"text":"done","more":` + nested(101) + `}`, text: "done"},
		"beyond all readers": {body: `{"text":"done","data":` + nested(20_000) + `}`, data: `{"text":"done","data":` + nested(20_000) + `}`},
		"a list":             {body: nested(101), code: commands.CodePeerBadShape},
		"broken":             {body: `{"data":` + nested(101), code: commands.CodePeerBadJSON},
		"text that is none":  {body: `{"text":` + nested(101) + `}`, code: commands.CodePeerBadShape},
	} {
		got, err := c.deep(t.Context(), q, []byte(test.body))
		if domain.CodeOf(err) != test.code {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil && (said(got.Text) != test.text || said(got.Error) != test.failed || string(got.Data) != test.data || len(got.Blocks) != test.blocks) {
			t.Errorf("%s: text %q, error %q, %d blocks, data %.80s", name, said(got.Text), said(got.Error), len(got.Blocks), got.Data)
		}
	}
}

func said(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
