package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"chalie/cmd/internal/dialogue"
	"chalie/cmd/internal/inmemory"
	"chalie/domain"
	"chalie/replay/player"
)

// pageName is the page for people: what is said stands in the first column of its tables, and what
// is answered in the second.
var pageName = filepath.Join("..", "..", "docs", "what-you-can-say.md")

// TestWhatYouCanSay says every example of the page, those of a part one after the other to a Chalie
// of their own. Each has to be answered as the page says; with -rewrite those that aren't get the
// whole answer on the page, to be read before it is kept.
func TestWhatYouCanSay(t *testing.T) {
	raw, err := os.ReadFile(pageName)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(raw), "\n")
	parts, err := readPage(lines)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range parts {
		t.Run(part.title, func(t *testing.T) { part.isTrue(t, lines) })
	}
	for _, words := range notUnderstood {
		if !strings.Contains(string(raw), words) {
			t.Errorf("nothing on the page is answered by %q any more: what isn't understood has other words now", words)
		}
	}
	if *rewrite {
		if err := os.WriteFile(pageName, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// notUnderstood are what answers begin with to what isn't understood.
var notUnderstood = []string{"I'm not sure what to do", "I can't answer that", "Das habe ich nicht verstanden", "No lo he entendido", "Je n'ai pas compris"}

// fewest is how many examples a part has at least that are understood.
const fewest = 10

// pagePart is a part of the page.
type pagePart struct {
	title  string
	before []string  // what was said before
	rows   []pageRow // of its tables, in order
}

// pageRow is a row of a table.
type pageRow struct {
	line           int // of the page, from 0
	said, answered string
	turn           dialogue.Turn
	clock          string // instead of a turn: what time it is now
	refused        bool   // it is among what isn't done, never or not yet
}

// isTrue says what a part says, and puts the answers that it lacks on the page's lines.
func (p pagePart) isTrue(t *testing.T, lines []string) {
	s, err := p.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	understood := 0
	for _, row := range p.rows {
		came, err := p.happens(t.Context(), s, row)
		if err != nil {
			t.Fatalf("line %d: %v", row.line+1, err)
		}
		answer := inCell(came)
		if !isAnswered(row.answered, answer) {
			t.Errorf("line %d: %s is answered\n\t%s\nand the page says\n\t%s\nIf it should be so, run the test with -args -rewrite, and read the difference.",
				row.line+1, row.said, answer, row.answered)
			lines[row.line] = fmt.Sprintf("| %s | %s |", row.said, answer)
		}
		switch isNot := slices.ContainsFunc(notUnderstood, func(words string) bool { return strings.HasPrefix(answer, words) }); {
		case row.refused:
		case isNot:
			t.Errorf("line %d: %s isn't understood: it belongs to what can't be said yet", row.line+1, row.said)
		case row.turn.Say != "":
			understood++
		}
	}
	if understood < fewest {
		t.Errorf("%d examples are understood, and a part has %d at least", understood, fewest)
	}
}

var (
	examplePattern = regexp.MustCompile(`\*([^*]+)\*`)
	refusedPattern = regexp.MustCompile(`^\*\*(It never|Not yet:|Noch nicht:|Todavía no:|Pas encore :)\*\*`)
	saidPattern    = regexp.MustCompile(`^\*([^*]+)\*(?:, in the (\pL+))?$`)
	pressPattern   = regexp.MustCompile(`^\[([^\]]+)\]$`)
	toldPattern    = regexp.MustCompile(`^\*\*(\pL+)\*\*: (.+)$`)
	clockPattern   = regexp.MustCompile(`^It is (\d\d:\d\d)$`)
)

// readPage reads the page's parts. An example outside of a table would be tried by nobody, so there is none, and
// nor is code.
func readPage(lines []string) (parts []pagePart, err error) {
	var refused, before bool
	for n, line := range lines {
		before = strings.HasPrefix(line, "Said before: ") || before && line != ""
		title, heading := strings.CutPrefix(line, "## ")
		switch {
		case heading:
			parts, refused = append(parts, pagePart{title: title}), false
			continue
		case strings.Contains(line, "`"):
			err = errors.New("there is code in it")
		case strings.HasPrefix(line, "| ---"):
		case strings.HasPrefix(line, "|") && !strings.HasPrefix(lines[n+1], "| ---"):
			var row pageRow
			row, err = readRow(line)
			row.line, row.refused = n, refused
			last := &parts[len(parts)-1]
			last.rows = append(last.rows, row)
		case before:
			for _, m := range examplePattern.FindAllStringSubmatch(line, -1) {
				parts[len(parts)-1].before = append(parts[len(parts)-1].before, m[1])
			}
		case refusedPattern.MatchString(line):
			refused = true
		case examplePattern.MatchString(strings.ReplaceAll(line, "**", "")):
			err = errors.New("an example outside of a table is tried by nobody")
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w: %s", n+1, err, line)
		}
	}
	return parts, nil
}

// readRow reads a row whose first column is *what is said*, perhaps with the conversation; [a button];
// **Program**: what it tells; or what time it is.
func readRow(line string) (row pageRow, err error) {
	var two bool
	if row.said, row.answered, two = strings.Cut(strings.Trim(line, "| "), " | "); !two {
		return row, errors.New("the row has no second column")
	}
	if m := saidPattern.FindStringSubmatch(row.said); m != nil {
		row.turn = dialogue.Turn{Say: m[1], In: m[2]}
	} else if m := pressPattern.FindStringSubmatch(row.said); m != nil {
		row.turn = dialogue.Turn{Press: m[1]}
	} else if m := toldPattern.FindStringSubmatch(row.said); m != nil {
		energy := 0.5 // as of a program that says none
		row.turn = dialogue.Turn{Signal: &dialogue.News{Source: m[1], Content: m[2], Energy: &energy}}
	} else if m := clockPattern.FindStringSubmatch(row.said); m != nil {
		row.clock = m[1]
	} else {
		return row, errors.New("nothing that happens is written so")
	}
	return row, nil
}

// isAnswered reports whether an answer is what the page says; … stands for what it leaves out.
func isAnswered(page, answer string) bool {
	pieces := strings.Split(page, "…")
	for i, piece := range pieces {
		piece = strings.TrimSpace(piece)
		at := strings.Index(answer, piece)
		if at < 0 || i == 0 && at > 0 {
			return false
		}
		answer = answer[at+len(piece):]
	}
	return answer == "" || len(pieces) > 1 && strings.TrimSpace(pieces[len(pieces)-1]) == ""
}

// inCell is an answer as the second column has it, with its buttons in brackets.
func inCell(came dialogue.Happened) string {
	out := strings.ReplaceAll(strings.TrimSpace(came.Text), "\n", "<br>")
	for _, label := range came.Offers {
		out += " [" + label + "]"
	}
	if came.Waits {
		out += " [Approve] [Refuse]"
	}
	return cmp.Or(strings.TrimSpace(out), "–")
}

// When and where the page's examples are said.
const (
	pageTime = "2027-03-01T09:00"
	pageZone = "Europe/London"
)

// open opens the Chalie to which a part is said. One that speaks of programs has some of House's.
func (p pagePart) open(ctx context.Context) (*stage, error) {
	place, err := time.LoadLocation(pageZone)
	if err != nil {
		return nil, err
	}
	at, err := time.ParseInLocation("2006-01-02T15:04", pageTime, place)
	if err != nil {
		return nil, err
	}
	s := &stage{of: dialogue.Dialogue{Zone: pageZone, Place: place, Begins: at}}
	house, err := readPageTools()
	if err != nil {
		return nil, err
	}
	if s.Chalie, err = inmemory.New(ctx, inmemory.Config{At: at, Zone: pageZone, Build: "page", Outside: pageOutside{standIns{stage: s}, house}}); err != nil {
		return nil, err
	}
	if strings.Contains(p.title, "programs") {
		if err := house.pair(ctx, s); err != nil {
			return nil, err
		}
	}
	for _, text := range p.before {
		came, err := s.turn(ctx, dialogue.Turn{Say: text})
		if err == nil && len(came.Changes) == 0 {
			err = fmt.Errorf("%q, which was said before, changed nothing: %s", text, came.Text)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// happens lets a row happen. Time stands, but where a row says what time it is.
func (p pagePart) happens(ctx context.Context, s *stage, row pageRow) (dialogue.Happened, error) {
	if row.clock == "" {
		return s.turn(ctx, row.turn)
	}
	today := s.Clock.Now().In(s.of.Place).Format(time.DateOnly)
	at, err := time.ParseInLocation("2006-01-02 15:04", today+" "+row.clock, s.of.Place)
	if err == nil {
		err = s.Until(ctx, at)
	}
	if err != nil {
		return dialogue.Happened{}, err
	}
	return s.reads(ctx)
}

// pageTools are the tools of the program that the page speaks of.
type pageTools []struct {
	dialogue.Tool
	Answers string // with {parameters}
}

func readPageTools() (out pageTools, err error) {
	text, err := os.ReadFile(filepath.Join("testdata", "house.json"))
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	return out, err
}

func (all pageTools) pair(ctx context.Context, s *stage) error {
	var listed []dialogue.Tool
	for _, one := range all {
		listed = append(listed, one.Tool)
	}
	tools, err := toolsOf(listed)
	if err != nil {
		return err
	}
	return s.Pair(ctx, "House", tools)
}

// pageOutside answers for them.
type pageOutside struct {
	standIns
	tools pageTools
}

// Answer implements player.Effects.
func (o pageOutside) Answer(_ context.Context, act player.Act, asked player.Outgoing) (domain.Envelope, error) {
	var params map[string]any
	if err := json.Unmarshal(asked.Params, &params); err != nil {
		return domain.Envelope{}, err
	}
	var said string
	for _, one := range o.tools {
		if one.Name == asked.Tool {
			said = one.Answers
		}
	}
	for name, value := range params {
		if on, ok := value.(bool); ok {
			value = map[bool]string{true: "on", false: "off"}[on]
		}
		said = strings.ReplaceAll(said, "{"+name+"}", fmt.Sprint(value))
	}
	end, err := domain.New(domain.Begin(act.Trace, domain.PrincipalCore), asked.Invocation, domain.MillisOf(o.stage.Clock.Now()), "house",
		domain.ToolCompleted{InvocationID: asked.Invocation, Text: &said, Data: json.RawMessage("null"), Blocks: []domain.Block{}})
	return end.Envelope, err
}
