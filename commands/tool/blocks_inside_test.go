package tool

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"chalie/domain"
)

// shouting is a cleaner that leaves a mark, and nothing of a script.
type shouting struct{}

func (shouting) Clean(html, _ string) (cleanHTML, css, scope string) {
	if strings.HasPrefix(html, "<script") {
		return "", "", ""
	}
	return "(clean)", "", ""
}

// HTML in blocks is cleaned wherever a client could take it for HTML, and texts stay texts.
func TestBlocksCarryNoRawHTML(t *testing.T) {
	tools := &Tools{cfg: Config{Cards: shouting{}}}
	for given, want := range map[string]string{
		`{"type":"html","html":"<b>hi</b><script>1</script>"}`:                                       `{"type":"html","html":"(clean)"}`,
		`{"type":"html","html":"<script>1</script>","fallback":"hi"}`:                                `{"type":"html","fallback":"hi"}`,
		`{"type":"html","content":"<img src=x onerror=1>"}`:                                          `{"type":"html","content":"(clean)"}`,
		`{"type":"widget","parts":[{"body":"<b>x</b>"},"<i>y</i>",7,null,true]}`:                     `{"type":"widget","parts":[{"body":"(clean)"},"(clean)",7,null,true]}`,
		`{"type":"HTML","html":"</p>"}`:                                                              `{"type":"HTML","html":"(clean)"}`,
		`{"html":"<!-- x -->"}`:                                                                      `{"html":"(clean)"}`,
		`{"type":"text","format":"html","content":"<b>x</b>"}`:                                       `{"type":"text","format":"html","content":"(clean)"}`,
		`{"type":"text","format":"markdown","content":"if a<b then **c**"}`:                          `{"type":"text","format":"markdown","content":"if a<b then **c**"}`,
		`{"type":"code","content":"<script>1</script>"}`:                                             `{"type":"code","content":"<script>1</script>"}`,
		`{"type":"text","content":"x","html":"<b>x</b>"}`:                                            `{"type":"text","content":"x","html":"(clean)"}`,
		`{"type":"section","title":"<b>","blocks":[{"type":"html","html":"<b>x</b>"}]}`:              `{"type":"section","title":"<b>","blocks":[{"type":"html","html":"(clean)"}]}`,
		`{"type":"tabs","tabs":[{"label":"<b>","blocks":[{"type":"iframe","srcdoc":"<script>1"}]}]}`: `{"type":"tabs","tabs":[{"label":"<b>","blocks":[{"type":"iframe"}]}]}`,
		`{"type":"widget","blocks":[{"type":"code","content":"<b>"}],"text":"a < b"}`:                `{"type":"widget","blocks":[{"type":"code","content":"<b>"}],"text":"a < b"}`,
	} {
		var block domain.Block
		if err := json.Unmarshal([]byte(given), &block); err != nil {
			t.Fatal(err)
		}
		var wanted, got any
		_ = json.Unmarshal([]byte(want), &wanted)
		text, _ := json.Marshal(tools.cleanedBlocks([]domain.Block{block})[0])
		_ = json.Unmarshal(text, &got)
		again, _ := json.Marshal(wanted)
		if plain, _ := json.Marshal(got); !bytes.Equal(plain, again) {
			t.Errorf("%s is shown as %s, want %s", given, plain, again)
		}
	}
	if got := (&Tools{}).cleanedBlocks([]domain.Block{{"type": "html", "html": "<b>x</b>"}}); got[0]["html"] != nil {
		t.Errorf("without a cleaner: %v", got)
	}
}
