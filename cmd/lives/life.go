package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"chalie/domain"
)

// life is what a person lives through. The first line of its file has the members of life;
// each other one is a happening.
type life struct {
	Name string `json:"life"`
	Zone string `json:"zone"` // an IANA name
	From string `json:"from"` // local time, as of "at"
	To   string `json:"to"`

	zone       *time.Location
	from, to   time.Time
	happenings []happening
}

// happening is one line of a life, with one of its members beside At.
type happening struct {
	At        string         `json:"at"`        // local time, 2006-01-02T15:04:05
	Say       string         `json:"say"`       // by the person
	Signal    *heard         `json:"signal"`    // that comes in
	Message   *heard         `json:"message"`   // that a program says to Chalie
	Press     string         `json:"press"`     // the words on a button of the latest notice
	On        string         `json:"on"`        // the words of that notice; "" for any
	Attention string         `json:"attention"` // of the person: focused or ambient
	Want      string         `json:"want"`      // of a signal: yes, no or either
	Noise     bool           `json:"noise"`     // it was made up in bulk
	line      int            // in its file
	at        time.Time      // At in the life's zone
	signal    *domain.Record // what was recorded of Signal
}

// heard is what a program sends.
type heard struct {
	Source   string          `json:"source"`
	Type     string          `json:"signal_type"`
	Content  string          `json:"content"`
	Text     string          `json:"text"` // of a message, in place of Content
	Topic    *string         `json:"topic"`
	Energy   float64         `json:"activation_energy"`
	Metadata json.RawMessage `json:"metadata"`
}

const localTime = "2006-01-02T15:04:05"

// readLife reads a life, whose lines come in order.
func readLife(from io.Reader) (*life, error) {
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, 1<<20)
	var of *life
	for n := 1; lines.Scan(); n++ {
		var err error
		if of == nil {
			of, err = begin(lines.Bytes())
		} else {
			err = of.add(n, lines.Bytes())
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if of == nil && lines.Err() == nil {
		return nil, errors.New("the file is empty: its first line names the life, its zone, and from when to when it goes")
	}
	return of, lines.Err()
}

func begin(line []byte) (*life, error) {
	of := new(life)
	err := json.Unmarshal(line, of)
	if err == nil {
		of.zone, err = time.LoadLocation(of.Zone)
	}
	if err == nil {
		of.from, err = of.moment(of.From)
	}
	if err == nil {
		of.to, err = of.moment(of.To)
	}
	return of, err
}

func (of *life) moment(text string) (time.Time, error) {
	return time.ParseInLocation(localTime, text, of.zone)
}

func (of *life) add(n int, line []byte) error {
	h := happening{line: n}
	err := json.Unmarshal(line, &h)
	if err == nil {
		h.at, err = of.moment(h.At)
	}
	if err != nil {
		return err
	}
	if last := len(of.happenings); last > 0 && h.at.Before(of.happenings[last-1].at) {
		return errors.New("it happens before the line above it: put them in order")
	}
	of.happenings = append(of.happenings, h)
	return nil
}
