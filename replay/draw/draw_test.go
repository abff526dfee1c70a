package draw_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"chalie/domain"
	"chalie/replay/draw"
	"chalie/replay/explain"
)

var rewrite = flag.Bool("rewrite", false, "draw the pictures in testdata anew")

func id(n int) domain.ID { return domain.ID{14: byte(n >> 8), 15: byte(n)} }

// luigis is what is told when the restaurant is closed.
func luigis() explain.Explanation {
	node := func(n int, name domain.EventType, label string, numbers explain.Numbers) explain.Node {
		return explain.Node{ID: id(n), Type: name, Position: domain.Position(n), Label: label, Numbers: numbers}
	}
	caused := func(from, to int, role string) explain.Edge {
		return explain.Edge{From: id(from), To: id(to), Kind: explain.EdgeCaused, Role: role}
	}
	return explain.Explanation{
		Target: explain.Focus{ID: id(15)}, Sentences: []string{`Chalie told you that "Luigi's" has no dinner tonight.`},
		Nodes: []explain.Node{
			node(15, "reasoning.concluded", "told you", nil), node(14, "model.replied", "the model said: “Luigi's has no dinner tonight: the oven broke” bears on your reminder “dinner reservation at Luigi's”", nil),
			node(10, "spine.signal_emitted", "nothing has happened for a while", nil),
			node(9, "signal.received", "opening_hours from Luigi's: Luigi's has no dinner tonight: the oven broke", explain.Numbers{"salience": 0.82, "relation": 0.88}),
			node(2, "reminder.set", "a reminder was set: dinner reservation at Luigi's", explain.Numbers{"salience": 0.91, "relation": 0.88}),
			node(13, "model.called", "asked the model builtin/2", nil), node(8, "interface.paired", "the interface Luigi's was paired", nil),
			node(1, "message.received", "you said: remind me: dinner reservation at Luigi's in 2 hours", nil),
			node(11, "reasoning.started", "began to think, with 2 things in mind", nil),
			{ID: id(3), Missing: true, Dropped: true, Label: "(no longer kept)", Numbers: explain.Numbers{}},
		},
		Edges: []explain.Edge{
			caused(14, 15, explain.RoleParent), {From: id(10), To: id(15), Role: "asked", Weight: new(1.0)},
			{From: id(9), To: id(15), Role: "heard", Weight: new(0.88)}, {From: id(2), To: id(15), Role: "planned", Weight: new(0.88)},
			caused(13, 14, explain.RoleParent), caused(8, 9, explain.RoleSentBy), caused(1, 2, explain.RoleParent), caused(11, 13, explain.RoleParent),
			caused(10, 11, explain.RoleParent), caused(3, 8, explain.RoleParent),
		},
	}
}

func drawn(t testing.TB, why explain.Explanation, f draw.Format) string {
	t.Helper()
	var out bytes.Buffer
	if err := draw.Write(&out, why, f); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The pictures in testdata are what is drawn today.
func TestPictures(t *testing.T) {
	forward := luigis()
	forward.Direction = explain.Forward
	slices.Reverse(forward.Nodes)
	for name, why := range map[string]explain.Explanation{"luigis": luigis(), "forward": forward} {
		for _, f := range []draw.Format{draw.SVG, draw.DOT, draw.Mermaid} {
			path, got := filepath.Join("testdata", name+"."+string(f)), drawn(t, why, f)
			if *rewrite {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s is drawn as\n%s", path, got)
			}
		}
	}
}

// allowed are the elements a picture is made of, and the attributes they have.
var allowed = map[string]string{
	"svg": "xmlns width height viewBox font-family font-size", "title": "", "g": "class", "rect": "x y width height rx fill stroke stroke-width",
	"path": "class d fill stroke stroke-width", "text": "class x y font-size font-weight fill text-anchor stroke stroke-width paint-order",
}

// inspect expects a picture of these elements alone, and no word of where else to look.
func inspect(t testing.TB, picture string) (texts []string) {
	t.Helper()
	dec := xml.NewDecoder(strings.NewReader(picture))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return texts
		}
		if err != nil {
			t.Fatalf("it is no XML: %v\n%s", err, picture)
		}
		switch token := token.(type) {
		case xml.StartElement:
			attributes, ok := allowed[token.Name.Local]
			if !ok || token.Name.Space != "http://www.w3.org/2000/svg" {
				t.Fatalf("it has an element %v", token.Name)
			}
			for _, a := range token.Attr {
				if !slices.Contains(strings.Fields(attributes), a.Name.Local) || strings.Contains(a.Value, "url") || a.Name.Local != "xmlns" && strings.Contains(a.Value, ":") {
					t.Fatalf("%s has %s=%q", token.Name.Local, a.Name.Local, a.Value)
				}
			}
		case xml.CharData:
			texts = append(texts, string(token))
		case xml.Directive, xml.ProcInst, xml.Comment:
			t.Fatalf("it has %v", token)
		}
	}
}

// hostile are texts that would be more than text somewhere.
var hostile = []string{
	`</text><script>alert(1)</script>`, `]]><!DOCTYPE x [<!ENTITY a "b">]>`, `<image href="http://evil.example/x.png"/>`, "javascript:alert(1)", `" onload="alert(1)`,
	"\"]\n  click n0 call alert()\n  n9[\"", "%%{init: {\"securityLevel\":\"loose\"}}%%", "`**bold**`", "n1 --> n2; end", `\"]; evil [URL="http://evil.example"]; x [label="`,
	"\\N \\G \\l \\", "<b>html</b>", "&lt;script&gt; &#60;", "\x00\x1b[2J\x07\u202e\u2066\ufeff\ufffe\U000e0041", strings.Repeat("́", 5000), strings.Repeat("漢", 300), strings.Repeat("x", 5000), "\xff\xfe", "",
}

// Whatever texts say, they are text in every format.
func TestHostileTexts(t *testing.T) {
	for _, text := range hostile {
		why := luigis()
		why.Sentences = []string{text}
		for i := range why.Nodes {
			why.Nodes[i].Label, why.Nodes[i].Type = text, domain.EventType(text)
			why.Nodes[i].Numbers = explain.Numbers{text: 1}
		}
		for i := range why.Edges {
			why.Edges[i].Role = text
		}
		picture := drawn(t, why, draw.SVG)
		inspect(t, picture)
		for _, f := range []draw.Format{draw.SVG, draw.DOT, draw.Mermaid} {
			got := drawn(t, why, f)
			if strings.ContainsAny(got, "\x00\x1b\x07\u202e\u2066\ufeff\ufffe\U000e0041") || len(got) > 600_000 {
				t.Errorf("%q as %s has %d bytes:\n%.500q", text, f, len(got), got)
			}
		}
		checkMermaid(t, drawn(t, why, draw.Mermaid))
		checkDOT(t, drawn(t, why, draw.DOT))
	}
}

// In a page the boxes lead where the page says, and texts are text there, too.
func TestPage(t *testing.T) {
	to := func(n explain.Node) string {
		if n.Missing {
			return ""
		}
		return "/traces/" + n.Trace.String() + `?"<&at=` + n.ID.String()
	}
	for _, text := range append(hostile, "the oven broke") {
		why := luigis()
		why.Sentences = []string{text}
		for i := range why.Nodes {
			why.Nodes[i].Label = text
		}
		got := draw.Page(why, to)
		var root struct {
			Label string `xml:"aria-label,attr"`
			Boxes []struct {
				Place string `xml:"href,attr"`
				Title string `xml:"title"`
			} `xml:"a"`
			Others []struct{} `xml:"g"`
		}
		if err := xml.Unmarshal([]byte(got), &root); err != nil {
			t.Fatalf("%v in\n%s", err, got)
		}
		if len(root.Boxes) != 9 || len(root.Others) != 1 || !strings.HasPrefix(root.Label, "Why") || strings.Contains(got, "xmlns") {
			t.Fatalf("%d boxes lead somewhere, %d don't:\n%s", len(root.Boxes), len(root.Others), got)
		}
		for i, b := range root.Boxes {
			if b.Place != to(why.Nodes[i]) || !strings.Contains(b.Title, why.Nodes[i].ID.String()) {
				t.Errorf("box %d leads to %q, and says %q", i, b.Place, b.Title)
			}
		}
	}
}

// checkMermaid expects lines of the few forms that are written, with nothing in the
// texts that Mermaid or HTML reads.
func checkMermaid(t *testing.T, chart string) {
	t.Helper()
	for i, line := range strings.Split(strings.TrimSuffix(chart, "\n"), "\n") {
		line = strings.ReplaceAll(line, "<br/>", "")
		begin, rest, quoted := strings.Cut(line, `"`)
		text, end, closed := strings.Cut(rest, `"`)
		fits := i == 0 && strings.HasPrefix(line, "flowchart ") || strings.HasPrefix(line, "  style n") ||
			strings.Contains(begin, "-->") && !quoted || quoted && closed && !strings.ContainsAny(text, "\"`<>&%{}[]|\\*") && !strings.Contains(end, `"`)
		if !fits {
			t.Errorf("line %d is %q", i, line)
		}
	}
}

// checkDOT expects that every string ends in the line it begins in, and that outside of
// strings there are names, numbers and marks alone.
func checkDOT(t *testing.T, graph string) {
	t.Helper()
	for line := range strings.SplitSeq(graph, "\n") {
		inside, outside := false, ""
		for i := 0; i < len(line); i++ {
			switch {
			case inside && line[i] == '\\':
				i++
			case line[i] == '"':
				inside = !inside
			case !inside:
				outside += line[i : i+1]
			}
		}
		if inside || strings.ContainsAny(outside, "<&") || strings.Contains(outside, "URL") {
			t.Errorf("%q", line)
		}
	}
}

// Of very many envelopes the first are drawn, and how many aren't stands in the picture.
func TestMany(t *testing.T) {
	why := explain.Explanation{Target: explain.Focus{ID: id(0)}, Cut: true}
	for n := range 500 {
		why.Nodes = append(why.Nodes, explain.Node{ID: id(n), Type: "steer.received", Label: "more"})
		for m := range n {
			if n < 40 || m == n-1 {
				why.Edges = append(why.Edges, explain.Edge{From: id(n), To: id(m), Role: "named", Weight: new(0.5)})
			}
		}
	}
	for _, f := range []draw.Format{draw.SVG, draw.DOT, draw.Mermaid} {
		got := drawn(t, why, f)
		if !strings.Contains(got, "400 envelopes more are left out, and there may be more than those.") || len(got) > 300_000 {
			t.Errorf("%s has %d bytes", f, len(got))
		}
	}
	inspect(t, drawn(t, why, draw.SVG))
}

// Every graph is drawn, also one that goes in circles: the same way every time, with
// each box inside the picture and none over another.
func TestAnyGraph(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		count := rapid.IntRange(0, 40).Draw(rt, "boxes")
		why := explain.Explanation{Direction: rapid.SampledFrom([]explain.Direction{explain.Back, explain.Forward}).Draw(rt, "direction")}
		for n := range count {
			why.Nodes = append(why.Nodes, explain.Node{ID: id(n), Type: "steer.received", Label: strings.Repeat("word ", rapid.IntRange(0, 30).Draw(rt, "words"))})
		}
		for range rapid.IntRange(0, 80).Draw(rt, "arrows") {
			why.Edges = append(why.Edges, explain.Edge{From: id(rapid.IntRange(0, 41).Draw(rt, "from")), To: id(rapid.IntRange(0, 41).Draw(rt, "to")), Role: rapid.SampledFrom([]string{"parent", "named"}).Draw(rt, "role")})
		}
		picture := drawn(t, why, draw.SVG)
		inspect(t, picture)
		if picture != drawn(t, why, draw.SVG) {
			rt.Fatal("it is drawn in two ways")
		}
		type rect struct{ x, y, w, h int }
		var page rect
		var boxes []rect
		for line := range strings.Lines(picture) {
			var r rect
			if n, _ := fmt.Sscanf(line, `<rect width="%d" height="%d"`, &page.w, &page.h); n == 2 {
				continue
			}
			if n, _ := fmt.Sscanf(line, `<rect x="%d" y="%d" width="%d" height="%d"`, &r.x, &r.y, &r.w, &r.h); n == 4 {
				boxes = append(boxes, r)
			}
		}
		if len(boxes) != count {
			rt.Fatalf("%d of %d boxes are drawn", len(boxes), count)
		}
		for i, b := range boxes {
			if b.x < 0 || b.y < 0 || b.x+b.w > page.w || b.y+b.h > page.h {
				rt.Fatalf("a box at %+v is outside of %+v", b, page)
			}
			for _, o := range boxes[:i] {
				if b.x < o.x+o.w && o.x < b.x+b.w && b.y < o.y+o.h && o.y < b.y+b.h {
					rt.Fatalf("boxes %+v and %+v lie over each other", b, o)
				}
			}
		}
	})
}

func TestFormats(t *testing.T) {
	for name, media := range map[string]string{"svg": "image/svg+xml; charset=utf-8", "dot": "text/vnd.graphviz; charset=utf-8", "mermaid": "text/plain; charset=utf-8"} {
		if f, err := draw.ParseFormat(name); err != nil || f.MediaType() != media {
			t.Errorf("%s: %s, %v", name, f.MediaType(), err)
		}
	}
	if _, err := draw.ParseFormat("png"); domain.CodeOf(err) != "invalid" || !strings.Contains(err.Error(), "svg, dot, mermaid or json") {
		t.Errorf("png: %v", err)
	}
}

// BenchmarkSVG draws as much as a picture holds.
func BenchmarkSVG(b *testing.B) {
	why := explain.Explanation{}
	for n := range draw.MaxBoxes {
		why.Nodes = append(why.Nodes, explain.Node{ID: id(n), Type: "steer.received", Label: "a label of some words, as they are"})
		if n > 0 {
			why.Edges = append(why.Edges, explain.Edge{From: id(n), To: id(n / 3), Role: "named"}, explain.Edge{From: id(n), To: id(n / 2), Role: "parent"})
		}
	}
	for b.Loop() {
		drawn(b, why, draw.SVG)
	}
}

// What isn't in the log is drawn as what is known of it.
func TestAbsentBoxes(t *testing.T) {
	for _, c := range []struct {
		node explain.Node
		want string
	}{
		{explain.Node{ID: id(3), Missing: true, Dropped: true, Label: "(no longer kept)"}, ">no longer kept<"},
		{explain.Node{ID: id(3), Missing: true, Label: "(not in this log)"}, ">not in this log<"},
	} {
		var out strings.Builder
		if err := draw.Write(&out, explain.Explanation{Target: explain.Focus{ID: id(3)}, Nodes: []explain.Node{c.node}}, draw.SVG); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), c.want) {
			t.Errorf("%s isn't in\n%s", c.want, out.String())
		}
	}
}

// The codes behind the words stand where one points at a box, and not in it.
func TestCodesBehindABox(t *testing.T) {
	n := explain.Node{ID: id(5), Type: "policy.decided", Position: 5, Label: "the policy: denied: no rule allows it",
		Codes: []string{"denied", "no_rule_matches", "sha256:12"}, Gate: domain.GateNotInFive}
	var out strings.Builder
	if err := draw.Write(&out, explain.Explanation{Target: explain.Focus{ID: n.ID}, Nodes: []explain.Node{n}}, draw.SVG); err != nil {
		t.Fatal(err)
	}
	title, shown, _ := strings.Cut(out.String(), "<rect x=")
	if !strings.Contains(title, "no_rule_matches sha256:12") || !strings.Contains(title, "other things weighed more (not_in_five)") || strings.Contains(shown, "no_rule") {
		t.Errorf("it is drawn as\n%s", out.String())
	}
}
