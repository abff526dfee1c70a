package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"
)

// scene is one person's week as it was written by hand. Its file has a line
// each, told apart by the first character:
//
//	# title | Monday the week begins | offset from UTC
//	= slot: first choice/its short form; second choice/its short form
//	r|a|t|l key day hh:mm text      a commitment; "-" instead of day hh:mm: no due
//	q key day hh:mm text            a question, and when it is asked
//	+ key,~key topic/source text ;; why    a related signal; ~ where the pair shares no telling word
//	- topic/source text ;; why not         a hard negative
//
// Day 0 is the Monday. A text may have {slot}, {slot2} (its second form),
// [this|that] and {#1-9}. A signal may have "@day hh:mm" before its text.
type scene struct {
	name   string
	monday time.Time
	slots  []slot
	wants  []want
	heard  []heard
}

type slot struct {
	name    string
	choices [][]string
}

type want struct {
	key, kind, text string
	due             time.Time
	asked           time.Time // of a question
}

// question is the kind of what has no due and a moment at which it is asked.
const question = "question"

type heard struct {
	keys                      []string
	paraphrases               []bool // by key: the pair shares no telling word
	topic, source, text, note string
	at                        time.Time
}

func readScenes(from fs.FS) ([]scene, error) {
	names, err := fs.Glob(from, "scenes/*.txt")
	if err != nil {
		return nil, err
	}
	var all []scene
	for _, name := range names {
		f, err := from.Open(name)
		if err != nil {
			return nil, err
		}
		s := scene{name: strings.TrimSuffix(path.Base(name), ".txt")}
		in := bufio.NewScanner(f)
		for n := 1; in.Scan(); n++ {
			if err := s.read(strings.TrimSpace(in.Text())); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
		}
		if err := in.Err(); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

func (s *scene) read(line string) error {
	if line == "" {
		return nil
	}
	mark, rest, _ := strings.Cut(line, " ")
	switch mark {
	case "#":
		return s.readTitle(rest)
	case "=":
		return s.readSlot(rest)
	case "r", "a", "t", "l", "q":
		return s.readWant(mark, rest)
	case "+", "-":
		return s.readHeard(mark == "+", rest)
	}
	return fmt.Errorf("a line can't begin with %q", mark)
}

func (s *scene) readTitle(rest string) error {
	parts := strings.Split(rest, "|")
	if len(parts) != 3 {
		return fmt.Errorf("want title | Monday | offset, got %q", rest)
	}
	monday, err := time.Parse("2006-01-02 -07:00", strings.TrimSpace(parts[1])+" "+strings.TrimSpace(parts[2]))
	if err != nil {
		return err
	}
	if monday.Weekday() != time.Monday {
		return fmt.Errorf("the week begins on a %s", monday.Weekday())
	}
	s.monday = monday
	return nil
}

func (s *scene) readSlot(rest string) error {
	name, list, ok := strings.Cut(rest, ":")
	if !ok {
		return fmt.Errorf("want slot: choices, got %q", rest)
	}
	one := slot{name: name}
	for choice := range strings.SplitSeq(list, ";") {
		one.choices = append(one.choices, strings.Split(strings.TrimSpace(choice), "/"))
	}
	s.slots = append(s.slots, one)
	return nil
}

func (s *scene) readWant(mark, rest string) error {
	kinds := map[string]string{"r": "reminder", "a": "appointment", "t": "task", "l": "list", "q": question}
	key, rest, _ := strings.Cut(rest, " ")
	one := want{key: key, kind: kinds[mark]}
	if after, none := strings.CutPrefix(rest, "- "); none {
		one.text = after
	} else {
		at, text, err := s.moment(rest)
		if err != nil {
			return err
		}
		one.due, one.text = at, text
		if one.kind == question {
			one.due, one.asked = time.Time{}, at
		}
	}
	s.wants = append(s.wants, one)
	return nil
}

func (s *scene) readHeard(related bool, rest string) error {
	var one heard
	if related {
		var keys string
		keys, rest, _ = strings.Cut(rest, " ")
		for key := range strings.SplitSeq(keys, ",") {
			plain, paraphrase := strings.CutPrefix(key, "~")
			one.keys, one.paraphrases = append(one.keys, plain), append(one.paraphrases, paraphrase)
		}
	}
	from, rest, _ := strings.Cut(rest, " ")
	var ok bool
	if one.topic, one.source, ok = strings.Cut(from, "/"); !ok {
		return fmt.Errorf("want topic/source, got %q", from)
	}
	if after, fixed := strings.CutPrefix(rest, "@"); fixed {
		at, text, err := s.moment(after)
		if err != nil {
			return err
		}
		one.at, rest = at, text
	}
	if one.text, one.note, ok = strings.Cut(rest, " ;; "); !ok {
		return fmt.Errorf("no note (;; why): %q", rest)
	}
	if !related {
		one.note = "hard: " + one.note
	}
	s.heard = append(s.heard, one)
	return nil
}

// moment reads "day hh:mm " off the front.
func (s *scene) moment(rest string) (time.Time, string, error) {
	parts := strings.SplitN(rest, " ", 3)
	if len(parts) != 3 {
		return time.Time{}, "", fmt.Errorf("want day hh:mm text, got %q", rest)
	}
	day, err := strconv.Atoi(parts[0])
	if err != nil {
		return time.Time{}, "", err
	}
	clock, err := time.Parse("15:04", parts[1])
	if err != nil {
		return time.Time{}, "", err
	}
	at := s.monday.AddDate(0, 0, day).Add(time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute)
	return at, parts[2], nil
}
